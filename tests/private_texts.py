"""Texts with given private spans, Hypothesis strategies for hard texts, and a vault round trip."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from hypothesis import strategies as st
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers, ProfileNumbers
from keepmum_edge.vault.pseudonymise import Masked, MaskSettings, pseudonymise
from keepmum_edge.vault.restore import Lookup, Restorable
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType, default_level

TYPES = [entity_type for entity_type in EntityType if entity_type not in NOT_A_LEVEL]

FORMS = (
    "<{t}_{n}>",
    "<{t}_{n}",
    "{t}_{n}>",
    "{t}_{n}",
    "[{t}_{n}]",
    "{{{t}_{n}}}",
    "【{t}_{n}】",
    "«{t}_{n}»",
    "‹{t}_{n}›",
    "＜{t}_{n}＞",
    "《{t}_{n}》",
    "〔{t}_{n}〕",
    "< {t}_{n} >",
    "<{t}_ {n}>",
    "<{t} _{n}>",
    "<{t}_\n{n}>",
    "<\r\n{t}_{n}>",
    "<{t}\\_{n}>",
    "{t}\\_{n}",
    "&lt;{t}_{n}&gt;",
    "&#60;{t}_{n}&#x3e;",
    "&LT;{t}_{n}&GT;",
    "\\u003c{t}_{n}\\u003e",
    "%3C{t}_{n}%3E",
    "%3c{t}%5F{n}%3e",
    "<{t}_0{n}>",
    "<{t}_00{n}>",
    "<{t}_{n}]",
    "[{t}_{n}>",
    "&lt;{t}_{n}",
    "{t}_{n}&gt;",
    "[{t}_{n}](x)",
    "({t}_{n})",
    "</{t}_{n}>",
    "<{t}_{n}/>",
    "`{t}_{n}`",
    "_{t}_{n}_",
    "<{t}＿{n}>",
    "{t}＿{n}",
)
"""Every form that is read as a placeholder, and some neighbours that are not."""

FRAGMENTS = (
    "<",
    ">",
    "_",
    "\\",
    "&",
    "&l",
    "&lt;",
    "&gt;",
    "&#",
    "\\u00",
    "\\u003c",
    "%3",
    "%3C",
    "%3E",
    "1",
    "01",
    "0",
    "NAME",
    "NAME_",
    "NAM",
    "name_",
    "N",
    "IP_ADDRESS_",
    "IP_",
    "EMAIL_1",
    "]",
    "[",
    "](",
    "```",
    "~~~\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\u3000",
    "\u00a0",
    "，",
    "王芳",
    "e\u0301",
    "\u202eabc\u202c",
    "שלום",
    "مرحبا",
    "👩‍👩‍👧",
    "🇨🇭",
    "\u200b",
    "\0",
    "\ufeff",
    "ﬁ",
    "ß",
    "a",
    "Z",
    "9",
    "-",
    "/",
    "@",
    ".",
    "'",
    '"',
    "https://a.example/",
    "＜",
    "＞",
    "ＮＡＭＥ＿１",
    "ａ",
    "＿",
    "\U0010ffff",
)


@st.composite
def _literals(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(["NAME", "EMAIL", "IP_ADDRESS", "DATE_OF_BIRTH", "LITERAL", "DETAIL", "PIN"]))
    name = draw(st.sampled_from([name, name, name.lower(), name.title(), _wide(name)]))
    number = draw(st.sampled_from(["1", "2", "10", "100001", "9999999", "10000000", "0", "１"]))
    return draw(st.sampled_from(FORMS)).format(t=name, n=number)


def _wide(name: str) -> str:
    return "".join(chr(ord(character) + 0xFEE0) for character in name)


hard_texts = st.lists(
    st.one_of(_literals(), st.sampled_from(FRAGMENTS), st.text(st.characters(exclude_categories=["Cs"]), max_size=4)),
    max_size=12,
).map("".join)
"""Anything that comes near a placeholder, in all scripts; no lone surrogates."""


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, tuple[PrivateSpan, ...]]:
    """A hard text and spans of several types that do not overlap."""
    text = draw(hard_texts)
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(borders[::2], borders[1::2], strict=False)
    return text, tuple(span(text, start, end, draw(st.sampled_from(TYPES))) for start, end in pairs)


def span(text: str, start: int, end: int, entity_type: EntityType) -> PrivateSpan:
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=entity_type,
        level=default_level(entity_type),
        source="given",
        certainty=100,
        surface=text[start:end],
    )


def spans_of(text: str, values: Iterable[tuple[str, EntityType]]) -> tuple[PrivateSpan, ...]:
    """Every occurrence of the values; of two that overlap the one that is given first."""
    found: list[PrivateSpan] = []
    for value, entity_type in values:
        start = text.find(value)
        while start >= 0:
            end = start + len(value)
            if not any(other.start < end and start < other.end for other in found):
                found.append(span(text, start, end, entity_type))
            start = text.find(value, end)
    return tuple(sorted(found, key=lambda s: s.start))


@dataclass(kw_only=True)
class Desk:
    """One conversation and its profile."""

    profile_scope: bool = True
    incognito: bool = False
    settings: MaskSettings = field(default_factory=MaskSettings)
    profile: ProfileNumbers = field(default_factory=MemoryProfileNumbers)

    def __post_init__(self) -> None:
        self.vault = ConversationVault(profile_scope=self.profile_scope, volatile_all=self.incognito)

    def mask(self, text: str, spans: Iterable[PrivateSpan] = (), origin: Origin = Origin.OWNER) -> Masked:
        return pseudonymise(text, tuple(spans), self.vault, origin=origin, profile=self.profile, settings=self.settings)

    def lookup(self, placeholder: Placeholder) -> Restorable | None:
        binding = self.vault.get(placeholder)
        return None if binding is None else Restorable(binding.surface, binding.json_number)


def lookup_in(values: dict[str, str]) -> Lookup:
    """What a map of exact tokens restores."""
    return lambda placeholder: Restorable(values[str(placeholder)]) if str(placeholder) in values else None
