"""Names in Latin letters in a form that leaves no doubt: beside a mail address, titled, said, greeted, signed."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.name_forms import FULL_NAME, LOWER, NAME, TITLED, UPPER, WORD, is_name, kept_length

_BEFORE: Final = rf"(?<![{UPPER}{LOWER}0-9_'’-])"
_END: Final = r"(?=[ \t]*(?:[,.!?;:)(\n\r\"]|$|[-/|] )|,? (?:and|from|at|with|here|but|speaking|calling|writing) )"
_LINE_END: Final = r"(?=[ \t]{0,4}(?:[\n\r]|$))"

_MAILED: Final = re.compile(
    rf"{_BEFORE}({NAME})(?:[\"']? ?<|[\"']? ?\(|, | - |: |\]\()(?:mailto:)?([\w.+%-]{{1,64}})@[\w-]"
)
_TITLED: Final = re.compile(
    rf"{_BEFORE}(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|Mme|Mlle)\.? (?:Dr\. ?(?:med\. ?)?)?|(?:Doctor"
    rf"|Professor|Madame|Monsieur|Señora?|Doña?) )({TITLED})"
)
_GERMAN: Final = re.compile(
    rf"{_BEFORE}(?:Herrn?|Frau) (?:Prof\. ?)?(?:Dr\. ?)?({WORD}(?: {WORD}(?=[,.)\n]|$| und ))?)"
)
_SAID: Final = re.compile(
    rf"{_BEFORE}(?:(?:[Mm]y|[Hh]er|[Hh]is) (?:full |legal |real )?name(?: is|['’]s|:) ({NAME})"
    rf"|[Yy]our name\? ({NAME})|[Mm]i nombre es ({NAME})|[Mm]e llamo ({NAME})"
    rf"|[Jj]e m['’]appelle ({NAME})|[Ii]ch hei(?:ß|ss)e ({NAME})"
    rf"|[Mm]ein Name ist ({NAME})"
    rf"|(?:[Cc]all|[Cc]alls) me ({WORD}){_END})"
)
_PRESENTED: Final = re.compile(rf"{_BEFORE}(?:[Ii] am|[Ii]['’]m|[Tt]his is) ({FULL_NAME}){_END}")
_RELATED: Final = re.compile(
    rf"{_BEFORE}(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er)(?: (?:older|younger|elder|little|big|late"
    rf"|eldest|youngest|best|ex|twin|step))?[ -]"
    r"(?:brother|sister|mother|father|mom|mum|dad|wife|husband|son|daughter|uncle|aunt"
    r"|cousin|girlfriend|boyfriend|fianc[ée]e?|friend"
    r"|neighbou?r|boss|colleague|coworker|co-worker|roommate|flatmate|housemate|grandmother"
    r"|grandfather|grandma|grandpa|grandson"
    r"|granddaughter|nephew|niece|therapist|landlord|landlady|stepson|stepdaughter"
    r"|brother-in-law|sister-in-law|mother-in-law"
    rf"|father-in-law),? (?:is (?:called|named) |named |called )?({NAME})"
)
_GREETED: Final = re.compile(
    rf"(?:^|[\n\"])[ \t>]{{0,4}}(?:(?:Hi|Hello|Hey|Dear|Hola|Bonjour|Hallo|Liebe[r]?|Cher"
    rf"|Chère)(?: again)?,? ({NAME})(?=[ \t]?[,!:][ \t]{{0,4}}(?:\n|\r|$))"
    rf"|(?:Hi|Hello|Dear|Hey) ({FULL_NAME})[,!:]|Dear ({WORD}),)"
)
_SIGNED: Final = re.compile(
    r"(?:(?:[Rr]egards|[Ss]incerely(?: yours)?|[Cc]heers|[Tt]hanks|[Tt]hank you"
    r"|[Bb]est(?: wishes)?|[Yy]ours (?:truly|sincerely|faithfully)"
    r"|Love|Grüße|Mit freundlichen Grüßen|Viele Grüße|Cordialement"
    r"|Saludos)[ \t]?[,!.]?[ \t]{0,4}\r?\n\s{0,8}|\n--[ \t]?\r?\n)"
    rf"({NAME}){_LINE_END}"
)
_LABELLED: Final = re.compile(
    r"(?:^|[\n,;|({>\"'-])[ \t*\"']{0,8}(?:Name|(?:[Ff]ull|[Ff]irst|[Ll]ast|[Cc]ustomer"
    r"|[Pp]atient|[Cc]ontact|[Rr]ecipient|[Cc]lient"
    r"|[Ee]mployee|[Cc]ardholder|[Aa]pplicant|[Ll]egal)['’s]{0,2}[ _]?[Nn]ame|[Ss]urname"
    r"|[Pp]atient|[Cc]ontact [Pp]erson|[Aa]ttn|ATTN"
    r"|[Cc]ardholder|[Rr]ecipient|[Aa]uthor|[Cc]ommitter|[Ss]igned-off-by|[Cc]o-authored-by"
    r"|Co-Authored-By|Nom|Nombre|Nachname|Vorname)"
    rf"[\"'*]{{0,3}}[ \t]?[:=][ \t*\"']{{0,4}}({NAME})(?=[ \t]{{0,4}}(?:[,;|)}}\"'*\n\r<(.]|$))"
)
_IRISH: Final = re.compile(rf"{_BEFORE}({WORD} (?:O['’][{UPPER}]|Mc[{UPPER}])[{LOWER}]+)(?![{UPPER}{LOWER}0-9])")
_WROTE: Final = re.compile(
    rf"{_BEFORE}({FULL_NAME}) (?:e-?mailed|replied|texted|phoned|messaged|signed(?= ?[;,.:]"
    rf"| the| it)|called me|told me|asked me)(?![a-z])"
)
_PAID: Final = re.compile(
    rf"(?:[Pp]aga|[Ll]lama|[Ee]scribe|[Ee]scríbele|[Ee]nvía|[Mm]anda|[Aa]visa|[Dd]ile"
    rf"|[Pp]agar|[Ll]lamar|[Ee]scribir) a ({FULL_NAME})"
)

_TITLES: Final = ("Dr", "Mr", "Ms", "Mx", "Prof", "Doctor", "Mme", "Mlle", "Madame", "Mons", "Señ", "Doñ")
_SAYING: Final = (
    "name",
    "nombre",
    "llamo",
    "appelle",
    "hei",
    "Name",
    "am ",
    "’m ",
    "'m ",
    "his is",
    "alls me",
    "all me",
)
_OWNERS: Final = ("my ", "My ", "our ", "Our ", "his ", "her ", "His ", "Her ")
_GREETINGS: Final = ("Hi", "He", "Dear", "Hola", "Bon", "Hallo", "Lieb", "Ch")
_SPANISH: Final = tuple(f"{end} a " for end in ("ga", "ma", "be", "ele", "ía", "da", "sa", "ile", "ar", "ir"))
_DEEDS: Final = ("mailed", "replied", "texted", "phoned", "messaged", "signed", "called me", "told me", "asked me")

_FORMS: Final[tuple[tuple[tuple[str, ...], re.Pattern[str], str, bool], ...]] = (
    (_TITLES, _TITLED, "name-title", False),
    (("Herr", "Frau"), _GERMAN, "name-title", False),
    (_SAYING, _SAID, "name-said", False),
    (("am ", "’m ", "'m ", "his is"), _PRESENTED, "name-said", True),
    (_OWNERS, _RELATED, "name-relation", False),
    (_GREETINGS, _GREETED, "name-greeting", True),
    (("\n",), _SIGNED, "name-signature", True),
    ((":", "="), _LABELLED, "name-label", True),
    (("O'", "O’", "Mc"), _IRISH, "name-form", True),
    (_DEEDS, _WROTE, "name-verb", True),
    (_SPANISH, _PAID, "name-verb", True),
)
"""Literals of which one must occur; the pattern; its source; whether the whole of what it matched must be a name."""


def find_people(reading: Reading) -> Iterator[Finding]:
    """Names in a form that says so. A title stays outside; a name ends before a word that is none."""
    text = reading.text
    if text.islower():
        return
    if "@" in text:
        yield from _beside_mail(text)
    for hints, pattern, source, whole in _FORMS:
        if not any(map(text.__contains__, hints)):
            continue
        for found in pattern.finditer(text):
            start, end = found.span(found.lastindex or 0)
            if whole and not is_name(text[start:end]):
                continue
            end = start + kept_length(text[start:end])
            if end > start:
                yield Finding(start, end, EntityType.NAME, CONTEXT, source)


def _beside_mail(text: str) -> Iterator[Finding]:
    """A name right before an address whose local part holds one of its words, or in angle brackets two words."""
    for found in _MAILED.finditer(text):
        name, local = found[1], _plain(found[2])
        if not is_name(name):
            continue
        alike = any(len(word) >= 2 and word in local for word in re.split(r"[ '’.-]+", _plain(name)))
        if alike or (" " in name and "<" in text[found.end(1) : found.start(2)]):
            yield Finding(found.start(1), found.end(1), EntityType.NAME, FORMED, "name-mail")


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
