"""Which slots' score tables are older than what the slots hold.

The mark is made by triggers, in the transaction that changes a position, so no way of writing a record can leave it
out; whoever composed the transaction makes the tables anew before it commits (`daemon.views.slot_scores`).
"""

from typing import Final

VIEWS_2: Final = """
-- views/score_store.py
CREATE TABLE view_stale (
    slot TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER position_taken AFTER INSERT ON memory WHEN new.has_position = 1 BEGIN
    INSERT INTO view_stale VALUES (new.slot) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER position_left AFTER DELETE ON memory WHEN old.has_position = 1 BEGIN
    INSERT INTO view_stale VALUES (old.slot) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER position_changed AFTER UPDATE ON memory
WHEN (old.has_position, old.slot, old.text) IS NOT (new.has_position, new.slot, new.text) BEGIN
    INSERT INTO view_stale SELECT old.slot WHERE old.has_position = 1 ON CONFLICT DO NOTHING;
    INSERT INTO view_stale SELECT new.slot WHERE new.has_position = 1 ON CONFLICT DO NOTHING;
END;
"""
