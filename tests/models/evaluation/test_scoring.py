import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_models.evaluation.marked import MarkedText, at_level, marked_text
from keepmum_models.evaluation.masks import Mask, Unlisted, join
from keepmum_models.evaluation.scoring import Counts, score
from keepmum_models.evaluation.sets import HELD_BACK, SETS, EvaluationSet
from keepmum_shared.taxonomy import EntityType, Level, default_level

TEXT = "Ann Lee, of Acme, rang 555"
PLAIN = EvaluationSet(
    name="x", types={"PER": (EntityType.NAME,), "KEY": (EntityType.API_KEY,)}, neutral=frozenset({"ORG"})
)


def mask(surface: str, kind: EntityType | Unlisted = EntityType.NAME, text: str = TEXT) -> Mask:
    start = text.index(surface)
    level = default_level(kind) if isinstance(kind, EntityType) else None
    return Mask(start=start, end=start + len(surface), kind=kind, level=level)


def marked(spec: EvaluationSet, gold: dict[str, str], text: str = TEXT, **record: Any) -> MarkedText:
    spans = [{"start": text.index(s), "end": text.index(s) + len(s), "label": label} for s, label in gold.items()]
    return marked_text(spec, {"id": 1, "lang": "en", "text": text, "spans": spans, **record})


def counts(spec: EvaluationSet, gold: dict[str, str], *masks: Mask) -> Counts:
    return score(spec, marked(spec, gold), masks)


def test_one_letter_left_is_a_leak_but_a_mark_is_not() -> None:
    one = counts(PLAIN, {"Ann Lee": "PER"}, mask("Ann Le"))
    assert (one.leaked, one.uncovered) == (1, 1)
    one = counts(PLAIN, {"Ann Lee,": "PER"}, mask("Ann Lee"))
    assert (one.leaked, one.uncovered) == (0, 1)


def test_of_a_secret_every_character_counts_but_a_blank() -> None:
    assert counts(PLAIN, {"Ann Lee,": "KEY"}, mask("Ann Lee")).leaked == 1
    assert counts(PLAIN, {"Ann Lee,": "KEY"}, mask("Ann"), mask("Lee,")).leaked == 0


def test_a_span_of_marks_alone_leaks_when_a_mark_is_left() -> None:
    text = "is it ** or --?"
    gold = marked(PLAIN, {"**": "PER"}, text)
    assert score(PLAIN, gold, [mask("*", text=text)]).leaked == 1
    assert score(PLAIN, gold, [mask("**", text=text)]).leaked == 0


def test_a_mask_on_neutral_text_is_neither_right_nor_wrong() -> None:
    one = counts(PLAIN, {"Acme": "ORG"}, mask("Acme"))
    assert (one.masks, one.negatives, one.negatives_masked, one.false_characters, one.overmasked) == (0, 1, 0, 0, 0)


def test_what_a_neutral_mask_takes_outside_is_blamed_by_character() -> None:
    one = counts(PLAIN, {"Acme": "ORG"}, mask("of Acme"))
    assert (one.masks, one.negatives_masked, one.false_characters, one.overmasked) == (0, 0, 2, 1)


def test_a_false_mask_counts_unless_the_set_does_not_cover_its_type() -> None:
    assert counts(PLAIN, {}, mask("rang")).negatives_masked == 1
    names = EvaluationSet(name="x", covers=frozenset({EntityType.NAME}))
    for kind, wrong in ((EntityType.PHONE, 0), (Unlisted.OTHER, 0), (Unlisted.UNKNOWN, 1), (EntityType.NAME, 1)):
        one = counts(names, {}, mask("555", kind))
        assert (one.negatives_masked, one.false_characters) == (wrong, 3 * wrong)


def test_pairs_need_half_of_both_and_are_one_to_one() -> None:
    gold = {"Ann Lee": "PER"}
    assert counts(PLAIN, gold, mask("Ann")).paired == 0
    one = counts(PLAIN, gold, mask("Ann "), mask("Lee"))
    assert (one.paired, one.exact, one.masks) == (1, 0, 2)
    one = counts(PLAIN, gold, mask("Ann Lee"))
    assert (one.paired, one.exact, one.typed) == (1, 1, 1)


def test_masks_that_overlap_count_as_one_and_those_that_touch_as_two() -> None:
    whole = counts(PLAIN, {"Ann Lee": "PER"}, mask("Ann L"), mask("Lee"))
    assert (whole.masks, whole.exact, whole.leaked) == (1, 1, 0)
    assert counts(PLAIN, {"Ann Lee": "PER"}, mask("Ann "), mask("Lee")).masks == 2


def test_typed_asks_for_a_right_type_over_half_of_the_span() -> None:
    gold = {"Ann Lee": "PER"}
    assert counts(PLAIN, gold, mask("Ann Lee", EntityType.PHONE)).typed == 0
    assert counts(PLAIN, gold, mask("Ann", EntityType.PHONE), mask(" Lee")).typed == 1
    assert counts(PLAIN, gold, mask("An", EntityType.NAME), mask("n Lee", EntityType.PHONE)).typed == 0


def test_at_a_level_the_gold_of_others_is_neutral() -> None:
    text = marked(PLAIN, {"Ann Lee": "PER", "555": "KEY"})
    secrets = at_level(text, Level.PL4)
    one = score(PLAIN, secrets, [mask("Ann Lee")])
    assert (one.private, one.leaked, one.masks, one.false_characters) == (1, 1, 0, 0)


def test_of_an_incomplete_set_only_what_forbids_every_mask_is_a_negative() -> None:
    partial = EvaluationSet(name="x", types={"PER": (EntityType.NAME,)}, complete=False)
    assert not marked(partial, {}).is_negative
    assert not marked(partial, {}, must_not="PER").is_negative
    assert marked(partial, {}, must_not="any").is_negative
    assert marked(partial, {}, must_not="a rule of theirs").is_negative
    assert not marked(partial, {"Ann": "PER"}, must_not="any").is_negative


def test_a_span_outside_its_text_is_refused_without_quoting_it() -> None:
    record = {"id": 1, "lang": "en", "text": TEXT, "spans": [{"start": 0, "end": 99, "label": "PER"}]}
    with pytest.raises(ValueError, match="not in the text") as caught:
        marked_text(PLAIN, record)
    assert "Ann" not in str(caught.value)


def test_every_set_says_what_its_labels_mean() -> None:
    assert all(name == spec.name for name, spec in SETS.items())
    for spec in (*SETS.values(), HELD_BACK):
        assert not spec.typed or spec.private is None or spec.private <= set(spec.types)
        assert not any(spec.is_private(label) for label in (spec.neutral or frozenset()) | spec.public)
        assert all(types for types in spec.types.values())


@st.composite
def masks_in(draw: st.DrawFn) -> list[Mask]:
    found = []
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(TEXT) - 1))
        end = draw(st.integers(start + 1, len(TEXT)))
        kind = draw(st.sampled_from((EntityType.NAME, EntityType.PHONE, Unlisted.OTHER)))
        found.append(Mask(start=start, end=end, kind=kind, level=None))
    return found


@settings(deadline=None)
@given(masks_in())
def test_joining_keeps_what_is_covered_and_leaves_no_overlap(found: list[Mask]) -> None:
    joined = join(found)
    assert {i for j in joined for i in range(j.start, j.end)} == {i for m in found for i in range(m.start, m.end)}
    assert all(left.end <= right.start for left, right in itertools.pairwise(joined))
    assert sorted(m.start for j in joined for m in j.members) == sorted(m.start for m in found)


@settings(deadline=None)
@given(masks_in(), masks_in())
def test_more_masks_never_leak_more_and_never_blame_less(found: list[Mask], more: list[Mask]) -> None:
    gold = marked(PLAIN, {"Ann Lee": "PER", "Acme": "ORG", "555": "KEY"})
    fewer, all_of_them = score(PLAIN, gold, found), score(PLAIN, gold, [*found, *more])
    assert all_of_them.leaked <= fewer.leaked <= fewer.uncovered <= fewer.private
    assert all_of_them.false_characters >= fewer.false_characters
    assert fewer.exact <= fewer.paired <= min(fewer.private, fewer.masks)
    assert fewer.paper_score <= min(fewer.private, fewer.masks)
