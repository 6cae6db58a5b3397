"""The views side of turns: which views one carries, and what is compared with the cloud before the first of them.

All but `meet` runs on the writer's thread. What a turn asks for is a function of its placeholder text, the policy and
released history alone (C4); a draw happens in `views.release`, in a transaction of its own, after the turn was noted
and before its request is made. If ledger, keyring or policy cannot be used, no turn leaves, with views or without.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from keepmum_shared.ids import TurnId
from keepmum_shared.messages import SignedSeal
from keepmum_shared.view import Policy, PolicyError, TopicId, shipped_policy

from keepmum_edge.daemon.chat import SELF, ChatRequest, Context
from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.views.slot_scores import SlotScores
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import PolicyMismatchError, UnavailableError, ViewsUnavailableError
from keepmum_edge.views.ledger import Ground
from keepmum_edge.views.periods import Calendar
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selection, Selections
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.released import ExplainedView, Released, explain
from keepmum_edge.views.rollback import Seal
from keepmum_edge.views.router import Router
from keepmum_edge.views.store import Adopted

_LOOKS_BACK: Final = 8
"""Earlier messages in which a turn whose own message names no topic finds what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSettings:
    """What the owner may choose.

    Attributes:
        file: The policy file; another than before is taken from the next period on.
        release, mechanism: Likewise.
        first_period_days: From the first start to the first date; None: as the policy says.
    """

    file: str
    release: ReleasePolicy = ReleasePolicy.STICKY
    mechanism: MechanismName = MechanismName.KRR
    first_period_days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRelease:
    """What a turn carries of views.

    Attributes:
        views: In the policy's order.
        first: Those of them that were drawn in this turn, explained.
        policy: Digest of the policy in force.
        seal: The ledger's state after it, signed.
    """

    views: tuple[Released, ...] = ()
    first: tuple[ExplainedView, ...] = ()
    policy: str
    seal: SignedSeal


class TurnViews:
    """Releases the views of turns.

    Args:
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        releaser: Releaser,
        slot_scores: SlotScores,
        writer: Writer,
        settings: ViewSettings,
        now: Callable[[], float],
    ) -> None:
        self._releaser = releaser
        self._slot_scores = slot_scores
        self._writer = writer
        self._settings = settings
        self._now = now
        self._met: CloudClient | None = None
        self._policies: frozenset[str] = frozenset()
        self._making: tuple[tuple[str, ...], Router, Selections] | None = None
        self._current: Adopted | None = None
        self.clock_notice: str | None = None
        """What is odd about the clock, in words; as of the last turn."""

    def start(self) -> None:
        """Begin. What cannot be used now is tried again by the next turn, which says so."""
        with suppress(UnavailableError):
            self.begin(None)

    def policy(self) -> Policy:
        """Return the policy in force as of the last look; the newest where none can be used."""
        return shipped_policy() if self._current is None else self._current.policy

    def begin(self, cloud: Seal | None) -> None:
        """Take up policy and ledger, and compare the copies of the seal; `cloud`: the cloud's, if it has one.

        Raises:
            UnavailableError: one of them cannot be used.
        """
        wanted = self._settings
        try:
            self._releaser.start(
                int(self._now()),
                wanted.file,
                cloud=cloud,
                release=wanted.release,
                mechanism=wanted.mechanism,
                first_period_days=wanted.first_period_days,
            )
        except PolicyError as error:
            raise _unusable(error) from None
        self.look()

    async def meet(self, cloud: CloudClient) -> None:
        """Before anything leaves: compare with the cloud's copy of the seal, once for each process and pairing.

        Raises:
            CloudError: the cloud half does not say.
            UnavailableError: as `begin`.
        """
        if self._met is cloud:
            return
        seal = await cloud.seal()
        policies = (await cloud.device()).policies
        await self._writer.run(lambda: self.begin(None if seal is None else Seal(seal.counter, seal.total)))
        self._policies, self._met = frozenset(policies), cloud

    def release(self, turn: TurnId, chat: ChatRequest, context: Context, cloud: CloudClient) -> TurnRelease:
        """Return what a turn carries; the same for the same turn.

        Args:
            turn: Noted already.
            chat: In placeholder text.
            context: Only a normal turn of the owner carries views.
            cloud: For which it is; signs the seal.

        Raises:
            UnavailableError: ledger, keyring or policy cannot be used.
            PolicyMismatchError: the cloud does not know the policy in force.
        """
        adopted, calendar = self.look()
        if adopted.policy.digest not in self._policies:
            self._met = None  # it may have been updated when the next turn asks
            raise PolicyMismatchError
        asked = self._asked(turn, chat, adopted, calendar.period) if _carries(context) else ()
        store = self._releaser.store
        known = {selection.key for selection in asked if store.stored(selection.key) is not None}
        views = self._releaser.release(asked, int(self._now()))
        first = tuple(
            explain(adopted.policy, view)
            for selection, view in zip(asked, views, strict=True)
            if view.ground == Ground.DRAWN and selection.key not in known
        )
        seal = store.seal()
        signed = cloud.sign_seal(counter=seal.counter, total=seal.total)
        return TurnRelease(views=views, first=first, policy=adopted.policy.digest, seal=signed)

    def note_sent(self, turn: TurnId, message: str) -> None:
        """Note which attributes a message of the owner's itself touches, inside the caller's transaction.

        Args:
            turn: That sent it.
            message: In placeholder text.
        """
        assert self._current is not None, "what was sent was released first"
        router, _ = self._makers(self._current)
        self._releaser.scores.note_touch(turn, router.touched(message))

    def explained(self, views: Sequence[Released]) -> tuple[ExplainedView, ...]:
        """Return released views as their owner is shown them."""
        if not views:
            return ()
        policy = self.policy()
        return tuple(explain(policy, view) for view in views)

    def believed_time(self) -> float:
        """Return the latest moment that was believed, in Unix seconds: a leap of the clock is not, until confirmed."""
        calendar = self._releaser.store.calendar()
        return self._now() if calendar is None else calendar.last_seen

    def look(self, *, confirmed: bool = False) -> tuple[Adopted, Calendar]:
        """Look at the clock, outside a transaction; return the policy in force and the calendar.

        Args:
            confirmed: The owner says that the clock is right.

        Raises:
            UnavailableError: ledger, keyring or policy cannot be used.
        """
        if self._releaser.store.calendar() is None:
            raise ViewsUnavailableError("the ledger of views has not been begun", "Run `keepmum doctor`.")
        try:
            tick = self._releaser.tick(int(self._now()), confirmed=confirmed)
            adopted = self._releaser.in_force(tick.calendar.period)
        except PolicyError as error:
            raise _unusable(error) from None
        self.clock_notice = tick.notice
        self._slot_scores.use(adopted.policy)
        self._current = adopted
        return adopted, tick.calendar

    def _makers(self, adopted: Adopted) -> tuple[Router, Selections]:
        name = (adopted.policy.digest, adopted.release, adopted.mechanism)
        if self._making is None or self._making[0] != name:
            selections = Selections(adopted.policy, adopted.release, adopted.mechanism)
            self._making = (name, Router(adopted.policy), selections)
        return self._making[1:]

    def _asked(self, turn: TurnId, chat: ChatRequest, adopted: Adopted, period: int) -> tuple[Selection, ...]:
        router, selections = self._makers(adopted)
        newest = chat.messages[-1]
        text = (newest.content or "") if newest.role == "user" else ""
        routed = router.route(text)
        if not routed.topics:
            routed = router.route("", _previous(router, chat))
        return selections.of_turn(turn, period, routed, lambda view: router.relevance(text, view))


def _carries(context: Context) -> bool:
    return context.audience == SELF and context.mode == "normal"


def _previous(router: Router, chat: ChatRequest) -> tuple[TopicId, ...]:
    """Return what the conversation was about before: the topics of the last earlier message that names any."""
    said = [message.content for message in chat.messages[:-1] if message.role == "user" and message.content]
    routed = (router.route(text).topics for text in said[: -1 - _LOOKS_BACK : -1])
    return next(filter(None, routed), ())


def _unusable(error: PolicyError) -> ViewsUnavailableError:
    return ViewsUnavailableError(f"the view policy in force cannot be used ({error})", "Update Keepmum.")
