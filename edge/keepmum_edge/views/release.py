"""Releasing the views of a turn: decide, charge, draw and store in one transaction; only then may a view leave.

Order (`rollback` says why): the keyring takes the intent, the transaction commits, the keyring takes it as settled, the
views are returned. A turn that draws nothing, which under `sticky` is nearly every turn, touches no keyring.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from keepmum_shared.view import Layout, Policy, ViewId, load_policy
from keepmum_shared.view.layout import OTHER

from keepmum_edge.database import Database
from keepmum_edge.views import periods
from keepmum_edge.views.ledger import Cause, Charge, listing_charges
from keepmum_edge.views.periods import Tick
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selection
from keepmum_edge.views.released import Released
from keepmum_edge.views.rollback import ChargeIntent, Kept, Rollback, Seal, Verdict, at_start, intended
from keepmum_edge.views.sampling import ByteSource, draw
from keepmum_edge.views.score_store import ScoreStore
from keepmum_edge.views.seal_keeper import SealKeeper
from keepmum_edge.views.selector import Decision, decide, distribution, outcome
from keepmum_edge.views.store import Adopted, ViewStore


class Releaser:
    """Releases views out of one profile's database, which one process at a time may hold.

    Args:
        db: Its transactions are opened here, and nowhere below.
        keeper: The second copy of the seal.
        source: Of random bytes.
        reached: Told the name of each step that was just done; raising there stands for a crash.
    """

    def __init__(
        self,
        db: Database,
        keeper: SealKeeper,
        *,
        source: ByteSource = secrets.token_bytes,
        reached: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._db, self.store, self.scores, self._keeper = db, ViewStore(db), ScoreStore(db), keeper
        self._source, self._reached = source, reached
        self._settled = False

    def start(
        self,
        now: int,
        file: str,
        *,
        cloud: Seal | None = None,
        release: ReleasePolicy = ReleasePolicy.STICKY,
        mechanism: MechanismName = MechanismName.KRR,
        first_period_days: int | None = None,
    ) -> Verdict:
        """Begin at a first start; at any other take up the policy and compare the copies of the seal.

        Args:
            now: Unix seconds.
            file: The policy file to use; if it is another than before, from the next period on.
            cloud: The seal that the cloud holds, if known.
            release, mechanism: Likewise from the next period on.
            first_period_days: From a first start to the first date; None: as the policy says. Fixed then.

        Raises:
            PolicyError: the file breaks a rule; the one before stays.
            KeyUnavailableError, DatabaseUnavailableError: nothing may be released.
        """
        kept = self._keeper.read()
        verdict = at_start(self.store.seal(), kept, cloud)
        with self._db.transaction():
            if self.store.calendar() is None:
                self.store.adopt(periods.BEFORE_FIRST, file, release, mechanism, listed=True)
                days = (
                    self.store.adopted()[0].policy.first_period_days if first_period_days is None else first_period_days
                )
                self.store.begin(periods.first_calendar(now, days))
            else:
                self._adopt(file, release, mechanism)
            self._repair(verdict)
        if kept != Kept(settled=self.store.seal()):
            self._reached("repaired")
            self._settle()
        self._settled = True
        return verdict

    def tick(self, now: int, *, confirmed: bool = False) -> Tick:
        """Look at the clock: move the period on, and bring a policy into force whose period has come.

        Raises:
            KeyUnavailableError, DatabaseUnavailableError: nothing may be released.
        """
        calendar = self.store.calendar()
        assert calendar is not None, "start comes first"
        tick = periods.advance(calendar, now, self.in_force(calendar.period).policy.period_days, confirmed=confirmed)
        if tick.calendar.period == calendar.period and now < calendar.last_seen + periods.DAY:
            return tick  # no write for a look; `last_seen` is kept to the day
        with self._db.transaction():
            self.store.set_calendar(tick.calendar)
            charges = self._newly_listed(tick.calendar.period)
        if charges:
            self._settle()
        return tick

    def in_force(self, period: int) -> Adopted:
        """Return the policy of a period."""
        return [each for each in self.store.adopted() if each.from_period <= period][-1]

    def release(self, selections: Sequence[Selection], now: int) -> tuple[Released, ...]:
        """Return one view for each selection, durably stored and charged.

        Raises:
            KeyUnavailableError, DatabaseUnavailableError: no view may leave. What was drawn is stored or paid, so that
                a retry gives one view at one charge.
        """
        if not self._settled:
            self._take_up()
        period = selections[0].period if selections else periods.BEFORE_FIRST
        policy = self.in_force(period).policy
        if all(each.period == periods.BEFORE_FIRST or self.store.stored(each.key) for each in selections):
            decisions = [decide(selection, self.store, policy.layout) for selection in selections]
            return tuple(map(_released, selections, decisions, [decision.view for decision in decisions]))
        with self._db.transaction():
            views = self._each(selections, policy, now)
            self._reached("written")
        self._reached("committed")
        if not self._settled:
            self._settle()
            self._reached("settled")
        return views

    def _each(self, selections: Sequence[Selection], policy: Policy, now: int) -> tuple[Released, ...]:
        """Decide, draw, charge and store one after the other, so that each sees what the ones before it cost."""
        scores = self.scores.scores(selections)
        released: list[Released] = []
        charges: list[Charge] = []
        drew = False
        for selection in selections:
            decision = decide(selection, self.store, policy.layout)
            view = decision.view
            if view is None:
                weights = distribution(selection, decision, scores, policy.tau).weights
                view, drew = selection.candidates[draw(weights, self._source)], True
            self.store.charge(decision.charges, policy.layout)
            if decision.stores:
                self.store.keep(outcome(selection, decision, view), selection.slot, now)
            charges += decision.charges
            released.append(_released(selection, decision, view))
        if drew:
            self._intend(tuple(charges))
        return tuple(released)

    def _intend(self, charges: tuple[Charge, ...]) -> None:
        """Tell the keyring what is about to be committed."""
        self._reached("drawn")
        seal = self.store.seal()
        intent = intended(seal, charges)
        self._settled = False
        self._keeper.keep(Kept(settled=seal, intent=intent))
        self._reached("intended")
        self.store.set_seal(intent.seal)

    def _settle(self) -> None:
        """Tell the keyring that what was intended is committed."""
        self._keeper.keep(Kept(settled=self.store.seal()))
        self._settled = True

    def _take_up(self) -> None:
        """Go on after a transaction or a keyring that failed while this process lived."""
        if self.store.calendar() is None:
            raise RuntimeError("`start` comes first")
        with self._db.transaction():
            self._repair(at_start(self.store.seal(), self._keeper.read()))
        self._settle()

    def _repair(self, verdict: Verdict) -> None:
        if isinstance(verdict, ChargeIntent):
            charges = [_cut_off(each) for each in verdict.intent.charges]
            self.store.charge(charges, self._layout())
            self.store.set_seal(verdict.intent.seal)
        elif isinstance(verdict, Rollback):
            self._charge_missing(verdict)

    def _charge_missing(self, verdict: Rollback) -> None:
        """Charge every attribute what it may have been charged and the database forgot; draw nothing in this period."""
        calendar, layout = self.store.calendar(), self._layout()
        assert calendar is not None
        charges = []
        for attribute in layout.attributes.values():
            left = max(0, attribute.lifetime_cap - self.store.lifetime(attribute.id))
            amount = left if verdict.missing is None else verdict.missing
            if amount:
                key = f"rollback:{verdict.known.counter}"
                charges.append(
                    Charge(
                        attribute=attribute.id,
                        slot=OTHER,
                        key=key,
                        period=calendar.period,
                        epsilon=amount,
                        cause=Cause.ROLLBACK,
                    )
                )
        self.store.charge(charges, layout)
        self.store.freeze_before(calendar.period + 1)
        total = self.store.seal().total + sum(each.epsilon for each in charges)
        self.store.set_seal(Seal(verdict.known.counter, max(verdict.known.total, total)))

    def _adopt(self, file: str, release: ReleasePolicy, mechanism: MechanismName) -> None:
        """Take another policy from the next period on."""
        newest = self.store.adopted()[-1]
        if (load_policy(file).digest, release, mechanism) != (newest.policy.digest, newest.release, newest.mechanism):
            calendar = self.store.calendar()
            assert calendar is not None
            self.store.adopt(calendar.period + 1, file, release, mechanism)

    def _newly_listed(self, period: int) -> bool:
        """Charge what policies that came into force list anew; say whether anything was charged."""
        charges: list[Charge] = []
        for before, each in pairwise(self.store.adopted()):
            if not each.listed and each.from_period <= period:
                new = listing_charges(before.policy.layout, each.policy.layout, self.store.charges())
                self.store.charge(new, each.policy.layout)
                self.store.mark_listed(each.from_period)
                charges += new
        if charges:
            self._intend(tuple(charges))
        return bool(charges)

    def _layout(self) -> Layout:
        """Return the layout in force."""
        calendar = self.store.calendar()
        assert calendar is not None
        return self.in_force(calendar.period).policy.layout


def _cut_off(charge: Charge) -> Charge:
    return replace(charge, cause=Cause.INTENT) if charge.cause == Cause.DRAW else charge


def _released(selection: Selection, decision: Decision, view: ViewId | None) -> Released:
    assert view is not None, "a view is drawn in a transaction"
    topic = selection.topics.get(view, selection.topics[selection.generic])
    return Released(view=view, topic=topic, slot=selection.slot, ground=decision.ground)
