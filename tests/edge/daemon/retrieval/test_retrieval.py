"""The owner's records are found by meaning and by words, by the shipped model, over a whole daemon."""

import asyncio
import random
from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import Profile, profile
from keepmum_edge.daemon.memory_commands import Edit, Telling
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.record import CloudState
from keepmum_inference.embedding import load_embedder
from shipped_embedding import shipped_embedder

CANARY = "zqboatword"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def texts(me: Profile, query: str, scope: str | None = "user", limit: int = 3) -> list[str]:
    return [record.text for record in await me.service.search_memories(query, scope, limit)]


def test_a_record_is_found_that_shares_no_word_with_the_question(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            for text in ("My cat is called Pixel", "I work as a carpenter", "我对花生过敏", "I live in Porto"):
                await me.record(text)
            await me.embedded()
            assert (await texts(me, "what is my job?"))[0] == "I work as a carpenter"
            assert (await texts(me, "name of the pet"))[0] == "My cat is called Pixel"
            assert (await texts(me, "哪些坚果我不能吃？"))[0] == "我对花生过敏"

    run(work())


def test_a_piece_of_a_number_is_still_found(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.record("Membership 48117025 at the climbing hall")
            await me.record("I work as a carpenter")
            await me.embedded()
            assert "Membership 48117025 at the climbing hall" in await texts(me, "81170")

    run(work())


def test_without_the_model_words_find_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path, load_embedder=partial(load_embedder, tmp_path / "nothing")) as me:
            await me.record("My cat is called Pixel")
            assert not await me.parts.retrieval.work.embed_some()
            assert await texts(me, "the cats of my life") == ["My cat is called Pixel"]
            assert await texts(me, "name of the pet") == []

    run(work())


def test_an_edited_record_is_found_by_its_new_meaning_and_no_more_by_its_old(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            (record,) = (await me.service.remember(Telling(text="I work as a carpenter"))).kept
            await me.embedded()
            assert await texts(me, "what is my job?") == ["I work as a carpenter"]
            await me.service.edit_memory(record.id, Edit(text="My cat is called Pixel"))
            await me.embedded()
            assert await texts(me, "carpenter") == []
            assert await texts(me, "name of the pet") == ["My cat is called Pixel"]

    run(work())


def test_the_work_beside_requests_embeds_what_a_turn_told(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.service.start()
            await me.say("My favourite colour is teal")
            (record,) = await me.service.memories("user")
            store = me.parts.retrieval.store
            async with asyncio.timeout(20):
                while not await me.read(lambda _: store.vectors_of([record.id])):
                    await asyncio.sleep(0.02)

    run(work())


def test_embedding_waits_while_a_request_has_not_left(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.record("My cat is called Pixel")
            may_go, part = asyncio.Event(), me.parts.retrieval.work
            part._way = may_go.wait  # type: ignore[assignment]
            embedding = asyncio.create_task(part.embed_some())
            await asyncio.sleep(0.2)
            assert await me.read(lambda _: len(me.parts.retrieval.store.waiting(9))) == 1
            may_go.set()
            await embedding
            assert await me.read(lambda _: me.parts.retrieval.store.waiting(9)) == ()

    run(work())


def test_embedding_begins_in_a_pause_and_not_between_turns_that_follow_each_other(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await me.record("My cat is called Pixel")
            await me.parts.retrieval.model.ready()
            await me.service.start()
            store = me.parts.retrieval.store
            for _ in range(8):
                me.parts.retrieval.work.wake()
                await asyncio.sleep(0.25)
            assert await me.read(lambda _: store.vectors_of([record.id])) == ()
            async with asyncio.timeout(20):
                while not await me.read(lambda _: store.vectors_of([record.id])):
                    await asyncio.sleep(0.05)

    run(work())


def test_a_forgotten_record_leaves_no_vector_no_index_and_no_byte_of_either(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            gone = await me.record(f"Owns a {CANARY} in the harbour", cloud=CloudState.LOCAL_ONLY)
            await me.record("I work as a carpenter")
            await me.embedded()
            (vector,) = await me.read(lambda _: me.parts.retrieval.store.vectors_of([gone.id]))
            assert await texts(me, "what ship do I have?") == [gone.text]
            receipt = await me.forget(gone.id)
            removed = {each.store: each.removed for each in receipt.stores}
            assert (removed["embeddings"], removed["search indexes"]) == (1, 1)
            assert receipt.verified
            assert await me.parts.writer.run(lambda: count(me, vector)) == 0
            assert await texts(me, f"{CANARY} ship") == []
            assert me.parts.retrieval.search._held, "made anew, from what is left"

    def count(me: Profile, needle: bytes) -> int:
        return me.parts.forgetting._verification._scan_pages([needle])

    run(work())


@pytest.mark.parametrize("searches", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_request_finds_what_its_scope_application_or_trust_keeps_from_it(tmp_path: Path, searches: int) -> None:
    """Randomised searches over records that all match: nothing of another place is ever among them."""

    async def work() -> None:
        rng = random.Random(11)
        async with profile(tmp_path, load_embedder=partial(load_embedder, tmp_path / "nothing")) as me:
            records = {}
            for number in range(400):
                fields: dict[str, Any] = {
                    "scope": rng.choice(["user", "work", "home", "club"]),
                    "application": rng.choice([None, None, "editor", "mail"]),
                    "trust": rng.choice([20, 49, 50, 100]),
                    "cloud": rng.choice([CloudState.LOCAL_ONLY, CloudState.KEPT, CloudState.QUEUED]),
                    "valid_to": rng.choice([None, None, 1_700_000_000]),
                }
                record = await me.record(f"tea of kind {number}", **fields)
                records[record.id] = record
            for _ in range(searches):
                within = Within(
                    scope=rng.choice(["user", "work", "home", "club", "none"]), here_only=rng.random() < 0.5
                )
                admitted = Admitted(within=within, now=int(me.now), application=rng.choice([None, "editor", "other"]))
                for found in await me.parts.retrieval.search.search("tea", admitted, 5):
                    record = found.record
                    assert record.scope == within.scope
                    assert record.trust >= admitted.trust_min
                    assert record.valid_to is None
                    assert not within.here_only or record.cloud in (CloudState.LOCAL_ONLY, CloudState.KEPT)
                    assert admitted.application is None or record.application in (None, admitted.application)

    run(work())


def test_a_search_that_is_given_up_is_gone_on_with_by_the_next(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            kept = [await me.record(f"tea of kind {number}") for number in range(300)]
            await me.parts.retrieval.model.ready()
            admitted = Admitted(within=Within(scope="user"), now=int(me.now))
            search, slices = me.parts.retrieval.search, 0
            learn = search._learn_slice

            async def slow(within: Any, held: Any) -> bool:
                nonlocal slices
                slices += 1
                if slices == 4:
                    await asyncio.sleep(60)
                return await learn(within, held)

            search._learn_slice = slow  # type: ignore[method-assign]
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.5):
                    await search.search("tea", admitted, 1000)
            before = slices
            found = await search.search("tea", admitted, 1000)
            assert {each.record.id for each in found} == {each.id for each in kept}
            assert slices - before <= 4, "what was learnt is not read again"

    run(work())


def test_what_is_written_while_an_index_is_made_is_in_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path, load_embedder=shipped_embedder) as me:
            kept = [await me.record(f"tea of kind {number}") for number in range(250)]
            admitted = Admitted(within=Within(scope="user"), now=int(me.now))
            searching = asyncio.create_task(me.parts.retrieval.search.search("tea coffee", admitted, 1000))
            await asyncio.sleep(0)
            await me.write(lambda db: me.parts.keeping._records.put(replace(kept[0], scope="work")))
            late = await me.record("coffee at last")
            found = {each.record.id for each in await searching}
            again = {each.record.id for each in await me.parts.retrieval.search.search("tea coffee", admitted, 1000)}
            assert again == {each.id for each in kept[1:]} | {late.id}
            assert found >= {each.id for each in kept[1:]}

    run(work())
