"""The composition root of the edge: opens a profile and puts its parts together."""

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon.arrivals import Arrivals
from keepmum_edge.daemon.asking import Asking
from keepmum_edge.daemon.backup import Backups
from keepmum_edge.daemon.block.parts import open_blocks
from keepmum_edge.daemon.chance import Chance
from keepmum_edge.daemon.cloud_http import Patience
from keepmum_edge.daemon.cloud_link import CloudLink
from keepmum_edge.daemon.conversation import Conversations
from keepmum_edge.daemon.conversation_store import ConversationStore
from keepmum_edge.daemon.departing import Departing
from keepmum_edge.daemon.departures import Departures
from keepmum_edge.daemon.extraction import loader_of
from keepmum_edge.daemon.forget.closure import ClosureFinder
from keepmum_edge.daemon.forget.comparing import Comparing
from keepmum_edge.daemon.forget.delivery import Delivery
from keepmum_edge.daemon.forget.forgetting import Forgetting
from keepmum_edge.daemon.forget.receipt import ReceiptSigner, StoreResult
from keepmum_edge.daemon.forget.removal import Forgotten, Removal
from keepmum_edge.daemon.forget.store import ReceiptStore, TombstoneStore
from keepmum_edge.daemon.forget.strays import Strays
from keepmum_edge.daemon.forget.tombstones import Tombstones
from keepmum_edge.daemon.forget.verification import Verification
from keepmum_edge.daemon.identity import Digester
from keepmum_edge.daemon.memories import Memories
from keepmum_edge.daemon.memory_parts import open_memory, utc_offset
from keepmum_edge.daemon.memory_writing import MemoryWriting
from keepmum_edge.daemon.own_values import OwnValues
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.retrieval.model import LoadEmbedder
from keepmum_edge.daemon.retrieval.parts import SHIPPED, open_retrieval
from keepmum_edge.daemon.service import Parts, Service
from keepmum_edge.daemon.store import OutboxStore, PairingStore, ScopeStore, SettingStore
from keepmum_edge.daemon.transfer import Transfer
from keepmum_edge.daemon.turn_log import TurnLog
from keepmum_edge.daemon.turn_store import TraceStore, TurnStore
from keepmum_edge.daemon.turns import Turns
from keepmum_edge.daemon.turns_under_way import TurnsUnderWay
from keepmum_edge.daemon.views.composing import compose_views
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.database import Database
from keepmum_edge.database.profile import open_profile
from keepmum_edge.database.raw_pages import count_in_pages
from keepmum_edge.errors import ExtractorUnavailableError, UnavailableError
from keepmum_edge.keys import Keyholder, Subkey, derive_subkey, find_ring
from keepmum_edge.memory.key_store import RecordKeyStore
from keepmum_edge.memory.record_search import RecordSearch
from keepmum_edge.memory.source_store import SourceStore
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.vault.pseudonymise import MaskSettings
from keepmum_edge.vault.store import VaultStore
from keepmum_edge.views.seal_keeper import SealKeeper, keeper_for

LOGGER: Final = logging.getLogger("keepmum.edge")

PRODUCTION: Final = Chance()
"""What a daemon draws from, unless the composition root is handed something else by a test."""

LoadExtractor = Callable[[], SpanExtractor]
"""Raises ExtractorUnavailableError."""


def open_service(
    config: EdgeConfig,
    *,
    load_extractor: LoadExtractor | None = None,
    load_embedder: LoadEmbedder = SHIPPED,
    now: Callable[[], float] = time.time,
    chance: Chance = PRODUCTION,
) -> Service:
    """Open a profile and put its parts together; a part that is not usable makes a service that says so.

    The extractor is loaded while the profile is opened, and waited for: without it nothing can be sent.

    Args:
        config: The settings.
        load_extractor: Loads what finds private spans; the shipped extractor by default.
        load_embedder: Loads what finds memories by meaning, when it is first needed.
        now: Unix seconds.
        chance: Draws, nonces and ids.

    Raises:
        ConfigError: the owner's list of public figures is not usable.
    """
    keyholder = Keyholder(config, ring=None if config.key_store == "file" else find_ring())
    load = load_extractor or loader_of(config)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="loader") as beside:
        loading = beside.submit(load)
        try:
            key, keeper = keyholder.unlock().key, keeper_for(keyholder, config.paths.seal_file)
            parts: Parts | UnavailableError = _open(config, key, keeper, loading, load_embedder, now, chance)
        except UnavailableError as error:
            LOGGER.critical("not usable: %s", error)
            parts = error
    return Service(parts, config=config, keyholder=keyholder, extractor=_loaded(loading), now=now)


def _loaded(loading: "Future[SpanExtractor]") -> SpanExtractor | ExtractorUnavailableError:
    try:
        return loading.result()
    except ExtractorUnavailableError as error:
        return error


def _open(
    config: EdgeConfig,
    key: bytes,
    keeper: SealKeeper,
    loading: "Future[SpanExtractor]",
    load_embedder: LoadEmbedder,
    now: Callable[[], float],
    chance: Chance,
) -> Parts:
    writer = Writer()
    try:
        database = writer.run_blocking(lambda: open_profile(config.paths, key))
        try:
            own_values = OwnValues(VaultStore(database))
            writer.run_later(own_values.refresh)  # while the extractor is loaded; the first turn sees to the rest
            extractor = loading.result()
            return _compose(config, database, writer, key, keeper, extractor, own_values, load_embedder, now, chance)
        except UnavailableError:
            writer.run_blocking(database.close)
            raise
    except UnavailableError:
        writer.close()
        raise


def _compose(
    config: EdgeConfig,
    database: Database,
    writer: Writer,
    key: bytes,
    keeper: SealKeeper,
    extractor: SpanExtractor,
    own_values: OwnValues,
    load_embedder: LoadEmbedder,
    now: Callable[[], float],
    chance: Chance,
) -> Parts:
    digester = Digester(derive_subkey(key, Subkey.DIGESTS))
    settings = MaskSettings(mask_from=config.mask_from, levels=config.levels, coarse=config.type_names == "coarse")
    profile_scope = config.placeholder_scope == "profile"
    vaults, turn_store, pairings = VaultStore(database), TurnStore(database), PairingStore(database)
    trace_store, conversation_store = TraceStore(database), ConversationStore(database)
    records, sources, outbox = MemoryStore(database), SourceStore(database), OutboxStore(database)
    scopes = ScopeStore(database, new_key=chance.scope_key)
    log = TurnLog(turn_store, trace_store, replay_s=config.replay_minutes * 60, trace_days=config.trace_days, now=now)
    conversations = Conversations(
        conversation_store,
        vaults,
        digester,
        profile_scope=profile_scope,
        new_id=chance.conversation_id,
        now=now,
    )
    departures = Departures(time.monotonic_ns)
    memory_writer = writer.giving_way(departures.quiet)
    views = compose_views(config, database, keeper, records=records, writer=writer, source=chance.draws, now=now)

    def begin() -> CloudLink:
        with database.transaction():
            turn_store.fail_running()
        views.turns.start()
        patience = Patience(
            connect=config.connect_timeout_s,
            first=config.first_event_timeout_s,
            silence=config.between_events_timeout_s,
            retries=config.cloud_retries,
        )
        return CloudLink(pairings.get(), patience, now, chance.nonces)

    link = writer.run_blocking(begin)
    tombstones = writer.run_blocking(lambda: Tombstones(TombstoneStore(database)))
    readers = Readers(extractor)
    memory_readers = readers.giving_way(departures.hold)

    retrieval = open_retrieval(database, memory_writer, records, load=load_embedder, way=departures.quiet)
    memory = open_memory(
        config,
        database,
        memory_writer,
        memory_readers,
        transaction=views.scores.transaction,
        records=records,
        conversations=conversations,
        vaults=vaults,
        policy=views.turns.policy,
        meaning=retrieval.meaning,
        settings=settings,
        chance=chance,
        now=now,
    )
    blocks = open_blocks(
        database,
        writer,
        memory_writer,
        readers,
        digester,
        retrieval.search,
        usual="inline" if config.block_in_answers else "off",
        offset_of=utc_offset,
        now=now,
    )
    memories = Memories(
        writer=memory_writer,
        records=records,
        retrieval=retrieval.search,
        search=RecordSearch(database),
        scopes=scopes,
        vaults=vaults,
        now=now,
    )
    receipts, signer = ReceiptStore(database), ReceiptSigner(derive_subkey(key, Subkey.RECEIPTS))
    delivery = Delivery(
        writer=memory_writer,
        turn_writer=writer,
        transaction=database.transaction,
        outbox=outbox,
        receipts=receipts,
        signer=signer,
        cloud=link.client,
    )
    strays = Strays(records=records, outbox=outbox, tombstones=tombstones)
    comparing = Comparing(
        writer=memory_writer,
        transaction=views.scores.transaction,
        records=records,
        scopes=scopes,
        tombstones=tombstones,
        strays=strays,
        settings=SettingStore(database),
        cloud=link.client,
        device=lambda: None if (pairing := pairings.get()) is None else pairing.device,
        deliver=delivery.deliver,
        now=now,
    )
    departing = Departing(
        writer=writer,
        transaction=views.scores.transaction,
        conversations=conversations,
        vaults=vaults,
        own_values=own_values,
        log=log,
        scopes=memories,
        tombstones=tombstones,
        turn_memory=memory.turns,
        blocks=blocks,
        readers=readers,
        digester=digester,
        settings=settings,
        memory_allowed=profile_scope,
        views=views.turns,
        delivery=delivery,
        departures=departures,
        now=now,
    )
    turns = Turns(
        writer=writer,
        memory_writer=memory_writer,
        transaction=views.scores.transaction,
        checkpoint=database.checkpoint_in_passing,
        when_ended=retrieval.work.wake,
        departing=departing,
        asking=Asking(
            writer=writer,
            transaction=views.scores.transaction,
            strays=strays,
            delivery=delivery,
            noticed=comparing.note,
        ),
        under_way=TurnsUnderWay(log, digester, writer, new_id=chance.turn_id),
        conversations=conversations,
        log=log,
        memory=memories,
        tombstones=tombstones,
        turn_memory=memory.turns,
        blocks=blocks,
        readers=memory_readers,
        views=views.turns,
        cloud=link.client,
    )
    arrivals = Arrivals(
        writer=memory_writer,
        transaction=views.scores.transaction,
        records=records,
        is_forgotten=tombstones.holds,
        judging=memory.keeping.judging,
        writing=memory.writing,
    )
    backups = Backups(
        writer=memory_writer,
        transaction=views.scores.transaction,
        paths=config.paths,
        records=records,
        keys=RecordKeyStore(database),
        settings=SettingStore(database),
        key=key,
        arrivals=arrivals,
        now=now,
    )
    forgetting = Forgetting(
        writer=memory_writer,
        transaction=views.scores.transaction,
        disk=database,
        closures=ClosureFinder(
            records=records,
            sources=sources,
            turns=turn_store,
            traces=trace_store,
            conversations=conversation_store,
            vaults=vaults,
            embeddings=retrieval.store,
            waiting=outbox.holds,
            paired=lambda: pairings.get() is not None,
        ),
        removal=Removal(
            records=records,
            sources=sources,
            turns=turn_store,
            traces=trace_store,
            conversations=conversation_store,
            vaults=vaults,
            scopes=scopes,
            outbox=outbox,
            tombstones=tombstones,
            embeddings=retrieval.store,
            also=(
                views.forgotten.forget,
                lambda gone: _forget_volatile(gone, log, memory.writing, int(now())),
                retrieval.forget,
                memory.inferring.forget,
            ),
            new_id=chance.memory_id,
        ),
        live=(conversations, own_values),
        verification=Verification(
            database,
            lambda needles: count_in_pages(config.paths.database, key, needles),
            views.scores.unexplained,
        ),
        receipts=receipts,
        signer=signer,
        delivery=delivery,
        rewrite_key_files=backups.rewrite_key_files,
        stays=views.forgotten.stays,
        now=now,
    )
    return Parts(
        database=database,
        writer=writer,
        conversations=conversations,
        log=log,
        readers=readers,
        turns=turns,
        views=views,
        departures=departures,
        memories=memories,
        forgetting=forgetting,
        comparing=comparing,
        backups=backups,
        transfer=Transfer(writer=memory_writer, records=records, keeping=memory.keeping, arrivals=arrivals),
        keeping=memory.keeping,
        retrieval=retrieval,
        pairings=pairings,
        link=link,
    )


def _forget_volatile(gone: Forgotten, log: TurnLog, writing: MemoryWriting, now: int) -> Iterable[StoreResult]:
    """Incognito turns and requests for consent are held in memory only; they go with everything."""
    if not gone.everything:
        return ()
    unanswered = [asked.id for asked in writing.pending.waiting(now)]
    for asked in unanswered:
        writing.pending.take(asked, now)
    return (
        StoreResult(store="incognito turns", removed=log.forget_incognito()),
        StoreResult(store="requests for consent", removed=len(unanswered)),
    )
