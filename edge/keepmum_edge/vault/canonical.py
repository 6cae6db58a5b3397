"""When two surfaces are one value: the canonical form of a surface under its type (design section 5)."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

import phonenumbers
from keepmum_shared.taxonomy import EntityType, Level, default_level

_SEPARATED: Final = frozenset(
    {
        EntityType.NATIONAL_ID,
        EntityType.PASSPORT,
        EntityType.DRIVER_LICENSE,
        EntityType.TAX_ID,
        EntityType.BANK_ACCOUNT,
        EntityType.BANK_CARD,
        EntityType.DEVICE_ID,
        EntityType.VEHICLE_PLATE,
        EntityType.ACCOUNT_ID,
        EntityType.POSTCODE,
    }
)
_EXACT: Final = frozenset({EntityType.LITERAL, EntityType.CRYPTO_WALLET, EntityType.PROFILE_URL})
_CHINESE_DIGITS: Final = str.maketrans("〇零一二三四五六七八九", "00123456789")


def canonical(entity_type: EntityType, surface: str) -> str:
    """Return the form that is equal for two surfaces of one value; only compared, never shown."""
    if entity_type in _EXACT or default_level_is_secret(entity_type):
        return surface
    folded = unicodedata.normalize("NFKC", surface)
    special = _SPECIAL.get(entity_type)
    if special is not None:
        return special(folded)
    if entity_type in _SEPARATED:
        return re.sub(r"[\W_]+", "", folded).upper() or folded
    return " ".join(folded.casefold().split()) or folded


def default_level_is_secret(entity_type: EntityType) -> bool:
    """Say whether the type is PL4, whose surfaces are compared exactly."""
    return entity_type is not EntityType.DETAIL and default_level(entity_type) is Level.PL4


def _phone(folded: str) -> str:
    """E.164 where the number is written internationally, else its digits: a region would be a guess."""
    digits = folded.translate(_CHINESE_DIGITS)
    if digits.lstrip().startswith("+"):
        try:
            number = phonenumbers.parse(digits, None)
        except phonenumbers.NumberParseException:
            pass
        else:
            return str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))
    return re.sub(r"[^0-9+]+", "", digits) or folded


def _address(folded: str) -> str:
    return folded.strip().casefold() or folded


_SPECIAL: Final[dict[EntityType, Callable[[str], str]]] = {
    EntityType.PHONE: _phone,
    EntityType.EMAIL: _address,
    EntityType.IP_ADDRESS: _address,
}
