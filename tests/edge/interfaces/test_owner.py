import time

import pytest
from edge.interfaces.scripted_service import ScriptedService


def test_a_memory_is_shared_only_as_it_was_shown(serve):
    with serve().http() as client:
        kept = client.post("/keepmum/v1/memories", json={"text": "I live in Bath", "scope": "home"})
        assert kept.status_code == 201
        memory = kept.json()
        assert (memory["text"], memory["scope"], memory["shared_at"]) == ("I live in Bath", "home", None)
        path = f"/keepmum/v1/memories/{memory['id']}"
        shown = client.post(f"{path}/preview-share").json()["text"]
        stale = client.post(f"{path}/share", json={"shown_text": "something else"})
        assert (stale.status_code, stale.json()["error"]["code"]) == (422, "idempotency_conflict")
        shared = client.post(f"{path}/share", json={"shown_text": shown}).json()
        assert (shared["placeholder_text"], shared["unclassified"]) == (shown, True)
        gone = client.delete(path).json()
        assert gone.pop("receipt").startswith("forget_")
        assert gone == {"id": memory["id"], "edge_deleted": True, "cloud": "deleted"}


def test_what_is_forgotten_is_what_was_shown_and_its_receipt_can_be_read(serve):
    with serve().http() as client:
        memory = client.post("/keepmum/v1/memories", json={"text": "tea"}).json()["id"]
        shown = client.post("/keepmum/v1/forget/preview", json={"ids": [memory]}).json()
        assert [line["text"] for line in shown["memories"]] == ["tea"]
        other = client.post("/keepmum/v1/forget", json={"ids": [memory], "digest": "other"})
        assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_conflict")
        done = client.post("/keepmum/v1/forget", json={"ids": [memory], "digest": shown["digest"]}).json()
        assert (done["receipt"]["records"], done["verified"]) == ([memory], True)
        assert client.get(f"/keepmum/v1/receipts/{done['receipt']['id']}").json() == done
        assert client.get("/keepmum/v1/receipts").json() == {"receipts": [done]}


def test_memories_are_listed_and_searched_by_scope(serve):
    with serve().http() as client:
        for text, scope in (("tea", "user"), ("tea time", "work")):
            client.post("/keepmum/v1/memories", json={"text": text, "scope": scope})
        assert len(client.get("/keepmum/v1/memories").json()["memories"]) == 2
        assert [item["text"] for item in client.get("/keepmum/v1/memories?scope=work").json()["memories"]] == [
            "tea time"
        ]
        hits = client.post("/keepmum/v1/memories/search", json={"query": "tea", "limit": 1}).json()["memories"]
        assert [item["text"] for item in hits] == ["tea"]


def test_a_scope_may_be_called_in_any_script_and_user_is_one_scope_however_it_is_written(serve):
    with serve().http() as client:
        for scope in ("日本", "cafe\u0301", "USER"):
            client.post("/keepmum/v1/memories", json={"text": "tea", "scope": scope})
        listed = client.get("/keepmum/v1/memories").json()["memories"]
        assert [each["scope"] for each in listed] == ["日本", "caf\u00e9", "user"]
        assert len(client.get("/keepmum/v1/memories", params={"scope": "caf\u00e9"}).json()["memories"]) == 1


def test_a_secret_is_refused(serve):
    with serve().http() as client:
        answer = client.post("/keepmum/v1/memories", json={"text": "secret thing"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "memory_refused")


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "param"),
    [
        ("POST", "memories", {}, 400, "text"),
        ("POST", "memories", {"text": "x", "scope": "a b"}, 400, "scope"),
        ("POST", "memories", {"text": "x", "scope": ".."}, 400, "scope"),
        ("GET", "memories?scope=.", None, 400, "scope"),
        ("POST", "pending/xyz", {"keep": True}, 404, "memory"),
        ("POST", "memories", {"text": "x", "more": 1}, 400, "more"),
        ("POST", "memories", {"text": "x", "channel": "behaviour"}, 400, "channel"),
        ("POST", "memories", [], 400, "body"),
        ("POST", "import", {}, 400, "document"),
        ("POST", "memories/search", {"query": "x", "limit": 101}, 400, "limit"),
        ("GET", "traces?limit=0", None, 400, "limit"),
        ("GET", "traces/turn_1", None, 404, "turn"),
        ("DELETE", "memories/mem_1", None, 404, "memory"),
        ("POST", "forget", {}, 400, None),
        ("POST", "forget", {"all": True, "scope": "x"}, 400, None),
        ("POST", "forget", {"ids": ["mem_1"]}, 404, "ids"),
        ("POST", "forget", {"matching": " "}, 400, "matching"),
        ("POST", "forget/preview", {"scope": "a b"}, 400, "scope"),
        ("GET", "receipts/forget_1", None, 404, "receipt"),
        ("GET", "receipts?limit=0", None, 400, "limit"),
        ("POST", "pair", {"uri": "keepmum:"}, 400, "name"),
    ],
)
def test_bad_input_is_named(serve, method, path, body, status, param):
    with serve().http() as client:
        answer = client.request(method, f"/keepmum/v1/{path}", json=body)
    assert (answer.status_code, answer.json()["error"]["param"]) == (status, param)


def test_traces_checks_pairing_and_shutdown(serve):
    endpoint = serve(ScriptedService())
    with endpoint.http() as client:
        newest = client.get("/keepmum/v1/traces/newest").json()
        assert (newest["typed"], newest["sent"]) == ("I am Ines", "I am <NAME_1>")
        assert (newest["received"], newest["shown"]) == ("Hello <NAME_1>", "Hello Ines")
        assert client.get(f"/keepmum/v1/traces/{newest['turn']}").json()["turn"] == newest["turn"]
        assert len(client.get("/keepmum/v1/traces?limit=5").json()["traces"]) == 1
        assert client.get("/keepmum/v1/checks").json()["checks"][0]["status"] == "ok"
        assert client.post("/keepmum/v1/pair", json={"uri": "u", "name": "laptop"}).json()["device"].startswith("dev_")
        assert endpoint.service.paired == [("u", "laptop")]
        assert client.get("/keepmum/v1/status").json()["ready"] is True
        assert client.post("/keepmum/v1/shutdown").status_code == 202
    deadline = time.monotonic() + 5
    while not endpoint.service.stopped and time.monotonic() < deadline:
        time.sleep(0.01)
    assert endpoint.service.stopped
