"""Chunks of a streamed chat completion, read into the events of the wire (sans-IO).

Tolerant where servers differ without harm: a tool call without an index is call 0 (or the one whose id it repeats),
an empty `finish_reason` ends nothing, unknown fields are passed over, usage comes with the last chunk or alone.
Strict where text could be lost: an error object, a chunk that is no JSON or an answer without an end raises.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from keepmum_shared.messages import ContentDelta, Finished, FinishReason, ToolCallDelta, Usage

from keepmum_cloud.errors import ModelBrokeOffError, UnsupportedRequestError
from keepmum_cloud.respond.responder import AnswerPiece

_REASONS: Final[dict[str, FinishReason]] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
_BROKEN: Final = "the model server sent a chunk that cannot be read; the answer was ended"


class ChunkReader:
    """Reads one answer. Feed the data of each event to `read`, then call `close` once."""

    def __init__(self, *, choices: int) -> None:
        self._choices = choices
        self._open = set(range(choices))
        self._unseen = set(range(choices))
        self._calls: dict[tuple[int, int], str | None] = {}
        self._usage: Usage | None = None

    def read(self, data: str) -> Iterator[AnswerPiece]:
        """Yield what one chunk says.

        Raises:
            ModelBrokeOffError: the chunk is an error or cannot be read.
        """
        try:
            chunk = json.loads(data)
            data.encode("utf-8")
        except (ValueError, RecursionError):
            raise ModelBrokeOffError(_BROKEN) from None
        if not isinstance(chunk, dict):
            raise ModelBrokeOffError(_BROKEN)
        if chunk.get("error"):
            raise ModelBrokeOffError("the model server reported an error in the middle of its answer; see its own log")
        try:
            self._read_usage(chunk.get("usage"))
            for choice in chunk.get("choices") or ():
                yield from self._read_choice(choice)
        except (AttributeError, TypeError, ValueError):
            raise ModelBrokeOffError(_BROKEN) from None

    def close(self) -> Iterator[AnswerPiece]:
        """Yield the usage, if the server told it.

        Raises:
            ModelBrokeOffError: a choice has no end: the answer is cut.
            UnsupportedRequestError: the server passed over `n` and wrote fewer choices.
        """
        if self._open and self._open == self._unseen and len(self._open) < self._choices:
            raise UnsupportedRequestError("n", "the model server wrote fewer choices than were asked for")
        if self._open:
            raise ModelBrokeOffError("the model server ended the connection before the answer was complete; try again")
        if self._usage is not None:
            yield self._usage

    def _read_usage(self, usage: Any) -> None:
        if usage:
            prompt, completion = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
            self._usage = Usage(prompt_tokens=int(prompt), completion_tokens=int(completion))

    def _read_choice(self, choice: dict[str, Any]) -> Iterator[AnswerPiece]:
        index = int(choice.get("index") or 0)
        self._unseen.discard(index)
        if index not in self._open:
            return  # a server may repeat an empty last chunk; text after the end has no place
        delta = choice.get("delta") or {}
        if content := delta.get("content"):
            yield ContentDelta(text=_text(content), choice=index)
        for call in delta.get("tool_calls") or ():
            yield from self._read_call(index, call)
        if reason := choice.get("finish_reason"):
            self._open.discard(index)
            calls = any(of_choice == index for of_choice, _ in self._calls)
            known = _REASONS.get(reason, "stop")
            yield Finished(reason="tool_calls" if calls and known == "stop" else known, choice=index)

    def _read_call(self, choice: int, call: dict[str, Any]) -> Iterator[AnswerPiece]:
        function = call.get("function") or {}
        id_, name = call.get("id") or None, function.get("name") or None
        number = self._call_number(choice, call.get("index"), id_)
        is_new = (choice, number) not in self._calls
        if is_new:
            self._calls[(choice, number)] = id_
            id_ = id_ or f"call_{choice}_{number}"
        arguments = _text(function.get("arguments") or "")
        if is_new or arguments:
            yield ToolCallDelta(
                index=number,
                arguments=arguments,
                id=_text(id_) if is_new and id_ else None,
                name=_text(name) if is_new and name else None,
                choice=choice,
            )

    def _call_number(self, choice: int, index: Any, id_: str | None) -> int:
        """Without an index: the call whose id it repeats, a new call for a new id, else the only open call."""
        if index is not None:
            return int(index)
        known = {call_id: number for (of_choice, number), call_id in self._calls.items() if of_choice == choice}
        if id_ is None:
            return max(known.values(), default=0)
        return known.get(id_, len(known))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode("utf-8")  # a lone surrogate has no bytes: UnicodeEncodeError is a ValueError
    return value
