"""Types of private spans and their privacy levels (MemPrivacy, section 3; design section 4).

PL1 is not private and never masked, so no type has it by default; a user may lower a type to it.
LITERAL is not a kind of private text but input that already looks like a placeholder; it has no level.
DETAIL is never found: it is the coarse name under which every PL3 type can be sent.
"""

from enum import IntEnum, StrEnum


class Level(IntEnum):
    """Privacy level; a higher one harms more."""

    PL1 = 1
    PL2 = 2
    PL3 = 3
    PL4 = 4


class EntityType(StrEnum):
    """What a placeholder stands for. The value is the word on the wire."""

    NAME = "NAME"
    USERNAME = "USERNAME"
    EMAIL = "EMAIL"
    PHONE = "PHONE"
    ADDRESS = "ADDRESS"
    POSTCODE = "POSTCODE"
    ORGANIZATION = "ORGANIZATION"
    DATE_OF_BIRTH = "DATE_OF_BIRTH"
    IP_ADDRESS = "IP_ADDRESS"
    DEVICE_ID = "DEVICE_ID"
    VEHICLE_PLATE = "VEHICLE_PLATE"
    PROFILE_URL = "PROFILE_URL"
    ACCOUNT_ID = "ACCOUNT_ID"

    NATIONAL_ID = "NATIONAL_ID"
    PASSPORT = "PASSPORT"
    DRIVER_LICENSE = "DRIVER_LICENSE"
    TAX_ID = "TAX_ID"
    BANK_ACCOUNT = "BANK_ACCOUNT"
    BANK_CARD = "BANK_CARD"
    CRYPTO_WALLET = "CRYPTO_WALLET"
    FINANCE = "FINANCE"
    HEALTH = "HEALTH"
    BIOMETRIC = "BIOMETRIC"
    LOCATION_TRACE = "LOCATION_TRACE"
    RELIGION = "RELIGION"
    ETHNICITY = "ETHNICITY"
    ORIENTATION = "ORIENTATION"
    POLITICS = "POLITICS"
    LEGAL_RECORD = "LEGAL_RECORD"
    MINOR = "MINOR"
    PRIVATE_MESSAGE = "PRIVATE_MESSAGE"

    PASSWORD = "PASSWORD"
    PIN = "PIN"
    OTP = "OTP"
    API_KEY = "API_KEY"
    TOKEN = "TOKEN"
    COOKIE = "COOKIE"
    PRIVATE_KEY = "PRIVATE_KEY"
    SEED_PHRASE = "SEED_PHRASE"
    CONNECTION_STRING = "CONNECTION_STRING"
    SECURITY_ANSWER = "SECURITY_ANSWER"
    INTERNAL_ACCESS = "INTERNAL_ACCESS"

    LITERAL = "LITERAL"
    DETAIL = "DETAIL"


_PL2 = frozenset(list(EntityType)[: list(EntityType).index(EntityType.NATIONAL_ID)])
_PL4 = frozenset(
    list(EntityType)[list(EntityType).index(EntityType.PASSWORD) : list(EntityType).index(EntityType.LITERAL)]
)
NOT_A_LEVEL = frozenset({EntityType.LITERAL, EntityType.DETAIL})


def default_level(entity_type: EntityType) -> Level:
    """Return the level that the type has unless the user changed it.

    Raises:
        ValueError: LITERAL and DETAIL have no level.
    """
    if entity_type in NOT_A_LEVEL:
        msg = f"{entity_type} has no level"
        raise ValueError(msg)
    if entity_type in _PL4:
        return Level.PL4
    return Level.PL2 if entity_type in _PL2 else Level.PL3
