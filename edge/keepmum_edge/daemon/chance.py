"""All chance that can show in what leaves this computer, as one value, so that a test can hold two profiles together.

Only the composition root (`daemon.app`) takes one; no setting, flag or variable reaches it. Keys are not here.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from keepmum_shared.ids import (
    ConversationId,
    MemoryId,
    ScopeKey,
    SessionKey,
    TurnId,
    new_conversation_id,
    new_memory_id,
    new_scope_key,
    new_session_key,
    new_turn_id,
)

from keepmum_edge.views.sampling import ByteSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """Where random things come from.

    Attributes:
        draws: Of views.
        nonces: Of signed requests.
        turn_id, conversation_id, memory_id, scope_key, session_key: Draw an opaque id.
    """

    draws: ByteSource = secrets.token_bytes
    nonces: ByteSource = secrets.token_bytes
    turn_id: Callable[[], TurnId] = new_turn_id
    conversation_id: Callable[[], ConversationId] = new_conversation_id
    memory_id: Callable[[], MemoryId] = new_memory_id
    scope_key: Callable[[], ScopeKey] = new_scope_key
    session_key: Callable[[], SessionKey] = new_session_key
