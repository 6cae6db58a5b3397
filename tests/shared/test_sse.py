import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_shared.sse import MAX_EVENT, EventTooLongError, SseParser

WIRE = (
    '\ufeff: keep-alive\r\n\r\nevent: x\r\ndata: {"a": "猫🐈"}\r\n\r\n'
    "id: 7\ndata:one\ndata: two\n\nretry: 5\rdata:  three\r\rdata\n\ndata: [DONE]"
).encode()
EVENTS = ['{"a": "猫🐈"}', "one\ntwo", " three", "", "[DONE]"]


def parse(pieces: list[bytes]) -> list[str]:
    parser = SseParser()
    events = [event for piece in pieces for event in parser.feed(piece)]
    return events + parser.close()


def test_every_single_cut_gives_the_same_events() -> None:
    for cut in range(len(WIRE) + 1):
        assert parse([WIRE[:cut], WIRE[cut:]]) == EVENTS


def test_byte_by_byte_gives_the_same_events() -> None:
    assert parse([WIRE[i : i + 1] for i in range(len(WIRE))]) == EVENTS


@given(st.lists(st.integers(0, len(WIRE))))
def test_any_cuts_give_the_same_events(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(WIRE)]
    assert parse([WIRE[a:b] for a, b in itertools.pairwise(edges)]) == EVENTS


def test_the_last_event_without_its_blank_line_is_given_out() -> None:
    assert parse([b"data: x\n"]) == ["x"]
    assert parse([b"data: x"]) == ["x"]
    assert parse([b"data: x\n\n"]) == ["x"]
    assert parse([b""]) == []


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_no_bytes_break_it(pieces: list[bytes]) -> None:
    assert all(isinstance(event, str) for event in parse(pieces))


def test_an_event_without_end_is_refused() -> None:
    parser = SseParser()
    parser.feed(b"data: " + b"x" * (MAX_EVENT - 6))
    with pytest.raises(EventTooLongError):
        parser.feed(b"x")
