import itertools

from hypothesis import given
from hypothesis import strategies as st
from keepmum_cloud.respond.text_stream import TextStream


def run(raw: bytes, cuts: list[int], stops: tuple[str, ...]) -> tuple[list[str], bool]:
    stream = TextStream(stops)
    edges = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    pieces = [stream.feed(raw[a:b]) for a, b in itertools.pairwise(edges)]
    return [*pieces, stream.close()], stream.stopped


@given(st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.integers(0, 80)))
def test_half_characters_are_never_given_out(text: str, cuts: list[int]) -> None:
    pieces, _ = run(text.encode(), cuts, ())
    assert "".join(pieces) == text
    assert "\ufffd" not in "".join(pieces) or "\ufffd" in text


@given(
    st.text("ab<", max_size=30),
    st.lists(st.integers(0, 30)),
    st.lists(st.text("ab<", min_size=1, max_size=4), max_size=3),
)
def test_nothing_of_a_stop_string_is_given_out_at_any_cut(text: str, cuts: list[int], stops: list[str]) -> None:
    pieces, stopped = run(text.encode(), list(range(len(text))), tuple(stops))
    ends = [text.find(stop) for stop in stops if stop in text]
    # fed one character at a time, the stop that is complete first wins
    first = min((text.find(stop) + len(stop) for stop in stops if stop in text), default=None)
    assert stopped == bool(ends)
    if first is None:
        assert "".join(pieces) == text
    else:
        expected = min(text.find(stop) for stop in stops if stop in text[:first])
        assert "".join(pieces) == text[:expected]
    assert run(text.encode(), cuts, tuple(stops))[1] == stopped


def test_half_a_character_at_the_very_end_becomes_a_replacement() -> None:
    assert "".join(run("猫".encode()[:2], [], ())[0]) == "\ufffd"
