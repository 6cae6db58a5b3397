"""What one conversation told is masked in another in which the extractor would not find it, until it is forgotten."""

from collections.abc import Iterator

import pytest
from halves import Halves, paired_halves, without_memories
from scripted_openai import Scripted, scripted_openai

OK = {"steps": [{"content": "Noted."}, {"finish": "stop"}, {"done": True}]}
ASKED = "what is the weather for clara berg in Bath?"
MASKED = "what is the weather for <NAME_1> in Bath?"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [OK]) as running:
        yield running


@pytest.fixture
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    """The rules alone, which do not find a name in such a question."""
    with paired_halves(tmp_path_factory.mktemp("home"), model, edge_flags=["--rules-only"]) as running:
        yield running


def sent(halves: Halves, text: str, **headers: str) -> str:
    halves.say(text, **headers)
    return without_memories(str(halves.sent()[-1][-1]["content"]))


def test_a_name_of_another_conversation_is_masked_also_after_a_restart_and_until_it_is_forgotten(
    halves: Halves,
) -> None:
    assert sent(halves, ASKED, conversation="one") == ASKED
    assert sent(halves, "My name is Clara Berg.", conversation="two") == "My name is <NAME_1>."
    assert sent(halves, ASKED, conversation="three") == MASKED
    assert sent(halves, ASKED, mode="incognito") == MASKED
    assert sent(halves, ASKED, audience="bob", conversation="four") == ASKED
    assert sent(halves, "My password is kestrel42.", conversation="seven") == "My password is <PASSWORD_100001>."
    assert sent(halves, "My password is plover-77.", mode="incognito") == "My password is <PASSWORD_1>."
    asked = "is kestrel42 a bird, or plover-77?"
    assert sent(halves, asked, conversation="eight") == "is <PASSWORD_100001> a bird, or plover-77?"
    assert sent(halves, asked, audience="bob", conversation="nine") == asked
    assert halves.edge.stop() == 0
    halves.start_edge()
    assert sent(halves, ASKED, conversation="five") == MASKED
    shown = halves.owner.post("/forget/preview", json={"matching": "clara berg"}).json()
    done = halves.owner.post("/forget", json={"matching": "clara berg", "digest": shown["digest"]})
    assert done.status_code == 200, done.text
    assert sent(halves, ASKED, conversation="six") == ASKED
    log = halves.edge.log.read_text().lower()
    assert "clara" not in log
    assert "kestrel" not in log
