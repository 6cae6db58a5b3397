"""The second form of the memory tables: every field of design section 7, sources, and consent asked for.

A table cannot be dropped while another refers to it, since that would delete the rows there; so both are made anew and
renamed. `confidence`, `importance` and `trust` are hundredths. `attributes` and `audiences` are sorted names with a
blank between. Records of the first form were written by their owner by hand, so they are stated and trusted, but
`judged_by` is NULL: the classifier judges them at the next start. The third form adds what is seen of behaviour.
"""

from typing import Final

MEMORY_2: Final = """
-- memory/store.py
CREATE TABLE memory_next (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('stated', 'inferred', 'history')),
    text TEXT NOT NULL,
    same_key TEXT NOT NULL,  -- equal for texts that say the same (memory/wording.py)
    subject TEXT NOT NULL,
    topic TEXT,
    slot TEXT,
    has_position INTEGER NOT NULL CHECK (has_position IN (0, 1)),
    attributes TEXT NOT NULL,
    category TEXT,
    level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 3),
    confidence INTEGER NOT NULL CHECK (confidence BETWEEN 0 AND 100),
    importance INTEGER NOT NULL CHECK (importance BETWEEN 0 AND 100),
    scope TEXT NOT NULL,
    application TEXT,
    audiences TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    utc_offset_s INTEGER,
    valid_from INTEGER,
    valid_to INTEGER,
    successor TEXT,
    channel TEXT NOT NULL,
    trust INTEGER NOT NULL CHECK (trust BETWEEN 0 AND 100),
    consent TEXT NOT NULL CHECK (consent IN ('not_needed', 'asked', 'granted')),
    last_used INTEGER,
    session TEXT,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    judged_by TEXT,
    cloud TEXT NOT NULL CHECK (cloud IN ('local_only', 'kept', 'queued', 'sent', 'shared')),
    placeholder_text TEXT,
    shared_at INTEGER,
    CHECK (valid_from IS NULL OR valid_to IS NULL OR valid_from <= valid_to),
    CHECK (has_position = 0 OR (slot IS NOT NULL AND cloud = 'local_only' AND scope = 'user')),
    CHECK (slot IS NULL OR cloud = 'local_only'),
    CHECK (cloud <> 'local_only' OR shared_at IS NULL),
    CHECK (cloud NOT IN ('sent', 'shared') OR shared_at IS NOT NULL),
    CHECK (shared_at IS NULL OR placeholder_text IS NOT NULL)
) STRICT;
INSERT INTO memory_next
    SELECT row, id, 'stated', text, text, 'self', NULL, NULL, 0, '', NULL, 1, 100, 50, scope, NULL, '', created_at,
        NULL, NULL, NULL, NULL, 'command', 100, 'asked', NULL, NULL, 1, NULL,
        CASE WHEN shared_at IS NULL THEN 'kept' ELSE 'shared' END, placeholder_text, shared_at
    FROM memory;
CREATE TABLE memory_placeholder_next (
    memory TEXT NOT NULL REFERENCES memory_next (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (memory, type, number)
) STRICT, WITHOUT ROWID;
INSERT INTO memory_placeholder_next SELECT memory, type, number FROM memory_placeholder;
DROP TABLE memory_words;
DROP TABLE memory_placeholder;
DROP TABLE memory;
ALTER TABLE memory_next RENAME TO memory;
ALTER TABLE memory_placeholder_next RENAME TO memory_placeholder;
CREATE UNIQUE INDEX memory_once ON memory (scope, subject, text, coalesce(slot, ''), cloud = 'kept')
    WHERE valid_to IS NULL;
CREATE INDEX memory_to_send ON memory (scope, row) WHERE cloud IN ('queued', 'sent');
CREATE INDEX memory_in_slot ON memory (slot, row) WHERE slot IS NOT NULL;
CREATE INDEX memory_by_topic ON memory (scope, subject, topic) WHERE topic IS NOT NULL;
CREATE INDEX memory_by_key ON memory (scope, subject, same_key);
CREATE INDEX memory_of_placeholder ON memory_placeholder (type, number);
CREATE TABLE memory_source (  -- what a record was derived from: turns, other records, documents
    memory TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    PRIMARY KEY (memory, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_of_source ON memory_source (source);
CREATE TABLE memory_asked (  -- consent asked for: never a text; the words wait in memory alone, for a day
    id TEXT PRIMARY KEY,
    category TEXT NOT NULL,
    asked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_session (  -- under which key the cloud knows which memories come from one conversation
    conversation TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE memory_words USING fts5 (text, content = 'memory', content_rowid = 'row', tokenize = 'trigram');
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);  -- else words outlive their record
INSERT INTO memory_words (memory_words) VALUES ('rebuild');
CREATE TRIGGER memory_added AFTER INSERT ON memory BEGIN
    INSERT INTO memory_words (rowid, text) VALUES (new.row, new.text);
END;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
    INSERT INTO memory_words (memory_words, rowid, text) VALUES ('delete', old.row, old.text);
END;
CREATE TRIGGER memory_reworded AFTER UPDATE OF text ON memory WHEN new.text <> old.text BEGIN
    INSERT INTO memory_words (memory_words, rowid, text) VALUES ('delete', old.row, old.text);
    INSERT INTO memory_words (rowid, text) VALUES (new.row, new.text);
END;
"""

MEMORY_3: Final = """
-- memory/behaviour_store.py
CREATE TABLE behaviour (  -- what sessions showed: names of a public list, never a word of a message
    row INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    trait TEXT NOT NULL,
    conversation TEXT NOT NULL,
    day INTEGER NOT NULL,
    option TEXT NOT NULL,
    turn TEXT NOT NULL,
    UNIQUE (scope, trait, conversation, day, option)
) STRICT;
CREATE INDEX behaviour_of_turn ON behaviour (turn);
UPDATE memory SET kind = 'history' WHERE successor IS NOT NULL AND valid_to IS NOT NULL;
"""
