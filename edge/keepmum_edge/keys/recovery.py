"""The recovery key: 160 random bits that the owner writes down, in eight groups of four and a check group.

Written in Crockford's base32 (no I, L, O, U); read back whatever the case, with or without dashes and blanks, with O
for 0 and I or L for 1. The check group tells a mistyped recovery key from one of another profile.
"""

import hashlib
import re
from typing import Final

SECRET_BYTES: Final = 20
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUE: Final = {letter: value for value, letter in enumerate(_ALPHABET)}
_MISREAD: Final = str.maketrans("OIL", "011")
_SECRET_LETTERS: Final = 32
_CHECK_LETTERS: Final = 4


class MistypedError(ValueError):
    """Not a recovery key. Never quotes it."""


def format_recovery_key(secret: bytes) -> str:
    """Return the nine groups of a 20-byte secret.

    Raises:
        ValueError: the secret is not 20 bytes.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError("a recovery secret has 20 bytes")
    letters = _letters(int.from_bytes(secret, "big"), _SECRET_LETTERS) + _check(secret)
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def parse_recovery_key(text: str) -> bytes:
    """Return the secret of a recovery key as a person types it.

    Raises:
        MistypedError: too short, too long, a letter that is none, or the check group does not fit.
    """
    letters = re.sub(r"[\s\-‐-―]", "", text).upper().translate(_MISREAD)
    if len(letters) != _SECRET_LETTERS + _CHECK_LETTERS or not set(letters) <= _VALUE.keys():
        raise MistypedError("a recovery key has nine groups of four letters or digits")
    number = 0
    for letter in letters[:_SECRET_LETTERS]:
        number = number * 32 + _VALUE[letter]
    secret = number.to_bytes(SECRET_BYTES, "big")
    if letters[_SECRET_LETTERS:] != _check(secret):
        raise MistypedError("the last group does not fit the others")
    return secret


def _letters(number: int, count: int) -> str:
    return "".join(_ALPHABET[number >> 5 * i & 31] for i in reversed(range(count)))


def _check(secret: bytes) -> str:
    digest = hashlib.sha256(b"keepmum-recovery-check-1" + secret).digest()
    return _letters(int.from_bytes(digest[:3], "big") >> 4, _CHECK_LETTERS)
