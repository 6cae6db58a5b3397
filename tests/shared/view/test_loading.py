"""What a policy file may not say."""

import copy
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from keepmum_shared.view import NANO, PolicyError, load_policy, shipped_policies, shipped_policy
from keepmum_shared.view.loading import shipped_text
from keepmum_shared.view.vocabulary import WIRE_FORM, wire_form
from policies import attribute, facet, overlapping, policy, single, slot, written

BIG = "9" * 30
Change = Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Change:
    """Replace what lies at a path by its last element."""

    def change(file: dict[str, Any]) -> None:
        inner: Any = file
        for step in path[:-2]:
            inner = inner[step]
        inner[path[-2]] = path[-1]

    return change


REFUSED: dict[str, tuple[Change, str]] = {
    "cap zero": (put("attributes", 0, "cap", 0), "attribute d, cap: must be above zero"),
    "cap negative": (put("attributes", 0, "cap", -NANO), "attribute d, cap: must be above zero"),
    "cap a float": (put("attributes", 0, "cap", 2.0), "cap: must be int"),
    "cap a boolean": (put("attributes", 0, "cap", True), "cap: must be int"),
    "cap a text": (put("attributes", 0, "cap", "2"), "cap: must be int"),
    "cap of too many digits": (put("attributes", 0, "cap", int(BIG)), "too many digits"),
    "lifetime below cap": (put("attributes", 0, "lifetime_cap", NANO), "lifetime cap is below its cap"),
    "share zero": (put("attributes", 0, "shares", 0, "epsilon", 0), "share of one: must be above zero"),
    "shares above the cap": (put("attributes", 0, "shares", 0, "epsilon", 2 * NANO), "add up to more than its cap"),
    "share missing": (lambda file: file["attributes"][0]["shares"].pop(), "has no share of two, which reads it"),
    "share of an unknown facet": (put("attributes", 0, "shares", 0, "facet", "nine"), "unknown facet, nine"),
    "share of a facet that does not read it": (put("attributes", 0, "shares", 0, "facet", "three"), "does not read it"),
    "share twice": (put("attributes", 0, "shares", 0, "facet", "two"), "two shares of one facet"),
    "planned zero": (put("attributes", 0, "planned", 0), "planned"),
    "unknown attribute": (put("slots", 0, "attributes", ["d", "x"]), "slot one: lists an unknown attribute, x"),
    "attribute twice in a slot": (put("slots", 0, "attributes", ["d", "d"]), "lists an attribute twice"),
    "drawing slot without attribute": (
        lambda file: file["facets"].append(facet("four", "four", 4)) or file["slots"].append(slot("four", [])),
        "slot four: draws, but is listed for no attribute",
    ),
    "attribute without slot": (
        lambda file: file["attributes"].append(attribute("e", {})) or file["slots"][3]["attributes"].append("e"),
        "attribute e: no slot is listed for it",
    ),
    "other leaves one out": (put("slots", 3, "attributes", ["d"]), "slot other: must be there"),
    "other draws": (
        lambda file: (
            put("facets", 3, facet("rest", "other", 9))(file)
            or file["attributes"][0]["shares"].append({"facet": "rest", "epsilon": 1})
            or put("attributes", 0, "cap", 3 * NANO)(file)
            or put("attributes", 0, "lifetime_cap", 3 * NANO)(file)
        ),
        "slot other: has the generic view only",
    ),
    "no attributes": (put("attributes", []), "none to protect"),
    "no positions": (put("slots", 0, "capacity", 0), "slot one: needs 1 to 10000 positions"),
    "slot twice": (put("slots", 0, "id", "two"), "slots: an id stands twice"),
    "slot without facet": (lambda file: file["facets"].pop(0), "facet"),
    "facet of an unknown slot": (put("facets", 0, "slot", "nowhere"), "facet"),
    "facet without generic": (put("facets", 0, "views", 0, "name", "z"), "its first view must be generic"),
    "facet with five": (put("facets", 0, facet("one", "one", 1, epsilon=NANO, views=5)), "has 5 views"),
    "facet without views": (put("facets", 0, "views", []), "its first view must be generic"),
    "view name twice": (put("facets", 0, "views", 2, "name", "a"), "two views of one name"),
    "view id twice": (put("facets", 0, "views", 2, "id", "v011"), "an id stands twice"),
    "view id of another length": (put("facets", 0, "views", 2, "id", "v12"), "4 letters and digits"),
    "topic id of another length": (put("topics", 0, "id", "talks"), "an id has 4 small letters"),
    "too many facets": (
        lambda file: file["facets"].extend(facet(f"f{n}", "one", 20 + n, epsilon=None, views=1) for n in range(16)),
        "facets: at most 16",
    ),
    "view without cues": (put("facets", 0, "views", 2, "cues", []), "needs cues"),
    "generic with cues": (put("facets", 0, "views", 0, "cues", ["x"]), "generic has none"),
    "empty cue": (put("facets", 0, "views", 2, "cues", ["*"]), "a cue is empty"),
    "cue of an unseen character": (put("facets", 0, "views", 2, "cues", ["\u200b"]), "a cue is empty"),
    "cue with an unseen character": (put("attributes", 0, "cues", ["sug\u200bar"]), "a cue is empty"),
    "cue of signs": (put("topics", 0, "cues", ["!?"]), "a cue is empty"),
    "attribute id empty": (put("attributes", 0, "id", ""), "attributes: an id has 1 to 64 small letters"),
    "slot id of another form": (put("slots", 0, "id", "../x"), "slots: an id has 1 to 64 small letters"),
    "facet id of another form": (put("facets", 0, "id", "One"), "facets: an id has 1 to 64 small letters"),
    "retired id empty": (put("retired", [""]), "retired: an id has 1 to 64 small letters"),
    "label with an escape sequence": (put("attributes", 0, "label", "d\u001b[2J"), "attributes: a label is blank or"),
    "label that turns the line round": (put("slots", 0, "label", "\u202ed"), "slots: a label is blank or holds"),
    "label blank": (put("attributes", 0, "label", " "), "attributes: a label is blank"),
    "view name of unseen characters": (put("facets", 0, "views", 2, "name", "\u200b"), "views: a name is blank or"),
    "wording with an escape sequence": (
        put("facets", 0, "views", 2, "wordings", 0, "text", "a\u001b]0;x\u0007"),
        "views: a wording is blank or holds",
    ),
    "wording missing": (put("facets", 0, "views", 2, "wordings", []), "a wording for the same topics"),
    "wording empty": (put("facets", 0, "views", 2, "wordings", 0, "text", ""), "an empty one"),
    "unknown topic": (put("topics", []), "unknown topic"),
    "odds beyond the share": (put("facets", 0, "odds", [271828183, 100000000]), "its odds spend more than the share"),
    "odds missing": (put("facets", 0, "odds", []), "a facet that draws has odds"),
    "odds even": (put("facets", 0, "odds", [1, 1]), "odds are two numbers"),
    "odds of three": (put("facets", 0, "odds", [3, 2, 1]), "odds are two numbers"),
    "tau zero": (put("tau", 0), "tau: must be 1 to 60"),
    "tau above every score": (put("tau", 61), "tau: must be 1 to 60"),
    "period zero": (put("period_days", 0), "period_days"),
    "first date negative": (put("first_period_days", -1), "first_period_days"),
    "selections zero": (put("selections", 0), "selections"),
    "retired id comes back": (put("retired", ["d"]), "its id was retired"),
    "unknown field": (put("colour", "red"), "unknown field"),
    "missing field": (lambda file: file.pop("tau"), "tau: is missing"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_breaks_a_rule_is_refused_with_words(name: str) -> None:
    change, words = REFUSED[name]
    file = copy.deepcopy(overlapping())
    policy(file)
    change(file)
    with pytest.raises(PolicyError) as refused:
        policy(file)
    assert words in str(refused.value)


def test_a_third_drawing_facet_for_one_attribute_is_refused_where_a_slot_has_two() -> None:
    third = NANO // 2
    file = single() | {
        "attributes": [attribute("d", {"one": third, "more": third, "two": third})],
        "slots": [slot("one", ["d"]), slot("two", ["d"]), slot("other", ["d"])],
        "facets": [
            facet("one", "one", 1, epsilon=third),
            facet("more", "one", 2, epsilon=third),
            facet("two", "two", 3, epsilon=third),
            facet("rest", "other", 9, epsilon=None, views=1),
        ],
    }
    with pytest.raises(PolicyError, match="slot one: a second facet would be a third"):
        policy(file)
    del file["facets"][2], file["slots"][1], file["attributes"][0]["shares"][2]
    assert len(policy(file).drawing("d")) == 2


@pytest.mark.parametrize(
    "text", ["", "tau = 1", "tau = nan", "tau = 1979-05-27", "tau = [", f"tau = {'9' * 5000}", "a" * 2**21]
)
def test_a_file_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(PolicyError):
        load_policy(text)


def test_the_loader_says_how_often_a_draw_is_right_and_warns_below_45_in_100() -> None:
    one, two = policy(single()), policy(single(NANO))
    assert [(report.views, report.epsilon) for report in one.reports()] == [(4, 2 * NANO)]
    assert abs(one.reports()[0].p_best - Fraction(711, 1000)) < Fraction(1, 1000)
    assert abs(two.reports()[0].p_best - Fraction(475, 1000)) < Fraction(1, 1000)
    assert (one.warnings(), two.warnings()) == ((), ())
    weak = policy(single(2 * NANO // 3))
    assert abs(weak.reports()[0].p_best - Fraction(394, 1000)) < Fraction(1, 1000)
    assert weak.warnings() == ("facet one: a draw is right with probability 393 in 1000 only",)
    assert "protects hardly" in policy(single(2 * NANO, lifetime=4 * NANO)).warnings()[0]


def test_the_digest_is_of_the_content_and_not_of_how_it_is_written() -> None:
    text = shipped_text()
    assert load_policy("# a comment\n" + text).digest == shipped_policy().digest
    assert load_policy(text.replace("tau = 20", "tau = 21")).digest != shipped_policy().digest
    assert shipped_policies()[shipped_policy().digest] is shipped_policy()


def test_in_the_shipped_policy_each_attribute_is_read_by_one_drawing_facet_and_nothing_is_warned_of() -> None:
    shipped = shipped_policy()
    assert len(shipped.layout.attributes) == 12
    assert len(shipped.layout.slots) == 12
    for name, each in shipped.layout.attributes.items():
        assert len(shipped.drawing(name)) == 1
        assert (each.cap, each.lifetime_cap) == (2 * NANO, 2 * NANO)
    assert {report.epsilon for report in shipped.reports()} == {2 * NANO}
    assert shipped.warnings() == ()
    assert all(abs(report.p_best - Fraction(711, 1000)) < Fraction(1, 1000) for report in shipped.reports())


def test_every_view_and_topic_of_the_shipped_policy_travels_in_one_length_and_can_be_read_back() -> None:
    vocabulary = shipped_policy().vocabulary
    released = [
        wire_form(view.id, topic)
        for facet in vocabulary.facets.values()
        for view in facet.views
        for topic in sorted(facet.topics)
    ]
    assert {len(each) for each in released} == {9}
    assert all(WIRE_FORM.fullmatch(each) and vocabulary.expand(each) for each in released)
    assert vocabulary.in_order(reversed(released)) == tuple(released)
    assert sum(map(vocabulary.is_generic, released)) == sum(len(each.topics) for each in vocabulary.facets.values())


def test_a_released_view_is_expanded_by_id_and_nothing_else_is() -> None:
    vocabulary = shipped_policy().vocabulary
    assert "carbohydrates" in vocabulary.expand("v011/food")
    assert vocabulary.expand("v010/food") == vocabulary.expand("v020/food")
    for unknown in ("v999/food", "v011/law", "v011", "", "/", "v011/food/food"):
        with pytest.raises(PolicyError):
            vocabulary.expand(unknown)


def test_the_composite_cost_is_the_cheapest_cover_by_lifetime_caps() -> None:
    made = policy(overlapping(2 * NANO, lifetime=3 * NANO))
    assert made.composite_cost(frozenset()) == 0
    assert made.composite_cost(frozenset(["two"])) == 3 * NANO
    assert made.composite_cost(frozenset(["one", "two"])) == 3 * NANO
    assert made.composite_cost(frozenset(["one", "three"])) == 6 * NANO
    assert made.composite_cost(frozenset(["other"])) == 3 * NANO


def test_the_written_form_of_the_small_policies_is_what_it_says() -> None:
    assert "selections = 3" in written(overlapping())
