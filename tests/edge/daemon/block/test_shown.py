"""Lines that were shown are found without any frame, by keyed digests alone."""

import pytest
from edge.daemon.block.wrappings import WRAPS, texts, wraps
from hypothesis import assume, given
from keepmum_edge.daemon.block.canonical import canonical_text
from keepmum_edge.daemon.block.frame import without_frames, written
from keepmum_edge.daemon.block.shown import ShownLines
from keepmum_edge.daemon.identity import Digester

DAY = "2026-03-01"
LINE = f"{DAY} I have type-2 diabetes"


def shown(*contents: str, key: bytes = bytes(32)) -> ShownLines:
    lines = ShownLines(lambda text: Digester(key).name("shown line", text))
    for content in contents:
        lines.add(lines.line(content))
    return lines


@pytest.mark.parametrize("wrap", sorted(WRAPS))
def test_a_line_is_found_without_its_token_whatever_a_client_makes_of_it(wrap: str) -> None:
    left = shown(LINE).without(f"beforehand {WRAPS[wrap](f'- {LINE}')} afterwards")
    assert "diabetes" not in canonical_text(left)
    assert canonical_text(left).startswith("beforehand")
    assert canonical_text(left).endswith("afterwards")


@given(texts(), wraps)
def test_a_line_of_any_text_is_found(memory: tuple[str, str], wrap: str) -> None:
    text, canary = memory
    breaks_escapes = wrap.startswith("hard") and any(sign in text for sign in "\\&%<")
    assume(not breaks_escapes)  # of such a line its token alone tells
    _, contents = written([(DAY, text)], "k7f3q2mz")
    lines = shown(*contents)
    for content in contents:
        assert canary not in canonical_text(lines.without(WRAPS[wrap](f"a {content} b")))


def test_what_was_not_shown_stays_and_so_does_what_the_owner_says_without_the_day() -> None:
    lines = shown(LINE)
    for text in ("I have type-2 diabetes", f"{DAY} I have type-1 diabetes", "2026-03-02 I have type-2 diabetes", DAY):
        assert lines.without(text) == text


def test_digests_are_keyed_and_hold_no_text() -> None:
    line = shown().line(LINE)
    assert (len(line.digest), line.length) == (32, len(canonical_text(LINE)))
    assert line.digest != shown(key=bytes(31) + b"1").line(LINE).digest
    assert shown(LINE).knows(line)
    assert not shown().knows(line)


def test_a_line_whose_token_was_cut_in_the_middle_is_known_by_its_words() -> None:
    block, contents = written([(DAY, "I have type-2 diabetes")], "k7f3q2mz")
    (row,) = (row for row in block.split("\n") if "diabetes" in row)
    cut = row[8:]
    assert "diabetes" in without_frames(cut, "k7f3q2mz"), "its own token says nothing any more"
    assert "diabetes" not in shown(*contents).without(cut)
