"""Every request, response and stream event that crosses between the edge and the cloud (design section 9).

All text here is placeholder text. Nothing here says to which conversation a turn belongs: the cloud is not told. Of
memories it may be told which ones come from the same conversation, by a key of their own.

| route                       | request             | response                       |
|-----------------------------|---------------------|--------------------------------|
| POST /v1/pair               | PairRequest         | PairResponse (unsigned)        |
| GET  /v1/device             | -                   | DeviceResponse                 |
| GET  /v1/seal               | -                   | SealResponse                   |
| POST /v1/turns              | TurnRequest         | stream of TurnEvent, one an SSE `data:` line |
| POST /v1/memories           | AddMemories         | MemoriesStored                 |
| POST /v1/memories/search    | SearchMemories      | MemoriesFound                  |
| POST /v1/memories/update    | UpdateMemories      | MemoriesUpdated                |
| POST /v1/memories/history   | HistoryOfMemory     | MemoryHistory                  |
| POST /v1/memories/delete    | DeleteMemories      | MemoriesDeleted                |
| GET  /v1/memories/export[?after=N] | -            | MemoriesExport                 |
| GET  /v1/memories/held[?after=N] | -              | MemoriesHeld                   |
| GET  /v1/models             | -                   | ModelsResponse                 |

Any failure: HTTP status and ErrorResponse. All routes but /v1/pair, /healthz, /readyz, /metrics are signed (`signing`).
A stream holds SSE comment lines (`: ...`) while the model has nothing to say; they mean only that the turn lives.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey, SessionKey, TurnId, is_id
from keepmum_shared.view.vocabulary import MAX_FACETS, WIRE_FORM

PROTOCOL: Final = 2
"""2: a turn carries the view policy's digest, and may carry views and the ledger's seal."""
MAX_TIME: Final = 2**53 - 1
"""Largest Unix time that is taken, in seconds."""
MAX_SOURCES: Final = 256
"""Sources that one derived memory may name."""
MAX_RECALLED: Final = 100
"""Memories that may enter one prompt."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_SIGNATURE: Final = re.compile(r"[A-Za-z0-9_-]{86}")

Role = Literal["system", "developer", "user", "assistant", "tool"]
FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]


def _require(holds: bool, rule: str) -> None:
    if not holds:
        raise ValueError(rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCall:
    """The function of a tool call; `arguments` is JSON text as the model wrote it."""

    name: str
    arguments: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call that an assistant message asks for."""

    id: str
    function: FunctionCall
    type: Literal["function"] = "function"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of the conversation, in placeholder text."""

    role: Role
    content: str | None = field(default=None, repr=False)
    name: str | None = field(default=None, repr=False)
    tool_calls: tuple[ToolCall, ...] | None = field(default=None, repr=False)
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How to draw the answer; None leaves it to the cloud. Names and ranges are those of chat completions.

    Attributes:
        stop: At most four strings, placeholder text.
        logit_bias: Token id (as text) to -100..100.
    """

    n: int = 1
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] | None = field(default=None, repr=False)
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    logit_bias: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        _require(1 <= self.n <= 16, "n is 1..16")
        _require(self.max_tokens is None or self.max_tokens >= 1, "max_tokens is at least 1")
        _require(self.stop is None or len(self.stop) <= 4, "at most four stops")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWrite:
    """A memory that the owner agreed to keep at the cloud.

    Attributes:
        text: Placeholder text.
        unclassified: True until a classifier has judged it (design section 7).
        created_at: Unix seconds, 0..MAX_TIME.
        session: Memories with the same key come from one conversation and are searched as neighbours; None: alone.
        valid_from, valid_to: When it holds, half-open, Unix seconds; None: from ever, until further notice.
        importance: 0..100.
        trust: 0..100; the owner's own words have 100.
        derived_from: Memories at the cloud that this one was made from; it goes when one of them goes or changes.
    """

    id: MemoryId
    text: str = field(repr=False)
    created_at: int
    unclassified: bool = True
    session: SessionKey | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    importance: int = 50
    trust: int = 100
    derived_from: tuple[MemoryId, ...] = ()

    def __post_init__(self) -> None:
        _require(is_id(self.id, "mem"), "id")
        _require(len(self.derived_from) <= MAX_SOURCES, "too many sources")
        _require(all(is_id(source, "mem") for source in self.derived_from), "derived_from")
        _require(self.id not in self.derived_from, "a memory is not derived from itself")
        _require(0 <= self.created_at <= MAX_TIME, "created_at")
        _require(self.session is None or is_id(self.session, "sess"), "session")
        for name in ("valid_from", "valid_to"):
            _require(0 <= (getattr(self, name) or 0) <= MAX_TIME, name)
        _require(0 <= self.importance <= 100, "importance is 0..100")
        _require(0 <= self.trust <= 100, "trust is 0..100")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedSeal:
    """The sum of what the edge's ledger has charged, so that a ledger put back to an earlier day can be told.

    Both numbers are public: whether a view is drawn, and at which price, is decided without looking at a memory.

    Attributes:
        counter: Draws and repairs so far.
        total: Nano-epsilon charged so far, over all attributes.
        signature: Of `signing.seal_bytes`, by the device's key: Ed25519, base64url without padding.
    """

    counter: int
    total: int
    signature: str

    def __post_init__(self) -> None:
        _require(0 <= self.counter <= MAX_TIME and 0 <= self.total <= MAX_TIME, "seal")
        _require(_SIGNATURE.fullmatch(self.signature) is not None, "signature")


@dataclass(frozen=True, slots=True, kw_only=True)
class SealResponse:
    """The newest seal that the cloud has from this device; None: it has none yet."""

    seal: SignedSeal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRequest:
    """One turn.

    Attributes:
        turn: The same id marks the same turn when the edge tries again.
        policy: Digest of the view policy in force (`keepmum_shared.view`), in every turn, with views or without.
        views: Released views, `VIEW/TOPIC`, in the policy's order; none in incognito and for other audiences.
        seal: The state of the edge's ledger, in every turn once there is one.
        writes: The batch of memory writes.
        scope: Where memory may be read; None (incognito, other audiences): no memory at all.
        memory_read: Whether memories of the scope may enter the prompt.
        tools, tool_choice, response_format: As in chat completions, texts masked.
    """

    protocol: int = PROTOCOL
    turn: TurnId
    policy: str
    messages: tuple[ChatMessage, ...] = field(repr=False)
    sampling: Sampling = Sampling()
    tools: tuple[dict[str, Any], ...] | None = field(default=None, repr=False)
    tool_choice: Any = None
    parallel_tool_calls: bool | None = None
    response_format: dict[str, Any] | None = field(default=None, repr=False)
    scope: ScopeKey | None = None
    memory_read: bool = False
    views: tuple[str, ...] = field(default=(), repr=False)
    seal: SignedSeal | None = None
    writes: tuple[MemoryWrite, ...] = ()

    def __post_init__(self) -> None:
        _require(is_id(self.turn, "turn"), "turn")
        _require(_DIGEST.fullmatch(self.policy) is not None, "policy is a digest")
        _require(len(self.views) <= MAX_FACETS, f"at most {MAX_FACETS} views")
        _require(all(WIRE_FORM.fullmatch(view) for view in self.views), "a view is VIEW/TOPIC")
        _require(len(set(self.views)) == len(self.views), "a view stands twice")
        _require(len(self.messages) > 0, "no messages")
        _require(self.scope is None or is_id(self.scope, "scope"), "scope")
        _require(self.scope is not None or not (self.memory_read or self.writes), "memory needs a scope")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUsed:
    """Sent before the first delta: ids of the memories that were put into the prompt, best first."""

    memories: tuple[MemoryId, ...]
    event: Literal["memory_used"] = "memory_used"

    def __post_init__(self) -> None:
        _require(len(self.memories) <= MAX_RECALLED, f"at most {MAX_RECALLED} memories")
        _require(all(is_id(memory, "mem") for memory in self.memories), "memories")


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """Always the first event: which model answers."""

    model: str
    event: Literal["started"] = "started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentDelta:
    """A piece of the text of one choice."""

    text: str = field(repr=False)
    choice: int = 0
    event: Literal["content"] = "content"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallDelta:
    """A piece of one tool call: `id` and `name` come once, with its first piece; `arguments` grow."""

    index: int
    arguments: str = field(default="", repr=False)
    id: str | None = None
    name: str | None = None
    choice: int = 0
    event: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """One choice is complete."""

    reason: FinishReason
    choice: int = 0
    event: Literal["finished"] = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of the prompt (with what the cloud added) and of all choices together."""

    prompt_tokens: int
    completion_tokens: int
    event: Literal["usage"] = "usage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Always the last event of a turn that succeeded; a stream that ends without it broke."""

    event: Literal["done"] = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFailed:
    """The turn failed after the stream had begun. `message` holds no text of the turn."""

    code: str
    message: str
    retryable: bool = False
    event: Literal["error"] = "error"


TurnEvent = Started | MemoryUsed | ContentDelta | ToolCallDelta | Finished | Usage | Done | TurnFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEventEnvelope:
    """What one SSE `data:` line holds."""

    item: TurnEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class AddMemories:
    """Store memories in one scope; an id that is there already is replaced (a retry changes nothing)."""

    scope: ScopeKey
    memories: tuple[MemoryWrite, ...]
    protocol: int = PROTOCOL

    def __post_init__(self) -> None:
        _require(is_id(self.scope, "scope"), "scope")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesStored:
    """What became of the writes.

    Attributes:
        stored: The ids that are now durable.
        refused: Not stored: forgotten before, or derived from what is not held (any more), or from themselves.
        stale: Memories that were derived from a text that this replaced; they are gone.
    """

    stored: tuple[MemoryId, ...]
    refused: tuple[MemoryId, ...] = ()
    stale: tuple[MemoryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMemories:
    """Change memories that are there, in one scope.

    Attributes:
        keep_history: The old text was true once and stays as a revision; False for a correction, which erases it.
    """

    scope: ScopeKey
    memories: tuple[MemoryWrite, ...]
    keep_history: bool = True
    protocol: int = PROTOCOL

    def __post_init__(self) -> None:
        _require(is_id(self.scope, "scope"), "scope")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesUpdated:
    """Which were changed, and which are not in that scope (any more); `stale` as in `MemoriesStored`."""

    updated: tuple[MemoryId, ...]
    absent: tuple[MemoryId, ...] = ()
    stale: tuple[MemoryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryOfMemory:
    """Ask what a memory said before."""

    memory: MemoryId
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRevision:
    """What a memory said until `replaced_at` (Unix seconds), and when that held."""

    text: str = field(repr=False)
    replaced_at: int
    valid_from: int | None = None
    valid_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHistory:
    """Earlier revisions, oldest first; none if there are none or no such memory."""

    memory: MemoryId
    revisions: tuple[MemoryRevision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMemories:
    """Find memories of one scope by placeholder text.

    Attributes:
        trust_min: Memories of less trust are not looked at.
        closed: Whether memories are wanted that held once and do not any more.
    """

    scope: ScopeKey
    query: str = field(repr=False)
    limit: int = 10
    trust_min: int = 50
    closed: bool = False
    protocol: int = PROTOCOL

    def __post_init__(self) -> None:
        _require(is_id(self.scope, "scope"), "scope")
        _require(1 <= self.limit <= 100, "limit is 1..100")
        _require(0 <= self.trust_min <= 100, "trust_min is 0..100")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMemory:
    """One hit; score is comparable within one answer only, higher is better; validity is as in `MemoryWrite`."""

    id: MemoryId
    text: str = field(repr=False)
    score: float
    created_at: int
    valid_from: int | None = None
    valid_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesFound:
    """Hits, best first."""

    memories: tuple[FoundMemory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteMemories:
    """Delete by id, whatever the scope, and all that was derived from it; ids that are not there are no error.

    Attributes:
        forget: All that goes stays forbidden: a write that comes late is refused. False takes back a write that may
            have arrived or not, and that may be made again.
        everything: True: all that is held of this device, whether its id is named or not; None: by id.
    """

    memories: tuple[MemoryId, ...]
    forget: bool = True
    everything: Literal[True] | None = None
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionStatement:
    """What the cloud signs about a deletion: ids only.

    Attributes:
        gone: Every id that was asked for and every one that went with them; nothing is held under any of them.
        forget: As asked.
        at: Unix seconds, of the cloud's clock.
        everything: True: nothing at all is held of this device, under whatever id; then none is named.
    """

    device: DeviceId
    gone: tuple[MemoryId, ...]
    forget: bool
    at: int
    everything: Literal[True] | None = None
    form: Literal["keepmum-deletion-1"] = "keepmum-deletion-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesDeleted:
    """Which were there and are gone, which were not there, and the statement about it.

    Attributes:
        derived: Gone because they were derived from one that was asked for.
        stale: Those of `derived` that have another source which is still held: they can be made again.
        signature: Of `signing.statement_bytes`, by the key of the server's certificate: ECDSA with SHA-256 (DER),
            base64url.
    """

    deleted: tuple[MemoryId, ...]
    absent: tuple[MemoryId, ...]
    derived: tuple[MemoryId, ...]
    stale: tuple[MemoryId, ...]
    statement: DeletionStatement
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedMemory:
    """One stored record as the cloud holds it; the fields are those of `MemoryWrite`."""

    id: MemoryId
    scope: ScopeKey
    text: str = field(repr=False)
    created_at: int
    unclassified: bool
    session: SessionKey | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    importance: int = 50
    trust: int = 100
    derived_from: tuple[MemoryId, ...] = ()
    history: tuple[MemoryRevision, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesExport:
    """A page of what the cloud holds of this device; `next` is the `after` of the next page, None at the end."""

    memories: tuple[ExportedMemory, ...]
    next: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldMemory:
    """One memory that the cloud holds: under which id, and what tells its state from another (`held.held_digest`)."""

    id: MemoryId
    digest: str

    def __post_init__(self) -> None:
        _require(is_id(self.id, "mem"), "id")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesHeld:
    """A page of what the cloud holds of this device, without a text; `next` as in `MemoriesExport`."""

    memories: tuple[HeldMemory, ...]
    next: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """One response model; `id` is what chat completions call `model`."""

    id: str
    created: int
    owned_by: str = "keepmum"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsResponse:
    """The response models that the cloud can use now."""

    models: tuple[ModelInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRequest:
    """Register a device. Travels only after the certificate was checked against the URI's fingerprint.

    Attributes:
        secret: The one-time secret of the pairing URI.
        public_key: Ed25519 public key, 32 bytes, base64url without padding.
        name: What the owner calls the device; shown by `keepmum-cloud devices`.
    """

    secret: str = field(repr=False)
    public_key: str
    name: str
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResponse:
    """The device's id, to be put into every signed request."""

    device: DeviceId
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceResponse:
    """What the cloud knows of the calling device.

    Attributes:
        time: The cloud's clock, Unix seconds.
        policies: Digests of the view policies that the cloud can expand, oldest first.
    """

    device: DeviceId
    name: str
    paired_at: int
    time: int
    policies: tuple[str, ...] = ()
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorBody:
    """`code` is that of the error class; `message` says what to do next and holds no text of the request."""

    code: str
    message: str
    retryable: bool = False
    time: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorResponse:
    """The body of every response that is not 2xx. `time`, the cloud's clock, comes with clock errors."""

    error: ErrorBody
