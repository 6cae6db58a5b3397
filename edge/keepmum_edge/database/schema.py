"""What is in the database. Tables are grouped by the store that owns them; no other module writes to them.

Everything is STRICT. Times are Unix seconds. Digests are 32 bytes, keyed, and made by the caller. `*_json` columns hold
the canonical JSON of wire messages and placeholder text only. No table refers to one of another store: the daemon
assembles what a deletion takes with it.
"""

from typing import Final

from keepmum_edge.database.migrations import Migration

_VAULT = """
-- vault/store.py: values of the whole profile, and what placeholders mean inside one conversation
CREATE TABLE vault_value (
    type TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 100000),
    canonical TEXT NOT NULL,
    rank INTEGER NOT NULL,
    surface TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (type, number),
    UNIQUE (type, canonical, rank)
) STRICT, WITHOUT ROWID;
CREATE TABLE vault_last (  -- survives forgetting, so that a number is never given twice
    type TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE vault_binding (
    conversation TEXT NOT NULL,
    type TEXT NOT NULL,
    number INTEGER NOT NULL,
    surface TEXT NOT NULL,
    canonical TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('owner', 'system', 'foreign')),
    level INTEGER CHECK (level BETWEEN 1 AND 3),
    json_number INTEGER NOT NULL CHECK (json_number IN (0, 1)),
    PRIMARY KEY (conversation, type, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX vault_binding_of_value ON vault_binding (type, canonical);
CREATE TABLE vault_next (
    conversation TEXT NOT NULL,
    type TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (conversation, type)
) STRICT, WITHOUT ROWID;
"""

_CONVERSATIONS = """
-- daemon/conversation_store.py; of an incognito conversation only the id and the flag
CREATE TABLE conversation (
    id TEXT PRIMARY KEY,
    mode TEXT NOT NULL CHECK (mode IN ('normal', 'incognito')),
    scope TEXT,
    audience TEXT,
    application TEXT,
    profile_scope INTEGER CHECK (profile_scope IN (0, 1)),
    created_at INTEGER,
    last_at INTEGER,
    tail BLOB CHECK (length(tail) = 32),
    CHECK (
        mode = 'normal'
        OR coalesce(scope, audience, application, profile_scope, created_at, last_at, tail) IS NULL
    )
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_by_tail ON conversation (tail) WHERE tail IS NOT NULL;
CREATE TABLE message (
    conversation TEXT NOT NULL,
    chain BLOB NOT NULL CHECK (length(chain) = 32),
    position INTEGER NOT NULL CHECK (position >= 0),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    masked_json TEXT NOT NULL,
    PRIMARY KEY (conversation, chain)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_by_chain ON message (chain);
"""

_TURNS = """
-- daemon/turn_store.py
CREATE TABLE turn (
    id TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    request_digest BLOB CHECK (length(request_digest) = 32),
    idempotency_digest BLOB UNIQUE CHECK (length(idempotency_digest) = 32),
    state TEXT NOT NULL CHECK (state IN ('running', 'answered', 'failed')),
    created_at INTEGER NOT NULL,
    answered_at INTEGER,
    answer_json TEXT,
    CHECK ((answered_at IS NULL) = (state <> 'answered')),
    CHECK (answer_json IS NULL OR state = 'answered')
) STRICT, WITHOUT ROWID;
CREATE INDEX turn_by_request ON turn (request_digest, created_at) WHERE request_digest IS NOT NULL;
CREATE INDEX turn_by_conversation ON turn (conversation);
CREATE INDEX turn_to_expire ON turn (answered_at) WHERE answer_json IS NOT NULL;
CREATE INDEX turn_running ON turn (id) WHERE state = 'running';
CREATE TABLE trace (
    row INTEGER PRIMARY KEY,  -- which of two in one second is newer
    turn TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    sent_json TEXT NOT NULL,
    received_json TEXT,
    meta_json TEXT NOT NULL
) STRICT;
CREATE INDEX trace_by_time ON trace (created_at);
CREATE INDEX trace_by_conversation ON trace (conversation);
"""

_CLOUD = """
-- daemon/store.py: everything the edge keeps about its cloud half, and settings
CREATE TABLE pairing (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    device TEXT NOT NULL,
    host TEXT NOT NULL,
    port INTEGER NOT NULL,
    certificate_pem TEXT NOT NULL,
    private_key BLOB NOT NULL CHECK (length(private_key) = 32),
    paired_at INTEGER NOT NULL
) STRICT;
CREATE TABLE scope (
    name TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
CREATE TABLE cloud_deletion (
    memory TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_MEMORY = """
-- memory/store.py
CREATE TABLE memory (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    placeholder_text TEXT,
    shared_at INTEGER,
    unclassified INTEGER NOT NULL CHECK (unclassified IN (0, 1)),
    UNIQUE (scope, text),
    CHECK ((placeholder_text IS NULL) = (shared_at IS NULL))
) STRICT;
CREATE TABLE memory_placeholder (
    memory TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (memory, type, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_of_placeholder ON memory_placeholder (type, number);
CREATE VIRTUAL TABLE memory_words USING fts5 (text, content = 'memory', content_rowid = 'row', tokenize = 'trigram');
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);  -- else words outlive their record
CREATE TRIGGER memory_added AFTER INSERT ON memory BEGIN
    INSERT INTO memory_words (rowid, text) VALUES (new.row, new.text);
END;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
    INSERT INTO memory_words (memory_words, rowid, text) VALUES ('delete', old.row, old.text);
END;
"""

MIGRATIONS: Final = (Migration(version=1, script=_VAULT + _CONVERSATIONS + _TURNS + _CLOUD + _MEMORY),)
"""Every step so far, oldest first."""
