"""What a turn looked like from both sides: what the owner typed, what the cloud saw, what came back, what was shown.

A trace is stored in placeholder text only and restored when it is looked at; PL4 values and forgotten values stay
tokens then. It is written before the request leaves, so a turn that fails is seen too.
"""

from collections import Counter
from dataclasses import dataclass, field

from keepmum_shared.ids import ConversationId, MemoryId, TurnId
from keepmum_shared.messages import ChatMessage
from keepmum_shared.placeholder import Placeholder, scan

from keepmum_edge.daemon.answer import StoredAnswer
from keepmum_edge.daemon.chat import ChatRequest
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.vault.conversation import ConversationVault
from keepmum_edge.vault.restore import restore
from keepmum_edge.views.released import ExplainedView, Released


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """A trace as it is stored.

    Attributes:
        at: Unix seconds.
        sent: The whole request in placeholder text.
        received: The answer in placeholder text; None while it is under way and when it failed.
        failure: Code of the error that ended the turn, or None.
        views: What was released with it.
    """

    turn: TurnId
    conversation: ConversationId
    at: int
    sent: ChatRequest = field(repr=False)
    received: StoredAnswer | None = field(default=None, repr=False)
    failure: str | None = None
    views: tuple[Released, ...] = field(default=(), repr=False)


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


def look_at(record: TraceRecord, visibility: Visibility, views: tuple[ExplainedView, ...] = ()) -> Trace:
    """Restore a trace for display.

    Args:
        record: As it is stored.
        visibility: That of the turn, with `show_secrets` off.
        views: The turn's, explained.
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
    )


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
