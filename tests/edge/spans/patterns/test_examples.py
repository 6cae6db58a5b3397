"""Examples of keys: spared in prose and alone, masked where anything puts them to use."""

import base64

import pytest
from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.patterns.examples import looks_like_example
from keepmum_edge.spans.patterns.secret_forms import can_be_secret, whole_secret
from keepmum_shared.taxonomy import EntityType

MIX = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z" * 3
AWS_EXAMPLE = "AKIA" + "IOSFODNN7EXAMPLE"
FIRST_JWT = ".".join(
    base64.urlsafe_b64encode(part).decode().rstrip("=")
    for part in (b'{"alg":"HS256"}', b'{"sub":"1234567890","name":"John Doe"}', b"signature")
)


@pytest.mark.parametrize(
    "value",
    [
        AWS_EXAMPLE,
        "gh" + "p_" + "1234567890" * 4,
        "gh" + "p_" + "01" * 18,
        "sk" + "-" + "abc123" * 6,
        "hf" + "_" + "3478658437658347638475687346587374",
        "sk" + "-" + MIX[:20] + "TestOnly" + MIX[:10],
        "falsesample" + MIX[:30],
        base64.b64encode(b"this is not the key that you are looking for").decode(),
        FIRST_JWT,
    ],
)
def test_a_value_that_nobody_would_draw_is_an_example(value: str) -> None:
    assert looks_like_example(value)


@pytest.mark.parametrize(
    "value",
    [
        "gh" + "p_" + MIX[:36],
        "xo" + "xb-123456789012-123456789012-" + MIX[:24],
        "do" + "p_v1_" + "9f8e7d6c5b4a3928" * 4,
        "gh" + "p_" + "0" * 30 + "4WZ4EQ",
        base64.b64encode(b"svc-mail:correct horse battery").decode(),
        "7rBynGo0b1cAAAAAAAAAAc72L3T6rQK51mB5",
        "example",
    ],
)
def test_a_drawn_value_is_none_even_with_a_number_or_a_pad_inside(value: str) -> None:
    assert not looks_like_example(value)


@pytest.mark.parametrize(
    "text",
    [
        AWS_EXAMPLE,
        f"It looks like {AWS_EXAMPLE}, twenty characters.",
        f"For example: {AWS_EXAMPLE}",
        f"The sample {FIRST_JWT} has three parts",
        "SWM" + "KEY-1-" + MIX[:17] + "TestOnly" + MIX[:18],
    ],
)
def test_an_example_in_nobodys_use_is_spared(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    ("text", "entity_type"),
    [
        (f"export AWS_ACCESS_KEY_ID=⟦{AWS_EXAMPLE}⟧", "API_KEY"),
        (f"my key is ⟦{AWS_EXAMPLE}⟧", "API_KEY"),
        (f"我的密钥是⟦{AWS_EXAMPLE}⟧", "API_KEY"),
        (f"⟦{AWS_EXAMPLE}⟧ is my key", "API_KEY"),
        (f"curl -H 'Authorization: Bearer ⟦{FIRST_JWT}⟧' localhost", "TOKEN"),
        ("DEMO_AUTH_TOKEN=⟦" + "0123456789abcdef" * 2 + "⟧", "API_KEY"),
    ],
)
def test_an_example_that_is_put_to_use_is_masked(expect, text: str, entity_type: str) -> None:
    expect(text, entity_type)


@pytest.mark.parametrize(
    ("text", "value", "entity_type"),
    [
        ("psql postgresql://localhost/orders", "postgresql://localhost/orders", EntityType.CONNECTION_STRING),
        ("amqp://user:*****@example.com", "amqp://user:*****@example.com", EntityType.CONNECTION_STRING),
        ("amqp://app:${PASS}@host/", "amqp://app:${PASS}@host/", EntityType.CONNECTION_STRING),
        ("region=eu-central-1", "eu-central-1", EntityType.PASSWORD),
        ("on 2026-99-99", "2026-99-99", EntityType.OTP),
        ("key/0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", "0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", EntityType.API_KEY),
        ("password = process.env.PASS", "process.env.PASS", EntityType.PASSWORD),
        ("redirect=http%3A%2F%2Flocalhost%2Fa", "http%3A%2F%2Flocalhost%2Fa", EntityType.PASSWORD),
        ("key : ZAQWS-XCDER-*****-VBGTR", "ZAQWS-XCDER", EntityType.API_KEY),
        ("key : ZAQWS-*****-VBGTR", "VBGTR", EntityType.API_KEY),
    ],
)
def test_what_cannot_be_a_secret_is_refused(text: str, value: str, entity_type: EntityType) -> None:
    start = text.index(value)
    assert not can_be_secret(read(text), start, start + len(value), entity_type)


@pytest.mark.parametrize(
    ("text", "value", "entity_type"),
    [
        ("postgres://app:q7!xZ@db/orders", "postgres://app:q7!xZ@db/orders", EntityType.CONNECTION_STRING),
        ("postgres://app:q7!xZ@db/orders", "postgres://app", EntityType.CONNECTION_STRING),
        ("Server=db;Uid=sa;Pwd=q7!xZ;", "Server=db;Uid=sa;Pwd=q7!xZ;", EntityType.CONNECTION_STRING),
        ("token 0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", "0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", EntityType.TOKEN),
        ("Ann Lee", "Ann Lee", EntityType.NAME),
    ],
)
def test_what_may_be_one_stands(text: str, value: str, entity_type: EntityType) -> None:
    start = text.index(value)
    assert can_be_secret(read(text), start, start + len(value), entity_type)


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("hey 7995lazy^ works", "7995lazy", "7995lazy^"),
        ("box\t@KU151Y8P\nbye", "KU151Y8P", "@KU151Y8P"),
        ("密码7995lazy+这个", "7995lazy", "7995lazy+"),
        ("PASS=tiger9x", "tiger9x", "tiger9x"),
        ("is it tiger9x?", "tiger9x", "tiger9x"),
        ("kim@tiger9x", "tiger9x", "tiger9x"),
    ],
)
def test_marks_at_the_ends_belong_to_a_password_where_nothing_else_holds_them(
    text: str, found: str, whole: str
) -> None:
    start = text.index(found)
    first, last = whole_secret(read(text), start, start + len(found), EntityType.PASSWORD)
    assert text[first:last] == whole


COOKIE = "k3J9" * 5


@pytest.mark.parametrize(
    ("text", "found", "whole", "entity_type"),
    [
        (
            f"cookie=sid={COOKIE}; csrf={COOKIE}0 ok",
            f"sid={COOKIE}",
            f"sid={COOKIE}; csrf={COOKIE}0",
            EntityType.COOKIE,
        ),
        (f"sid={COOKIE}; Path=/; csrf={COOKIE}", f"sid={COOKIE}", f"sid={COOKIE}", EntityType.COOKIE),
        (f"sid={COOKIE}; theme=dark", f"sid={COOKIE}", f"sid={COOKIE}", EntityType.COOKIE),
        (f"登录cookies%3A{COOKIE}.x1", f"%3A{COOKIE}.x1", f"s%3A{COOKIE}.x1", EntityType.COOKIE),
        ("opens with 5 9 4 1 4 2.", "5 9 4 1 4", "5 9 4 1 4 2", EntityType.PIN),
        ("it is 5941 3 doors down", "5941", "5941", EntityType.PIN),
        ("Server=db;Pwd=q7!xZ; then", "Server=db;Pwd=q7!xZ", "Server=db;Pwd=q7!xZ;", EntityType.CONNECTION_STRING),
        ("see Ann Lee; bye", "Ann Lee", "Ann Lee", EntityType.NAME),
    ],
)
def test_what_stands_outside_a_found_secret_and_belongs_to_it_is_taken_in(
    text: str, found: str, whole: str, entity_type: EntityType
) -> None:
    start = text.index(found)
    first, last = whole_secret(read(text), start, start + len(found), entity_type)
    assert text[first:last] == whole
