"""What tells one state of a memory at the cloud from another, so that both halves can compare without a text (pure).

A cloud half that was set back to an older copy holds what was forgotten, lacks what came later, and says what was
corrected since. Importance and trust are no part of it: the edge may raise them without telling the cloud.
"""

import hashlib
from typing import Final

from keepmum_shared.codec import canonical_json
from keepmum_shared.ids import ScopeKey

INSTANCE: Final = "x-keepmum-instance"
"""Header of every response: drawn anew at each start of a cloud half, so that its edges know when to compare again."""


def held_digest(scope: ScopeKey, text: str, valid_from: int | None, valid_to: int | None) -> str:
    """Return the digest of a memory as it is held: 32 hexadecimal digits."""
    state = canonical_json([scope, text, valid_from, valid_to])
    return hashlib.sha256(f"keepmum-held-1\n{state}".encode()).hexdigest()[:32]
