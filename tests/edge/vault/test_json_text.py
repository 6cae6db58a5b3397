import json
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.json_text import pseudonymise_arguments, pseudonymise_json, texts
from keepmum_edge.vault.restore import restore
from keepmum_edge.vault.stream import StreamRestorer
from keepmum_edge.vault.tolerant import scan
from keepmum_shared.taxonomy import EntityType
from private_texts import Desk, hard_texts, span, spans_of

PHONE, NAME, PASSWORD = EntityType.PHONE, EntityType.NAME, EntityType.PASSWORD
VALUES = [("19900001234", PHONE), ("Ada", NAME), ("4.25", EntityType.FINANCE), ("王芳", NAME), ('O"Neil\n', NAME)]


def given_spans(text: str) -> tuple[PrivateSpan, ...]:
    return spans_of(text, VALUES)


def mask(desk: Desk, document: str) -> str:
    return pseudonymise_arguments(
        document, given_spans, desk.vault, origin=Origin.OWNER, profile=desk.profile, settings=desk.settings
    )


def back(desk: Desk, masked: str) -> str:
    return restore(masked, desk.lookup, kind="tool_arguments", addresses=False).text


def test_a_masked_number_becomes_a_string_and_a_number_again() -> None:
    desk = Desk()
    masked = mask(desk, '{"phone":19900001234,"ok":true}')
    assert json.loads(masked) == {"phone": "<PHONE_1>", "ok": True}
    assert back(desk, masked) == '{"phone":19900001234,"ok":true}'


def test_the_same_value_as_text_stays_text() -> None:
    desk = Desk()
    masked = mask(desk, '{"phone":"19900001234"}')
    assert json.loads(back(desk, masked)) == {"phone": "19900001234"}


def test_a_value_that_stood_as_number_and_as_text_comes_back_as_each() -> None:
    document = '{"a":19900001234,"b":"19900001234","c":"call 19900001234"}'
    desk = Desk()
    masked = mask(desk, document)
    assert "1990" not in masked
    assert json.loads(back(desk, masked)) == json.loads(document)


@pytest.mark.parametrize(
    "document",
    [
        '{"a": "x\\"Ada\\\\ \\n Ada"}',
        '{"a":"\\u738b\\u82b3 \\ud83d\\ude00 Ada"}',
        '["Ada",{"b":["王芳",4.25]},null,-1e9]',
        '"Ada"',
        "19900001234",
        '{"a":"{\\"n\\":\\"Ada\\"}"}',
        ' { "a" :\r\n"Ada" } ',
        '{"a":"O\\"Neil\\n"}',
        '{"a":"NAME_1 <NAME_1> &lt;NAME_1&gt;"}',
        "[]",
    ],
)
def test_the_document_stays_valid_and_comes_back(document: str) -> None:
    desk = Desk()
    masked = mask(desk, document)
    json.loads(masked)
    assert not any(value in masked for value in ("Ada", "王芳", "19900001234", "4.25", "\\u738b", "Neil"))
    assert json.loads(back(desk, masked)) == json.loads(document)


def test_a_document_without_anything_private_is_sent_as_it_is() -> None:
    document = ' { "a" : [1, 2.50, "\\u0041\\/"], "b":{}} '
    assert mask(Desk(), document) == document


@pytest.mark.parametrize(
    "document", ["Ada says {", '{"a": "Ada"', "{'a': 'Ada'}", '{"a":1,"a":"Ada"}', '{"a":NaN,"b":"Ada"}']
)
def test_what_is_no_json_is_masked_as_text(document: str) -> None:
    desk = Desk()
    masked = mask(desk, document)
    assert "Ada" not in masked
    assert "<NAME_1>" in masked


def test_the_key_gives_a_value_its_meaning() -> None:
    document = '{"password":"kite","n":7}'

    def whole_only(text: str) -> tuple[PrivateSpan, ...]:
        return (span(text, 13, 17, PASSWORD),) if text == document else ()

    desk = Desk()
    masked = pseudonymise_arguments(
        document, whole_only, desk.vault, origin=Origin.OWNER, profile=desk.profile, settings=desk.settings
    )
    assert masked == '{"password":"<PASSWORD_100001>","n":7}'


def test_a_span_over_several_values_masks_its_part_of_each() -> None:
    document = '["a\\u0041b", 12, "cd"]'

    def wide(text: str) -> tuple[PrivateSpan, ...]:
        return (span(text, 3, 19, PASSWORD),) if text == document else ()

    desk = Desk()
    masked = pseudonymise_arguments(
        document, wide, desk.vault, origin=Origin.OWNER, profile=desk.profile, settings=desk.settings
    )
    kept = json.loads(masked)
    assert kept[0].startswith("a<PASSWORD_")
    assert kept[1].startswith("<PASSWORD_")
    assert kept[2].startswith("<PASSWORD_")


@pytest.mark.parametrize("document", ['{"Ada":1}', '{"a":{"x Ada":[]}}', '{"NAME_1":2}', '{"\\u0041da" : 3}'])
def test_a_private_key_is_refused_without_naming_it(document: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        mask(Desk(), document)
    assert "Ada" not in str(caught.value)


def test_the_spans_of_every_text_that_is_read_are_asked_for_before() -> None:
    document = '{"a":"x\\"y","b":[12,"z"]}'
    asked: list[str] = []

    def record(text: str) -> tuple[PrivateSpan, ...]:
        asked.append(text)
        return ()

    desk = Desk()
    pseudonymise_arguments(
        document, record, desk.vault, origin=Origin.OWNER, profile=desk.profile, settings=desk.settings
    )
    assert set(asked) <= set(texts(document))
    assert {document, 'x"y', "12", "z"} <= set(texts(document))


def test_a_json_value_is_masked_inside() -> None:
    desk = Desk()
    tool = {"name": "call", "default": 19900001234, "description": "for Ada", "enum": ["Ada", None, True]}
    masked = pseudonymise_json(
        tool, given_spans, desk.vault, origin=Origin.SYSTEM, profile=desk.profile, settings=desk.settings
    )
    assert masked == {
        "name": "call",
        "default": "<PHONE_100001>",
        "description": "for <NAME_100001>",
        "enum": ["<NAME_100001>", None, True],
    }


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from([1, 0.5, 19900001234, 4.25])
    | hard_texts
    | st.sampled_from(["Ada", 'a"Ada\\']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c d"]), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_values, st.booleans())
def test_restoring_arguments_undoes_masking_them(value: object, escaped: bool) -> None:
    document = json.dumps(value, ensure_ascii=escaped)
    desk = Desk()
    masked = mask(desk, document)
    assert "19900001234" not in masked
    assert all(match.placeholder in {b.placeholder for b in desk.vault.bindings()} for match in scan(masked))
    assert json.loads(back(desk, masked)) == value


@pytest.mark.parametrize("item", [19900001234, "Ada", "Ada \n"])
def test_many_values_take_linear_time(item: object) -> None:
    begin = time.process_time()
    mask(Desk(), json.dumps([item] * 3000))
    mask(Desk(), json.dumps(str(item) * 3000))
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('{"<PHONE_1>": 1}', '{"19900001234": 1}'),
        ('{"<PHONE_1>"\n :1}', '{"19900001234"\n :1}'),
        ('["<PHONE_1>" , "<PHONE_1>"]', "[19900001234 , 19900001234]"),
        ('{"a":"<PHONE_1>"}', '{"a":19900001234}'),
        ('{"a":" <PHONE_1>"}', '{"a":" 19900001234"}'),
        ('{"a":"<PHONE_1> "}', '{"a":"19900001234 "}'),
        ('{"a":"PHONE_1"}', '{"a":"19900001234"}'),
        ('{"a":"{\\"b\\":\\"<PHONE_1>\\"}"}', '{"a":"{\\"b\\":\\"19900001234\\"}"}'),
    ],
)
def test_only_a_whole_value_becomes_a_number_and_the_json_stays_valid(written: str, shown: str) -> None:
    desk = Desk()
    mask(desk, "[19900001234]")
    for cut in range(len(written) + 1):
        restorer = StreamRestorer(desk.lookup, kind="tool_arguments")
        assert restorer.feed(written[:cut]) + restorer.feed(written[cut:]) + restorer.flush() == shown
    json.loads(shown)
