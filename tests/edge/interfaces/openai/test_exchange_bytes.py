import json
import socket
import time

import pytest
from edge.interfaces.conftest import TOKEN
from edge.interfaces.scripted_service import ScriptedService
from keepmum_shared.codec import MAX_BODY
from keepmum_shared.messages import ContentDelta, Finished

CANARY = "ines.varga" + "@example.com"
BODY = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def test_a_stream_is_data_lines_and_ends_with_done(serve):
    script = (ContentDelta(text="a\r\n\u2028b\x85𝄞"), Finished(reason="stop"))
    with serve(ScriptedService(script=script)).http() as client:
        answer = client.post("/v1/chat/completions", json={**BODY, "stream": True})
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    *events, done, rest = answer.content.split(b"\n\n")
    assert (done, rest) == (b"data: [DONE]", b"")
    assert all(event.startswith(b"data: {") and len(event.decode().splitlines()) == 1 for event in events)
    deltas = [json.loads(event[6:])["choices"][0]["delta"] for event in events]
    assert deltas == [{"role": "assistant", "content": ""}, {"content": "a\r\n\u2028b\x85𝄞"}, {}]


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'{"messages": "\xff"}', 400),
        (b'{"messages": [{"role": "user", "content": "\\ud800"}]}', 400),
        (b'{"model": "a", "model": "' + CANARY.encode() + b'"}', 400),
        (b'{"temperature": NaN}', 400),
        (b"[" * 100_000, 400),
        (b" " * (MAX_BODY + 1), 413),
    ],
    ids=["empty", "cut", "list", "latin-1", "surrogate", "doubled", "nan", "deep", "large"],
)
def test_a_malformed_body_is_an_openai_shaped_error(serve, raw, status):
    with serve().http() as client:
        answer = client.post("/v1/chat/completions", content=raw)
    assert answer.status_code == status
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert CANARY not in answer.text


def test_a_body_without_a_length_is_bounded_too(serve):
    pieces = (b" " * 1_000_000 for _ in range(20))
    with serve().http() as client:
        assert client.post("/v1/chat/completions", content=pieces).status_code == 413


@pytest.mark.parametrize(
    "header", ["X-Keepmum-Conversation", "X-Keepmum-Scope", "X-Keepmum-Mode", "x-stainless-retry-count"]
)
def test_a_malformed_header_is_named_and_not_repeated(serve, header):
    with serve().http(**{header: CANARY}) as client:
        answer = client.post("/v1/chat/completions", json=BODY)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, header)
    assert CANARY not in answer.text


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_goes_ends_the_turn(serve, stream):
    service = ScriptedService(script=(ContentDelta(text="a"), 30.0, Finished(reason="stop")))
    endpoint = serve(service)
    body = json.dumps({**BODY, "stream": stream}).encode()
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{endpoint.port}\r\n"
        f"Authorization: Bearer {TOKEN}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", endpoint.port)) as connection:
        connection.sendall(head.encode() + body)
        if stream:
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        else:
            time.sleep(0.2)
        assert service.closed == 0
    deadline = time.monotonic() + 5
    while not service.closed and time.monotonic() < deadline:
        time.sleep(0.01)
    assert service.closed == 1
