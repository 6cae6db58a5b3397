"""What the labels of each public set mean when it is measured (pure). Only `dev` files are measured, never trained on.

In the name sets places and organisations are neutral (public venues and firms are not private): every personal name
counts. The same sets with `+places` count all places and organisations as private too, as other measurements of these
sets do. A set that is labelled for a few types only does not blame masks of others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.taxonomy import EntityType as T
from keepmum_shared.taxonomy import Level, default_level

SECRETS: Final = tuple(t for t in T if t not in {T.LITERAL, T.DETAIL} and default_level(t) is Level.PL4)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """How to score one set.

    Attributes:
        types: Our types that are right for a private label, the likeliest first. A private label that is not here is
            of no known type.
        private: Labels that must be masked; None: all that are not neutral or public.
        neutral: Labels that may be masked or not; None: all that are not public.
        public: Labels whose masking is over-masking.
        covers: Types that a false mask can have; None: all.
        complete: Whether everything private is marked, so that false masks can be counted.
        typed: Whether every private label has a type, as the metric of the paper needs.
    """

    name: str
    types: Mapping[str, tuple[T, ...]] = field(default_factory=dict)
    private: frozenset[str] | None = None
    neutral: frozenset[str] | None = frozenset()
    public: frozenset[str] = field(default_factory=frozenset)
    covers: frozenset[T] | None = None
    complete: bool = True
    typed: bool = True

    @property
    def folder(self) -> str:
        """Name of its folder; what follows a plus in its name is how it is read."""
        return self.name.partition("+")[0]

    def is_private(self, label: str) -> bool:
        """Whether a span with this label must be masked."""
        if self.private is not None:
            return label in self.private
        return not self.is_neutral(label) and label not in self.public

    def is_neutral(self, label: str) -> bool:
        """Whether masking a span with this label counts neither way."""
        return label not in self.public if self.neutral is None else label in self.neutral


def _labels(*names: str) -> frozenset[str]:
    return frozenset(names)


def _names_only(name: str, person: str, *others: str) -> EvaluationSet:
    return EvaluationSet(
        name=name,
        types={person: (T.NAME,)},
        private=_labels(person),
        neutral=_labels(*others),
        covers=frozenset({T.NAME}),
    )


def _names_and_places(
    name: str, person: str, place: str, organisations: tuple[str, ...], *others: str
) -> EvaluationSet:
    return EvaluationSet(
        name=f"{name}+places",
        types={person: (T.NAME,), place: (T.ADDRESS,)} | dict.fromkeys(organisations, (T.ORGANIZATION,)),
        neutral=_labels(*others),
        covers=frozenset({T.NAME, T.ADDRESS, T.ORGANIZATION}),
    )


def _rule_examples(name: str) -> EvaluationSet:
    """Return a set of which only the rule's own secret is marked."""
    return EvaluationSet(
        name=name,
        types={"SECRET": SECRETS},
        private=_labels("SECRET"),
        neutral=_labels("IDENTIFIER", "HASH"),
        covers=frozenset(SECRETS),
        complete=False,
    )


_ID: Final = (T.ACCOUNT_ID, T.NATIONAL_ID, T.PASSPORT, T.DRIVER_LICENSE, T.TAX_ID)
_KEY: Final = (T.API_KEY, *(t for t in SECRETS if t is not T.API_KEY))
_TOKEN: Final = (T.TOKEN, T.API_KEY)
_LIFE: Final = frozenset({T.NAME, T.ADDRESS, T.ORGANIZATION, T.PHONE, T.EMAIL, T.LOCATION_TRACE, *_ID})
_COMMAND_WORDS: Final = _labels(
    "weather/attribute", "datetime", "reference", "recurring_datetime", "rating_value", "rating_unit", "object_type",
    "party_size_number", "object_select", "best_rating", "cuisine", "restaurant_type", "party_size_description",
    "movie_type", "object_location_type", "condition_temperature", "sort", "condition_description",
)  # fmt: skip

_SETS: Final = (
    EvaluationSet(  # most labels are just PII
        name="mul_privacybench_caiioo",
        types={
            "name": (T.NAME,), "phone": (T.PHONE,), "fax": (T.PHONE,), "email": (T.EMAIL,), "ssn": (T.NATIONAL_ID,),
            "street_address": (T.ADDRESS,), "mrn": (T.HEALTH, T.ACCOUNT_ID), "health_plan": (T.HEALTH, T.ACCOUNT_ID),
            "license": (T.DRIVER_LICENSE, T.ACCOUNT_ID), "biometric": (T.BIOMETRIC,), "device": (T.DEVICE_ID,),
            "vehicle": (T.VEHICLE_PLATE, T.DEVICE_ID), "ip": (T.IP_ADDRESS,), "url": (T.PROFILE_URL,),
            "account": (T.BANK_ACCOUNT, T.ACCOUNT_ID),
        },
        neutral=_labels("photo"),
        typed=False,
    ),
    EvaluationSet(
        name="en_lifebench_pii",
        types={
            "PERSON": (T.NAME,), "LOCATION": (T.ADDRESS, T.LOCATION_TRACE), "ORG": (T.ORGANIZATION,),
            "PHONE": (T.PHONE,), "ID": _ID, "EMAIL": (T.EMAIL,),
        },
        covers=_LIFE,
    ),
    EvaluationSet(
        name="en_presidio_research",
        types={
            "PERSON": (T.NAME,), "ADDRESS": (T.ADDRESS,), "STREET_ADDRESS": (T.ADDRESS,), "LOCATION": (T.ADDRESS,),
            "GPE": (T.ADDRESS,), "ZIP_CODE": (T.POSTCODE, T.ADDRESS), "ORGANIZATION": (T.ORGANIZATION,),
            "CREDIT_CARD": (T.BANK_CARD,), "PHONE_NUMBER": (T.PHONE,), "EMAIL_ADDRESS": (T.EMAIL,),
            "US_SSN": (T.NATIONAL_ID,), "IBAN_CODE": (T.BANK_ACCOUNT,), "IP_ADDRESS": (T.IP_ADDRESS,),
            "US_DRIVER_LICENSE": (T.DRIVER_LICENSE,),
        },
        neutral=_labels("TITLE", "PREFIX", "DATE_TIME", "AGE", "NRP", "DOMAIN_NAME"),
    ),
    EvaluationSet(
        name="en_datafog_corpus",
        types={
            "EMAIL": (T.EMAIL,), "SSN": (T.NATIONAL_ID,), "PHONE": (T.PHONE,), "PERSON": (T.NAME,),
            "LOCATION": (T.ADDRESS,), "ADDRESS": (T.ADDRESS,), "ZIP_CODE": (T.POSTCODE, T.ADDRESS),
            "ORGANIZATION": (T.ORGANIZATION,), "CREDIT_CARD": (T.BANK_CARD,), "IP_ADDRESS": (T.IP_ADDRESS,),
            "DE_IBAN": (T.BANK_ACCOUNT,), "DE_VAT_ID": (T.TAX_ID,),
        },
        neutral=_labels("DATE"),
    ),
    _names_only("en_uner_ewt", "PER", "LOC", "ORG"),
    _names_and_places("en_uner_ewt", "PER", "LOC", ("ORG",)),
    _names_only("en_wnut17", "person", "location", "corporation", "group", "product", "creative-work"),
    _names_and_places("en_wnut17", "person", "location", ("corporation", "group"), "product", "creative-work"),
    _names_only("zh_aishell_ner", "PER", "LOC", "ORG"),
    _names_and_places("zh_aishell_ner", "PER", "LOC", ("ORG",)),
    _names_only("zh_uner_gsdsimp", "PER", "LOC", "ORG"),
    _names_and_places("zh_uner_gsdsimp", "PER", "LOC", ("ORG",)),
    EvaluationSet(  # some labels are just pii
        name="zh_argus_fixtures",
        types={
            "person": (T.NAME,), "phone": (T.PHONE,), "email": (T.EMAIL,), "organization": (T.ORGANIZATION,),
            "workplace": (T.ORGANIZATION,), "school": (T.ORGANIZATION,), "address": (T.ADDRESS,),
            "location": (T.ADDRESS, T.LOCATION_TRACE), "postcode": (T.POSTCODE, T.ADDRESS),
            "id_number": (T.NATIONAL_ID,), "ssn": (T.NATIONAL_ID,), "rrn": (T.NATIONAL_ID,),
            "my_number": (T.NATIONAL_ID,), "cpf": (T.NATIONAL_ID, T.TAX_ID), "cnpj": (T.TAX_ID,),
            "aadhaar": (T.NATIONAL_ID,), "pan": (T.TAX_ID, T.NATIONAL_ID),
            "social_security": (T.NATIONAL_ID, T.ACCOUNT_ID), "military_id": (T.NATIONAL_ID, T.ACCOUNT_ID),
            "passport": (T.PASSPORT,), "us_passport": (T.PASSPORT,), "tax_id": (T.TAX_ID,),
            "credit_code": (T.TAX_ID, T.ACCOUNT_ID), "bank_card": (T.BANK_CARD,), "credit_card": (T.BANK_CARD,),
            "iban": (T.BANK_ACCOUNT,), "financial": (T.FINANCE,), "medical": (T.HEALTH,), "biometric": (T.BIOMETRIC,),
            "religion": (T.RELIGION,), "political": (T.POLITICS,), "ethnicity": (T.ETHNICITY,),
            "sexual_orientation": (T.ORIENTATION,), "criminal_record": (T.LEGAL_RECORD,),
            "date_of_birth": (T.DATE_OF_BIRTH,), "license_plate": (T.VEHICLE_PLATE,), "imei": (T.DEVICE_ID,),
            "mac_address": (T.DEVICE_ID,), "ip_address": (T.IP_ADDRESS,), "qq": (T.USERNAME, T.ACCOUNT_ID),
            "wechat": (T.USERNAME, T.ACCOUNT_ID), "anthropic_api_key": _KEY, "openai_api_key": _KEY,
            "aws_access_key": _KEY, "github_token": _TOKEN, "jwt": _TOKEN, "url_token": _TOKEN,
            "ssh_private_key": (T.PRIVATE_KEY,),
        },
        neutral=_labels("self_reference", "age", "gender", "job_title"),
        complete=False,
        typed=False,
    ),
    EvaluationSet(
        name="zh_cn_pii_bench_adv",
        types={
            "zh_person_name": (T.NAME,), "zh_phone": (T.PHONE,), "email": (T.EMAIL,), "zh_address": (T.ADDRESS,),
            "ip_address": (T.IP_ADDRESS,),
        },
    ),
    EvaluationSet(
        name="zh_crosswoz",
        types={"ADDRESS": (T.ADDRESS,), "PHONE": (T.PHONE,), "PLATE": (T.VEHICLE_PLATE,)},
        neutral=_labels("VENUE"),
        covers=frozenset({T.PHONE, T.VEHICLE_PLATE}),
    ),
    EvaluationSet(name="secrets_credsweeper", types={"SECRET": SECRETS}, covers=frozenset(SECRETS)),
    _rule_examples("secrets_noseyparker"),
    _rule_examples("secrets_kingfisher"),
    EvaluationSet(
        name="en_nlu_home",
        types={"person": (T.NAME,), "email_address": (T.EMAIL,)},
        private=_labels("person", "email_address"),
        neutral=_labels("place_name", "business_name"),
        public=_labels("date", "time", "timeofday", "event_name", "relation", "personal_info"),
    ),
    # Nothing there is private; every slot but the public words may hold a name.
    EvaluationSet(name="zh_xsid", private=frozenset(), neutral=None, public=_COMMAND_WORDS),
)  # fmt: skip

SETS: Final[Mapping[str, EvaluationSet]] = {s.name: s for s in _SETS}

HELD_BACK: Final = EvaluationSet(
    name="generator", types={t.value: (t,) for t in T}, neutral=frozenset({"public"})
)  # fmt: skip
"""The generator's held-back users; labels are our types, and what may pass is `public`."""
