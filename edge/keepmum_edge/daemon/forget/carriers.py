"""Which turns and messages tell what is to be forgotten, in placeholder text.

A statement stands in the message that the owner typed, in the trace of that turn and of every later turn of the
conversation (each sends the history again), and in what the model answered from then on. So a conversation is carried
from the first message that tells it to its end, and so are the conversations that branched off behind that point.

Found by: the turn that a record came from; turns whose answer used the record; and the words themselves.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared import codec
from keepmum_shared.ids import ConversationId, TurnId

from keepmum_edge.daemon.chat import ChatRequest
from keepmum_edge.daemon.conversation_store import ConversationStore
from keepmum_edge.daemon.turn_store import TraceStore, TurnStore

_MEMORY: Final = re.compile(r"mem_[a-z2-7]{26}")

Tells = Callable[[ConversationId, str], bool]
"""Says whether a stored JSON text of a conversation tells what is to be forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carriers:
    """Turns and messages to be forgotten.

    Attributes:
        turns: Their traces and stored answers.
        cut: Conversation -> the position from which its messages go.
        chains: Chain digests of those messages.
    """

    turns: frozenset[TurnId] = frozenset()
    cut: Mapping[ConversationId, int] = field(default_factory=dict)
    chains: frozenset[bytes] = frozenset()


class CarrierFinder:
    """Looks through the turns, traces and messages of one profile; reads only."""

    def __init__(self, turns: TurnStore, traces: TraceStore, conversations: ConversationStore) -> None:
        self._turns = turns
        self._traces = traces
        self._conversations = conversations

    def whole(self, conversations: Iterable[ConversationId]) -> Carriers:
        """Return all of these conversations, and no other that merely begins with the same words."""
        cut = dict.fromkeys(conversations, 0)
        chains = frozenset(chain for each in cut for chain in self._conversations.from_position(each, 0))
        return Carriers(turns=self._turns_behind(cut), cut=cut, chains=chains)

    def find(self, origins: Iterable[str], used: frozenset[str], tells: Tells) -> Carriers:
        """Return what carries the forgotten.

        Args:
            origins: Ids of turns, and of other things, that told it.
            used: Ids of records; answers that used one carry what it said.
            tells: For the words themselves.
        """
        cut: dict[ConversationId, int] = {}

        def carry(conversation: ConversationId, position: int) -> None:
            cut[conversation] = min(position, cut.get(conversation, position))

        for origin in origins:
            conversation = self._turns.conversation_of(TurnId(origin))
            if conversation is not None:
                carry(conversation, self._position(TurnId(origin)))
        for turn, conversation, text in (*self._traces.texts(), *self._turns.answers()):
            if not used.isdisjoint(_MEMORY.findall(text)) or tells(conversation, text):
                carry(conversation, self._first_telling(turn, conversation, tells))
        for message in self._conversations.every_message():
            if tells(message.conversation, message.masked):
                carry(message.conversation, message.position)
        return self._carried(cut)

    def _carried(self, cut: dict[ConversationId, int]) -> Carriers:
        """Follow branches, and take the turns that reach behind the cut."""
        chains: set[bytes] = set()
        waiting = dict(cut)
        while waiting:
            conversation, position = waiting.popitem()
            new = set(self._conversations.from_position(conversation, position)) - chains
            chains |= new
            for other, first in self._conversations.sharing(new).items():
                if first < cut.get(other, first + 1):
                    cut[other] = waiting[other] = first
        return Carriers(turns=self._turns_behind(cut), cut=cut, chains=frozenset(chains))

    def _turns_behind(self, cut: Mapping[ConversationId, int]) -> frozenset[TurnId]:
        """Return the turns that reach behind the position from which a conversation is cut."""
        return frozenset(
            turn
            for conversation, position in cut.items()
            for turn in self._turns.ids_of(conversation)
            if self._length(turn) > position
        )

    def _position(self, turn: TurnId) -> int:
        """Return the position of the message that a turn asked with; 0 where it is not known any more."""
        sent = self._sent(turn)
        return 0 if sent is None else len(sent.messages) - 1

    def _length(self, turn: TurnId) -> int:
        """Return how many messages a turn has, with its answer; without its trace it may have any."""
        sent = self._sent(turn)
        return 2**31 if sent is None else len(sent.messages) + 1

    def _first_telling(self, turn: TurnId, conversation: ConversationId, tells: Tells) -> int:
        """Return the first position in a turn that tells it; its answer does if no message does."""
        sent = self._sent(turn)
        if sent is None:
            return 0
        for position, message in enumerate(sent.messages):
            if tells(conversation, codec.encode(message).decode()):
                return position
        around = ChatRequest(
            messages=(), tools=sent.tools, tool_choice=sent.tool_choice, response_format=sent.response_format
        )
        return 0 if tells(conversation, codec.encode(around).decode()) else len(sent.messages)

    def _sent(self, turn: TurnId) -> ChatRequest | None:
        trace = self._traces.get(turn)
        return None if trace is None else codec.decode(ChatRequest, trace.sent_json)
