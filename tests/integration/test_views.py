"""Released views over both halves: drawn once, charged, the same again, and in the prompt; for the owner alone."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from halves import Halves, paired_halves, user
from keepmum_shared.messages import PROTOCOL
from keepmum_shared.view import shipped_policy
from scripted_openai import Scripted, scripted_openai

OK = {"steps": [{"content": "Noted."}, {"finish": "stop"}, {"done": True}]}
FOOD = "What could I cook for dinner tonight?"
FIRST_PERIOD = {"KEEPMUM_FIRST_PERIOD_DAYS": "0"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [OK]) as running:
        yield running


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    home = tmp_path_factory.mktemp("home")
    flags = {"edge_flags": ["--rules-only"], "cloud_flags": ["--record", str(home / "decoded.jsonl")]}
    with paired_halves(home, model, environ=FIRST_PERIOD, **flags) as running:
        yield running


def turns_at_cloud(halves: Halves) -> list[dict[str, Any]]:
    """Every turn as it came out of the TLS connection."""
    lines = map(json.loads, halves.record.read_text(encoding="utf-8").splitlines())
    return [json.loads(line["body"]) for line in lines if line["path"] == "/v1/turns"]


def told(halves: Halves, text: str, **headers: str) -> dict[str, Any]:
    """What the owner's client is told beside the answer."""
    answer = halves.client(**headers).chat.completions.create(model="any", messages=[user(text)])
    return dict(answer.model_dump().get("keepmum") or {})


def test_a_view_is_drawn_once_told_to_its_owner_and_reaches_the_prompt(halves: Halves) -> None:
    first = told(halves, FOOD)
    again = told(halves, FOOD)
    policy = shipped_policy()
    about_food = [each for each in policy.vocabulary.facets.values() if "food" in each.topics and each.draws]
    assert [each["facet"] for each in first["views"]] == [each.id for each in about_food]
    assert {each["ground"] for each in first["views"]} == {"drawn"}
    assert "views" not in again, "told when it first leaves, and not again"
    sent = turns_at_cloud(halves)
    assert sent[0]["views"] == [f"{each['view']}/food" for each in first["views"]]
    assert sent[1]["views"] == sent[0]["views"], "reused, whatever became of memory"
    assert sent[0]["policy"] == sent[1]["policy"] == shipped_policy().digest
    assert sent[0]["seal"] == sent[1]["seal"], "what is reused costs nothing"
    charged = sum(policy.epsilon(each) * len(policy.layout.gamma(each.slot)) for each in about_food)
    assert sent[0]["seal"]["total"] == charged, "each attribute of a slot that was drawn from"
    trace = halves.newest_trace()
    assert [f"{each['view']}/{each['topic']}" for each in trace["views"]] == sent[0]["views"]
    prompt = json.loads(halves.model.requests()[-1]["body"])["messages"] if halves.model else []
    for each in trace["views"]:
        assert each["why"].startswith("drawn once")
        assert each["name"] == "generic" or each["wording"] in prompt[0]["content"]


def test_nothing_of_views_goes_with_incognito_or_for_others(halves: Halves) -> None:
    before = len(turns_at_cloud(halves))
    assert "views" not in told(halves, "A recipe for soup, please?", mode="incognito")
    assert told(halves, "Which hotel for the trip?", audience="ben") == {}
    hidden, other = turns_at_cloud(halves)[before:]
    for each in (hidden, other):
        assert each["views"] == []
        assert each["policy"] == shipped_policy().digest
        assert each["seal"] == turns_at_cloud(halves)[0]["seal"], "nothing was drawn"


def test_a_turn_that_names_no_topic_goes_on_with_the_conversations(halves: Halves) -> None:
    first = halves.say(FOOD, conversation="c-goes-on")
    messages = [user(FOOD), {"role": "assistant", "content": first}, user("And what else?")]
    halves.chat(messages, conversation="c-goes-on")
    before, after = turns_at_cloud(halves)[-2:]
    assert after["views"] == before["views"]
    halves.say("And what else?", conversation="c-of-its-own")
    assert turns_at_cloud(halves)[-1]["views"] == []


def test_a_turn_that_is_tried_again_draws_no_second_time(tmp_path: Path) -> None:
    """In the paper's mode a turn has draws of its own; the same turn has the same."""
    broken = {"steps": [{"content": "No"}, {"abort": True}]}
    environ = FIRST_PERIOD | {"KEEPMUM_RELEASE_POLICY": "online", "KEEPMUM_MECHANISM": "exponential"}
    flags = {"edge_flags": ["--rules-only"], "cloud_flags": ["--record", str(tmp_path / "home" / "decoded.jsonl")]}
    with (
        scripted_openai(tmp_path, [broken, broken, OK]) as model,
        paired_halves(tmp_path / "home", model, environ=environ, **flags) as halves,
    ):
        for _ in range(2):
            with pytest.raises(openai.APIError):
                halves.chat([user(FOOD)], key="k")
        halves.chat([user(FOOD)], key="k")
        halves.chat([user(FOOD)], key="another")
        *tried, last, other = turns_at_cloud(halves)
        assert {each["turn"] for each in tried} == {last["turn"]}
        assert all((each["views"], each["seal"]) == (last["views"], last["seal"]) for each in tried)
        assert other["seal"]["counter"] == last["seal"]["counter"] + 1
        assert {each["ground"] for each in halves.newest_trace()["views"]} == {"drawn"}


def test_a_ledger_that_cannot_be_used_stops_every_turn_until_it_can(tmp_path: Path) -> None:
    with (
        scripted_openai(tmp_path, [OK]) as model,
        paired_halves(tmp_path / "home", model, edge_flags=["--rules-only"], environ=FIRST_PERIOD) as halves,
    ):
        halves.say(FOOD)
        halves.edge.kill()
        seal = halves.config.paths.seal_file
        whole = seal.read_bytes()
        seal.write_bytes(whole[:-1])
        halves.start_edge()
        with pytest.raises(openai.InternalServerError, match="the ledger's seal is damaged; nothing was sent"):
            halves.say("hello")
        with pytest.raises(openai.InternalServerError, match="the ledger's seal is damaged; nothing was sent"):
            halves.say("hello", mode="incognito")
        with pytest.raises(openai.InternalServerError) as refused:
            halves.say("hello", audience="ben")
        assert refused.value.code == "keepmum_unavailable"
        assert "seal" not in str(refused.value)
        assert len(model.requests()) == 1
        seal.write_bytes(whole)
        assert halves.say("hello") == "Noted.", "without a start"


def test_a_cloud_of_another_policy_is_refused_with_words_until_it_is_updated(tmp_path: Path) -> None:
    script = tmp_path / "hostile.json"
    with (
        scripted_openai(tmp_path, [OK]) as model,
        paired_halves(
            tmp_path / "home", model, edge_flags=["--rules-only"], cloud_flags=["--hostile", str(script)]
        ) as halves,
    ):
        device = {"device": f"dev_{'a' * 26}", "name": "t", "paired_at": 1, "time": 1, "policies": ["0" * 64]}
        script.write_text(json.dumps({"path": "/v1/device", "body": json.dumps(device | {"protocol": PROTOCOL})}))
        with pytest.raises(openai.APIStatusError, match="does not know the view policy") as refused:
            halves.say(FOOD)
        assert refused.value.code == "policy_mismatch"
        assert model.requests() == []
        script.unlink()
        assert halves.say(FOOD) == "Noted."


def budget(halves: Halves, *arguments: str) -> dict[str, Any]:
    done = halves.keepmum("budget", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


def of(shown: dict[str, Any], attribute: str) -> dict[str, Any]:
    (found,) = (each for each in shown["attributes"] if each["id"] == attribute)
    return dict(found)


def test_the_budget_says_what_was_spent_what_left_until_when_and_what_it_means(halves: Halves) -> None:
    halves.say(f"{FOOD} I have diabetes.")
    diabetes = of(budget(halves), "type_2_diabetes")
    assert (diabetes["lifetime"], diabetes["lifetime_cap"]) == (2_000_000_000, 2_000_000_000)
    assert [view["facet"] for view in diabetes["views"]] == ["diet"]
    assert diabetes["views"][0]["until"] - diabetes["views"][0]["since"] in range(29 * 86_400, 30 * 86_400 + 1)
    assert diabetes["sent"] == 1
    assert "more than a factor of 7.4" in diabetes["words"]
    assert of(budget(halves), "criminal_record")["lifetime"] == 0, "nothing was asked about that"
    shown = halves.keepmum("budget").stdout
    assert "type-2 diabetes:\n  spent ε 2 of 2;" in shown
    assert "criminal record" in shown
    assert "which no bound covers: type-2 diabetes " in shown
    assert "the views of other profiles of yours, which add up" in shown
    explained = halves.keepmum("policy", "explain").stdout
    assert "diet of diet_and_metabolism: generic, steady, light, substitutions; 2 a draw, right with 0.711" in explained
    told_why = halves.keepmum("memory", "why").stdout
    assert 'view: diet, "' in told_why
    assert 'view: diet, "' in halves.keepmum("trace").stdout
    checks = {check["name"]: check for check in json.loads(halves.keepmum("doctor", "--json").stdout)["checks"]}
    assert checks["views"]["status"] == "ok"
    assert "the ledger adds up" in checks["views"]["detail"]
    assert "requests were not ready at their first tick" in checks["departures"]["detail"]


def test_a_silenced_slot_is_generic_until_its_owner_takes_it_back(halves: Halves) -> None:
    halves.say(FOOD)
    before = halves.newest_trace()["views"]
    assert budget(halves, "silence", "diet_and_metabolism")["silenced"] == ["diet_and_metabolism"]
    halves.say(FOOD)
    silenced = halves.newest_trace()["views"]
    assert (silenced[0]["ground"], silenced[0]["name"]) == ("silenced", "generic")
    assert silenced[1:] == before[1:]
    assert turns_at_cloud(halves)[-1]["views"][0] == f"{silenced[0]['view']}/{silenced[0]['topic']}"
    assert budget(halves, "unsilence", "diet_and_metabolism")["silenced"] == []
    halves.say(FOOD)
    assert halves.newest_trace()["views"] == before
    refused = halves.keepmum("budget", "silence", "nonsense")
    assert refused.returncode == 2
    assert "must be one of diet_and_metabolism" in refused.stderr


def test_a_person_who_chats_is_told_of_a_view_when_it_first_leaves(halves: Halves) -> None:
    said = "Plan a weekend trip with a museum for me\n"
    first = halves.keepmum("chat", stdin=said)
    assert "view drawn: " in first.stderr
    assert "view drawn: " not in halves.keepmum("chat", stdin=said).stderr


def test_before_the_first_date_everything_is_generic_and_nothing_is_charged(tmp_path: Path) -> None:
    with (
        scripted_openai(tmp_path, [OK]) as model,
        paired_halves(tmp_path / "home", model, edge_flags=["--rules-only"]) as halves,
    ):
        assert told(halves, FOOD) == {}
        views = halves.newest_trace()["views"]
        assert {(view["ground"], view["name"]) for view in views} == {("early", "generic")}
        shown = budget(halves)
        assert not any(attribute["lifetime"] for attribute in shown["attributes"])
        assert shown["first_date"] - time.time() == pytest.approx(14 * 86_400, abs=300)
        assert "nothing is drawn before" in halves.keepmum("budget").stdout
