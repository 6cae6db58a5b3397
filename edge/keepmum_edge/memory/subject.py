"""Whose fact a clause tells: the owner's, another person's, or nobody's we know (pure).

A fact about another person is that person's. Pronouns stand for the person last named in the same message; one that
stands for nobody makes the clause unusable, since a stranger's fact would else become the owner's.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from keepmum_edge.memory.fact_forms_en import RELATIONS
from keepmum_edge.memory.fact_forms_zh import RELATIONS_ZH
from keepmum_edge.memory.record import SELF

_TOKEN: Final = r"<(?:NAME|USERNAME|MINOR)_\d+>"
_MY: Final = re.compile(
    rf"^my (?:[\w-]+ )?(?P<relation>{RELATIONS})(?:,? (?P<name>{_TOKEN}),?)?(?P<own>'s)?\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NAMED: Final = re.compile(rf"^(?P<name>{_TOKEN})(?P<own>'s)?\s+(?P<rest>\S.*)$", re.DOTALL)
_THEIRS: Final = re.compile(
    rf"^(?:his|her|their) (?P<relation>{RELATIONS})\s+(?P<rest>\S.*)$", re.IGNORECASE | re.DOTALL
)
_THEIR: Final = re.compile(r"^(?:his|her|their)\s+(?P<rest>\S.*)$", re.IGNORECASE | re.DOTALL)
_THEY: Final = re.compile(r"^(?:he|she|they)(?P<rest>(?:'s|'re)?\s+\S.*)$", re.IGNORECASE | re.DOTALL)
_MY_ZH: Final = re.compile(
    rf"^我(?:的|家)?(?P<relation>{RELATIONS_ZH})(?P<name>{_TOKEN})?(?P<own>的)?(?P<rest>\S.*)$", re.DOTALL
)
_NAMED_ZH: Final = re.compile(rf"^(?P<name>{_TOKEN})(?P<own>的)?(?P<rest>\S.*)$", re.DOTALL)
_THEIRS_ZH: Final = re.compile(rf"^(?:他|她)(?:的)?(?P<relation>{RELATIONS_ZH})(?P<rest>\S.*)$", re.DOTALL)
_THEY_ZH: Final = re.compile(r"^(?:他们?|她们?)(?P<own>的)?(?P<rest>\S.*)$", re.DOTALL)
_FIRST: Final = re.compile(r"^(?:i|i'\w+|my|mine|we|we'\w+|our|me)\b|^(?:我|咱)", re.IGNORECASE)
_VERBS: Final = {"is": "am", "'s": "am", "are": "am", "'re": "am", "has": "have", "does": "do", "was": "was"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A clause and whose it is.

    Attributes:
        subject: SELF, or words for another person.
        text: The clause with pronouns at its start replaced.
        as_own: The same as if the owner told it of himself, for looking up its form.
    """

    subject: str = field(repr=False)
    text: str = field(repr=False)
    as_own: str = field(repr=False)


def told_by(clause: str, antecedent: str | None, *, chinese: bool) -> Told | None:
    """Return whose clause it is, or None if nobody known.

    Args:
        antecedent: The person last named, whom a pronoun stands for.
    """
    return _chinese(clause, antecedent) if chinese else _english(clause, antecedent)


def _english(clause: str, antecedent: str | None) -> Told | None:
    for pattern in (_MY, _NAMED):
        if found := pattern.match(clause):
            groups = found.groupdict()
            subject = groups["name"] or groups["relation"].lower()
            return Told(subject=subject, text=clause, as_own=_first_person(groups["rest"], owned=bool(groups["own"])))
    if antecedent is not None:
        if found := _THEIRS.match(clause):
            subject = f"{antecedent}'s {found['relation'].lower()}"
            return Told(
                subject=subject, text=f"{subject} {found['rest']}", as_own=_first_person(found["rest"], owned=False)
            )
        if found := _THEIR.match(clause):
            return Told(subject=antecedent, text=f"{antecedent}'s {found['rest']}", as_own=f"my {found['rest']}")
        if found := _THEY.match(clause):
            rest = found["rest"]
            return Told(subject=antecedent, text=f"{antecedent}{rest}", as_own=_first_person(rest.strip(), owned=False))
    if _THEY.match(clause) or _THEIR.match(clause):
        return None
    return Told(subject=SELF, text=clause, as_own=clause)


def _chinese(clause: str, antecedent: str | None) -> Told | None:
    for pattern in (_MY_ZH, _NAMED_ZH):
        if found := pattern.match(clause):
            groups = found.groupdict()
            own = "我的" if groups["own"] else "我"
            return Told(subject=groups["name"] or groups["relation"], text=clause, as_own=own + groups["rest"])
    if found := _THEIRS_ZH.match(clause):
        if antecedent is None:
            return None
        subject = f"{antecedent}的{found['relation']}"
        return Told(subject=subject, text=subject + found["rest"], as_own="我" + found["rest"])
    if found := _THEY_ZH.match(clause):
        if antecedent is None:
            return None
        own = found["own"] or ""
        return Told(subject=antecedent, text=antecedent + own + found["rest"], as_own="我" + own + found["rest"])
    return Told(subject=SELF, text=clause, as_own=clause)


def is_first_person(clause: str) -> bool:
    """Say whether the owner speaks of himself, or of what is his."""
    return _FIRST.match(clause) is not None


def _first_person(predicate: str, *, owned: bool) -> str:
    if owned:
        return f"my {predicate}"
    verb, _, rest = predicate.partition(" ")
    lower = verb.lower()
    if lower in _VERBS:
        own = _VERBS[lower]
    elif lower in ("always", "usually", "often", "never", "really", "also", "still", "now", "just", "currently"):
        return f"I {verb} {_first_person(rest, owned=False)[2:]}" if rest else f"I {verb}"
    elif lower.endswith("ies"):
        own = f"{verb[:-3]}y"
    elif lower.endswith(("shes", "ches", "sses", "goes")):
        own = verb[:-2]
    else:
        own = verb[:-1] if lower.endswith("s") and not lower.endswith("ss") else verb
    return f"I {own} {rest}".rstrip()
