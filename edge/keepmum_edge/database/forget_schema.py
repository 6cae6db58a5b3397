"""What stays of the forgotten: ids, keyed digests and receipts, never a text.

Two triggers are a second wall: a record whose id was forgotten cannot be stored again, and a message that was forgotten
is left out in silence when a client sends its history once more.
"""

from typing import Final

FORGET_1: Final = """
-- daemon/forget/store.py
CREATE TABLE tombstone (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten_message (
    chain BLOB PRIMARY KEY CHECK (length(chain) = 32)
) STRICT, WITHOUT ROWID;
CREATE TABLE receipt (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body_json TEXT NOT NULL,
    signature TEXT NOT NULL
) STRICT;
CREATE TABLE receipt_wait (  -- which ids of a receipt the cloud has not confirmed yet
    receipt TEXT NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (receipt, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_wait_by_memory ON receipt_wait (memory);
-- memory/key_store.py
CREATE TABLE record_key (
    memory TEXT PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT, WITHOUT ROWID;
CREATE TABLE backup (
    record_file TEXT PRIMARY KEY,
    key_file TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE cloud_deletion ADD COLUMN forget INTEGER NOT NULL DEFAULT 1 CHECK (forget IN (0, 1));
CREATE TRIGGER memory_stays_forgotten BEFORE INSERT ON memory
WHEN EXISTS (SELECT 1 FROM tombstone WHERE id = new.id) BEGIN
    SELECT RAISE(ABORT, 'a forgotten record would come back');
END;
CREATE TRIGGER message_stays_forgotten BEFORE INSERT ON message
WHEN EXISTS (SELECT 1 FROM forgotten_message WHERE chain = new.chain) BEGIN
    SELECT RAISE(IGNORE);
END;
"""
