"""Adjacent stores and adaptive analysts for the exhaustive audit: three slots, two overlapping attributes."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from keepmum_edge.views.audit import Analyst, Interface, Rules, Transcript, transcripts, worst_ratio
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selections
from keepmum_edge.views.scorer import Scores
from keepmum_shared.view import Policy, ViewId
from view_desk import selections_of

TABLES = ((), (1,), (2,), (3,))
"""Which view of a slot has full support: none, so that generic is best, or one."""


def store(**best: Sequence[int]) -> Scores:
    """Scores in which these views of the slots one, two, three have full support."""
    numbers = {"one": 1, "two": 2, "three": 3}
    return {ViewId(f"v{numbers[slot]:02d}{view}"): (10, 10) for slot, views in best.items() for view in views}


def adjacent(attribute: str, turns: int = 1) -> list[list[Scores]]:
    """Histories that agree in the slot not listed for the attribute; in half of them contents change between turns."""
    free, fixed = (("one", "two"), "three") if attribute == "d" else (("two", "three"), "one")
    tables = [dict(zip(free, chosen, strict=True)) for chosen in product(TABLES[:3], repeat=2)]
    histories = [[tables[(i + t * step) % len(tables)] for t in range(turns)] for i in range(9) for step in (0, 4)]
    return [[store(**table, **{fixed: (t % 4,) if t % 4 else ()}) for t, table in enumerate(h)] for h in histories]


def asking(
    made: Policy,
    *plan: Callable[[Transcript], tuple[str, ...]],
    release: ReleasePolicy = ReleasePolicy.STICKY,
    mechanism: MechanismName = MechanismName.KRR,
    periods: Sequence[int] = (0,) * 20,
) -> Analyst:
    """An analyst whose next facets depend on what was seen; a turn lies in its period."""
    maker = Selections(made, release, mechanism)

    def analyst(seen: Transcript) -> tuple[object, ...]:
        number = len(seen)
        return selections_of(maker, *plan[number](seen), turn=f"t{number}", period=periods[number])

    return analyst  # type: ignore[return-value]


def always(*facets: str) -> Callable[[Transcript], tuple[str, ...]]:
    """Ask this whatever was seen."""
    return lambda _: facets


def follow(seen: Transcript) -> tuple[str, ...]:
    """Ask for the slot that the last view points to."""
    last = seen[-1][-1][-1] if seen and seen[-1] else "v010"
    return (("one", "two", "three", "two")[int(str(last)[-1])],)


def worst(made: Policy, rules: Rules, analyst: Analyst, *histories: list[Scores]) -> Fraction | None:
    """The largest ratio between any two histories over all transcripts; None if it has no bound."""
    interface = Interface(layout=made.layout, tau=made.tau, rules=rules)
    found = [transcripts(interface, analyst, each) for each in histories]
    assert all(sum(each.values()) == 1 for each in found)
    return worst_ratio(found)
