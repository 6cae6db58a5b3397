"""A second opinion on the log of releases and charges, by code that shares nothing with the code that wrote it.

It reads the policy file itself, works out for every draw what it cost whom, and adds up. Found are: a draw that an
attribute was not, or not fully, charged for; a cap that draws passed; two draws for one charge; a view outside its
facet; a draw where none may be. It catches a wrong ledger at the first draw, whatever the scores were.
"""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class LoggedCharge(Protocol):
    """A row of the charges."""

    @property
    def attribute(self) -> str: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def period(self) -> int: ...  # noqa: D102
    @property
    def epsilon(self) -> int: ...  # noqa: D102
    @property
    def cause(self) -> str: ...  # noqa: D102


class LoggedRelease(Protocol):
    """A row of the releases."""

    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def unit(self) -> str: ...  # noqa: D102
    @property
    def period(self) -> int: ...  # noqa: D102
    @property
    def view(self) -> str: ...  # noqa: D102
    @property
    def ground(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """A policy file, the policy of release, and the period from which they hold."""

    from_period: int
    release: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is wrong, in words, and the nano-epsilon that draws really cost each attribute over its lifetime."""

    words: tuple[str, ...]
    spent: dict[str, int]


class _File:
    """The parts of a policy file that decide what a draw costs."""

    def __init__(self, policy: InForce) -> None:
        read: dict[str, Any] = tomllib.loads(policy.file)
        self.release = policy.release
        self.attributes = {each["id"]: each for each in read["attributes"]}
        self.selections = read["selections"]
        self.listed = {slot["id"]: set(slot["attributes"]) for slot in read["slots"]}
        self.slot_of = {facet["id"]: facet["slot"] for facet in read["facets"]}
        self.views: dict[str, set[str]] = defaultdict(set)
        for facet in read["facets"]:
            ids = {view["id"] for view in facet["views"]}
            self.views[facet["id"]] |= ids
            self.views[facet["slot"]] |= ids
        self.shares = {
            (owner["id"], share["facet"]): share["epsilon"]
            for owner in read["attributes"]
            for share in owner.get("shares", [])
        }

    def price(self, unit: str) -> tuple[set[str], int]:
        """Return whom a draw on a facet or slot is charged to, and how much."""
        if self.release == "sticky":
            charged = self.listed[self.slot_of[unit]]
            return charged, min((self.shares[each, unit] for each in charged), default=0)
        charged = self.listed[unit]
        parts = [
            self.attributes[each]["cap"]
            // (self.selections if self.release == "online" else self.attributes[each]["planned"])
            for each in charged
        ]
        return charged, min(parts, default=0)


def audit_log(
    policies: Sequence[InForce], releases: Sequence[LoggedRelease], charges: Sequence[LoggedCharge]
) -> Findings:
    """Check a whole log, in any order.

    Args:
        policies: Every one that was in force.
        releases: All that were stored.
        charges: All that were made.
    """
    files = [(each.from_period, _File(each)) for each in sorted(policies, key=lambda each: each.from_period)]
    paid = {(each.key, each.attribute): each.epsilon for each in charges}
    words: list[str] = []
    real: Counter[tuple[str, int]] = Counter()
    drawn = [each for each in releases if each.ground == "drawn"]
    for release in drawn:
        file = next(read for start, read in reversed(files) if start <= release.period)
        attributes, epsilon = file.price(release.unit)
        if epsilon == 0 or release.period < 0:
            words.append(f"{release.key}: drawn where nothing may be drawn")
        if release.view not in file.views[release.unit]:
            words.append(f"{release.key}: released a view of another vocabulary")
        for attribute in sorted(attributes):
            real[attribute, release.period] += epsilon
            if paid.get((release.key, attribute), 0) < epsilon:
                words.append(f"{release.key}: {attribute} was not fully charged")
    words += [f"{key}: drawn {count} times" for key, count in Counter(each.key for each in drawn).items() if count > 1]
    once = Counter((each.unit, each.period) for each in drawn if f"{each.period}:{each.unit}" == each.key)
    words += [f"{unit}: drawn {count} times in period {at}" for (unit, at), count in once.items() if count > 1]
    words += _passed(files, real, charges, {each.key for each in drawn})
    spent: Counter[str] = Counter()
    for (attribute, _), epsilon in real.items():
        spent[attribute] += epsilon
    return Findings(words=tuple(words), spent=dict(spent))


def _passed(
    files: Sequence[tuple[int, _File]],
    real: Counter[tuple[str, int]],
    charges: Sequence[LoggedCharge],
    drawn: set[str],
) -> list[str]:
    """Compare with the caps: what draws cost, and what cut-off draws may have cost."""
    total = Counter(real)
    for each in charges:
        if each.cause in ("draw", "intent") and each.key not in drawn:
            total[each.attribute, each.period] += each.epsilon
    words, lifetime = [], Counter[str]()
    for (attribute, period), epsilon in sorted(total.items()):
        file = next(read for start, read in reversed(files) if start <= period)
        lifetime[attribute] += epsilon
        if epsilon > file.attributes[attribute]["cap"]:
            words.append(f"{attribute}: draws of period {period} pass its cap")
        if lifetime[attribute] > file.attributes[attribute]["lifetime_cap"]:
            words.append(f"{attribute}: draws up to period {period} pass its lifetime cap")
    return words
