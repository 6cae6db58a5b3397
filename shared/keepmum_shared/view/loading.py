"""Reading a policy file. Whatever is unknown, missing, twice or of the wrong type is refused with words.

The digest is taken over the canonical content, so comments and blanks in the file do not count.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from keepmum_shared.codec import canonical_json, decode, encode
from keepmum_shared.errors import WireError
from keepmum_shared.taxonomy import EntityType
from keepmum_shared.view.budget import Odds, PolicyError
from keepmum_shared.view.layout import Attribute, AttributeId, Layout, Slot, SlotId
from keepmum_shared.view.policy import Policy
from keepmum_shared.view.vocabulary import Facet, FacetId, Topic, TopicId, View, ViewId, Vocabulary

SHIPPED: Final = ("policy-1.toml",)
"""Every policy that was ever shipped, oldest first: an edge keeps its old one until its period ends."""
MAX_FILE: Final = 1 << 20
"""Characters of a policy file."""
_ID: Final = re.compile(r"[a-z0-9_]{1,64}")
"""Of an attribute, a slot or a facet; those of topics and views have a length of their own (`vocabulary`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    facet: FacetId
    epsilon: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attribute:
    id: AttributeId
    label: str
    cap: int
    lifetime_cap: int
    planned: int
    cues: tuple[str, ...]
    types: tuple[EntityType, ...] = ()
    shares: tuple[_Share, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slot:
    id: SlotId
    label: str
    capacity: int
    attributes: tuple[AttributeId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Topic:
    id: TopicId
    cues: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    topics: tuple[TopicId, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    id: ViewId
    name: str
    cues: tuple[str, ...] = ()
    wordings: tuple[_Wording, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facet:
    id: FacetId
    slot: SlotId
    odds: tuple[int, ...] = ()
    views: tuple[_View, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    version: int
    tau: int
    period_days: int
    first_period_days: int
    selections: int
    attributes: tuple[_Attribute, ...]
    slots: tuple[_Slot, ...]
    topics: tuple[_Topic, ...]
    facets: tuple[_Facet, ...]
    retired: tuple[AttributeId, ...] = ()


def load_policy(text: str) -> Policy:
    """Read and check a policy file (TOML).

    Raises:
        PolicyError: saying what is wrong where.
    """
    if len(text) > MAX_FILE:
        raise PolicyError("the policy file is too long")
    try:
        file = decode(_File, canonical_json(tomllib.loads(text)))
    except (tomllib.TOMLDecodeError, RecursionError):
        raise PolicyError("the policy file is not valid TOML") from None
    except WireError as error:
        raise PolicyError(str(error)) from None
    except (TypeError, ValueError):  # a date; a number of thousands of digits
        raise PolicyError("the policy file holds a value that is neither text nor a usable whole number") from None
    return _policy(file)


def shipped_policy() -> Policy:
    """Return the newest policy of this distribution."""
    return _shipped(SHIPPED[-1])


def shipped_policies() -> dict[str, Policy]:
    """Return every policy of this distribution by digest."""
    return {policy.digest: policy for policy in map(_shipped, SHIPPED)}


def shipped_text() -> str:
    """Return the newest policy file as it is."""
    return _text(SHIPPED[-1])


@cache
def _shipped(name: str) -> Policy:
    return load_policy(_text(name))


def _text(name: str) -> str:
    return files(__package__ or "keepmum_shared.view").joinpath(name).read_text("utf-8")


def _policy(file: _File) -> Policy:
    _check_words(file)
    shares = [
        ((attribute.id, share.facet), share.epsilon) for attribute in file.attributes for share in attribute.shares
    ]
    if len(dict(shares)) != len(shares):
        raise PolicyError("attributes: an attribute has two shares of one facet")
    return Policy(
        version=file.version,
        digest=sha256(encode(file)).hexdigest(),
        tau=file.tau,
        period_days=file.period_days,
        first_period_days=file.first_period_days,
        selections=file.selections,
        layout=Layout(map(_attribute, file.attributes), map(_slot, file.slots)),
        vocabulary=Vocabulary(
            (Topic(id=topic.id, cues=_words(topic.cues)) for topic in file.topics), map(_facet, file.facets)
        ),
        shares=dict(shares),
        retired=frozenset(file.retired),
    )


def _check_words(file: _File) -> None:
    """Refuse ids that are none, and words that cannot be shown as they are: escape sequences, unseen characters."""
    for name, ids in (
        ("attributes", [each.id for each in file.attributes]),
        ("slots", [each.id for each in file.slots]),
        ("facets", [each.id for each in file.facets]),
        ("retired", file.retired),
    ):
        if not all(map(_ID.fullmatch, ids)):
            raise PolicyError(f"{name}: an id has 1 to 64 small letters, digits and _")
    views = [view for facet in file.facets for view in facet.views]
    for name, shown in (
        ("attributes: a label", [each.label for each in file.attributes]),
        ("slots: a label", [each.label for each in file.slots]),
        ("views: a name", [view.name for view in views]),
        ("views: a wording", [text for view in views for wording in view.wordings if (text := wording.text)]),
    ):
        if not all(text.strip() and text.isprintable() for text in shown):
            raise PolicyError(f"{name} is blank or holds a character that cannot be shown")


def _attribute(read: _Attribute) -> Attribute:
    return Attribute(
        id=read.id,
        label=read.label,
        cap=read.cap,
        lifetime_cap=read.lifetime_cap,
        planned=read.planned,
        cues=_words(read.cues),
        types=tuple(map(str, read.types)),
    )


def _slot(read: _Slot) -> Slot:
    attributes = frozenset(read.attributes)
    if len(attributes) != len(read.attributes):
        raise PolicyError(f"slot {read.id}: lists an attribute twice")
    return Slot(id=read.id, label=read.label, capacity=read.capacity, attributes=attributes)


def _facet(read: _Facet) -> Facet:
    return Facet(id=read.id, slot=read.slot, views=tuple(map(_view, read.views)), odds=_odds(read))


def _odds(read: _Facet) -> Odds | None:
    if not read.odds:
        return None
    if len(read.odds) != 2 or not read.odds[0] > read.odds[1] >= 1:
        raise PolicyError(f"facet {read.id}: odds are two numbers, [p, q] with p > q >= 1")
    return Odds(*read.odds)


def _view(read: _View) -> View:
    wordings = [(topic, wording.text) for wording in read.wordings for topic in wording.topics]
    if len(dict(wordings)) != len(wordings) or not all(text for _, text in wordings):
        raise PolicyError(f"view {read.id}: a topic has two wordings, or an empty one")
    return View(id=read.id, name=read.name, cues=_words(read.cues), wordings=dict(wordings))


def _words(cues: tuple[str, ...]) -> tuple[str, ...]:
    if not all(cue.isprintable() and any(map(str.isalnum, cue)) for cue in cues):
        raise PolicyError("a cue is empty: it needs a letter or digit, and no character that cannot be shown")
    return cues
