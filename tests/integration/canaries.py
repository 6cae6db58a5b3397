"""Messages with planted private values, one of every type that the rules promise to find, put together at run time.

A canary is a text with one value in it, and the needles by which a leak of the value is known: the value as it stands,
and its digits alone where they are many. Needles hold no quote and no line break, so that no encoding hides them.
"""

import base64
import random
import string
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from mnemonic import Mnemonic
from stdnum import luhn, verhoeff
from stdnum.cn import ric
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.iso7064 import mod_11_10
from stdnum.it import codicefiscale
from stdnum.kr import rrn

_ALPHANUMERIC = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Canary:
    """One message; `secret` says that the value is PL4."""

    kind: str
    text: str
    needles: tuple[str, ...]
    secret: bool


class _Source:
    """Random parts of values."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def digits(self, count: int, first: str = "123456789") -> str:
        return self.rng.choice(first) + "".join(self.rng.choices(string.digits, k=count - 1))

    def mix(self, count: int) -> str:
        """Letters and digits that begin with both cases and a digit, as generated keys do."""
        return "aZ7" + "".join(self.rng.choices(_ALPHANUMERIC, k=count - 3))

    def hex(self, count: int) -> str:
        return "".join(self.rng.choices("0123456789abcdef", k=count))

    def letters(self, count: int) -> str:
        return "".join(self.rng.choices(string.ascii_lowercase, k=count))

    def date(self) -> tuple[int, int, int]:
        return self.rng.randint(1950, 1999), self.rng.randint(1, 12), self.rng.randint(1, 28)


def _card(s: _Source) -> str:
    body = "4" + s.digits(14, string.digits)
    number = body + luhn.calc_check_digit(body)
    return " ".join(number[i : i + 4] for i in range(0, 16, 4))


def _iban(country: str, account: str) -> str:
    as_number = "".join(str(int(char, 36)) for char in account + country + "00")
    return f"{country}{98 - int(as_number) % 97:02d}{account}"


def _chinese_id(s: _Source) -> str:
    body = "110105{:04d}{:02d}{:02d}".format(*s.date()) + s.digits(3)
    return body + ric.calc_check_digit(body)


def _german_id(s: _Source) -> str:
    digits = list("0123456789")
    s.rng.shuffle(digits)
    digits[9] = digits[1]  # exactly one digit comes twice, as the rule wants
    if digits[0] == "0":
        digits[0], digits[2] = digits[2], digits[0]
    body = "".join(digits)
    return body + mod_11_10.calc_check_digit(body)


def _french_id(s: _Source) -> str:
    year, month, _ = s.date()
    body = f"1{year % 100:02d}{month:02d}75{s.digits(6, '1234')}"
    return body + nir.calc_check_digits(body)


def _italian_code(s: _Source) -> str:
    year, _, day = s.date()
    body = f"RSS{''.join(s.rng.choices('BCDFGLMN', k=3))}{year % 100:02d}T{day:02d}A562"
    return body + codicefiscale.calc_check_digit(body)


def _cpf(s: _Source) -> str:
    body = s.digits(9)
    for _ in range(2):
        weighed = sum(int(digit) * weight for digit, weight in zip(reversed(body), range(2, 12), strict=False))
        body += str((-weighed % 11) % 10)
    return f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"


def _korean_id(s: _Source) -> str:
    body = "{:02d}{:02d}{:02d}".format(s.rng.randint(50, 99), *s.date()[1:]) + "1" + s.digits(5)
    return f"{body[:6]}-{body[6:]}{rrn.calc_check_digit(body)}"


def _wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def _jwt(s: _Source) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(f'{{"sub":"{s.letters(9)}"}}'.encode()).decode().rstrip("=")
    return f"{head}.{body}.{s.mix(43)}"


def _key_line(s: _Source) -> str:
    return s.mix(64)


def _private_key(line: str) -> str:
    dashes = "-" * 5
    kind = "RSA PRIVATE" + " KEY"
    return f"{dashes}BEGIN {kind}{dashes}\nMIIE{line[:60]}\n{line}\n{line[::-1]}\n{dashes}END {kind}{dashes}"


Kind = tuple[str, bool, Callable[[_Source], str], str]
"""Name, whether it is PL4, the value, and the text around it with `{}` where the value stands."""

_KINDS: tuple[Kind, ...] = (
    ("email", False, lambda s: f"{s.letters(9)}@example.org", "Write to {} please"),
    ("email zh", False, lambda s: f"{s.letters(9)}@example.cn", "我的邮箱是{}，谢谢"),
    ("email in code", False, lambda s: f"{s.letters(9)}.x+tag@mail.example.com", 'user = {{"mail": "{}"}}'),
    ("email wide", False, lambda s: _wide(f"{s.letters(9)}@example.org"), "邮箱：{}"),
    ("phone de", False, lambda s: f"+49 151 {s.digits(8)}", "Call me at {} tonight"),
    ("phone us", False, lambda s: f"(415) {s.digits(3, '23456')}-{s.digits(4)}", "My phone number is {}."),
    ("phone zh", False, lambda s: f"138{s.digits(8)}", "手机号{}，随时联系"),
    ("phone wide", False, lambda s: _wide(f"139{s.digits(8)}"), "电话：{}"),
    ("phone in log", False, lambda s: f"+4479111{s.digits(5)}", "2024-05-01 12:00:03 INFO sms to={} queued"),
    ("card", False, _card, "The card is {}, valid until next year"),
    ("card zh", False, lambda s: _card(s).replace(" ", ""), "银行卡号{}"),
    ("iban de", False, lambda s: _iban("DE", s.digits(18)), "Transfer it to {} today"),
    ("iban gb", False, lambda s: _iban("GB", "NWBK" + s.digits(14)), "IBAN: {}"),
    ("id cn", False, _chinese_id, "身份证号是{}。"),
    ("id us", False, lambda s: f"{s.rng.randint(101, 499)}-{s.rng.randint(11, 99)}-{s.digits(4)}", "My SSN is {}"),
    ("id uk", False, lambda s: "SH " + " ".join(s.digits(2) for _ in range(3)) + " B", "National Insurance number {}"),
    ("id de", False, _german_id, "Steuer-ID {}"),
    ("id fr", False, _french_id, "Mon numéro de sécurité sociale est {}"),
    ("id it", False, _italian_code, "Codice fiscale {}"),
    ("id es", False, lambda s: (lambda n: n + dni.calc_check_digit(n))(s.digits(8)), "Mi DNI es {}"),
    ("id in", False, lambda s: (lambda n: n + verhoeff.calc_check_digit(n))(s.digits(11, "23456789")), "Aadhaar {}"),
    ("id br", False, _cpf, "CPF: {}"),
    ("id kr", False, _korean_id, "주민등록번호 {}"),
    (
        "ip",
        False,
        lambda s: f"84.{s.rng.randint(100, 255)}.{s.rng.randint(100, 255)}.{s.rng.randint(10, 99)}",
        "ssh {}",
    ),
    ("ip 6", False, lambda s: f"2a02:{s.hex(4)}:1{s.hex(3)}::1{s.hex(3)}", "The router has {} now"),
    ("mac", False, lambda s: "3c:" + ":".join(s.hex(2) for _ in range(5)), "MAC {} on wlan0"),
    ("github", True, lambda s: "gh" + "p_" + s.mix(36), "git remote uses {} there"),
    ("openai", True, lambda s: "sk" + "-proj-" + s.mix(48), "OPENAI_API_KEY={}"),
    ("anthropic", True, lambda s: "sk" + "-ant-api03-" + s.mix(60), "key: {}"),
    ("aws", True, lambda s: "AK" + "IA" + "".join(s.rng.choices(string.ascii_uppercase + "234567", k=16)), "用{}部署"),
    ("google", True, lambda s: "AI" + "za" + s.mix(35), "maps uses {} in config.yaml"),
    ("slack", True, lambda s: f"xo{'xb'}-{s.digits(12)}-{s.digits(12)}-{s.mix(24)}", "slack bot {}"),
    ("stripe", True, lambda s: "sk" + "_live_" + s.mix(24), "charge = Stripe('{}')"),
    ("gitlab", True, lambda s: "gl" + "pat-" + s.mix(20), "clone with {}"),
    ("named key", True, lambda s: s.mix(32), 'client_secret: "{}"'),
    ("jwt", True, _jwt, "curl -H 'Authorization: Bearer {}'"),
    ("connection", True, lambda s: s.mix(18), "postgres://app:{}@db.example.net:5432/shop"),
    ("connection odbc", True, lambda s: s.mix(18), "Server=db;User Id=sa;Password={};Database=shop"),
    ("cookie", True, lambda s: s.hex(32), "Set-Cookie: sessionid={}; Path=/; HttpOnly"),
    ("seed", True, lambda s: Mnemonic("english").to_mnemonic(s.rng.randbytes(16)), "My seed phrase: {}"),
    ("seed zh", True, lambda s: Mnemonic("chinese_simplified").to_mnemonic(s.rng.randbytes(16)), "助记词：{}"),
    ("otp", True, lambda s: s.digits(8), "Your verification code is {}, do not share it"),
    ("otp zh", True, lambda s: s.digits(6), "验证码{}，五分钟内有效"),
    ("pin", True, lambda s: s.digits(6), "The PIN of my card is {}"),
    ("password", True, lambda s: s.mix(12), "my password is {}"),
    ("password zh", True, lambda s: s.mix(12), "密码：{}，别告诉别人"),
    ("password in code", True, lambda s: s.mix(14), 'DB_PASSWORD = "{}"  # TODO'),
    ("password in log", True, lambda s: s.mix(14), "2024-05-01 ERROR login failed user=bob password={}"),
    ("password wide", True, lambda s: _wide(s.mix(12)), "密码是{}"),
    ("private key", True, _key_line, "deploy with this"),
)


def canaries(count: int, seed: int) -> list[Canary]:
    """Return that many messages, every kind in turn."""
    source = _Source(seed)
    return [_canary(_KINDS[number % len(_KINDS)], source) for number in range(count)]


def kinds() -> int:
    """How many kinds there are."""
    return len(_KINDS)


def _canary(kind: Kind, source: _Source) -> Canary:
    name, secret, value_of, around = kind
    value = value_of(source)
    text = f"{around}:\n{_private_key(value)}" if name == "private key" else around.format(value)
    folded = unicodedata.normalize("NFKC", value)
    digits = "".join(filter(str.isdecimal, folded))
    needles = {value, folded} | ({digits} if len(digits) >= 9 and not any(map(str.isalpha, folded)) else set())
    return Canary(kind=name, text=text, needles=tuple(sorted(needles)), secret=secret)
