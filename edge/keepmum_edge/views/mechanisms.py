"""The two mechanisms, as distributions over candidates. The sampler and the audit both consume `distribution`.

| | loss | weights |
|---|---|---|
| k-ary randomised response on the best | ln(p/q) <= epsilon | p for the best candidate, q for the others |
| exponential (paper, equation 7) | <= epsilon | b^u with b <= e^(epsilon / 2 sensitivity), over a common denominator |

Weights are integers, so a probability is a rational; nothing is rounded after the odds were. A candidate's weight is
never zero: what one store can release, every store can (C1).

Sources: Kairouz, Oh, Viswanath, "Extremal mechanisms for local differential privacy", JMLR 2016 (randomised response);
McSherry and Talwar, FOCS 2007; Ilvento, CCS 2020 (a rational base makes the exponential mechanism exact).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from keepmum_shared.view.budget import DENOMINATOR, NANO, Odds, exp_lower, is_certified


@dataclass(frozen=True, slots=True)
class Distribution:
    """A probability for each candidate: weight over the sum of weights."""

    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.weights or min(self.weights) < 0 or sum(self.weights) == 0:
            raise ValueError("a distribution needs weights that are not negative and not all zero")

    def probabilities(self) -> tuple[Fraction, ...]:
        """Return them, exactly."""
        total = sum(self.weights)
        return tuple(Fraction(weight, total) for weight in self.weights)


class Mechanism(Protocol):
    """A private choice among k candidates."""

    @property
    def epsilon(self) -> int:
        """Nano-epsilon of one draw."""
        ...

    def distribution(self, utilities: Sequence[int]) -> Distribution:
        """Return the probability of each candidate; utilities in candidate order, higher is better."""
        ...


@dataclass(frozen=True, slots=True)
class RandomisedResponse:
    """The best candidate with weight p, any other with weight q; of equals the first is best.

    Privacy: epsilon-DP whatever the utilities: any two stores give each candidate p or q over one and the same sum.
    Timing: the sum of weights is public, so is the work of a draw.
    """

    epsilon: int
    odds: Odds

    def __post_init__(self) -> None:
        if not is_certified(self.odds, self.epsilon):
            raise ValueError("the odds spend more than epsilon")

    def distribution(self, utilities: Sequence[int]) -> Distribution:
        """Return p for the first of the best, q for the rest.

        Raises:
            ValueError: there is no candidate.
        """
        best = list(utilities).index(max(utilities))
        return Distribution(tuple(self.odds.p if i == best else self.odds.q for i in range(len(utilities))))


PAPER_SENSITIVITY: Final = 60
"""Delta u in hundredths: 0.4 of c and 0.2 of s can change between adjacent stores; r is public."""


@dataclass(frozen=True, slots=True)
class Exponential:
    """Candidate i with probability proportional to (p/q)^u[i].

    Attributes:
        base: With (p/q)^(2 sensitivity) <= e^epsilon.
        sensitivity: Bound on the change of any one utility between adjacent stores.
        low, high: Public range of utilities.

    Privacy: epsilon-DP: a numerator changes by at most base^sensitivity, and so does the sum.
    Timing: the sum of weights depends on the utilities; its draw is hidden behind the release time.
    """

    epsilon: int
    base: Odds
    sensitivity: int
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.sensitivity < 1 or self.low > self.high:
            raise ValueError("sensitivity must be at least 1, and the range not empty")
        if not is_certified(self.base, self.epsilon, 2 * self.sensitivity):
            raise ValueError("the base spends more than epsilon")

    @classmethod
    def within(cls, epsilon: int, *, sensitivity: int, low: int, high: int) -> "Exponential":
        """Make one whose base is the best over DENOMINATOR.

        Raises:
            ValueError: epsilon or sensitivity is not above zero, or the range is empty.
        """
        if type(epsilon) is not int or type(sensitivity) is not int or epsilon < 1 or sensitivity < 1:
            raise ValueError("epsilon and sensitivity must be whole numbers above zero")
        p = int(exp_lower(Fraction(epsilon, NANO * 2 * sensitivity)) * DENOMINATOR)
        return cls(epsilon, Odds(p, DENOMINATOR), sensitivity, low, high)

    def distribution(self, utilities: Sequence[int]) -> Distribution:
        """Return weights p^(u - low) q^(high - u).

        Raises:
            ValueError: there is no candidate, or a utility is no integer within the range.
        """
        if not all(type(u) is int and self.low <= u <= self.high for u in utilities):
            raise ValueError("utilities must be whole numbers within the range")
        return Distribution(tuple(self.base.p ** (u - self.low) * self.base.q ** (self.high - u) for u in utilities))
