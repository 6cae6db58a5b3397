"""Score tables are a function of what slots hold: made in the transaction that changes a slot, from that slot alone.

Every part that writes records opens its transactions here (`transaction`). Which slots changed is told by triggers of
the database, so a write that goes another way leaves a mark, and the next transaction, or the next start, makes good.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from keepmum_shared.view import Policy, SlotId

from keepmum_edge.daemon.store import SettingStore
from keepmum_edge.database import Database
from keepmum_edge.memory.classify import judged_under
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.views.score_store import ScoreStore
from keepmum_edge.views.scorer import Scorer, Scores, score_slot

_SCORED_BY: Final = "views_scored_by"


class SlotScores:
    """The score tables of one profile; on the writer's thread.

    Args:
        policy: Whose facets are scored, until `use` says another.
    """

    def __init__(
        self,
        *,
        database: Database,
        records: MemoryStore,
        scores: ScoreStore,
        settings: SettingStore,
        scorer: Scorer,
        policy: Policy,
    ) -> None:
        self._database = database
        self._records = records
        self._scores = scores
        self._settings = settings
        self._scorer = scorer
        self._policy = policy
        self._scored_by: str | None = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one transaction, which ends with the scores of the slots that it changed."""
        with self._database.transaction():
            yield
            for slot in self._scores.stale():
                self._scores.set_scores(slot, self._made(slot))

    def use(self, policy: Policy) -> None:
        """Score by this policy from now on; tables that another policy or scorer made are made anew.

        Raises:
            DatabaseUnavailableError: they could not be; no draw may read them.
        """
        scored_by = f"{self._scorer.scorer_id}:{policy.digest}"
        if scored_by == self._scored_by:
            return
        self._policy = policy
        with self.transaction():
            if self._settings.get(_SCORED_BY) != scored_by:
                self._scores.mark_stale({*policy.layout.slots, *self._scores.tables()})
                self._settings.put(_SCORED_BY, scored_by)
        self._scored_by = scored_by

    def unexplained(self) -> int:
        """Return how many score tables are not what their slot's records give: nothing forgotten may live on in one."""
        tables = self._scores.tables()
        slots = {*self._policy.layout.slots, *tables}
        return sum(_telling(tables.get(slot, {})) != _telling(self._made(slot)) for slot in slots)

    def _made(self, slot: SlotId) -> Scores:
        return score_slot(self._policy, slot, self._texts(slot), self._scorer)

    def _texts(self, slot: SlotId) -> tuple[str, ...]:
        return self._records.texts_in_positions(slot, judged_under(self._policy.digest))


def _telling(scores: Scores) -> Scores:
    """Return the scores that are not as of an empty slot; a view without a row has those, too."""
    return {view: score for view, score in scores.items() if score != (0, 0)}
