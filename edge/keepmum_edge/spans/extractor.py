"""The protocol of everything that finds private spans: the rules, the trained model, both together (`shipped`)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Final, Protocol

from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.span import PrivateSpan

WHAT_IS_MISSED: Final = (
    "names, addresses, health and the like in free text are found by a trained model, which misses some; "
    "`keepmum preview` shows what is masked"
)
"""Said wherever people could take masking for more than it is."""


Cancelled = Callable[[], bool]
"""Asked now and then, from the reading thread, whether the reading has become useless."""


class TextKind(Enum):
    """What a text is, as far as reading it differs.

    PROSE        anything that somebody wrote, also a document of JSON
    ARGUMENTS    the same, but the keys of the document must stay: a tool reads them
    DEFINITION   the same, and every single word must stay; it comes with every request: the definition of a tool
    WORD         an identifier or one word of a document that is read as a whole too: nothing stands around it that a
                 model could go by, so that only its form counts
    """

    PROSE = 1
    ARGUMENTS = 2
    DEFINITION = 3
    WORD = 4


class SpanExtractor(Protocol):
    """Finds private spans in one text. Synchronous and compute-bound: call it from a worker thread, or several.

    Every implementation passes the contract in `tests/edge/spans/test_extractor_contract.py`.
    """

    @property
    def model_id(self) -> str:
        """Name and version of the rules, or name and SHA-256 of the weights."""
        ...

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        """Return spans sorted by `start`, not overlapping; the whole text is read, however long.

        Raises:
            ExtractorUnavailableError: the extractor failed or was cancelled; never a partial result.
        """
        ...


def stop_if(cancelled: Cancelled | None) -> None:
    """Raise ExtractorUnavailableError if the reading is cancelled."""
    if cancelled is not None and cancelled():
        raise ExtractorUnavailableError("the reading was cancelled", "Ask again.")


@contextmanager
def fail_closed(part: str) -> Iterator[None]:
    """Turn whatever goes wrong inside into ExtractorUnavailableError: a text that was not wholly read is not sent.

    Args:
        part: What reads, in words: "the span rules".
    """
    try:
        yield
    except ExtractorUnavailableError:
        raise
    except Exception:  # noqa: BLE001 - libraries have errors of their own, and each would stand for a text half read
        # The cause may quote the text, so it is not kept.
        raise ExtractorUnavailableError(f"{part} failed on this text", "Please report it, without the text.") from None
