"""Adjacent stores after the paper's PairedMem (section C.2), made by a program: no text of anyone, no language model.

A pair has 28 positions; M and M' agree but for the 4 to 6 that hold evidence of the target attribute in M and a neutral
sentence in M'. In a quarter of the pairs the target's group overlaps another attribute's. Each pair has 16 turns: eight
relevant to the target, four of the same domain that say nothing of it, four about another attribute, in one order for
both stores. Each slot has one facet; an attribute is read by as many slots as the vocabulary has facets for it.

What a later reproduction with language models needs is in a `Pair`: positions with slots, both contents, the turns.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from keepmum_shared.view import NANO, Policy, load_policy
from keepmum_shared.view.budget import odds_within
from policies import written

ATTRIBUTES: Final = ("diabetes", "pregnancy", "debt", "job_loss")
POSITIONS: Final = 28
VIEWS: Final = ("a", "b", "c")
CUES: Final = 3
"""Different cues that each view has; a record holds one to three of them."""
CAP: Final = 2 * NANO
NEUTRAL: Final = "an ordinary day"
Kind = Literal["target", "domain", "distractor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One position: its slot, and what the two stores hold there."""

    slot: str
    text: str
    other_text: str

    @property
    def differs(self) -> bool:
        """Whether the stores differ here."""
        return self.text != self.other_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message, by what it is about: it releases the facet of this slot."""

    kind: Kind
    slot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two adjacent stores with their turns and the policy whose layout they have."""

    target: str
    overlaps: str | None
    facets: int
    records: tuple[Record, ...]
    turns: tuple[Turn, ...]

    def texts(self, slot: str, *, other: bool = False) -> list[str]:
        """What one store holds in a slot."""
        return [each.other_text if other else each.text for each in self.records if each.slot == slot]


def pairs(count: int, facets: int, seed: int = 0) -> Iterator[Pair]:
    """Yield pairs, attributes in turn; every fourth group of four overlaps."""
    for number in range(count):
        target = ATTRIBUTES[number % 4]
        chance = random.Random(f"{seed}:{number}")
        others = [each for each in ATTRIBUTES if each != target]
        yield _pair(target, chance.choice(others) if number // 4 % 4 == 0 else None, facets, chance)


def slots_of(attribute: str, facets: int) -> list[str]:
    """The drawing slots of an attribute."""
    return [f"{attribute}{index}" for index in range(facets)]


def _pair(target: str, overlaps: str | None, facets: int, chance: random.Random) -> Pair:
    differing = chance.randint(max(4, 2 * facets), 6)
    best = {slot: chance.choice(VIEWS) for slot in slots_of(target, facets)}
    records = []
    for number in range(differing):
        slot = slots_of(target, facets)[number % facets]
        leads = number < 2 * facets  # two records a slot speak for its best view, the rest for any
        view = best[slot] if leads else chance.choice(VIEWS)
        text = _evidence(slot, view, chance.randint(2, CUES) if leads else 1)
        records.append(Record(slot=slot, text=text, other_text=NEUTRAL))
    background = [slot for each in ATTRIBUTES if each not in (target, overlaps) for slot in slots_of(each, facets)]
    while len(records) < POSITIONS:
        slot = chance.choice([*background, "daily"])
        text = NEUTRAL if slot == "daily" else _evidence(slot, chance.choice(VIEWS), chance.randint(1, CUES))
        records.append(Record(slot=slot, text=text, other_text=text))
    turns = [Turn(kind="target", slot=slots_of(target, facets)[i % facets]) for i in range(8)]
    turns += [Turn(kind="domain", slot="daily")] * 4
    for _ in range(4):
        asked = chance.choice([each for each in ATTRIBUTES if each != target])
        home = target if asked == overlaps else asked
        turns.append(Turn(kind="distractor", slot=chance.choice(slots_of(home, facets))))
    chance.shuffle(turns)
    return Pair(target=target, overlaps=overlaps, facets=facets, records=tuple(records), turns=tuple(turns))


def _evidence(slot: str, view: str, cues: int) -> str:
    return " ".join(f"{slot}{view}{index}" for index in range(cues))


def policy_of(pair: Pair, *, selections: int = 3, first_period_days: int = 0) -> Policy:
    """The policy of a pair: an overlapping attribute shares the slots of the target and has no others."""
    return _policy(pair.target, pair.overlaps, pair.facets, selections, first_period_days)


_POLICIES: dict[tuple[Any, ...], Policy] = {}


def _policy(target: str, overlaps: str | None, facets: int, selections: int, first_period_days: int) -> Policy:
    key = (target if overlaps else None, overlaps, facets, selections, first_period_days)
    if key not in _POLICIES:
        _POLICIES[key] = load_policy(written(_file(*key)))
    return _POLICIES[key]


def _file(
    target: str | None, overlaps: str | None, facets: int, selections: int, first_period_days: int
) -> dict[str, Any]:
    share = CAP // facets
    owners = [each for each in ATTRIBUTES if each != overlaps]
    homes = {each: slots_of(target if each == overlaps and target else each, facets) for each in ATTRIBUTES}
    drawing = [slot for each in owners for slot in slots_of(each, facets)]
    odds = odds_within(share)
    return {
        "version": 1,
        "tau": 20,
        "period_days": 30,
        "first_period_days": first_period_days,
        "selections": selections,
        "attributes": [
            {
                "id": each,
                "label": each,
                "cap": CAP,
                "lifetime_cap": CAP,
                "planned": 8,
                "cues": [each],
                "shares": [{"facet": slot, "epsilon": share} for slot in homes[each]],
            }
            for each in ATTRIBUTES
        ],
        "slots": [
            *(
                {
                    "id": slot,
                    "label": slot,
                    "capacity": POSITIONS,
                    "attributes": [each for each in ATTRIBUTES if slot in homes[each]],
                }
                for slot in drawing
            ),
            {"id": "daily", "label": "daily", "capacity": POSITIONS, "attributes": []},
            {"id": "other", "label": "other", "capacity": 1, "attributes": list(ATTRIBUTES)},
        ],
        "topics": [{"id": "talk", "cues": ["talk"]}],
        "facets": [
            *(_facet(slot, number, [odds.p, odds.q]) for number, slot in enumerate(drawing)),
            _facet("daily", 90, []),
            _facet("other", 91, []),
        ],
    }


def _facet(slot: str, number: int, odds: list[int]) -> dict[str, Any]:
    names = ("generic", *VIEWS) if odds else ("generic",)
    return {
        "id": slot,
        "slot": slot,
        "odds": odds,
        "views": [
            {
                "id": f"v{number:02d}{index}",
                "name": name,
                "cues": [f"{slot}{name}{cue}" for cue in range(CUES)] if index else [],
                "wordings": [{"topics": ["talk"], "text": f"say {name}"}],
            }
            for index, name in enumerate(names)
        ],
    }


def ceiling(epsilon: Fraction, views: int = 4) -> Fraction:
    """Highest probability with which any epsilon-DP draw of k views names each store's best one; a rational below."""
    ratio = odds_within(int(epsilon * NANO)).ratio
    return ratio / (ratio + views - 1)
