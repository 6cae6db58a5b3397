from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_cloud.database import Database
from keepmum_cloud.memory.operations import Memories, recall_query
from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey
from keepmum_shared.messages import ChatMessage, FoundMemory, MemoryWrite

ALICE, BOB = DeviceId("dev_" + "a" * 26), DeviceId("dev_" + "b" * 26)
NOW = lambda: 1_000_000.0  # noqa: E731
HOME, WORK = ScopeKey("scope_" + "a" * 26), ScopeKey("scope_" + "b" * 26)


def memory_id(number: int) -> MemoryId:
    digits = "".join("abcdefghijklmnopqrstuvwxyz"[number // 26**i % 26] for i in range(5))
    return MemoryId("mem_" + digits.rjust(26, "z"))


def write(number: int, text: str) -> MemoryWrite:
    return MemoryWrite(id=memory_id(number), text=text, created_at=number)


@pytest.fixture
def memories(tmp_path: Path) -> Iterator[Memories]:
    database = Database(tmp_path)
    yield Memories(database, clock=NOW)
    database.close()


def fill(
    memories: Memories, texts: list[str], device: DeviceId = ALICE, scope: ScopeKey = HOME, first: int = 0
) -> None:
    memories.add(device, scope, tuple(write(first + i, text) for i, text in enumerate(texts)))


def found(memories: Memories, query: str, limit: int = 10) -> list[str]:
    return [hit.text for hit in memories.search(ALICE, HOME, query, limit)]


def test_words_are_found_in_other_forms(memories: Memories) -> None:
    fill(memories, ["<NAME_1> likes long walks", "Drinks tea", "Allergic to nuts"])
    assert found(memories, "does <NAME_1> walk?")[0] == "<NAME_1> likes long walks"
    assert found(memories, "allergic nut") == ["Allergic to nuts"]


def test_a_placeholder_finds_its_own_memories_only(memories: Memories) -> None:
    fill(memories, ["<NAME_1> plays chess", "<NAME_11> plays go", "<NAME_2> swims"])
    assert found(memories, "<NAME_1>") == ["<NAME_1> plays chess"]


def test_chinese_words_of_two_characters_are_found(memories: Memories) -> None:
    fill(memories, ["我每天早上喝咖啡", "<NAME_1>住在上海", "对花生过敏", "我的猫叫小白"])
    assert found(memories, "花生") == ["对花生过敏"]
    assert found(memories, "咖啡") == ["我每天早上喝咖啡"]
    assert found(memories, "上海的天气怎么样") == ["<NAME_1>住在上海"]
    assert found(memories, "猫") == ["我的猫叫小白"]


def test_nothing_in_common_finds_nothing(memories: Memories) -> None:
    fill(memories, ["Drinks tea"])
    assert found(memories, "weather in spring") == []
    assert found(memories, "") == []
    assert memories.search(ALICE, WORK, "tea", 5) == ()


def test_a_rare_word_counts_more_than_a_common_one(memories: Memories) -> None:
    fill(memories, ["likes tea"] * 5 + ["likes chess", "plays chess with tea"])
    assert found(memories, "likes chess")[0] == "likes chess"


def test_equal_scores_come_last_stored_first(memories: Memories) -> None:
    fill(memories, ["tea one", "tea two", "tea six"])
    assert found(memories, "tea") == ["tea six", "tea two", "tea one"]


def test_the_same_id_replaces_and_a_retry_changes_nothing(memories: Memories) -> None:
    fill(memories, ["drinks coffee", "drinks water"])
    before = memories.search(ALICE, HOME, "drinks", 5)
    fill(memories, ["drinks coffee"])
    assert memories.search(ALICE, HOME, "drinks", 5) == before
    memories.add(ALICE, WORK, (write(0, "drinks tea"),))
    assert found(memories, "coffee") == []
    assert [hit.text for hit in memories.search(ALICE, WORK, "tea", 5)] == ["drinks tea"]
    assert len(memories.export(ALICE).memories) == 2


def test_the_same_id_of_another_device_is_another_memory(memories: Memories) -> None:
    fill(memories, ["alice tea"])
    fill(memories, ["bob tea"], device=BOB)
    assert memories.delete(BOB, (memory_id(0),)).deleted == (memory_id(0),)
    assert found(memories, "tea") == ["alice tea"]
    assert memories.export(BOB).memories == ()


def test_a_deleted_memory_is_found_by_none_of_its_words(memories: Memories) -> None:
    fill(memories, ["tea with <NAME_1>", "coffee with <NAME_1>"])
    result = memories.delete(ALICE, (memory_id(0), memory_id(7)))
    assert (result.deleted, result.absent) == ((memory_id(0),), (memory_id(7),))
    assert found(memories, "tea <NAME_1>") == ["coffee with <NAME_1>"]
    assert memories.delete(ALICE, (memory_id(0),)).absent == (memory_id(0),)


WORDS = ["tea", "coffee", "<NAME_1>", "<NAME_2>", "walks", "花生", "喝茶", "mountain", "piano"]
texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=8)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=texts, others=texts, query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join))
def test_other_scopes_and_devices_change_no_rank_and_no_score(
    tmp_path_factory: pytest.TempPathFactory, mine: list[str], others: list[str], query: str
) -> None:
    alone = Database(tmp_path_factory.mktemp("alone"))
    crowded = Database(tmp_path_factory.mktemp("crowded"))
    try:
        fill(Memories(alone, clock=NOW), mine)
        crowd = Memories(crowded, clock=NOW)
        fill(crowd, others, scope=WORK, first=100)
        for i, text in enumerate(mine):
            fill(crowd, [text], first=i)
            fill(crowd, others, device=BOB, first=200 + i)
        fill(crowd, others, scope=WORK, first=300)
        crowd.delete(ALICE, tuple(memory_id(100 + i) for i in range(len(others))))
        assert crowd.search(ALICE, HOME, query, 5) == Memories(alone, clock=NOW).search(ALICE, HOME, query, 5)
    finally:
        alone.close()
        crowded.close()


def test_recall_looks_for_the_newest_message_and_leaves_the_weak_out(memories: Memories) -> None:
    fill(memories, ["<NAME_1> is allergic to peanuts and shellfish", "Peanuts grow in the ground", "Lives by the sea"])
    asked = ChatMessage(role="user", content="What may <NAME_1> not eat, being allergic to shellfish? Not peanuts?")
    recalled = memories.recall(ALICE, HOME, (ChatMessage(role="user", content="sea"), asked), 6)
    assert [memory.id for memory in recalled] == [memory_id(0)]


def test_recall_of_the_only_memory_of_a_scope(memories: Memories) -> None:
    fill(memories, ["My dog is called <NAME_1>"])
    assert len(memories.recall(ALICE, HOME, (ChatMessage(role="user", content="dog?"),), 6)) == 1


def test_recalled_text_is_bounded(memories: Memories) -> None:
    fill(memories, ["tea " * 900, "tea " * 900, "tea time"])
    recalled: tuple[FoundMemory, ...] = memories.recall(ALICE, HOME, (ChatMessage(role="user", content="tea"),), 6)
    assert 0 < sum(len(memory.text) for memory in recalled) <= 4000


def test_a_short_question_takes_the_one_before_along() -> None:
    said = tuple(ChatMessage(role="user", content=text) for text in ("first", "about tea", "and why?"))
    assert recall_query(said) == "about tea\nand why?"
    assert recall_query((ChatMessage(role="assistant", content="x"),)) == ""
