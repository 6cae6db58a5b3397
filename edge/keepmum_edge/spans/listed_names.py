"""Given and family names that a list knows: where the model half believes in one, the list settles it.

The list alone would mask too much (Paris, Jordan and Chelsea are people too), so a listed word counts only where the
model gives it some chance to be a name (`LEAST`), and in lower case only where nobody writes capitals. Of faker's and
mimesis' tables of names of some eighty countries, made by `python -m keepmum_models names`.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from keepmum_inference.hysteresis import Expected
from keepmum_shared.taxonomy import EntityType

from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.spellings import has_no_capitals

LIST_ID: Final = "names-3"
"""Changes whenever the list, or when it counts, does."""
SHIPPED: Final = Path(__file__).with_name("listed_names.txt.gz")
LEAST: Final = 0.02
"""Probability from which a listed word with a capital is a name: some fifty times what other words have."""
_LEAST_PLAIN: Final = 0.16
"""The same in small letters or in capitals throughout: the one capital is half of what makes a word a name."""
_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+(?:['’-][A-Za-z\u00c0-\u024f\u1e00-\u1eff]+)*")
_SHORTEST: Final = 3


@cache
def shipped_names() -> frozenset[str]:
    """Read the list, once; lower case.

    Raises:
        ExtractorUnavailableError: the file is missing or damaged.
    """
    try:
        return frozenset(gzip.decompress(SHIPPED.read_bytes()).decode().split())
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        raise ExtractorUnavailableError("the list of names cannot be read", "Install Keepmum again.") from None


def expected_names(reading: Reading, names: frozenset[str]) -> Iterator[Expected]:
    """Yield the words of a reading that are on the list, in order."""
    text = reading.text
    for word in _WORD.finditer(text):
        start, end = word.span()
        if end - start < _SHORTEST or word[0].lower().replace("’", "'") not in names:
            continue
        if not (word[0].islower() or word[0].isupper()):
            yield Expected(start, end, EntityType.NAME, LEAST)
        elif word[0].isupper() or has_no_capitals(text, start, end):
            yield Expected(start, end, EntityType.NAME, _LEAST_PLAIN)
