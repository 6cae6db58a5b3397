"""The ledger as a value, and the database against it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.database import Database
from keepmum_edge.errors import DatabaseUnavailableError
from keepmum_edge.views.ledger import Cause, Charge, Ground, PlainBooks, Stored, admits, listing_charges
from keepmum_edge.views.periods import Calendar
from keepmum_edge.views.store import ViewStore
from keepmum_shared.view import NANO, AttributeId, FacetId, SlotId, ViewId
from policies import overlapping, policy, slot
from profiles import new_database

LAYOUT = policy(overlapping(2 * NANO, lifetime=3 * NANO)).layout


def charge(attribute: str, epsilon: int, *, period: int = 0, key: str = "k", cause: Cause = Cause.DRAW) -> Charge:
    return Charge(
        attribute=AttributeId(attribute), slot=SlotId("two"), key=key, period=period, epsilon=epsilon, cause=cause
    )


def test_a_draw_fits_only_if_every_attribute_it_touches_stays_within_both_caps() -> None:
    books = PlainBooks().charged([charge("d", NANO)])
    both = LAYOUT.gamma(SlotId("two"))
    assert admits(books, LAYOUT, both, NANO, 0)
    assert not admits(books, LAYOUT, both, NANO + 1, 0)
    assert admits(books, LAYOUT, [AttributeId("b")], NANO + 1, 0)
    assert admits(books, LAYOUT, both, 2 * NANO, 1)
    assert not admits(books.charged([charge("b", NANO + 1, period=1)]), LAYOUT, both, 2 * NANO, 2)


def test_an_exhausted_budget_admits_not_even_one_nano_epsilon() -> None:
    books = PlainBooks().charged([charge("d", 2 * NANO)])
    assert not admits(books, LAYOUT, [AttributeId("d")], 1, 0)


def test_a_newly_listed_attribute_is_charged_every_earlier_draw_on_the_slot_once() -> None:
    file = overlapping()
    file["slots"][0] = slot("one", ["d", "b"])
    file["attributes"][1]["cap"] = file["attributes"][1]["lifetime_cap"] = 3 * NANO
    file["attributes"][1]["shares"].append({"facet": "one", "epsilon": NANO})
    after = policy(file).layout
    draws = (
        Charge(attribute=AttributeId("d"), slot=SlotId("one"), key="0:one", period=0, epsilon=NANO),
        Charge(attribute=AttributeId("d"), slot=SlotId("one"), key="1:one", period=1, epsilon=7, cause=Cause.INTENT),
        charge("d", NANO),
        charge("b", NANO),
        charge("d", 5, key="rollback:3", cause=Cause.ROLLBACK),
    )
    new = listing_charges(LAYOUT, after, draws)
    assert [(each.attribute, each.key, each.period, each.epsilon, each.cause) for each in new] == [
        ("b", "0:one", 0, NANO, "listing"),
        ("b", "1:one", 1, 7, "listing"),
    ]
    assert listing_charges(LAYOUT, after, (*draws, *new)) == ()
    assert listing_charges(after, LAYOUT, draws) == ()


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with closing(new_database(tmp_path)) as database:
        with database.transaction():
            ViewStore(database).begin(Calendar(first_date=0, last_seen=0, period=0))
        yield database


ROWS = st.tuples(st.sampled_from("db"), st.integers(0, 2), st.integers(1, NANO), st.sampled_from(Cause))
VIEWS = st.tuples(st.sampled_from(["one", "two"]), st.sampled_from(["v011", "v012"]), st.sampled_from(Ground))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(charges=st.lists(ROWS, max_size=6), views=st.lists(VIEWS, max_size=6), silent=st.booleans())
def test_the_database_answers_as_the_value_does(
    db: Database, charges: list[tuple[str, int, int, Cause]], views: list[tuple[str, str, Ground]], silent: bool
) -> None:
    store, books = ViewStore(db), PlainBooks(frozen_before=1, silent=frozenset(["one"] if silent else []))  # type: ignore[list-item]
    roomy = policy(overlapping(90 * NANO)).layout

    class Undo(Exception):
        pass

    with pytest.raises(Undo), db.transaction():
        store.freeze_before(1)
        if silent:
            store.silence(SlotId("one"), 5)
        for number, (attribute, period, epsilon, cause) in enumerate(charges):
            new = charge(attribute, epsilon, period=period, key=f"k{number}", cause=cause)
            books = books.charged([new])
            store.charge([new], roomy)
        for number, (unit, view, ground) in enumerate(views):
            kept = Stored(key=f"k{number}", unit=FacetId(unit), period=0, view=ViewId(view), ground=ground)
            books = books.released(kept)
            store.keep(kept, SlotId("two"), 9)
        for period in range(3):
            assert store.frozen(period) == books.frozen(period)
            for attribute in ("d", "b"):
                assert store.spent(AttributeId(attribute), period) == books.spent(AttributeId(attribute), period)
                assert store.lifetime(AttributeId(attribute)) == books.lifetime(AttributeId(attribute))
        for unit in ("one", "two", "three"):
            assert store.latest(FacetId(unit)) == books.latest(FacetId(unit))
            assert store.silenced(SlotId(unit)) == books.silenced(SlotId(unit))
        for number in range(7):
            assert store.stored(f"k{number}") == books.stored(f"k{number}")
            assert [store.paid(f"k{number}", p) for p in range(3)] == [books.paid(f"k{number}", p) for p in range(3)]
        assert store.charges() == books.charges
        raise Undo


def test_the_database_itself_refuses_a_draw_that_passes_a_cap(db: Database) -> None:
    store = ViewStore(db)
    with db.transaction():
        store.charge([charge("d", 2 * NANO)], LAYOUT)
    for row in (charge("d", 1, key="more"), charge("d", NANO + 1, key="late", period=1), charge("d", 1)):
        with pytest.raises(DatabaseUnavailableError), db.transaction():
            store.charge([row], LAYOUT)
    with db.transaction():
        store.charge([charge("d", NANO, key="late", period=1)], LAYOUT)
    assert store.lifetime(AttributeId("d")) == 3 * NANO


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE view_charge SET epsilon = 1",
        "DELETE FROM view_charge",
        "UPDATE view_release SET view = 'v012'",
        "DELETE FROM view_release",
        "UPDATE view_state SET period = -1",
        "UPDATE view_state SET total = 0",
        "UPDATE view_state SET counter = 0",
        "UPDATE view_state SET first_date = 1",
        "INSERT INTO view_charge VALUES (9, 'd', 'two', 'x', 0, 0, 'draw', 1, 1)",
        "INSERT INTO view_charge VALUES (9, 'd', 'two', 'x', 0, -1, 'draw', 1, 1)",
        "INSERT INTO view_score VALUES ('one', 'v011', 11, 0)",
    ],
)
def test_no_statement_takes_back_what_was_charged_or_released(db: Database, statement: str) -> None:
    store = ViewStore(db)
    with db.transaction():
        store.charge([charge("d", NANO)], LAYOUT)
        stored = Stored(key="k", unit=FacetId("two"), period=0, view=ViewId("v011"), ground=Ground.DRAWN)
        store.keep(stored, SlotId("two"), 1)
        db.execute("UPDATE view_state SET counter = 1, total = 2")
    with pytest.raises(DatabaseUnavailableError), db.transaction():
        db.execute(statement)
