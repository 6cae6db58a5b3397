"""Which conversation a request belongs to, and what is known of it (design section 3.1).

A request belongs to the conversation that its header names, else to the stored one whose message chain is exactly the
request's prefix (newest wins), else to a new one. A request that goes on from the middle of a stored chain (a client
that edits or asks again) starts a new conversation that inherits the map, so that the earlier turns are sent as before
and a secret told in the other branch is known in this one. Instructions alone are no such part: an application gives
the same ones to every conversation. Conversations of different scope, audience, application or mode never meet.

Everything here runs on the writer's thread. `resolve` only reads; `store` and `extend` write inside the caller's
transaction. Incognito conversations live in memory
only; the store keeps their id and the flag, so that a later normal request cannot write under it.
"""

import base64
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from keepmum_shared import codec
from keepmum_shared.ids import ConversationId
from keepmum_shared.messages import ChatMessage
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import Level

from keepmum_edge.daemon.chat import Context
from keepmum_edge.daemon.conversation_store import ConversationRow, ConversationStore, MessagePlace, MessageRow
from keepmum_edge.daemon.identity import Digester, History
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.spans.recurrence import Known
from keepmum_edge.vault.conversation import ConversationVault
from keepmum_edge.vault.store import VaultStore

MAX_LIVE: Final = 256
"""Conversations held in memory; the longest unused one goes, and its volatile values with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What must be equal for two requests to be of one conversation."""

    scope: str
    audience: str
    application: str
    mode: Literal["normal", "incognito"]

    @staticmethod
    def of(context: Context) -> "Setting":
        """Take the setting out of a context."""
        return Setting(
            scope=context.scope, audience=context.audience, application=context.application, mode=context.mode
        )


@dataclass(slots=True, kw_only=True)
class Conversation:
    """One conversation in memory.

    Attributes:
        vault: Its bindings; a turn works on a copy and puts it here after COMMIT.
        known: Digest of a message in clear -> what was sent for it.
        chains: Chain digests of all its messages.
        tail: Chain digest of its end; empty before the first answer.
        is_stored: Whether the store has it; `Conversations.store` sees to that.
        fork_of: Where the messages come from that it shares with another conversation, until it is stored.
    """

    id: ConversationId
    setting: Setting
    vault: ConversationVault = field(repr=False)
    known: dict[bytes, ChatMessage] = field(default_factory=dict, repr=False)
    chains: set[bytes] = field(default_factory=set, repr=False)
    tail: bytes = b""
    profile_scope: bool
    is_stored: bool
    fork_of: MessagePlace | None = None

    def note(self, said: "Said") -> None:
        """Take in what a turn added, once it is stored."""
        self.known.update(said.messages)
        self.chains.update(said.chains)
        self.tail = said.tail

    @property
    def is_incognito(self) -> bool:
        """Whether nothing of it is stored."""
        return self.setting.mode == "incognito"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a turn adds to its conversation; fields as in `Conversation`."""

    messages: dict[bytes, ChatMessage] = field(repr=False)
    chains: set[bytes] = field(repr=False)
    tail: bytes


class Conversations:
    """Finds, opens and extends conversations.

    Args:
        profile_scope: Whether a new normal conversation takes profile numbers.
        new_id: Draws the id of a new conversation.
        now: Unix seconds.
    """

    def __init__(
        self,
        store: ConversationStore,
        vaults: VaultStore,
        digester: Digester,
        *,
        profile_scope: bool,
        new_id: Callable[[], ConversationId],
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._vaults = vaults
        self._digester = digester
        self._profile_scope = profile_scope
        self._new_id = new_id
        self._now = now
        self._live: OrderedDict[ConversationId, Conversation] = OrderedDict()

    def resolve(self, history: History, context: Context) -> Conversation:
        """Return the conversation of a request with these messages, opened or made.

        Raises:
            InvalidRequestError: the named conversation has another mode.
        """
        setting = Setting.of(context)
        if context.conversation is not None:
            found = self._named(context.conversation, setting)
        else:
            found = self._by_chain(history.chains[:-1], setting)
        self._live[found.id] = found
        self._live.move_to_end(found.id)
        while len(self._live) > MAX_LIVE:
            self._live.popitem(last=False)
        return found

    def extend(
        self,
        conversation: Conversation,
        history: History,
        sent: Sequence[ChatMessage],
        answers: Sequence[tuple[ChatMessage, ChatMessage]],
    ) -> "Said":
        """Store what was said: the request's digests with what was sent for them, and each choice shown and written.

        The first choice becomes the end of the chain; the others are kept for a client that goes on from them. Inside
        the caller's transaction; the conversation takes note of what is returned after COMMIT.
        """
        said = list(zip(range(len(sent)), history.messages, history.chains, sent, strict=True))
        end = history.chains[-1]
        for shown, written in answers:
            digest = self._digester.message(shown)
            said.append((len(sent), digest, self._digester.extend(end, digest), written))
        tail = said[len(sent)][2] if answers else end
        new = [row for row in said if row[2] not in conversation.chains]
        if not conversation.is_incognito:
            self._store.append(conversation.id, [_row(*row) for row in new], tail=tail, at=int(self._now()))
        return Said(
            messages={digest: masked for _, digest, _, masked in new}, chains={row[2] for row in new}, tail=tail
        )

    def store(self, conversation: Conversation) -> None:
        """Make the conversation's row, if it has none, before anything refers to it; inside a transaction."""
        if conversation.is_stored:
            return
        setting, incognito = conversation.setting, conversation.is_incognito
        self._store.add(
            ConversationRow(
                id=conversation.id,
                scope="" if incognito else setting.scope,
                audience="" if incognito else setting.audience,
                application="" if incognito else setting.application,
                mode=setting.mode,
                profile_scope=conversation.profile_scope,
                created_at=int(self._now()),
            )
        )
        if conversation.fork_of is not None:
            place = conversation.fork_of
            self._store.copy_until(place.conversation, conversation.id, place.position)

    def vault_of(self, conversation: ConversationId) -> ConversationVault:
        """Return what placeholders mean in a conversation, with its volatile ones while they are in memory."""
        live = self._live.get(conversation)
        if live is not None:
            return live.vault
        row = self._store.get(conversation)
        return self._vault(conversation, profile_scope=row is not None and row.profile_scope)

    def secrets(self, *, of_incognito: bool = True) -> tuple[Known, ...]:
        """Return the PL4 values that are in memory, of every conversation, or of those that are not incognito."""
        lives = (live for live in self._live.values() if of_incognito or not live.is_incognito)
        return tuple((b.surface, b.entity_type, Level.PL4) for live in lives for b in live.vault.secrets())

    def forget(
        self,
        cut: Iterable[ConversationId],
        chains: frozenset[bytes],
        bindings: Mapping[ConversationId, Iterable[Placeholder]],
        values: Iterable[Placeholder],
    ) -> None:
        """Let go of what was forgotten in the store; turns that run keep their own copies until they end.

        Args:
            cut: Conversations that lost messages.
            chains: Chain digests of the messages.
            bindings: Placeholders that mean nothing any more, by conversation.
            values: Profile placeholders that mean nothing anywhere.
        """
        everywhere = tuple(values)
        for live in self._live.values():
            mine = everywhere if live.profile_scope else ()  # elsewhere such a number means something else
            for token in (*mine, *bindings.get(live.id, ())):
                live.vault.forget(token)
        for conversation in cut:
            held = self._live.get(conversation)
            if held is None or held.is_incognito:
                continue
            held.known, held.chains = {}, held.chains - chains
            if self._store.get(conversation) is not None:
                self._add_messages(held, self._store.messages(conversation))
                continue
            held.chains, held.tail, held.is_stored = set(), b"", False  # a turn about to begin stores it anew
            del self._live[conversation]

    def _named(self, name: str, setting: Setting) -> Conversation:
        key = "\n".join((name, setting.scope, setting.audience, setting.application))
        digest = base64.b32encode(self._digester.name("conversation", key)).decode().lower()
        wanted = ConversationId("conv_" + digest[:26])
        live = self._live.get(wanted)
        row = self._store.get(wanted)
        mode = live.setting.mode if live else row.mode if row else setting.mode
        if mode != setting.mode:
            raise InvalidRequestError(
                f"this conversation is {mode}; start a new one to change the mode", param="X-Keepmum-Mode"
            )
        if live is not None:
            return live
        if row is not None and setting.mode == "normal":
            return self._load(row, setting)
        return self._new(setting, wanted, is_stored=row is not None)

    def _by_chain(self, prefixes: Sequence[bytes], setting: Setting) -> Conversation:
        for chain in reversed(prefixes):
            if setting.mode == "incognito":
                for live in reversed(self._live.values()):
                    if live.tail == chain and live.setting == setting:
                        return live
            elif (row := self._store.by_tail(chain, setting.scope, setting.audience, setting.application)) is not None:
                return self._live.get(row.id) or self._load(row, setting)
        if setting.mode == "normal":
            for chain in reversed(prefixes):
                place = self._store.containing(chain, setting.scope, setting.audience, setting.application)
                fork = None if place is None else self._fork(place, setting)
                if fork is not None:
                    return fork
        return self._new(setting, self._new_id(), is_stored=False)

    def _new(self, setting: Setting, wanted: ConversationId, *, is_stored: bool) -> Conversation:
        incognito = setting.mode == "incognito"
        profile_scope = self._profile_scope and not incognito
        vault = ConversationVault(profile_scope=profile_scope, volatile_all=incognito)
        return Conversation(id=wanted, setting=setting, vault=vault, profile_scope=profile_scope, is_stored=is_stored)

    def _load(self, row: ConversationRow, setting: Setting) -> Conversation:
        conversation = Conversation(
            id=row.id,
            setting=setting,
            vault=self._vault(row.id, profile_scope=row.profile_scope),
            tail=row.tail or b"",
            profile_scope=row.profile_scope,
            is_stored=True,
        )
        self._add_messages(conversation, self._store.messages(row.id))
        return conversation

    def _vault(self, conversation: ConversationId, *, profile_scope: bool) -> ConversationVault:
        bindings, next_numbers = self._vaults.load(conversation)
        return ConversationVault(
            profile_scope=profile_scope, volatile_all=False, bindings=bindings, next_numbers=next_numbers
        )

    def _fork(self, place: MessagePlace, setting: Setting) -> Conversation | None:
        """Start a conversation that shares the messages of another up to and with one place; None if no one spoke."""
        source = self._live.get(place.conversation)  # volatile values are nowhere else
        row = self._store.get(place.conversation)
        assert row is not None
        shared = [message for message in self._store.messages(row.id) if message.position <= place.position]
        fork = Conversation(
            id=self._new_id(),
            setting=setting,
            vault=source.vault if source else self._vault(row.id, profile_scope=row.profile_scope),
            profile_scope=row.profile_scope,
            is_stored=False,
            fork_of=place,
        )
        self._add_messages(fork, shared)
        if all(message.role in ("system", "developer") for message in fork.known.values()):
            return None
        fork.vault = fork.vault.fork()
        return fork

    def _add_messages(self, conversation: Conversation, messages: Sequence[MessageRow]) -> None:
        for message in messages:
            conversation.known[message.digest] = codec.decode(ChatMessage, message.masked)
            conversation.chains.add(message.chain_digest)


def _row(position: int, digest: bytes, chain: bytes, masked: ChatMessage) -> MessageRow:
    return MessageRow(position=position, digest=digest, chain_digest=chain, masked=codec.encode(masked).decode())
