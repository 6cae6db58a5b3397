"""What clients do to a text on its way round, and texts of memories to do it to; for properties."""

import html
import json
import textwrap
import urllib.parse
from collections.abc import Callable

from hypothesis import assume
from hypothesis import strategies as st
from keepmum_edge.daemon.block.canonical import canonical_text

MARK = "k7f3q2mz"

Wrap = Callable[[str], str]


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


def hard_wrapped(width: int) -> Wrap:
    """Broken at a column, whatever stands there."""
    return lambda text: "\n".join(text[i : i + width] for i in range(0, len(text), width))


def filled(width: int) -> Wrap:
    """Broken between words, as mail programs do, all in one paragraph."""
    return lambda text: textwrap.fill(text, width)


def in_json(text: str) -> str:
    return json.dumps({"title": "x", "messages": [{"content": text}]})


WRAPS: dict[str, Wrap] = {
    "as it is": lambda text: text,
    "quoted": quoted,
    "quoted twice": lambda text: quoted(quoted(text)),
    "filled at 60": filled(60),
    "filled and quoted": lambda text: quoted(filled(60)(text)),
    "hard at 60": hard_wrapped(60),
    "hard at 7": hard_wrapped(7),
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "old line ends": lambda text: text.replace("\n", "\r"),
    "line separators": lambda text: text.replace("\n", "\u2028"),
    "one line": lambda text: " ".join(text.split()),
    "html": html.escape,
    "html twice": lambda text: html.escape(html.escape(text)),
    "html with breaks": lambda text: html.escape(text).replace("\n", "<br/>\n"),
    "numbered html": lambda text: "".join(c if c.isascii() else f"&#{ord(c)};" for c in html.escape(text)),
    "json": in_json,
    "json in unicode": lambda text: json.dumps(text, ensure_ascii=False),
    "json twice": lambda text: json.dumps({"arguments": in_json(text)}),
    "html in json": lambda text: json.dumps(html.escape(text)),
    "url": urllib.parse.quote,
    "bold": lambda text: text.replace("- ", "- **").replace("\n", "**\n"),
    "a table": lambda text: "| " + text.replace("\n", " |\n| ") + " |",
    "indented": lambda text: textwrap.indent(text, "    "),
}
wraps = st.sampled_from(sorted(WRAPS))

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
canaries = st.text(alphabet=_LETTERS, min_size=9, max_size=9).map(lambda text: f"zq{text}")
_pieces = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "&",
            "<b>",
            "</b>",
            "a < b",
            "C:\\new\\table",
            "100%",
            "\\u4e2d",
            "&amp;",
            "我对花生过敏",
            "ﬁne",
            "Straße",
            "é",
        ]
    ),
    st.sampled_from(["---", "from this computer", "2026-03-01", "- ", "\n", '"', "’", "🙂"]),
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    """A memory's text with a planted word, and the word. The mark is never in it: `Blocks` sees to that."""
    canary = draw(canaries)
    before, after = draw(st.lists(_pieces, max_size=8)), draw(st.lists(_pieces, max_size=8))
    text = " ".join([*before, canary, *after])
    assume(MARK not in canonical_text(text))
    return text, canary
