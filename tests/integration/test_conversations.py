"""Which requests are one conversation and one turn (design section 3.1), through both real processes."""

import concurrent.futures
import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from halves import Halves, assistant, await_true, paired_halves, user
from scripted_openai import Scripted, reply, scripted_openai

ADA, BEN, ORA = "ada" + "@example.org", "ben" + "@example.org", "ora" + "@example.org"
ECHO = {"steps": [{"echo": 5}, {"finish": "stop"}, {"done": True}]}
QUOTES = {"when": "to tell apart", **reply("  <email_1> should\n", "answer <EMAIL_2> ")}
ONCE = {"when": "ONCE", **reply("the first answer")}
BUSY = {"when": "BUSY", "steps": [{"delay_ms": 400}, {"content": "done"}, {"finish": "stop"}, {"done": True}]}
FAILS = {"when": "FAILS", "status": 500, "steps": ["{}"]}
HANGS = {"when": "HANGS", "steps": [{"delay_ms": 20_000}]}
BREAKS = {"when": "BREAKS", "steps": [{"content": "half of it"}, {"delay_ms": 50}, {"abort": True}]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [ECHO, QUOTES, ONCE, BUSY, FAILS, HANGS, BREAKS]) as running:
        yield running


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    home = tmp_path_factory.mktemp("home")
    with paired_halves(home, model, cloud_flags=["--record", str(home / "decoded.jsonl")]) as running:
        yield running


def turns_decoded(halves: Halves, text: str) -> list[dict[str, Any]]:
    """The turn requests in which the newest message holds the text, as the cloud decoded them."""
    lines = [json.loads(line) for line in halves.record.read_text(encoding="utf-8").splitlines()]
    turns = [json.loads(line["body"]) for line in lines if line["path"] == "/v1/turns"]
    return [turn for turn in turns if text in turn["messages"][-1]["content"]]


def conversation_of(halves: Halves, messages: list[dict[str, str]], **headers: str) -> str:
    answer = halves.client(**headers).chat.completions.with_raw_response.create(model="any", messages=messages)  # type: ignore[arg-type]
    return answer.headers["X-Keepmum-Conversation"]


def test_two_chats_that_both_start_with_hi_stay_apart_when_interleaved(halves: Halves) -> None:
    chats = {ADA: [user("hi")], BEN: [user("hi")]}
    for mail, chat in chats.items():
        chat += [assistant(halves.chat(chat)), user(f"I am {mail}")]
    ids = {}
    for mail, chat in chats.items():
        ids[mail] = conversation_of(halves, chat)
        chat += [assistant(f"I am {mail}"), user("who am I?")]
    for mail, chat in chats.items():
        assert conversation_of(halves, chat) == ids[mail]
    assert ids[ADA] != ids[BEN]
    ours = [messages for messages in halves.sent() if messages[-1]["content"] == "who am I?"]
    assert [messages[2]["content"] for messages in ours] == ["I am <EMAIL_1>", "I am <EMAIL_2>"]
    assert [messages[3]["content"] for messages in ours] == ["I am <EMAIL_1>", "I am <EMAIL_2>"]


def test_a_quoted_placeholder_of_an_earlier_request_means_the_same_person(halves: Halves) -> None:
    first = user(f"{ADA} wrote to {BEN}; to tell apart")
    answer = halves.chat([first])
    assert answer == f"  {ADA} should\nanswer {BEN} "
    halves.chat([first, assistant(answer.strip()), user(f"and tell {ORA}; what did you say before?")])
    sent = halves.sent()[-1]
    assert sent[0]["content"] == "<EMAIL_1> wrote to <EMAIL_2>; to tell apart"
    assert sent[1]["content"] == "  <email_1> should\nanswer <EMAIL_2> ", "byte for byte what the model produced"
    assert sent[2]["content"] == "and tell <EMAIL_3>; what did you say before?"


def test_a_regenerated_and_an_edited_message_fork_the_conversation(halves: Halves) -> None:
    start = [user(f"please answer {ADA}")]
    whole = [*start, assistant(halves.chat(start)), user("and then?")]
    straight = conversation_of(halves, whole)
    regenerated = conversation_of(halves, whole)
    edited = conversation_of(halves, [*whole[:2], user(f"or for {BEN}?")])
    assert len({straight, regenerated, edited}) == 3
    for chat in (whole, [*whole[:2], user(f"or for {BEN}?")]):
        resent = [m for m in halves.sent() if len(m) == len(chat) and m[0]["content"].startswith("please answer")]
        assert {m[0]["content"] for m in resent} == {"please answer <EMAIL_1>"}
        assert {m[1]["content"] for m in resent} == {"please answer <EMAIL_1>"}


def test_the_same_instructions_do_not_link_two_chats(halves: Halves) -> None:
    instructions = {"role": "system", "content": f"You work for {ORA}."}
    texts = [f"my password is {word}-" + "9271-kite" for word in ("plover", "osprey", "plover")]
    for text in texts:
        halves.chat([instructions, user(text)])
    sent = [messages for messages in halves.sent() if messages[0]["content"].startswith("You work for")]
    assert [messages[1]["content"] for messages in sent] == ["my password is <PASSWORD_100001>"] * 3
    assert {messages[0]["content"].split("\n")[0] for messages in sent} == {"You work for <EMAIL_100001>."}


def test_a_fork_knows_the_secrets_of_the_other_branch(halves: Halves) -> None:
    secrets = [f"{word}-" + "9271-kite" for word in ("plover", "osprey", "dunlin")]
    start = [user(f"share: my password is {secrets[0]}")]
    start.append(assistant(halves.chat(start)))
    halves.chat([*start, user(f"my other password is {secrets[1]}")])
    halves.chat([*start, user(f"password: {secrets[2]}, not {secrets[0]} nor {secrets[1]}")])
    sent = halves.sent()[-1]
    assert sent[0]["content"] == "share: my password is <PASSWORD_100001>"
    assert sent[2]["content"] == "password: <PASSWORD_100003>, not <PASSWORD_100001> nor <PASSWORD_100002>"


def test_a_secret_of_an_earlier_turn_is_masked_after_a_restart_too(halves: Halves) -> None:
    secret = "Merlin-" + "77-kite"
    chat = [user(f"restart: my password is {secret}")]
    chat.append(assistant(halves.chat(chat)))
    halves.edge.kill()
    halves.start_edge()
    halves.chat([*chat, user(f"what opens with {secret}?")])
    sent = halves.sent()[-1]
    assert sent[0]["content"] == "restart: my password is <PASSWORD_100001>"
    assert sent[2]["content"] == "what opens with <PASSWORD_100002>?"


def test_a_named_conversation_is_one_whatever_its_messages(halves: Halves) -> None:
    first = conversation_of(halves, [user("alpha")], conversation="diary")
    second = conversation_of(halves, [user("beta")], conversation="diary")
    other = conversation_of(halves, [user("alpha")], conversation="diary", scope="work")
    assert first == second != other


def test_a_key_replays_the_same_answer_and_asks_the_model_once(halves: Halves, model: Scripted) -> None:
    said = [user(f"ONCE for {ADA}")]
    assert halves.chat(said, key="key-1") == halves.chat(said, key="key-1") == "the first answer"
    assert sum("ONCE for" in request["body"] for request in model.requests()) == 1
    streamed = halves.client().chat.completions.create(
        model="any",
        messages=said,  # type: ignore[arg-type]
        stream=True,
        extra_headers={"Idempotency-Key": "key-1"},
    )
    assert "".join(chunk.choices[0].delta.content or "" for chunk in streamed) == "the first answer"


def test_a_key_that_came_with_another_body_is_an_error_and_nothing_is_sent(halves: Halves, model: Scripted) -> None:
    halves.chat([user("the one")], key="key-2")
    before = len(model.requests())
    with pytest.raises(openai.UnprocessableEntityError) as refused:
        halves.chat([user("the other")], key="key-2")
    assert refused.value.code == "idempotency_conflict"
    assert len(model.requests()) == before


def test_requests_with_one_key_at_the_same_time_are_one_turn(halves: Halves, model: Scripted) -> None:
    client = halves.client()

    def ask(_: int) -> tuple[str, str | None]:
        answer = client.chat.completions.create(
            model="any",
            messages=[{"role": "user", "content": f"BUSY for {ADA}"}],
            extra_headers={"Idempotency-Key": "key-3"},
        )
        return answer.id, answer.choices[0].message.content

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        answers = set(pool.map(ask, range(6)))
    assert [text for _, text in answers] == ["done"]
    assert sum("BUSY for" in request["body"] for request in model.requests()) == 1


@pytest.mark.parametrize(
    ("said", "timeout", "code"),
    [pytest.param("FAILS", 30.0, 500, marks=pytest.mark.slow), ("HANGS", 1.5, None), ("BREAKS", 30.0, 502)],
)
def test_a_retry_of_the_official_client_is_the_same_turn(
    halves: Halves, said: str, timeout: float, code: int | None
) -> None:
    client = halves.client(retries=1).with_options(timeout=timeout)
    with pytest.raises(openai.APIError) as failed:
        client.chat.completions.create(model="any", messages=[{"role": "user", "content": f"{said} {ADA}"}])
    assert code is None or (isinstance(failed.value, openai.APIStatusError) and failed.value.status_code >= 500)
    await_true(lambda: len(turns_decoded(halves, said)) >= 2, limit_s=10)
    decoded = turns_decoded(halves, said)
    assert len({turn["turn"] for turn in decoded}) == 1
    ours = [trace for trace in halves.owner.get("/traces").json()["traces"] if said in trace["typed"]]
    assert [trace["turn"] for trace in ours] == [decoded[0]["turn"]]
    assert ours[0]["received"] == ""


def test_the_same_words_without_a_sign_of_a_retry_are_a_new_turn(halves: Halves, model: Scripted) -> None:
    before = len(model.requests())
    first, second = (
        halves.client().chat.completions.create(model="any", messages=[{"role": "user", "content": "again"}])
        for _ in range(2)
    )
    assert first.id != second.id
    assert len(model.requests()) == before + 2


def test_a_turn_that_failed_leaves_no_message_and_its_conversation_goes_on(halves: Halves) -> None:
    start = [user(f"before {ADA}")]
    whole = [*start, assistant(halves.chat(start))]
    with pytest.raises(openai.APIStatusError):
        halves.chat([*whole, user("BREAKS")])
    with pytest.raises(openai.APIStatusError):
        halves.chat([*whole, user("BREAKS")])
    halves.chat([*whole, user("after")])
    assert [message["content"] for message in halves.sent()[-1]] == ["before <EMAIL_1>", "before <EMAIL_1>", "after"]


def test_incognito_numbers_start_afresh_and_its_mode_cannot_be_changed(halves: Halves) -> None:
    halves.say(f"I am {BEN}")
    halves.say(f"I am {ORA} and {BEN}", mode="incognito", conversation="secret")
    assert halves.sent()[-1][0]["content"] == "I am <EMAIL_1> and <EMAIL_2>"
    with pytest.raises(openai.BadRequestError, match="incognito"):
        halves.say("and now openly", conversation="secret")
    decoded = turns_decoded(halves, "<EMAIL_1> and <EMAIL_2>")[-1]
    assert (decoded.get("scope"), decoded.get("memory_read", False)) == (None, False)


def test_another_audience_gets_no_memory_and_no_ids(halves: Halves) -> None:
    answer = halves.client(audience="bob").chat.completions.with_raw_response.create(
        model="any", messages=[{"role": "user", "content": f"another question about {ADA}"}]
    )
    assert not [name for name in answer.headers if name.lower().startswith("x-keepmum")]
    assert "keepmum" not in answer.http_response.json()
    decoded = turns_decoded(halves, "another question about")[-1]
    assert (decoded.get("scope"), decoded.get("memory_read", False)) == (None, False)
    assert "<EMAIL_1>" not in decoded["messages"][-1]["content"], "a contact's words get no profile number"


def test_incognito_leaves_its_id_and_the_flag_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("incognito")
    with scripted_openai(folder, [ECHO]) as model, paired_halves(folder / "home", model) as halves:
        halves.chat([user(f"I am {ADA}")], key="incognito-key", mode="incognito", scope="hidden")
        conversation = halves.newest_trace()["conversation"]
        assert halves.edge.stop() == 0
        clear = halves.decrypted()
        assert f"'{conversation}', 'incognito', None, None, None, None, None, None, None" in clear
        assert not [word for word in (ADA, "hidden", "<EMAIL_1>", "I am") if word in clear]


def test_an_answer_is_replayed_after_a_restart(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("restart")
    with (
        scripted_openai(folder, [ECHO, reply("another answer")]) as model,
        paired_halves(folder / "home", model) as halves,
    ):
        said = [user(f"I am {ADA}")]
        first = halves.chat(said, key="key")
        assert halves.edge.stop() == 0
        halves.start_edge()
        assert halves.chat(said, key="key") == first == f"I am {ADA}"
        assert len(model.requests()) == 1
