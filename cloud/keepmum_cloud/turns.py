"""One turn at the cloud: keep the writes, recall, look up how to answer, ask the model.

Nothing of a turn is stored but the memory writes and the ledger's seal that it brings, and those are safe to repeat:
a turn that failed or was given up leaves nothing half done, and the same turn may come again. Released views are
looked up and used, but stored nowhere, so a forget has nothing of them to erase here.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from keepmum_shared.errors import TooLargeError
from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import FoundMemory, MemoryUsed, ModelInfo, Started, TurnRequest
from keepmum_shared.view import PolicyError, shipped_policies, shipped_policy

from keepmum_cloud.errors import PolicyMismatchError, UnknownViewError
from keepmum_cloud.memory.operations import RECALL_LIMIT, Memories
from keepmum_cloud.pairing import Device
from keepmum_cloud.respond.prompt import Prompt, build_prompt
from keepmum_cloud.respond.responder import AnswerPiece, Responder
from keepmum_cloud.seals import Seals


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedTurn:
    """A turn whose writes are durable and whose prompt is built; the model has not begun.

    Attributes:
        opening: The events that come before the first piece of the answer.
    """

    opening: tuple[Started | MemoryUsed, ...]
    prompt: Prompt = field(repr=False)


class Turns:
    """Prepares turns and lets the responder answer them."""

    def __init__(self, responder: Responder, memories: Memories, seals: Seals, *, max_messages: int) -> None:
        self._responder = responder
        self._memories = memories
        self._seals = seals
        self._max_messages = max_messages

    async def model(self) -> ModelInfo:
        """Return the model that answers, loading it if it must be.

        Raises:
            ModelUnavailableError: it cannot be used.
        """
        if not self._responder.models():
            await self._responder.check()
        return self._responder.models()[0]

    async def prepare(self, device: Device, turn: TurnRequest) -> PreparedTurn:
        """Do all that comes before the model.

        Raises:
            TooLargeError: too many messages.
            ViewError: the view policy, a view or the seal does not fit; nothing was stored.
            ModelUnavailableError, StoreError: that part cannot be used.
        """
        if len(turn.messages) > self._max_messages:
            raise TooLargeError("messages", self._max_messages)
        manner = _wordings(turn)
        model = await self.model()
        if turn.seal is not None:
            await asyncio.to_thread(self._seals.keep, device, turn.seal)
        if turn.writes and turn.scope is not None:
            await asyncio.to_thread(self._memories.add, device.id, turn.scope, turn.writes)
        opening: list[Started | MemoryUsed] = [Started(model=model.id)]
        recalled: tuple[FoundMemory, ...] = ()
        if turn.memory_read and turn.scope is not None:
            recalled = await asyncio.to_thread(
                self._memories.recall, device.id, turn.scope, turn.messages, RECALL_LIMIT
            )
        if recalled:
            opening.append(MemoryUsed(memories=tuple(MemoryId(memory.id) for memory in recalled)))
        return PreparedTurn(opening=tuple(opening), prompt=build_prompt(turn, recalled, manner))

    def answer(self, turn: PreparedTurn) -> AsyncIterator[AnswerPiece]:
        """Stream the answer; see `Responder.respond`."""
        return self._responder.respond(turn.prompt)


def _wordings(turn: TurnRequest) -> tuple[str, ...]:
    """Return how the model is to answer, in the order of the policy; a generic view says nothing."""
    policies = shipped_policies()
    policy = policies.get(turn.policy)
    if policy is None:
        raise PolicyMismatchError(shipped_policy().version)
    vocabulary = policy.vocabulary
    try:
        wordings = {released: vocabulary.expand(released) for released in turn.views}
    except PolicyError:
        raise UnknownViewError from None
    return tuple(wordings[each] for each in vocabulary.in_order(turn.views) if not vocabulary.is_generic(each))
