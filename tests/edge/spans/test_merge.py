import itertools
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.span import PrivateSpan
from keepmum_shared.taxonomy import EntityType, Level, default_level

TEXT = "0123456789 abcdefghij ABCDEFGHIJ"
TYPES = (EntityType.NAME, EntityType.EMAIL, EntityType.BANK_CARD, EntityType.PASSWORD, EntityType.API_KEY)


def span(
    start: int, end: int, kind: EntityType = EntityType.NAME, certainty: int = 70, source: str = "t"
) -> PrivateSpan:
    return PrivateSpan(
        start=start, end=end, entity_type=kind, level=default_level(kind), source=source, certainty=certainty,
        surface=TEXT[start:end],
    )  # fmt: skip


@st.composite
def spans(draw: st.DrawFn) -> list[PrivateSpan]:
    made = []
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(TEXT) - 1))
        end = draw(st.integers(start + 1, len(TEXT)))
        one = span(start, end, draw(st.sampled_from(TYPES)), draw(st.sampled_from([50, 70, 85, 100])))
        made.append(replace(one, level=Level.PL1) if draw(st.integers(0, 3)) == 0 else one)
    return made


def covered(found: tuple[PrivateSpan, ...] | list[PrivateSpan]) -> set[int]:
    return {i for s in found for i in range(s.start, s.end)}


@given(spans())
def test_merged_spans_are_sorted_disjoint_and_true(found: list[PrivateSpan]) -> None:
    merged = merge(TEXT, found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(merged))
    assert all(s.surface == TEXT[s.start : s.end] for s in merged)


@given(spans())
def test_no_part_of_a_secret_is_left_bare_or_becomes_less_secret(found: list[PrivateSpan]) -> None:
    secrets = [s for s in found if s.level is Level.PL4]
    still = [s for s in merge(TEXT, found) if s.level is Level.PL4]
    assert covered(secrets) <= covered(still)


@given(spans())
def test_what_is_private_never_becomes_public(found: list[PrivateSpan]) -> None:
    private = covered([s for s in found if s.level is not Level.PL1])
    public = covered([s for s in merge(TEXT, found) if s.level is Level.PL1])
    assert not any(i + 1 in public & private and TEXT[i].isalnum() and TEXT[i + 1].isalnum() for i in public & private)


@given(spans())
def test_nothing_is_masked_that_nobody_found_and_no_word_is_left_bare(found: list[PrivateSpan]) -> None:
    merged = merge(TEXT, found)
    assert covered(merged) <= covered(found)
    bare = covered(found) - covered(merged)
    # What is left are pieces without two letters or digits.
    assert not any(i + 1 in bare and TEXT[i].isalnum() and TEXT[i + 1].isalnum() for i in bare)


@given(spans(), st.randoms(use_true_random=False), st.integers(0, 8))
def test_order_and_grouping_do_not_matter(found: list[PrivateSpan], random: object, cut: int) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert merge(TEXT, shuffled[:cut], shuffled[cut:]) == merge(TEXT, found)


@given(spans())
def test_merging_again_changes_nothing(found: list[PrivateSpan]) -> None:
    merged = merge(TEXT, found)
    assert merge(TEXT, merged) == merged
    assert merge(TEXT, merged, merged) == merged


def test_a_private_name_inside_a_longer_public_one_stays_private() -> None:
    public, private = replace(span(11, 21, certainty=99), level=Level.PL1), span(14, 18, certainty=50)
    assert [(s.start, s.end, s.level) for s in merge(TEXT, [public, private])] == [
        (11, 14, Level.PL1),
        (14, 18, Level.PL2),
        (18, 21, Level.PL1),
    ]


def test_a_check_digit_wins_over_a_longer_guess() -> None:
    card = span(2, 6, EntityType.BANK_CARD, 100)
    merged = merge(TEXT, [span(0, 8)], [card])
    assert [(s.start, s.end, s.entity_type) for s in merged] == [
        (0, 2, EntityType.NAME),
        (2, 6, EntityType.BANK_CARD),
        (6, 8, EntityType.NAME),
    ]


def test_the_longer_wins_between_equals() -> None:
    assert merge(TEXT, [span(0, 5)], [span(0, 10, EntityType.EMAIL)]) == (span(0, 10, EntityType.EMAIL),)


def test_a_secret_takes_what_it_partly_overlaps() -> None:
    merged = merge(TEXT, [span(0, 6, EntityType.PASSWORD)], [span(4, 10, EntityType.EMAIL, 100)])
    assert [(s.start, s.end, s.entity_type) for s in merged] == [(0, 10, EntityType.PASSWORD)]


def test_two_finds_of_one_type_that_overlap_are_one_span() -> None:
    merged = merge(TEXT, [span(0, 7), span(5, 10)], [span(9, 14, EntityType.NAME, 50, "u")])
    assert [(s.start, s.end) for s in merged] == [(0, 14)]


def test_a_checked_form_keeps_its_borders_also_against_its_own_type() -> None:
    merged = merge(TEXT, [span(2, 6, EntityType.EMAIL, 100)], [span(0, 9, EntityType.EMAIL)])
    assert (2, 6, 100) in [(s.start, s.end, s.certainty) for s in merged]


def test_many_overlapping_spans_take_linear_time() -> None:
    def seconds(count: int) -> float:
        text = "ab " * count
        chain = [
            PrivateSpan(
                start=i, end=i + 5 + i % 3, entity_type=TYPES[i % 3], level=default_level(TYPES[i % 3]), source="t",
                certainty=70, surface=text[i : i + 5 + i % 3],
            )
            for i in range(0, 3 * count - 8, 2)
        ]  # fmt: skip
        begin = time.process_time()
        merge(text, chain)
        return time.process_time() - begin

    assert min(seconds(8000) for _ in range(3)) < 8 * 3 * min(seconds(1000) for _ in range(3))


@pytest.mark.parametrize("groups", [(), ([],), ([], [])])
def test_nothing_gives_nothing(groups: tuple[list[PrivateSpan], ...]) -> None:
    assert merge(TEXT, *groups) == ()


def test_a_guessed_secret_inside_a_checked_form_is_dropped() -> None:
    checked = span(0, 10, EntityType.EMAIL, 100, "email")
    guess = span(0, 4, EntityType.PASSWORD, 65, "encoder")
    assert merge(TEXT, [checked], [guess]) == (checked,)
    assert merge(TEXT, [checked], [span(0, 4, EntityType.PASSWORD, 85, "assigned")])[0].level is Level.PL4
    as_long = merge(TEXT, [checked], [span(0, 10, EntityType.PASSWORD, 65, "encoder")])
    assert [s.level for s in as_long] == [Level.PL4], "a password may be an address"
