"""Trust, scope, consent, slots, superseding: the pure rules between a proposal and its record."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.errors import RefusedMemoryError
from keepmum_edge.memory.consent import MOST_WAITING, WAITS_S, Asked, PendingConsents
from keepmum_edge.memory.record import Channel, CloudState, Kind, MemoryRecord
from keepmum_edge.memory.scope import Reach, most_restrictive
from keepmum_edge.memory.slots import displaced
from keepmum_edge.memory.supersede import closed_by, same_as
from keepmum_edge.memory.trust import TRUST_MIN, TRUST_OF, trust_of
from keepmum_edge.memory.wording import content_words
from keepmum_shared.ids import new_memory_id
from keepmum_shared.view import SlotId


def record(text: str, **fields: object) -> MemoryRecord:
    return MemoryRecord(id=new_memory_id(), text=text, scope="user", created_at=1, **fields)  # type: ignore[arg-type]


@given(st.sampled_from(Channel), st.lists(st.integers(0, 100)))
def test_nothing_derived_is_trusted_more_than_its_least_trusted_source(channel: Channel, sources: list[int]) -> None:
    assert trust_of(channel, sources) <= min([TRUST_OF[channel], *sources])


@pytest.mark.parametrize("channel", [Channel.WEB, Channel.MAIL, Channel.TOOL, Channel.CONTACT, Channel.APPLICATION])
def test_a_strangers_text_and_a_chain_of_summaries_of_it_stay_below_the_threshold(channel: Channel) -> None:
    page = trust_of(channel, [])
    summary = trust_of(Channel.DERIVED, [page, 100])
    assert page < TRUST_MIN > trust_of(Channel.DERIVED, [summary, 100])
    assert trust_of(Channel.DERIVED, []) < TRUST_MIN, "it cannot name its sources"


reaches = st.builds(
    Reach,
    scope=st.sampled_from(["user", "a", "b"]),
    application=st.sampled_from([None, "x", "y"]),
    audiences=st.frozensets(st.sampled_from(["mum", "boss"])),
)


@given(st.lists(reaches, min_size=1, max_size=4))
def test_a_derived_record_may_be_used_only_where_all_its_sources_may(given_reaches: list[Reach]) -> None:
    try:
        found = most_restrictive(given_reaches)
    except RefusedMemoryError:
        assert (
            len({r.scope for r in given_reaches} - {"user"}) > 1
            or len({r.application for r in given_reaches} - {None}) > 1
        )
        return
    for reach in given_reaches:
        assert reach.scope in ("user", found.scope)
        assert reach.application in (None, found.application)
        assert found.audiences <= reach.audiences


def test_what_waits_for_consent_is_gone_after_a_day_and_when_the_clock_jumps_back() -> None:
    pending: PendingConsents[str] = PendingConsents()
    asked = Asked(id=new_memory_id(), category="health", asked_at=1000, draft="words")
    pending.add(asked)
    assert pending.waiting(1000 + WAITS_S - 1) == (asked,)
    assert "words" not in repr(asked)
    assert pending.take(asked.id, 1000 + WAITS_S) is None
    pending.add(asked)
    assert pending.waiting(999) == ()
    for _ in range(MOST_WAITING + 5):
        pending.add(replace(asked, id=new_memory_id()))
    assert len(pending.waiting(1000)) == MOST_WAITING


def test_a_full_slot_gives_up_its_least_important_record_and_of_equals_the_oldest() -> None:
    place = {"slot": SlotId("mind"), "has_position": True, "cloud": CloudState.LOCAL_ONLY}
    held = [record(f"r{i}", importance=value, **place) for i, value in enumerate((50, 20, 20))]
    assert displaced(held, 4) is None
    assert displaced(held, 3) == held[1]


def ended(new: MemoryRecord, *others: MemoryRecord, topic: bool = False, ends: str = "") -> list[str]:
    found = closed_by(new, others, replaces_topic=topic, ends=content_words(ends), words_of=lambda each: each.text)
    return [each.text for each in found]


def test_a_fact_closes_those_of_its_topic_and_subject_alone() -> None:
    mine, brothers = record("My favourite player is Ilse", topic="p"), record("x", subject="brother", topic="p")
    new = record("My favourite player is Noor", topic="p")
    assert ended(new, mine, brothers, topic=True) == [mine.text]
    assert ended(new, mine, brothers) == []


def test_an_end_closes_what_holds_all_its_words() -> None:
    coffee, both = record("I drink coffee"), record("I drink coffee and tea")
    new = record("I drink tea now")
    assert ended(new, coffee, record("I like tea"), ends="I stopped coffee") == [coffee.text]
    assert ended(new, both, ends="") == []
    assert ended(record("我现在喝茶"), record("我喝咖啡"), ends="我不再喝咖啡了") == ["我喝咖啡"]


def test_what_the_owner_said_supersedes_a_conclusion_and_never_the_other_way() -> None:
    guess, said = record("likes long answers", topic="t", kind=Kind.INFERRED), record("keep it short", topic="t")
    assert ended(said, guess) == [guess.text]
    assert ended(guess, said, topic=True) == []
    assert ended(replace(said, trust=20), record("y", topic="t"), topic=True) == [], "a page closes nothing trusted"


def test_the_same_words_in_other_case_or_marks_are_the_same_fact() -> None:
    held = record("My cat is called Pixel")
    assert same_as(record("my cat is called pixel!"), [held]) == held
    assert same_as(record("My cat is called Pixel", subject="brother"), [held]) is None
    assert same_as(held, [held]) is None
