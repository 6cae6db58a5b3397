"""The second opinion notices each kind of wrong log at the first draw, and finds nothing in a right one."""

from dataclasses import replace

import pytest
from keepmum_edge.views.ledger import Cause, Charge, Ground, Stored
from keepmum_edge.views.log_audit import InForce, audit_log
from keepmum_shared.view import NANO, AttributeId, FacetId, SlotId, ViewId
from policies import overlapping, written

STICKY = InForce(from_period=0, release="sticky", file=written(overlapping(2 * NANO, lifetime=3 * NANO)))
TWO = Stored(key="0:two", unit=FacetId("two"), period=0, view=ViewId("v022"), ground=Ground.DRAWN)
ONE = Stored(key="0:one", unit=FacetId("one"), period=0, view=ViewId("v010"), ground=Ground.DRAWN)


def charged(release: Stored, *attributes: str, epsilon: int = NANO) -> list[Charge]:
    slot = SlotId(release.key.partition(":")[2])
    return [
        Charge(attribute=AttributeId(each), slot=slot, key=release.key, period=release.period, epsilon=epsilon)
        for each in attributes
    ]


def test_a_right_log_adds_up_to_what_was_charged() -> None:
    found = audit_log([STICKY], [ONE, TWO], [*charged(ONE, "d"), *charged(TWO, "b", "d")])
    assert found.words == ()
    assert found.spent == {"d": 2 * NANO, "b": NANO}


def test_releases_that_were_not_drawn_cost_nothing() -> None:
    rest = [replace(ONE, ground=ground, view=ViewId("v999")) for ground in Ground if ground != Ground.DRAWN]
    assert audit_log([STICKY], rest, []) == audit_log([STICKY], [], [])


@pytest.mark.parametrize(
    ("releases", "charges", "words"),
    [
        ([TWO], charged(TWO, "b"), "0:two: d was not fully charged"),
        ([TWO], charged(TWO, "b", "d", epsilon=NANO - 1), "0:two: b was not fully charged"),
        ([ONE], [], "0:one: d was not fully charged"),
        ([ONE, ONE], charged(ONE, "d"), "0:one: drawn 2 times"),
        ([replace(ONE, view=ViewId("v022"))], charged(ONE, "d"), "a view of another vocabulary"),
        ([replace(ONE, period=-1)], charged(ONE, "d"), "drawn where nothing may be drawn"),
        (
            [replace(ONE, key=f"{p}:one", period=p) for p in range(4)],
            [row for p in range(4) for row in charged(replace(ONE, key=f"{p}:one", period=p), "d")],
            "d: draws up to period 3 pass its lifetime cap",
        ),
    ],
)
def test_a_wrong_log_is_found_out(releases: list[Stored], charges: list[Charge], words: str) -> None:
    policies = [STICKY, InForce(from_period=-1, release="sticky", file=STICKY.file)]
    found = audit_log(policies, releases, charges)
    assert any(words in each for each in found.words), found.words


def test_draws_of_the_papers_modes_are_priced_by_caps_and_counts() -> None:
    online = InForce(from_period=0, release="online", file=STICKY.file)
    turns = [replace(TWO, key=f"t{n}:two", unit=SlotId("two")) for n in range(8)]
    found = audit_log([online], turns, [])
    assert found.spent["d"] == 8 * (2 * NANO // 3)  # NoCap of the paper's table 4: 5.33 at 8 target-relevant turns
    assert any("d: draws of period 0 pass its cap" in words for words in found.words)


def test_a_draw_that_was_cut_off_counts_towards_the_caps() -> None:
    lost = [replace(row, cause=Cause.INTENT) for row in charged(replace(ONE, key="x:one"), "d", epsilon=2 * NANO)]
    found = audit_log([STICKY], [ONE], [*charged(ONE, "d"), *lost])
    assert found.words == ("d: draws of period 0 pass its cap",)
