from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from keepmum_edge.daemon.answer import Choice, StoredAnswer
from keepmum_edge.daemon.chat import ChatRequest
from keepmum_edge.daemon.trace import TraceRecord
from keepmum_edge.daemon.turn_log import KnownTurn, TurnLog
from keepmum_edge.daemon.turn_store import TraceStore, TurnStore
from keepmum_edge.database import Database
from keepmum_shared.ids import new_conversation_id, new_turn_id
from keepmum_shared.messages import ChatMessage
from profiles import new_database

KEY, REQUEST = bytes(32), bytes(range(32))
CHAT = ChatRequest(messages=(ChatMessage(role="user", content="hi"),))
ANSWER = StoredAnswer(
    model="m",
    created=1,
    choices=(Choice(message=ChatMessage(role="assistant", content="hello"), reason="stop"),),
    memories=(),
    carried=(),
)


@dataclass
class Clock:
    time: float = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def log(db: Database, clock: Clock) -> TurnLog:
    return TurnLog(TurnStore(db), TraceStore(db), replay_s=600, trace_days=30, now=clock)


def take(log: TurnLog, db: Database, clock: Clock, *, key: bytes | None = KEY, incognito: bool = False) -> KnownTurn:
    """Begin a turn as the daemon does."""
    known = KnownTurn(turn=new_turn_id(), request_digest=REQUEST, key_digest=key, incognito=incognito)
    trace = TraceRecord(turn=known.turn, conversation=new_conversation_id(), at=int(clock()), sent=CHAT)
    with db.transaction():
        log.expire(believed=clock())
        log.begin(known, trace)
    return known


def answer(log: TurnLog, db: Database, known: KnownTurn) -> None:
    with db.transaction():
        log.answered(known.turn, ANSWER)


@pytest.mark.parametrize("incognito", [False, True])
def test_a_turn_is_found_again_by_key_and_by_request_for_as_long_as_it_can_be_replayed(
    log: TurnLog, db: Database, clock: Clock, incognito: bool
) -> None:
    known = take(log, db, clock, incognito=incognito)
    answer(log, db, known)
    clock.time += 600
    for found in (log.by_key(KEY), log.by_request(REQUEST)):
        assert found is not None
        assert (found.turn, found.answer) == (known.turn, ANSWER)
    clock.time += 1
    assert (log.by_key(KEY), log.by_request(REQUEST)) == (None, None)


def test_a_key_can_be_used_again_from_the_moment_its_turn_can_no_longer_be_replayed(
    log: TurnLog, db: Database, clock: Clock
) -> None:
    """Expiry runs once a minute at most; the key is free before it all the same."""
    answer(log, db, take(log, db, clock))
    clock.time += 590
    take(log, db, clock, key=None)  # expiry has just run
    clock.time += 11
    assert log.by_key(KEY) is None
    second = take(log, db, clock)
    found = log.by_key(KEY)
    assert found is not None
    assert found.turn == second.turn


def test_the_newest_of_two_turns_in_one_second_is_the_one_that_began_last(
    log: TurnLog, db: Database, clock: Clock
) -> None:
    turns = [take(log, db, clock, key=None).turn for _ in range(20)]
    assert [trace.turn for trace in log.traces(20)] == turns[::-1]
    assert log.trace(None).turn == turns[-1]


def test_an_incognito_turn_touches_no_table(log: TurnLog, db: Database, clock: Clock) -> None:
    known = take(log, db, clock, incognito=True)
    answer(log, db, known)
    assert log.trace(known.turn).received == ANSWER
    assert db.value("SELECT (SELECT count(*) FROM turn) + (SELECT count(*) FROM trace)") == 0


def test_an_answer_without_usage_can_be_read_again(log: TurnLog, db: Database, clock: Clock) -> None:
    answer(log, db, take(log, db, clock))
    found = log.by_key(KEY)
    assert found is not None
    assert found.answer is not None
    assert found.answer.usage is None


def test_a_leap_of_the_clock_that_nobody_confirmed_ends_no_trace(log: TurnLog, db: Database, clock: Clock) -> None:
    known, believed = take(log, db, clock, key=None), clock()
    clock.time += 400 * 86_400
    with db.transaction():
        log.expire(believed)
    assert [trace.turn for trace in log.traces(9)] == [known.turn]
    clock.time += 61
    with db.transaction():
        log.expire(clock())
    assert log.traces(9) == []


@pytest.mark.parametrize("incognito", [False, True])
def test_the_newest_trace_is_the_one_that_came_last_whatever_the_clock_said(
    log: TurnLog, db: Database, clock: Clock, incognito: bool
) -> None:
    clock.time += 9 * 86_400
    ahead = take(log, db, clock, key=None)
    clock.time -= 9 * 86_400
    right = take(log, db, clock, key=None, incognito=incognito)
    assert [trace.turn for trace in log.traces(9)] == [right.turn, ahead.turn]
    assert [trace.turn for trace in log.traces(1)] == [right.turn]
