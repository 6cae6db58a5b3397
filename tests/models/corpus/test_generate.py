import gzip
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest
from keepmum_models.__main__ import main
from keepmum_models.corpus import generate, overlap
from keepmum_models.corpus.compose import STYLES, STYLES_OF
from keepmum_models.corpus.generate import Message
from keepmum_models.corpus.overlap import Fence, SharedEntityError, entities
from keepmum_models.corpus.scenarios import SCENARIOS
from keepmum_models.corpus.splits import Split
from keepmum_models.corpus.writer import as_json
from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType, default_level


@pytest.fixture(scope="module")
def training() -> Sequence[Message]:
    return tuple(generate.training(6000, seed=7))


@pytest.fixture(scope="module")
def held_back() -> Sequence[Message]:
    return tuple(generate.held_back(seed=7))


def test_equal_seeds_give_equal_corpora_and_others_do_not() -> None:
    first, again, other = (list(map(as_json, generate.training(150, seed=seed))) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_spans_are_inside_the_text_sorted_and_free_of_overlap(training: Sequence[Message]) -> None:
    for message in training:
        at = 0
        for span in sorted(message.labelled.private + message.labelled.public, key=lambda found: found.start):
            assert at <= span.start < span.end <= len(message.labelled.text), message.identity
            at = span.end


def test_a_span_neither_begins_nor_ends_with_a_blank(training: Sequence[Message]) -> None:
    for message in training:
        for span in message.labelled.private:
            surface = message.labelled.text[span.start : span.end]
            assert surface == surface.strip(), (message.identity, span.entity_type)


def test_every_type_style_scenario_and_both_languages_are_there(training: Sequence[Message]) -> None:
    types = Counter((m.language, span.entity_type) for m in training for span in m.labelled.private)
    wanted = [kind for kind in EntityType if kind not in NOT_A_LEVEL]
    assert [(lang, kind) for lang in generate.LANGUAGES for kind in wanted if types[lang, kind] < 25] == []
    assert {message.style for message in training} == STYLES.keys() | STYLES_OF["en"].keys() | STYLES_OF["zh"].keys()
    assert {message.scenario for message in training} == {scenario.label for scenario in SCENARIOS}
    assert Counter(message.language for message in training) == {"en": 3000, "zh": 3000}


def test_there_are_five_spans_a_message_and_values_seldom_repeat(training: Sequence[Message]) -> None:
    surfaces = [m.labelled.text[s.start : s.end] for m in training for s in m.labelled.private]
    assert len(surfaces) >= 5 * len(training)
    assert len(set(surfaces)) >= 0.5 * len(surfaces)


def test_negatives_carry_no_private_span(training: Sequence[Message]) -> None:
    negatives = [message for message in training if message.style == "negative"]
    assert len(negatives) > 500
    assert all(not message.labelled.private for message in negatives)
    assert sum(bool(message.labelled.public) for message in negatives) > 50


def test_messages_repeat_seldom(training: Sequence[Message]) -> None:
    private = [message.labelled.text for message in training if message.labelled.private]
    assert len(set(private)) >= 0.97 * len(private)


def test_held_back_users_are_twenty_of_each_language(held_back: Sequence[Message]) -> None:
    users = {(message.user, message.language) for message in held_back}
    assert Counter(language for _, language in users) == {"en": 20, "zh": 20}


def test_no_entity_of_the_held_back_users_occurs_in_training(
    training: Sequence[Message], held_back: Sequence[Message]
) -> None:
    assert len(entities(held_back)) > 2000
    assert entities(training).isdisjoint(entities(held_back))


def test_no_name_of_a_held_back_user_occurs_anywhere_in_training_text(
    training: Sequence[Message], held_back: Sequence[Message]
) -> None:
    names = {
        _words(message.labelled.text[span.start : span.end])
        for message in held_back
        for span in message.labelled.private
        if span.entity_type is EntityType.NAME and span.end - span.start > 8
    }
    text = "\n".join(_words(message.labelled.text) for message in training)
    assert len(names) > 300
    assert [name for name in names if name in text] == []


def _words(text: str) -> str:
    """The words of a text between blanks: a given name may well be the beginning of another's family name."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    return f" {' '.join(words)} "


def test_the_fence_stops_a_shared_entity(held_back: Sequence[Message]) -> None:
    shared = next(m for m in held_back if any(s.entity_type not in overlap.SHARED_WORDS for s in m.labelled.private))
    with pytest.raises(SharedEntityError):
        Fence(held_back).check(shared)


def test_facts_of_a_user_stay_the_same(training: Sequence[Message]) -> None:
    by_user: dict[str, Counter[str]] = {}
    for message in training:
        names = by_user.setdefault(message.user, Counter())
        names.update(message.labelled.text[s.start : s.end] for s in message.labelled.private)
    recurring = [user for user, surfaces in by_user.items() if surfaces.most_common(1)[0][1] >= 3]
    assert len(recurring) >= 0.8 * len(by_user)


def test_the_command_writes_equal_files_for_equal_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("one", "two"):
        assert main(["corpus", "--out", str(tmp_path / folder), "--messages", "120", "--seed", "5", "--json"]) == 0
    first, second = ((tmp_path / folder / "train.jsonl.gz").read_bytes() for folder in ("one", "two"))
    assert first == second
    rows = [json.loads(line) for line in gzip.decompress(first).decode().splitlines()]
    assert len(rows) == 120
    assert {"id", "user", "lang", "scenario", "text", "spans"} <= rows[0].keys()
    for row in rows:
        for span in row["spans"]:
            assert span["level"] == default_level(EntityType(span["type"])).name
    assert json.loads(capsys.readouterr().out.splitlines()[0])["messages"] == 120


def test_a_user_can_be_made_alone(training: Sequence[Message]) -> None:
    alone = list(islice(generate.messages_of(4, seed=7, split=Split.TRAINING), 5))
    together = [message for message in training if message.user == "u00004"][:5]
    assert alone == together
