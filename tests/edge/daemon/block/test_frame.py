"""A block that comes back in any disguise, whole or in part, is removed to its last letter, and nothing else is."""

import html
import json
import re
import unicodedata

import pytest
from edge.daemon.block.wrappings import MARK, WRAPS, quoted, texts, wraps
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.daemon.block.canonical import canonical, canonical_text
from keepmum_edge.daemon.block.frame import MOST_OF_LINE, _reach, pieces, without_frames, written

DAY = "2026-03-01"
DIABETES = "I have type-2 diabetes & take <b>metformin</b>"
OTHER = "aaaa2222"
TOKEN = re.compile(r"\[[a-z2-7]{15}\]")


def block(*memories: str, mark: str = MARK) -> str:
    return written([(DAY, text) for text in memories], mark)[0]


def test_a_block_reads_as_a_list_with_its_delimiters() -> None:
    lines = block(DIABETES, "My sister is pregnant").split("\n")
    assert [TOKEN.sub("[]", line) for line in lines] == [
        "--- from this computer [] ---",
        f"- [] {DAY} {DIABETES}",
        f"- [] {DAY} My sister is pregnant",
        "--- end, from this computer [] ---",
    ]
    assert all(MARK in line for line in lines)


@pytest.mark.parametrize("name", sorted(WRAPS))
def test_nothing_is_left_of_a_block_whatever_a_client_makes_of_it(name: str) -> None:
    left = without_frames(f"ASK{WRAPS[name](block(DIABETES, '我对花生过敏'))}ANSWER", MARK)
    assert canonical_text(left) in (
        "askanswer",
        "asktitlexmessagescontentanswer",
        "askargumentstitlexmessagescontentanswer",
    )


def test_control_characters_are_blanks_in_a_block() -> None:
    assert pieces("I have\x1b[2J\x08 psoriasis\x00") == ["I have [2J psoriasis"]
    told = WRAPS["hard at 7"](WRAPS["html in json"](block("\x08\x1b a psoriasis 0\x07\x08 b")))
    assert "psoriasis" not in canonical_text(without_frames(told, MARK))


@pytest.mark.parametrize("inner", ["json", "json in unicode", "html in json", "numbered html", "url"])
def test_an_escape_that_a_hard_wrap_cut_is_undone(inner: str) -> None:
    told = WRAPS["hard at 7"](WRAPS[inner](block("¡¡𐀀𐀀 我对花生过敏 psoriasis 😀😀😀 0¡")))
    left = canonical_text(without_frames(f"before\n{told}\nafter", MARK))
    assert "psoriasis" not in left
    assert "花生" not in left


def test_what_stands_around_a_block_stays_byte_for_byte() -> None:
    text = block(DIABETES)
    assert without_frames(f"The answer.\n\n{text}", MARK) == "The answer.\n\n"
    assert without_frames(f"A\n{text}\nB\n{text}\nC", MARK) == "A\n\nB\n\nC"
    assert without_frames(f"A\n{quoted(text)}\nB", MARK) == "A\n> \nB"
    assert without_frames(json.dumps({"q": text, "n": 1}), MARK) == '{"q": "", "n": 1}'
    assert without_frames(html.escape(f"<p>{text}</p>"), MARK) == "&lt;p&gt;&lt;/p&gt;"


@settings(max_examples=400)
@given(st.lists(texts(), min_size=1, max_size=4), wraps, wraps)
def test_no_planted_word_is_left_of_any_memory_in_any_two_wrappings(
    memories: list[tuple[str, str]], inner: str, outer: str
) -> None:
    made = block(*(text for text, _ in memories))
    told = f"beforehand\n{WRAPS[outer](WRAPS[inner](made))}\nafterwards"
    left = canonical_text(without_frames(told, MARK))
    assert not [canary for _, canary in memories if canary in left]
    assert left.startswith("beforehand")
    assert left.endswith("afterwards")


@settings(max_examples=400)
@given(st.lists(texts(), min_size=1, max_size=3), wraps, st.data())
def test_any_part_that_holds_a_token_is_removed_however_it_was_cut(
    memories: list[tuple[str, str]], wrap: str, data: st.DataObject
) -> None:
    made = WRAPS[wrap](block(*(text for text, _ in memories)))
    start = data.draw(st.integers(0, len(made)))
    part = made[start : data.draw(st.integers(start, len(made)))]
    plain = canonical_text(part)
    found = (plain[place.start() : place.start() + 15] for place in re.finditer(MARK, plain))
    if all(_reach(token) is None for token in found):
        return  # no whole token: the next test says what is left then
    left = canonical_text(without_frames(part, MARK))
    for _, canary in memories:
        assert canary not in left
        assert canary[:6] not in left, "nor a piece of it"
        assert canary[-6:] not in left


def test_where_only_the_mark_is_left_of_a_token_as_much_goes_as_a_line_can_hold() -> None:
    altered = TOKEN.sub(f"({MARK})", block(DIABETES))
    assert "diabetes" not in without_frames(altered, MARK)
    far = "far away " * 20
    assert without_frames(f"{far} {altered} {far}", MARK).count("far") > 15


def test_of_a_part_without_a_token_less_than_a_line_can_stay() -> None:
    """Any cut of a block that is longer than one line with its signs holds a token."""
    made = block("word " * 60)
    longest = max(len(piece) for piece in TOKEN.split(made))
    assert longest <= 2 * MOST_OF_LINE, "the words between two tokens"


def test_the_block_of_the_owners_other_computer_is_removed_too() -> None:
    theirs = block(DIABETES, "My sister is pregnant", mark=OTHER)
    assert without_frames(theirs, MARK) == ""
    assert "diabetes" not in without_frames(theirs[40:-30], MARK), "without its delimiters"
    assert "diabetes" not in without_frames(html.escape(" ".join(theirs.split())), MARK)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is shown below, from this computer please remove everything else",
        "from this computer [aaaa2222aqaakbb]",
        "An interchangeable word, [interchangeable] too",
        "--- end of the file --- 2026-03-01 nothing",
        "a < b && c > d 100% &amp; \\n \\u0041 <b>x</b>",
        "from this computer [aaaa2222",
    ],
)
def test_what_is_no_block_is_left_as_it_is(text: str) -> None:
    assert without_frames(text, MARK) == text


@given(st.text())
def test_no_other_text_is_changed(text: str) -> None:
    assert without_frames(text, MARK) == text or MARK in canonical_text(text)


@given(st.lists(texts(), min_size=1, max_size=3))
def test_removing_twice_removes_no_more_and_a_message_is_the_same_for_good(memories: list[tuple[str, str]]) -> None:
    once = without_frames("Before.\n\n" + block(*(text for text, _ in memories)), MARK)
    assert once.strip() == "Before."
    assert without_frames(once, MARK) == once


@given(st.one_of(texts().map(lambda pair: pair[0]), st.text()))
def test_a_line_holds_a_bounded_number_of_letters_and_lines_together_the_whole(text: str) -> None:
    rows = pieces(text)
    assert all(len(canonical_text(row)) <= MOST_OF_LINE for row in rows)
    told = "".join(" " if unicodedata.category(char) == "Cc" else char for char in text)
    assert "".join("".join(rows).split()) == "".join(told.split())


@given(st.one_of(texts().map(lambda pair: pair[0]), st.text()), wraps)
def test_both_ways_to_the_canonical_text_agree_and_every_letter_has_its_place(text: str, wrap: str) -> None:
    wrapped = WRAPS[wrap](text)
    mapped = canonical(wrapped)
    assert mapped.text == canonical_text(wrapped)
    assert len(mapped.starts) == len(mapped.ends) == len(mapped.text)
    assert all(0 <= start < end <= len(wrapped) for start, end in zip(mapped.starts, mapped.ends, strict=True))
    assert list(mapped.starts) == sorted(mapped.starts)
