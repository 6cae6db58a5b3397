"""What a slot in a template stands for.

Three kinds of value slots: of people (`‹name@1›`, `‹email@1›`: the same mark is the same person within a message, mark
0 is the user, no mark somebody new), made values (`‹phone›`) and phrases (`‹condition›`: the rule `words.condition` of
the language, as one labelled piece). `‹my.phone›` is a fact of the user's profile: the same in all their messages.
"""

from collections.abc import Callable
from dataclasses import dataclass

from keepmum_shared.taxonomy import EntityType as T

from keepmum_models.corpus.grammar import Grammar, Slot
from keepmum_models.corpus.pieces import Piece
from keepmum_models.corpus.scene import Maker, Person, Scene
from keepmum_models.corpus.values import (
    chinese_text,
    contacts,
    credentials,
    dates,
    documents,
    figures,
    foreign,
    money,
    monikers,
    names,
    nearmiss,
    network,
    opaque,
    organisations,
    passwords,
    places,
    references,
    stand_ins,
    transliteration,
    words,
)


@dataclass(frozen=True, slots=True)
class ValueSlot:
    """A made value: its type, its makers by language, and whether values are split between training and held-back.

    Makers whose words come from split pools need no second check; numbers and free strings do.
    """

    entity_type: T | None
    english: Maker
    chinese: Maker
    checked: bool = True
    public: bool = False


def _both(entity_type: T | None, maker: Maker, *, checked: bool = True, public: bool = False) -> ValueSlot:
    return ValueSlot(entity_type, maker, maker, checked, public)


_PERSON_FORMS: dict[str, tuple[T, Callable[[Scene, Person], str]]] = {
    "name": (T.NAME, lambda _, person: person.full),
    "given": (T.NAME, names.short_form),
    "family": (T.NAME, lambda _, person: person.full if names.is_chinese(person) else person.family),
    "titled": (T.NAME, names.with_title_zh),
    "reversed": (T.NAME, names.reversed_form),
    "nick": (T.NAME, monikers.nickname),
    "initialled": (T.NAME, monikers.initialled),
    "kin": (T.NAME, monikers.with_kin_word),
    "tag": (T.NAME, monikers.tag),
    "email": (T.EMAIL, contacts.email),
    "username": (T.USERNAME, names.username),
    "wechat": (T.USERNAME, contacts.wechat),
    "profile_url": (T.PROFILE_URL, contacts.profile_url),
}

VALUES: dict[str, ValueSlot] = {
    "word_name": _both(T.NAME, monikers.plain_word),
    "stage": _both(T.NAME, monikers.stage_name),
    "qq": _both(T.USERNAME, contacts.qq),
    "phone": ValueSlot(T.PHONE, contacts.phone_en, contacts.phone_zh),
    "arabic_phone": _both(T.PHONE, foreign.arabic_phone),
    "fax": _both(T.PHONE, contacts.fax),
    "address": ValueSlot(T.ADDRESS, places.address_en, places.address_zh, checked=False),
    "region": ValueSlot(T.ADDRESS, places.region_en, places.region_zh, checked=False),
    "address_en": _both(T.ADDRESS, places.address_en, checked=False),
    "postcode": ValueSlot(T.POSTCODE, places.postcode_en, places.postcode_zh),
    "employer": _both(T.ORGANIZATION, organisations.employer),
    "school": _both(T.ORGANIZATION, organisations.school),
    "ward": _both(T.ORGANIZATION, organisations.ward),
    "club": _both(T.ORGANIZATION, organisations.club),
    "dob": _both(T.DATE_OF_BIRTH, dates.date_of_birth),
    "ip": _both(T.IP_ADDRESS, network.ip_address),
    "mac": _both(T.DEVICE_ID, network.mac_address),
    "imei": _both(T.DEVICE_ID, network.imei),
    "device": _both(T.DEVICE_ID, network.device_id),
    "plate": _both(T.VEHICLE_PLATE, network.vehicle_plate),
    "account": _both(T.ACCOUNT_ID, contacts.account_id),
    "national_id": _both(T.NATIONAL_ID, documents.national_id),
    "passport": _both(T.PASSPORT, documents.passport),
    "license": _both(T.DRIVER_LICENSE, documents.driver_license),
    "tax_id": _both(T.TAX_ID, documents.tax_id),
    "iban": _both(T.BANK_ACCOUNT, money.iban),
    "swift": _both(T.BANK_ACCOUNT, money.swift),
    "bank_account": _both(T.BANK_ACCOUNT, money.bank_account),
    "card": _both(T.BANK_CARD, money.bank_card),
    "wallet": _both(T.CRYPTO_WALLET, money.crypto_wallet),
    "money": ValueSlot(T.FINANCE, money.finance_en, money.finance_zh, checked=False),
    "amount": ValueSlot(T.FINANCE, money.amount_en, money.amount_zh, checked=False),
    "score": _both(T.FINANCE, money.credit_score, checked=False),
    "trace": ValueSlot(T.LOCATION_TRACE, places.trace_en, places.trace_zh, checked=False),
    "coordinates": _both(T.LOCATION_TRACE, places.coordinates),
    "password": _both(T.PASSWORD, passwords.password),
    "pin": _both(T.PIN, passwords.pin),
    "otp": _both(T.OTP, passwords.otp),
    "api_key": _both(T.API_KEY, credentials.api_key),
    "token": _both(T.TOKEN, credentials.token),
    "jwt": _both(T.TOKEN, credentials.jwt),
    "authenticator_seed": _both(T.API_KEY, credentials.authenticator_seed),
    "authenticator_secret": _both(T.API_KEY, credentials.authenticator_secret),
    "counted_key": _both(T.API_KEY, stand_ins.counted_key),
    "license_key": _both(T.API_KEY, credentials.license_key),
    "backup_codes": _both(T.OTP, passwords.backup_codes),
    "basic": _both(T.TOKEN, credentials.basic_credentials),
    "webhook": _both(T.TOKEN, credentials.webhook),
    "word_password": _both(T.PASSWORD, passwords.word_password),
    "cookie": _both(T.COOKIE, credentials.cookie),
    "private_key": _both(T.PRIVATE_KEY, credentials.private_key),
    "seed": _both(T.SEED_PHRASE, credentials.seed_phrase),
    "connection": _both(T.CONNECTION_STRING, credentials.connection_string),
    "internal": _both(T.INTERNAL_ACCESS, network.internal_access),
    "hash": _both(None, nearmiss.content_hash, checked=False),
    "integrity": _both(None, nearmiss.integrity, checked=False),
    "version": _both(None, nearmiss.version, checked=False),
    "order": _both(None, nearmiss.order_number, checked=False),
    "quantity": _both(None, nearmiss.quantity, checked=False),
    "port": _both(None, nearmiss.port, checked=False),
    "placeholder": _both(None, stand_ins.placeholder, checked=False),
    "template": _both(None, stand_ins.template, checked=False),
    "reference": _both(None, stand_ins.reference, checked=False),
    "mask": _both(None, stand_ins.mask, checked=False),
    "doc_example": _both(None, stand_ins.documentation_example, checked=False),
    "sample_jwt": _both(None, stand_ins.sample_jwt, checked=False),
    "sample_connection": _both(None, stand_ins.sample_connection, checked=False),
    "keyless_address": _both(None, stand_ins.keyless_address, checked=False),
    "sealed": _both(None, stand_ins.sealed, checked=False),
    "public_key": _both(None, opaque.public_key, checked=False),
    "fingerprint": _both(None, opaque.fingerprint, checked=False),
    "request_id": _both(None, opaque.trace, checked=False),
    "resource": _both(None, opaque.resource, checked=False),
    "lock_line": _both(None, opaque.lock_line, checked=False),
    "embedded": _both(None, opaque.embedded, checked=False),
    "sample_email": _both(None, nearmiss.sample_email, checked=False),
    "epoch": _both(None, nearmiss.epoch, checked=False),
    "blob": _both(None, nearmiss.blob, checked=False),
    "machine": _both(None, nearmiss.machine_id, checked=False),
    "word": _both(None, words.word, checked=False),
    "title": _both(None, words.title, checked=False),
    "nonsense": _both(None, words.sentence, checked=False),
    "trade": _both(None, words.trade, checked=False),
    "dish": _both(None, words.dish, checked=False),
    "people": _both(None, words.people, checked=False),
    "bank": _both(T.ORGANIZATION, organisations.bank, checked=False, public=True),
    "artist": _both(None, monikers.artist, checked=False),
    "part": _both(None, references.part_number, checked=False),
    "parcel": _both(None, references.parcel_number, checked=False),
    "citation": _both(None, references.citation, checked=False),
    "model": _both(None, references.model_number, checked=False),
    "flight": _both(None, references.flight_number, checked=False),
    "book": _both(None, references.book_number, checked=False),
    "wrong_card": _both(None, references.wrong_card, checked=False),
    "wrong_number": _both(None, references.wrong_number, checked=False),
    "wrong_date": _both(None, references.wrong_date, checked=False),
    "trace_id": _both(None, references.trace_id, checked=False),
    "measure": _both(None, references.measure, checked=False),
    "public_email": _both(T.EMAIL, references.public_email, checked=False, public=True),
    "public_phone": _both(T.PHONE, references.public_phone, checked=False, public=True),
    "uuid": _both(None, network.uuid, checked=False),
    "date": _both(None, dates.meeting_date, checked=False),
    "clock": _both(None, dates.clock, checked=False),
    "stamp": _both(None, dates.timestamp, checked=False),
    "price": ValueSlot(None, money.amount_en, money.amount_zh, checked=False),
    "citizen": _both(T.NAME, figures.citizen, checked=False),
    "anybody": _both(T.NAME, figures.anybody, checked=False),
    "somebody": _both(T.NAME, figures.somebody, checked=False),
    "nickname": _both(T.NAME, figures.nickname, checked=False),
    "ancient": _both(T.NAME, figures.ancient, checked=False),
    "courtesy": _both(T.NAME, figures.courtesy, checked=False),
    "cleric": _both(T.NAME, figures.cleric, checked=False),
    "neighbour": _both(T.NAME, figures.neighbour, checked=False),
    "steppe": _both(T.NAME, figures.steppe, checked=False),
    "surname": _both(T.NAME, figures.surname, checked=False),
    "foreign": _both(T.NAME, transliteration.full, checked=False),
    "foreign_spoken": _both(T.NAME, transliteration.spoken, checked=False),
    "mentioned": _both(T.NAME, transliteration.mentioned, checked=False),
    "western": _both(T.NAME, names.western_full, checked=False),
    "addressed": _both(None, figures.addressed, checked=False),
    "record_no": _both(T.ACCOUNT_ID, chinese_text.record_number),
    "permit": _both(T.NATIONAL_ID, chinese_text.permit),
    "card_tail": _both(T.BANK_CARD, chinese_text.card_tail),
    "operation": _both(T.HEALTH, chinese_text.operation, checked=False),
    "finding": _both(T.HEALTH, chinese_text.finding, checked=False),
    "serial_zh": _both(None, chinese_text.serial, checked=False),
    "zh.noun": _both(None, chinese_text.noun, checked=False),
    "zh.verb": _both(None, chinese_text.verb, checked=False),
    "zh.adjective": _both(None, chinese_text.adjective, checked=False),
    "zh.manner": _both(None, chinese_text.manner, checked=False),
    "zh.saying": _both(None, chinese_text.saying, checked=False),
    "zh.place": _both(None, chinese_text.place, checked=False),
    "zh.body": _both(None, chinese_text.body, checked=False),
    "zh.trap": _both(None, chinese_text.trap, checked=False),
    "zh.spot": _both(None, chinese_text.spot, checked=False),
    "everyman": _both(T.NAME, figures.everyman, checked=False, public=True),
    "public_firm": _both(T.ORGANIZATION, organisations.public_firm, checked=False, public=True),
    "public_city": ValueSlot(T.ADDRESS, places.city_en, places.city_zh, checked=False, public=True),
    "public_venue": _both(T.ORGANIZATION, organisations.club, checked=False, public=True),
}
VALUES |= {f"{script}_name": _both(T.NAME, foreign.name(script), checked=False) for script in foreign.SCRIPTS}
VALUES |= {f"{script}_address": _both(T.ADDRESS, foreign.address(script)) for script in foreign.SCRIPTS}

PHRASES: dict[str, T] = {
    "condition": T.HEALTH,
    "symptom": T.HEALTH,
    "medication": T.HEALTH,
    "lab": T.HEALTH,
    "biometric": T.BIOMETRIC,
    "religion": T.RELIGION,
    "faith": T.RELIGION,
    "ethnicity": T.ETHNICITY,
    "orientation": T.ORIENTATION,
    "politics": T.POLITICS,
    "legal": T.LEGAL_RECORD,
    "minor": T.MINOR,
    "message": T.PRIVATE_MESSAGE,
    "security_answer": T.SECURITY_ANSWER,
}
PUBLIC_PHRASES: dict[str, T] = {
    "public_figure": T.NAME,
    "fictional": T.NAME,
    "country": T.ADDRESS,
}


def is_value(name: str) -> bool:
    """Whether a slot name is a value; otherwise it is a rule."""
    bare = name.removeprefix("my.")
    return bare in VALUES or bare in PHRASES or bare in PUBLIC_PHRASES or bare in _PERSON_FORMS


class SlotFiller:
    """Fills the slots of one message."""

    def __init__(self, scene: Scene, grammar: Grammar) -> None:
        self._scene = scene
        self._grammar = grammar

    def __call__(self, slot: Slot) -> Piece | None:
        """Return the piece for a value slot, None for the name of a rule."""
        if not is_value(slot.name):
            return None
        bare = slot.name.removeprefix("my.")
        if bare in _PERSON_FORMS:
            return self._of_person(bare, "0" if bare != slot.name else slot.person)
        entity_type, public = self._type_of(bare)
        if bare == slot.name:
            return Piece(self._made(bare), entity_type, public)
        if bare not in self._scene.facts:
            self._scene.facts[bare] = self._made(bare)
        return Piece(self._scene.facts[bare], entity_type, public)

    def _type_of(self, name: str) -> tuple[T | None, bool]:
        if name in VALUES:
            return VALUES[name].entity_type, VALUES[name].public
        if name in PHRASES:
            return PHRASES[name], False
        return PUBLIC_PHRASES[name], True

    def _made(self, name: str) -> str:
        scene = self._scene
        if name in VALUES:
            slot = VALUES[name]
            maker = slot.chinese if scene.language == "zh" else slot.english
            return scene.admitted(maker) if slot.checked else maker(scene)
        return "".join(piece.text for piece in self._grammar.expand(f"words.{name}", self, scene.rng)).strip()

    def _of_person(self, form: str, mark: str | None) -> Piece:
        scene = self._scene
        if mark is None:
            person = names.person(scene)
        else:
            if mark not in scene.cast:
                scene.cast[mark] = names.person(scene)
            person = scene.cast[mark]
        entity_type, write = _PERSON_FORMS[form]
        if mark == "0" and form in {"email", "username", "wechat", "profile_url"}:
            if form not in scene.facts:
                scene.facts[form] = scene.admitted(lambda drawn: write(drawn, person))
            return Piece(scene.facts[form], entity_type)
        if form in {"username", "wechat", "profile_url", "email"}:
            return Piece(scene.admitted(lambda drawn: write(drawn, person)), entity_type)
        return Piece(write(scene, person), entity_type)
