from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from keepmum_edge.daemon.conversation_store import (
    ConversationRow,
    ConversationStore,
    IncognitoWriteError,
    MessagePlace,
    MessageRow,
)
from keepmum_edge.database import Database
from keepmum_edge.errors import DatabaseUnavailableError, NotFoundError
from keepmum_shared.ids import ConversationId
from profiles import new_database

ONE, TWO, THREE = (ConversationId(f"conv_{name}") for name in ("one", "two", "three"))
SETTING = ("user", "self", "api")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


def normal(conversation: ConversationId, at: int = 1) -> ConversationRow:
    scope, audience, application = SETTING
    return ConversationRow(
        id=conversation,
        scope=scope,
        audience=audience,
        application=application,
        mode="normal",
        profile_scope=True,
        created_at=at,
    )


def digest(text: str) -> bytes:
    return text.encode().ljust(32, b".")


def message(position: int, chain: str) -> MessageRow:
    return MessageRow(position=position, digest=digest(f"m{chain}"), chain_digest=digest(chain), masked=f'"{chain}"')


def test_a_request_goes_on_where_a_conversation_ends_and_the_last_used_one_wins(db: Database) -> None:
    store = ConversationStore(db)
    with db.transaction():
        for conversation, at in ((ONE, 1), (TWO, 2), (THREE, 3)):
            store.add(normal(conversation, at))
        store.append(TWO, [message(0, "hi"), message(1, "hi hello")], tail=digest("hi hello"), at=20)
        store.append(ONE, [message(0, "hi"), message(1, "hi hello")], tail=digest("hi hello"), at=30)
        store.append(THREE, [message(0, "hi"), message(1, "hi hello"), message(2, "more")], tail=digest("more"), at=40)
    found = store.by_tail(digest("hi hello"), *SETTING)
    assert found == replace(normal(ONE, 1), tail=digest("hi hello"))
    assert store.by_tail(digest("hi"), *SETTING) is None
    assert store.containing(digest("hi hello"), *SETTING) == MessagePlace(conversation=THREE, position=1)
    assert store.containing(digest("never"), *SETTING) is None


@pytest.mark.parametrize("place", [0, 1, 2])
def test_conversations_of_another_scope_audience_or_application_never_meet(db: Database, place: int) -> None:
    store = ConversationStore(db)
    with db.transaction():
        store.add(normal(ONE))
        store.append(ONE, [message(0, "hi")], tail=digest("hi"), at=1)
    other = tuple("other" if i == place else name for i, name in enumerate(SETTING))
    assert store.by_tail(digest("hi"), *other) is None
    assert store.containing(digest("hi"), *other) is None


def test_messages_come_back_with_every_choice_of_an_answer(db: Database) -> None:
    store = ConversationStore(db)
    rows = [message(0, "hi"), message(1, "first choice"), message(1, "second choice")]
    with db.transaction():
        store.add(normal(ONE))
        store.append(ONE, rows, tail=digest("first choice"), at=1)
        store.append(ONE, [*rows, message(2, "then")], tail=digest("then"), at=2)
    assert store.messages(ONE) == (*rows, message(2, "then"))
    assert store.get(ONE).tail == digest("then")


def test_a_branch_shares_what_came_before_it_and_nothing_after(db: Database) -> None:
    store = ConversationStore(db)
    with db.transaction():
        store.add(normal(ONE))
        store.append(ONE, [message(i, f"c{i}") for i in range(4)], tail=digest("c3"), at=1)
        store.add(normal(TWO))
        store.copy_until(ONE, TWO, 1)
    assert store.messages(TWO) == (message(0, "c0"), message(1, "c1"))
    assert store.get(TWO).tail is None
    with db.transaction():
        assert store.forget(ONE)
        assert not store.forget(ONE)
    assert store.messages(ONE) == ()
    assert len(store.messages(TWO)) == 2


def test_of_an_incognito_conversation_the_id_and_the_flag_alone_are_stored(db: Database) -> None:
    store = ConversationStore(db)
    with db.transaction():
        store.add(replace(normal(ONE), mode="incognito"))
        store.add(normal(TWO))
        store.append(TWO, [message(0, "hi")], tail=digest("hi"), at=1)
        for refused in (
            lambda: store.append(ONE, [message(0, "hi")], tail=digest("hi"), at=1),
            lambda: store.copy_until(TWO, ONE, 0),
        ):
            with pytest.raises(IncognitoWriteError):
                refused()
    columns = db.row("SELECT * FROM conversation WHERE id = ?", ONE)
    assert [value for value in columns if value is not None] == [ONE, "incognito"]
    assert store.messages(ONE) == ()
    assert store.get(ONE).mode == "incognito"


def test_the_database_itself_refuses_details_of_an_incognito_conversation(db: Database) -> None:
    with pytest.raises(DatabaseUnavailableError, match="rule"), db.transaction():
        db.execute("INSERT INTO conversation (id, mode, scope) VALUES ('c', 'incognito', 'user')")


def test_nothing_is_added_to_a_conversation_that_is_not_there(db: Database) -> None:
    with pytest.raises(NotFoundError), db.transaction():
        ConversationStore(db).append(ONE, [message(0, "hi")], tail=digest("hi"), at=1)


def test_no_lookup_reads_a_whole_table(db: Database) -> None:
    for query in (
        "SELECT id FROM conversation WHERE tail = ? AND scope = ?",
        "SELECT last_at FROM message JOIN conversation ON conversation.id = message.conversation WHERE chain = ?",
        "SELECT * FROM message WHERE conversation = ?",
    ):
        plan = [row[3] for row in db.rows(f"EXPLAIN QUERY PLAN {query}", *(b"",) * query.count("?"))]
        assert all(step.startswith("SEARCH") for step in plan)
