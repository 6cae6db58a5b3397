"""Score tables of slots, and which messages touched an attribute. SQL only.

Never opens, commits or closes. Both are covered by forgetting: a score is of what a slot holds now, and is replaced
when that changes; what a turn touched goes with its turn.
"""

from collections.abc import Iterable, Mapping

from keepmum_shared.ids import TurnId
from keepmum_shared.view import AttributeId, SlotId, ViewId

from keepmum_edge.database import Database
from keepmum_edge.views.policy import Selection


class ScoreStore:
    """What was made of memory and messages beforehand."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def scores(self, selections: Iterable[Selection]) -> dict[ViewId, tuple[int, int]]:
        """Return (c, s) of the views of the selections' slots."""
        query = "SELECT view, c, s FROM view_score WHERE slot = ?"
        slots = dict.fromkeys(selection.slot for selection in selections)
        return {ViewId(view): (c, s) for slot in slots for view, c, s in self._db.rows(query, slot)}

    def set_scores(self, slot: SlotId, scores: Mapping[ViewId, tuple[int, int]]) -> None:
        """Replace the score table of a slot by the one made of what it holds now; it is stale no more."""
        self._db.execute("DELETE FROM view_stale WHERE slot = ?", slot)
        self._db.execute("DELETE FROM view_score WHERE slot = ?", slot)
        self._db.execute_each(
            "INSERT INTO view_score VALUES (?, ?, ?, ?)", [(slot, view, c, s) for view, (c, s) in scores.items()]
        )

    def stale(self) -> tuple[SlotId, ...]:
        """Return the slots that have changed since their score tables were made."""
        return tuple(SlotId(row[0]) for row in self._db.rows("SELECT slot FROM view_stale ORDER BY slot"))

    def mark_stale(self, slots: Iterable[SlotId]) -> None:
        """Have the score tables of these slots made anew."""
        self._db.execute_each("INSERT INTO view_stale VALUES (?) ON CONFLICT DO NOTHING", [(each,) for each in slots])

    def tables(self) -> dict[SlotId, dict[ViewId, tuple[int, int]]]:
        """Return every score table."""
        found: dict[SlotId, dict[ViewId, tuple[int, int]]] = {}
        for slot, view, c, s in self._db.rows("SELECT slot, view, c, s FROM view_score ORDER BY slot, view"):
            found.setdefault(SlotId(slot), {})[ViewId(view)] = (c, s)
        return found

    def note_touch(self, turn: TurnId, attributes: Iterable[AttributeId]) -> None:
        """Note after an answer which attributes the message itself touched."""
        self._db.execute_each(
            "INSERT INTO view_touch VALUES (?, ?) ON CONFLICT DO NOTHING", [(turn, each) for each in attributes]
        )

    def forget_touch(self, turn: TurnId) -> bool:
        """Forget what a turn touched; return whether it touched anything."""
        return self._db.execute("DELETE FROM view_touch WHERE turn = ?", turn) > 0

    def forget_touches(self) -> int:
        """Forget what every turn touched; return how many notes there were."""
        return self._db.execute("DELETE FROM view_touch")

    def touches(self) -> dict[AttributeId, int]:
        """Return how many messages touched each attribute."""
        rows = self._db.rows("SELECT attribute, count(*) FROM view_touch GROUP BY attribute")
        return {AttributeId(attribute): int(count) for attribute, count in rows}
