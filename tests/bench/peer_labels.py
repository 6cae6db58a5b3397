"""What the peers' labels mean in our types. A label that is not here is of unknown meaning, and counts as a mask."""

from collections.abc import Mapping
from typing import Final

from keepmum_models.evaluation.masks import Unlisted
from keepmum_shared.taxonomy import EntityType as T

OTHER: Final = Unlisted.OTHER
Meaning = Mapping[str, T | Unlisted]

_PRESIDIO: Final[Meaning] = {
    "PERSON": T.NAME, "LOCATION": T.ADDRESS, "ORGANIZATION": T.ORGANIZATION, "NRP": T.ETHNICITY, "DATE_TIME": OTHER,
    "AGE": OTHER, "EMAIL_ADDRESS": T.EMAIL, "EMAIL": T.EMAIL, "PHONE_NUMBER": T.PHONE, "URL": OTHER,
    "IP_ADDRESS": T.IP_ADDRESS, "MAC_ADDRESS": T.DEVICE_ID, "UUID": T.DEVICE_ID, "ID": T.ACCOUNT_ID,
    "CREDIT_CARD": T.BANK_CARD, "IBAN_CODE": T.BANK_ACCOUNT, "US_BANK_NUMBER": T.BANK_ACCOUNT,
    "CRYPTO": T.CRYPTO_WALLET, "US_SSN": T.NATIONAL_ID, "US_ITIN": T.TAX_ID, "US_PASSPORT": T.PASSPORT,
    "US_DRIVER_LICENSE": T.DRIVER_LICENSE, "UK_NHS": T.HEALTH, "MEDICAL_LICENSE": T.ACCOUNT_ID,
}  # fmt: skip
_ARGUS: Final[Meaning] = {
    "person": T.NAME, "organization": T.ORGANIZATION, "workplace": T.ORGANIZATION, "school": T.ORGANIZATION,
    "address": T.ADDRESS, "location": T.ADDRESS, "phone": T.PHONE, "landline": T.PHONE, "us_phone": T.PHONE,
    "email": T.EMAIL, "id_number": T.NATIONAL_ID, "ssn": T.NATIONAL_ID, "rrn": T.NATIONAL_ID,
    "my_number": T.NATIONAL_ID, "cpf": T.NATIONAL_ID, "aadhaar": T.NATIONAL_ID, "social_security": T.NATIONAL_ID,
    "military_id": T.NATIONAL_ID, "tw_id": T.NATIONAL_ID, "taiwan_arc": T.NATIONAL_ID, "itin": T.TAX_ID,
    "cnpj": T.TAX_ID, "tax_id": T.TAX_ID, "credit_code": T.TAX_ID, "passport": T.PASSPORT, "us_passport": T.PASSPORT,
    "bank_card": T.BANK_CARD, "credit_card": T.BANK_CARD, "iban": T.BANK_ACCOUNT, "bank_account": T.BANK_ACCOUNT,
    "financial": T.FINANCE, "medical": T.HEALTH, "biometric": T.BIOMETRIC, "religion": T.RELIGION,
    "political": T.POLITICS, "ethnicity": T.ETHNICITY, "nationality": T.ETHNICITY, "sexual_orientation": T.ORIENTATION,
    "criminal_record": T.LEGAL_RECORD, "date_of_birth": T.DATE_OF_BIRTH, "license_plate": T.VEHICLE_PLATE,
    "imei": T.DEVICE_ID, "mac_address": T.DEVICE_ID, "ip_address": T.IP_ADDRESS, "qq": T.USERNAME,
    "wechat": T.USERNAME, "anthropic_api_key": T.API_KEY, "openai_api_key": T.API_KEY, "aws_access_key": T.API_KEY,
    "github_token": T.TOKEN, "jwt": T.TOKEN, "url_token": T.TOKEN, "ssh_private_key": T.PRIVATE_KEY, "age": OTHER,
    "gender": OTHER, "job_title": OTHER, "hobby": OTHER, "date": OTHER,
}  # fmt: skip
_DATAFOG: Final[Meaning] = {
    "EMAIL": T.EMAIL, "PHONE": T.PHONE, "SSN": T.NATIONAL_ID, "CREDIT_CARD": T.BANK_CARD, "IP_ADDRESS": T.IP_ADDRESS,
    "DOB": T.DATE_OF_BIRTH, "DATE": OTHER, "ZIP": T.POSTCODE, "ZIP_CODE": T.POSTCODE, "PERSON": T.NAME,
    "ORGANIZATION": T.ORGANIZATION, "LOCATION": T.ADDRESS, "ADDRESS": T.ADDRESS,
}  # fmt: skip
_VEIL: Final[Meaning] = {
    "EMAIL": T.EMAIL, "PHONE": T.PHONE, "CARD": T.BANK_CARD, "IBAN": T.BANK_ACCOUNT, "SSN": T.NATIONAL_ID,
    "IPV4": T.IP_ADDRESS, "IPV6": T.IP_ADDRESS, "URL_CREDENTIAL": T.CONNECTION_STRING, "SECRET": T.API_KEY,
    "DOB": T.DATE_OF_BIRTH, "ADDRESS": T.ADDRESS, "PERSON": T.NAME, "ORG": T.ORGANIZATION, "LOCATION": T.ADDRESS,
}  # fmt: skip
_LAC: Final[Meaning] = {"PER": T.NAME, "LOC": T.ADDRESS, "ORG": T.ORGANIZATION}

MEANINGS: Final[Mapping[str, Meaning]] = {
    "argus-redact": _ARGUS,
    "presidio": _PRESIDIO,
    "datafog": _DATAFOG,
    "veil-pii": _VEIL,
    "lac": _LAC,
}
"""By the names of `peers/find_spans.py`."""
