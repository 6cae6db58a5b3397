"""Whether a question is about what was, so that facts which hold no longer may answer it (pure)."""

import re
from typing import Final

_PAST: Final = re.compile(
    r"\b(?:used to|formerly|previously|originally|earlier|no longer|before (?:i|we|that|this)|in the past|back then"
    r"|any ?more|old(?:er)? (?:address|job|name|number|flat|house|employer|phone|doctor|preference))\b"
    r"|以前|之前|曾经|原来|过去|当时|从前|不再",
    re.IGNORECASE,
)


def asks_about_the_past(text: str) -> bool:
    """Say whether a text has words for what was and may be no more, in English or Chinese."""
    return _PAST.search(text) is not None
