"""Opaque identifiers: random, never a hash of a value, so that an id tells nothing of what it names.

Form: a word for the kind, `_`, and 26 characters of base32 (130 bits), for example `turn_4q...`.
"""

import re
import secrets
from typing import Final, NewType

TurnId = NewType("TurnId", str)
MemoryId = NewType("MemoryId", str)
DeviceId = NewType("DeviceId", str)
ScopeKey = NewType("ScopeKey", str)
ConversationId = NewType("ConversationId", str)
SessionKey = NewType("SessionKey", str)

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
_FORM: Final = re.compile(r"(turn|mem|dev|scope|conv|sess)_[a-z2-7]{26}")


def _new(kind: str) -> str:
    return kind + "_" + "".join(secrets.choice(_ALPHABET) for _ in range(26))


def new_turn_id() -> TurnId:
    """Draw an id for one turn."""
    return TurnId(_new("turn"))


def new_memory_id() -> MemoryId:
    """Draw an id for one memory record."""
    return MemoryId(_new("mem"))


def new_device_id() -> DeviceId:
    """Draw an id for one paired edge."""
    return DeviceId(_new("dev"))


def new_scope_key() -> ScopeKey:
    """Draw a key under which the cloud keeps the memories of one scope apart."""
    return ScopeKey(_new("scope"))


def new_conversation_id() -> ConversationId:
    """Draw an id for one conversation; it never leaves the edge."""
    return ConversationId(_new("conv"))


def new_session_key() -> SessionKey:
    """Draw a key by which the cloud knows which memories belong together; not the conversation's id."""
    return SessionKey(_new("sess"))


def is_id(text: str, kind: str) -> bool:
    """Say whether the text has the form of an id of that kind."""
    return _FORM.fullmatch(text) is not None and text.startswith(kind + "_")
