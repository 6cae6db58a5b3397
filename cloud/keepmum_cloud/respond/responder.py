"""The seam to a response model.

Every implementation passes `tests/responder_contract.py`.
"""

from collections.abc import AsyncIterator
from typing import Protocol

from keepmum_shared.messages import ContentDelta, Finished, ModelInfo, ToolCallDelta, Usage

from keepmum_cloud.respond.prompt import Prompt

AnswerPiece = ContentDelta | ToolCallDelta | Finished | Usage
"""Per choice its deltas, then its Finished, once; at the very end one Usage, unless a model server does not tell it."""


class Responder(Protocol):
    """Answers prompts. Holds nothing of a prompt once its answer has ended."""

    def models(self) -> tuple[ModelInfo, ...]:
        """Return the models, the one that answers first; none if `check` must load it before."""
        ...

    async def check(self) -> None:
        """Return if the model can answer now.

        Raises:
            ModelUnavailableError: it cannot; the message names the file or the server and the next step.
        """
        ...

    def respond(self, prompt: Prompt) -> AsyncIterator[AnswerPiece]:
        """Stream the answer. Closing the iterator stops the model's work.

        Raises:
            ModelError: while iterating, before the first piece or after some; an answer that ends without it is
            complete.
        """
        ...

    async def aclose(self) -> None:
        """Give the model's resources back; no answer is running."""
        ...
