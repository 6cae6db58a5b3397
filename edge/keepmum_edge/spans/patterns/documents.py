"""Numbers of documents and accounts that only their label tells: passports, licences, plates, member numbers."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import Labelled

_MIXED: Final = (
    r"([0-9A-Za-z](?:[./-]?[0-9A-Za-z]| (?=[0-9]|[A-Z]{1,2}(?![0-9A-Za-z]))[0-9A-Z]){4,23})(?![0-9A-Za-z*•])"
)
_TIGHT: Final = r"([0-9A-Za-z](?:[./-]?[0-9A-Za-z]){3,23})(?![0-9A-Za-z])"


def _with_digits(value: str) -> bool:
    return sum(c.isdigit() for c in value) >= 4


_NATIONAL: Final = (
    "ssn|social security|social security number|national id|national identity|identity card|id card|nino|"
    "national insurance|national insurance number|ni number|nhs|nhs number|aadhaar|aadhar|uidai|bsn|"
    "burgerservicenummer|pesel|personnummer|my number|mynumber|dni|nie|nric|fin number|curp|rrn|"
    "sozialversicherungsnummer|rentenversicherungsnummer|krankenversicherungsnr|krankenversicherungsnummer|"
    "numéro de sécurité sociale|sécurité sociale|codice fiscale|sin|social insurance number|voter id|"
    "identity number|government id|medicare number|ahv-nr|cédula|cedula|personalausweis|personalausweisnummer|"
    "ausweisnummer|ausweis-nr.|ausweis|my social|his social|her social|"
    "carte d'identité|carte nationale d'identité|numéro insee|carta d'identità|rg|registro geral|"
    "green card|alien number|alien registration number|a-number|uscis number|"
    "身份证|身分證|身份證|身份证号|"
    "身份号码|证件|证件号|证件号码|社保卡|社保号|居住证|军官证|士兵证|港澳通行证|台胞证|回乡证|户口本|户口簿|出生证|身份證字號|身分證字號|通行证|医保卡|医保号|"
    "マイナンバー|주민등록번호|주민번호"
)
_TAX: Final = (
    "tax id|tax number|taxpayer id|tax identification number|tin|itin|ein|employer identification|utr|vat|"
    "vat id|vat number|ust-id|ustid|ust-idnr|steuer-id|steuernummer|steueridentifikationsnummer|"
    "steuerliche identifikationsnummer|idnr|partita iva|p.iva|nif|cif|rfc|pan|pan card|gstin|cpf|cnpj|tfn|"
    "tax file number|abn|siret|siren|税号|"
    "統一編號|统一编号|纳税人识别号|统一社会信用代码|信用代码|企业信用代码|机关代码"
)
_PASSPORT: Final = (
    "passport|passport number|passport no|pasaporte|passeport|reisepass|passaporto|passnummer|护照|护照号|"
    "护照号码|護照|passaporto n.|passaporto numero|パスポート番号|旅券番号|여권번호|여권|passaporte"
)
_LICENCE: Final = (
    "driver license|driver licence|driver's license|driver's licence|drivers license|drivers licence|"
    "driver’s license|driving licence|driving license|dl number|dl no|license number|licence number|"
    "driver_license|driving_licence|drivers id|cnh|carteira de motorista|patente di guida|"
    "führerschein|führerscheinnummer|permis de conduire|carnet de conducir|"
    "驾驶证|驾照|驾驶证号|驾照档案|驾驶证档案|驾照档案编号|驾驶证档案编号|行驶证|駕照號碼|駕照|免許証番号|운전면허|운전면허번호"
)
_PLATE: Final = (
    "license plate|licence plate|number plate|plate number|plate no|registration plate|vehicle registration|"
    "car registration|my plate|plate|kennzeichen|matrícula|targa|车牌|车牌号|车牌号码|車牌"
)
_ACCOUNT: Final = (
    "account id|accountid|account_id|customer id|customer number|customer no|member id|membership number|"
    "member number|employee id|employee number|staff id|student id|student number|policy number|mrn|"
    "medical record number|patient id|patient number|user id|loyalty number|frequent flyer|subscriber id|"
    "insurance number|insurance id|health insurance number|aws account|kundennummer|mitgliedsnummer|"
    "versichertennummer|学号|工号|会员号|客户号|病历号|住院号|就诊卡号|保单号|员工编号|公积金账号"
)
_POSTCODE: Final = "zip|zip code|zipcode|postcode|post code|postal code|plz|郵便番号|우편번호"
_POSTCODE_CHINA: Final = "邮编|邮政编码|pincode|邮政编号"

_RULES: Final = (
    Labelled(
        EntityType.NATIONAL_ID, "national-id", _NATIONAL, _MIXED, accept=lambda v: sum(c.isdigit() for c in v) >= 6
    ),
    Labelled(
        EntityType.TAX_ID, "tax-id", _TAX, _MIXED, accept=lambda v: sum(c.isdigit() for c in v) >= 4 and len(v) >= 8
    ),
    Labelled(
        EntityType.PASSPORT,
        "passport",
        _PASSPORT,
        r"([A-Za-z]{0,3} ?[0-9]{4,9}[A-Za-z]?"
        r"|[A-Za-z0-9]{7,10})(?![0-9A-Za-z年])",
        accept=_with_digits,
    ),
    Labelled(EntityType.DRIVER_LICENSE, "driver-licence", _LICENCE, _MIXED, accept=_with_digits),
    Labelled(
        EntityType.DRIVER_LICENSE,
        "driver-licence-dl",
        "dl|d/l",
        r"([A-Z][0-9]{6,14}|[A-Z]{2}[0-9]{2}[ -]?[0-9]{11})(?![0-9A-Za-z])",
        gap=r"(?: ?(?:no\.?|number|#))? ?(?:is|:|#|=)? ?",
    ),
    Labelled(
        EntityType.VEHICLE_PLATE,
        "plate",
        _PLATE,
        r"([A-Z0-9]{1,4}(?:[ ·-]?[A-Z0-9]{1,5}){1,3}"
        r"|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼港澳]\S{5,8})(?![0-9A-Za-z])",
        accept=lambda v: 4 <= len(v) <= 12 and any(c.isdigit() for c in v),
    ),
    Labelled(EntityType.ACCOUNT_ID, "account-id", _ACCOUNT, _TIGHT, accept=_with_digits),
    Labelled(
        EntityType.POSTCODE,
        "postcode",
        _POSTCODE,
        r"([0-9]{5}(?:-[0-9]{4})?|[A-Za-z]{1,2}[0-9][0-9A-Za-z]? ?[0-9][A-Za-z]{2}"
        r"|[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]|[0-9]{3}-[0-9]{4})"
        r"(?![0-9A-Za-z]|-[0-9])",
    ),
    Labelled(EntityType.POSTCODE, "postcode-cn", _POSTCODE_CHINA, r"([0-9]{6})(?![0-9A-Za-z])"),
)

_CHINA_PLATE: Final = re.compile(
    r"(?<![0-9A-Za-z])[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][A-HJ-NP-Z][ ·•]?"
    r"(?=[A-HJ-NP-Z0-9]*[0-9])[A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳](?![0-9A-Za-z])"
)
_LAST_OF_ID: Final = re.compile(
    r"last (?:4|four)(?: digits)?(?: of (?:my |the |his |her |our )?| )(?:ssn|social(?: security)?(?: number)?)\W{1,3}"
    r"(?:(?:is|are|:|=)\s?)?([0-9]{4})(?![0-9A-Za-z])"
    r"|(?:ssn|social security)(?: number)? end(?:s|ing) (?:in|with) ([0-9]{4})(?![0-9A-Za-z])"
    r"|身份证(?:号码?)?(?:后|末|最后)[四六46]位(?:数字)?(?:是|为|:|\s){0,2}([0-9]{3,6}[0-9x])(?![0-9a-z])"
)
"""The few digits that banks ask for."""
_MILITARY_CARD: Final = re.compile(r"[军武南北沈兰成济广海空参政后装]字第[0-9]{8}号")
_POSTCODE_GB: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][ABD-HJLNP-UW-Z]{2})(?![0-9A-Za-z])"
)


def find_documents(reading: Reading) -> Iterator[Finding]:
    """Labelled numbers, and Chinese plates and British postcodes, which need no label."""
    if not reading.has_digit:
        return
    for rule in _RULES:
        yield from rule.find(reading)
    text = reading.text
    if not text.isascii():
        for found in _CHINA_PLATE.finditer(text):
            yield Finding(found.start(), found.end(), EntityType.VEHICLE_PLATE, FORMED, "cn-plate")
        if "字第" in text:
            for found in _MILITARY_CARD.finditer(text):
                yield Finding(found.start() + 3, found.end() - 1, EntityType.NATIONAL_ID, FORMED, "cn-military-id")
    if "last" in reading.lower or "end" in reading.lower or "身份证" in text:
        for found in _LAST_OF_ID.finditer(reading.lower):
            yield Finding(*found.span(found.lastindex or 0), EntityType.NATIONAL_ID, CONTEXT, "last-of-id")
    for found in _POSTCODE_GB.finditer(text):
        yield Finding(found.start(), found.end(), EntityType.POSTCODE, FORMED, "gb-postcode")
