"""What each training set's labels mean for the span head, and what its silence means (pure).

A target is a set of labels that are right for a piece. A set that is labelled for a few types only says nothing about
the others: there the target of an unmarked piece is O or any label of a type that the set does not cover, so that the
model is not taught to forget what it knows from elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from keepmum_inference.labels import ALL_TYPES, BEGIN, END, INSIDE, OUTSIDE, SINGLE, LabelScheme
from keepmum_shared.taxonomy import EntityType as T
from keepmum_shared.taxonomy import default_level


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMeaning:
    """How to read the spans of one set.

    Attributes:
        private: Our possible types of a label.
        neutral: Labels that may be masked or not, with the types they may then have.
        covers: Types of which every occurrence is marked; None: every type.
    """

    private: Mapping[str, tuple[T, ...]]
    neutral: Mapping[str, tuple[T, ...]] = field(default_factory=dict)
    covers: frozenset[T] | None = None


_PLACES: Final = (T.ADDRESS, T.ORGANIZATION, T.LOCATION_TRACE)
_LIFE: Final = (
    T.NAME, T.ADDRESS, T.ORGANIZATION, T.PHONE, T.EMAIL, T.LOCATION_TRACE, T.NATIONAL_ID, T.PASSPORT,
    T.DRIVER_LICENSE, T.TAX_ID, T.ACCOUNT_ID,
)  # fmt: skip

PUBLIC_NAME: Final = "public NAME"
"""Label of a public figure's name in the generated corpus."""

OWN: Final = LabelMeaning(private={t.value: (t,) for t in ALL_TYPES.types} | {PUBLIC_NAME: (T.NAME,)})
"""The generated corpus: our own types, every occurrence marked.

A public figure's name is a name like any other: the list of public figures decides afterwards, not the model.
"""

CODE: Final = LabelMeaning(
    private={},
    covers=frozenset(set(ALL_TYPES.types) - {T.NAME, T.EMAIL, T.USERNAME, T.ORGANIZATION, T.ADDRESS, T.PROFILE_URL}),
)
"""Source code and its documentation: it names its authors, and holds nothing else that is private."""

TRAIN_SETS: Final[Mapping[str, LabelMeaning]] = {
    "en_wnut17": LabelMeaning(
        private={"person": (T.NAME,)},
        neutral={"location": _PLACES, "corporation": _PLACES, "group": _PLACES, "product": (), "creative-work": ()},
        covers=frozenset({T.NAME, T.ADDRESS, T.ORGANIZATION}),
    ),
    "en_nlu_home": LabelMeaning(
        private={"person": (T.NAME,), "email_address": (T.EMAIL,)},
        neutral={"place_name": _PLACES, "business_name": _PLACES},
    ),
    "zh_aishell_ner": LabelMeaning(
        private={"PER": (T.NAME,)},
        neutral={"LOC": _PLACES, "ORG": _PLACES},
        covers=frozenset({T.NAME, T.ADDRESS, T.ORGANIZATION}),
    ),
    "zh_crosswoz": LabelMeaning(
        private={"ADDRESS": (T.ADDRESS,), "PHONE": (T.PHONE,), "PLATE": (T.VEHICLE_PLATE,)},
        neutral={"VENUE": _PLACES},
        covers=frozenset(set(ALL_TYPES.types) - {T.ORGANIZATION, T.LOCATION_TRACE}),
    ),
    "en_lifebench_pii": LabelMeaning(
        private={
            "PERSON": (T.NAME,),
            "LOCATION": (T.ADDRESS, T.LOCATION_TRACE),
            "ORG": (T.ORGANIZATION,),
            "PHONE": (T.PHONE,),
            "ID": (T.ACCOUNT_ID, T.NATIONAL_ID, T.PASSPORT, T.DRIVER_LICENSE, T.TAX_ID),
            "EMAIL": (T.EMAIL,),
        },
        covers=frozenset(_LIFE),
    ),
}
"""Sets whose `train` file may be trained on.

Places and organisations of the name sets are neutral: public venues and firms are not private.
"""


class Targets:
    """Numbers for sets of right labels: a set of one label has that label's, others are numbered as they come."""

    def __init__(self, scheme: LabelScheme = ALL_TYPES) -> None:
        self.scheme = scheme
        self.allowed: list[frozenset[int]] = [frozenset({label}) for label in range(scheme.size)]
        self._number = {labels: number for number, labels in enumerate(self.allowed)}

    def number(self, labels: frozenset[int]) -> int:
        """Return the number of a set of labels, a new one if need be."""
        if labels not in self._number:
            self._number[labels] = len(self.allowed)
            self.allowed.append(labels)
        return self._number[labels]

    def unmarked(self, meaning: LabelMeaning) -> int:
        """Return the target of a piece outside every span."""
        if meaning.covers is None:
            return OUTSIDE
        return self.number(frozenset({OUTSIDE}) | self._any_part(tuple(set(self.scheme.types) - meaning.covers)))

    def part(self, types: tuple[T, ...], part: int) -> int:
        """Return the target of one part (BEGIN ...) of a private span."""
        return self.number(frozenset(self.scheme.label(t, part) for t in types))

    def neutral(self, types: tuple[T, ...]) -> int:
        """Return the target of a piece that may be masked or not."""
        return self.number(frozenset({OUTSIDE}) | self._any_part(types))

    def level(self, target: int) -> int:
        """Return the highest default level among the types of a target, 0 where O is right."""
        labels = self.allowed[target]
        if OUTSIDE in labels:
            return 0
        return max(int(default_level(self.scheme.type_of(label))) for label in labels)

    def _any_part(self, types: tuple[T, ...]) -> frozenset[int]:
        return frozenset(self.scheme.label(t, p) for t in types for p in (BEGIN, INSIDE, END, SINGLE))
