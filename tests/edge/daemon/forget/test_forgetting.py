"""Forgetting on this computer, end to end: planted words are found before and nowhere after, and do not come back."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import Profile, ScriptedCloud, profile
from keepmum_edge.daemon.forget.receipt import is_genuine
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.errors import DatabaseUnavailableError, IdempotencyConflictError, InvalidRequestError, NotFoundError
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import MemoryId

CANARY = "zqboatword"
MAIL = "quokka" + "@example.org"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def sent(me: Profile) -> str:
    """What the newest turn sent."""
    return "\n".join(message.content or "" for message in me.cloud.turns[-1].messages)


async def shared_statement(me: Profile) -> MemoryRecord:
    """A statement in a chat that goes on, remembered, and recalled in another conversation."""
    said = f"What does a {CANARY} of {MAIL} cost?"  # a question is not remembered by itself
    turn, answer = await me.say(said, key="k1")
    record = await me.record(
        f"Owns a {CANARY} and writes to {MAIL}", turn, sent=f"Owns a {CANARY} and writes to <EMAIL_1>"
    )
    await me.say(said, answer, "And the weather?", key="k2")
    me.cloud.uses = (record.id,)
    await me.say("What do I own?", conversation="c2", key="k3")
    me.cloud.uses = ()
    return record


def test_a_statement_goes_from_every_place_and_the_cloud_is_told_its_id_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.say("Something else entirely", conversation="c3")
            me.cloud.says = f"As you own a {CANARY}"
            record = await shared_statement(me)
            before = await me.texts()
            assert before.count(CANARY) > 6
            assert before.count(MAIL) >= 2, "in the vault: the value, and what it means in the conversation"
            receipt = await me.forget(record.id)
            after = await me.texts()
            assert CANARY not in after
            assert MAIL not in after
            assert receipt.verified
            assert receipt.values == ("<EMAIL_1>",)
            assert (receipt.cloud, receipt.cloud_ids) == ("confirmed", (record.id,))
            assert [(d.memories, d.forget) for d in me.cloud.deletions] == [((record.id,), True)]
            assert {s.store: s.removed for s in receipt.stores}["traces"] == 3
            assert "Something else entirely" in after

    run(work())


@pytest.mark.parametrize("word", ["role", "content", "user", "mem_", "arguments"])
def test_words_of_the_format_match_nothing(word: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await shared_statement(me)
            with pytest.raises(NotFoundError, match="nothing here matches"):
                await me.forget(matching=word)

    run(work())


def test_one_chinese_character_and_marks_without_width_match(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.record("Has a cat called 旺")
            await me.record("Has a b\u200bo\u00adat")
            assert (await me.forget(matching="旺")).records
            assert (await me.forget(matching="boat")).records

    run(work())


def test_what_a_message_was_remembered_by_goes_with_the_message(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            said = f"I own a {CANARY} and my mail is {MAIL}"
            turn, answer = await me.say(said)
            kept = await me.service.memories(None)
            assert kept, "the write path itself"
            assert all(turn in record.sources for record in kept)
            await me.say(said, answer, "And the weather?")
            sent = {write.id for request in me.cloud.turns for write in request.writes}
            assert CANARY in await me.texts()
            receipt = await me.forget(turn)
            assert set(receipt.records) == {record.id for record in kept}
            assert set(receipt.cloud_ids) == sent, "they went with the turn that followed"
            after = await me.texts()
            assert CANARY not in after
            assert MAIL not in after
            assert receipt.verified

    run(work())


def test_the_control_a_record_deleted_without_its_closure_is_still_found(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await shared_statement(me)
            await me.write(lambda db: MemoryStore(db).delete(record.id))
            await me.parts.writer.run(me.parts.database.rewrite)
            assert CANARY in await me.texts()

    run(work())


def test_a_value_that_another_conversation_carries_stays_and_the_receipt_says_so(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.say(f"My friend is {MAIL}", conversation="other")
            record = await me.record(f"Writes to {MAIL}", sent="Writes to <EMAIL_1>")
            receipt = await me.forget(record.id)
            assert (receipt.values, receipt.values_kept) == ((), ("<EMAIL_1>",))
            _, answer = await me.say(f"Again {MAIL}", conversation="third")
            assert MAIL in answer
            assert "<EMAIL_1>" in sent(me)

    run(work())


def test_a_number_that_was_forgotten_is_given_to_nobody_else(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await shared_statement(me)
            await me.forget(record.id)
            await me.say("Write to someone" + "@example.net", conversation="new")
            assert "<EMAIL_2>" in sent(me)
            await me.say(f"Write to {MAIL}", conversation="new")
            assert "<EMAIL_3>" in sent(me)

    run(work())


def test_a_local_record_sends_nothing_and_keeps_no_value(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await me.record(f"Has a {CANARY} condition of {MAIL}", cloud=CloudState.LOCAL_ONLY)
            assert CANARY in await me.texts()
            receipt = await me.forget(record.id)
            assert (receipt.cloud, me.cloud.deletions, me.cloud.turns) == ("never_sent", [], [])
            assert receipt.verified
            assert CANARY not in await me.texts()

    run(work())


def test_digests_are_made_again_parents_first_from_what_is_left(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record(f"Owns a {CANARY}", sent=f"Owns a {CANARY}")
            tea, bread, cake = [await me.record(text, sent=text) for text in ("Drinks tea", "Bakes bread", "Eats cake")]
            both = await me.digest(boat, tea, bread)
            above = await me.digest(both, cake)
            alone = await me.digest(boat, cake)
            reworded = await me.record("Likes water things", boat.id, tea.id, sent="Likes water things")
            shown = await me.service.preview_forget(ForgetRequest(ids=(boat.id,)))
            assert {r.id for r in shown.derived} == {both.id, above.id, alone.id, reworded.id}
            receipt = await me.forget(boat.id)
            assert set(receipt.records) == {boat.id, both.id, above.id, alone.id, reworded.id}
            assert set(receipt.cloud_ids) == set(receipt.records)
            assert [each.old for each in receipt.remade] == [both.id, above.id], (
                "what was worded freely stays deleted, and so does what would only repeat its one source"
            )
            records = {r.id: r for r in await me.service.memories(None)}
            assert set(records) == {tea.id, bread.id, cake.id, *(each.new for each in receipt.remade)}
            new, newest = (records[each.new] for each in receipt.remade)
            assert (new.text, new.sources) == ("Drinks tea\nBakes bread", {tea.id, bread.id})
            assert newest.sources == {new.id, cake.id}
            assert (new.cloud, new.placeholder_text) == (CloudState.QUEUED, "Drinks tea\nBakes bread")
            assert CANARY not in await me.texts()

    run(work())


def test_a_fact_that_a_second_turn_bears_out_stays_and_loses_the_first(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            first, _ = await me.say("What about tea?", conversation="a")
            second, _ = await me.say("And tea again?", conversation="b")
            both, only = await me.record("Drinks tea", first, second), await me.record("Was here", first)
            receipt = await me.forget(first)
            assert (receipt.records, receipt.trimmed) == ((only.id,), (both.id,))
            (left,) = await me.service.memories(None)
            assert left.sources == {second}
            assert receipt.verified

    run(work())


def test_the_newer_fact_is_forgotten_and_the_older_names_it_no_more(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            new = await me.record("Lives in Rome")
            old = await me.record("Lives in Oslo", valid_from=1, valid_to=9, successor=new.id)
            await me.forget(new.id)
            (left,) = await me.service.memories(None)
            assert (left.id, left.successor, left.valid_to) == (old.id, None, 9)

    run(work())


def test_a_turn_that_runs_while_it_is_forgotten_leaves_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await shared_statement(me)
            me.cloud.uses, me.cloud.says = (record.id,), f"It is a {CANARY}"
            me.cloud.gate, me.cloud.reached = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(me.say("What do I own again?", conversation="late", key="late"))
            await me.cloud.reached.wait()
            await me.forget(record.id)
            me.cloud.gate.set()
            _, answer = await running
            assert CANARY in answer, "the client that asked has its answer"
            assert CANARY not in await me.texts()
            assert await me.read(lambda db: db.value("SELECT count(*) FROM turn WHERE state = 'running'")) == 0

    run(work())


def test_a_turn_of_the_conversation_that_runs_meanwhile_leaves_nothing_either(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            said = f"What does a {CANARY} cost?"
            turn, answer = await me.say(said)
            record = await me.record(f"Owns a {CANARY}", turn)
            me.cloud.gate, me.cloud.reached = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(me.say(said, answer, "Tell me more"))
            await me.cloud.reached.wait()
            await me.forget(record.id)
            me.cloud.gate.set()
            await running
            assert CANARY not in await me.texts()

    run(work())


def test_a_client_that_sends_its_history_again_brings_nothing_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            said = f"What does a {CANARY} cost?"
            turn, answer = await me.say(said)
            record = await me.record(f"Owns a {CANARY}", turn)
            await me.forget(record.id)
            _, more = await me.say(said, answer, "Something new")
            assert CANARY in sent(me), "the client's own text is sent as it is told to"
            assert CANARY not in await me.texts()
            await me.say(said, answer, "Something new", more, "And more")
            assert "Something new" in await me.texts()
            assert CANARY not in await me.texts()

    run(work())


def test_no_retry_finds_a_forgotten_answer(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            turn, _ = await me.say(f"What does a {CANARY} cost?", key="k")
            again, _ = await me.say(f"What does a {CANARY} cost?", key="k")
            assert again == turn
            record = await me.record(f"Owns a {CANARY}", turn)
            await me.forget(record.id)
            third, _ = await me.say(f"What does a {CANARY} cost?", key="k")
            assert third != turn

    run(work())


def test_a_person_is_shown_first_then_forgotten_and_never_restored_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.say(f"Tell {MAIL} that I am late", conversation="jack")
            await me.say("Tell others" + "@example.org that I am late", conversation="others")
            mine = await me.record(f"Met {MAIL} in Rome", sent="Met <EMAIL_1> in Rome")
            about = await me.record("Likes tea", subject=MAIL)
            other = await me.record("Met others" + "@example.org", sent="Met <EMAIL_2>")
            request = ForgetRequest(matching=MAIL.upper())
            shown = await me.service.preview_forget(request)
            assert {r.id for r in shown.asked} == {mine.id, about.id}
            assert {str(token): value for token, value in shown.values.items()} == {"<EMAIL_1>": MAIL}
            assert len(await me.service.memories(None)) == 3, "nothing has happened yet"
            done = await me.service.forget(request, digest=shown.digest)
            assert done.receipt.values == ("<EMAIL_1>",)
            assert is_genuine(done.receipt, done.signature)
            assert [d.memories for d in me.cloud.deletions] == [(mine.id,)]
            assert "quokka" not in str(me.cloud.deletions)
            assert "quokka" not in await me.texts()
            assert [r.id for r in await me.service.memories(None)] == [other.id]
            me.cloud.says = "Hello <EMAIL_1> and <EMAIL_2>"
            _, answer = await me.say("Tell others" + "@example.org again", conversation="others")
            assert answer.endswith("Hello <EMAIL_1> and others@example.org")

    run(work())


def test_a_number_that_means_something_else_in_incognito_keeps_its_meaning_there(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.say(f"Tell {MAIL}", conversation="a")
            hidden = "hidden" + "@example.org"
            me.cloud.gate, me.cloud.reached = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(me.say(f"Tell {hidden}", conversation="i", mode="incognito"))
            await me.cloud.reached.wait()
            assert (await me.forget(matching=MAIL)).values == ("<EMAIL_1>",)
            me.cloud.gate.set()
            _, answer = await running
            assert hidden in answer
            _, answer = await me.say(f"Tell {hidden}", answer, f"And {hidden}", conversation="i", mode="incognito")
            assert hidden in answer

    run(work())


def test_a_yes_to_what_was_shown_is_no_yes_to_something_else(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record("Owns a boat")
            shown = await me.service.preview_forget(ForgetRequest(ids=(boat.id,)))
            await me.record("Sails", boat.id)
            with pytest.raises(IdempotencyConflictError):
                await me.service.forget(ForgetRequest(ids=(boat.id,)), digest=shown.digest)
            assert len(await me.service.memories(None)) == 2

    run(work())


def test_what_is_not_there_is_no_success(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record("Owns a boat")
            for request in (ForgetRequest(ids=(MemoryId("mem_" + "a" * 26),)), ForgetRequest(matching="submarine")):
                with pytest.raises(NotFoundError):
                    await me.service.forget(request)
            both = await asyncio.gather(me.forget(boat.id), me.forget(boat.id), return_exceptions=True)
            assert sorted(type(each).__name__ for each in both) == ["NotFoundError", "Receipt"]
            assert len(await me.service.receipts(9)) == 1

    run(work())


def test_a_scope_goes_and_no_other_scope_is_touched(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.say(f"The {CANARY} project", conversation="w", scope="work")
            await me.say("My home matters", conversation="h", scope="home")
            await me.say("Hello there", conversation="hw", scope="work")
            await me.say("Hello there", conversation="hh", scope="home")
            gone = await me.record(f"Works on {CANARY}", scope="work", sent=f"Works on {CANARY}")
            kept = await me.record("Lives at home", scope="home", sent="Lives at home")
            key = me.cloud.turns[0].scope
            receipt = await me.forget(scope="work")
            assert (receipt.records, receipt.verified) == ((gone.id,), True)
            after = await me.texts()
            assert CANARY not in after
            assert "My home matters" in after
            assert "Hello there" in after, "another conversation that merely begins with the same words"
            assert [r.id for r in await me.service.memories(None)] == [kept.id]
            await me.say("A new start", conversation="w", scope="work")
            assert me.cloud.turns[-1].scope not in (None, key), "nothing links the two"

    run(work())


def test_everything_goes_and_another_profile_is_untouched(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path / "bob") as bob:
            await bob.record(f"Bob owns a {CANARY}")
            async with profile(tmp_path / "alice") as me:
                await shared_statement(me)
                await me.record("Also local", cloud=CloudState.LOCAL_ONLY)
                await me.say(f"Nothing of {CANARY} is kept", conversation="i", mode="incognito")
                receipt = await me.forget(everything=True)
                after = await me.texts()
                assert CANARY not in after
                assert MAIL not in after
                assert receipt.verified
                assert await me.service.memories(None) == ()
                assert [t for t in await me.service.traces(9) if t.sent] == []
                await me.say("Write to new" + "@example.org")
                assert "<EMAIL_2>" in sent(me)
            assert CANARY in await bob.texts()

    run(work())


def test_a_cloud_that_is_down_is_told_later_and_a_restart_loses_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        cloud = ScriptedCloud()
        async with profile(tmp_path, cloud) as me:
            record = await shared_statement(me)
            cloud.is_down = True
            receipt = await me.forget(record.id)
            assert receipt.cloud == "pending"
            assert (await me.service._forget_check()).status == "warn"
            assert CANARY not in await me.texts()
        async with profile(tmp_path, cloud) as me:
            assert (await me.service.receipts(1))[0].receipt.cloud == "pending"
            assert not await me.parts.forgetting.deliver()
            cloud.is_down = False
            assert await me.parts.forgetting.deliver()
            done = (await me.service.receipts(1))[0]
            assert (done.receipt.cloud, done.receipt.id) == ("confirmed", receipt.id)
            assert done.receipt.statements[0].statement.gone == (record.id,)
            assert is_genuine(done.receipt, done.signature)
            assert cloud.held == set()
            assert (await me.service._forget_check()).status == "ok"

    run(work())


def test_a_cloud_that_states_less_than_was_asked_is_asked_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            one, two = await me.record("One", sent="One"), await me.record("Two", sent="Two")
            me.cloud.states_at_most = 1
            receipt = await me.forget(one.id, two.id)
            assert (receipt.cloud, len(receipt.statements)) == ("pending", 1)
            me.cloud.states_at_most = 9
            await me.parts.forgetting.deliver()
            done = (await me.service.receipt(receipt.id)).receipt
            assert (done.cloud, len(done.statements)) == ("confirmed", 2)
            assert len(me.cloud.deletions[-1].memories) == 1

    run(work())


def test_a_crash_before_the_look_afterwards_is_made_up_for_at_the_next_start(tmp_path: Path) -> None:
    class Interrupted:
        def look(self, **_: object) -> None:
            raise RuntimeError

    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record(f"Owns a {CANARY}")
            me.parts.forgetting._verification = Interrupted()  # type: ignore[assignment]
            with pytest.raises(RuntimeError):
                await me.forget(boat.id)
            (begun,) = await me.service.receipts(1)
            assert (begun.receipt.records, begun.receipt.rows_left) == ((boat.id,), None)
        async with profile(tmp_path) as me:
            await me.service.start()
            (done,) = await me.service.receipts(1)
            assert (done.receipt.rows_left, done.receipt.texts_left, done.receipt.verified) == (0, None, False)
            assert is_genuine(done.receipt, done.signature)
            assert CANARY not in await me.texts()
            await me.parts.forgetting.resume()
            assert await me.service.receipts(1) == (done,), "once"

    run(work())


def test_a_disk_that_refuses_to_be_rewritten_keeps_nobody_from_deleting(tmp_path: Path) -> None:
    class Full:
        def size(self) -> int:
            return 1

        def rewrite(self) -> bool:
            raise DatabaseUnavailableError("the disk is full", "Make room.")

    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record("Owns a boat", sent="Owns a boat")
            me.parts.forgetting._disk = Full()  # type: ignore[assignment]
            receipt = await me.forget(boat.id)
            assert (receipt.cloud, receipt.rows_left, receipt.verified) == ("confirmed", None, False)
            assert await me.service.memories(None) == ()

    run(work())


def test_another_cloud_half_confirms_nothing_that_waited_for_the_first(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record("Owns a boat", sent="Owns a boat")
            me.cloud.is_down = True
            await me.forget(boat.id)
            await me.write(lambda _: me.parts.forgetting.strand())
            me.cloud.is_down = False
            assert await me.parts.forgetting.deliver()
            (done,) = await me.service.receipts(1)
            assert (done.receipt.cloud, me.cloud.deletions) == ("pending", [])
            assert "another cloud half" in done.receipt.notes[0]
            assert is_genuine(done.receipt, done.signature)

    run(work())


def test_a_forgotten_record_cannot_be_stored_edited_or_shared_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record(f"Owns a {CANARY}")
            await me.forget(boat.id)
            with pytest.raises(DatabaseUnavailableError):
                await me.write(lambda db: MemoryStore(db).add(boat))
            with pytest.raises(NotFoundError):
                await me.write(lambda db: MemoryStore(db).put(boat))
            with pytest.raises(NotFoundError):
                await me.service.preview_share(boat.id)
            assert CANARY not in await me.texts()

    run(work())


def test_a_receipt_that_was_changed_is_not_genuine(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record("Owns a boat")
            done = await me.service.forget(ForgetRequest(ids=(boat.id,)))
            assert is_genuine(done.receipt, done.signature)
            from dataclasses import replace

            assert not is_genuine(replace(done.receipt, records=()), done.signature)
            assert "boat" not in repr(done)

    run(work())


def test_the_same_words_find_nothing_any_more_not_even_from_an_index_made_anew(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record(f"Owns a {CANARY}")
            await me.record(f"A {CANARY}, by sail", boat.id)
            assert len(await me.service.search_memories(CANARY, None, 9)) == 2
            await me.forget(boat.id)
            assert await me.service.search_memories(CANARY, None, 9) == ()
            await me.write(lambda db: db.execute("INSERT INTO memory_words (memory_words) VALUES ('rebuild')"))
            assert await me.service.search_memories(CANARY, None, 9) == ()
        async with profile(tmp_path) as me:
            assert await me.service.search_memories(CANARY, None, 9) == ()

    run(work())


def test_a_request_says_one_thing() -> None:
    for fields in ({}, {"scope": "a", "everything": True}, {"matching": "x"}, {"ids": ("mem_a",), "matching": "abc"}):
        with pytest.raises(InvalidRequestError):
            ForgetRequest(**fields)  # type: ignore[arg-type]
