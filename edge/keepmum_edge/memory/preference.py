"""How sure it is that the owner prefers something, by what sessions showed of it (pure).

tracker     a Beta belief about how often a session shows the choice. Before each session both counts shrink by the
            forgetting factor γ, then the session counts fully: a window of about 1 / (1 - γ) sessions
change      when too many of the last sessions disagree with what the belief says, it begins again from the prior and
            those sessions; so an old habit does not outlive its end by a whole window
confidence  how likely it is that the choice is made more often than a given share, by the tail of the Beta
            distribution; between whole counts, where that tail is rational, it is interpolated

Counts are whole millionths of a session and confidence is a rational, so a decision is the same on every machine.

Source: `personalisation`, preferences that change. γ and the detector are fitted: `tests/bench/bench_preference.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

from keepmum_edge.memory.record import MOST

SESSION: Final = 10**6
"""One whole session, in millionths."""
LEAST_SESSIONS: Final = 4
"""So many sessions, as a rule, must have shown a choice before anything is concluded from it."""
INFER_FROM: Final = 90
"""Confidence, in hundredths, from which a preference is inferred."""
DROP_BELOW: Final = 50
"""Confidence below which one that was inferred holds no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """How fast a belief follows.

    Attributes:
        gamma: Forgetting factor, in (0, 1].
        recent, disagreeing: It begins again when so many of so many last sessions disagree with it; 0: never.
    """

    gamma: Fraction
    recent: int = 0
    disagreeing: int = 0


FITTED: Final = Tuning(gamma=Fraction(19, 20), recent=5, disagreeing=4)
"""For a choice between alternatives."""
UNHURRIED: Final = Tuning(gamma=Fraction(19, 20))
"""For what comes up now and then: that it does not for some sessions is no change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """What is believed after some sessions.

    Attributes:
        chosen, other: Counts in millionths of a session, the prior's one and one among them.
        sessions: How many sessions showed the choice since the belief last began.
    """

    chosen: int = SESSION
    other: int = SESSION
    sessions: int = 0

    def is_above(self, share: Fraction) -> bool:
        """Say whether the choice is expected in more than this share of sessions."""
        return self.chosen * share.denominator > share.numerator * (self.chosen + self.other)

    def confidence(self, share: Fraction) -> int:
        """Return how likely the choice is made in more than this share of sessions, in hundredths, 0..99."""
        (chosen, more), (other, rest) = divmod(self.chosen, SESSION), divmod(self.other, SESSION)
        corners = (
            (SESSION - more) * (SESSION - rest) * _tail(chosen, other, share),
            (SESSION - more) * rest * _tail(chosen, other + 1, share),
            more * (SESSION - rest) * _tail(chosen + 1, other, share),
            more * rest * _tail(chosen + 1, other + 1, share),
        )
        return min(MOST - 1, int(sum(corners) * MOST / SESSION**2))

    def holds(self, share: Fraction, *, held: bool, least: int = LEAST_SESSIONS) -> bool:
        """Say whether the preference may be inferred or, if it is `held` already, still holds.

        Args:
            share: As `believe` takes it.
            held: Whether it was inferred before.
            least: So many sessions must have shown it first.
        """
        if held:
            return self.confidence(share) >= DROP_BELOW
        return self.sessions >= least and self.confidence(share) >= INFER_FROM


def believe(sessions: Sequence[bool], share: Fraction, tuning: Tuning = FITTED) -> Belief:
    """Return the belief after these sessions, oldest first; each says whether it showed the choice.

    Args:
        sessions: Those that showed the choice or an alternative to it.
        share: What the belief is read against, in (0, 1).
        tuning: How fast it follows.
    """
    belief = Belief()
    for number in range(1, len(sessions) + 1):
        belief = followed(belief, sessions[max(0, number - max(1, tuning.recent)) : number], share, tuning)
    return belief


def followed(belief: Belief, sessions: Sequence[bool], share: Fraction, tuning: Tuning) -> Belief:
    """Return the belief after one more session, the last of these; at least the `recent` last ones must be given."""
    after = _discounted(belief, tuning.gamma, shown=sessions[-1])
    last = sessions[-tuning.recent :] if tuning.recent else ()
    if not last or last.count(not after.is_above(share)) < tuning.disagreeing:
        return after
    anew = Belief()
    for each in last:
        anew = _discounted(anew, tuning.gamma, shown=each)
    return anew


def _discounted(belief: Belief, gamma: Fraction, *, shown: bool) -> Belief:
    """Discount first, so that the newest session counts fully."""
    chosen = belief.chosen * gamma.numerator // gamma.denominator
    other = belief.other * gamma.numerator // gamma.denominator
    if shown:
        return Belief(chosen=chosen + SESSION, other=other, sessions=belief.sessions + 1)
    return Belief(chosen=chosen, other=other + SESSION, sessions=belief.sessions)


@cache
def _tail(chosen: int, other: int, share: Fraction) -> Fraction:
    """Return P(p > share) for p of Beta(chosen, other), which for whole numbers is a tail of a binomial."""
    if chosen == 0:
        return Fraction(0)
    trials = chosen + other - 1
    tail = sum(comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(chosen))
    return Fraction(tail)
