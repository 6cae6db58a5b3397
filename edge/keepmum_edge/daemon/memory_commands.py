"""What the owner asks of memory, and what is answered."""

from dataclasses import dataclass, field

from keepmum_shared.ids import ConversationId

from keepmum_edge.memory.record import Channel, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.views.released import ExplainedView


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A text that is to be remembered, and where it comes from.

    Attributes:
        sources: Ids of records (all of them there) that it was derived from, or names of documents.
        here_only: The owner keeps it on this computer.
        conversation: Where it was said, if a client says so; an incognito or unknown one may not write.
        at: When it was said, in Unix seconds; None: now.
    """

    text: str = field(repr=False)
    reach: Reach = field(default_factory=Reach)
    channel: Channel = Channel.COMMAND
    sources: frozenset[str] = frozenset()
    here_only: bool = False
    conversation: ConversationId | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What the owner changes of a record; None leaves it.

    Attributes:
        revision: The version that was looked at; another one is not overwritten.
    """

    text: str | None = field(default=None, repr=False)
    scope: str | None = None
    importance: int | None = None
    audiences: frozenset[str] | None = None
    valid_to: int | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What one turn had to do with memory: the records in its prompt, those made of its message, and its views."""

    used: tuple[MemoryRecord, ...]
    kept: tuple[MemoryRecord, ...]
    views: tuple[ExplainedView, ...] = ()
