"""What a turn looked like from both sides: what the owner typed, what the cloud saw, what came back, what was shown.

A trace is stored in placeholder text only and restored when it is looked at; PL4 values and forgotten values stay
tokens then. It is written before the request leaves, so a turn that fails is seen too.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from keepmum_shared.ids import ConversationId, MemoryId, TurnId
from keepmum_shared.messages import ChatMessage
from keepmum_shared.placeholder import Placeholder, scan

from keepmum_edge.daemon.answer import StoredAnswer
from keepmum_edge.daemon.chat import ChatRequest
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.vault.conversation import ConversationVault
from keepmum_edge.vault.restore import restore
from keepmum_edge.views.released import ExplainedView, Released


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenAlong:
    """A memory that a turn took along to the cloud, in the version that it had then."""

    id: MemoryId
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMemory:
    """A memory that a turn took along, for the owner's eyes.

    Attributes:
        text: Its words now; empty if it is no longer here.
        sent: The same in placeholders, as the cloud got it.
        state: Whether these are the words that went.
    """

    id: MemoryId
    text: str = field(default="", repr=False)
    sent: str = field(default="", repr=False)
    state: Literal["as sent", "changed since", "gone since"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """A trace as it is stored.

    Attributes:
        at: Unix seconds.
        sent: The whole request in placeholder text.
        received: The answer in placeholder text; None while it is under way and when it failed.
        failure: Code of the error that ended the turn, or None.
        views: What was released with it.
        batch: Which memories it took along; their words are in the records alone.
    """

    turn: TurnId
    conversation: ConversationId
    at: int
    sent: ChatRequest = field(repr=False)
    received: StoredAnswer | None = field(default=None, repr=False)
    failure: str | None = None
    views: tuple[Released, ...] = field(default=(), repr=False)
    batch: tuple[TakenAlong, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A trace restored for the owner's eyes; every text is private and local.

    Attributes:
        at: Unix seconds.
        typed: The newest message as it was written.
        sent: The same as the cloud saw it.
        received: The answer as the cloud wrote it; empty if none came.
        shown: The answer as the client got it, but PL4 stays a token.
        messages: The whole request as the cloud saw it.
        counts: How many placeholders of each type the request carried.
        failure: Code of the error that ended the turn, or None.
        views: What was released with it, and why.
        memories_sent: What it took along.
    """

    turn: TurnId
    conversation: ConversationId
    at: int
    typed: str = field(repr=False)
    sent: str = field(repr=False)
    received: str = field(repr=False)
    shown: str = field(repr=False)
    model: str
    messages: tuple[ChatMessage, ...] = field(repr=False)
    memories_used: tuple[MemoryId, ...]
    counts: dict[str, int]
    failure: str | None = None
    views: tuple[ExplainedView, ...] = field(default=(), repr=False)
    memories_sent: tuple[SentMemory, ...] = field(default=(), repr=False)


def look_at(
    record: TraceRecord,
    visibility: Visibility,
    views: tuple[ExplainedView, ...] = (),
    memories_sent: tuple[SentMemory, ...] = (),
) -> Trace:
    """Restore a trace for display.

    Args:
        record: As it is stored.
        visibility: That of the turn, with `show_secrets` off.
        views: The turn's, explained.
        memories_sent: Its batch, as it is now.
    """
    newest = record.sent.messages[-1]
    answer = record.received
    received = "" if answer is None else "\n\n".join(text_of(choice.message) for choice in answer.choices)
    typed = restore(text_of(newest), visibility.in_own_text, addresses=False, tolerant=False)
    return Trace(
        turn=record.turn,
        conversation=record.conversation,
        at=record.at,
        typed=typed.text,
        sent=text_of(newest),
        received=received,
        shown=restore(received, visibility.in_text).text,
        model="" if answer is None else answer.model,
        messages=record.sent.messages,
        memories_used=() if answer is None else answer.memories,
        counts=dict(Counter(str(placeholder.entity_type) for placeholder in visibility.carried)),
        failure=record.failure,
        views=views,
        memories_sent=memories_sent,
    )


def sent_memory(taken: TakenAlong, record: MemoryRecord | None) -> SentMemory:
    """Return what a turn took along as far as it is still here; `record`: the memory now."""
    if record is None:
        return SentMemory(id=taken.id, state="gone since")
    state: Literal["as sent", "changed since"] = "as sent" if record.revision == taken.revision else "changed since"
    return SentMemory(id=taken.id, text=record.text, sent=record.placeholder_text or "", state=state)


def carried_in(record: TraceRecord, vault: ConversationVault) -> frozenset[Placeholder]:
    """Return the bound placeholders that the request carried."""
    if record.received is not None:
        return record.received.placeholders
    found = {token for message in record.sent.messages for _, _, token in scan(text_of(message))}
    return frozenset(token for token in found if vault.get(token) is not None)


def text_of(message: ChatMessage) -> str:
    """Return a message as one text: its content, then its tool calls."""
    parts = [message.content] if message.content else []
    parts += [f"{call.function.name}({call.function.arguments})" for call in message.tool_calls or ()]
    return "\n".join(parts)
