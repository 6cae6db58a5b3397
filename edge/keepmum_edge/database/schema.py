"""What is in the database. Tables are grouped by the store that owns them; no other module writes to them.

Everything is STRICT. Times are Unix seconds. Digests are 32 bytes, keyed, and made by the caller. `*_json` columns hold
the canonical JSON of wire messages and placeholder text only. No table refers to one of another store: the daemon
assembles what a deletion takes with it.
"""

from typing import Final

from keepmum_edge.database.forget_schema import FORGET_1
from keepmum_edge.database.memory_schema import MEMORY_2, MEMORY_3
from keepmum_edge.database.migrations import Migration
from keepmum_edge.database.retrieval_schema import RETRIEVAL_1
from keepmum_edge.database.view_schema import VIEWS_2

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
-- daemon/turn_store.py; an index is a page more to write in every turn, so there are none for what is rare
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
CREATE INDEX turn_to_expire ON turn (answered_at) WHERE answer_json IS NOT NULL;
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

_VIEWS = """
-- views/store.py; charges and releases are the log that the audit reads, and are never changed
CREATE TABLE view_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    first_date INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    period INTEGER NOT NULL CHECK (period >= -1),
    frozen_before INTEGER NOT NULL,
    counter INTEGER NOT NULL CHECK (counter >= 0),
    total INTEGER NOT NULL CHECK (total >= 0)
) STRICT;
CREATE TRIGGER view_state_never_falls BEFORE UPDATE ON view_state
WHEN new.first_date <> old.first_date OR new.last_seen < old.last_seen OR new.period < old.period
    OR new.counter < old.counter OR new.total < old.total BEGIN
    SELECT RAISE(ABORT, 'a period or a ledger would fall');
END;
CREATE TABLE view_policy (  -- the one in force is the newest whose period has come
    from_period INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    release_policy TEXT NOT NULL,
    mechanism TEXT NOT NULL,
    file TEXT NOT NULL,
    listed INTEGER NOT NULL CHECK (listed IN (0, 1))
) STRICT;
CREATE TABLE view_charge (
    row INTEGER PRIMARY KEY,
    attribute TEXT NOT NULL,
    slot TEXT NOT NULL,
    key TEXT NOT NULL,
    period INTEGER NOT NULL,
    epsilon INTEGER NOT NULL CHECK (epsilon > 0),
    cause TEXT NOT NULL CHECK (cause IN ('draw', 'intent', 'listing', 'rollback')),
    cap INTEGER NOT NULL CHECK (cap > 0),
    lifetime_cap INTEGER NOT NULL CHECK (lifetime_cap > 0),
    UNIQUE (attribute, key, slot)
) STRICT;
CREATE INDEX view_charge_by_key ON view_charge (key);
CREATE TRIGGER view_charge_fits BEFORE INSERT ON view_charge WHEN new.cause = 'draw' BEGIN  -- a second wall
    SELECT RAISE(ABORT, 'a draw would pass a cap') WHERE
        new.epsilon + (SELECT coalesce(sum(epsilon), 0) FROM view_charge
            WHERE attribute = new.attribute AND period = new.period) > new.cap
        OR new.epsilon + (SELECT coalesce(sum(epsilon), 0) FROM view_charge
            WHERE attribute = new.attribute) > new.lifetime_cap;
END;
CREATE TRIGGER view_charge_stays BEFORE UPDATE ON view_charge BEGIN SELECT RAISE(ABORT, 'a charge is final'); END;
CREATE TRIGGER view_charge_remains BEFORE DELETE ON view_charge BEGIN SELECT RAISE(ABORT, 'a charge is final'); END;
CREATE TABLE view_release (
    row INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    slot TEXT NOT NULL,
    period INTEGER NOT NULL,
    view TEXT NOT NULL,
    ground TEXT NOT NULL,
    released_at INTEGER NOT NULL
) STRICT;
CREATE INDEX view_release_by_unit ON view_release (unit, row) WHERE ground = 'drawn';
CREATE TRIGGER view_release_stays BEFORE UPDATE ON view_release BEGIN SELECT RAISE(ABORT, 'a release is final'); END;
CREATE TRIGGER view_release_remains BEFORE DELETE ON view_release BEGIN SELECT RAISE(ABORT, 'a release is final'); END;
CREATE TABLE view_silence (
    slot TEXT PRIMARY KEY,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE view_score (  -- of what a slot holds now; made anew, or emptied, when that changes
    slot TEXT NOT NULL,
    view TEXT NOT NULL,
    c INTEGER NOT NULL CHECK (c BETWEEN 0 AND 10),
    s INTEGER NOT NULL CHECK (s BETWEEN 0 AND 10),
    PRIMARY KEY (slot, view)
) STRICT, WITHOUT ROWID;
CREATE TABLE view_touch (  -- messages that themselves touch an attribute; not part of any bound
    turn TEXT NOT NULL,
    attribute TEXT NOT NULL,
    PRIMARY KEY (turn, attribute)
) STRICT, WITHOUT ROWID;
CREATE INDEX view_touch_by_attribute ON view_touch (attribute);
"""

MIGRATIONS: Final = (
    Migration(version=1, script=_VAULT + _CONVERSATIONS + _TURNS + _CLOUD + _MEMORY),
    Migration(version=2, script=_VIEWS),
    Migration(version=3, script=MEMORY_2),
    Migration(version=4, script=FORGET_1),
    Migration(version=5, script=VIEWS_2),
    Migration(version=6, script=RETRIEVAL_1),
    Migration(version=7, script=MEMORY_3),
)
"""Every step so far, oldest first."""
