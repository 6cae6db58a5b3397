import time

from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.phrases import Phrases

pieces = st.text("ab1-密 ", min_size=1, max_size=6)


def by_search(phrases: dict[str, int], text: str) -> set[tuple[int, int]]:
    """Return what `places` should, by looking for each phrase at each place."""

    def cuts(at: int) -> bool:
        return 0 < at < len(text) and all(c.isascii() and c.isalnum() for c in text[at - 1 : at + 1])

    ends: dict[int, list[str]] = {}
    for phrase in phrases:
        for start in range(len(text) - len(phrase) + 1):
            end = start + len(phrase)
            if text.startswith(phrase, start) and not cuts(start) and not cuts(end):
                ends.setdefault(end, []).append(phrase)
    wanted = set()
    for end, found in ends.items():
        rank = -1
        for phrase in sorted(found, key=len, reverse=True):
            if phrases[phrase] > rank:
                wanted.add((end - len(phrase), end))
                rank = phrases[phrase]
    return wanted


@given(st.dictionaries(pieces, st.integers(0, 2), max_size=8), st.text("ab1-密 ", max_size=30))
def test_at_each_end_the_longest_phrase_is_found_and_inside_it_what_ranks_higher(
    phrases: dict[str, int], text: str
) -> None:
    found = list(Phrases(phrases).places(text))
    assert len(found) == len(set(found))
    assert set(found) == by_search(phrases, text)


def test_phrases_that_begin_alike_and_are_of_many_lengths_take_linear_time() -> None:
    def seconds(count: int) -> float:
        phrases = {"head" + "-" * length: 0 for length in range(1, 60)}
        text = ("head" + "-" * 60) * count
        begin = time.process_time()
        assert len(list(Phrases(phrases).places(text))) == 59 * count
        return time.process_time() - begin

    small, large = min(seconds(200) for _ in range(3)), min(seconds(1600) for _ in range(2))
    assert large < 8 * small * 2.5
