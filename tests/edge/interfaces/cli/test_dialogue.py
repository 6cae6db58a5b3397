import json

import pytest
from edge.interfaces.scripted_service import PLAIN, ScriptedService, refusal_of
from keepmum_edge.daemon.chat import MemoriesUsed
from keepmum_edge.errors import CloudBrokeOffError, CloudUnreachableError
from keepmum_edge.interfaces.cli.conversation import Conversation
from keepmum_shared.ids import new_memory_id
from keepmum_shared.messages import ContentDelta


def test_piped_lines_are_answered_one_by_one_with_their_history(keepmum_with_daemon):
    service = ScriptedService()
    done = keepmum_with_daemon(service)("chat", stdin="hi\n\nünï 你好\n".encode())
    assert (done.returncode, done.stdout) == (0, b"Hello\nHello\n")
    (first, context, _), (second, again, _) = service.asked
    assert [message.content for message in first.messages] == ["hi"]
    assert [message.content for message in second.messages] == ["hi", "Hello", "ünï 你好"]
    assert context.conversation == again.conversation
    assert context.application == "cli"


def test_answers_can_be_had_as_json(keepmum_with_daemon):
    memory = new_memory_id()
    service = ScriptedService(script=(MemoriesUsed(memories=(memory,)), *PLAIN))
    first, second = keepmum_with_daemon(service)("chat", "--json", stdin=b"hi\nho\n").stdout.splitlines()
    assert json.loads(first)["turn"].startswith("turn_")
    answer = json.loads(second)
    assert (answer["answer"], answer["model"], answer["memories_used"]) == ("Hello", "scripted-1", [memory])


def test_quit_ends_before_the_rest_is_read(keepmum_with_daemon):
    service = ScriptedService()
    assert keepmum_with_daemon(service)("chat", stdin=b"hi\n/quit\nmore\n").returncode == 0
    assert len(service.asked) == 1


def test_new_and_incognito_begin_fresh_conversations(keepmum_with_daemon):
    service = ScriptedService()
    script = b"one\n/new\ntwo\n/incognito\nthree\n/incognito\nfour\n"
    done = keepmum_with_daemon(service)("chat", "--scope", "work", stdin=script)
    assert done.returncode == 0
    assert len({context.conversation for _, context, _ in service.asked}) == 4
    assert [len(chat.messages) for chat, _, _ in service.asked] == [1, 1, 1, 1]
    assert [context.mode for _, context, _ in service.asked] == ["normal", "normal", "incognito", "normal"]
    assert {context.scope for _, context, _ in service.asked} == {"work"}
    assert b"Incognito: a fresh conversation" in done.stderr


def test_a_scope_may_be_called_in_any_script(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    assert keepmum("chat", "--scope", "日本", stdin="茶\n/remember 茶\n".encode()).returncode == 0
    assert service.asked[0][1].scope == "日本"
    assert {record.scope for record in service.kept.values()} == {"日本"}
    assert keepmum("chat", "--scope", "../etc", stdin=b"tea\n").returncode == 2


def test_remember_says_what_the_cloud_will_see(keepmum_with_daemon):
    service = ScriptedService()
    script = b"/remember I live in Bath\n/remember I like tea\n/memory\n/memory tea\n/pending\n"
    done = keepmum_with_daemon(service)("chat", stdin=script)
    assert done.returncode == 0
    assert [record.text for record in service.kept.values()] == ["I live in Bath", "I like tea"]
    assert done.stdout.count(b"[for the cloud]") == 3
    assert b"the cloud will see exactly: masked 10" in done.stderr
    assert b"never answered" in done.stdout


def test_nothing_is_remembered_in_incognito(keepmum_with_daemon):
    service = ScriptedService()
    done = keepmum_with_daemon(service)("chat", "--incognito", stdin=b"/remember I live in Bath\n")
    assert (done.returncode, service.kept) == (2, {})


def test_forget_in_a_script_ends_with_3_if_the_cloud_part_is_queued(keepmum_with_daemon):
    service = ScriptedService(cloud="pending")
    keepmum = keepmum_with_daemon(service)
    keepmum("memory", "add", stdin=b"tea")
    (memory,) = service.kept
    assert keepmum("chat", stdin=f"/forget {memory}\n".encode()).returncode == 3


def test_trace_shows_both_sides(keepmum_with_daemon):
    done = keepmum_with_daemon()("chat", stdin=b"hi\n/trace\n/help\n")
    assert b"Hello <NAME_1>" in done.stdout
    assert b"/incognito" in done.stdout


def test_trace_and_why_are_of_this_conversation(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    first, traced, why = map(json.loads, keepmum("chat", "--json", stdin=b"hi\n/trace\n/why\n").stdout.splitlines())
    assert traced["turn"] == why["turn"] == first["turn"]
    for command in (b"/trace\n", b"/why\n", b"hi\n/incognito\n/trace\n", b"hi\n/new\n/why\n"):
        done = keepmum("chat", stdin=command)
        assert done.returncode == 2
        assert b"nothing was said in this conversation yet" in done.stderr


def test_in_incognito_it_is_said_whose_memories_are_listed(keepmum_with_daemon):
    done = keepmum_with_daemon()("chat", "--incognito", stdin=b"/memory\n")
    assert b"this conversation uses none of them" in done.stderr


def test_the_budget_is_shown_in_the_chat(keepmum_with_daemon):
    done = keepmum_with_daemon()("chat", stdin=b"/budget\n")
    assert done.returncode == 0
    assert b"nobody's odds of it change" in done.stdout


def test_memories_used_are_named_below_the_answer(keepmum_with_daemon):
    memory = new_memory_id()
    service = ScriptedService(script=(MemoriesUsed(memories=(memory,)), *PLAIN))
    done = keepmum_with_daemon(service)("chat", stdin=b"hi\n")
    assert done.stdout == b"Hello\n"
    assert f"memory used: {memory}".encode() in done.stderr


@pytest.mark.parametrize("line", [b"/unknown\n", b"/remember\n", b"/forget\n", b"caf\xe9\n"])
def test_a_wrong_line_is_status_2(keepmum_with_daemon, line):
    service = ScriptedService()
    assert keepmum_with_daemon(service)("chat", stdin=line).returncode == 2
    assert not service.asked


def test_a_script_ends_at_the_first_error(keepmum_with_daemon):
    service = ScriptedService(refusals=[refusal_of(CloudUnreachableError)])
    assert keepmum_with_daemon(service)("chat", stdin=b"one\ntwo\n").returncode == 5
    assert len(service.asked) == 1


def test_an_answer_that_breaks_off_is_an_error(keepmum_with_daemon):
    service = ScriptedService(script=(ContentDelta(text="Hel"), CloudBrokeOffError("the cloud broke off; ask again")))
    done = keepmum_with_daemon(service)("chat", stdin=b"one\n")
    assert done.returncode == 5
    assert b"the cloud broke off" in done.stderr


def test_an_unfinished_exchange_is_not_part_of_the_history():
    conversation = Conversation(new_name=lambda: "c")
    assert conversation.asking("one") == [{"role": "user", "content": "one"}]
    assert conversation.messages == []
    conversation.answered("one", "two")
    assert [message["content"] for message in conversation.asking("three")] == ["one", "two", "three"]
