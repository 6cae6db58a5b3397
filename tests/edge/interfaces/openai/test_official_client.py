import json

import openai
import pytest
from edge.interfaces.scripted_service import PLAIN, ScriptedService, refusal_of
from keepmum_edge.daemon.chat import FromThisComputer, HereOnly, MemoriesUsed
from keepmum_edge.errors import (
    CloudBrokeOffError,
    CloudRefusedError,
    CloudTimeoutError,
    CloudUnreachableError,
    ExtractorUnavailableError,
    IdempotencyConflictError,
    NotPairedError,
    UnrestorableArgumentsError,
)
from keepmum_shared.ids import new_memory_id
from keepmum_shared.messages import ContentDelta, Finished, ToolCallDelta, Usage

HI = [{"role": "user", "content": "hi"}]
TWO_CALLS = (
    ToolCallDelta(index=0, id="call_1", name="send"),
    ToolCallDelta(index=0, arguments='{"to":'),
    ToolCallDelta(index=1, id="call_2", name="look"),
    ToolCallDelta(index=0, arguments='"Ines"}'),
    ToolCallDelta(index=1, arguments="{}"),
    Finished(reason="tool_calls"),
    Usage(prompt_tokens=5, completion_tokens=7),
)
TOOL = {"type": "function", "function": {"name": "send", "parameters": {"type": "object", "properties": {}}}}


def ask(endpoint, messages=HI, **fields):
    return endpoint.client(max_retries=0).chat.completions.create(model="any", messages=messages, **fields)


def test_a_completion(serve):
    answer = ask(serve())
    assert (answer.choices[0].message.content, answer.choices[0].finish_reason) == ("Hello", "stop")
    assert (answer.object, answer.model, answer.created) == ("chat.completion", "scripted-1", 1_800_000_000)
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (3, 2, 5)


def test_a_stream_has_one_id_one_role_and_no_usage_unless_asked(serve):
    chunks = list(ask(serve(), stream=True))
    assert len({(chunk.id, chunk.created, chunk.model, chunk.object) for chunk in chunks}) == 1
    deltas = [chunk.choices[0].delta for chunk in chunks]
    assert [delta.role for delta in deltas] == ["assistant", None, None, None]
    assert "".join(delta.content or "" for delta in deltas) == "Hello"
    assert [chunk.choices[0].finish_reason for chunk in chunks] == [None, None, None, "stop"]
    assert all(chunk.usage is None for chunk in chunks)


def test_usage_is_one_last_chunk_without_choices(serve):
    *others, last = ask(serve(), stream=True, stream_options={"include_usage": True})
    assert last.choices == []
    assert last.usage.total_tokens == 5
    assert all(chunk.usage is None and chunk.choices for chunk in others)


def test_choices_of_one_answer_stay_apart(serve):
    script = (
        ContentDelta(text="a", choice=1),
        ContentDelta(text="b"),
        ContentDelta(text="c", choice=1),
        Finished(reason="length", choice=1),
        Finished(reason="stop"),
    )
    endpoint = serve(ScriptedService(script=script))
    whole = ask(endpoint, n=2)
    expected = [(0, "b", "stop"), (1, "ac", "length")]
    assert [(choice.index, choice.message.content, choice.finish_reason) for choice in whole.choices] == expected
    streamed = {0: "", 1: ""}
    roles = []
    for chunk in ask(endpoint, n=2, stream=True):
        streamed[chunk.choices[0].index] += chunk.choices[0].delta.content or ""
        roles.append(chunk.choices[0].delta.role)
    assert streamed == {0: "b", 1: "ac"}
    assert roles.count("assistant") == 2
    assert endpoint.service.asked[0][0].sampling.n == 2


def test_tool_calls_streamed_and_whole_are_the_same(serve):
    endpoint = serve(ScriptedService(script=TWO_CALLS))
    message = ask(endpoint, tools=[TOOL]).choices[0].message
    assert message.content is None
    whole = [(call.id, call.function.name, call.function.arguments) for call in message.tool_calls]
    assert whole == [("call_1", "send", '{"to":"Ines"}'), ("call_2", "look", "{}")]
    with endpoint.client().chat.completions.stream(model="any", messages=HI, tools=[TOOL]) as stream:
        final = stream.get_final_completion()
    streamed = [(call.id, call.function.name, call.function.arguments) for call in final.choices[0].message.tool_calls]
    assert streamed == whole
    assert final.choices[0].finish_reason == "tool_calls"


def test_an_answer_can_be_replayed_into_the_history(serve):
    endpoint = serve(ScriptedService(script=TWO_CALLS))
    message = ask(endpoint, tools=[TOOL]).choices[0].message
    history = [*HI, message, {"role": "tool", "tool_call_id": "call_1", "content": "done"}]
    ask(endpoint, messages=history, tools=[TOOL])
    sent = endpoint.service.asked[-1][0].messages
    assert [item.role for item in sent] == ["user", "assistant", "tool"]
    assert [call.id for call in sent[1].tool_calls] == ["call_1", "call_2"]
    whole = serve()
    ask(whole, messages=[*HI, ask(whole).choices[0].message.model_dump(), *HI])
    assert whole.service.asked[-1][0].messages[1].content == "Hello"


def test_the_owner_is_told_which_memories_were_used_and_which_turn_it_was(serve):
    memory = new_memory_id()
    endpoint = serve(ScriptedService(script=(MemoriesUsed(memories=(memory,)), *ScriptedService().script)))
    raw = endpoint.client().chat.completions.with_raw_response.create(model="any", messages=HI)
    assert raw.headers["x-keepmum-turn"].startswith("turn_")
    assert raw.headers["x-keepmum-conversation"].startswith("conv_")
    assert raw.parse().keepmum == {"memories": [memory]}
    first, *others = ask(endpoint, stream=True)
    assert first.keepmum == {"memories": [memory]}
    assert not any(hasattr(chunk, "keepmum") for chunk in others)


def test_another_audience_is_told_neither(serve):
    endpoint = serve(ScriptedService(script=(MemoriesUsed(memories=(new_memory_id(),)), *ScriptedService().script)))
    client = endpoint.client(default_headers={"X-Keepmum-Audience": "bob"})
    for stream in (False, True):
        raw = client.chat.completions.with_raw_response.create(model="any", messages=HI, stream=stream)
        assert not [name for name in raw.headers if name.startswith("x-keepmum")]
        assert b"keepmum" not in raw.http_response.read()


def test_a_retry_of_the_client_says_so_and_succeeds(serve):
    service = ScriptedService(refusals=[refusal_of(CloudUnreachableError)])
    endpoint = serve(service)
    answer = endpoint.client(max_retries=2).chat.completions.create(model="any", messages=HI)
    assert answer.choices[0].message.content == "Hello"
    assert [attempt.retry_count for _, _, attempt in service.asked] == [0, 1]


@pytest.mark.parametrize(
    ("error", "raised", "status", "code", "kind"),
    [
        (NotPairedError(), openai.InternalServerError, 503, "not_paired", "cloud_error"),
        (
            CloudRefusedError("too long", cloud_code="context_length_exceeded", status=400),
            openai.BadRequestError,
            400,
            "context_length_exceeded",
            "cloud_error",
        ),
        (
            CloudRefusedError("device unknown", cloud_code="unknown_device", status=401),
            openai.InternalServerError,
            502,
            "unknown_device",
            "cloud_error",
        ),
        (
            IdempotencyConflictError("another body"),
            openai.UnprocessableEntityError,
            422,
            "idempotency_conflict",
            "invalid_request_error",
        ),
        (
            UnrestorableArgumentsError("withheld"),
            openai.UnprocessableEntityError,
            422,
            "unrestorable_tool_arguments",
            "invalid_request_error",
        ),
    ],
)
def test_an_error_that_will_not_pass_is_not_retried(serve, error, raised, status, code, kind):
    service = ScriptedService(refusals=[error, error])
    with pytest.raises(raised) as caught:
        serve(service).client(max_retries=2).chat.completions.create(model="any", messages=HI)
    assert (caught.value.status_code, caught.value.code, caught.value.type) == (status, code, kind)
    assert len(service.asked) == 1


@pytest.mark.parametrize("kind", [CloudUnreachableError, CloudTimeoutError])
def test_an_error_that_may_pass_is_retried(serve, kind):
    service = ScriptedService(refusals=[refusal_of(kind), refusal_of(kind)])
    with pytest.raises(openai.InternalServerError) as caught:
        serve(service).client(max_retries=1).chat.completions.create(model="any", messages=HI)
    assert caught.value.status_code == kind.http_status
    assert len(service.asked) == 2


def test_a_detector_that_fails_is_a_503_that_names_the_part_to_the_owner(serve):  # case api-011
    service = ScriptedService(refusals=[ExtractorUnavailableError("extractor: model file", "Run `keepmum doctor`.")])
    with pytest.raises(openai.InternalServerError) as caught:
        ask(serve(service))
    assert (caught.value.status_code, caught.value.code) == (503, "extractor_unavailable")
    assert "nothing was sent" in caught.value.message


def test_a_stream_that_breaks_off_ends_with_an_error_line_and_no_done(serve):
    broken = ScriptedService(script=(ContentDelta(text="Hel"), CloudBrokeOffError("the cloud broke off; ask again")))
    endpoint = serve(broken)
    with pytest.raises(openai.APIError) as caught:
        list(ask(endpoint, stream=True))
    assert caught.value.code == "cloud_broke_off"
    with endpoint.http() as client:
        body = client.post("/v1/chat/completions", json={"model": "m", "messages": HI, "stream": True}).text
    assert "[DONE]" not in body
    assert json.loads(body.strip().split("\n\n")[-1].removeprefix("data: ")).keys() == {"error"}
    with pytest.raises(openai.InternalServerError):
        ask(endpoint)


def test_models(serve):
    client = serve().client()
    assert [(model.id, model.object, model.owned_by) for model in client.models.list()] == [
        ("scripted-1", "model", "keepmum"),
        ("org/other", "model", "keepmum"),
        ("keepmum", "model", "keepmum"),
    ]
    assert client.models.retrieve("keepmum").created == 1
    assert client.models.retrieve("org/other").created == 2
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("nothing")


def test_a_block_apart_is_told_to_the_owner_alone_and_is_no_part_of_the_text(serve):
    memory = HereOnly(id=new_memory_id(), day="2026-03-01", text="I am allergic to peanuts")
    script = (*PLAIN[:2], FromThisComputer(memories=(memory,)), *PLAIN[2:])
    shown = [{"id": memory.id, "day": memory.day, "text": memory.text}]
    for headers, told in (({}, {"from_this_computer": shown}), ({"X-Keepmum-Audience": "bob"}, None)):
        client = serve(ScriptedService(script)).client(default_headers=headers)
        whole = client.chat.completions.create(model="any", messages=HI)
        assert whole.choices[0].message.content == "Hello"
        assert whole.model_dump().get("keepmum") == told
        chunks = list(client.chat.completions.create(model="any", messages=HI, stream=True))
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "Hello"
        assert chunks[-1].model_dump().get("keepmum") == told
        assert chunks[-1].choices[0].finish_reason == "stop"


def test_headers_become_context_and_attempt(serve):
    endpoint = serve()
    endpoint.client().chat.completions.create(
        model="any",
        messages=HI,
        extra_headers={
            "X-Keepmum-Conversation": "c-1",
            "X-Keepmum-Scope": "work",
            "X-Keepmum-Audience": "bob",
            "X-Keepmum-Mode": "incognito",
            "X-Keepmum-Application": "mail",
            "X-Keepmum-Block": "apart",
            "Idempotency-Key": "k 1",
        },
    )
    _, context, attempt = endpoint.service.asked[0]
    assert (context.conversation, context.scope, context.audience) == ("c-1", "work", "bob")
    assert (context.mode, context.application, context.block) == ("incognito", "mail", "apart")
    assert (attempt.idempotency_key, attempt.retry_count) == ("k 1", 0)


@pytest.mark.parametrize("sent", [b"%E6%97%A5%E6%9C%AC", "日本".encode()])
def test_a_scope_in_another_script_comes_percent_encoded_or_as_it_is(serve, sent):
    endpoint = serve()
    headers = [(b"X-Keepmum-Scope", sent)]
    body = {"model": "any", "messages": HI}
    assert endpoint.http().post("/v1/chat/completions", json=body, headers=headers).status_code == 200
    assert endpoint.service.asked[0][1].scope == "日本"


def test_a_wrong_token_is_an_authentication_error(serve):
    client = serve().client(api_key="wrong", max_retries=0)
    with pytest.raises(openai.AuthenticationError) as caught:
        client.models.list()
    assert caught.value.code == "invalid_api_key"
