"""What the labels of each public set mean when it is measured (pure). Only `dev` files are measured, never trained on.

In the name sets places and organisations are neutral (public venues and firms are not private): every personal name
counts. A set that is labelled for a few types only does not blame masks of others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.taxonomy import EntityType as T
from keepmum_shared.taxonomy import Level, default_level

SECRETS: Final = frozenset(t for t in T if t not in {T.LITERAL, T.DETAIL} and default_level(t) is Level.PL4)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """How to score one set.

    Attributes:
        private: Labels that must be masked; None: all that are not neutral or public.
        neutral: Labels that may be masked or not.
        public: Labels whose masking is over-masking.
        covers: Types that a false mask can have; None: all.
        complete: Whether everything private is marked, so that false masks can be counted.
        secret: Whether every character of a private span counts, not only letters and digits.
    """

    name: str
    private: frozenset[str] | None = None
    neutral: frozenset[str] = field(default_factory=frozenset)
    public: frozenset[str] = field(default_factory=frozenset)
    covers: frozenset[T] | None = None
    complete: bool = True
    secret: bool = False

    def is_private(self, label: str) -> bool:
        """Whether a span with this label must be masked."""
        if self.private is not None:
            return label in self.private
        return label not in self.neutral and label not in self.public


def _labels(*names: str) -> frozenset[str]:
    return frozenset(names)


_NAMES_ONLY: Final = frozenset({T.NAME})
_LIFE: Final = frozenset({
    T.NAME, T.ADDRESS, T.ORGANIZATION, T.PHONE, T.EMAIL, T.LOCATION_TRACE, T.NATIONAL_ID, T.PASSPORT,
    T.DRIVER_LICENSE, T.TAX_ID, T.ACCOUNT_ID,
})  # fmt: skip
_COMMAND_WORDS: Final = _labels(
    "weather/attribute", "datetime", "reference", "recurring_datetime", "rating_value", "rating_unit", "object_type",
    "party_size_number", "object_select", "best_rating", "cuisine", "restaurant_type", "party_size_description",
    "movie_type", "object_location_type", "condition_temperature", "sort", "condition_description",
)  # fmt: skip

SETS: Final[Mapping[str, EvaluationSet]] = {
    s.name: s
    for s in (
        EvaluationSet(name="mul_privacybench_caiioo", neutral=_labels("photo")),
        EvaluationSet(name="en_lifebench_pii", covers=_LIFE),
        EvaluationSet(
            name="en_presidio_research",
            neutral=_labels("TITLE", "PREFIX", "DATE_TIME", "AGE", "NRP", "DOMAIN_NAME"),
        ),
        EvaluationSet(name="en_datafog_corpus", neutral=_labels("DATE")),
        EvaluationSet(name="en_uner_ewt", private=_labels("PER"), neutral=_labels("LOC", "ORG"), covers=_NAMES_ONLY),
        EvaluationSet(
            name="en_wnut17",
            private=_labels("person"),
            neutral=_labels("location", "corporation", "group", "product", "creative-work"),
            covers=_NAMES_ONLY,
        ),
        EvaluationSet(name="zh_aishell_ner", private=_labels("PER"), neutral=_labels("LOC", "ORG"), covers=_NAMES_ONLY),
        EvaluationSet(
            name="zh_uner_gsdsimp", private=_labels("PER"), neutral=_labels("LOC", "ORG"), covers=_NAMES_ONLY
        ),
        EvaluationSet(
            name="zh_argus_fixtures", neutral=_labels("self_reference", "age", "gender", "job_title"), complete=False
        ),
        EvaluationSet(name="zh_cn_pii_bench_adv"),
        EvaluationSet(
            name="zh_crosswoz", neutral=_labels("VENUE"), covers=frozenset({T.PHONE, T.VEHICLE_PLATE})
        ),
        EvaluationSet(name="secrets_credsweeper", covers=SECRETS, secret=True),
        EvaluationSet(
            name="secrets_noseyparker", private=_labels("SECRET"), neutral=_labels("IDENTIFIER", "HASH"),
            covers=SECRETS, complete=False, secret=True,
        ),
        EvaluationSet(
            name="secrets_kingfisher", private=_labels("SECRET"), neutral=_labels("IDENTIFIER", "HASH"),
            covers=SECRETS, complete=False, secret=True,
        ),
        EvaluationSet(
            name="en_nlu_home",
            private=_labels("person", "email_address"),
            neutral=_labels("place_name", "business_name"),
            public=_labels("date", "time", "timeofday", "event_name", "relation", "personal_info"),
        ),
        EvaluationSet(name="zh_xsid", private=frozenset(), public=_COMMAND_WORDS),
    )
}  # fmt: skip


HELD_BACK: Final = EvaluationSet(name="generator", neutral=frozenset({"public"}))
"""The generator's held-back users; the label of what may pass is `public`."""


def is_neutral(spec: EvaluationSet, label: str) -> bool:
    """Whether masking a span with this label counts neither way."""
    if spec.name == "zh_xsid":  # nothing there is private; every slot but the public words may be a name
        return label not in spec.public
    return label in spec.neutral
