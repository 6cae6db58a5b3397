"""The parts that write memory, put together: what turns say, what the owner tells, what is concluded from behaviour."""

import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from keepmum_shared.ids import MemoryId
from keepmum_shared.view import Policy

from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon.chance import Chance
from keepmum_edge.daemon.conversation import Conversations
from keepmum_edge.daemon.conversation_store import ConversationStore
from keepmum_edge.daemon.inferring import Inferring
from keepmum_edge.daemon.memory_keeping import MemoryKeeping
from keepmum_edge.daemon.memory_writing import MemoryWriting
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.store import OutboxStore
from keepmum_edge.daemon.turn_memory import TurnMemory
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.database import Database
from keepmum_edge.memory.asked_store import AskedStore
from keepmum_edge.memory.behaviour_store import BehaviourStore
from keepmum_edge.memory.implied import Implied
from keepmum_edge.memory.session_store import SessionStore
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.vault.pseudonymise import MaskSettings
from keepmum_edge.vault.store import VaultStore


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryParts:
    """What writes memory."""

    writing: MemoryWriting
    inferring: Inferring
    turns: TurnMemory
    keeping: MemoryKeeping


def open_memory(
    config: EdgeConfig,
    database: Database,
    writer: Writer,
    readers: Readers,
    *,
    transaction: Callable[[], AbstractContextManager[object]],
    records: MemoryStore,
    conversations: Conversations,
    vaults: VaultStore,
    policy: Callable[[], Policy],
    meaning: Implied,
    settings: MaskSettings,
    chance: Chance,
    now: Callable[[], float],
) -> MemoryParts:
    """Return the parts.

    Args:
        config: The settings.
        database: The open profile.
        writer: Gives way to requests that are about to leave.
        readers: The same.
        transaction: Opens one that ends with the scores of what it changed.
        records: All of them.
        conversations: Where incognito is known, and secrets are.
        vaults: Gives numbers.
        policy: The public policy in force.
        meaning: Reads texts for what no cue says.
        settings: What is masked.
        chance: Draws ids and keys.
        now: Unix seconds.
    """
    shareable = config.placeholder_scope == "profile"
    outbox = OutboxStore(database)

    def withdraw(ids: Iterable[MemoryId]) -> None:
        """What is only kept here from now on may go there again some day."""
        outbox.add(ids, forget=False)

    writing = MemoryWriting(
        records=records,
        asked=AskedStore(database),
        policy=policy,
        meaning=meaning,
        withdraw=withdraw,
        new_id=chance.memory_id,
        now=now,
    )
    inferring = Inferring(
        records=records,
        behaviour=BehaviourStore(database),
        writing=writing,
        enabled=config.infer_preferences,
        shareable=shareable,
        offset_of=utc_offset,
        now=now,
    )
    turns = TurnMemory(
        records=records,
        sessions=SessionStore(database, new_key=chance.session_key),
        writing=writing,
        inferring=inferring,
        numbers=vaults,
        settings=settings,
        shareable=shareable,
        withdraw=withdraw,
        offset_of=utc_offset,
        now=now,
    )
    keeping = MemoryKeeping(
        writer=writer,
        transaction=transaction,
        records=records,
        writing=writing,
        inferring=inferring,
        conversations=ConversationStore(database),
        vaults=vaults,
        readers=readers,
        settings=settings,
        shareable=shareable,
        secrets=conversations.secrets,
        offset_of=utc_offset,
        now=now,
    )
    return MemoryParts(writing=writing, inferring=inferring, turns=turns, keeping=keeping)


def utc_offset(at: int) -> int:
    """Return how far local time was ahead of UTC at a moment, both in seconds."""
    return time.localtime(at).tm_gmtoff
