"""What finding records by meaning keeps of them, and digests of the lines that were shown of it.

Beside each record lies one row, which comes and goes with it. Triggers see to it, so that no way of writing a record
can leave a vector that is not of its text. `change` grows with everything that an index in memory has to learn; a
deletion is counted, since the row that told of it is gone.
"""

from typing import Final

RETRIEVAL_1: Final = """
-- memory/embedding_store.py
CREATE TABLE memory_embedding (
    memory TEXT PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
    change INTEGER NOT NULL UNIQUE,
    vector BLOB  -- half precision; NULL: to be made
) STRICT;
CREATE INDEX memory_to_embed ON memory_embedding (change) WHERE vector IS NULL;
CREATE TABLE memory_retrieval (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    deletions INTEGER NOT NULL,
    model TEXT  -- what made the vectors; NULL: there are none
) STRICT;
INSERT INTO memory_retrieval VALUES (1, 0, NULL);
INSERT INTO memory_embedding SELECT id, row, NULL FROM memory;
CREATE TRIGGER memory_added_to_retrieval AFTER INSERT ON memory BEGIN
    INSERT INTO memory_embedding VALUES (new.id, (SELECT coalesce(max(change), 0) + 1 FROM memory_embedding), NULL);
END;
CREATE TRIGGER memory_changed_in_retrieval AFTER UPDATE ON memory
WHEN (new.text, new.scope, new.cloud IN ('local_only', 'kept'), new.session, new.created_at, new.valid_from,
        new.valid_to, new.importance, new.trust, new.application, new.audiences)
    IS NOT (old.text, old.scope, old.cloud IN ('local_only', 'kept'), old.session, old.created_at, old.valid_from,
        old.valid_to, old.importance, old.trust, old.application, old.audiences) BEGIN
    UPDATE memory_embedding SET change = (SELECT max(change) + 1 FROM memory_embedding),
        vector = CASE WHEN new.text = old.text THEN vector ELSE NULL END
    WHERE memory = new.id;
END;
CREATE TRIGGER memory_deleted_from_retrieval AFTER DELETE ON memory BEGIN
    UPDATE memory_retrieval SET deletions = deletions + 1;
END;
-- daemon/block/store.py; a line of a forgotten record stays here, since clients may still hold it and send it
CREATE TABLE shown_line (
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    length INTEGER NOT NULL CHECK (length > 0)
) STRICT, WITHOUT ROWID;
"""
