"""Taking memories along: lossless into an empty profile, twice the same as once, and what another program wrote."""

import asyncio
import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from edge.daemon.profile import profile
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.memory.record import Channel, CloudState, Consent, Kind, MemoryRecord

CLOUD = {"cloud", "placeholder_text", "shared_at", "session"}
"""What the cloud has of a record is another profile's matter."""


def kept(record: MemoryRecord) -> dict[str, object]:
    return {each.name: getattr(record, each.name) for each in fields(record) if each.name not in CLOUD}


def test_every_field_comes_along_and_twice_is_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path / "old") as me:
            await me.say("I drink coffee. My cat is called Pixel")
            await me.say("I stopped coffee, I drink tea now", conversation="c2")
            await me.say("Remember that I have type 2 diabetes", conversation="c3")
            cat = next(r for r in await me.service.memories(None) if "Pixel" in r.text)
            derived = {"channel": Channel.DERIVED, "kind": Kind.INFERRED, "confidence": 70, "judged_by": cat.judged_by}
            await me.record("Cat and tea", cat.id, **derived)
            before = {r.id: r for r in await me.service.memories(None)}
            document = await me.service.export_memories()
        assert "type 2 diabetes" in document, "for the owner's eyes"
        async with profile(tmp_path / "new") as me:
            done = await me.service.import_memories(document)
            assert (done.records, done.there, done.forgotten, done.refused) == (len(before), 0, 0, 0)
            after = {r.id: r for r in await me.service.memories(None)}
            assert {each: kept(r) for each, r in after.items()} == {each: kept(r) for each, r in before.items()}
            assert any(r.consent is Consent.ASKED and r.cloud is CloudState.LOCAL_ONLY for r in after.values())
            assert any(r.kind is Kind.HISTORY and r.successor in after for r in after.values())
            again = await me.service.import_memories(document)
            assert (again.records, again.there) == (0, len(before))
            assert {r.id: r for r in await me.service.memories(None)} == after
            assert json.loads(await me.service.export_memories()) == json.loads(document)
            await me.say("hello")
            assert me.cloud.turns[-1].writes == (), "nothing leaves by an import"
            await me.forget(cat.id)
            back = await me.service.import_memories(document)
            assert (back.records, back.forgotten) == (0, 2), "what was forgotten stays so, and what was made of it"

    asyncio.run(work())


def test_what_another_program_wrote_is_told_anew_and_judged(tmp_path: Path) -> None:
    mem0 = {
        "results": [
            {"id": "1", "memory": "My dog is called Rex", "created_at": "2026-03-02T09:00:00+08:00", "user_id": "u"},
            {"id": "2", "memory": "I take insulin", "created_at": "2026-03-02T09:00:00"},
            {"id": "3", "memory": "my db password is Kite-" + "4471xyz"},
            {"id": "4", "memory": "I went to Paris last week", "created_at": "2026-03-02T09:00:00+00:00"},
        ]
    }

    async def work() -> None:
        async with profile(tmp_path) as me:
            done = await me.service.import_memories(json.dumps(mem0))
            assert (done.records, done.there, done.refused) == (3, 0, 1)
            found = {r.text.split(" (")[0]: r for r in await me.service.memories(None)}
            assert found["My dog is called Rex"].created_at == 1_772_413_200
            assert found["I take insulin"].cloud is CloudState.LOCAL_ONLY
            assert "(2026-02-23 to 2026-03-01)" in found["I went to Paris last week"].text, "as of when it was said"
            assert "Kite-" not in await me.texts()
            again = await me.service.import_memories(json.dumps(mem0["results"]))
            assert (again.records, again.there) == (0, 3)

    asyncio.run(work())


@pytest.mark.parametrize(
    "document",
    [
        *("", "nonsense", "[1]", '{"results": 5}', '[{"memory": 3}]', '[{"memory": "x", "created_at": "yesterday"}]'),
        *('{"format": "keepmum-memories-1"}', '{"format": "keepmum-memories-1", "records": [{"id": "mem_x"}]}', "{}"),
        '{"results": [{"memory": "I own a boat"}], "results": []}',
    ],
)
def test_what_is_no_export_is_refused_whole_and_not_quoted(tmp_path: Path, document: str) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.record("Owns a boat")
            good = json.loads(await me.service.export_memories())
            mixed = {**good, "records": [{**good["records"][0], "id": "mem_" + "b" * 26}, {"id": "mem_z"}]}
            for bad in (document, json.dumps(mixed)):
                with pytest.raises(InvalidRequestError) as refused:
                    await me.service.import_memories(bad)
                assert "boat" not in str(refused.value)
            assert len(await me.service.memories(None)) == 1

    asyncio.run(work())


def test_a_record_that_an_older_version_judged_is_judged_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path / "old") as me:
            record = await me.record("My therapist is kind", judged_by="older")
            document = await me.service.export_memories()
        async with profile(tmp_path / "new") as me:
            await me.service.import_memories(document)
            held = await me.service.memory(record.id)
            assert (held.cloud, held.slot) == (CloudState.LOCAL_ONLY, "mind")
            assert replace(held, judged_by="older").judged_by != held.judged_by

    asyncio.run(work())
