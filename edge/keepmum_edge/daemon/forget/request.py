"""What the owner asks to have forgotten."""

import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from keepmum_edge.errors import InvalidRequestError

_LEAST_TEXT = 2

How = Literal["ids", "matching", "scope", "everything"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """Exactly one of these.

    Attributes:
        ids: Records (`mem_`) or turns (`turn_`).
        matching: A text: what holds it, whatever its case and width, and the private values that hold it.
        scope: Every record and conversation of a project.
        everything: Records, conversations, traces and values; the pairing and the settings stay.
    """

    ids: tuple[str, ...] = ()
    matching: str | None = field(default=None, repr=False)
    scope: str | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        given = (bool(self.ids), self.matching is not None, self.scope is not None, self.everything)
        if sum(given) != 1:
            raise InvalidRequestError("say what to forget: ids, matching, scope or everything, and one of them only")
        if self.matching is not None and not _is_enough(folded(self.matching)):
            raise InvalidRequestError(
                f"a text to match has at least {_LEAST_TEXT} characters, or is one that is a word by itself",
                param="matching",
            )

    @property
    def how(self) -> How:
        """Which of them it is."""
        if self.ids:
            return "ids"
        if self.matching is not None:
            return "matching"
        return "everything" if self.everything else "scope"


def folded(text: str) -> str:
    """Return a text as it is compared: NFKC, no case, single blanks, no marks without width."""
    if not text.isascii():
        text = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return " ".join(text.casefold().split())


def _is_enough(wanted: str) -> bool:
    """Say whether a text tells anything apart: one letter of an alphabet stands in nearly everything."""
    return len(wanted) >= _LEAST_TEXT or unicodedata.category(wanted or " ") in ("Lo", "So")
