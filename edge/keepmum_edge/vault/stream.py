"""Restoring a text while it arrives, sans-IO: for every cut the joined output is that of the whole text.

What may be the beginning of a live token is held back, nothing else; `flush` gives the rest. One restorer serves one
text: one choice's content, or the arguments of one tool call.
"""

import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import quote

from keepmum_shared.placeholder import Placeholder

from keepmum_edge.errors import UnrestorableArgumentsError
from keepmum_edge.vault.address import AddressTracker
from keepmum_edge.vault.fence import FenceTracker
from keepmum_edge.vault.tolerant import PENDING, Encoding, Match, find_start, held_from, match_at


@dataclass(frozen=True, slots=True)
class Restorable:
    """A placeholder that becomes its value here."""

    surface: str = field(repr=False)
    json_number: bool = False


@dataclass(frozen=True, slots=True)
class Withheld:
    """A placeholder with a value that may not appear here."""


Lookup = Callable[[Placeholder], Restorable | Withheld | None]
"""What a placeholder becomes; None: nothing is known of it."""

Kind = Literal["text", "tool_arguments"]

_AFTER_VALUE: Final = re.compile(r'"\s{0,16}(?:[,}\]]|\Z)')
"""What follows a whole string that is a value; a key is followed by a colon and cannot be a number."""
_UNDECIDED: Final = re.compile(r'(?:"\s{0,16})?\Z')


class StreamRestorer:
    """Restores one text piece by piece.

    Args:
        kind: `tool_arguments` is JSON: values are written as JSON strings, and a withheld one is an error.
        addresses: Whether nothing is restored inside the addresses of links and images.
        tolerant: Whether forms other than `<TYPE_n>` are read.
    """

    def __init__(self, lookup: Lookup, *, kind: Kind = "text", addresses: bool = True, tolerant: bool = True) -> None:
        self._lookup = lookup
        self._is_json = kind == "tool_arguments"
        self._address = AddressTracker(in_json=self._is_json) if addresses else None
        self._tolerant = tolerant
        self._held = ""
        self._before = ""  # the last two characters of the model's text before what is held
        self._out: list[str] = []
        self._fences = FenceTracker()
        self._whole_string = False
        self.restored = 0
        self.unresolved: list[Placeholder] = []

    def feed(self, chunk: str) -> str:
        """Take the next piece and return what is certain now.

        Raises:
            UnrestorableArgumentsError: tool arguments hold a placeholder whose value may not stand there.
        """
        self._held += chunk
        return self._certain(final=False)

    def flush(self) -> str:
        """Return what is held back; the text ends here. Raises as `feed`; after that nothing is left."""
        return self._certain(final=True)

    def _certain(self, *, final: bool) -> str:
        try:
            self._drain(final=final)
        except UnrestorableArgumentsError:
            self._held = ""
            self._out.clear()
            raise
        out = "".join(self._out)
        self._out.clear()
        return out

    def _drain(self, *, final: bool) -> None:
        text, position = self._held, 0
        while (start := self._next(text, position)) >= 0:
            self._emit(text[position:start])
            position = start
            found = self._match(text, start, final=final)
            if found is PENDING:
                break
            if isinstance(found, Match):
                self._emit(text[position : found.start])
                position = self._replace(text, found)
            else:
                self._emit(text[start : start + 1])
                position = start + 1
        else:
            end = len(text) if final else self._held_from(text, position)
            self._emit(text[position:end])
            position = end
        self._before = (self._before + text[max(0, position - 2) : position])[-2:]
        self._held = text[position:]

    def _next(self, text: str, position: int) -> int:
        start = find_start(text, position)
        if self._is_json and start > position and text[start - 1 : start + 1] == '"<':
            return start - 1
        return start

    def _match(self, text: str, start: int, *, final: bool) -> object:
        """Read at `start`; in JSON a quote that opens before a token is read together with it."""
        before = self._before
        if text[start] != '"' or not self._is_json:
            return self._match_token(text, start, before, final=final)
        self._whole_string = False
        found = self._match_token(text, start + 1, before, final=final)
        if not isinstance(found, Match) or not found.is_exact:
            return found if found is PENDING else None
        answer = self._lookup(found.placeholder)
        escaped = (before + text[:start])[-1:] == "\\"
        if not isinstance(answer, Restorable) or not answer.json_number or escaped:
            return None
        if not final and _UNDECIDED.match(text, found.end) is not None:
            return PENDING
        if _AFTER_VALUE.match(text, found.end) is None:
            return None
        self._whole_string = True
        return Match(start, found.end + 1, found.placeholder, "plain", True)

    def _match_token(self, text: str, start: int, before: str, *, final: bool) -> object:
        exact_only = not self._tolerant or (self._fences.inside and not self._is_json)
        return match_at(text, start, before=before, final=final, exact_only=exact_only)

    def _held_from(self, text: str, position: int) -> int:
        start = held_from(text, position)
        if self._is_json and text.endswith('"') and len(text) > position:
            start = min(start, len(text) - 1)
        return start

    def _replace(self, text: str, found: Match) -> int:
        """Emit what the token becomes and return where it ends."""
        token = text[found.start : found.end]
        answer = self._lookup(found.placeholder)
        in_address = isinstance(answer, Restorable) and self._address is not None and self._address.inside
        if self._is_json and (isinstance(answer, Withheld) or in_address):
            raise UnrestorableArgumentsError(
                f"a tool call holds {found.placeholder}, whose value may not enter "
                f"{'a link' if in_address else 'the arguments of a tool'}; the call is withheld"
            )
        if isinstance(answer, Restorable) and not in_address:
            self.restored += 1
            self._emit(self._encoded(answer, found.encoding))
        else:
            if answer is None:
                self.unresolved.append(found.placeholder)
            self._emit(token)
        self._whole_string = False
        return found.end

    def _encoded(self, answer: Restorable, encoding: Encoding) -> str:
        """Write a value as its token was written, and always as JSON inside JSON."""
        value = answer.surface
        if self._is_json and self._whole_string:
            return value
        if encoding == "html":
            value = html.escape(value, quote=False).replace('"', "&quot;")
        elif encoding == "percent":
            value = quote(value, safe="")
        if self._is_json or encoding == "json":
            value = json.dumps(value, ensure_ascii=False)[1:-1]
        return value

    def _emit(self, shown: str) -> None:
        if not shown:
            return
        self._out.append(shown)
        self._fences.feed(shown)
        if self._address is not None:
            self._address.feed(shown)
