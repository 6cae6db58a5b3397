from dataclasses import replace
from pathlib import Path

from keepmum_edge.views.account import Account, accounts
from keepmum_edge.views.ledger import Cause, Charge
from keepmum_edge.views.periods import DAY
from keepmum_shared.ids import new_turn_id
from keepmum_shared.view import NANO, AttributeId
from keepmum_shared.view.layout import OTHER
from policies import overlapping, single
from view_desk import NOW, Desk


def account(lifetime_cap: int, lifetime: int = 0) -> Account:
    return Account(
        attribute=AttributeId("d"),
        label="diabetes",
        spent=0,
        cap=NANO,
        lifetime=lifetime,
        lifetime_cap=lifetime_cap,
        sent=3,
        views=(),
    )


def test_the_words_are_those_of_the_measured_notes() -> None:
    assert account(2 * NANO, NANO).words() == (
        "spent ε 1 of 2; nobody's odds of it change by more than a factor of 7.4 by views, ever: who thought it"
        " 10 % likely comes to at most 46 %. You sent 3 messages that touch this."
    )
    assert "factor of 2.8" in account(NANO).words()
    assert "at most 24 %" in account(NANO).words()
    assert "at most 86 %" in account(4 * NANO).words()


def test_charges_beyond_the_cap_are_not_hidden_behind_it() -> None:
    assert "factor of 54.6" in account(2 * NANO, 4 * NANO).words()
    assert "may have shown it outright" in account(2 * NANO, 200 * NANO).words()


def test_one_message_is_one_message() -> None:
    assert "You sent 1 message that touches this." in replace(account(NANO), sent=1).words()


def test_a_ledger_that_nobody_can_rely_on_states_no_bound_and_no_number() -> None:
    words = replace(account(2 * NANO, 12 * NANO), doubted=True).words()
    assert "cannot be relied on" in words
    assert "factor" not in words
    assert "%" not in words
    assert "12" not in words


def test_an_older_ledger_is_doubted_only_where_more_was_charged_than_there_is(tmp_path: Path) -> None:
    desk = Desk(tmp_path, overlapping())
    desk.turn("one", "two")
    store = desk.releaser.store
    calendar = store.calendar()
    assert calendar is not None

    def doubted(rolled_back: bool) -> list[bool]:
        found = accounts(desk.policy, store, calendar, store.releases(), {}, rolled_back=rolled_back)
        return [each.doubted for each in found]

    assert not any(doubted(True) + doubted(False))
    lost = Charge(
        attribute=AttributeId("d"), slot=OTHER, key="rollback:9", period=0, epsilon=100 * NANO, cause=Cause.ROLLBACK
    )
    with desk.db.transaction():
        store.charge([lost], desk.policy.layout)
    assert doubted(True) == [True, False]
    assert doubted(False) == [False, False]


def test_an_account_shows_what_was_released_until_when_and_what_was_sent(tmp_path: Path) -> None:
    desk = Desk(tmp_path, overlapping())
    desk.turn("one", "two")
    store, scores, turn = desk.releaser.store, desk.releaser.scores, new_turn_id()
    with desk.db.transaction():
        scores.note_touch(turn, [AttributeId("d")])
        scores.note_touch(turn, [AttributeId("d")])
        scores.note_touch(new_turn_id(), [AttributeId("d"), AttributeId("b")])
    calendar = store.calendar()
    assert calendar is not None
    d, b = accounts(desk.policy, store, calendar, store.releases(), scores.touches())
    assert (d.spent, d.lifetime, d.sent) == (2 * NANO, 2 * NANO, 2)
    assert (b.spent, b.lifetime, b.sent) == (NANO, NANO, 1)
    assert [view.facet for view in d.views] == ["two", "one"]
    assert [view.facet for view in b.views] == ["two"]
    assert {(view.since, view.until) for view in d.views} == {(NOW, NOW + 30 * DAY)}
    with desk.db.transaction():
        scores.forget_touch(turn)
    assert scores.touches() == {"d": 1, "b": 1}


def test_views_of_another_vocabulary_and_views_that_were_not_drawn_are_told_apart(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single() | {"first_period_days": 14})
    desk.turn("one")
    calendar, store = desk.releaser.store.calendar(), desk.releaser.store
    assert calendar is not None
    assert accounts(desk.policy, store, calendar, store.releases(), {})[0].views == ()
    desk.later(14)
    desk.turn("one")
    other = overlapping()
    other["facets"][0]["views"] = other["facets"][0]["views"][:1] + [
        view | {"id": f"w0{index}0"} for index, view in enumerate(other["facets"][0]["views"][1:])
    ]
    desk.file = other
    shown = accounts(desk.policy, store, store.calendar() or calendar, store.releases(), {})[0].views
    assert len(shown) == 1
    assert shown[0].view == "generic"
