"""Privacy budgets as integers, and the rational bounds on e^x that a mechanism is certified by.

Units: epsilon is counted in nano-epsilon, 10^-9 nats, as `int`. No float is formed here or accepted.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from keepmum_shared.errors import KeepmumError

NANO: Final = 1_000_000_000
MAX_EPSILON: Final = 100 * NANO
"""Above this a number is a slip of the pen; e^100 protects nothing."""
DENOMINATOR: Final = 1 << 24
"""Of derived odds: rounding down loses at most 6e-8 of the ratio."""
_DECIMAL: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,9}))?", re.ASCII)


class PolicyError(KeepmumError):
    """A policy file or a budget breaks a rule. The policy is public, so the words may name what is in it."""

    code = "policy_invalid"
    http_status = 422


@dataclass(frozen=True, slots=True)
class Odds:
    """The chosen candidate has weight p, every other weight q, with p > q >= 1; the privacy loss is ln(p/q)."""

    p: int
    q: int

    def __post_init__(self) -> None:
        if not (self.p > self.q >= 1):
            raise ValueError("odds need p > q >= 1")

    @property
    def ratio(self) -> Fraction:
        """p/q, exactly."""
        return Fraction(self.p, self.q)


def check_epsilon(value: int, what: str) -> int:
    """Return the value if it is a usable epsilon or cap in nano-epsilon.

    Raises:
        PolicyError: not an integer, zero, negative or above MAX_EPSILON.
    """
    if type(value) is not int:
        raise PolicyError(f"{what}: must be a whole number of nano-epsilon")
    if value <= 0:
        raise PolicyError(f"{what}: must be above zero")
    if value > MAX_EPSILON:
        raise PolicyError(f"{what}: has too many digits; at most {MAX_EPSILON // NANO} epsilon")
    return value


def parse_epsilon(text: str) -> int:
    """Read a decimal such as `2` or `0.5` into nano-epsilon, exactly.

    Raises:
        PolicyError: not a plain decimal, more than nine decimals, zero, or above MAX_EPSILON.
    """
    found = _DECIMAL.fullmatch(text)
    if found is None:
        raise PolicyError("epsilon: write a plain number such as 2 or 0.5, with at most nine decimals")
    return check_epsilon(int(found[1]) * NANO + int((found[2] or "").ljust(9, "0")), "epsilon")


def format_epsilon(nano: int) -> str:
    """Write nano-epsilon as the shortest decimal; `parse_epsilon` reads it back."""
    whole, rest = divmod(nano, NANO)
    return f"{whole}.{rest:09d}".rstrip("0").rstrip(".")


@lru_cache(maxsize=256)
def exp_lower(x: Fraction) -> Fraction:
    """Return a rational at most e^x and within a part in 10^18 of it, for 0 <= x <= 100.

    A Taylor sum of positive terms, cut off, is below its limit.
    """
    return _taylor(x)[0]


@lru_cache(maxsize=256)
def exp_upper(x: Fraction) -> Fraction:
    """Return a rational at least e^x and within a part in 10^18 of it, for 0 <= x <= 100.

    The terms left out fall at least as fast as a geometric series that halves.
    """
    total, term = _taylor(x)
    return total + 2 * term


def _taylor(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return the sum of the terms x^i/i! before the one that is also returned; that one is small, x <= half its i."""
    if not 0 <= x <= MAX_EPSILON // NANO:
        raise ValueError("x is 0..100")
    total, term, index = Fraction(0), Fraction(1), 0
    while index <= 2 * x or term * 10**18 > total:
        total += term
        index += 1
        term *= x / index
    return total, term


def odds_within(epsilon: int) -> Odds:
    """Return the best odds over DENOMINATOR with p/q <= e^epsilon.

    Raises:
        PolicyError: epsilon is not usable, or so small that the odds would be even.
    """
    check_epsilon(epsilon, "epsilon")
    p = int(exp_lower(Fraction(epsilon, NANO)) * DENOMINATOR)
    if p <= DENOMINATOR:
        raise PolicyError("epsilon: too small to say anything")
    return Odds(p, DENOMINATOR)


def is_certified(odds: Odds, epsilon: int, power: int = 1) -> bool:
    """Say whether (p/q)^power <= e^epsilon is proved by a rational below e^epsilon."""
    return odds.ratio**power <= exp_lower(Fraction(epsilon, NANO))
