import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_shared import ids
from keepmum_shared.codec import MAX_BODY, MAX_DEPTH, MAX_ITEMS, decode, encode, parse_json
from keepmum_shared.errors import MalformedError, TooLargeError, VersionError, WireError
from keepmum_shared.messages import (
    AddMemories,
    ChatMessage,
    ContentDelta,
    Done,
    ErrorBody,
    ErrorResponse,
    Finished,
    FoundMemory,
    FunctionCall,
    MemoriesFound,
    MemoryUsed,
    MemoryWrite,
    PairRequest,
    Sampling,
    SearchMemories,
    SignedSeal,
    Started,
    ToolCall,
    ToolCallDelta,
    TurnEventEnvelope,
    TurnFailed,
    TurnRequest,
    Usage,
)

TURN = ids.TurnId("turn_" + "a" * 26)
POLICY = "0123456789abcdef" * 4
SCOPE = ids.ScopeKey("scope_" + "b" * 26)
MEMORY = ids.MemoryId("mem_" + "c" * 26)
CANARY = "canary-4711"

text = st.text(st.characters(exclude_categories=["Cs"]))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=8,
)
tool_calls = st.builds(ToolCall, id=text, function=st.builds(FunctionCall, name=text, arguments=text))
messages = st.builds(
    ChatMessage,
    role=st.sampled_from(["system", "developer", "user", "assistant", "tool"]),
    content=st.none() | text,
    name=st.none() | text,
    tool_calls=st.none() | st.lists(tool_calls, max_size=2).map(tuple),
    tool_call_id=st.none() | text,
)
turns = st.builds(
    TurnRequest,
    turn=st.just(TURN),
    messages=st.lists(messages, min_size=1, max_size=4).map(tuple),
    sampling=st.builds(
        Sampling,
        n=st.integers(1, 16),
        temperature=st.none() | st.floats(0, 2),
        stop=st.none() | st.lists(text, max_size=4).map(tuple),
        seed=st.none() | st.integers(-(2**53), 2**53),
    ),
    tools=st.none() | st.lists(st.dictionaries(text, json_values, max_size=3), max_size=2).map(tuple),
    tool_choice=st.none() | st.just("auto") | st.dictionaries(text, json_values, min_size=1, max_size=2),
    response_format=st.none() | st.dictionaries(text, json_values, max_size=3),
    scope=st.just(SCOPE),
    memory_read=st.booleans(),
    policy=st.just(POLICY),
    views=st.lists(st.from_regex(r"[A-Za-z0-9]{4}/[a-z]{4}", fullmatch=True), max_size=4, unique=True).map(tuple),
    seal=st.none()
    | st.builds(
        SignedSeal, counter=st.integers(0, 2**53 - 1), total=st.integers(0, 2**53 - 1), signature=st.just("s" * 86)
    ),
)


def plain_turn() -> dict[str, object]:
    return json.loads(encode(TurnRequest(turn=TURN, policy=POLICY, messages=(ChatMessage(role="user", content="hi"),))))


@given(turns)
def test_a_turn_survives_the_wire_and_equal_values_have_equal_bytes(turn: TurnRequest) -> None:
    body = encode(turn)
    assert decode(TurnRequest, body) == turn
    assert encode(decode(TurnRequest, body)) == body


@pytest.mark.parametrize(
    "event",
    [
        Started(model="m"),
        MemoryUsed(memories=(MEMORY,)),
        ContentDelta(text="héllo 猫 🐈", choice=2),
        ToolCallDelta(index=1, id="call_1", name="f", arguments='{"a":'),
        Finished(reason="tool_calls", choice=1),
        Usage(prompt_tokens=3, completion_tokens=4),
        Done(),
        TurnFailed(code="x", message="y", retryable=True),
    ],
    ids=lambda event: event.event,
)
def test_every_event_is_told_apart_by_its_name(event: object) -> None:
    envelope = TurnEventEnvelope(item=event)
    assert decode(TurnEventEnvelope, encode(envelope)) == envelope


@pytest.mark.parametrize(
    ("message", "golden"),
    [
        (
            TurnRequest(
                turn=TURN,
                policy=POLICY,
                messages=(ChatMessage(role="user", content="Grüße an <NAME_1>"),),
                scope=SCOPE,
                views=("v011/food",),
                seal=SignedSeal(counter=1, total=2_000_000_000, signature="s" * 86),
            ),
            (
                '{"memory_read":false,"messages":[{"content":"Grüße an <NAME_1>","role":"user"}],'
                f'"policy":"{POLICY}","protocol":2,'
                f'"sampling":{{"n":1}},"scope":"{SCOPE}",'
                f'"seal":{{"counter":1,"signature":"{"s" * 86}","total":2000000000}},'
                f'"turn":"{TURN}","views":["v011/food"],"writes":[]}}'
            ),
        ),
        (
            TurnEventEnvelope(item=ToolCallDelta(index=0, id="c", name="f")),
            '{"item":{"arguments":"","choice":0,"event":"tool_call","id":"c","index":0,"name":"f"}}',
        ),
        (
            AddMemories(scope=SCOPE, memories=(MemoryWrite(id=MEMORY, text="<NAME_1> 喜欢茶", created_at=1),)),
            (
                f'{{"memories":[{{"created_at":1,"derived_from":[],"id":"{MEMORY}","importance":50,'
                f'"text":"<NAME_1> 喜欢茶","trust":100,"unclassified":true}}],'
                f'"protocol":2,"scope":"{SCOPE}"}}'
            ),
        ),
        (
            ErrorResponse(error=ErrorBody(code="clock_skew", message="m", time=5)),
            '{"error":{"code":"clock_skew","message":"m","retryable":false,"time":5}}',
        ),
        (
            MemoriesFound(memories=(FoundMemory(id=MEMORY, text="t", score=1.5, created_at=2),)),
            f'{{"memories":[{{"created_at":2,"id":"{MEMORY}","score":1.5,"text":"t"}}]}}',
        ),
    ],
    ids=["turn", "tool_call", "add", "error", "found"],
)
def test_golden_wire_vectors(message: object, golden: str) -> None:
    assert encode(message) == golden.encode()
    assert decode(type(message), golden) == message


def test_a_surface_is_never_shown_by_repr() -> None:
    request = TurnRequest(
        turn=TURN,
        policy=POLICY,
        messages=(ChatMessage(role="user", content=CANARY),),
        sampling=Sampling(stop=(CANARY,)),
        tools=({"x": CANARY},),
        response_format={"x": CANARY},
        views=("v011/food",),
    )
    assert CANARY not in repr(request)
    assert "v011" not in repr(request)
    assert CANARY not in repr(PairRequest(secret=CANARY, public_key="k", name="n"))


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({CANARY: 1}, "body"),
        ({"turn": None}, "turn"),
        ({"messages": [{"role": CANARY}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({"messages": {}}, "messages"),
        ({"memory_read": 1}, "memory_read"),
        ({"sampling": {"n": 1.0}}, "sampling.n"),
        ({"sampling": {"n": 99}}, "sampling"),
        ({"sampling": {"temperature": "0"}}, "sampling.temperature"),
        ({"sampling": {"logit_bias": []}}, "sampling.logit_bias"),
        ({"tools": [CANARY]}, "tools[0]"),
        ({"turn": "turn_" + CANARY}, "body"),
        ({"scope": "scope_short"}, "body"),
        ({"memory_read": True}, "body"),
        ({"protocol": True}, "protocol"),
        ({"policy": CANARY}, "body"),
        ({"policy": None}, "policy"),
        ({"policy": POLICY.upper()}, "body"),
        ({"policy": POLICY + "\n"}, "body"),
        ({"views": [CANARY]}, "body"),
        ({"views": ["v011/foods"]}, "body"),
        ({"views": ["v011"]}, "body"),
        ({"views": ["v011/food\n"]}, "body"),
        ({"views": ["v011/food", "v011/food"]}, "body"),
        ({"views": [f"v{number:03}/food" for number in range(17)]}, "body"),
        ({"seal": {"counter": -1, "total": 0, "signature": "s" * 86}}, "seal"),
        ({"seal": {"counter": 1, "total": 2**53, "signature": "s" * 86}}, "seal"),
        ({"seal": {"counter": 1, "total": 0, "signature": CANARY}}, "seal"),
        ({"seal": {"counter": 1, "total": 0, "signature": "s" * 85 + "="}}, "seal"),
        ({"seal": {"counter": 1, "total": 0.5, "signature": "s" * 86}}, "seal.total"),
        ({"seal": {"counter": 1, "total": 0}}, "seal.signature"),
    ],
)
def test_a_wrong_field_is_named_and_its_value_is_not(change: dict[str, object], path: str) -> None:
    with pytest.raises(MalformedError) as caught:
        decode(TurnRequest, json.dumps(plain_turn() | change))
    assert str(caught.value).startswith(path + ":")
    assert CANARY not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_missing_field_is_named() -> None:
    body = plain_turn()
    del body["messages"]
    with pytest.raises(MalformedError, match="messages: is missing"):
        decode(TurnRequest, json.dumps(body))


def test_a_missing_version_is_refused() -> None:
    body = plain_turn()
    del body["protocol"]
    with pytest.raises(MalformedError, match="protocol: is missing"):
        decode(TurnRequest, json.dumps(body))


def test_another_version_is_named_before_its_unknown_fields() -> None:
    with pytest.raises(VersionError, match="version 3 arrived, this half speaks 2"):
        decode(TurnRequest, json.dumps(plain_turn() | {"protocol": 3, "new_field": 1}))


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":1,"a":1}',
        b'{"a":NaN}',
        b'{"a":-Infinity}',
        b'{"a":1e999}',
        b'{"a":"\\ud800"}',
        b'{"\\udc00":1}',
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\x80"}',
        b"\xef\xbb\xbf{}",
        b"{} {}",
        b"",
        b"{'a':1}",
        b"[" * 100_000,
        b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2),
        b"1" * 5000,
    ],
)
def test_malformed_json_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedError):
        parse_json(body)


@given(st.binary(max_size=60))
def test_no_bytes_raise_anything_but_wire_errors(body: bytes) -> None:
    try:
        decode(SearchMemories, body)
    except MalformedError:
        return


RELEASED = st.from_regex(r"[a-z0-9]{3,5}/?[a-z]{3,5}", fullmatch=True) | text
SEALS = st.fixed_dictionaries(
    {},
    optional={
        "counter": st.integers(-1, 2**54) | json_values,
        "total": st.integers(-1, 2**54) | json_values,
        "signature": st.text("sS-_=", min_size=85, max_size=87) | json_values,
        "more": json_values,
    },
)


@given(
    policy=st.text("0123456789abcdefA", min_size=63, max_size=65) | json_values,
    views=st.lists(RELEASED, max_size=18) | json_values,
    seal=SEALS | json_values,
)
def test_what_is_read_of_policy_views_and_seal_has_its_form_and_is_written_as_it_came(
    policy: object, views: object, seal: object
) -> None:
    body = plain_turn() | {"policy": policy, "views": views} | ({} if seal is None else {"seal": seal})
    try:
        turn = decode(TurnRequest, json.dumps(body))
    except WireError:
        return
    assert re.fullmatch("[0-9a-f]{64}", turn.policy)
    assert len(turn.views) == len(set(turn.views)) <= 16
    assert {len(view) for view in turn.views} <= {9}
    assert json.loads(encode(turn)) == body


def test_an_oversized_body_is_refused_by_bytes_not_characters() -> None:
    with pytest.raises(TooLargeError):
        parse_json(b" " * (MAX_BODY + 1))
    with pytest.raises(TooLargeError):
        parse_json('"' + "猫" * (MAX_BODY // 3 + 1) + '"')


def test_an_oversized_list_is_refused() -> None:
    body = plain_turn() | {"views": ["v"] * (MAX_ITEMS + 1)}
    with pytest.raises(TooLargeError, match="views"):
        decode(TurnRequest, json.dumps(body))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_not_written(value: float) -> None:
    with pytest.raises(MalformedError):
        encode(Sampling(temperature=value))


def test_a_lone_surrogate_is_not_written() -> None:
    with pytest.raises(MalformedError):
        encode(ContentDelta(text="\ud800"))


def test_a_time_beyond_the_store_is_refused() -> None:
    with pytest.raises(ValueError, match="created_at"):
        MemoryWrite(id=MEMORY, text="t", created_at=2**63)
