"""Ways to break the guarantee outside its core, built into a running edge daemon; each has its name from the issue.

A mutant works while its switch says so, so that one pair of processes can be tried with several.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from keepmum_edge.daemon import app
from keepmum_edge.daemon.departures import Departures
from keepmum_edge.daemon.views import composing
from keepmum_edge.daemon.views.turn_views import TurnRelease, TurnViews
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.views.policy import Selection
from keepmum_edge.views.release import Releaser, _released
from keepmum_edge.views.released import Released
from keepmum_edge.views.sampling import draw
from keepmum_edge.views.scorer import CueScorer, score_slot
from keepmum_edge.views.selector import decide, distribution
from keepmum_shared.view import SlotId

Switch = Callable[[], bool]
Mutate = Callable[[TurnViews, TurnRelease], TurnRelease]


def held(views: TurnViews, slot: SlotId) -> tuple[MemoryRecord, ...]:
    """What a slot holds."""
    return views._slot_scores._records.positions(slot)


def _after_release(is_on: Switch, mutate: Mutate) -> None:
    right = TurnViews.release

    def release(self: TurnViews, *arguments: Any) -> TurnRelease:
        released = right(self, *arguments)
        return mutate(self, released) if is_on() else released

    TurnViews.release = release  # type: ignore[method-assign]


def order_leak(is_on: Switch) -> None:
    """The views of fuller slots come later."""

    def mutate(views: TurnViews, released: TurnRelease) -> TurnRelease:
        ordered = sorted(released.views, key=lambda view: len(held(views, view.slot)))
        return replace(released, views=tuple(ordered))

    _after_release(is_on, mutate)


def length_leak(is_on: Switch) -> None:
    """The view of an empty slot says nothing, so it is left out."""

    def mutate(views: TurnViews, released: TurnRelease) -> TurnRelease:
        return replace(released, views=tuple(view for view in released.views if held(views, view.slot)))

    _after_release(is_on, mutate)


def log_leak(is_on: Switch) -> None:
    """A line of the log says how many records spoke for a turn's views."""

    def mutate(views: TurnViews, released: TurnRelease) -> TurnRelease:
        records = sum(len(held(views, view.slot)) for view in released.views)
        app.LOGGER.info("views of %d records", records)
        return released

    _after_release(is_on, mutate)


def local_closes_cloud(is_on: Switch) -> None:
    """What is told in a slot is compared with what the cloud holds, too, and closes it."""
    right = MemoryStore.beside

    def beside(self: MemoryStore, record: MemoryRecord, *, whole: bool) -> tuple[MemoryRecord, ...]:
        found = right(self, record, whole=whole)
        if not is_on() or record.slot is None:
            return found
        elsewhere = replace(record, slot=None, has_position=False, attributes=frozenset(), cloud=CloudState.QUEUED)
        return (*found, *right(self, elsewhere, whole=whole))

    MemoryStore.beside = beside  # type: ignore[method-assign]


def write_timing_leak(is_on: Switch) -> None:
    """Memory work neither waits for a request that is before its departure nor lets one in before it is done."""
    quiet, hold, holding, run_each = Departures.quiet, Departures.hold, Departures.holding, Writer.run_each

    async def never_quiet(self: Departures) -> None:
        if not is_on():
            await quiet(self)

    def never_hold(self: Departures) -> None:
        if not is_on():
            hold(self)

    def hurried(self: Departures) -> Callable[[], None]:
        return (lambda: None) if is_on() else holding(self)

    async def at_once(
        self: Writer,
        items: Iterable[Any],
        each: Callable[[Any], object],
        within: Callable[[], AbstractContextManager[object]],
    ) -> None:
        if not is_on():
            await run_each(self, items, each, within)
            return

        def all_of_it() -> None:
            with within():
                for item in items:
                    each(item)

        await self.run(all_of_it)

    Departures.quiet = never_quiet  # type: ignore[method-assign]
    Departures.hold = never_hold  # type: ignore[method-assign]
    Departures.holding = hurried  # type: ignore[method-assign]
    Writer.run_each = at_once  # type: ignore[method-assign]


def unpadded_scorer(is_on: Switch) -> None:
    """The naive edge: scores are made when a turn asks, from all that a slot holds, and it leaves when it is ready."""
    wait = Departures.wait

    async def leave_now(self: Departures, arrived_ns: int) -> None:
        if not is_on():
            await wait(self, arrived_ns)

    def mutate(views: TurnViews, released: TurnRelease) -> TurnRelease:
        policy, scorer = views.policy(), CueScorer()
        for view in released.views:
            score_slot(policy, view.slot, [record.text for record in held(views, view.slot)], scorer)
        return released

    Departures.wait = leave_now  # type: ignore[method-assign]
    _after_release(is_on, mutate)


def charge_after_release(is_on: Switch) -> None:
    """A view leaves, and is stored and charged when the next one is asked for."""

    class LateReleaser(Releaser):
        later: tuple[Sequence[Selection], int] | None = None

        def release(self, selections: Sequence[Selection], now: int) -> tuple[Released, ...]:
            if not is_on():
                return super().release(selections, now)
            if self.later is not None:
                super().release(*self.later)
            self.later = (selections, now)
            policy, scores = self.in_force(selections[0].period).policy, self.scores.scores(selections)
            views = []
            for selection in selections:
                decision = decide(selection, self.store, policy.layout)
                view = decision.view or selection.candidates[0]
                if decision.view is None:
                    weights = distribution(selection, decision, scores, policy.tau).weights
                    view = selection.candidates[draw(weights, self._source)]
                views.append(_released(selection, decision, view))
            return tuple(views)

    composing.Releaser = LateReleaser  # type: ignore[misc]


MUTANTS: dict[str, Callable[[Switch], None]] = {
    "OrderLeak": order_leak,
    "LengthLeak": length_leak,
    "LogLeak": log_leak,
    "LocalClosesCloud": local_closes_cloud,
    "WriteTimingLeak": write_timing_leak,
    "ChargeAfterRelease": charge_after_release,
    "unpadded scorer": unpadded_scorer,
}
