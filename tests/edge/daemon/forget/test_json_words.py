import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.daemon.forget.json_words import words_in

MESSAGE = {"role": "user", "content": "my tea", "tool_calls": [{"id": "call_1", "function": {"arguments": '{"a": 1}'}}]}
MEMORY = "mem_" + "a" * 26


def words(*stored: object) -> list[str]:
    return list(words_in("".join(json.dumps(each) for each in stored)))


@pytest.mark.parametrize("of_the_format", ["role", "user", "content", "tool_calls", "function", "arguments", MEMORY])
def test_what_every_request_has_is_no_word_of_anybody(of_the_format: str) -> None:
    found = words(MESSAGE, {"model": "m", "memories": [MEMORY]})
    assert not any(of_the_format in word for word in found)
    assert "my tea" in found


def test_what_somebody_says_counts_also_where_it_is_a_word_of_the_format() -> None:
    assert "user" in words({"role": "assistant", "content": "user"})


def test_names_that_somebody_gave_count() -> None:
    assert {"favourite_tea", "order_jasmine"} <= set(
        words({"name": "order_jasmine", "properties": {"favourite_tea": 1}})
    )


@given(st.text(), st.text())
def test_nothing_said_is_missed(content: str, arguments: str) -> None:
    message = {"content": content, "tool_calls": [{"function": {"arguments": arguments}}]}
    assert {content, arguments} <= set(words(message, message))


@pytest.mark.parametrize("broken", ['{"content": "my tea', "my tea", '{"content": "x"} my tea'])
def test_what_is_no_json_is_read_whole(broken: str) -> None:
    assert any("my tea" in word for word in words_in(broken))
