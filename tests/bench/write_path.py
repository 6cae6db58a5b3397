"""What writing memories costs a turn: proposing, classifying and storing here, the batch, and storing at the cloud.

The profile holds records already. Messages of one to three sentences, in English and Chinese, most of them worth
remembering; they are masked before, as every message is, which is no part of this. One processor core for all of it.
"""

import asyncio
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from edge.daemon.profile import Profile, ScriptedCloud, profile
from keepmum_cloud.database import Database as CloudDatabase
from keepmum_cloud.memory.operations import Memories
from keepmum_edge.database import Database
from keepmum_edge.memory.record import USER_SCOPE, Channel, MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise
from keepmum_shared.ids import ConversationId, new_device_id, new_memory_id, new_scope_key, new_turn_id
from keepmum_shared.messages import MemoryWrite

_SAID: Final = (
    "I {verb} {thing} every {day}.",
    "My colleague {name} {verb}s {thing}. I would rather have {other}. Can you write to {name}@example.org?",
    "I live in the street behind {other}, and I moved there in May.",
    "我喜欢{zh}，不喜欢{zh2}。",
    "我住在{zh}旁边，每天{day_zh}去那里。",
    "What would {thing} cost?",
)
_PARTS: Final = {
    "verb": ("like", "avoid", "paint", "collect"),
    "thing": ("green tea", "old maps", "wooden boats", "long walks", "steel bridges"),
    "other": ("a garden", "the museum", "two bicycles", "the harbour"),
    "day": ("Sunday", "Monday", "morning", "winter"),
    "name": ("ida", "marek", "sofia", "tomas"),
    "zh": ("绿茶", "老地图", "木船", "散步", "图书馆"),
    "zh2": ("咖啡", "地铁", "长途旅行"),
    "day_zh": ("早上", "晚上", "周末"),
}


@dataclass(frozen=True, slots=True)
class Written:
    """Milliseconds of each turn, those of them that the processor worked, and how many memories all turns kept."""

    milliseconds: tuple[float, ...]
    processor: tuple[float, ...]
    kept: int


def message(rng: random.Random) -> str:
    """Return what a user says in one turn."""
    return rng.choice(_SAID).format(**{name: rng.choice(values) for name, values in _PARTS.items()})


def write_turns(folder: Path, *, records: int, turns: int, seed: int) -> Written:
    """Keep what turns tell, beside records that are there."""
    return asyncio.run(_write_turns(folder, records, turns, random.Random(seed)))


async def _write_turns(folder: Path, records: int, turns: int, rng: random.Random) -> Written:
    cloud = CloudDatabase(folder / "cloud")
    memories, device, scope = Memories(cloud), new_device_id(), new_scope_key()
    try:
        async with profile(folder / "edge", ScriptedCloud()) as me:
            await me.write(lambda db: _fill(MemoryStore(db), me, records, rng))
            extractor, taken, worked, kept = RuleExtractor(), [], [], 0
            conversation, numbers = ConversationId("conversation"), MemoryProfileNumbers()
            for _ in range(turns):
                said = message(rng)
                vault = ConversationVault(profile_scope=True, volatile_all=False)
                spans = extractor.extract(said)
                masked = pseudonymise(
                    said, spans, vault, origin=Origin.OWNER, profile=numbers, settings=MaskSettings()
                ).text
                began, busy = time.perf_counter_ns(), time.process_time_ns()
                count, batch = await me.read(lambda db, m=masked, v=vault: _keep(me, db, m, v, conversation))
                memories.add(device, scope, batch)
                taken.append((time.perf_counter_ns() - began) / 1e6)
                worked.append((time.process_time_ns() - busy) / 1e6)
                kept += count
            return Written(tuple(taken), tuple(worked), kept)
    finally:
        cloud.close()


def _keep(
    me: Profile, database: Database, masked: str, vault: ConversationVault, conversation: ConversationId
) -> tuple[int, tuple[MemoryWrite, ...]]:
    """Do what a turn does with its message once it is answered, and what the next one does before it leaves."""
    turn_memory = me.parts.turns._turn_memory
    gleaned, turn = turn_memory.glean(masked, vault), new_turn_id()
    kept = 0
    for draft in gleaned.drafts:
        with database.transaction():
            kept += len(turn_memory.keep(draft, turn, conversation, USER_SCOPE).kept)
    with database.transaction():
        turn_memory.observe(gleaned, turn, conversation, USER_SCOPE)
    with database.transaction():
        batch = turn_memory.batch(USER_SCOPE, lambda _: ())
    with database.transaction():
        turn_memory.confirm(batch, stored=True)
    return kept, batch


def _fill(store: MemoryStore, me: Profile, count: int, rng: random.Random) -> None:
    for number in range(count):
        store.add(
            MemoryRecord(
                id=new_memory_id(),
                text=f"{message(rng)} This was number {number}",
                scope=USER_SCOPE,
                created_at=int(me.now) - count + number,
                channel=Channel.COMMAND,
            )
        )
