"""The daemon's events as a completion object or as chunks of a stream (pure).

Stream: `id`, `created` and `model` are the same in every chunk; `role` comes once per choice; `finish_reason` is null
until the choice's last chunk; with `include_usage` every chunk has `usage: null` and one more, without choices, has the
numbers. `keepmum.memories` names the owner's records that the cloud put into the prompt; `keepmum.kept` says what was
remembered of the message (`inferred`: how sure, in hundredths, where it was concluded and not said), `closed` what
holds no longer, `asked` what waits for a yes, `views` which views were drawn and left for the first time;
`keepmum.from_this_computer` is the block of memories that only this computer has, for a client that wants it apart.
They are for the owner only.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from keepmum_shared.messages import ContentDelta, Finished, ToolCallDelta, Usage

from keepmum_edge.daemon.chat import (
    Answer,
    AnswerEvent,
    FromThisComputer,
    KeptMemory,
    MemoriesKept,
    MemoriesUsed,
    ViewsReleased,
)
from keepmum_edge.errors import CloudBrokeOffError
from keepmum_edge.views.released import ExplainedView

Json = dict[str, Any]

DONE: Final = b"data: [DONE]\n\n"
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_LINE_BREAKS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def sse(document: Json) -> bytes:
    """Return one server-sent event. Line breaks that some clients' line readers split at are written as escapes."""
    line = _ENCODER.encode(document)
    if not line.isascii():
        line = line.translate(_LINE_BREAKS)
    return b"data: " + line.encode() + b"\n\n"


def sse_error(fields: dict[str, str | None]) -> bytes:
    """Return the last line of a stream that broke off."""
    return sse({"error": fields})


def _usage(usage: Usage) -> Json:
    total = usage.prompt_tokens + usage.completion_tokens
    return {"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens, "total_tokens": total}


def _head(answer: Answer, kind: str) -> Json:
    return {"id": f"chatcmpl-{answer.turn}", "object": kind, "created": answer.created, "model": answer.model}


class ChunkRenderer:
    """Renders the events of one answer as chunks, one event at a time."""

    def __init__(self, answer: Answer, *, choices: int, include_usage: bool, owner: bool) -> None:
        self._head = _head(answer, "chat.completion.chunk")
        if include_usage:
            self._head["usage"] = None
        self._include_usage = include_usage
        self._owner = owner
        self._memories: tuple[str, ...] = ()
        self._news: Json = {}
        self._begun: set[int] = set()
        self._open = set(range(choices))

    def render(self, event: AnswerEvent) -> Iterator[Json]:
        """Yield the chunks of one event, none for an event that clients do not see."""
        if isinstance(event, MemoriesUsed):
            self._memories = event.memories if self._owner else ()
        elif isinstance(event, MemoriesKept | ViewsReleased | FromThisComputer):
            self._news |= _news(event) if self._owner else {}
        elif isinstance(event, Usage):
            if self._include_usage:
                yield {**self._head, "choices": [], "usage": _usage(event)}
        else:
            if event.choice not in self._begun:
                yield self._begin(event.choice)
            yield self._chunk(event)

    def close(self) -> None:
        """Check that the answer is whole.

        Raises:
            CloudBrokeOffError: a choice has no end.
        """
        _require_whole(self._open)

    def _begin(self, choice: int) -> Json:
        self._begun.add(choice)
        chunk = self._choice(choice, {"role": "assistant", "content": ""})
        if self._memories:
            chunk["keepmum"] = {"memories": list(self._memories)}
            self._memories = ()
        return chunk

    def _chunk(self, event: ContentDelta | ToolCallDelta | Finished) -> Json:
        if isinstance(event, Finished):
            self._open.discard(event.choice)
            last = self._choice(event.choice, {}, event.reason)
            if self._news:
                last["keepmum"], self._news = self._news, {}
            return last
        if isinstance(event, ContentDelta):
            return self._choice(event.choice, {"content": event.text})
        return self._choice(event.choice, {"tool_calls": [_call_delta(event)]})

    def _choice(self, index: int, delta: Json, reason: str | None = None) -> Json:
        choice = {"index": index, "delta": delta, "logprobs": None, "finish_reason": reason}
        return {**self._head, "choices": [choice]}


def _call_delta(event: ToolCallDelta) -> Json:
    if event.id is None and event.name is None:
        return {"index": event.index, "function": {"arguments": event.arguments}}
    function = {"name": event.name, "arguments": event.arguments}
    return {"index": event.index, "id": event.id, "type": "function", "function": function}


@dataclass(slots=True)
class _Choice:
    """One choice as it grows."""

    texts: list[str] = field(default_factory=list, repr=False)
    calls: dict[int, Json] = field(default_factory=dict, repr=False)
    reason: str | None = None

    def message(self) -> Json:
        content = "".join(self.texts) if self.texts or not self.calls else None
        message: Json = {"role": "assistant", "content": content, "refusal": None}
        if self.calls:
            message["tool_calls"] = [self.calls[index] for index in sorted(self.calls)]
        return message


class CompletionBuilder:
    """Collects the events of one answer into a completion object."""

    def __init__(self, answer: Answer, *, choices: int, owner: bool) -> None:
        self._document = _head(answer, "chat.completion")
        self._owner = owner
        self._choices = [_Choice() for _ in range(choices)]

    def add(self, event: AnswerEvent) -> None:
        """Take one event."""
        if isinstance(event, MemoriesUsed):
            if self._owner and event.memories:
                self._document.setdefault("keepmum", {})["memories"] = list(event.memories)
        elif isinstance(event, MemoriesKept | ViewsReleased | FromThisComputer):
            if self._owner:
                self._document.setdefault("keepmum", {}).update(_news(event))
        elif isinstance(event, Usage):
            self._document["usage"] = _usage(event)
        elif isinstance(event, Finished):
            self._choices[event.choice].reason = event.reason
        elif isinstance(event, ContentDelta):
            self._choices[event.choice].texts.append(event.text)
        else:
            _grow_call(self._choices[event.choice].calls, event)

    def build(self) -> Json:
        """Return the object.

        Raises:
            CloudBrokeOffError: a choice has no end.
        """
        _require_whole({index for index, choice in enumerate(self._choices) if choice.reason is None})
        self._document["choices"] = [
            {"index": index, "message": choice.message(), "logprobs": None, "finish_reason": choice.reason}
            for index, choice in enumerate(self._choices)
        ]
        return self._document


def _news(event: MemoriesKept | ViewsReleased | FromThisComputer) -> Json:
    """Return what only the owner is told at an answer's end."""
    if isinstance(event, ViewsReleased):
        return {"views": [view_json(each) for each in event.views]}
    if isinstance(event, FromThisComputer):
        shown = [{"id": each.id, "day": each.day, "text": each.text} for each in event.memories]
        return {"from_this_computer": shown}
    return {
        "kept": [_kept_memory(each) for each in event.kept],
        "closed": list(event.closed),
        "asked": [{"id": memory, "category": category} for memory, category in event.asked.items()],
    }


def view_json(view: ExplainedView) -> Json:
    """Return a released view as its owner is shown it."""
    return asdict(view)


def _kept_memory(memory: KeptMemory) -> Json:
    inferred = {} if memory.inferred is None else {"inferred": memory.inferred}
    return {"id": memory.id, "text": memory.text, "here_only": memory.here_only, **inferred}


def _grow_call(calls: dict[int, Json], event: ToolCallDelta) -> None:
    call = calls.setdefault(event.index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
    call["id"] = event.id or call["id"]
    call["function"]["name"] = event.name or call["function"]["name"]
    call["function"]["arguments"] += event.arguments


def _require_whole(open_choices: set[int]) -> None:
    if open_choices:
        raise CloudBrokeOffError(f"the answer ended before {len(open_choices)} of its choices did; ask again")
