"""Released views at the cloud: a real server process, and a model that shows its prompt."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from keepmum_shared.codec import encode
from keepmum_shared.ids import new_memory_id, new_scope_key
from keepmum_shared.messages import ChatMessage, MemoryWrite, SignedSeal
from keepmum_shared.signing import seal_bytes, to_base64url
from keepmum_shared.view import Facet, shipped_policy
from keepmum_shared.view.vocabulary import wire_form
from scripted_openai import Scripted, reply, scripted_openai
from signed_client import CloudProcess, SignedClient, cloud_process, error_code, user_turn

VOCABULARY = shipped_policy().vocabulary
DRAWING = [facet for facet in VOCABULARY.facets.values() if facet.draws]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [reply("Fine.")]) as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[CloudProcess]:
    arguments = ["--responder", "openai", "--base-url", model.base_url, "--model", "scripted"]
    with cloud_process(tmp_path_factory.mktemp("home"), arguments) as running:
        yield running


@pytest.fixture(scope="module")
def edge(server: CloudProcess) -> Iterator[SignedClient]:
    with server.pinned_client() as http:
        yield SignedClient.pair(http, server.uri.secret)


def prompt(edge: SignedClient, model: Scripted, *views: str) -> str:
    """Return the system message that the model saw for a turn with these views; empty if there was none."""
    edge.turn(user_turn("Dinner?", views=views))
    first = ChatMessage(**json.loads(model.requests()[-1]["body"])["messages"][0])
    return (first.content or "") if first.role == "system" else ""


def released(facet: Facet, number: int) -> str:
    return wire_form(facet.views[number].id, min(facet.topics))


def seal(edge: SignedClient, counter: int, total: int) -> SignedSeal:
    signed = edge.key.sign(seal_bytes(device=edge.device, counter=counter, total=total))
    return SignedSeal(counter=counter, total=total, signature=to_base64url(signed))


def test_a_view_tells_the_model_how_to_answer_and_a_generic_one_nothing(edge: SignedClient, model: Scripted) -> None:
    for facet in DRAWING:
        assert prompt(edge, model, released(facet, 0)) == prompt(edge, model) == ""
        for number, view in enumerate(facet.views[1:], start=1):
            assert f"- {view.wordings[min(facet.topics)]}" in prompt(edge, model, released(facet, number))


def test_views_stand_in_the_order_of_the_policy_however_they_come(edge: SignedClient, model: Scripted) -> None:
    views = [released(facet, 1) for facet in DRAWING[:3]]
    assert prompt(edge, model, *views) == prompt(edge, model, *reversed(views))


@pytest.mark.parametrize(
    ("change", "status", "code", "next_step"),
    [
        ({"policy": "f" * 64}, 409, "policy_mismatch", "update the cloud half"),
        ({"policy": "f" * 64, "views": ("v011/food",)}, 409, "policy_mismatch", "update the cloud half"),
        ({"views": ("v999/food",)}, 400, "unknown_view", "update the edge"),
        ({"views": ("v011/food", "v011/nope")}, 400, "unknown_view", "update the edge"),
        ({"seal": SignedSeal(counter=1, total=1, signature="s" * 86)}, 400, "forged_seal", "pair the device again"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_model_and_nothing_of_the_turn_is_stored(
    edge: SignedClient, model: Scripted, change: dict[str, Any], status: int, code: str, next_step: str
) -> None:
    before, kept = len(model.requests()), edge.call("GET", "/v1/seal")
    write = MemoryWrite(id=new_memory_id(), text="Tea.", created_at=1_800_000_000)
    turn = replace(user_turn("Dinner?", scope=new_scope_key(), writes=(write,), seal=seal(edge, 999, 1)), **change)
    response = edge.request("POST", "/v1/turns", encode(turn))
    assert (response.status_code, error_code(response)) == (status, code)
    assert next_step in response.json()["error"]["message"]
    assert len(model.requests()) == before
    assert edge.call("GET", "/v1/seal") == kept
    assert edge.call("GET", "/v1/memories/export")["memories"] == []


def test_too_many_views_are_refused(edge: SignedClient) -> None:
    turn = encode(user_turn("Dinner?", views=("v011/food",)))
    many = json.dumps([f"v{number:03}/food" for number in range(17)]).encode()
    response = edge.request("POST", "/v1/turns", turn.replace(b'["v011/food"]', many))
    assert (response.status_code, error_code(response)) == (400, "malformed")


def test_the_device_is_told_which_policies_can_be_expanded(edge: SignedClient) -> None:
    assert shipped_policy().digest in edge.call("GET", "/v1/device")["policies"]


def test_the_highest_seal_is_kept_over_a_restart_and_never_goes_back(
    tmp_path: Path, model: Scripted, server: CloudProcess
) -> None:
    arguments = ["--responder", "openai", "--base-url", model.base_url, "--model", "scripted"]
    with cloud_process(tmp_path, arguments) as first, first.pinned_client() as http:
        edge = SignedClient.pair(http, first.uri.secret)
        assert edge.call("GET", "/v1/seal") == {}
        for counter, total in ((1, 2_000), (3, 6_000), (2, 4_000), (3, 5_000)):
            edge.turn(user_turn("hi", seal=seal(edge, counter, total)))
        assert edge.call("GET", "/v1/seal")["seal"]["total"] == 6_000
        assert first.stop() == 0
        assert b"v011" not in first.log.read_bytes()
    with cloud_process(tmp_path, arguments) as again, again.pinned_client() as http:
        same = SignedClient(http=http, device=edge.device, key=edge.key)
        assert same.call("GET", "/v1/seal")["seal"]["counter"] == 3


def test_a_seal_of_another_device_key_or_sum_is_forged(edge: SignedClient) -> None:
    stranger = SignedClient(http=edge.http, device="dev_" + "a" * 26, key=edge.key)
    thief = SignedClient(http=edge.http, device=edge.device, key=Ed25519PrivateKey.generate())
    for forged in (seal(stranger, 9, 9), seal(thief, 9, 9), replace(seal(edge, 9, 9), total=8)):
        response = edge.request("POST", "/v1/turns", encode(user_turn("hi", seal=forged)))
        assert error_code(response) == "forged_seal"
    assert edge.call("GET", "/v1/seal") == {}


def test_a_seal_is_told_to_its_own_device_only_and_to_no_one_without_a_signature(
    server: CloudProcess, edge: SignedClient, tmp_path: Path
) -> None:
    assert edge.http.get("/v1/seal").status_code == 401
    stranger = SignedClient(http=edge.http, device="dev_" + "a" * 26, key=edge.key)
    assert stranger.request("GET", "/v1/seal").status_code == 401


def test_no_view_is_in_a_log_or_store(server: CloudProcess, edge: SignedClient, model: Scripted) -> None:
    view = released(DRAWING[0], 1)
    assert prompt(edge, model, view)
    refused = user_turn("Dinner?", views=("v987/food",))
    assert edge.request("POST", "/v1/turns", encode(refused)).status_code == 400
    assert edge.request("POST", "/v1/turns", encode(refused).replace(b"v987/", b"v987!")).status_code == 400
    written = b"".join(path.read_bytes() for path in server.log.parent.rglob("*") if path.is_file())
    assert b"listening" in written
    assert view.encode() not in written
    assert view.split("/")[0].encode() not in written
    assert b"v987" not in written
