"""What is asked of span finding, and what of it a run of bench_spans reached (pure).

Every target is told, also one that the run says nothing about: what was left out, what is measured elsewhere, and what
is kept aside and not here at all. Shares in per cent, times in milliseconds, memory in units of 10^6 bytes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from keepmum_models.evaluation.sets import SECRETS

OURS: Final = "keepmum"
TUNED: Final = "presidio tuned"
"""Presidio as one would tune it (`span_peers`)."""

SHARE_OF_TUNED: Final = 3
SECRETS_OF_USERS: Final = "secrets of held-back users"
LATENCY: Final = "one thread, p50 ms"
DAEMON: Final = "whole daemon"
CASES: Final = "cases of area detect"
MODEL: Final = "model"

_AT_LEAST: Final = frozenset({"f1", "paper_f1", "masked", "secrets masked"})
"""Figures of which more is better; less of all others."""

_OF_SETS: Final[Mapping[str, Mapping[str, float]]] = {
    "mul_privacybench_caiioo": {"leak": 8, "f1": 78, "negatives_masked": 30},
    "en_lifebench_pii": {"leak": 6, "f1": 88},
    "en_presidio_research": {"leak": 8, "f1": 82, "negatives_masked": 5},
    "en_datafog_corpus": {"leak": 5, "f1": 90, "negatives_masked": 10},
    "en_uner_ewt": {"leak": 8, "negatives_masked": 5},
    "en_wnut17": {"leak": 15, "negatives_masked": 8},
    "zh_aishell_ner": {"leak": 3, "negatives_masked": 5},
    "zh_uner_gsdsimp": {"leak": 10, "negatives_masked": 15},
    "zh_argus_fixtures": {"leak": 5},
    "zh_crosswoz": {"leak": 3, "f1": 96, "negatives_masked": 2},
    "secrets_credsweeper": {"leak": 15, "f1": 75, "negatives_masked": 25},
    "secrets_noseyparker": {"leak": 12, "negatives_masked": 20},
    "secrets_kingfisher": {"leak": 15},
    "en_nlu_home": {"overmask": 2},
    "zh_xsid": {"overmask": 2},
    "generator, held back, en": {"paper_f1": 92},
    "generator, held back, zh": {"paper_f1": 92},
}
_SECRETS_MASKED: Final = 99
LATENCY_MS: Final[Mapping[int, float]] = {40: 6, 128: 18, 1000: 170}
"""By tokens of the text."""
_RESIDENT_MB: Final = 250
_CASES: Final[Mapping[str, float]] = {"masked": 90, "secrets masked": 100, "wrong": 3}
_NOT_HERE: Final[Mapping[str, Mapping[str, float]]] = {
    "real chat prompts, kept aside": {"leak": 20, "f1": 50},
    "health and finance records, kept aside": {"leak": 12, "f1": 85},
}
_MODEL_MB: Final = 40
_QUANTISING: Final = 0.3
"""Points of F1 that 8 bits may cost; measuring it takes the float32 model of a training run, see the model card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One target and what was reached.

    Attributes:
        of: The set, or what else is measured.
        figure: As `keepmum_models.evaluation.figures` names it where it is one of those.
        limit: None where it depends on a peer that was not asked.
        value: None where it was not measured.
    """

    of: str
    figure: str
    limit: float | None
    value: float | None

    @property
    def is_least(self) -> bool:
        """Whether the limit is the least that is asked for, not the most that is allowed."""
        return self.figure in _AT_LEAST

    @property
    def met(self) -> bool | None:
        """Whether the target is met, None where that is not known."""
        if self.limit is None or self.value is None:
            return None
        return self.value >= self.limit if self.is_least else self.value <= self.limit

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return asdict(self) | {"is_least": self.is_least, "met": self.met}


def outcomes(result: Mapping[str, Any]) -> list[Outcome]:
    """Return all targets beside what a result of bench_spans has of them."""
    return [
        *_of_sets(result["sets"]),
        *_of_false_masks(result["sets"]),
        *_of_secrets(result["secrets"]),
        *_of_rest(result),
        *(Outcome(of=of, figure=f, limit=n, value=None) for of, limits in _NOT_HERE.items() for f, n in limits.items()),
    ]


def _of_sets(sets: Mapping[str, Any]) -> Iterator[Outcome]:
    for name, limits in _OF_SETS.items():
        row = sets[name]["rows"][OURS] if name in sets else {}
        for figure, limit in limits.items():
            yield Outcome(of=name, figure=figure, limit=limit, value=row.get(figure))


def _of_false_masks(sets: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield on every English set that false masks can be counted on: a third of those of tuned Presidio."""
    for name, entry in sets.items():
        ours = entry["rows"][OURS]["false_per_1k"]
        if entry["language"] == "en" and ours is not None:
            tuned = entry["rows"].get(TUNED, {}).get("false_per_1k")
            limit = None if tuned is None else round(tuned / SHARE_OF_TUNED, 2)
            yield Outcome(of=name, figure="false_per_1k", limit=limit, value=ours)


def _of_secrets(secrets: Mapping[str, Any]) -> Iterator[Outcome]:
    types = secrets.get("types", {})
    for entity_type in SECRETS:
        share = types.get(entity_type.value, {}).get("masked")
        yield Outcome(of=f"{SECRETS_OF_USERS}, {entity_type}", figure="masked", limit=_SECRETS_MASKED, value=share)


def _of_rest(result: Mapping[str, Any]) -> Iterator[Outcome]:
    rows = result["latency"].get("rows", {})
    for tokens, milliseconds in LATENCY_MS.items():
        value = rows.get(f"{tokens} tokens", {}).get("p50_ms")
        yield Outcome(of=LATENCY, figure=f"{tokens} tokens", limit=milliseconds, value=value)
    yield Outcome(of=DAEMON, figure="resident MB", limit=_RESIDENT_MB, value=result["daemon"].get("resident_mb"))
    for figure, limit in _CASES.items():
        yield Outcome(of=CASES, figure=figure, limit=limit, value=result["cases"].get(figure))
    yield Outcome(of=MODEL, figure="MB", limit=_MODEL_MB, value=result["model_mb"])
    yield Outcome(of=MODEL, figure="F1 lost by 8 bits", limit=_QUANTISING, value=None)
