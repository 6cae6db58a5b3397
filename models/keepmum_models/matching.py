"""What calibration and evaluation count with: common parts of stretches, and F-beta (pure)."""


def overlap(start: int, end: int, other_start: int, other_end: int) -> int:
    """Return how many characters two half-open stretches share."""
    return max(0, min(end, other_end) - max(start, other_start))


def f_beta(right: int, found: int, private: int, beta: float) -> float:
    """Return F-beta of counts; 0 where nothing was to be found or found."""
    divisor = beta * beta * private + found
    return (1 + beta * beta) * right / divisor if divisor else 0.0
