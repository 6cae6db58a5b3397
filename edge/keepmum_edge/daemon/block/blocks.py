"""Blocks of one profile: kept out of what is sent, and shown below answers.

The digest of a line is durable before the line is shown, so that a client can send nothing back that is not known.
"""

import secrets
from base64 import b32encode
from collections.abc import AsyncIterator, Callable, Container, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final

from keepmum_shared.messages import ContentDelta

from keepmum_edge.daemon.block.cleaning import cleaned, cleaned_news
from keepmum_edge.daemon.block.frame import MARK, without_frames, written
from keepmum_edge.daemon.block.making import BlockMaker, Question
from keepmum_edge.daemon.block.shown import ShownLines
from keepmum_edge.daemon.block.store import ShownLineStore
from keepmum_edge.daemon.chat import AnswerEvent, BlockPlace, ChatRequest, FromThisComputer, HereOnly
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.store import SettingStore
from keepmum_edge.daemon.writer import Writer

_SETTING: Final = "block_mark"
_MARK_BYTES: Final = 5


class Blocks:
    """The one door to blocks.

    Args:
        shown: The lines that were shown.
        mark: Of this install.
        usual: Where a block is shown to a client that says nothing about it.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], AbstractContextManager[object]],
        readers: Readers,
        store: ShownLineStore,
        shown: ShownLines,
        maker: BlockMaker,
        mark: str,
        usual: BlockPlace,
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._readers = readers
        self._store = store
        self._shown = shown
        self._maker = maker
        self._mark = mark
        self._usual = usual

    async def unframed(self, chat: ChatRequest) -> ChatRequest:
        """Return a request without blocks and parts of blocks, as the text alone shows them."""
        return await self._readers.run(_size(chat), lambda _: cleaned(chat, self._unframed))

    async def without_lines(self, chat: ChatRequest, digests: Sequence[bytes], known: Container[bytes]) -> ChatRequest:
        """Return a request whose new messages hold no line that was ever shown; `digests` are those of its messages."""
        return await self._readers.run(_size(chat), lambda _: cleaned_news(chat, self._shown.without, digests, known))

    async def below(self, question: Question, place: BlockPlace | None) -> AsyncIterator[AnswerEvent]:
        """Yield the block of an answer that has ended, if there is anything to show."""
        place = place or self._usual
        found = await self._maker.find(question) if place != "off" else ()
        memories = tuple(memory for memory in map(self._told, found) if memory.text)
        if not memories:
            return
        block, contents = written(((each.day, each.text) for each in memories), self._mark)
        await self._writer.run(lambda: self._note([*contents, *(f"{each.day} {each.text}" for each in memories)]))
        yield FromThisComputer(memories=memories) if place == "apart" else ContentDelta(text=f"\n\n{block}")

    def _told(self, memory: HereOnly) -> HereOnly:
        """Return a memory without what its owner may have pasted of a block: a block in a block has no clear ends."""
        return replace(memory, text=self._unframed(memory.text).strip())

    def _unframed(self, text: str) -> str:
        return without_frames(text, self._mark)

    def _note(self, contents: Sequence[str]) -> None:
        new = [line for line in map(self._shown.line, contents) if not self._shown.knows(line)]
        if not new:
            return
        with self._transaction():
            self._store.add(new)
        for line in new:
            self._shown.add(line)


def mark_of(settings: SettingStore) -> str:
    """Return the mark of this install, drawn when it is first asked for; inside a transaction."""
    mark = settings.get(_SETTING)
    if mark is None:
        mark = b32encode(secrets.token_bytes(_MARK_BYTES)).decode().lower()
        settings.put(_SETTING, mark)
    assert MARK.fullmatch(mark)
    return mark


def _size(chat: ChatRequest) -> int:
    """Return how many characters its messages have."""
    return sum(len(message.content or "") for message in chat.messages)
