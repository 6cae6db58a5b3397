"""Blocks, put together for one profile."""

from collections.abc import Callable
from functools import partial

from keepmum_edge.daemon.block.blocks import Blocks, mark_of
from keepmum_edge.daemon.block.making import BlockMaker
from keepmum_edge.daemon.block.shown import ShownLines
from keepmum_edge.daemon.block.store import ShownLineStore
from keepmum_edge.daemon.chat import BlockPlace
from keepmum_edge.daemon.identity import Digester
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.retrieval.search import Retrieval
from keepmum_edge.daemon.store import SettingStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.database import Database
from keepmum_edge.memory.session_store import SessionStore


def open_blocks(
    database: Database,
    writer: Writer,
    memory_writer: Writer,
    readers: Readers,
    digester: Digester,
    retrieval: Retrieval,
    *,
    usual: BlockPlace,
    offset_of: Callable[[int], int],
    now: Callable[[], float],
) -> Blocks:
    """Put the parts together; call it where no event loop runs.

    Args:
        database: Where records and the digests of lines are.
        writer: Runs on its thread.
        memory_writer: Likewise, and gives way to requests before their departure: for what comes after an answer.
        readers: Clean long requests.
        digester: Makes the digests.
        retrieval: Finds records.
        usual: Where a block is shown to a client that says nothing about it.
        offset_of: Seconds between the owner's clock and UTC at a Unix time.
        now: Unix seconds.
    """
    store = ShownLineStore(database)

    def begin() -> tuple[str, ShownLines]:
        with database.transaction():
            mark = mark_of(SettingStore(database))
        return mark, ShownLines(partial(digester.name, "shown line"), store.all())

    mark, shown = writer.run_blocking(begin)
    maker = BlockMaker(
        writer=memory_writer,
        retrieval=retrieval,
        sessions=SessionStore(database),
        offset_of=offset_of,
        now=now,
    )
    return Blocks(
        writer=writer,
        transaction=database.transaction,
        readers=readers,
        store=store,
        shown=shown,
        maker=maker,
        mark=mark,
        usual=usual,
    )
