"""Generated users who choose between two things, session by session, and change their minds now and then.

A user prefers one of them with a constant strength, until at a random session the preference turns: at once, or bit by
bit over some sessions. What a tracker says is compared with what the user really prefers at that session.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from keepmum_edge.memory.behaviour import HALF
from keepmum_edge.memory.preference import Belief, Tuning, followed


@dataclass(frozen=True, kw_only=True)
class Habit:
    """How users of one kind choose: probability of the preferred, of a turn at a session, sessions that it takes."""

    strength: float
    turns: float
    takes: int


HABITS = tuple(
    Habit(strength=strength, turns=turns, takes=takes)
    for strength in (0.75, 0.9)
    for turns in (1 / 50, 1 / 150)
    for takes in (1, 30)
)
Session = tuple[bool, bool]
"""Whether the first thing is preferred, and whether it was chosen."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Shares of sessions in which the preference was known rightly, or taken for the other one."""

    right: float
    wrong: float

    @property
    def worth(self) -> float:
        """A wrong preference costs twice what a right one is worth; none costs and is worth nothing."""
        return self.right - 2 * self.wrong


def user(habit: Habit, sessions: int, rng: random.Random) -> Iterator[Session]:
    """Yield the sessions of one user."""
    low, high = 1 - habit.strength, habit.strength
    now = target = rng.choice((low, high))
    for _ in range(sessions):
        if rng.random() < habit.turns:
            target = low if target == high else high
        step = (high - low) / habit.takes
        now = min(target, now + step) if now < target else max(target, now - step)
        yield now > 0.5, rng.random() < now


def users(count: int, *, sessions: int, seed: int) -> list[list[Session]]:
    """Return so many users of every habit."""
    rng = random.Random(seed)
    return [list(user(habit, sessions, rng)) for habit in HABITS for _ in range(count)]


def outcome(tuning: Tuning, people: Sequence[Sequence[Session]]) -> Outcome:
    """Follow every user with the shipped rule and this tuning."""
    right = wrong = total = 0
    for sessions in people:
        first, second = _inferred(tuning, [c for _, c in sessions]), _inferred(tuning, [not c for _, c in sessions])
        for (prefers_first, _), is_first, is_second in zip(sessions, first, second, strict=True):
            right += is_first if prefers_first else is_second
            wrong += is_second if prefers_first else is_first
            total += 1
    return Outcome(right=right / total, wrong=wrong / total)


def _inferred(tuning: Tuning, chosen: Sequence[bool]) -> Iterator[bool]:
    """Yield after each session whether the preference is inferred."""
    belief, held = Belief(), False
    for number in range(1, len(chosen) + 1):
        belief = followed(belief, chosen[max(0, number - 10) : number], HALF, tuning)
        held = belief.holds(HALF, held=held)
        yield held


GRID: tuple[Tuning, ...] = tuple(
    Tuning(gamma=Fraction(gamma), recent=recent, disagreeing=disagreeing)
    for recent, disagreeing in ((0, 0), (4, 4), (5, 4), (5, 5), (8, 7))
    for gamma in ("1", "49/50", "19/20", "9/10", "17/20", "4/5")
)
NEVER_FORGETS = Tuning(gamma=Fraction(1))
