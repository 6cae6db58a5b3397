"""A chat request as an interface hands it to the daemon, and the answer's events: private text, local only.

The messages are the dataclasses of the wire with the private words still in them; `daemon.turn` masks them.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Literal

from keepmum_shared.ids import ConversationId, MemoryId, TurnId
from keepmum_shared.messages import ChatMessage, ContentDelta, Finished, Sampling, ToolCallDelta, Usage

from keepmum_edge.memory.record import USER_SCOPE
from keepmum_edge.views.released import ExplainedView

SELF = "self"
"""The audience that is the owner."""

BlockPlace = Literal["apart", "inline", "off"]
"""Where the block "from this computer" is shown: in an event of its own, at the end of the answer's text, nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """In what setting a request is made (design section 3.1).

    Attributes:
        conversation: As the client named it (1..128 of `A-Z a-z 0-9 . _ -`), or None: found by its messages.
        scope: USER_SCOPE, or a project.
        audience: SELF, or the name of a contact.
        application: Which client asks.
        block: Where it wants the block "from this computer"; None: where the owner's settings say.
    """

    conversation: str | None = None
    scope: str = USER_SCOPE
    audience: str = SELF
    mode: Literal["normal", "incognito"] = "normal"
    application: str = "api"
    block: BlockPlace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What tells a retry from a new turn.

    Attributes:
        idempotency_key: The client's key, 1..255 characters, or None.
        retry_count: What the official client puts into `x-stainless-retry-count`.
    """

    idempotency_key: str | None = None
    retry_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One request for an answer, in clear. Field meanings are those of `keepmum_shared.messages.TurnRequest`."""

    messages: tuple[ChatMessage, ...] = field(repr=False)
    sampling: Sampling = field(default=Sampling(), repr=False)
    tools: tuple[dict[str, Any], ...] | None = field(default=None, repr=False)
    tool_choice: Any = field(default=None, repr=False)
    parallel_tool_calls: bool | None = None
    response_format: dict[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesUsed:
    """Records of the owner that the cloud put into the prompt; told to the owner only."""

    memories: tuple[MemoryId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptMemory:
    """A record made of the owner's message.

    Attributes:
        here_only: Whether it stays on this computer; else it goes to the cloud with the next turn.
        inferred: How sure it is, in hundredths, if it was inferred and not said; else None.
    """

    id: MemoryId
    text: str = field(repr=False)
    here_only: bool
    inferred: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesKept:
    """What was remembered of the owner's message; told to the owner only.

    Attributes:
        closed: Records that hold no longer.
        asked: Category by id of what waits for the owner's yes.
    """

    kept: tuple[KeptMemory, ...]
    closed: tuple[MemoryId, ...] = ()
    asked: dict[MemoryId, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewsReleased:
    """Views that were drawn for the first time, and left with this turn; told to the owner only."""

    views: tuple[ExplainedView, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HereOnly:
    """One memory that only this computer has.

    Attributes:
        day: When it was told, as YYYY-MM-DD.
        text: In clear, one line.
    """

    id: MemoryId
    day: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromThisComputer:
    """The block "from this computer", for a client that shows it apart; told to the owner only, kept nowhere."""

    memories: tuple[HereOnly, ...]


AnswerEvent = (
    ContentDelta | ToolCallDelta | Finished | Usage | MemoriesUsed | MemoriesKept | ViewsReleased | FromThisComputer
)
"""In order: MemoriesUsed at most once and first; per choice deltas, then its Finished; Usage last. Text is restored.

MemoriesKept and ViewsReleased come at most once each, after all of the model's deltas and before the last Finished;
then, once the turn is over, at most one FromThisComputer, or one delta of choice 0 that is the block and no part of
what the model wrote.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer that has begun: everything up to the first event has succeeded.

    Iterating `events` raises a KeepmumError if the answer breaks off; text held back is yielded before that. Closing
    the iterator early (`aclose`) cancels the turn at the cloud; nothing of it is stored.

    Attributes:
        created: Unix seconds, the same when the answer is replayed.
    """

    turn: TurnId
    conversation: ConversationId
    model: str
    created: int
    replayed: bool
    events: AsyncGenerator[AnswerEvent, None] = field(repr=False)
