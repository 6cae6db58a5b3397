"""Addresses that lead to no server, and so may hold a value: `mailto:` and `tel:` (design section 5)."""

from typing import Final

_HARMLESS: Final = ("mailto:", "tel:")
LONGEST: Final = max(map(len, _HARMLESS))
"""Characters of an address that decide."""


def is_harmless(address: str) -> bool | None:
    """Say whether an address of which at least the beginning is known may hold a value; None: too short to say."""
    begin = address.lstrip(" \t\n\r\f\v")[:LONGEST].lower()
    if begin.startswith(_HARMLESS):
        return True
    return None if any(scheme.startswith(begin) for scheme in _HARMLESS) else False
