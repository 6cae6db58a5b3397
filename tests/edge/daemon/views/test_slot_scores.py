"""Score tables are of what the slots hold now, whoever changed it: told, edited, forgotten, restored, judged."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import Profile, profile
from keepmum_edge.daemon import service
from keepmum_edge.daemon.memory_commands import Edit, Telling
from keepmum_edge.daemon.store import SettingStore
from keepmum_edge.daemon.views.slot_scores import SlotScores
from keepmum_edge.database import Database
from keepmum_edge.keys import Keyholder
from keepmum_edge.memory.classify import Classifier
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.views.score_store import ScoreStore
from keepmum_edge.views.scorer import CueScorer, score_slot
from keepmum_edge.views.store import ViewStore
from keepmum_shared.view import SlotId, load_policy, shipped_policy
from keepmum_shared.view.loading import shipped_text
from profiles import settings
from shipped_embedding import shipped_meaning

DIET = SlotId("diet_and_metabolism")
DIABETES = "I have type 2 diabetes"
Table = dict[str, tuple[int, int]]


async def tell(me: Profile, text: str, **reach: Any) -> MemoryRecord:
    telling = Telling(text=text, reach=Reach(**({"scope": "user"} | reach)))
    return (await me.service.remember(telling)).kept[0]


async def tables(me: Profile) -> dict[SlotId, Table]:
    """Every table, after a look that each is of what its slot holds, by the scorer itself."""

    def look(db: Database) -> dict[SlotId, Table]:
        found, records = ScoreStore(db).tables(), MemoryStore(db)
        policy = shipped_policy()
        for slot in policy.layout.slots:
            texts = [record.text for record in records.positions(slot)]
            assert found.get(slot, {}) == score_slot(policy, slot, texts, CueScorer()), slot
        assert ScoreStore(db).stale() == ()
        return found

    return dict(await me.read(look))


def supported(table: Table) -> list[str]:
    return [view for view, score in table.items() if score != (0, 0)]


def test_a_new_profile_has_a_table_of_zeros_for_every_facet_that_draws(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            found = await tables(me)
            drawing = {facet.slot for facet in shipped_policy().vocabulary.facets.values() if facet.draws}
            assert found.keys() == drawing
            assert not any(supported(table) for table in found.values())

    asyncio.run(work())


def test_a_table_follows_what_is_told_edited_and_forgotten_in_its_slot_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            empty = await tables(me)
            first = await tell(me, DIABETES)
            assert first.slot == DIET
            told = await tables(me)
            assert supported(told[DIET])
            assert {slot: table for slot, table in told.items() if slot != DIET} == {
                slot: table for slot, table in empty.items() if slot != DIET
            }
            await me.service.edit_memory(first.id, Edit(text="I owe my creditors a lot of debt"))
            moved = await tables(me)
            assert moved[DIET] == empty[DIET]
            assert moved[SlotId("money")] != empty[SlotId("money")]
            receipt = await me.forget(first.id)
            assert await tables(me) == empty
            assert receipt.verified
            assert {store.store: store.removed for store in receipt.stores}["score tables"] == 1

    asyncio.run(work())


def test_only_records_of_the_general_scope_are_scored_and_last_use_is_not(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            empty = await tables(me)
            await tell(me, DIABETES, scope="work")
            assert await tables(me) == empty
            record = await tell(me, DIABETES)
            told = await tables(me)
            await me.write(lambda db: MemoryStore(db).mark_used([record.id], 5))
            assert await tables(me) == told
            assert told != empty

    asyncio.run(work())


def test_a_full_slot_gives_up_its_least_important_and_is_scored_without_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            capacity = shipped_policy().layout.slots[DIET].capacity
            least = await tell(me, DIABETES)
            await me.service.edit_memory(least.id, Edit(importance=1))
            for number in range(capacity):
                await tell(me, f"My insulin pen number {number} is blue")
            held = await me.read(lambda db: MemoryStore(db).positions(DIET))
            assert len(held) == capacity
            assert least.id not in {record.id for record in held}
            await tables(me)

    asyncio.run(work())


def test_what_is_kept_of_a_message_is_scored_with_the_answer(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.say(f"Please remember that {DIABETES}.")
            assert supported((await tables(me))[DIET])

    asyncio.run(work())


def test_records_of_a_profile_without_tables_are_scored_at_the_next_start(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await tell(me, DIABETES)
            scored = await tables(me)

            def as_before(db: Database) -> None:
                db.execute("DELETE FROM view_score")
                db.execute("DELETE FROM setting WHERE name = 'views_scored_by'")

            await me.write(as_before)
        async with profile(tmp_path) as me:
            assert await tables(me) == scored

    asyncio.run(work())


def test_records_that_an_older_version_judged_are_scored_where_they_belong_now(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            old = await me.record(DIABETES, judged_by="an older one")
            assert not supported((await tables(me))[DIET])
            await me.service.start()
            for _ in range(100):
                if (await me.service.memory(old.id)).slot is not None:
                    break
                await asyncio.sleep(0.02)
            assert supported((await tables(me))[DIET])

    asyncio.run(work())


def test_what_another_policy_put_into_a_slot_tells_nothing_until_it_is_judged_again(tmp_path: Path) -> None:
    other = load_policy(shipped_text().replace("planned = 4", "planned = 5"))
    assert other.digest != shipped_policy().digest

    def scored_by_the_other(db: Database) -> dict[SlotId, Table]:
        records, scores = MemoryStore(db), ScoreStore(db)
        parts = {"records": records, "scores": scores, "settings": SettingStore(db), "scorer": CueScorer()}
        SlotScores(database=db, policy=shipped_policy(), **parts).use(other)
        found = dict(scores.tables())
        (record,) = records.positions(DIET)
        with SlotScores(database=db, policy=other, **parts).transaction():
            judged = replace(record, judged_by=Classifier(other, shipped_meaning()).judge_id, has_position=False)
            records.put(judged)
            records.put(replace(judged, has_position=True))
        assert supported(scores.tables()[DIET])
        return found

    async def work() -> None:
        async with profile(tmp_path) as me:
            await tell(me, DIABETES)
            assert supported((await tables(me))[DIET])
            parts = me.service._parts
            assert not supported((await parts.writer.run(lambda: scored_by_the_other(parts.database)))[DIET])

    asyncio.run(work())


def test_new_records_are_judged_by_the_policy_in_force_and_old_ones_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_LOOK_FOR_POLICY_EVERY_S", 0.01)
    other = load_policy(shipped_text().replace("planned = 4", "planned = 5"))

    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.service.start()
            old = await tell(me, DIABETES)
            turns = me.service._parts.views.turns
            monkeypatch.setattr(turns, "policy", lambda: other)
            me.service._parts.keeping._writing._policy = turns.policy
            wanted = Classifier(other, shipped_meaning()).judge_id
            while (await me.service.memory(old.id)).judged_by != wanted:
                await asyncio.sleep(0.01)
            assert (await tell(me, "I have psoriasis")).judged_by == wanted

    asyncio.run(work())


def test_a_backup_that_is_put_back_takes_positions_as_new_records_do(tmp_path: Path) -> None:
    async def work() -> None:
        capacity = shipped_policy().layout.slots[DIET].capacity
        async with profile(tmp_path / "old") as me:
            for number in range(capacity):
                await tell(me, f"My old insulin pen number {number} is blue")
            key = Keyholder(settings(tmp_path / "old"), ring=None).renew_recovery_key()
            await me.service.backup(tmp_path / "disk" / "backup")
        async with profile(tmp_path / "new") as me:
            await tell(me, DIABETES)
            await me.service.restore(tmp_path / "disk" / "backup", key)
            assert len(await me.read(lambda db: MemoryStore(db).positions(DIET))) == capacity
            await tables(me)

    asyncio.run(work())


def test_a_table_that_still_tells_of_the_forgotten_is_found_by_the_look_afterwards(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await tell(me, DIABETES)

            def leak(db: Database) -> None:
                """As a deletion would that left the tables alone."""
                db.execute("DROP TRIGGER position_left")

            await me.write(leak)
            assert (await me.forget(record.id)).rows_left == 1

    asyncio.run(work())


def test_what_a_message_touched_is_counted_and_goes_with_its_turn(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            first, _ = await me.say("What helps with diabetes?", conversation="a")
            await me.say("Tell me of insulin", conversation="b")
            await me.say("Tell me of insulin", conversation="c", mode="incognito")
            await me.say("What about the weather?", conversation="d")
            touches = await me.read(lambda db: ScoreStore(db).touches())
            assert touches == {"type_2_diabetes": 2}
            receipt = await me.forget(first)
            assert {store.store: store.removed for store in receipt.stores}["touched attributes"] == 1
            assert await me.read(lambda db: ScoreStore(db).touches()) == {"type_2_diabetes": 1}
            assert receipt.verified

    asyncio.run(work())


def test_whoever_forgets_everything_silences_every_slot(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await tell(me, DIABETES)
            await me.say("Tell me of insulin")
            receipt = await me.forget(everything=True)
            assert receipt.verified
            assert any("every slot is silenced" in note for note in receipt.notes)
            assert await me.read(lambda db: ScoreStore(db).touches()) == {}

            def all_silent(db: Database) -> bool:
                return all(map(ViewStore(db).silenced, shipped_policy().layout.slots))

            assert await me.read(all_silent)
            assert not any(map(supported, (await tables(me)).values()))

    asyncio.run(work())


@pytest.mark.parametrize("state", [CloudState.KEPT, CloudState.QUEUED])
def test_what_may_go_to_the_cloud_enters_no_table(tmp_path: Path, state: CloudState) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            empty = await tables(me)
            await me.record("My favourite colour is teal and I like insulin blue", cloud=state)
            assert await tables(me) == empty

    asyncio.run(work())
