import random

import pytest

pytest.importorskip("tokenizers", reason="the extra `edge` is not installed")

from hypothesis import given
from hypothesis import strategies as st
from keepmum_inference.labels import ALL_TYPES, BEGIN, END, INSIDE, OUTSIDE, SINGLE
from keepmum_inference.subwords import Subwords
from keepmum_models.dataset import Piecewise, batches, cut
from keepmum_models.examples import CORPUS, Example, Marked, lowered
from keepmum_models.labels import Targets
from keepmum_models.vocabulary import SPECIAL, build_tokenizer, choose_pieces
from keepmum_shared.taxonomy import EntityType, Level

LETTERS = [(c, -9.0) for c in "abcdefghijklmnopqrstuvwxyzISTO我叫李明,.-0123456789▁"]
WORDS = [("▁Tana", -4.0), ("ka", -4.0), ("▁am", -3.0), ("▁I", -3.0), ("▁Ann", -4.0), ("▁,x", -2.0), ("李明", -2.0)]
VOCABULARY = [(mark, 0.0) for mark in SPECIAL] + LETTERS + WORDS
SUBWORDS = Subwords(build_tokenizer(VOCABULARY).to_str())


def example(text: str, *surfaces: str, label: str = "NAME") -> Example:
    spans = [Marked(start=text.index(s), end=text.index(s) + len(s), label=label, level=Level.PL2) for s in surfaces]
    return Example(source=CORPUS, id="1", lang="en", is_dev=False, text=text, spans=tuple(spans))


def parts(item: Piecewise) -> list[int]:
    return [-1 if t == OUTSIDE else (int(t) - 1) % 4 for t in item.targets]


def test_pieces_of_a_span_are_begin_inside_end_and_a_lone_one_single() -> None:
    (item,) = cut(example("I am Tanaka, Ann", "Tanaka", "Ann"), SUBWORDS, Targets(), size=50, overlap=0)
    assert parts(item) == [-1, -1, -1, BEGIN, END, -1, SINGLE, -1]
    assert {ALL_TYPES.type_of(int(t)) for t in item.targets if t != OUTSIDE} == {EntityType.NAME}
    assert [int(v) for v in item.levels if v >= 0] == [1, 1, 1]


def test_a_chinese_span_begins_and_ends_between_characters() -> None:
    (item,) = cut(example("我叫李明", "李明"), SUBWORDS, Targets(), size=50, overlap=0)
    assert parts(item)[-3:] == [BEGIN, END, -1]


def test_a_long_text_is_cut_and_not_truncated() -> None:
    text = "I am " * 60 + "Tanaka"
    items = list(cut(example(text, "Tanaka"), SUBWORDS, Targets(), size=20, overlap=4))
    assert len(items) > 5
    assert all(len(item.ids) <= 22 for item in items)
    assert END in parts(items[-1])
    assert INSIDE not in parts(items[0])


@given(seed=st.integers(0, 99), budget=st.integers(10, 200))
def test_batches_hold_every_window_once_and_keep_to_their_size(seed: int, budget: int) -> None:
    texts = ["I am " * (1 + i % 7) for i in range(40)]
    items = [item for t in texts for item in cut(example(t), SUBWORDS, Targets(), size=50, overlap=0)]
    made = list(batches(items, pieces=budget, rng=random.Random(seed)))
    assert sum(len(b.ids) for b in made) == len(items)
    assert sum(int(b.mask.sum()) for b in made) == sum(len(i.ids) for i in items)
    assert all(b.ids.size <= budget or len(b.ids) == 1 for b in made)


def test_offsets_do_not_count_the_blank_before_a_word() -> None:
    text = "I am\n\tAnn 我\ud800"
    pieces = SUBWORDS.encode(text)
    found = [text[a:b] for a, b in zip(pieces.starts, pieces.ends, strict=True) if b > a]
    assert found == ["I", "am", "Ann", "我", "\ud800"]


@given(st.text(max_size=60))
def test_any_text_can_be_read_and_its_pieces_lie_inside_it(text: str) -> None:
    pieces = SUBWORDS.encode(text)
    assert all(0 <= a <= b <= len(text) for a, b in zip(pieces.starts, pieces.ends, strict=True))
    assert all(a <= b for a, b in zip(pieces.starts, pieces.starts[1:], strict=False))


def test_the_vocabulary_keeps_single_characters_and_what_is_used_and_nothing_mixed() -> None:
    kept = [VOCABULARY[i][0] for i in choose_pieces(VOCABULARY, ["I am Tanaka"], size=len(SPECIAL) + len(LETTERS) + 5)]
    assert kept[:4] == list(SPECIAL)
    assert {"▁Tana", "ka", "▁am", "我"} <= set(kept)
    assert not {"▁,x", "李明"} & set(kept)


def test_lower_case_keeps_offsets_or_leaves_the_text() -> None:
    assert lowered(example("I am Ann")).text == "i am ann"
    assert lowered(example("İ am Ann")).text == "İ am Ann"
