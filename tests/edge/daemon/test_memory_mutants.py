"""Closure (design section 6): what a slot holds is a function of the writes to that slot alone, and who breaks it.

Over the code that writes records, its store, and a real database; slots of two positions, so that they fill.
"""

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.daemon import memory_writing
from keepmum_edge.daemon.memory_writing import MemoryWriting
from keepmum_edge.database import Database
from keepmum_edge.memory.asked_store import AskedStore
from keepmum_edge.memory.classify import judged_under
from keepmum_edge.memory.draft import Draft, Origin, draft
from keepmum_edge.memory.propose import Moment, describe
from keepmum_edge.memory.record import MOST, Channel, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.views.scorer import CueScorer, Scores, score_slot
from keepmum_shared.view import SlotId, load_policy
from keepmum_shared.view.loading import shipped_text
from profiles import new_database
from shipped_embedding import shipped_meaning

POLICY = load_policy(re.sub(r"(?m)^capacity = \d+", "capacity = 2", shipped_text()))
NOW = 1_772_413_200
SAID = (
    *("I live near the mosque", "I live near my diabetes clinic", "I drink coffee in church", "I pray every morning"),
    *("I no longer drink coffee, I take insulin now", "I take insulin", "My blood sugar is high", "I see a therapist"),
    *("I drink coffee", "I stopped coffee, I drink tea now", "My favourite colour is teal"),
)


class Writer:
    """Tells a profile one thing after the other."""

    def __init__(self, database: Database, store: type[MemoryStore] = MemoryStore) -> None:
        self.database, self.records = database, store(database)
        self.writing = MemoryWriting(
            records=self.records,
            asked=AskedStore(database),
            policy=lambda: POLICY,
            meaning=shipped_meaning(),
            withdraw=lambda _: None,
            now=lambda: NOW,
        )

    def drafts(self, text: str) -> list[Draft]:
        moment = Moment(at=NOW)
        return [draft(each, self.writing.classifier, lambda _: None, numbered=True) for each in describe(text, moment)]

    def tell(self, text: str) -> tuple[MemoryRecord, ...]:
        origin = Origin(channel=Channel.COMMAND, reach=Reach(scope="user"), trust=MOST, created_at=NOW)
        with self.database.transaction():
            return self.writing.write(self.drafts(text), origin).kept

    def slot(self, name: SlotId) -> tuple[tuple[str, ...], Scores]:
        """What holds the positions of a slot, and its scores."""
        texts = self.records.texts_in_positions(name, judged_under(POLICY.digest))
        return texts, score_slot(POLICY, name, texts, CueScorer())


def slot_after(
    folder: Path, name: SlotId, said: Sequence[str], store: type[MemoryStore] = MemoryStore
) -> tuple[tuple[str, ...], Scores]:
    """A slot of a new profile that was told this."""
    with closing(new_database(folder)) as database:
        writer = Writer(database, store)
        for text in said:
            writer.tell(text)
        return writer.slot(name)


def empty(name: SlotId) -> tuple[tuple[str, ...], Scores]:
    """A slot that nothing was told to."""
    return (), score_slot(POLICY, name, (), CueScorer())


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(SAID), max_size=8))
def test_a_slot_is_the_same_whatever_else_was_told(tmp_path_factory: pytest.TempPathFactory, said: list[str]) -> None:
    with closing(new_database(tmp_path_factory.mktemp("all"))) as database:
        writer = Writer(database)
        belongs = {text: {each.judgement.slot for each in writer.drafts(text)} for text in SAID}
        for text in said:
            writer.tell(text)
        for name, slot in POLICY.layout.slots.items():
            own = [text for text in said if name in belongs[text]]
            assert len(writer.records.positions(name)) <= slot.capacity
            alone = slot_after(tmp_path_factory.mktemp("own"), name, own) if own else empty(name)
            assert writer.slot(name) == alone


# --- CrossSlotSupersede ---


class CrossSlotStore(MemoryStore):
    """Compares a new record of a slot with what lies in the others, too."""

    def beside(self, record: MemoryRecord, *, whole: bool) -> tuple[MemoryRecord, ...]:
        if record.slot is None:
            return super().beside(record, whole=whole)
        return tuple(
            each
            for slot in POLICY.layout.slots
            for each in super(CrossSlotStore, self).beside(replace(record, slot=slot), whole=whole)
        )


def slots_are_closed(folder: Path, store: type[MemoryStore]) -> bool:
    """Whether the slot of faith is the same after writes that differ only in another slot."""
    faith, home = SlotId("faith_and_identity"), "I live near the mosque"
    histories = ([home, "I live near my diabetes clinic"], [home, "I take insulin"])
    one, other = (slot_after(folder / f"{store.__name__}-{n}", faith, said, store) for n, said in enumerate(histories))
    assert other[0] == (home,)
    return one == other


def test_cross_slot_supersede_lets_one_slot_change_another(tmp_path: Path) -> None:
    assert slots_are_closed(tmp_path, MemoryStore)
    assert not slots_are_closed(tmp_path, CrossSlotStore)


# --- LastUseLeak ---


def by_use(held: Sequence[MemoryRecord], capacity: int) -> MemoryRecord | None:
    """A full slot gives up what was used least recently."""
    return min(held, key=lambda record: record.last_used or 0) if len(held) >= capacity else None


def use_leaves_no_trace(folder: Path) -> bool:
    """Whether a full slot keeps the same, whichever of its records was used."""
    mind = SlotId("mind")

    def held(used: int) -> tuple[tuple[str, ...], Scores]:
        with closing(new_database(folder / str(used))) as database:
            writer = Writer(database)
            for number in range(2):
                writer.tell(f"Therapist number {number} was nice")
            with database.transaction():
                writer.records.mark_used([writer.records.positions(mind)[used].id], NOW + 1)
            writer.tell("Therapist number 2 was nice")
            assert len(writer.records.positions(mind)) == 2
            return writer.slot(mind)

    return held(0) == held(1)


def test_last_use_leak_lets_a_question_change_what_a_slot_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert use_leaves_no_trace(tmp_path / "ours")
    monkeypatch.setattr(memory_writing, "displaced", by_use)
    assert not use_leaves_no_trace(tmp_path / "by use")
