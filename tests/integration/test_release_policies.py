"""The paper's modes over both halves: drawn and charged a turn as the policy file says, and generic past the cap."""

import json
from pathlib import Path
from typing import Any

import pytest
from halves import Halves, paired_halves
from keepmum_shared.view import Policy, SlotId, shipped_policy
from scripted_openai import scripted_openai

OK = {"steps": [{"content": "Noted."}, {"finish": "stop"}, {"done": True}]}
FOOD = "What could I cook for dinner tonight?"
TURNS = 6
POLICY = shipped_policy()


def epsilons(policy: Policy, release: str) -> dict[SlotId, int]:
    """What a draw on a slot costs, as the paper says: least B_a / K, or least B_a / C_a, rounded down."""
    shares = {
        name: each.cap // (policy.selections if release == "online" else each.planned)
        for name, each in policy.layout.attributes.items()
    }
    return {
        slot: min(shares[name] for name in policy.layout.gamma(slot))
        for slot in policy.layout.slots
        if policy.layout.gamma(slot)
    }


def lifetimes(halves: Halves) -> dict[str, int]:
    return {each["id"]: each["lifetime"] for each in halves.owner.get("/budget").json()["attributes"]}


def turns_at_cloud(halves: Halves) -> list[dict[str, Any]]:
    lines = map(json.loads, halves.record.read_text(encoding="utf-8").splitlines())
    return [json.loads(line["body"]) for line in lines if line["path"] == "/v1/turns"]


@pytest.mark.parametrize(("release", "mechanism"), [("online", "exponential"), ("preallocated", "krr")])
def test_each_turn_draws_and_pays_for_every_attribute_of_its_slots_until_a_cap_and_is_then_generic(
    tmp_path: Path, release: str, mechanism: str
) -> None:
    environ = {
        "KEEPMUM_FIRST_PERIOD_DAYS": "0",
        "KEEPMUM_RELEASE_POLICY": release,
        "KEEPMUM_MECHANISM": mechanism,
    }
    flags = {"edge_flags": ["--rules-only"], "cloud_flags": ["--record", str(tmp_path / "home" / "decoded.jsonl")]}
    facets = {facet.id: facet for facet in POLICY.vocabulary.facets.values()}
    slot_of = {view.id: facet.slot for facet in facets.values() for view in facet.views}
    generic = {facet.generic.id for facet in facets.values()}
    cost, spent = epsilons(POLICY, release), dict.fromkeys(map(str, POLICY.layout.attributes), 0)
    grounds: list[dict[SlotId, str]] = []
    with (
        scripted_openai(tmp_path, [OK]) as model,
        paired_halves(tmp_path / "home", model, environ=environ, **flags) as halves,
    ):
        assert halves.owner.get("/budget").json()["release_policy"] == release
        halves.owner.post("/memories", json={"text": "I have type 2 diabetes"})
        for turn in range(TURNS):
            if turn == 2:
                halves.edge.kill()
                halves.start_edge()
            halves.say(FOOD)
            views = halves.newest_trace()["views"]
            grounds.append({slot_of[view["view"]]: view["ground"] for view in views})
            sent = turns_at_cloud(halves)[-1]
            assert sent["views"] == [f"{view['view']}/{view['topic']}" for view in views]
            for view in views:
                slot = slot_of[view["view"]]
                gamma = POLICY.layout.gamma(slot)
                admitted = all(spent[a] + cost[slot] <= POLICY.layout.attributes[a].cap for a in gamma)
                draws = any(len(facet.views) > 1 for facet in facets.values() if facet.slot == slot)
                assert view["ground"] == ("no_choice" if not draws else "drawn" if admitted else "spent"), (turn, slot)
                if view["ground"] == "drawn":
                    for attribute in gamma:
                        spent[attribute] += cost[slot]
                else:
                    assert view["view"] in generic
            assert lifetimes(halves) == spent
            assert sent["seal"]["total"] == sum(spent.values())
    most = POLICY.selections if release == "online" else POLICY.layout.attributes["type_2_diabetes"].planned  # type: ignore[index]
    diet = [each[SlotId("diet_and_metabolism")] for each in grounds]
    assert diet == ["drawn"] * most + ["spent"] * (TURNS - most)
    assert max(spent.values()) <= 2_000_000_000
