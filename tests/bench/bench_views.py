"""How often a released view is right at one budget: the paper's modes against ours. Exact; nothing is sampled.

    PYTHONPATH=edge:cloud:shared python tests/bench/bench_views.py [--pairs 320] [--draws 400] [--plots FOLDER]

At B = 2 and 16 turns of which 8 are relevant to the target, over adjacent stores of `paired_stores`. Peers are the
paper's own modes, by the same code and in the same run. Also: a user who starts from an empty store whose memories
arrive over 30 days, by the day of the first draw; and the time of one selection that draws, with its durable commit and
without the keyring: `work` is processor time, `wall` has the waiting for the disk and for other programs too.

    right         P(the released view is the best supported one), a target-relevant turn, under M
    unsupported   P(a view is released that nothing supports), a target-relevant turn, under M'
    ceiling       the most that any draw at that epsilon can reach on four views, for our rows

`--plots` writes views-modes.svg and views-arrival.svg; it needs the extra `plots`.
"""

import argparse
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))
from keepmum_edge.views.policy import ReleasePolicy
from keepmum_shared.view import NANO
from paired_stores import Pair, ceiling, pairs
from policies import single
from report import machine, percentile, show, target
from view_desk import Desk
from view_figures import KRR, MODES, STICKY, Figures, Mode, arriving, figures

TOLERANCE: Final = 0.001
P50_MS: Final = 1.0
P99_MS: Final = 3.0
FIRST_DAYS: Final = (0, 7, 14, 30)
OURS: Final = Mode(name="ours", release=STICKY, mechanism=KRR)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=320)
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--plots", type=Path)
    asked = parser.parse_args()
    made = {facets: list(pairs(asked.pairs, facets)) for facets in (1, 2, 3)}
    table = {mode.name: figures(mode, made[mode.facets]) for mode in MODES}
    curves = arrival_curves(made[1])
    result: dict[str, Any] = {
        "bench": "views",
        "data": f"{asked.pairs} generated pairs, 28 positions, 4 attributes, a quarter overlapping, B=2, T=16",
        "machine": machine(),
        "modes": {name: _plain(each) for name, each in table.items()},
        "targets": targets(table),
        "arrival": {name: _averages(curve) for name, curve in curves.items()},
        "selection_ms": selection_times(asked.draws),
    }
    show(result, rows(table, curves) + selection_rows(result["selection_ms"]))
    if asked.plots is not None:
        plot(asked.plots, table, curves)


def targets(table: Mapping[str, Figures]) -> dict[str, Any]:
    """Return each target and whether it is met."""
    best_of_paper = max(table[mode.name].right for mode in MODES if mode.of_the_paper)
    ours = [(mode, table[mode.name].right) for mode in MODES if mode.name.startswith("ours")]
    return {
        "distance_from_ceiling": target(max(abs(right - highest(mode)) for mode, right in ours), TOLERANCE),
        "above_every_mode_of_the_paper": {"value": min(r for _, r in ours), "target": best_of_paper}
        | {"met": min(right for _, right in ours) > best_of_paper},
        "spent": target(max(each.spent for each in table.values()) / NANO, 2),
    }


def highest(mode: Mode) -> float:
    """Return the ceiling of a mode with so many facets for an attribute."""
    return float(ceiling(Fraction(2, mode.facets)))


def arrival_curves(made: Sequence[Pair]) -> dict[str, list[float]]:
    """Return by day how often the view is right, for ours by the first date and for the paper's modes."""
    curves = {f"ours, first draw after {days} days": arriving(OURS, made, days) for days in FIRST_DAYS}
    return curves | {mode.name: arriving(mode, made, 0) for mode in MODES if mode.of_the_paper}


def selection_times(draws: int) -> dict[str, Any]:
    """Time one selection that draws, from the call to the durable commit, in a real encrypted database."""
    file = single(90 * NANO) | {"selections": 1000}
    waited, worked = [], []
    with tempfile.TemporaryDirectory() as home:
        desk = Desk(Path(home), file, release=ReleasePolicy.ONLINE)
        for _ in range(min(draws, 900)):
            asked = desk.asks(["one"])
            wall, processor = time.perf_counter(), time.thread_time()
            released = desk.releaser.release(asked, desk.now)
            waited.append((time.perf_counter() - wall) * 1e3)
            worked.append((time.thread_time() - processor) * 1e3)
            assert released[0].ground == "drawn"
        desk.db.close()
    p50, p99 = round(statistics.median(worked), 3), percentile(worked, 99)
    wall_ms = {"p50": round(statistics.median(waited), 3), "p99": percentile(waited, 99)}
    return {"n": len(worked), "work_p50": target(p50, P50_MS), "work_p99": target(p99, P99_MS), "wall": wall_ms}


def rows(table: Mapping[str, Figures], curves: Mapping[str, Sequence[float]]) -> list[Sequence[object]]:
    """Return both tables as one."""
    found: list[Sequence[object]] = [("mode", "right", "unsupported", "turns drawn of 8", "ceiling")]
    for mode in MODES:
        each = table[mode.name]
        most = f"{highest(mode):.3f}" if mode.name.startswith("ours") else ""
        found.append((mode.name, f"{each.right:.3f}", f"{each.unsupported:.3f}", f"{each.draws:.2f}", most))
    found.append(("memories arrive over 30 days", "days 1-30", "days 31-60", "", ""))
    found += [(name, *(f"{part:.3f}" for part in _averages(curve)), "", "") for name, curve in curves.items()]
    return found


def selection_rows(times: Mapping[str, Any]) -> list[Sequence[object]]:
    """Return the times of a selection, each beside its target."""
    named = {"median": times["work_p50"], "p99": times["work_p99"]}
    return [
        ("one selection with its durable commit, ms of work", "", "target", "met", ""),
        *((f"{name} of {times['n']}", each["value"], each["target"], each["met"], "") for name, each in named.items()),
    ]


def plot(folder: Path, table: Mapping[str, Figures], curves: Mapping[str, Sequence[float]]) -> None:
    """Write both plots as SVG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    places = range(len(MODES))
    axes.barh([at + 0.2 for at in places], [table[mode.name].right for mode in MODES], 0.4, label="right, under M")
    axes.barh(
        [at - 0.2 for at in places], [table[m.name].unsupported for m in MODES], 0.4, label="unsupported, under M'"
    )
    axes.set_yticks(list(places), [mode.name for mode in MODES])
    axes.invert_yaxis()
    axes.set_xlabel("probability per target-relevant turn, B = 2, T = 16")
    axes.legend()
    figure.savefig(folder / "views-modes.svg")
    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    for name, curve in curves.items():
        axes.plot(range(1, len(curve) + 1), curve, label=name, linestyle="-" if name.startswith("ours") else ":")
    axes.set_xlabel("day; memories arrive over days 1 to 30")
    axes.set_ylabel("P(right view)")
    axes.legend(fontsize="small")
    figure.savefig(folder / "views-arrival.svg")


def _averages(curve: Sequence[float]) -> tuple[float, float]:
    parts = (curve[:30], curve[30:])
    first, second = (statistics.fmean(each for each in part if not math.isnan(each)) for part in parts)
    return round(first, 4), round(second, 4)


def _plain(each: Figures) -> dict[str, float]:
    return {"right": round(each.right, 4), "unsupported": round(each.unsupported, 4), "draws": round(each.draws, 3)}


if __name__ == "__main__":
    main()
