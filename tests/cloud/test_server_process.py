import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from keepmum_shared.codec import MAX_BODY, encode
from keepmum_shared.ids import new_memory_id, new_scope_key
from keepmum_shared.messages import (
    AddMemories,
    ContentDelta,
    DeleteMemories,
    Done,
    Finished,
    MemoryUsed,
    MemoryWrite,
    SearchMemories,
    Started,
    TurnFailed,
    Usage,
)
from scripted_openai import Scripted, reply, scripted_openai
from signed_client import ROOT, CloudProcess, SignedClient, cloud_process, error_code, events, pair_request, user_turn

CANARY = "zqcanary4711"
BREAKS = {"when": "BREAKS", "steps": [{"content": "half"}, {"delay_ms": 50}, {"abort": True}]}
SLOW = {
    "when": "SLOW",
    "steps": [{"content": "one"}, {"delay_ms": 20_000}, {"content": "two"}, {"finish": "stop"}, {"done": True}],
}
REFUSES = {
    "when": "REFUSES",
    "status": 400,
    "steps": [json.dumps({"error": {"message": CANARY, "code": "context_length_exceeded"}})],
}
ERROR = {"when": "ERROR", "steps": [{"content": "half"}, {"json": {"error": {"message": CANARY}}}]}


def backend(model: Scripted) -> list[str]:
    return ["--responder", "openai", "--base-url", model.base_url, "--model", "scripted"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    script = [reply(f"It is {CANARY} ", "<NAME_1>."), BREAKS, REFUSES, ERROR, SLOW]
    with scripted_openai(tmp_path_factory.mktemp("model"), script) as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[CloudProcess]:
    with cloud_process(tmp_path_factory.mktemp("home"), backend(model)) as running:
        yield running
        assert running.stop() == 0
        written = b"".join(path.read_bytes() for path in running.log.parent.rglob("*") if path.is_file())
        assert CANARY.encode() not in written, "neither log nor store may hold text of a turn or a deleted memory"
        assert b"listening" in written


@pytest.fixture(scope="module")
def http(server: CloudProcess) -> Iterator[httpx.Client]:
    with server.pinned_client() as client:
        yield client


@pytest.fixture(scope="module")
def edge(server: CloudProcess, http: httpx.Client) -> SignedClient:
    return SignedClient.pair(http, server.uri.secret)


def test_the_process_shows_no_secret_in_its_arguments(server: CloudProcess) -> None:
    arguments = Path(f"/proc/{server.process.pid}/cmdline")
    if not arguments.exists():
        pytest.skip("needs /proc")
    assert server.uri.secret.encode() not in arguments.read_bytes()


def test_a_turn_streams_in_order(edge: SignedClient, model: Scripted) -> None:
    got = edge.turn(user_turn(f"What is {CANARY}?"))
    assert got == [
        Started(model="scripted"),
        ContentDelta(text=f"It is {CANARY} "),
        ContentDelta(text="<NAME_1>."),
        Finished(reason="stop"),
        Usage(prompt_tokens=10, completion_tokens=5),
        Done(),
    ]
    assert CANARY in model.requests()[0]["body"]


def test_a_stream_that_breaks_ends_with_an_error_event(edge: SignedClient) -> None:
    got = edge.turn(user_turn("BREAKS"))
    assert got[:2] == [Started(model="scripted"), ContentDelta(text="half")]
    assert isinstance(got[-1], TurnFailed)
    assert (got[-1].code, got[-1].retryable) == ("model_broke_off", True)


def test_what_fails_before_the_first_piece_is_an_http_error_and_quotes_nothing(edge: SignedClient) -> None:
    response = edge.request("POST", "/v1/turns", encode(user_turn("REFUSES")))
    assert (response.status_code, error_code(response)) == (400, "context_length_exceeded")
    assert CANARY not in response.text


def test_an_error_in_the_middle_is_an_event_and_quotes_nothing(edge: SignedClient) -> None:
    response = edge.request("POST", "/v1/turns", encode(user_turn("ERROR")))
    failed = events(response.text)[-1]
    assert isinstance(failed, TurnFailed)
    assert CANARY not in response.text


def test_a_client_that_goes_away_stops_the_model_and_frees_its_slot(edge: SignedClient, model: Scripted) -> None:
    body = encode(user_turn("SLOW"))
    headers = edge.headers("POST", "/v1/turns", body)
    with edge.http.stream("POST", "/v1/turns", content=body, headers=headers) as response:
        assert any(b"one" in chunk for chunk in response.iter_raw())
    until = time.monotonic() + 10
    while not model.disconnects():
        assert time.monotonic() < until
        time.sleep(0.02)
    assert "keepmum_turns_running 0" in edge.http.get("/metrics").text
    assert isinstance(edge.turn(user_turn("x"))[-1], Done)


def test_memories_live_by_scope_enter_the_prompt_and_are_named_first(edge: SignedClient, model: Scripted) -> None:
    scope, other = new_scope_key(), new_scope_key()
    tea = MemoryWrite(id=new_memory_id(), text=f"<NAME_1> drinks oolong {CANARY}", created_at=5)
    boat = MemoryWrite(id=new_memory_id(), text="Owns a boat", created_at=6)
    assert edge.call("POST", "/v1/memories", AddMemories(scope=scope, memories=(tea, boat))) == {
        "stored": [tea.id, boat.id],
        "refused": [],
        "stale": [],
    }
    found = edge.call("POST", "/v1/memories/search", SearchMemories(scope=scope, query="oolong"))["memories"]
    assert [(hit["id"], hit["text"]) for hit in found] == [(tea.id, tea.text)]
    assert edge.call("POST", "/v1/memories/search", SearchMemories(scope=other, query="oolong"))["memories"] == []

    got = edge.turn(user_turn("Which oolong?", scope=scope, memory_read=True))
    assert got[:2] == [Started(model="scripted"), MemoryUsed(memories=(tea.id,))]
    assert tea.text in model.requests()[-1]["body"]
    for silent in ({"scope": scope}, {"scope": other, "memory_read": True}):
        assert not any(isinstance(event, MemoryUsed) for event in edge.turn(user_turn("Which oolong?", **silent)))
        assert tea.text not in model.requests()[-1]["body"]

    written = MemoryWrite(id=new_memory_id(), text="Speaks Basque", created_at=7)
    edge.turn(user_turn("hm", scope=scope, writes=(written,)))
    exported = edge.call("GET", "/v1/memories/export")["memories"]
    assert [memory["id"] for memory in exported] == [tea.id, boat.id, written.id]
    every = (tea.id, boat.id, written.id)
    assert edge.call("POST", "/v1/memories/delete", DeleteMemories(memories=every))["deleted"] == list(every)
    assert edge.call("POST", "/v1/memories/delete", DeleteMemories(memories=every))["absent"] == list(every)


def test_device_models_health_and_readiness(edge: SignedClient) -> None:
    device = edge.call("GET", "/v1/device")
    assert (device["device"], device["name"]) == (edge.device, "test")
    assert abs(device["time"] - time.time()) < 5
    assert [each["id"] for each in edge.call("GET", "/v1/models")["models"]] == ["scripted"]
    assert edge.http.get("/healthz").text == "ok\n"
    assert (edge.http.get("/readyz").status_code, edge.http.get("/readyz").text) == (200, "ready\n")
    until = time.monotonic() + 60
    while "keepmum_embedding_ready 1" not in edge.http.get("/metrics").text:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert 'route="/v1/turns"' in edge.http.get("/metrics").text
    assert error_code(edge.http.get("/nothing")) == "not_found"
    assert edge.http.get("/v1/turns").status_code == 405


def test_a_cloud_without_its_embedding_searches_by_words_and_says_so(tmp_path: Path, model: Scripted) -> None:
    tmp_path.joinpath("config.toml").write_text('[cloud]\nembedding_path = "/nowhere"\n', encoding="utf-8")
    with cloud_process(tmp_path, backend(model)) as server, server.pinned_client() as http:
        edge = SignedClient.pair(http, server.uri.secret)
        until = time.monotonic() + 60
        while http.get("/readyz").text == "ready\n":
            assert time.monotonic() < until
            time.sleep(0.05)
        told = http.get("/readyz")
        assert (told.status_code, "searched by words only" in told.text) == (200, True)
        assert "keepmum_embedding_ready 0" in http.get("/metrics").text
        scope = new_scope_key()
        tea = MemoryWrite(id=new_memory_id(), text="Drinks oolong", created_at=5)
        edge.call("POST", "/v1/memories", AddMemories(scope=scope, memories=(tea,)))
        found = edge.call("POST", "/v1/memories/search", SearchMemories(scope=scope, query="oolong"))["memories"]
        assert [hit["id"] for hit in found] == [tea.id]
        assert server.stop() == 0
        assert "searched by words only: manifest.json: cannot be read" in server.log.read_text()


def test_a_replayed_request_is_refused(edge: SignedClient) -> None:
    headers = edge.headers("GET", "/v1/device", b"")
    assert edge.http.get("/v1/device", headers=headers).status_code == 200
    again = edge.http.get("/v1/device", headers=headers)
    assert (again.status_code, error_code(again)) == (401, "replayed_request")


def test_a_changed_request_is_refused(edge: SignedClient) -> None:
    body = encode(SearchMemories(scope=new_scope_key(), query="a"))
    headers = edge.headers("POST", "/v1/memories/search", body)
    for method, target, sent in (
        ("POST", "/v1/memories/search", body.replace(b'"a"', b'"b"')),
        ("POST", "/v1/memories/search?x=1", body),
        ("POST", "/v1/memories/delete", body),
    ):
        response = edge.http.request(method, target, content=sent, headers=headers)
        assert (response.status_code, error_code(response)) == (401, "bad_signature")
    assert edge.http.post("/v1/memories/search", content=body, headers=headers).status_code == 200


@pytest.mark.parametrize("skew", [-3600, -65, 65, 3600])
def test_a_clock_that_is_off_is_told_by_how_much(edge: SignedClient, skew: int) -> None:
    response = edge.request("GET", "/v1/device", clock=time.time() + skew)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (401, "clock_skew")
    assert abs(error["time"] - time.time()) < 5


@pytest.mark.parametrize("skew", [-50, 50])
def test_a_clock_that_is_off_a_little_is_let_in(edge: SignedClient, skew: int) -> None:
    assert edge.request("GET", "/v1/device", clock=time.time() + skew).status_code == 200


def test_unsigned_and_unknown_devices_are_refused(edge: SignedClient) -> None:
    assert error_code(edge.http.get("/v1/device")) == "unsigned"
    headers = edge.headers("GET", "/v1/device", b"")
    for name, value in (("x-keepmum-time", "x"), ("x-keepmum-nonce", "short"), ("x-keepmum-signature", "AAAA")):
        assert error_code(edge.http.get("/v1/device", headers=headers | {name: value})) == "unsigned"
    stranger = SignedClient(http=edge.http, device="dev_" + "a" * 26, key=Ed25519PrivateKey.generate())
    assert error_code(stranger.request("GET", "/v1/device")) == "unknown_device"
    impostor = SignedClient(http=edge.http, device=edge.device, key=Ed25519PrivateKey.generate())
    assert error_code(impostor.request("GET", "/v1/device")) == "bad_signature"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "malformed"),
        (b"{", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b'{"protocol":2,"turn":"\xed\xa0\x80"}', "malformed"),
        (b"[" * 50_000, "malformed"),
        (b'{"protocol":3}', "version_mismatch"),
        (b'{"protocol":2,"zqcanary4711":1}', "malformed"),
    ],
)
def test_malformed_requests_are_refused_and_not_quoted(edge: SignedClient, body: bytes, code: str) -> None:
    response = edge.request("POST", "/v1/turns", body)
    assert (response.status_code, error_code(response)) == (400, code)
    assert CANARY not in response.text


def test_an_oversized_request_is_refused_before_it_is_read(edge: SignedClient, server: CloudProcess) -> None:
    headers = edge.headers("POST", "/v1/turns", b"")
    assert edge.http.post("/v1/pair", content=b"x" * 5000).status_code == 413
    with server.pinned_client() as alone:
        context = alone._transport._pool._ssl_context
        raw = socket.create_connection((server.uri.host, server.port), timeout=5)
        with context.wrap_socket(raw, server_hostname=server.uri.host) as connection:
            lines = [f"{name}: {value}" for name, value in headers.items()]
            head = ["POST /v1/turns HTTP/1.1", "host: x", f"content-length: {MAX_BODY + 1}", *lines]
            connection.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
            answer = connection.recv(4000)
    assert b" 413 " in answer.split(b"\r\n")[0]


def test_a_used_uri_is_refused(edge: SignedClient, server: CloudProcess) -> None:
    body = encode(pair_request(server.uri.secret, Ed25519PrivateKey.generate()))
    response = edge.http.post("/v1/pair", content=body)
    assert (response.status_code, error_code(response)) == (403, "pairing_used")


def run_command(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"KEEPMUM_HOME": str(home), "PYTHONPATH": f"{ROOT / 'cloud'}:{ROOT / 'shared'}", "PATH": ""}
    command = [sys.executable, "-m", "keepmum_cloud", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False)


def test_pair_and_revoke_by_command_line_while_the_server_runs(edge: SignedClient, server: CloudProcess) -> None:
    home = server.log.parent
    printed = json.loads(run_command(home, "pair", "--json").stdout)
    assert printed["port"] == server.port
    secret = printed["pairing_uri"].split("secret=")[1].split("&")[0]
    second = SignedClient.pair(edge.http, secret, "phone")
    listed = json.loads(run_command(home, "devices", "--json").stdout)["devices"]
    assert {each["name"]: each["revoked_at"] for each in listed} == {"test": None, "phone": None}
    assert second.request("GET", "/v1/device").status_code == 200
    assert run_command(home, "devices", "revoke", second.device).returncode == 0
    assert error_code(second.request("GET", "/v1/device")) == "unknown_device"
    assert edge.request("GET", "/v1/device").status_code == 200
    assert run_command(home, "devices", "revoke", "dev_none").returncode == 3


def test_a_second_server_in_the_same_folder_says_so(server: CloudProcess, model: Scripted) -> None:
    second = run_command(server.log.parent, "serve", "--port", "0", *backend(model))
    assert second.returncode == 1
    assert "another keepmum-cloud runs in" in second.stderr


def test_plain_http_and_old_tls_are_refused(server: CloudProcess) -> None:
    with socket.create_connection((server.uri.host, server.port), timeout=5) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b"200" not in plain.recv(100)


def test_a_replay_is_refused_after_a_restart_too_and_the_pin_still_fits(tmp_path: Path, model: Scripted) -> None:
    with cloud_process(tmp_path, backend(model)) as first:
        with first.pinned_client() as client:
            edge = SignedClient.pair(client, first.uri.secret)
            headers = edge.headers("GET", "/v1/device", b"")
            assert client.get("/v1/device", headers=headers).status_code == 200
        first.process.kill()
        first.process.wait()
    with cloud_process(tmp_path, backend(model)) as second:
        assert second.uri.fingerprint == first.uri.fingerprint
        with second.pinned_client() as client:
            assert error_code(client.get("/v1/device", headers=headers)) == "replayed_request"
            assert SignedClient(client, edge.device, edge.key).request("GET", "/v1/device").status_code == 200


def test_an_expired_uri_is_refused(tmp_path: Path, model: Scripted) -> None:
    (tmp_path / "config.toml").write_text("[cloud]\npairing_life_s = 1\n")
    with cloud_process(tmp_path, backend(model)) as server, server.pinned_client() as client:
        time.sleep(2.1)
        body = encode(pair_request(server.uri.secret, Ed25519PrivateKey.generate()))
        assert error_code(client.post("/v1/pair", content=body)) == "pairing_expired"


def test_a_corrupt_model_leaves_the_rest_running_and_is_named(tmp_path: Path) -> None:
    corrupt = tmp_path / "broken.gguf"
    corrupt.write_bytes(b"GGUF" + bytes(1000))
    with cloud_process(tmp_path, ["--model-path", str(corrupt)]) as server, server.pinned_client() as client:
        edge = SignedClient.pair(client, server.uri.secret)
        response = edge.request("POST", "/v1/turns", encode(user_turn("x")))
        assert (response.status_code, error_code(response)) == (503, "model_unavailable")
        assert str(corrupt) in response.text
        ready = client.get("/readyz")
        assert ready.status_code == 503
        assert str(corrupt) not in ready.text
        assert str(corrupt) in server.log.read_text()
        assert edge.request("GET", "/v1/memories/export").status_code == 200
        assert server.stop() == 0


def test_sigterm_lets_a_running_answer_end(tmp_path: Path) -> None:
    script = [
        {"steps": [{"content": "one"}, {"delay_ms": 1000}, {"content": "two"}, {"finish": "stop"}, {"done": True}]}
    ]
    with scripted_openai(tmp_path, script) as model, cloud_process(tmp_path / "home", backend(model)) as server:
        with server.pinned_client() as client:
            edge = SignedClient.pair(client, server.uri.secret)
            body = encode(user_turn("x"))
            headers = edge.headers("POST", "/v1/turns", body)
            with client.stream("POST", "/v1/turns", content=body, headers=headers) as response:
                chunks = response.iter_text()
                text = next(chunks)
                server.process.terminate()
                text += "".join(chunks)
            assert isinstance(events(text)[-1], Done)
        assert server.process.wait(timeout=15) == 0


def test_it_ends_with_its_parent(tmp_path: Path, model: Scripted) -> None:
    environment = {"KEEPMUM_HOME": str(tmp_path), "PYTHONPATH": f"{ROOT / 'cloud'}:{ROOT / 'shared'}", "PATH": ""}
    command = [
        sys.executable,
        "-m",
        "keepmum_cloud",
        "serve",
        "--port",
        "0",
        "--pair",
        "--exit-with-parent",
        *backend(model),
    ]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["port"]
    process.communicate(timeout=15)  # closes its standard input, as the end of the parent would
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "config", "named"),
    [
        (("serve",), "[cloud]\nno_such_key = 1\n", "no_such_key"),
        (("serve",), "[cloud]\nport = 'x'\n", "cloud.port"),
        (("serve",), "[cloud", "config.toml"),
        (("serve", "--responder", "openai"), "", "base_url"),
        (("serve", "--host", "192.0.2.1"), "", "cannot listen on 192.0.2.1"),
        (("serve", "--no-such-flag"), "", "no-such-flag"),
    ],
)
def test_wrong_settings_are_named_with_status_2(
    tmp_path: Path, arguments: tuple[str, ...], config: str, named: str
) -> None:
    (tmp_path / "config.toml").write_text(config)
    done = run_command(tmp_path, *arguments)
    assert done.returncode == 2
    assert named in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_database_is_named(tmp_path: Path, model: Scripted) -> None:
    (tmp_path / "cloud").mkdir()
    (tmp_path / "cloud" / "cloud.sqlite3").write_bytes(b"no database" * 500)
    done = run_command(tmp_path, "serve", "--port", "0", *backend(model))
    assert done.returncode == 1
    assert "cloud.sqlite3 cannot be opened" in done.stderr
    assert (tmp_path / "cloud" / "cloud.sqlite3").read_bytes() == b"no database" * 500
