"""What an answer may be made of and in which order its events come (pure). A cloud half is not trusted to keep to it.

started, memory_used at most once, then pieces of the choices that were asked for, each until its end, and usage; done
last, when every choice has ended. Whatever breaks this ends the turn: an answer that goes on behind its end would be
shown but not stored, and one of endless choices or pieces would fill the memory.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.codec import MAX_BODY
from keepmum_shared.messages import (
    ContentDelta,
    Done,
    Finished,
    MemoryUsed,
    Started,
    ToolCallDelta,
    TurnEvent,
    TurnFailed,
    Usage,
)

from keepmum_edge.errors import CloudBrokeOffError

_MOST_CALLS: Final = 1024
_MOST_TOKENS: Final = 2**53
_LABEL: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]{0,256}")
"""A model's name, the id and the function's name of a tool call: short, and nothing that moves a cursor."""


class AnswerOrder:
    """Follows one answer.

    Args:
        choices: How many were asked for.
    """

    def __init__(self, choices: int) -> None:
        self._choices = choices
        self._open = set(range(choices))
        self._has_started = False
        self._has_pieces = False
        self._has_memories = False
        self._size = 0

    def check(self, event: TurnEvent) -> None:
        """Take the next event.

        Raises:
            CloudBrokeOffError: it has no place here.
        """
        if isinstance(event, TurnFailed):
            return
        if isinstance(event, Started) is self._has_started:
            raise _broken("a second beginning" if self._has_started else "no beginning")
        self._has_started = True
        if isinstance(event, MemoryUsed):
            if self._has_memories or self._has_pieces:
                raise _broken("memories in the middle of it")
            self._has_memories = True
        elif isinstance(event, ContentDelta | ToolCallDelta | Finished):
            self._piece(event)
        elif isinstance(event, Done) and self._open:
            raise CloudBrokeOffError(f"the answer ended before {len(self._open)} of its choices did; ask again")
        elif isinstance(event, Usage) and not all(0 <= n < _MOST_TOKENS for n in _tokens(event)):
            raise _broken("impossible numbers of tokens")
        if not all(label is None or _LABEL.fullmatch(label) for label in _labels(event)):
            raise _broken("a name that is none")

    def _piece(self, event: ContentDelta | ToolCallDelta | Finished) -> None:
        self._has_pieces = True
        if not 0 <= event.choice < self._choices:
            raise _broken("a choice that nobody asked for")
        if event.choice not in self._open:
            raise _broken("more of a choice that had ended")
        if isinstance(event, Finished):
            self._open.discard(event.choice)
        elif isinstance(event, ContentDelta):
            self._size += len(event.text)
        else:
            self._size += len(event.arguments)
            if not 0 <= event.index < _MOST_CALLS:
                raise _broken("too many tool calls")
        if self._size > MAX_BODY:
            raise _broken("no end")


def _tokens(event: Usage) -> tuple[int, int]:
    return event.prompt_tokens, event.completion_tokens


def _labels(event: TurnEvent) -> Iterator[str | None]:
    if isinstance(event, Started):
        yield event.model
    elif isinstance(event, ToolCallDelta):
        yield from (event.id, event.name)


def _broken(what: str) -> CloudBrokeOffError:
    return CloudBrokeOffError(f"the cloud half sent an answer with {what}; nothing more of it is read")
