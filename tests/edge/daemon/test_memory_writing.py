"""Writing records into a real database: duplicates, superseding, slots, consent, and what stays apart."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.daemon.memory_writing import MemoryWriting, Written
from keepmum_edge.database import Database
from keepmum_edge.memory.asked_store import AskedStore
from keepmum_edge.memory.consent import WAITS_S
from keepmum_edge.memory.draft import Origin, draft
from keepmum_edge.memory.propose import Moment, describe, propose
from keepmum_edge.memory.record import Channel, CloudState, Consent, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.memory.trust import trust_of
from keepmum_shared.ids import MemoryId, new_memory_id
from keepmum_shared.view import shipped_policy
from profiles import new_database
from shipped_embedding import shipped_meaning

POLICY = shipped_policy()
NOW = 1_772_413_200


class Desk:
    """Says things to a fresh profile; the clock stands where the test puts it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.now = NOW
        self.withdrawn: list[MemoryId] = []
        self.records = MemoryStore(database)
        self.writing = MemoryWriting(
            records=self.records,
            asked=AskedStore(database),
            policy=lambda: POLICY,
            meaning=shipped_meaning(),
            withdraw=self.withdrawn.extend,
            now=lambda: self.now,
        )

    def say(self, text: str, *, scope: str = "user", channel: Channel = Channel.CHAT, tell: bool = False) -> Written:
        moment = Moment(at=self.now)
        proposals = describe(text, moment) if tell else propose(text, moment)
        drafts = [draft(each, self.writing.classifier, lambda _: None, numbered=True) for each in proposals]
        origin = Origin(channel=channel, reach=Reach(scope=scope), trust=trust_of(channel, ()), created_at=self.now)
        with self.database.transaction():
            return self.writing.write(drafts, origin)

    def active(self, scope: str = "user") -> list[str]:
        return [each.text for each in self.records.list(scope) if each.valid_to is None]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    database = new_database(tmp_path)
    yield Desk(database)
    database.close()


def test_a_change_supersedes_at_once_and_the_old_fact_keeps_its_words(desk: Desk) -> None:
    (old,) = desk.say("I drink coffee").kept
    desk.now += 60
    (new,) = desk.say("I stopped coffee, I drink tea now").kept
    assert desk.active() == ["I drink tea now"]
    closed = desk.records.get(old.id)
    assert closed is not None
    assert (closed.text, closed.valid_to, closed.successor) == ("I drink coffee", NOW + 60, new.id)
    assert not closed.holds_at(NOW + 60)
    desk.say("I stopped tea, I drink coffee now")
    assert desk.active() == ["I drink coffee now"], "what was once true can be true again"


def test_the_same_fact_twice_is_one_record(desk: Desk) -> None:
    assert len(desk.say("My cat is called Pixel").kept) == 1
    again = desk.say("my cat is called Pixel!")
    assert (again.kept, [each.text for each in again.known]) == ((), ["My cat is called Pixel"])
    assert desk.active() == ["My cat is called Pixel"]


def test_one_subjects_fact_never_closes_anothers(desk: Desk) -> None:
    desk.say("my brother's favourite player is Noor; mine is Ilse")
    desk.say("My favourite player is Kim")
    assert sorted(desk.active()) == ["My brother's favourite player is Noor", "My favourite player is Kim"]


def test_what_nobody_asked_for_of_health_waits_a_day_and_leaves_time_and_category(desk: Desk) -> None:
    (asked,) = desk.say("I have type 2 diabetes").asked
    assert desk.records.list() == ()
    assert not desk.database.value("SELECT count(*) FROM memory WHERE text LIKE '%diabetes%'")
    desk.now += WAITS_S
    assert desk.writing.waiting() == ()
    assert [(note.id, note.category) for note in desk.writing.unanswered()] == [(asked.id, "health")]
    with desk.database.transaction(), pytest.raises(KeyError):
        desk.writing.answer(asked.id, keep=True)


def test_an_answer_of_yes_keeps_it_here_alone_and_of_no_keeps_nothing(desk: Desk) -> None:
    (asked,) = desk.say("I have type 2 diabetes").asked
    with desk.database.transaction():
        record = desk.writing.answer(asked.id, keep=True)
    assert record is not None
    assert (record.consent, record.cloud, record.slot) == (
        Consent.GRANTED,
        CloudState.LOCAL_ONLY,
        "diet_and_metabolism",
    )
    assert record.has_position
    (refused,) = desk.say("I take antidepressants").asked
    with desk.database.transaction():
        assert desk.writing.answer(refused.id, keep=False) is None
    assert desk.active() == ["I have type 2 diabetes"]
    assert desk.writing.unanswered() == ()


def test_a_full_slot_replaces_its_least_important_record_and_loses_no_words(desk: Desk) -> None:
    capacity = POLICY.layout.slots["mind"].capacity  # type: ignore[index]
    for number in range(capacity + 1):
        desk.say(f"Remember that therapist number {number} was nice")
    held = desk.records.positions("mind")  # type: ignore[arg-type]
    assert len(held) == capacity
    assert "number 0 " not in "".join(each.text for each in held)
    assert len(desk.active()) == capacity + 1


def test_only_the_general_scope_and_trusted_words_hold_positions(desk: Desk) -> None:
    (project,) = desk.say("Remember that my therapist is nice", scope="work").kept
    assert (project.slot, project.has_position) == ("mind", False)
    (page,) = desk.say("Their therapist is nice", channel=Channel.WEB, tell=True).kept
    assert (page.trust, page.has_position) == (20, False)


def test_a_page_closes_nothing_and_the_owners_own_word_is_a_record_of_its_own(desk: Desk) -> None:
    desk.say("My favourite colour is teal")
    (page,) = desk.say("My favourite colour is red", channel=Channel.WEB, tell=True).kept
    assert (page.cloud, page.trust) == (CloudState.KEPT, 20)
    assert sorted(desk.active()) == ["My favourite colour is red", "My favourite colour is teal"]
    (own,) = desk.say("My favourite colour is red").kept
    assert (own.cloud, own.trust) == (CloudState.QUEUED, 100)
    assert "My favourite colour is teal" not in desk.active()


def test_a_new_judgement_withdraws_what_may_not_be_at_the_cloud_and_never_sends_by_itself(desk: Desk) -> None:
    (record,) = desk.say("My bike is called Comet").kept
    judge = desk.writing.classifier.judge
    with desk.database.transaction():
        shared = replace(record, cloud=CloudState.SHARED, shared_at=NOW)
        desk.records.put(shared)
        local = desk.writing.rejudge(shared, judge("I take insulin", lambda _: None))
        assert (local.cloud, local.shared_at, desk.withdrawn) == (CloudState.LOCAL_ONLY, None, [record.id])
        back = desk.writing.rejudge(local, judge("My bike is called Comet", lambda _: None))
    assert (back.cloud, back.slot, back.has_position) == (CloudState.KEPT, None, False)


ELIGIBLE = (
    *("I drink coffee", "I stopped coffee, I drink tea now", "My cat is called Pixel", "我喜欢喝绿茶"),
    *("I live in Lyon", "My favourite colour is red", "My favourite colour is teal"),
)
LOCAL = (
    *("Remember that I drink coffee in church", "Remember that I stopped coffee because of insulin"),
    *("Remember I see a therapist", "记住我信佛", "Remember that I live in Lyon on a visa", "I am pregnant"),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*ELIGIBLE, *LOCAL]), max_size=6))
def test_what_goes_to_the_cloud_is_the_same_whatever_else_was_said(
    tmp_path_factory: pytest.TempPathFactory, said: list[str]
) -> None:
    batches = []
    for texts in (said, [text for text in said if text in ELIGIBLE]):
        database = new_database(tmp_path_factory.mktemp("profile"))
        desk = Desk(database)
        for text in texts:
            desk.say(text)
        batches.append([_sent(record) for record in desk.records.to_send("user", 100)])
        assert desk.withdrawn == []
        database.close()
    assert batches[0] == batches[1]


def _sent(record: MemoryRecord) -> tuple[object, ...]:
    return (record.text, record.placeholder_text, record.valid_to, record.importance, record.trust)


def test_an_id_that_nothing_waits_under_cannot_be_answered(desk: Desk) -> None:
    with desk.database.transaction(), pytest.raises(KeyError):
        desk.writing.answer(new_memory_id(), keep=True)
