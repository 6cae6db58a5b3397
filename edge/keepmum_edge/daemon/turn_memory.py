"""What one turn does to memory: the batch that it takes along, and what of its message is kept (design sections 3, 7).

The batch holds what has come to wait in the turn's scope since the turn before, and is sent empty if that is nothing.
Its contents are a function of records that the cloud may hold: nothing local-only adds to it, leaves it or reorders it.
A record is noted as sent before the request leaves, and as shared once the cloud has begun to answer; until then the
next turn takes it along again, which changes nothing at the cloud. What was deleted meanwhile is deleted there again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from keepmum_shared.ids import ConversationId, MemoryId, TurnId
from keepmum_shared.messages import MemoryWrite
from keepmum_shared.placeholder import LAST_PROFILE_NUMBER, Placeholder, scan
from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.daemon.inferring import Inferring
from keepmum_edge.daemon.judging import masked_alone
from keepmum_edge.daemon.memory_writing import MemoryWriting, Written
from keepmum_edge.daemon.trace import TakenAlong
from keepmum_edge.memory.behaviour import Choice, choices
from keepmum_edge.memory.behaviour_store import Seen
from keepmum_edge.memory.draft import Draft, Origin, draft
from keepmum_edge.memory.own_words import own_words
from keepmum_edge.memory.propose import Moment, propose
from keepmum_edge.memory.record import MOST, MOST_CHARACTERS, Channel, CloudState, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.memory.sending import write_of
from keepmum_edge.memory.sentences import is_chinese
from keepmum_edge.memory.session_store import SessionStore
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault import binding
from keepmum_edge.vault.conversation import ConversationVault, ProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise

MOST_WRITES: Final = 32
"""Of one batch; the rest goes with the next."""
MOST_READ: Final = 2 * MOST_CHARACTERS
"""Characters that are read for private spans before one request leaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gleaned:
    """What the owner's newest message holds: what is worth remembering, and what choices it shows."""

    drafts: tuple[Draft, ...] = field(default=(), repr=False)
    choices: tuple[Choice, ...] = field(default=(), repr=False)
    is_chinese: bool = False


class TurnMemory:
    """The memory side of turns.

    Args:
        numbers: The profile's numbers, allotted when a record is first sent.
        shareable: False where placeholders mean nothing at the cloud; then everything stays here.
        withdraw: Queues deletions at the cloud, inside the transaction.
        offset_of: Seconds between the owner's clock and UTC at a Unix time.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        records: MemoryStore,
        sessions: SessionStore,
        writing: MemoryWriting,
        inferring: Inferring,
        numbers: ProfileNumbers,
        settings: MaskSettings,
        shareable: bool,
        withdraw: Callable[[Iterable[MemoryId]], None],
        offset_of: Callable[[int], int],
        now: Callable[[], float],
    ) -> None:
        self._records = records
        self._sessions = sessions
        self._writing = writing
        self._inferring = inferring
        self._numbers = numbers
        self._settings = settings
        self._shareable = shareable
        self._withdraw = withdraw
        self._offset_of = offset_of
        self._now = now

    def unnumbered(self, scope: str) -> tuple[str, ...]:
        """Return the texts of the next batch whose private spans must be found before it can be made."""
        return tuple(record.text for record in self._next(scope) if _is_unnumbered(record))

    def foresee(self, text: str, found: Sequence[PrivateSpan]) -> None:
        """Read what a text of the next batch means, on a reader's thread: `batch` judges it on the writer's."""
        self._writing.classifier.foresee(masked_alone(text, found, self._settings))

    def batch(self, scope: str, spans_of: Callable[[str], Sequence[PrivateSpan]]) -> tuple[MemoryWrite, ...]:
        """Return the batch of a turn in this scope, and note it as sent; inside the transaction that precedes it."""
        writes = []
        for record in self._next(scope):
            numbered = self._numbered(record, spans_of(record.text)) if _is_unnumbered(record) else record
            if numbered is None or numbered.placeholder_text is None:
                continue
            write = self._write(numbered, numbered.placeholder_text)
            if write is None:  # an older version let in what cannot be told; `keepmum doctor` names it
                self._writing.keep_here(record)
                continue
            at = int(self._now()) if numbered.shared_at is None else numbered.shared_at
            self._records.put(replace(numbered, cloud=CloudState.SENT, shared_at=at))
            writes.append(write)
        return tuple(writes)

    def _next(self, scope: str) -> Iterator[MemoryRecord]:
        """Yield what the next batch holds: no more than is read at once without a wait that anybody notices."""
        read = 0
        for record in self._records.to_send(scope, MOST_WRITES):
            read += len(record.text) if _is_unnumbered(record) else 0
            if read > MOST_READ:
                return
            yield record

    def taken_along(self, writes: Sequence[MemoryWrite]) -> tuple[TakenAlong, ...]:
        """Return what a trace notes of a batch: which versions of which records."""
        records = [record for write in writes if (record := self._records.get(write.id)) is not None]
        return tuple(TakenAlong(id=record.id, revision=record.revision) for record in records)

    def confirm(self, writes: Sequence[MemoryWrite], *, stored: bool) -> None:
        """Note what became of a batch, inside a transaction.

        Args:
            writes: The batch.
            stored: Whether the cloud has stored it; if not, it may have, and the next turn sends it again.
        """
        gone = []
        for write in writes:
            record = self._records.get(write.id)
            if record is None or record.cloud is CloudState.LOCAL_ONLY:
                gone.append(write.id)  # its deletion may have arrived before this batch
            elif stored and record.cloud is CloudState.SENT and self._write(record, write.text) == write:
                self._records.put(replace(record, cloud=CloudState.SHARED))
        self._withdraw(gone)

    def glean(self, message: str, vault: ConversationVault, hold: Callable[[], None] = lambda: None) -> Gleaned:
        """Read the owner's newest message, in placeholder text, and nothing else; `hold` is called between steps."""
        at = int(self._now())
        proposals = propose(message, Moment(at=at, offset_s=self._offset_of(at)), hold)
        drafts = []
        for proposal in proposals:
            hold()
            tokens = [token for _, _, token in scan(proposal.text)]
            if len(proposal.text) <= MOST_CHARACTERS and all(_may_be_kept(vault.get(token)) for token in tokens):
                value_of = partial(_value, vault)
                drafts.append(draft(proposal, self._writing.classifier, value_of, numbered=self._shareable))
        hold()
        return Gleaned(
            drafts=tuple(drafts),
            choices=choices(message, self._writing.classifier),
            is_chinese=is_chinese(own_words(message, with_request=True)),
        )

    def note_used(self, memories: Sequence[MemoryId]) -> None:
        """Note which records an answer used, inside the transaction that stores it; no score reads this."""
        self._records.mark_used(memories, int(self._now()))

    def keep(self, draft: Draft, turn: TurnId, conversation: ConversationId, scope: str) -> Written:
        """Keep one draft of an answered turn's message, inside a transaction."""
        at = int(self._now())
        origin = Origin(
            channel=Channel.CHAT,
            reach=Reach(scope=scope),
            trust=MOST,
            created_at=at,
            utc_offset_s=self._offset_of(at),
            sources=frozenset({turn}),
            session=self._sessions.key_of(conversation),
            may_leave=self._shareable,
        )
        written = self._writing.write((draft,), origin)
        return written + self._inferring.stated((*written.kept, *written.known))

    def observe(self, gleaned: Gleaned, turn: TurnId, conversation: ConversationId, scope: str) -> Written:
        """Count what an answered turn's message showed, after its drafts were kept, inside a transaction."""
        day = self._inferring.day(int(self._now()))
        seen = Seen(scope=scope, conversation=conversation, day=day, turn=turn)
        return self._inferring.observe(gleaned.choices, seen, chinese=gleaned.is_chinese)

    def _write(self, record: MemoryRecord, text: str) -> MemoryWrite | None:
        """Return a record as it goes to the cloud, or None if it cannot."""
        try:
            return write_of(record, text, self._sources_at_cloud(record))
        except ValueError:
            return None

    def _sources_at_cloud(self, record: MemoryRecord) -> tuple[MemoryId, ...]:
        """Return the records that a derived one was made from, as far as the cloud has them."""
        if record.channel is not Channel.DERIVED:
            return ()
        found = [self._records.get(MemoryId(source)) for source in sorted(record.sources)]
        return tuple(source.id for source in found if source is not None and source.cloud is CloudState.SHARED)

    def _numbered(self, record: MemoryRecord, spans: Sequence[PrivateSpan]) -> MemoryRecord | None:
        """Give a record its placeholders; None if it turns out that it may not leave."""
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        text = pseudonymise(
            record.text,
            spans,
            vault,
            origin=binding.Origin.OWNER,
            profile=self._numbers,
            settings=self._settings,
        ).text
        tokens = [token for _, _, token in scan(text)]
        if any(token.number > LAST_PROFILE_NUMBER for token in tokens):  # a secret, or what looks like a token
            self._writing.keep_here(record)
            return None
        judgement = self._writing.classifier.judge(text, lambda token: _value(vault, token))
        if judgement.is_local_only:
            self._writing.rejudge(record, judgement)
            return None
        return replace(record, placeholder_text=text)


def _is_unnumbered(record: MemoryRecord) -> bool:
    """Say whether its placeholder text must be made: there is none, or it is that of an older version at the cloud."""
    return record.placeholder_text is None or (record.cloud is CloudState.QUEUED and record.shared_at is not None)


def _may_be_kept(bound: binding.Binding | None) -> bool:
    """Say whether a placeholder may stand in a record: its value is known, stored, and was typed by the owner."""
    return (
        bound is not None
        and bound.origin is binding.Origin.OWNER
        and bound.entity_type is not EntityType.LITERAL
        and bound.level is not Level.PL4
    )


def _value(vault: ConversationVault, token: Placeholder) -> str | None:
    bound = vault.get(token)
    return None if bound is None else bound.surface
