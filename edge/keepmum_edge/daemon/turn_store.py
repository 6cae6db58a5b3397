"""Turns, the answers kept for a retry, and traces. Placeholder text only. SQL only; never opens, commits or closes.

A turn is `running` from before its request leaves until its answer is stored; one that a crash left running has failed,
and its retry runs it again under the same id. Digests are keyed, 32 bytes, made by the caller.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from keepmum_shared.ids import ConversationId, TurnId

from keepmum_edge.daemon.conversation_store import IncognitoWriteError
from keepmum_edge.database import Database
from keepmum_edge.errors import NotFoundError

State = Literal["running", "answered", "failed"]
_TURN: Final = "id, conversation, request_digest, idempotency_digest, state, created_at, answered_at, answer_json"
_TRACE: Final = "turn, conversation, created_at, sent_json, received_json, meta_json"
_TRACE_AND_ANSWER: Final = (
    "trace.turn, trace.conversation, trace.created_at, sent_json, coalesce(received_json, answer_json), meta_json"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """One turn. Times are Unix seconds.

    Attributes:
        request_digest: Of the request's body; None once it cannot be replayed any more.
        idempotency_digest: Of the client's key, or None.
        answer_json: The answer in placeholder text; None until answered, and again when it has expired.
    """

    id: TurnId
    conversation: ConversationId
    request_digest: bytes | None
    idempotency_digest: bytes | None
    state: State = "running"
    created_at: int
    answered_at: int | None = None
    answer_json: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What the cloud saw of a turn and what came back, in placeholder text.

    Attributes:
        created_at: Unix seconds.
        received_json: None while the answer is under way, and when it failed.
        meta_json: Released views, the ids of the batch, and the code of a failure.
    """

    turn: TurnId
    conversation: ConversationId
    created_at: int
    sent_json: str = field(repr=False)
    received_json: str | None = field(default=None, repr=False)
    meta_json: str = field(default="{}", repr=False)


class TurnStore:
    """The turns of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def begin(self, turn: StoredTurn) -> None:
        """Store a turn that is about to run; one that failed before runs again under its id.

        Raises:
            IncognitoWriteError: its conversation is incognito.
        """
        _refuse_incognito(self._db, turn.conversation)
        self._db.execute("DELETE FROM turn WHERE id = ? AND state <> 'answered'", turn.id)
        if turn.idempotency_digest is not None:  # the caller found it too old to be replayed
            free = "UPDATE turn SET idempotency_digest = NULL WHERE idempotency_digest = ?"
            self._db.execute(free, turn.idempotency_digest)
        self._db.execute(
            f"INSERT INTO turn ({_TURN}) VALUES (?, ?, ?, ?, 'running', ?, NULL, NULL)",  # noqa: S608
            *(turn.id, turn.conversation, turn.request_digest, turn.idempotency_digest, turn.created_at),
        )

    def answer(self, turn: TurnId, answer_json: str, at: int) -> None:
        """Store the whole answer of a running turn.

        Raises:
            NotFoundError: no such turn is running.
        """
        statement = (
            "UPDATE turn SET state = 'answered', answered_at = ?, answer_json = ? WHERE id = ? AND state = 'running'"
        )
        if self._db.execute(statement, at, answer_json, turn) == 0:
            raise NotFoundError("no such turn is running")

    def fail(self, turn: TurnId) -> None:
        """Note that a running turn failed; nothing if it does not run."""
        self._db.execute("UPDATE turn SET state = 'failed' WHERE id = ? AND state = 'running'", turn)

    def fail_running(self) -> int:
        """At start: note that whatever was running when the last daemon ended has failed; return how many."""
        return self._db.execute("UPDATE turn SET state = 'failed' WHERE state = 'running'")

    def get(self, turn: TurnId) -> StoredTurn | None:
        """Return a turn, or None."""
        return self._one("id = ?", turn)

    def by_idempotency(self, digest: bytes) -> StoredTurn | None:
        """Return the turn with this idempotency key, or None once it has expired."""
        return self._one("idempotency_digest = ?", digest)

    def by_request(self, digest: bytes, since: int) -> StoredTurn | None:
        """Return the newest turn with this request that began at `since` or later."""
        return self._one("request_digest = ? AND created_at >= ? ORDER BY created_at DESC, id LIMIT 1", digest, since)

    def newest(self, conversation: ConversationId) -> StoredTurn | None:
        """Return the newest turn of a conversation."""
        return self._one("conversation = ? ORDER BY created_at DESC, id LIMIT 1", conversation)

    def expire(self, before: int) -> int:
        """Drop answers and keys of turns that ended or began before a time and do not run; return how many."""
        return self._db.execute(
            "UPDATE turn SET answer_json = NULL, request_digest = NULL, idempotency_digest = NULL"
            " WHERE state <> 'running' AND coalesce(answered_at, created_at) < ?"
            " AND (answer_json IS NOT NULL OR request_digest IS NOT NULL OR idempotency_digest IS NOT NULL)",
            before,
        )

    def ids_of(self, conversation: ConversationId) -> tuple[TurnId, ...]:
        """Return the turns of a conversation."""
        return tuple(
            TurnId(row[0]) for row in self._db.rows("SELECT id FROM turn WHERE conversation = ?", conversation)
        )

    def conversation_of(self, turn: TurnId) -> ConversationId | None:
        """Return the conversation of a turn, or None if there is no such turn."""
        found = self._db.value("SELECT conversation FROM turn WHERE id = ?", turn)
        return None if found is None else ConversationId(found)

    def answers(self) -> Iterator[tuple[TurnId, ConversationId, str]]:
        """Yield every answer that is kept for a retry."""
        for turn, conversation, answer in self._db.rows(
            "SELECT id, conversation, answer_json FROM turn WHERE answer_json IS NOT NULL"
        ):
            yield TurnId(turn), ConversationId(conversation), str(answer)

    def strip(self, turn: TurnId) -> bool:
        """Drop all of a turn but that it was; no retry finds it any more. Return whether there was something."""
        return (
            self._db.execute(
                "UPDATE turn SET answer_json = NULL, request_digest = NULL, idempotency_digest = NULL WHERE id = ?"
                " AND coalesce(answer_json, request_digest, idempotency_digest) IS NOT NULL",
                turn,
            )
            > 0
        )

    def forget_mentioning(self, texts: Iterable[str]) -> int:
        """Drop answers in which one of the texts stands, tokens of forgotten values for example; return how many."""
        return sum(
            self._db.execute("UPDATE turn SET answer_json = NULL WHERE instr(answer_json, ?) > 0", in_json(text))
            for text in texts
        )

    def forget_conversation(self, conversation: ConversationId) -> int:
        """Delete the turns of a conversation; return how many."""
        return self._db.execute("DELETE FROM turn WHERE conversation = ?", conversation)

    def _one(self, condition: str, *parameters: object) -> StoredTurn | None:
        row = self._db.row(f"SELECT {_TURN} FROM turn WHERE {condition}", *parameters)  # noqa: S608
        return None if row is None else _turn(*row)


class TraceStore:
    """The traces of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, trace: Trace) -> None:
        """Store the trace of a turn in the place of an older one.

        Raises:
            IncognitoWriteError: its conversation is incognito.
        """
        _refuse_incognito(self._db, trace.conversation)
        texts = (trace.sent_json, trace.received_json, trace.meta_json)
        self._db.execute(
            f"INSERT OR REPLACE INTO trace ({_TRACE}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608
            *(trace.turn, trace.conversation, trace.created_at, *texts),
        )

    def annotate(self, turn: TurnId, meta_json: str) -> None:
        """Replace what is noted about the turn; nothing if the trace is gone."""
        self._db.execute("UPDATE trace SET meta_json = ? WHERE turn = ?", meta_json, turn)

    def take_over(self, before: int) -> None:
        """Keep the answers of turns that ended before a time; until then a trace reads its turn's."""
        self._db.execute(
            "UPDATE trace SET received_json = answer_json FROM turn"
            " WHERE turn.id = trace.turn AND answer_json IS NOT NULL AND answered_at < ?",
            before,
        )

    def get(self, turn: TurnId) -> Trace | None:
        """Return the trace of a turn, or None if there is none (any more)."""
        found = self._select("trace.turn = ?", turn)
        return found[0] if found else None

    def recent(self, limit: int = 20) -> tuple[Trace, ...]:
        """Return traces, the one that was stored last first; a clock may have been wrong."""
        return self._select("true ORDER BY trace.row DESC LIMIT ?", limit)

    def of_conversation(self, conversation: ConversationId) -> tuple[Trace, ...]:
        """Return the traces of a conversation, oldest first."""
        return self._select("trace.conversation = ? ORDER BY trace.created_at, trace.row", conversation)

    def expire(self, before: int) -> int:
        """Delete traces from before a time; return how many."""
        return self._db.execute("DELETE FROM trace WHERE created_at < ?", before)

    def texts(self) -> Iterator[tuple[TurnId, ConversationId, str]]:
        """Yield all that each trace holds, as one text; not which memories it took along (ids alone)."""
        meta = "json_remove(meta_json, '$.batch')"
        query = f"SELECT turn, conversation, sent_json || coalesce(received_json, '') || {meta} FROM trace"  # noqa: S608
        for turn, conversation, text in self._db.rows(query):
            yield TurnId(turn), ConversationId(conversation), str(text)

    def delete(self, turn: TurnId) -> bool:
        """Delete the trace of a turn; return whether there was one."""
        return self._db.execute("DELETE FROM trace WHERE turn = ?", turn) > 0

    def forget_mentioning(self, texts: Iterable[str]) -> int:
        """Delete traces in which one of the texts stands; return how many."""
        return sum(
            self._db.execute(
                "DELETE FROM trace WHERE instr(sent_json, ?1) > 0 OR instr(received_json, ?1) > 0"
                " OR instr(meta_json, ?1) > 0",
                in_json(text),
            )
            for text in texts
        )

    def forget_conversation(self, conversation: ConversationId) -> int:
        """Delete the traces of a conversation; return how many."""
        return self._db.execute("DELETE FROM trace WHERE conversation = ?", conversation)

    def _select(self, condition: str, *parameters: object) -> tuple[Trace, ...]:
        query = f"SELECT {_TRACE_AND_ANSWER} FROM trace LEFT JOIN turn ON turn.id = trace.turn WHERE {condition}"  # noqa: S608
        rows = self._db.rows(query, *parameters)
        return tuple(_trace(*row) for row in rows)


def _refuse_incognito(db: Database, conversation: ConversationId) -> None:
    if db.value("SELECT mode FROM conversation WHERE id = ?", conversation) == "incognito":
        raise IncognitoWriteError("nothing of an incognito conversation is stored")


def in_json(text: str) -> str:
    """Return the text as it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _turn(identifier: str, conversation: str, *rest: Any) -> StoredTurn:
    request_digest, idempotency_digest, state, created_at, answered_at, answer_json = rest
    return StoredTurn(
        id=TurnId(identifier),
        conversation=ConversationId(conversation),
        request_digest=request_digest,
        idempotency_digest=idempotency_digest,
        state=cast("State", state),
        created_at=created_at,
        answered_at=answered_at,
        answer_json=answer_json,
    )


def _trace(turn: str, conversation: str, created_at: int, sent: str, received: str | None, meta: str) -> Trace:
    return Trace(
        turn=TurnId(turn),
        conversation=ConversationId(conversation),
        created_at=created_at,
        sent_json=sent,
        received_json=received,
        meta_json=meta,
    )
