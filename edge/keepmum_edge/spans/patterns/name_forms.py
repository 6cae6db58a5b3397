"""What a personal name in Latin letters looks like, and the capitalised words that are none."""

import re
from typing import Final

_LETTERS: Final = [chr(code) for code in (*range(0xC0, 0x250), *range(0x370, 0x530)) if chr(code).isalpha()]
UPPER: Final = "A-Z" + "".join(letter for letter in _LETTERS if letter.isupper())
LOWER: Final = "a-z\u0300-\u036f" + "".join(letter for letter in _LETTERS if letter.islower())
EDGE: Final = rf"(?![{UPPER}{LOWER}0-9_])"
"""No letter or digit follows."""
WORD: Final = rf"[{UPPER}](?:['’][{UPPER}])?[{LOWER}]+(?:[{UPPER}][{LOWER}]+)?(?:-[{UPPER}][{LOWER}]+){{0,2}}{EDGE}"
_PARTICLE: Final = r"(?:van der|van den|van|von|de la|de|del|da|di|dos|du|bin|ibn|al|ter|zu)"
_NEXT: Final = rf"(?: {_PARTICLE})?(?: [{UPPER}]\.)? {WORD}"
NAME: Final = rf"{WORD}(?:{_NEXT}){{0,3}}"
"""One to four capitalised words, with particles and initials between."""
TITLED: Final = rf"(?:{_PARTICLE} )?(?:[{UPPER}]\. ?)?{NAME}"
FULL_NAME: Final = rf"{WORD}(?:{_NEXT}){{1,3}}"

NO_NAME: Final = frozenset(
    """
    diary world internet universe journal santa minecraft fortnite roblox joke jokes lego tesla toyota honda using groot
    herr frau monsieur madame mme señor señora darcy bennet gatsby dracula sherlock batman
    there all everyone everybody team folks guys friend friends sir madam sirs ladies gentlemen customer service
    support hiring manager committee colleague colleagues member members user users admin administrator info
    sales help desk office bot assistant noreply reply department staff editor recruiter concern community group
    crew board council bank school hospital clinic university college inc ltd llc gmbh corp corporation company
    co plc foundation institute association agency airlines hotel store shop jenkins github gitlab google apple
    amazon microsoft siri alexa cortana claude chatgpt gemini copilot openai anthropic slack jira facebook
    twitter instagram whatsapp youtube netflix spotify paypal ebay uber zoom linux windows android iphone ubuntu
    docker python java javascript excel word outlook gmail drive teams notion figma dependabot renovate travis
    actions printer scanner laser sewing machine robot martens pepper bean doubtfire clean marvel dre who
    strange evil phil seuss oz watson holmes bond potter arial black helvetica times roman courier verdana
    georgia comic sans serif bold italic light regular mono monday tuesday wednesday thursday friday saturday
    sunday january february march april may june july august september october november december today tomorrow
    yesterday tonight later back soon maybe now morning afternoon evening night christmas easter new year happy
    sad sorry sure fine ready tired here home done not just very so also still really glad good great bad okay
    ok yes no lucky legend iron man the a an and or but if in on at of for to from with by as is was are my your
    his her our their this that these those i you he she it we they me us what when where why how please thanks
    thank best kind warm regards cheers dear hi hello hey subject date senior junior lead chief head software
    product project program data engineer engineering developer director officer president vice ceo cto cfo
    designer analyst scientist doctor nurse teacher student professor lawyer consultant intern accountant mr mrs
    ms dr prof american african asian european british english french german spanish italian chinese japanese
    korean indian mexican canadian australian irish scottish dutch swedish russian turkish arab jewish muslim
    christian catholic buddhist hindu orthodox protestant north south east west united kingdom states republic
    city street road avenue house party open source learning artificial intelligence internal external human
    resources public private general first last full middle name title type file test demo example sample
    unknown none null true false default premium basic free pro plus order invoice number id account address
    phone email
    """.split()  # noqa: SIM905
)
"""Words, lower case, that are not (or too rarely) part of a name."""

_WORDS: Final = re.compile(rf"[{UPPER}{LOWER}]+(?:['’][{UPPER}{LOWER}]+)?")


def kept_length(name: str) -> int:
    """Return how much of a matched name to keep: up to its first word that is none; 0 where nothing is left."""
    kept = 0
    for word in _WORDS.finditer(name):
        low = word[0].lower()
        if low in NO_NAME and word[0][0].isupper():
            break
        if word[0][0].isupper():
            kept = word.end()
    return kept


def is_name(name: str) -> bool:
    """Whether no word of a matched name is known to be another word."""
    return kept_length(name) == len(name) and not name.endswith("ing")
