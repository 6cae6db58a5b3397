"""A profile whose vault already holds many values, and messages about them. Shared by the benchmarks.

Every value is made up here from a seed: addresses at example domains, numbers from ranges kept for fiction where there
are any, cards that only pass Luhn.
"""

import datetime
import random
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from keepmum_cloud.certificate import server_identity
from keepmum_edge.config import EdgeConfig, load
from keepmum_edge.daemon.store import Pairing, PairingStore
from keepmum_edge.database.profile import open_profile
from keepmum_edge.keys import Keyholder
from keepmum_edge.vault.canonical import canonical
from keepmum_edge.vault.store import VaultStore
from keepmum_shared.ids import new_device_id
from keepmum_shared.taxonomy import EntityType

VALUES: Final = 50_000
_NAMES: Final = (
    "anna",
    "bruno",
    "carla",
    "deniz",
    "edgar",
    "fatima",
    "goran",
    "helen",
    "imran",
    "julia",
    "kenji",
    "laila",
)


def made_profile(home: Path, values: int = VALUES, **flags: object) -> EdgeConfig:
    """Make a profile below `home`, its key protected by a file, with that many values in its vault; return settings."""
    config = load({"KEEPMUM_HOME": str(home)}, {"key_store": "file"} | flags)
    config.paths.prepare()
    key = Keyholder(config, ring=None).create().key
    database = open_profile(config.paths, key)
    store = VaultStore(database)
    with database.transaction():
        PairingStore(database).put(pairing_with_nothing(home))
        for number in range(values):
            kind, value = (EntityType.EMAIL, email(number)) if number % 2 else (EntityType.PHONE, phone(number))
            store.allot(kind, canonical(kind, value), value)
    database.checkpoint()
    database.close()
    return config


def pairing_with_nothing(folder: Path) -> Pairing:
    """Return a pairing with a port at which nothing answers: a turn is read and masked, and does not leave."""
    identity = server_identity(folder / "nobody", ["127.0.0.1"], datetime.datetime.now(datetime.UTC))
    return Pairing(
        device=new_device_id(),
        host="127.0.0.1",
        port=1,
        certificate_pem=identity.certificate_file.read_text(),
        private_key=bytes(range(32)),
        paired_at=0,
    )


def email(number: int) -> str:
    """Return the address of a person by number."""
    return f"{_NAMES[number % len(_NAMES)]}.{number}@mail{number % 97}.example"


def phone(number: int) -> str:
    """Return the telephone number of a person by number, below 80,000."""
    return f"+44 7700 9{number // 1000:02d} {number % 1000:03d}"


def card(rng: random.Random) -> str:
    """Return a card number that passes Luhn."""
    digits = "4" + "".join(rng.choices("0123456789", k=14))
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(digits))
    digits += str(-total % 10)
    return " ".join(digits[start : start + 4] for start in range(0, 16, 4))


def password(rng: random.Random) -> str:
    """Return a password."""
    return "".join(rng.choices("abcdefghkmnpqrstuvwxyz", k=7)) + "-" + "".join(rng.choices("23456789", k=4))


_ENGLISH: Final = (
    "Please write to {email} that we would like to keep the flat on the same terms, and if there is no answer by "
    "Thursday draft a text for {phone} as well. The deposit was paid with the card {card}. For the portal the "
    "password is {password}; tell me what is still missing before we can sign."
)
_CHINESE: Final = (
    "请写邮件给{email}，说明我们希望按去年的条件续租公寓。星期四之前没有回复的话，再起草一条短信发到{phone}。"
    "押金已经用银行卡{card}付过。租客网站的密码是{password}，告诉我签约之前还缺什么。"
)
LANGUAGES: Final = {"en": _ENGLISH, "zh": _CHINESE}


def message(language: str, rng: random.Random, values: int = VALUES) -> str:
    """Return a message of about 100 tokens with an address, a telephone number, a card and a password.

    English: 117 tokens of SmolLM2, which takes digits one by one. Chinese: 150 characters, values included.
    Every second address and number is one that the vault of `made_profile` holds.
    """
    pick: Callable[[], int] = lambda: rng.randrange(min(2 * values, 80_000))  # noqa: E731
    return LANGUAGES[language].format(email=email(pick()), phone=phone(pick()), card=card(rng), password=password(rng))


def token() -> str:
    """Return a local access token."""
    return secrets.token_urlsafe(16)
