import itertools

import pytest
from keepmum_cloud.respond.repetition import RepetitionWatch


def tokens_until_loop(tokens: "itertools.chain[bytes]", limit: int = 3000) -> int | None:
    watch = RepetitionWatch()
    return next((n for n, token in enumerate(itertools.islice(tokens, limit), 1) if watch.feed(token)), None)


def numbered(count: int) -> list[bytes]:
    return [f"{n} ".encode() for n in range(count)]


@pytest.mark.parametrize(("length", "expected"), [(1, 193), (26, 218), (64, 256), (128, 512)])
def test_a_sentence_said_for_ever_is_seen(length: int, expected: int) -> None:
    assert tokens_until_loop(itertools.cycle(numbered(length))) == expected


def test_a_loop_is_seen_after_other_text() -> None:
    assert tokens_until_loop(itertools.chain(numbered(500), itertools.cycle([b"so ", b"on "]))) == 500 + 194


@pytest.mark.parametrize(
    "text",
    [
        numbered(3000),
        [*numbered(30), b"refrain "] * 3,
        [b"- "] * 150,
        [b"ha "] * 192,
        [token for n in range(100) for token in (b"item ", str(n).encode(), b"\n")],
    ],
)
def test_lists_verses_and_tables_are_no_loop(text: list[bytes]) -> None:
    assert tokens_until_loop(iter(text)) is None
