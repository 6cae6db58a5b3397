from pathlib import Path

from keepmum_edge.views.account import Account, accounts
from keepmum_edge.views.periods import DAY
from keepmum_shared.ids import new_turn_id
from keepmum_shared.view import NANO, AttributeId
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
        "spent 1 of 2; nobody's odds of diabetes change by more than a factor of 7.4 by views, ever: who thought it"
        " 10 % likely comes to at most 46 %. You sent 3 messages that touch this."
    )
    assert "factor of 2.8" in account(NANO).words()
    assert "at most 24 %" in account(NANO).words()
    assert "at most 86 %" in account(4 * NANO).words()


def test_charges_beyond_the_cap_are_not_hidden_behind_it() -> None:
    assert "factor of 54.6" in account(2 * NANO, 4 * NANO).words()
    assert "may have shown diabetes outright" in account(2 * NANO, 200 * NANO).words()


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
