import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.errors import RequestError
from keepmum_edge.interfaces.openai.schema import read_completion
from keepmum_shared.errors import KeepmumError

USER = {"role": "user", "content": "hi"}
CANARY = "ines.varga" + "@example.com"


def body(**fields):
    return {"model": "any", "messages": [USER], **fields}


@pytest.mark.parametrize(
    ("field", "value", "param"),
    [
        ("logprobs", True, "logprobs"),
        ("top_logprobs", 3, "top_logprobs"),
        ("audio", {"voice": "x"}, "audio"),
        ("modalities", ["text", "audio"], "modalities"),
        ("prediction", {"type": "content", "content": "x"}, "prediction"),
        ("functions", [{"name": "f"}], "functions"),
        ("function_call", "auto", "function_call"),
        ("store", True, "store"),
        ("service_tier", "priority", "service_tier"),
        ("reasoning_effort", "low", "reasoning_effort"),
        ("web_search_options", {}, "web_search_options"),
        ("anything.else[0]", 1, "anything.else[0]"),
        ("no name: " + CANARY, 1, None),
        ("tools", [{"type": "custom", "custom": {}}], "tools[0].type"),
        ("tools", [{"type": "function", "function": {"name": "f"}, "x": 1}], "tools[0].x"),
        ("stream_options", {"include_obfuscation": True}, "stream_options.include_obfuscation"),
    ],
)
def test_what_would_be_dropped_is_refused_by_name(field, value, param):
    with pytest.raises(RequestError) as caught:
        read_completion(body(stream=True, **{field: value}))
    assert (caught.value.code, caught.value.param, caught.value.http_status) == ("unsupported_field", param, 400)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    ("part", "param"),
    [
        ({"type": "image_url", "image_url": {"url": "data:"}}, "messages[0].content[1].image_url"),
        ({"type": "input_audio", "input_audio": {}}, "messages[0].content[1].input_audio"),
        ({"type": "file", "file": {}}, "messages[0].content[1].file"),
    ],
)
def test_images_audio_and_files_are_refused_by_name(part, param):
    with pytest.raises(RequestError) as caught:
        read_completion({"messages": [{"role": "user", "content": [{"type": "text", "text": "look"}, part]}]})
    assert (caught.value.code, caught.value.param) == ("unsupported_field", param)


@pytest.mark.parametrize(
    "fields",
    [
        {"user": CANARY, "metadata": {"who": CANARY}},
        {"store": False, "logprobs": False, "modalities": ["text"], "service_tier": "auto", "audio": None},
        {"temperature": None, "stop": None, "tools": [], "tool_choice": "none", "stream": False, "n": None},
    ],
)
def test_a_field_that_names_a_person_is_dropped_and_one_that_says_off_asks_for_nothing(fields):
    assert read_completion(body(**fields)) == read_completion(body())


def test_every_forwarded_field_arrives():
    tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}
    wanted = read_completion(
        body(
            n=2, temperature=0, top_p=0.5, max_completion_tokens=9, stop="END", seed=-1, presence_penalty=-2,
            frequency_penalty=2, logit_bias={"7": -100}, tools=[tool], tool_choice="required", stream=True,
            parallel_tool_calls=False, response_format={"type": "json_object"}, stream_options={"include_usage": True},
        )
    )  # fmt: skip
    sampling = wanted.chat.sampling
    assert (sampling.n, sampling.temperature, sampling.top_p, sampling.max_tokens) == (2, 0.0, 0.5, 9)
    assert (sampling.stop, sampling.seed, sampling.logit_bias) == (("END",), -1, {"7": -100})
    assert (sampling.presence_penalty, sampling.frequency_penalty) == (-2.0, 2.0)
    assert (wanted.chat.tools, wanted.chat.tool_choice) == ((tool,), "required")
    assert (wanted.chat.parallel_tool_calls, wanted.chat.response_format) == (False, {"type": "json_object"})
    assert (wanted.stream, wanted.include_usage) == (True, True)


def test_text_parts_are_joined_without_running_words_together():
    parts = [{"type": "text", "text": "call me on 06"}, {"type": "text", "text": "12 doors down"}]
    (message,) = read_completion({"messages": [{"role": "user", "content": parts}]}).chat.messages
    assert message.content == "call me on 06\n12 doors down"


WRONG = [
    ({"messages": None}, "messages"),
    ({"messages": []}, "messages"),
    ({"messages": [{"role": CANARY, "content": "x"}]}, "messages[0].role"),
    ({"messages": [{"role": "user"}]}, "messages[0].content"),
    ({"messages": [USER, {"role": "assistant"}]}, "messages[1].content"),
    ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].tool_call_id"),
    ({"messages": [{"role": "user", "content": 1}]}, "messages[0].content"),
    ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content[0].text"),
    ({"messages": [{**USER, "tool_calls": [{}]}]}, "messages[0].tool_calls"),
    ({"messages": [{"role": "assistant", "tool_calls": [{"id": "1"}]}]}, "messages[0].tool_calls[0].function"),
    ({"temperature": CANARY}, "temperature"),
    ({"temperature": 3}, "temperature"),
    ({"temperature": True}, "temperature"),
    ({"n": 0}, "n"),
    ({"n": 17}, "n"),
    ({"n": 1.0}, "n"),
    ({"seed": 2**63}, "seed"),
    ({"stop": [CANARY] * 5}, "stop"),
    ({"stop": ""}, "stop"),
    ({"max_tokens": 1, "max_completion_tokens": 2}, "max_completion_tokens"),
    ({"logit_bias": {CANARY: 1}}, "logit_bias"),
    ({"tools": [{"type": "function"}]}, "tools[0].function"),
    ({"tool_choice": CANARY}, "tool_choice"),
    ({"response_format": {"type": CANARY}}, "response_format.type"),
    ({"stream": "yes"}, "stream"),
    ({"stream_options": {"include_usage": True}}, "stream_options"),
    ({"model": ""}, "model"),
]


@pytest.mark.parametrize(("fields", "param"), WRONG)
def test_a_wrong_field_is_named_and_its_value_never_repeated(fields, param):
    with pytest.raises(RequestError) as caught:
        read_completion(body(**fields))
    assert (caught.value.code, caught.value.param) == ("invalid_request", param)
    assert CANARY not in str(caught.value)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["user", CANARY])
NAMES = st.sampled_from(["role", "content", "type", "text", "function", "name", "id", CANARY])
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner), max_leaves=8)
FIELDS = ["messages", "tools", "tool_choice", "stop", "n", "response_format", "stream_options", "logit_bias", CANARY]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON)
def test_no_request_however_odd_is_refused_otherwise_than_by_a_named_error(odd):
    words = ""
    try:
        read_completion(odd)
    except KeepmumError as error:
        words = str(error)
    assert CANARY not in words


@given(st.lists(st.fixed_dictionaries({"role": st.sampled_from(["user", CANARY]), "content": JSON}), min_size=1))
def test_no_message_however_odd_is_refused_otherwise_than_by_a_named_error(messages):
    words = ""
    try:
        read_completion({"messages": messages})
    except KeepmumError as error:
        words = str(error)
    assert CANARY not in words
