"""Conversations and the messages they were sent with, found again by digests (design section 3.1). SQL only.

digest  keyed digest of one message as the client sees it: its role and its clear text, 32 bytes, made by the caller.
chain   keyed digest of a message and everything before it; the last one of a conversation is its tail. A request whose
        prefix has the chain digest X continues the conversation whose tail is X.

Of an incognito conversation only the id and the flag are stored; every other write about it is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from keepmum_shared.ids import ConversationId

from keepmum_edge.daemon.chat import Context
from keepmum_edge.database import Database
from keepmum_edge.errors import EdgeError, NotFoundError

_COLUMNS: Final = "id, mode, name, scope, audience, application, created_at, last_at"
_SETTING: Final = "scope = ? AND audience = ? AND application = ?"


class IncognitoWriteError(EdgeError):
    """Something about an incognito conversation was about to be stored. A fault in our code; nothing was."""

    code = "incognito_write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation; all but `id` and `mode` are None in incognito. Times are Unix seconds."""

    id: ConversationId
    mode: Literal["normal", "incognito"]
    name: str | None
    scope: str | None
    audience: str | None
    application: str | None
    created_at: int | None
    last_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """One message: its digests, and the placeholder text as it was sent (canonical JSON of a ChatMessage)."""

    role: str
    digest: bytes
    chain: bytes
    masked_json: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePlace:
    """Where a message stands; `position` counts from 0."""

    conversation: ConversationId
    position: int


class ConversationStore:
    """The conversations of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def begin(self, conversation: ConversationId, context: Context, at: int) -> None:
        """Store a new conversation; in incognito its id and the flag alone."""
        if context.mode == "incognito":
            self._db.execute("INSERT INTO conversation (id, mode) VALUES (?, 'incognito')", conversation)
            return
        self._db.execute(
            f"INSERT INTO conversation ({_COLUMNS}) VALUES (?, 'normal', ?, ?, ?, ?, ?, ?)",  # noqa: S608
            *(conversation, context.conversation, context.scope, context.audience, context.application, at, at),
        )

    def get(self, conversation: ConversationId) -> Conversation | None:
        """Return a conversation, or None if it was never stored or is forgotten."""
        return self._one("id = ?", conversation)

    def named(self, name: str, application: str) -> Conversation | None:
        """Return the conversation that this application calls by this name."""
        return self._one("application = ? AND name = ?", application, name)

    def recent(self, limit: int = 50) -> tuple[Conversation, ...]:
        """Return normal conversations, the one last used first."""
        query = f"SELECT {_COLUMNS} FROM conversation WHERE mode = 'normal' ORDER BY last_at DESC, id LIMIT ?"  # noqa: S608
        return tuple(_conversation(*row) for row in self._db.rows(query, limit))

    def continuing(self, chain: bytes, context: Context) -> tuple[ConversationId, ...]:
        """Return the conversations in this setting that end exactly here, last used first; none in incognito."""
        if context.mode == "incognito":
            return ()
        query = f"SELECT id FROM conversation WHERE tail = ? AND {_SETTING} ORDER BY last_at DESC, created_at DESC, id"  # noqa: S608
        rows = self._db.rows(query, chain, context.scope, context.audience, context.application)
        return tuple(ConversationId(row[0]) for row in rows)

    def containing(self, chain: bytes, context: Context) -> tuple[MessagePlace, ...]:
        """Return where conversations in this setting passed through here, last used first; none in incognito.

        A request that branches off (an edited or regenerated message) is told by this from one that is new.
        """
        if context.mode == "incognito":
            return ()
        query = (
            "SELECT conversation, position FROM message JOIN conversation ON conversation.id = message.conversation"  # noqa: S608
            f" WHERE chain = ? AND {_SETTING} ORDER BY last_at DESC, created_at DESC, conversation"
        )
        rows = self._db.rows(query, chain, context.scope, context.audience, context.application)
        return tuple(MessagePlace(conversation=ConversationId(row[0]), position=row[1]) for row in rows)

    def append(self, conversation: ConversationId, messages: Sequence[StoredMessage], at: int) -> None:
        """Add messages at the end.

        Raises:
            IncognitoWriteError: the conversation is incognito.
            NotFoundError: there is no such conversation.
        """
        self._require_normal(conversation)
        query = "SELECT coalesce(max(position) + 1, 0) FROM message WHERE conversation = ?"
        first = int(self._db.value(query, conversation))
        self._db.execute_each(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)",
            [
                (conversation, first + i, message.role, message.digest, message.chain, message.masked_json)
                for i, message in enumerate(messages)
            ],
        )
        tail = messages[-1].chain if messages else None
        self._db.execute(
            "UPDATE conversation SET tail = coalesce(?, tail), last_at = ? WHERE id = ?", tail, at, conversation
        )

    def messages(self, conversation: ConversationId) -> tuple[StoredMessage, ...]:
        """Return all messages in order."""
        query = "SELECT role, digest, chain, masked_json FROM message WHERE conversation = ? ORDER BY position"
        return tuple(
            StoredMessage(role=role, digest=digest, chain=chain, masked_json=masked_json)
            for role, digest, chain, masked_json in self._db.rows(query, conversation)
        )

    def masked(self, conversation: ConversationId, role: str, digest: bytes) -> str | None:
        """Return the placeholder text under which this message was last sent, or None: it is new here."""
        query = (
            "SELECT masked_json FROM message WHERE conversation = ? AND role = ? AND digest = ?"
            " ORDER BY position DESC LIMIT 1"
        )
        text = self._db.value(query, conversation, role, digest)
        return None if text is None else str(text)

    def fork(self, place: MessagePlace, target: ConversationId) -> None:
        """Copy the messages up to and including a place into a conversation that was just begun.

        Raises:
            IncognitoWriteError: the target is incognito.
            NotFoundError: there is no such target.
        """
        self._require_normal(target)
        self._db.execute(
            "INSERT INTO message SELECT ?, position, role, digest, chain, masked_json FROM message"
            " WHERE conversation = ? AND position <= ?",
            *(target, place.conversation, place.position),
        )
        self._db.execute(
            "UPDATE conversation SET tail = (SELECT chain FROM message WHERE conversation = ?"
            " ORDER BY position DESC LIMIT 1) WHERE id = ?",
            *(target, target),
        )

    def forget(self, conversation: ConversationId) -> bool:
        """Delete a conversation and its messages; return whether it was there."""
        self._db.execute("DELETE FROM message WHERE conversation = ?", conversation)
        return self._db.execute("DELETE FROM conversation WHERE id = ?", conversation) > 0

    def _require_normal(self, conversation: ConversationId) -> None:
        mode = self._db.value("SELECT mode FROM conversation WHERE id = ?", conversation)
        if mode is None:
            raise NotFoundError("no such conversation")
        if mode == "incognito":
            raise IncognitoWriteError("nothing of an incognito conversation is stored")

    def _one(self, condition: str, *parameters: object) -> Conversation | None:
        row = self._db.row(f"SELECT {_COLUMNS} FROM conversation WHERE {condition}", *parameters)  # noqa: S608
        return None if row is None else _conversation(*row)


def _conversation(identifier: str, mode: str, *rest: Any) -> Conversation:
    name, scope, audience, application, created_at, last_at = rest
    return Conversation(
        id=ConversationId(identifier),
        mode=cast("Literal['normal', 'incognito']", mode),
        name=name,
        scope=scope,
        audience=audience,
        application=application,
        created_at=created_at,
        last_at=last_at,
    )
