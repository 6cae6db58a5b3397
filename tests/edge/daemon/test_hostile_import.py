"""What a file brings in is a claim, not a fact: its words are read and judged as new ones, and nothing else counts."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import Profile, profile
from keepmum_edge.errors import DatabaseUnavailableError, InvalidRequestError
from keepmum_edge.memory.record import Channel, CloudState, Consent
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared import codec
from keepmum_shared.ids import new_memory_id

CANARY = "CANARY Jane Roe, jane.roe" + "@example.org, card 4111 1111 1111 1111"
SECRET = "Giraffe-5512" + "-moon"
REQUIRED = ("id", "text", "scope", "created_at")


def record(**fields: Any) -> dict[str, Any]:
    made = new_memory_id()
    return {"id": made, "text": f"Fact {made[4:12]}", "scope": "user", "created_at": 1_790_000_000, **fields}


def document(*records: dict[str, Any]) -> str:
    return json.dumps({"format": "keepmum-memories-1", "records": list(records)})


async def sent_by(me: Profile) -> str:
    """Everything that left with the turns so far."""
    return "\n".join(codec.encode(turn).decode() for turn in me.cloud.turns)


def test_no_text_of_a_file_is_ever_sent_for_having_been_called_placeholder_text(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            judge = me.parts.keeping.judge_id
            claims = (
                {"cloud": "queued", "placeholder_text": CANARY},
                {"cloud": "shared", "placeholder_text": "CANARY <EMAIL_1>", "shared_at": 1_790_000_000},
                {"cloud": "sent", "placeholder_text": CANARY, "shared_at": 1_790_000_000},
                {"cloud": "queued", "slot": None, "attributes": []},
            )
            await me.say("My mail is other.person@example.com")
            for claim in claims:
                await me.service.import_memories(document(record(judged_by=judge, **claim)))
            await me.say("hello")
            await me.say("hello again", conversation="c2")
            assert me.cloud.turns[-1].writes == ()
            assert "CANARY" not in await sent_by(me) + await me.texts()
            for held in await me.service.memories(None):
                if held.text.startswith("Fact"):
                    assert (held.cloud, held.placeholder_text, held.shared_at) == (CloudState.KEPT, None, None)

    asyncio.run(work())


def test_words_of_a_file_are_judged_as_new_ones_whatever_it_says_of_them(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            judge = me.parts.keeping.judge_id
            claims = {"judged_by": judge, "cloud": "kept", "attributes": [], "category": None, "slot": None}
            secret = record(text=f"my wifi password is {SECRET}", **claims)
            about = record(text="Likes tea", subject=f"my wifi password is {SECRET}", **claims)
            ill = record(text="I was diagnosed with type 2 diabetes", consent="granted", **claims)
            page = record(text="The owner banks at Acme", channel="web", trust=100, **claims)
            lost = record(text="The owner likes what the page said", channel="derived", sources=[new_memory_id()])
            plain = record(text="Has a cat", slot="nope", attributes=["nope"], has_position=True, cloud="local_only")
            done = await me.service.import_memories(document(secret, about, ill, page, lost, plain))
            assert (done.records, done.refused, done.queued) == (4, 2, ())
            assert SECRET not in await me.texts()
            held = {r.id: r for r in await me.service.memories(None)}
            assert (held[ill["id"]].cloud, held[ill["id"]].category) == (CloudState.LOCAL_ONLY, "health")
            assert held[ill["id"]].consent is Consent.ASKED, "its owner asked for it by this import, and for no more"
            assert held[ill["id"]].has_position
            assert (held[page["id"]].trust, held[lost["id"]].trust) == (20, 20)
            cat = held[plain["id"]]
            assert (cat.cloud, cat.slot, cat.attributes, cat.has_position) == (
                CloudState.KEPT,
                None,
                frozenset(),
                False,
            )

    asyncio.run(work())


def test_what_was_made_of_others_is_no_freer_than_they_are(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            page = record(text="The shop is closed", channel="web", audiences=["ann", "bob"])
            ill = record(text="I was diagnosed with type 2 diabetes", scope="work", audiences=["ann"])
            both = record(
                text="A summary", channel="derived", sources=[page["id"], ill["id"]], audiences=["ann", "bob"]
            )
            done = await me.service.import_memories(document(both, ill, page))
            assert done.records == 3
            held = await me.service.memory(both["id"])
            assert (held.trust, held.scope, held.audiences) == (20, "work", frozenset({"ann"}))
            assert held.cloud is CloudState.LOCAL_ONLY
            apart = record(text="Another", channel="derived", sources=[ill["id"], new_memory_id()], scope="home")
            assert (await me.service.import_memories(document(apart))).refused == 1, "no place is common to both"
            await me.forget(page["id"])
            again = record(text="A new summary", channel="derived", sources=[page["id"]])
            assert (await me.service.import_memories(document(again))).forgotten == 1, "made of what was forgotten"

    asyncio.run(work())


BAD: dict[str, tuple[Any, ...]] = {
    "id": ("hello", "mem_../../x", "mem_" + "A" * 26, 5, None, "turn_" + "a" * 26),
    "scope": ("../../etc", "", 5, None, "a b"),
    "application": ("a b", 1),
    "audiences": (["a b"], "boss", [1], [""], {"a": 1}, ["a"] * 100_000),
    "sources": (["mem_x y"], [1], "mem_x"),
    "text": (None, 5, ["a"], "  ", "x" * 1_000_001, "a \ud800 b"),
    "subject": (" ", 5, "a \ud800 b"),
    "topic": (5, "a \ud800 b"),
    "kind": ("zzz", None, 1, ["stated"]),
    "channel": ("nowhere", 1),
    "importance": (True, 50.5, "50", -1, 101, float("nan"), float("inf")),
    "confidence": (True, 101),
    "created_at": (-5, 1.5, 2**62, 10**30, "yesterday", None, True),
    "utc_offset_s": ("x", 10**9, 1.5),
    "valid_from": (10**25, -1, 1.5),
    "valid_to": (10**25, -1, "x"),
    "last_used": (1.25, -1, 2**62),
    "revision": (-1, 0, 10**25, 1.5),
    "successor": ("xx", 5),
}


@pytest.mark.parametrize(("field", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_one_wrong_field_is_named_with_its_record_and_nothing_comes_in(tmp_path: Path, field: str, value: Any) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            with pytest.raises(InvalidRequestError) as refused:
                await me.service.import_memories(document(record(), record(**{field: value}), record()))
            assert f"record 2: {field}" in str(refused.value)
            assert refused.value.param == "document"
            assert await me.service.memories(None) == ()

    asyncio.run(work())


LATE = "9999-12-31T23:59:59-23:59"
TWICE, ROUND = new_memory_id(), (new_memory_id(), new_memory_id())
CROOKED = {
    "an id twice": (document(record(id=TWICE), record(id=TWICE, text="other")), "record 2: id"),
    "its own source": (document(record(id=TWICE, sources=[TWICE])), "record 1: sources"),
    "a circle": (
        document(record(id=ROUND[0], sources=[ROUND[1]]), record(id=ROUND[1], sources=[ROUND[0]])),
        "sources",
    ),
    "over before it begins": (document(record(valid_from=5, valid_to=4)), "record 1: valid_to"),
    "an unknown field": (document(record(foo=1)), "record 1: foo"),
    "a nameless field": (document(record(**{"\x1b[2J": 1})), "record 1: an unknown field"),
    "no record": (document([]), "record 1"),  # type: ignore[arg-type]
    "a newer form": (json.dumps({"format": "keepmum-memories-2", "records": []}), "newer"),
    "deep": ("[" * 200_000, "JSON"),
    "deep in a record": ('{"format": "keepmum-memories-1", "records": ' + "[" * 99_999 + "]" * 99_999 + "}", "JSON"),
    "a number beyond all": (document(record(revision=777)).replace("777", "9" * 5000), "JSON"),
    **{f"without {name}": (document({k: v for k, v in record().items() if k != name}), name) for name in REQUIRED},
    "another's text": (json.dumps([{"memory": "tea"}, {"memory": 5}]), "record 2: memory"),
    "another's long text": (json.dumps([{"memory": "tea " * 300_000}]), "record 1: memory"),
    "another's time": (
        json.dumps([{"memory": "t", "created_at": LATE}]),
        "record 1: created_at",
    ),
    "another's old time": (json.dumps([{"memory": "t", "created_at": "0001-01-01T00:00:00"}]), "record 1: created_at"),
    "another's number": (json.dumps([{"memory": "t", "created_at": 5}]), "record 1: created_at"),
}


@pytest.mark.parametrize("name", CROOKED)
def test_a_crooked_document_is_refused_whole_in_one_clear_sentence(tmp_path: Path, name: str) -> None:
    given, said = CROOKED[name]

    async def work() -> None:
        async with profile(tmp_path) as me:
            with pytest.raises(InvalidRequestError) as refused:
                await me.service.import_memories(given)
            assert said in str(refused.value)
            assert "\x1b" not in str(refused.value)
            assert await me.service.memories(None) == ()

    asyncio.run(work())


def test_an_import_that_fails_half_way_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ill = [record(text=f"I have had diabetes since {year}") for year in range(1980, 2010)]
    many = [*ill, *(record() for _ in range(170))]
    real = MemoryStore.add
    left = 150

    def full_disk(store: MemoryStore, made: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise DatabaseUnavailableError("the disk is full", "Make room.")
        return real(store, made)

    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.service.import_memories(document(record(text="I was diagnosed with type 2 diabetes")))
            before = await me.service.memories(None)
            monkeypatch.setattr(MemoryStore, "add", full_disk)
            with pytest.raises(DatabaseUnavailableError):
                await me.service.import_memories(document(*many))
            monkeypatch.undo()
            assert await me.service.memories(None) == before, "not even a position of a slot has changed hands"
            assert (await me.service.import_memories(document(*many))).records == len(many)

    asyncio.run(work())


def test_what_another_program_wrote_is_masked_here_and_named_as_what_will_leave(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            theirs = [{"memory": "My friend's mail is jane.roe@example.org", "placeholder_text": CANARY}]
            done = await me.service.import_memories(json.dumps(theirs))
            (held,) = await me.service.memories(None)
            assert (done.records, done.queued, held.channel) == (1, (held.id,), Channel.COMMAND)
            await me.say("hello")
            assert [write.text for write in me.cloud.turns[-1].writes] == ["My friend's mail is <EMAIL_1>"]
            assert "jane.roe" not in await sent_by(me)

    asyncio.run(work())
