"""Small policies for tests, written and read as policy files."""

import json
from typing import Any

from keepmum_shared.view import NANO, Policy, load_policy
from keepmum_shared.view.budget import odds_within


def toml(value: Any) -> str:
    """A value as inline TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def written(file: dict[str, Any]) -> str:
    """A policy file."""
    return "\n".join(f"{key} = {toml(value)}" for key, value in file.items())


def facet(name: str, slot: str, number: int, *, epsilon: int | None = 2 * NANO, views: int = 4) -> dict[str, Any]:
    """A facet with so many views, called a, b, c, over the topics talk and chat."""
    names = ["generic", "a", "b", "c", "d"][:views]
    odds = odds_within(epsilon) if epsilon and views > 1 else None
    return {
        "id": name,
        "slot": slot,
        "odds": [odds.p, odds.q] if odds else [],
        "views": [
            {
                "id": f"v{number:02d}{index}",
                "name": each,
                "cues": [] if index == 0 else [f"{name}{each}"],
                "wordings": [{"topics": ["talk", "chat"], "text": f"say {each}"}],
            }
            for index, each in enumerate(names)
        ],
    }


def attribute(name: str, shares: dict[str, int], cap: int = 2 * NANO, lifetime: int | None = None) -> dict[str, Any]:
    """A protected attribute with its shares."""
    return {
        "id": name,
        "label": name,
        "cap": cap,
        "lifetime_cap": cap if lifetime is None else lifetime,
        "planned": 4,
        "cues": [name],
        "types": [],
        "shares": [{"facet": each, "epsilon": epsilon} for each, epsilon in shares.items()],
    }


def slot(name: str, attributes: list[str], capacity: int = 2) -> dict[str, Any]:
    """A slot."""
    return {"id": name, "label": name, "capacity": capacity, "attributes": attributes}


def overlapping(cap: int = 2 * NANO, lifetime: int | None = None) -> dict[str, Any]:
    """Three slots of two positions; d reads the first two, b the last two, so the middle one is of both.

    Each attribute is read by two drawing facets at half its cap.
    """
    half = cap // 2
    names = ("one", "two", "three")
    return {
        "version": 1,
        "tau": 20,
        "period_days": 30,
        "first_period_days": 0,
        "selections": 3,
        "attributes": [
            attribute("d", {"one": half, "two": half}, cap, lifetime),
            attribute("b", {"two": half, "three": half}, cap, lifetime),
        ],
        "slots": [slot("one", ["d"]), slot("two", ["d", "b"]), slot("three", ["b"]), slot("other", ["d", "b"])],
        "topics": [{"id": "talk", "cues": ["talk*"]}, {"id": "chat", "cues": ["chat*"]}],
        "facets": [
            *(facet(name, name, number, epsilon=half) for number, name in enumerate(names, start=1)),
            facet("rest", "other", 9, epsilon=None, views=1),
        ],
    }


def single(cap: int = 2 * NANO, *, lifetime: int | None = None, views: int = 4) -> dict[str, Any]:
    """One attribute, one drawing slot."""
    return overlapping() | {
        "attributes": [attribute("d", {"one": cap}, cap, lifetime)],
        "slots": [slot("one", ["d"]), slot("other", ["d"])],
        "facets": [facet("one", "one", 1, epsilon=cap, views=views), facet("rest", "other", 9, epsilon=None, views=1)],
    }


def policy(file: dict[str, Any]) -> Policy:
    """Read it."""
    return load_policy(written(file))
