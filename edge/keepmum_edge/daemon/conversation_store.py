"""Conversations and the messages they were sent with, found again by digests (design section 3.1). SQL only.

digest  keyed digest of one message as the client sees it, 32 bytes, made by the caller (`identity`).
chain   keyed digest of a whole history up to and with one message. A conversation's tail is the chain digest of its
        end: a request whose prefix has it goes on there. Several choices of one answer are messages at one position.

Never opens, commits or closes. Of an incognito conversation only the id and the flag are stored; every other write
about it is refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from keepmum_shared.ids import ConversationId

from keepmum_edge.database import Database
from keepmum_edge.errors import EdgeError, NotFoundError

_COLUMNS: Final = "id, mode, scope, audience, application, profile_scope, created_at, tail"
_SETTING: Final = "scope = ? AND audience = ? AND application = ?"
_NEWEST_FIRST: Final = "ORDER BY last_at DESC, created_at DESC, conversation.id DESC LIMIT 1"


class IncognitoWriteError(EdgeError):
    """Something about an incognito conversation was about to be stored. A fault in our code; nothing was."""

    code = "incognito_write"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRow:
    """One conversation.

    Attributes:
        scope, audience, application: Empty in incognito.
        profile_scope: Whether it takes profile numbers.
        created_at: Unix seconds; 0 in incognito.
        tail: Chain digest of its end; None before the first answer.
    """

    id: ConversationId
    scope: str
    audience: str
    application: str
    mode: Literal["normal", "incognito"]
    profile_scope: bool
    created_at: int
    tail: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """One message.

    Attributes:
        position: Counted from 0.
        masked: What was sent for it: canonical JSON of a ChatMessage in placeholder text.
    """

    position: int
    digest: bytes
    chain_digest: bytes
    masked: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """One message wherever it stands; fields as in `MessageRow`."""

    conversation: ConversationId
    position: int
    chain: bytes
    masked: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePlace:
    """Where a message stands; `position` counts from 0."""

    conversation: ConversationId
    position: int


class ConversationStore:
    """The conversations of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, row: ConversationRow) -> None:
        """Store a new conversation; in incognito its id and the flag alone."""
        if row.mode == "incognito":
            self._db.execute("INSERT INTO conversation (id, mode) VALUES (?, 'incognito')", row.id)
            return
        self._db.execute(
            "INSERT INTO conversation (id, mode, scope, audience, application, profile_scope, created_at, last_at)"
            " VALUES (?, 'normal', ?, ?, ?, ?, ?, ?)",
            *(row.id, row.scope, row.audience, row.application, int(row.profile_scope), row.created_at, row.created_at),
        )

    def get(self, conversation: ConversationId) -> ConversationRow | None:
        """Return a conversation, or None if it was never stored or is forgotten."""
        return self._one("id = ?", conversation)

    def by_tail(self, chain: bytes, scope: str, audience: str, application: str) -> ConversationRow | None:
        """Return the normal conversation of this setting that ends exactly here, the last used of several."""
        return self._one(f"tail = ? AND {_SETTING} {_NEWEST_FIRST}", chain, scope, audience, application)

    def containing(self, chain: bytes, scope: str, audience: str, application: str) -> MessagePlace | None:
        """Return where a normal conversation of this setting passed through here, in the one last used.

        A request that branches off (an edited or regenerated message) is told by this from one that is new.
        """
        row = self._db.row(
            "SELECT conversation.id, position FROM message JOIN conversation ON conversation.id = message.conversation"  # noqa: S608
            f" WHERE chain = ? AND {_SETTING} {_NEWEST_FIRST}",
            *(chain, scope, audience, application),
        )
        return None if row is None else MessagePlace(conversation=ConversationId(row[0]), position=row[1])

    def append(self, conversation: ConversationId, rows: Sequence[MessageRow], *, tail: bytes, at: int) -> None:
        """Add messages that it does not have yet, and say where it ends now.

        Raises:
            IncognitoWriteError: the conversation is incognito.
            NotFoundError: there is no such conversation.
        """
        self._require_normal(conversation)
        self._db.execute_each(
            "INSERT INTO message (conversation, chain, position, digest, masked_json) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (conversation, chain) DO NOTHING",
            [(conversation, row.chain_digest, row.position, row.digest, row.masked) for row in rows],
        )
        self._db.execute("UPDATE conversation SET tail = ?, last_at = ? WHERE id = ?", tail, at, conversation)

    def messages(self, conversation: ConversationId) -> tuple[MessageRow, ...]:
        """Return all messages, by position."""
        query = (
            "SELECT position, digest, chain, masked_json FROM message WHERE conversation = ? ORDER BY position, chain"
        )
        return tuple(
            MessageRow(position=position, digest=digest, chain_digest=chain, masked=masked)
            for position, digest, chain, masked in self._db.rows(query, conversation)
        )

    def copy_until(self, source: ConversationId, target: ConversationId, position: int) -> None:
        """Copy the messages up to and with a position into a conversation that was just added; it has no tail yet.

        Raises:
            IncognitoWriteError: the target is incognito.
            NotFoundError: there is no such target.
        """
        self._require_normal(target)
        self._db.execute(
            "INSERT INTO message (conversation, chain, position, digest, masked_json)"
            " SELECT ?, chain, position, digest, masked_json FROM message WHERE conversation = ? AND position <= ?",
            *(target, source, position),
        )

    def ids(self, scope: str | None = None) -> tuple[ConversationId, ...]:
        """Return the normal conversations of a scope, or all."""
        query = "SELECT id FROM conversation WHERE mode = 'normal' AND (?1 IS NULL OR scope = ?1) ORDER BY id"
        return tuple(ConversationId(row[0]) for row in self._db.rows(query, scope))

    def every_message(self) -> Iterator[StoredMessage]:
        """Yield every message of every conversation."""
        query = "SELECT conversation, position, chain, masked_json FROM message"
        for conversation, position, chain, masked in self._db.rows(query):
            yield StoredMessage(
                conversation=ConversationId(conversation), position=position, chain=bytes(chain), masked=masked
            )

    def from_position(self, conversation: ConversationId, position: int) -> tuple[bytes, ...]:
        """Return the chain digests of the messages at a position and behind it."""
        query = "SELECT chain FROM message WHERE conversation = ? AND position >= ?"
        return tuple(bytes(row[0]) for row in self._db.rows(query, conversation, position))

    def sharing(self, chains: Iterable[bytes]) -> dict[ConversationId, int]:
        """Return the conversations that have one of these messages, with the first position of one."""
        found: dict[ConversationId, int] = {}
        for chain in chains:
            for conversation, position in self._db.rows(
                "SELECT conversation, position FROM message WHERE chain = ?", chain
            ):
                found[conversation] = min(position, found.get(conversation, position))
        return found

    def forget_from(self, conversation: ConversationId, position: int) -> int:
        """Delete the messages at a position and behind it; return how many. The conversation goes on."""
        return self._db.execute("DELETE FROM message WHERE conversation = ? AND position >= ?", conversation, position)

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

    def _one(self, condition: str, *parameters: object) -> ConversationRow | None:
        row = self._db.row(f"SELECT {_COLUMNS} FROM conversation WHERE {condition}", *parameters)  # noqa: S608
        return None if row is None else _conversation(*row)


def _conversation(identifier: str, mode: str, *rest: Any) -> ConversationRow:
    scope, audience, application, profile_scope, created_at, tail = rest
    return ConversationRow(
        id=ConversationId(identifier),
        scope=scope or "",
        audience=audience or "",
        application=application or "",
        mode=cast("Literal['normal', 'incognito']", mode),
        profile_scope=bool(profile_scope),
        created_at=created_at or 0,
        tail=tail,
    )
