"""Fit the forgetting factor and the change detector of inferred preferences on generated users whose habits drift.

The rule is the shipped one, from counts to the record's being there or not. Prints one JSON line and a table: for each
tuning the share of sessions in which the preference was known rightly, in which the other one was taken for it, and
what that is worth (a wrong one costs double). Data: `drifting_choices.py`, seeded, written for this purpose.

    bench_preference.py [users of each habit, default 40]
"""

import sys

from drifting_choices import GRID, HABITS, outcome, users
from keepmum_edge.memory.preference import FITTED
from report import machine, show

SESSIONS = 120


def main(count: int = 40) -> None:
    """Measure the whole grid."""
    people = users(count, sessions=SESSIONS, seed=1)
    found = {tuning: outcome(tuning, people) for tuning in GRID}
    best = max(found, key=lambda tuning: found[tuning].worth)
    rows: list[tuple[object, ...]] = [("detector", "gamma", "right", "wrong", "worth", "")]
    for tuning, result in found.items():
        detector = f"{tuning.disagreeing} of {tuning.recent}" if tuning.recent else "none"
        mark = "shipped" if tuning == FITTED else "best" if tuning == best else ""
        rows.append((detector, tuning.gamma, *(f"{v:.3f}" for v in (result.right, result.wrong, result.worth)), mark))
    shipped = found[FITTED]
    figures = {
        "bench": "preference",
        "machine": machine(),
        "users": len(people),
        "habits": len(HABITS),
        "sessions": SESSIONS,
        "shipped": {"right": shipped.right, "wrong": shipped.wrong, "worth": shipped.worth},
        "best": {"gamma": str(best.gamma), "detector": [best.disagreeing, best.recent], "worth": found[best].worth},
    }
    show(figures, rows)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
