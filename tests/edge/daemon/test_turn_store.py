from collections.abc import Iterator
from pathlib import Path

import pytest
from keepmum_edge.daemon.conversation_store import ConversationRow, ConversationStore, IncognitoWriteError
from keepmum_edge.daemon.turn_store import StoredTurn, Trace, TraceStore, TurnStore
from keepmum_edge.database import Database
from keepmum_edge.errors import DatabaseUnavailableError, NotFoundError
from keepmum_shared.ids import ConversationId, TurnId
from profiles import new_database

CONVERSATION = ConversationId("conv_one")
A, B = TurnId("turn_a"), TurnId("turn_b")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


def digest(text: str) -> bytes:
    return text.encode().ljust(32, b".")


def turn(identifier: TurnId, *, request: str = "request", key: str | None = None, at: int = 100) -> StoredTurn:
    return StoredTurn(
        id=identifier,
        conversation=CONVERSATION,
        request_digest=digest(request),
        idempotency_digest=None if key is None else digest(key),
        created_at=at,
    )


def trace(identifier: TurnId, sent: str = "{}", at: int = 100, received: str | None = None) -> Trace:
    return Trace(turn=identifier, conversation=CONVERSATION, created_at=at, sent_json=sent, received_json=received)


def test_a_retry_finds_its_turn_by_key_or_by_request_and_the_newest_wins(db: Database) -> None:
    store = TurnStore(db)
    with db.transaction():
        store.begin(turn(A, key="key", at=100))
        store.begin(turn(B, at=101))
        store.answer(B, '"<NAME_1>"', 102)
    assert store.by_idempotency(digest("key")) == turn(A, key="key", at=100)
    assert store.by_idempotency(digest("other")) is None
    found = store.by_request(digest("request"), 100)
    assert (found.id, found.state, found.answer_json, found.answered_at) == (B, "answered", '"<NAME_1>"', 102)
    assert store.by_request(digest("request"), 102) is None
    assert store.newest(CONVERSATION) == found
    assert "NAME" not in repr(found)


def test_a_turn_is_answered_once(db: Database) -> None:
    store = TurnStore(db)
    with db.transaction():
        store.begin(turn(A))
        store.answer(A, '"first"', 1)
        with pytest.raises(NotFoundError):
            store.answer(A, '"second"', 2)
        store.fail(A)
        assert store.fail_running() == 0
    assert store.get(A).answer_json == '"first"'
    with pytest.raises(DatabaseUnavailableError), db.transaction():
        store.begin(turn(A))
    assert store.get(A).answer_json == '"first"'


def test_a_turn_that_a_crash_left_running_has_failed_and_runs_again_under_its_id(db: Database) -> None:
    store = TurnStore(db)
    with db.transaction():
        store.begin(turn(A, key="key"))
        store.begin(turn(B))
        store.answer(B, '""', 1)
    with db.transaction():
        assert store.fail_running() == 1
    assert (store.get(A).state, store.get(B).state) == ("failed", "answered")
    with db.transaction():
        store.begin(turn(A, key="key", at=200))
    assert store.by_idempotency(digest("key")) == turn(A, key="key", at=200)


def test_an_expired_answer_is_gone_and_its_key_is_free(db: Database) -> None:
    store = TurnStore(db)
    with db.transaction():
        store.begin(turn(A, key="key"))
        store.answer(A, '"old"', 1000)
        store.begin(turn(B, key="other", at=1))
        assert store.expire(1000) == 0
        assert store.expire(1001) == 1
        assert store.expire(1001) == 0
    assert store.get(A).answer_json is None
    assert store.by_idempotency(digest("key")) is None
    assert store.by_request(digest("request"), 0).id == B  # it still runs
    with db.transaction():
        store.begin(turn(TurnId("turn_c"), key="key"))


def test_a_key_that_has_not_been_tidied_away_yet_can_name_a_new_turn(db: Database) -> None:
    store = TurnStore(db)
    with db.transaction():
        store.begin(turn(A, key="key"))
        store.answer(A, '"old"', 1000)
        store.begin(turn(B, key="key", at=2000))
    assert store.by_idempotency(digest("key")).id == B


def test_a_trace_is_there_before_the_answer_and_complete_after_it(db: Database) -> None:
    turns, store = TurnStore(db), TraceStore(db)
    with db.transaction():
        turns.begin(turn(A))
        store.put(trace(A, '"<NAME_1>"'))
        assert store.get(A).received_json is None
        turns.answer(A, '"hello"', 110)
    complete = Trace(
        turn=A,
        conversation=CONVERSATION,
        created_at=100,
        sent_json='"<NAME_1>"',
        received_json='"hello"',
    )
    assert store.get(A) == complete
    with db.transaction():
        store.take_over(120)
        turns.expire(120)
    assert turns.get(A).answer_json is None
    assert store.get(A) == complete, "the trace outlives the answer that is kept for a retry"
    assert store.get(B) is None
    assert "NAME" not in repr(store.get(A))


def test_traces_are_listed_and_expire_by_their_time(db: Database) -> None:
    store = TraceStore(db)
    with db.transaction():
        store.put(trace(A, at=100))
        store.put(trace(B, at=200))
    assert [each.turn for each in store.recent()] == [B, A]
    assert [each.turn for each in store.recent(1)] == [B]
    assert [each.turn for each in store.of_conversation(CONVERSATION)] == [A, B]
    with db.transaction():
        assert store.expire(200) == 1
    assert [each.turn for each in store.recent()] == [B]


def test_forgetting_reaches_answers_and_traces_that_mention_the_text(db: Database) -> None:
    turns, traces = TurnStore(db), TraceStore(db)
    with db.transaction():
        turns.begin(turn(A))
        turns.answer(A, '{"text":"met <NAME_1> \\"once\\"\\n"}', 1)
        turns.begin(turn(B))
        turns.answer(B, '{"text":"met <NAME_11>"}', 1)
        traces.put(trace(A, '"<NAME_1>"'))
        traces.put(trace(B, '"<NAME_11>"', received='"a \\"quoted\\" line"'))
        assert turns.forget_mentioning(["<NAME_1>", "<NAME_2>"]) == 1
        assert traces.forget_mentioning(["<NAME_1>"]) == 1
    assert turns.get(A).answer_json is None
    assert turns.get(B).answer_json is not None
    assert [each.turn for each in traces.recent()] == [B]
    with db.transaction():
        assert traces.forget_mentioning(['a "quoted" line']) == 1


def test_forgetting_a_conversation_takes_its_turns_and_traces(db: Database) -> None:
    turns, traces = TurnStore(db), TraceStore(db)
    with db.transaction():
        turns.begin(turn(A))
        traces.put(trace(A))
        assert (turns.forget_conversation(CONVERSATION), traces.forget_conversation(CONVERSATION)) == (1, 1)
    assert (turns.get(A), traces.get(A)) == (None, None)


def test_no_turn_and_no_trace_of_an_incognito_conversation_is_stored(db: Database) -> None:
    with db.transaction():
        ConversationStore(db).add(
            ConversationRow(
                id=CONVERSATION,
                scope="",
                audience="",
                application="",
                mode="incognito",
                profile_scope=False,
                created_at=0,
            )
        )
        with pytest.raises(IncognitoWriteError):
            TurnStore(db).begin(turn(A))
        with pytest.raises(IncognitoWriteError):
            TraceStore(db).put(trace(A))
    assert db.value("SELECT (SELECT count(*) FROM turn) + (SELECT count(*) FROM trace)") == 0


def test_a_digest_has_32_bytes(db: Database) -> None:
    short = StoredTurn(id=A, conversation=CONVERSATION, request_digest=b"short", idempotency_digest=None, created_at=1)
    with pytest.raises(DatabaseUnavailableError, match="rule"), db.transaction():
        TurnStore(db).begin(short)
