"""What a deletion takes of views, and what stays of them and until when.

Score tables of the slots that lost a record are made anew in the same transaction (`slot_scores`); notes of what
messages touched go with their turns; whoever forgets everything silences every slot. A view that was released stays: it
was paid for, and to draw another because a record went would tell.
"""

import time
from collections.abc import Callable, Iterable

from keepmum_shared.view import Policy, SlotId

from keepmum_edge.daemon.forget.receipt import StoreResult
from keepmum_edge.daemon.forget.removal import Forgotten
from keepmum_edge.views.ledger import Ground
from keepmum_edge.views.periods import period_end
from keepmum_edge.views.score_store import ScoreStore
from keepmum_edge.views.store import ViewStore

SILENCED = (
    "every slot is silenced, so views are generic from now on, whatever was drawn; what that cost is not refunded, and "
    "`keepmum budget unsilence` takes it back"
)


class ViewsForgotten:
    """The views side of deletions; on the writer's thread.

    Args:
        policy: Returns the one in force.
        now: Unix seconds.
    """

    def __init__(
        self, store: ViewStore, scores: ScoreStore, *, policy: Callable[[], Policy], now: Callable[[], float]
    ) -> None:
        self._store = store
        self._scores = scores
        self._policy = policy
        self._now = now

    def forget(self, gone: Forgotten) -> Iterable[StoreResult]:
        """Take away what is kept of the forgotten, inside the transaction."""
        if gone.everything:
            for slot in self._policy().layout.slots:
                self._store.silence(slot, int(self._now()))
            touches = self._scores.forget_touches()
        else:
            touches = sum(map(self._scores.forget_touch, sorted(gone.turns)))
        return (
            StoreResult(store="score tables", removed=len(self._scores.stale())),
            StoreResult(store="touched attributes", removed=touches),
        )

    def stays(self, slots: frozenset[SlotId], *, everything: bool) -> tuple[str, ...]:
        """Return what stays of views that were drawn from these slots, in words for the receipt."""
        calendar, policy = self._store.calendar(), self._policy()
        if everything:
            return (SILENCED,)
        if calendar is None:
            return ()
        now, until = self._now(), dict[SlotId, int]()
        for stored, slot, _ in self._store.releases():
            if stored.ground in (Ground.DRAWN, Ground.REUSED) and slot in slots:
                until[slot] = period_end(calendar, stored.period, policy.period_days)
        ends: dict[str, list[SlotId]] = {}
        for slot, end in until.items():
            if end > now:
                ends.setdefault(time.strftime("%Y-%m-%d", time.localtime(end)), []).append(slot)
        return tuple(_words(policy, alike, day) for day, alike in ends.items())


def _words(policy: Policy, slots: list[SlotId], day: str) -> str:
    """Say of slots that what was drawn from them stays until the same day."""
    labels = [policy.layout.slots[slot].label if slot in policy.layout.slots else str(slot) for slot in slots]
    if len(slots) == 1:
        return (
            f"a view that was drawn from what was kept of {labels[0]} stays in use until {day} at least, and its "
            f"budget is not refunded; `keepmum budget silence {slots[0]}` ends it now"
        )
    return (
        f"views that were drawn from what was kept of {', '.join(labels)} stay in use until {day} at least, and their "
        f"budget is not refunded; `keepmum budget silence SLOT` ends one now ({', '.join(slots)})"
    )
