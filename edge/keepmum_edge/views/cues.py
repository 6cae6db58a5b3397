"""Finding the words of a policy in a text: case, width and full-width forms do not count, placeholders are no words."""

import re
import unicodedata
from collections.abc import Iterable

from keepmum_shared.placeholder import EXACT


def folded(text: str) -> str:
    """Return the text as cues are looked for in it."""
    return unicodedata.normalize("NFKC", EXACT.sub(" ", text)).casefold()


class Cues:
    """A set of cues. A cue of Latin letters is a whole word, or the beginning of one if it ends in `*`."""

    def __init__(self, cues: Iterable[str]) -> None:
        stems = [(unicodedata.normalize("NFKC", cue.removesuffix("*")).casefold(), cue.endswith("*")) for cue in cues]
        latin = [
            _words(stem) + (r"[a-z0-9]*" if goes_on else r"(?![a-z0-9])") for stem, goes_on in stems if stem.isascii()
        ]
        patterns = [_words(stem) for stem, _ in stems if not stem.isascii()]
        if latin:  # one look behind for all of them: within a word nothing else is tried
            patterns.insert(0, rf"(?<![a-z0-9])(?:{'|'.join(latin)})")
        self._any = re.compile("|".join(patterns)) if patterns else None

    def distinct(self, text: str) -> int:
        """Return how many different words of a folded text are cues."""
        return 0 if self._any is None else len({found[0] for found in self._any.finditer(text)})

    def found(self, text: str) -> bool:
        """Say whether a folded text holds a cue."""
        return self._any is not None and self._any.search(text) is not None


def _words(stem: str) -> str:
    return r"\s+".join(map(re.escape, stem.split()))
