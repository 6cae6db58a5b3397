"""The block of one turn: which memories of this computer alone have to do with the question (design 3.7).

Made after the answer has ended and its connection is closed, so nothing that is sent can depend on it, nor when. What
is looked up here is no use of a memory: it is not noted, and no score knows of it.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from keepmum_inference.retrieval.past import asks_about_the_past
from keepmum_inference.retrieval.rank import Ranked
from keepmum_shared.ids import ConversationId, TurnId

from keepmum_edge.daemon.chat import SELF, ChatRequest, Context, HereOnly
from keepmum_edge.daemon.retrieval.search import Retrieval
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import UnavailableError
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.record_fields import LATEST
from keepmum_edge.memory.session_store import SessionStore

MOST: Final = 5
"""Memories in one block."""
_LOOKED_AT: Final = 20
_PATIENCE_S: Final = 3.0
"""An answer's end is not held back for longer: the first look of all loads a model."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NEAR: Final = 0.82
_NEAR_IN_CHINESE: Final = 0.87
"""Cosine of what has to do with a question; of this model unrelated English pairs reach 0.81, Chinese ones 0.865."""
_SHARED_WORD: Final = 0.02
"""So much less will do for a memory that has a word of the question."""
_CHINESE: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Question:
    """What the owner asked, and where; what was told in that turn or conversation needs no telling."""

    text: str = field(repr=False)
    turn: TurnId
    conversation: ConversationId
    context: Context


class BlockMaker:
    """Finds what a block shows.

    Args:
        offset_of: Seconds between the owner's clock and UTC at a Unix time.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        retrieval: Retrieval,
        sessions: SessionStore,
        offset_of: Callable[[int], int],
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._retrieval = retrieval
        self._sessions = sessions
        self._offset_of = offset_of
        self._now = now

    async def find(self, question: Question) -> tuple[HereOnly, ...]:
        """Return what matches, best first; nothing where it takes too long or cannot be read."""
        with contextlib.suppress(UnavailableError, TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                return await self._find(question)
        return ()

    async def _find(self, question: Question) -> tuple[HereOnly, ...]:
        place = Within(scope=question.context.scope, here_only=True)
        admitted = Admitted(
            within=place,
            now=int(self._now()),
            application=question.context.application,
            closed=asks_about_the_past(question.text),
        )
        found = await self._retrieval.search(question.text, admitted, _LOOKED_AT)
        near = [each.record for each in found if is_near(question.text, each.ranked)]
        session = await self._writer.run(lambda: self._sessions.known_key_of(question.conversation))

        def was_told_here(record: MemoryRecord) -> bool:
            return question.turn in record.sources or (session is not None and record.session == session)

        return tuple(self._shown(record) for record in near if not was_told_here(record))[:MOST]

    def _shown(self, record: MemoryRecord) -> HereOnly:
        text = _CONTROL.sub("", " ".join(record.text.split()))
        if not record.holds_at(int(self._now())) and record.valid_to is not None:
            text += f" (until {self._day(record, record.valid_to)})"
        return HereOnly(id=record.id, day=self._day(record, record.created_at), text=text)

    def _day(self, record: MemoryRecord, at: int) -> str:
        offset = self._offset_of(at) if record.utc_offset_s is None else record.utc_offset_s
        return f"{datetime.fromtimestamp(min(at, LATEST) + offset, UTC):%Y-%m-%d}"


def is_near(question: str, ranked: Ranked) -> bool:
    """Say whether a memory has to do with a question, and not only a word with its words."""
    if ranked.cosine == -1:
        return ranked.matched > 0
    least = _NEAR_IN_CHINESE if _CHINESE.search(question) else _NEAR
    return ranked.cosine >= least - (_SHARED_WORD if ranked.matched > 0 else 0)


def question_of(given: ChatRequest, cleaned: ChatRequest, context: Context) -> str | None:
    """Return what the owner asks in a request, or None where it is no question of the owner.

    A request for JSON, one whose newest message is a tool's, and one that carries a block (for a title, say) come from
    a program, which would take a block for the model's words. In incognito no memory is read, and others have none.

    Args:
        given: The request as the client sent it.
        cleaned: The same without any block.
        context: Who asks.
    """
    newest = cleaned.messages[-1]
    is_owner = context.audience == SELF and context.mode == "normal"
    is_question = newest.role == "user" and newest == given.messages[-1] and cleaned.response_format is None
    return newest.content if is_owner and is_question else None
