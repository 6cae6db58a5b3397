"""Tables of the cloud's database, and the steps from each version to the next."""

import sqlite3
from typing import Final

SCHEMA_VERSION: Final = 4

_FIRST: Final = """
CREATE TABLE devices (
    id TEXT PRIMARY KEY, public_key BLOB NOT NULL, name TEXT NOT NULL, paired_at INTEGER NOT NULL, revoked_at INTEGER
) WITHOUT ROWID;
CREATE TABLE invitations (
    secret_hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL, used_at INTEGER, wrong_tries INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE nonces (device TEXT NOT NULL, nonce TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (device, nonce))
    WITHOUT ROWID;
CREATE INDEX nonces_by_time ON nonces (time);
CREATE TABLE spaces (
    no INTEGER PRIMARY KEY, device TEXT NOT NULL, scope TEXT NOT NULL,
    memories INTEGER NOT NULL, length INTEGER NOT NULL, shortest INTEGER NOT NULL, UNIQUE (device, scope)
);
CREATE TABLE memories (
    no INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces (no), device TEXT NOT NULL, id TEXT NOT NULL,
    text TEXT NOT NULL, created_at INTEGER NOT NULL, unclassified INTEGER NOT NULL, length INTEGER NOT NULL,
    UNIQUE (device, id)
);
CREATE INDEX memories_by_space ON memories (space);
CREATE TABLE terms (
    no INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces (no), term TEXT NOT NULL,
    memories INTEGER NOT NULL, most_frequent INTEGER NOT NULL, UNIQUE (space, term)
);
CREATE TABLE postings (
    term INTEGER NOT NULL REFERENCES terms (no), memory INTEGER NOT NULL REFERENCES memories (no),
    frequency INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (term, memory)
) WITHOUT ROWID;
CREATE INDEX postings_by_memory ON postings (memory);
CREATE TABLE erasures (pending INTEGER PRIMARY KEY);
"""

# Bounds of the old search go; `epoch` says when what is held of a space in memory is no longer true. `facts` holds by
# what rule the terms and by what model the vectors were made: empty here, so that both are made anew. Rows of `jobs`
# never take the number of an older one, so that work in flight cannot finish another's job.
_SECOND: Final = """
DROP TABLE postings;
DROP TABLE terms;
CREATE TABLE terms (
    no INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces (no), term TEXT NOT NULL,
    memories INTEGER NOT NULL, UNIQUE (space, term)
);
CREATE TABLE postings (
    term INTEGER NOT NULL REFERENCES terms (no), memory INTEGER NOT NULL REFERENCES memories (no),
    frequency INTEGER NOT NULL, PRIMARY KEY (term, memory)
) WITHOUT ROWID;
CREATE INDEX postings_by_memory ON postings (memory);
ALTER TABLE spaces DROP COLUMN length;
ALTER TABLE spaces DROP COLUMN shortest;
ALTER TABLE spaces ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN session TEXT;
ALTER TABLE memories ADD COLUMN valid_from INTEGER;
ALTER TABLE memories ADD COLUMN valid_to INTEGER;
ALTER TABLE memories ADD COLUMN importance INTEGER NOT NULL DEFAULT 50;
ALTER TABLE memories ADD COLUMN trust INTEGER NOT NULL DEFAULT 100;
CREATE TABLE embeddings (
    no INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces (no),
    memory INTEGER NOT NULL UNIQUE REFERENCES memories (no), vector BLOB NOT NULL
);
CREATE INDEX embeddings_by_space ON embeddings (space, no);
CREATE TABLE jobs (
    no INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, memory INTEGER NOT NULL REFERENCES memories (no),
    tries INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0, UNIQUE (kind, memory)
);
CREATE INDEX jobs_by_memory ON jobs (memory);
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO erasures SELECT 1 FROM memories LIMIT 1;
"""

# Provenance and revisions name memories by their ids, since a memory that is replaced gets another row. Tombstones hold
# digests of ids: what is forgotten is named nowhere.
_THIRD: Final = """
CREATE TABLE derivations (
    device TEXT NOT NULL, memory TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (device, memory, source)
) WITHOUT ROWID;
CREATE INDEX derivations_by_source ON derivations (device, source);
CREATE TABLE revisions (
    no INTEGER PRIMARY KEY, device TEXT NOT NULL, memory TEXT NOT NULL, text TEXT NOT NULL,
    valid_from INTEGER, valid_to INTEGER, replaced_at INTEGER NOT NULL
);
CREATE INDEX revisions_by_memory ON revisions (device, memory);
CREATE TABLE tombstones (device TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (device, digest)) WITHOUT ROWID;
"""

_FOURTH: Final = """
CREATE TABLE seals (
    device TEXT PRIMARY KEY, counter INTEGER NOT NULL, total INTEGER NOT NULL, signature TEXT NOT NULL
) WITHOUT ROWID;
"""

_STEPS: Final = (_FIRST, _SECOND, _THIRD, _FOURTH)


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring the tables from a version to SCHEMA_VERSION, inside the caller's transaction."""
    for step in _STEPS[version:]:
        for statement in filter(str.strip, step.split(";")):
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
