"""A profile's views at work in tests: a real database, the shipped code, and a seal in memory or in a file."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keepmum_edge.database import Database
from keepmum_edge.views.periods import DAY
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selection, Selections
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.released import Released
from keepmum_edge.views.rollback import Kept, Seal, Verdict
from keepmum_edge.views.router import Routed
from keepmum_edge.views.sampling import ByteSource
from keepmum_shared.ids import TurnId, new_turn_id
from keepmum_shared.view import FacetId, Policy, SlotId, TopicId, ViewId
from policies import policy, written
from profiles import KEY, new_database, settings

NOW = 1_800_000_000


@dataclass
class MemoryKeeper:
    """A keyring entry."""

    kept: Kept | None = None
    broken: bool = False

    def read(self) -> Kept | None:
        return self.kept

    def keep(self, kept: Kept) -> None:
        if self.broken:
            raise OSError("the keyring does not answer")
        self.kept = kept


def routed(*facets: str, topic: str = "talk") -> Routed:
    """A message that releases these facets."""
    return Routed(topics=(TopicId(topic),), facets={FacetId(each): TopicId(topic) for each in facets})


def selections_of(
    made: Policy | Selections,
    *facets: str,
    turn: str = "t",
    period: int = 0,
    release: ReleasePolicy = ReleasePolicy.STICKY,
    mechanism: MechanismName = MechanismName.KRR,
    relevance: Callable[[ViewId], int] = lambda _: 5,
) -> tuple[Selection, ...]:
    """What a message asks for."""
    maker = made if isinstance(made, Selections) else Selections(made, release, mechanism)
    return maker.of_turn(TurnId(turn), period, routed(*facets), relevance)


def zeros(count: int) -> bytes:
    """A source whose every draw falls on the first candidate."""
    return bytes(count)


@dataclass
class Desk:
    """One profile. `file` is its policy; reopening the database keeps the keeper."""

    home: Path
    file: dict[str, Any]
    source: ByteSource | None = None
    release: ReleasePolicy = ReleasePolicy.STICKY
    mechanism: MechanismName = MechanismName.KRR
    keeper: MemoryKeeper = field(default_factory=MemoryKeeper)
    reached: Callable[[str], None] = lambda _: None
    cloud: Seal | None = None
    now: int = NOW
    releaser_class: type[Releaser] = Releaser

    def __post_init__(self) -> None:
        self.db = new_database(self.home)
        self._turns = itertools.count()
        self.start()

    def start(self) -> Verdict:
        """Start the part anew over the open database."""
        options: dict[str, Any] = {} if self.source is None else {"source": self.source}
        self.releaser = self.releaser_class(self.db, self.keeper, reached=self.reached, **options)
        return self.releaser.start(
            self.now, written(self.file), cloud=self.cloud, release=self.release, mechanism=self.mechanism
        )

    def reopen(self) -> Verdict:
        """Stop and start the process."""
        self.db.close()
        self.db = Database.open(settings(self.home).paths.database, KEY)
        return self.start()

    @property
    def policy(self) -> Policy:
        return policy(self.file)

    def remember(self, slot: str, scores: Mapping[str, tuple[int, int]]) -> None:
        """Write the score table of a slot."""
        with self.db.transaction():
            self.releaser.scores.set_scores(SlotId(slot), {ViewId(view): each for view, each in scores.items()})

    def asks(self, facets: Iterable[str], turn: TurnId | None = None) -> tuple[Selection, ...]:
        """The selections of a turn now, under the policy in force."""
        self.releaser.tick(self.now)
        calendar = self.releaser.store.calendar()
        assert calendar is not None
        adopted = self.releaser.in_force(calendar.period)
        maker = Selections(adopted.policy, adopted.release, adopted.mechanism)
        return selections_of(maker, *facets, turn=turn or new_turn_id(), period=calendar.period)

    def turn(self, *facets: str, turn: TurnId | None = None) -> tuple[Released, ...]:
        """Hold a turn now."""
        return self.releaser.release(self.asks(facets, turn), self.now)

    def later(self, days: int) -> None:
        """Let days pass."""
        self.now += days * DAY
