import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.daemon.chat import ChatRequest, Context
from keepmum_edge.daemon.identity import DIGEST_SIZE, Digester
from keepmum_edge.errors import InvalidRequestError
from keepmum_shared.messages import ChatMessage, FunctionCall, Sampling, ToolCall

DIGESTER = Digester(bytes(32))
HI = ChatMessage(role="user", content="hi")


def call(arguments: str, name: str = "f", id_: str = "c1") -> ChatMessage:
    return ChatMessage(
        role="assistant", tool_calls=(ToolCall(id=id_, function=FunctionCall(name=name, arguments=arguments)),)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ChatMessage(role="assistant", content=" so \n"), ChatMessage(role="assistant", content="so")),
        (ChatMessage(role="user", content=""), ChatMessage(role="user", content=None)),
        (call('{"a": 1, "b":2}'), call('{"b":2,"a":1}')),
        (call("{}"), dataclasses.replace(call("{}"), content="")),
        (call('{"a":"\\u00e9"}'), call('{"a":"é"}')),
    ],
)
def test_copies_that_clients_make_of_one_message_are_that_message(one: ChatMessage, other: ChatMessage) -> None:
    assert DIGESTER.message(one) == DIGESTER.message(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (HI, ChatMessage(role="user", content="hi ")),
        (HI, ChatMessage(role="assistant", content="hi")),
        (HI, ChatMessage(role="user", content="hi", name="ada")),
        (
            ChatMessage(role="tool", content="x", tool_call_id="1"),
            ChatMessage(role="tool", content="x", tool_call_id="2"),
        ),
        (call('{"a":1}'), call('{"a":2}')),
        (call('{"a":1}'), call('{"a":"1"}')),
        (call("{}"), call("{}", name="g")),
        (call("{}"), call("{}", id_="c2")),
        (call("{"), call("{ ")),
    ],
)
def test_messages_that_differ_have_different_digests(one: ChatMessage, other: ChatMessage) -> None:
    assert DIGESTER.message(one) != DIGESTER.message(other)


texts = st.lists(st.sampled_from(["hi", "ho", "", "hihi"]), min_size=1, max_size=4)


@given(texts, texts)
def test_equal_chains_are_equal_histories(one: list[str], other: list[str]) -> None:
    first = DIGESTER.history([ChatMessage(role="user", content=text) for text in one]).chains
    second = DIGESTER.history([ChatMessage(role="user", content=text) for text in other]).chains
    assert (first[-1] == second[-1]) is (one == other)
    shared = sum(a == b for a, b in zip(first, second, strict=False))
    assert one[:shared] == other[:shared]


def test_a_chain_grows_by_one_message() -> None:
    chain = DIGESTER.history((HI, HI)).chains
    assert chain[1] == DIGESTER.extend(chain[0], DIGESTER.message(HI))
    assert chain[0] != chain[1]


def test_the_same_words_in_two_scopes_have_two_chains_and_one_digest_of_each_message() -> None:
    general, project = DIGESTER.history((HI, HI)), DIGESTER.history((HI, HI), "work")
    assert general.messages == project.messages
    assert not set(general.chains) & set(project.chains)
    assert general == DIGESTER.history((HI, HI), "user")


def test_digests_are_keyed_and_of_one_size() -> None:
    other = Digester(bytes([1] * 32))
    assert DIGESTER.message(HI) != other.message(HI)
    assert DIGESTER.name("conversation", "a") != DIGESTER.name("idempotency", "a")
    assert len(DIGESTER.message(HI)) == len(DIGESTER.name("k", "n")) == DIGEST_SIZE


@pytest.mark.parametrize(
    "change",
    [
        {"messages": (HI, HI)},
        {"sampling": Sampling(n=2)},
        {"tools": ({"a": 1},)},
        {"tool_choice": "auto"},
        {"response_format": {}},
    ],
)
def test_every_part_of_a_request_makes_it_another(change: dict[str, object]) -> None:
    chat = ChatRequest(messages=(HI,))
    digest = DIGESTER.request(chat, Context())
    assert digest == DIGESTER.request(ChatRequest(messages=(HI,)), Context())
    assert digest != DIGESTER.request(dataclasses.replace(chat, **change), Context())
    assert digest != DIGESTER.request(chat, Context(scope="work"))
    assert digest != DIGESTER.request(chat, Context(mode="incognito"))


def test_a_lone_surrogate_is_refused_without_its_text() -> None:
    bad = ChatMessage(role="user", content="canary \ud800")
    for digest in (lambda: DIGESTER.message(bad), lambda: DIGESTER.request(ChatRequest(messages=(bad,)), Context())):
        with pytest.raises(InvalidRequestError) as caught:
            digest()
        assert "canary" not in repr(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__
