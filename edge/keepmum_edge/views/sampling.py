"""Exact draws from integers and a source of random bytes. No float, and no seed.

The source is `secrets.token_bytes` unless another is given to a constructor; no setting, flag or variable reaches it.
"""

from collections.abc import Callable, Sequence

ByteSource = Callable[[int], bytes]
"""Returns so many independent, uniformly random bytes."""


def uniform_below(bound: int, source: ByteSource) -> int:
    """Draw an integer of 0..bound-1, each exactly as likely.

    Raises:
        ValueError: bound is below 1.

    Timing: the number of tries depends on the bound and on chance only; fewer than two on average.
    """
    if bound < 1:
        raise ValueError("bound must be at least 1")
    bits = (bound - 1).bit_length()
    size = (bits + 7) // 8
    while True:
        drawn = int.from_bytes(source(size), "big") >> (8 * size - bits)
        if drawn < bound:
            return drawn


def draw(weights: Sequence[int], source: ByteSource) -> int:
    """Draw an index with probability weight over the sum of weights, exactly.

    Raises:
        ValueError: a weight is negative, or all are zero.

    Timing: every weight is looked at, whichever is drawn.
    """
    if min(weights, default=0) < 0:
        raise ValueError("weights must not be negative")
    drawn, chosen = uniform_below(sum(weights), source), 0
    for weight in weights[:-1]:
        drawn -= weight
        chosen += drawn >= 0
    return chosen
