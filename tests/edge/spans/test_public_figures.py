import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.public_figures import NOBODY, SHIPPED, BadListError, PublicFigures, parse
from keepmum_edge.spans.span import PrivateSpan
from keepmum_shared.taxonomy import EntityType, Level, default_level

ADDED = "Michael Jordan | 迈克尔·乔丹\nTaylor Swift | 泰勒·斯威夫特\n刘德华\n马云\n史蒂夫·乔布斯\n姚明"
"""People of today, whom an owner may add; the shipped list leaves them out."""

LISTED = PublicFigures([*parse(SHIPPED.read_text(encoding="utf-8")).added, *parse(ADDED).added])


def span(text: str, surface: str, kind: EntityType = EntityType.NAME, start: int | None = None) -> PrivateSpan:
    at = text.index(surface) if start is None else start
    return PrivateSpan(
        start=at, end=at + len(surface), entity_type=kind, level=default_level(kind), source="t", certainty=90,
        surface=surface,
    )  # fmt: skip


def passes(text: str, *names: str) -> list[str]:
    spans = sorted((span(text, name) for name in names), key=lambda s: s.start)
    return [s.surface for s in LISTED.let_pass(text, spans) if s.level is Level.PL1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Is Michael Jordan better than most?", "Michael Jordan"),
        ("Taylor Swift is my favourite singer.", "Taylor Swift"),
        ("Write my essay on Albert Einstein, please.", "Albert Einstein"),
        ("Who wrote about J.K. Rowling?", "J.K. Rowling"),
        ("Is Sir Isaac Newton buried in London?", "Sir Isaac Newton"),
        ("What is Einstein's birthday?", "Einstein"),
        ("i like taylor swift a lot", "taylor swift"),
        ("刘德华是我的偶像", "刘德华"),
        ("爱因斯坦什么时候出生的？", "爱因斯坦"),
        ("马云告诉我们要坚持", "马云"),
        ("史蒂夫•乔布斯是谁", "史蒂夫•乔布斯"),
    ],
)
def test_a_public_name_that_nothing_ties_passes(text: str, name: str) -> None:
    assert passes(text, name) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My neighbour Taylor Swift is loud.", "Taylor Swift"),
        ("Taylor Swift next door plays drums.", "Taylor Swift"),
        ("I am Michael Jordan and I need help.", "Michael Jordan"),
        ("Dr. Michael Jordan prescribed me a cream.", "Dr. Michael Jordan"),
        ("Then Michael Jordan called me.", "Michael Jordan"),
        ("Taylor Swift is my boss.", "Taylor Swift"),
        ("I had lunch with Tom Hanks.", "Tom Hanks"),
        ("Name: Taylor Swift\nAge: 34", "Taylor Swift"),
        ('{"name": "Taylor Swift", "age": 34}', "Taylor Swift"),
        ("See you!\n\nElon Musk", "Elon Musk"),
        ("Michael Jordan", "Michael Jordan"),
        ("我叫姚明。", "姚明"),
        ("我同事刘德华今天没来", "刘德华"),
        ("刘德华先生的快递到了", "刘德华"),
        ("我昨天和姚明一起吃饭了", "姚明"),
        ("Michael Jordan Smith came.", "Michael Jordan Smith"),
        ("We like Jordan a lot.", "Jordan"),
    ],
)
def test_a_name_that_is_tied_or_not_listed_does_not_pass(text: str, name: str) -> None:
    assert passes(text, name) == []


@pytest.mark.parametrize(("value", "kind"), [("415-555-0133", EntityType.PHONE), ("m@example.org", EntityType.EMAIL)])
def test_a_private_value_in_the_sentence_or_the_next_line_ties(value: str, kind: EntityType) -> None:
    for text in (f"Ask Michael Jordan ({value}) for it.", f"The list:\nMichael Jordan\n{value}\n"):
        spans = (span(text, "Michael Jordan"), span(text, value, kind))
        assert LISTED.let_pass(text, spans) == spans
    text = f"Who is Michael Jordan? The number is {value}."
    assert LISTED.let_pass(text, (span(text, "Michael Jordan"), span(text, value, kind)))[0].level is Level.PL1


def test_one_tied_occurrence_masks_all_and_other_spellings_too() -> None:
    text = "Is Taylor Swift on tour? My friend 泰勒·斯威夫特 asks."
    assert passes(text, "Taylor Swift", "泰勒·斯威夫特") == []


def test_the_surname_passes_beside_the_full_name_only() -> None:
    assert passes("Was Leo Tolstoy rich? I like how Swift sings.", "Leo Tolstoy", "Swift") == ["Leo Tolstoy"]
    text = "Is Taylor Swift on tour? Is Swift rich? Is Taylor?"
    full, swift = span(text, "Taylor Swift"), span(text, "Swift", start=text.index("Swift rich"))
    first = span(text, "Taylor", start=text.index("Taylor?"))
    assert [s.level for s in LISTED.let_pass(text, (full, swift, first))] == [Level.PL1, Level.PL1, Level.PL2]


def test_a_name_that_is_masked_is_never_masked_in_half() -> None:
    text = "My neighbour Albert Einstein came."
    (found,) = LISTED.let_pass(text, [span(text, "Einstein")])
    assert (found.surface, found.level) == ("Albert Einstein", Level.PL2)


kinds = st.sampled_from([kind for kind in EntityType if kind not in {EntityType.LITERAL, EntityType.DETAIL}])
words = st.sampled_from(
    ["Taylor Swift", "Einstein", "姚明", "my friend ", "I am ", "Anna", "我叫", ". ", " and ", "x@y"]
)


@given(st.lists(st.tuples(words, st.booleans(), kinds, st.sampled_from(Level)), max_size=10))
def test_only_plain_names_are_ever_lowered(parts: list[tuple[str, bool, EntityType, Level]]) -> None:
    text, spans = "", []
    for word, is_span, kind, level in parts:
        if is_span:
            spans.append(
                PrivateSpan(
                    start=len(text), end=len(text) + len(word), entity_type=kind, level=level, source="t",
                    certainty=90, surface=word,
                )
            )  # fmt: skip
        text += word
    after = LISTED.let_pass(text, spans)
    lowered = {(s.start, s.end) for s in after if s.level is Level.PL1} - {
        (s.start, s.end) for s in spans if s.level is Level.PL1
    }
    plain = {(s.start, s.end) for s in spans if s.entity_type is EntityType.NAME and s.level is Level.PL2}
    assert lowered <= plain
    untouched = [s for s in spans if (s.start, s.end) not in plain]
    covered = {i for s in after for i in range(s.start, s.end)}
    assert all(set(range(s.start, s.end)) <= covered for s in spans)
    assert all(any(t.entity_type is s.entity_type and t.level == s.level for t in after) for s in untouched)


@given(st.text(max_size=40))
def test_an_empty_list_lets_nothing_pass(text: str) -> None:
    spans = [span(text, text)] if text else []
    assert NOBODY.let_pass(text, spans) == tuple(spans)


def test_the_shipped_list_is_well_formed_and_has_every_name_once() -> None:
    figures = parse(SHIPPED.read_text(encoding="utf-8"))
    names = [name for person in figures.added for name in person]
    assert len(figures.added) >= 1000
    assert not figures.removed
    assert len({name.casefold() for name in names}) == len(names)
    assert all(map(LISTED.lists, names))


def test_own_additions_and_removals() -> None:
    own = parse("# mine\nZaphod Example | Z. Example\n- Michael Jordan\n")
    listed = PublicFigures([*parse("Michael Jordan | 迈克尔·乔丹").added, *own.added], removed=own.removed)
    assert listed.lists("Zaphod Example")
    assert listed.lists("Z. Example")
    assert not listed.lists("Michael Jordan")
    assert not listed.lists("迈克尔·乔丹")


@pytest.mark.parametrize("line", ["a | | b", "|", "-", "- |x", "12", "x" * 41])
def test_a_bad_line_is_named_by_its_number(line: str) -> None:
    with pytest.raises(BadListError, match="line 2 "):
        parse(f"Good Name\n{line}")
