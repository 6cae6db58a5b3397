"""Numbers of papers and tax offices with right check digits, of some twenty-five countries."""

from stdnum import luhn, verhoeff
from stdnum.iso7064 import mod_11_10, mod_97_10

from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values.dates import birth_day

_REGIONS_CN = (
    "110101",
    "110105",
    "120103",
    "130102",
    "140105",
    "150102",
    "210102",
    "220102",
    "230103",
    "310104",
    "310115",
    "320106",
    "320505",
    "330106",
    "330203",
    "340104",
    "350102",
    "360102",
    "370102",
    "370202",
    "410105",
    "420106",
    "430102",
    "440106",
    "440305",
    "450103",
    "460105",
    "500103",
    "510104",
    "520102",
    "530102",
    "610103",
    "620102",
    "650102",
)
_CREDIT_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))


def chinese_id(scene: Scene) -> str:
    """A resident identity number: region, birth date, sequence, ISO 7064 mod 11-2."""
    body = f"{scene.pick(_REGIONS_CN)}{birth_day(scene):%Y%m%d}{scene.digits(3)}"
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    check = "10X98765432"[_weighted(body, weights) % 11]
    return body + (check.lower() if scene.chance(0.1) else check)


def _loose_chinese_id(scene: Scene) -> str:
    """The same as people type it to be read, or not to be found: in groups, in full width, in numerals."""
    full = chinese_id(scene)
    numerals = dict(zip("0123456789", "零一二三四五六七八九", strict=True))
    return scene.pick(
        (
            f"{full[:6]} {full[6:14]} {full[14:]}",
            f"{full[:6]}-{full[6:14]}-{full[14:]}",
            f"{full[:3]} {full[3:6]} {full[6:10]} {full[10:14]} {full[14:]}",
            " ".join(full),
            "".join(chr(ord(mark) + 0xFEE0) for mark in full),
            "".join(numerals.get(mark, mark) for mark in full),
        )
    )


def _hongkong_id(scene: Scene) -> str:
    letter, digits = scene.masked("?"), scene.digits(6)
    total = 36 * 9 + (ord(letter) - 55) * 8 + _weighted(digits, (7, 6, 5, 4, 3, 2))
    check = -total % 11
    return f"{letter}{digits}({'A' if check == 10 else check})"


def _taiwan_id(scene: Scene) -> str:
    order = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
    letter, digits = scene.pick(order), scene.pick("12") + scene.digits(7)
    code = order.index(letter) + 10
    total = code // 10 + code % 10 * 9 + _weighted(digits, (8, 7, 6, 5, 4, 3, 2, 1))
    return f"{letter}{digits}{-total % 10}"


def _social_security(scene: Scene) -> str:
    area = scene.rng.randrange(1, 665)  # 666 and 900 up are never issued
    joint = scene.pick(("-", "-", "-", " ", ""))
    return f"{area:03d}{joint}{scene.rng.randrange(1, 100):02d}{joint}{scene.rng.randrange(1, 10000):04d}"


def _nino(scene: Scene) -> str:
    prefix = scene.pick(("AB", "CE", "HJ", "JK", "LM", "NP", "PW", "RS", "SX", "TW", "YZ"))
    joint = scene.pick(("", " "))
    return joint.join((prefix, scene.digits(2), scene.digits(2), scene.digits(2), scene.pick("ABCD")))


def _sin(scene: Scene) -> str:
    body = scene.masked("%#######")
    full = body + luhn.calc_check_digit(body)
    return scene.pick(("-", " ", "")).join((full[:3], full[3:6], full[6:]))


def _cpf(scene: Scene) -> str:
    body = scene.digits(9)
    for first in (10, 11):
        total = _weighted(body, tuple(range(first, 1, -1)))
        body += str(total * 10 % 11 % 10)
    return body if scene.chance(0.2) else f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"


def _aadhaar(scene: Scene) -> str:
    body = scene.masked("%##########")
    full = body + verhoeff.calc_check_digit(body)
    return scene.pick((" ", "", "-")).join((full[:4], full[4:8], full[8:]))


def _korean(scene: Scene) -> str:
    day = birth_day(scene)
    body = f"{day:%y%m%d}{scene.pick('12') if day.year < 2000 else scene.pick('34')}{scene.rng.randrange(96):02d}{scene.digits(3)}"
    total = _weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5))
    return f"{body[:6]}-{body[6:]}{(11 - total % 11) % 10}"


def _my_number(scene: Scene) -> str:
    body = scene.digits(11)
    rest = _weighted(body, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    full = body + str(0 if rest <= 1 else 11 - rest)
    return scene.pick((" ", "", "-")).join((full[:4], full[4:8], full[8:]))


def _dni(scene: Scene) -> str:
    body = scene.digits(8)
    return f"{body}{scene.pick(('', '-'))}{_DNI[int(body) % 23]}"


def _french(scene: Scene) -> str:
    day = birth_day(scene)
    body = f"{scene.pick('12')}{day:%y%m}{scene.rng.randrange(1, 95):02d}{scene.digits(6)}"
    full = f"{body}{97 - int(body) % 97:02d}"
    return (
        full
        if scene.chance(0.4)
        else f"{full[0]} {full[1:3]} {full[3:5]} {full[5:7]} {full[7:10]} {full[10:13]} {full[13:]}"
    )


def _pesel(scene: Scene) -> str:
    day = birth_day(scene)
    body = f"{day:%y}{day.month + (20 if day.year >= 2000 else 0):02d}{day:%d}{scene.digits(4)}"
    return body + str(-_weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def _bsn(scene: Scene) -> str:
    while True:
        body = scene.masked("%#######")
        check = _weighted(body, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
        if check < 10:
            return body + str(check)


def _nhs(scene: Scene) -> str:
    while True:
        body = scene.masked("%########")
        check = 11 - _weighted(body, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
        if check != 10:
            full = body + str(check % 11)
            return scene.pick((" ", "", "-")).join((full[:3], full[3:6], full[6:]))


def _personnummer(scene: Scene) -> str:
    body = f"{birth_day(scene):%y%m%d}{scene.digits(3)}"
    return f"{body[:6]}-{body[6:]}{luhn.calc_check_digit(body)}"


def _ahv(scene: Scene) -> str:
    body = "756" + scene.digits(9)
    check = -sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(body)) % 10
    return f"{body[:3]}.{body[3:7]}.{body[7:11]}.{body[11:]}{check}"


def _codice_fiscale(scene: Scene) -> str:
    consonants = "BCDFGLMNPRSTVZ"
    day = birth_day(scene)
    return f"{scene.letters(6, consonants)}{day:%y}{scene.pick('ABCDEHLMPRST')}{day:%d}{scene.pick('ABCDEFGHL')}{scene.digits(3)}{scene.masked('?')}"


_IDS_EN = (
    _social_security,
    _social_security,
    _social_security,
    _nino,
    _nino,
    _sin,
    _cpf,
    _aadhaar,
    _korean,
    _my_number,
    _dni,
    _french,
    _pesel,
    _bsn,
    _nhs,
    _personnummer,
    _ahv,
    _codice_fiscale,
    chinese_id,
    _hongkong_id,
)


def national_id(scene: Scene) -> str:
    """A national identity or social security number."""
    if scene.language == "zh":
        if scene.chance(0.06):
            return _loose_chinese_id(scene)
        maker = chinese_id if scene.chance(0.85) else scene.pick((_hongkong_id, _taiwan_id, _my_number, _korean))
    else:
        maker = scene.pick(_IDS_EN)
    return maker(scene)


def passport(scene: Scene) -> str:
    """A passport number."""
    if scene.language == "zh":
        return scene.masked(
            scene.pick(
                (
                    "E########",
                    "E?#######",
                    "G########",
                    "H#########",
                    "C########",
                    "EA#######",
                    "EJ#######",
                    "P########",
                )
            )
        )
    return scene.masked(
        scene.pick(
            (
                "#########",
                "?########",
                "??#######",
                "C########",
                "E########",
                "X#######",
                "N#######",
                "K########",
                "9########",
            )
        )
    )


def driver_license(scene: Scene) -> str:
    """A driving licence number."""
    if scene.language == "zh":
        return chinese_id(scene) if scene.chance(0.4) else scene.digits(12)
    return scene.masked(
        scene.pick(
            (
                "?#######",
                "?###-####-####",
                "?########",
                "#########",
                "########",
                "?####-#####-#####",
                "??######",
                "DL-########",
                "?????#######??##",
                "?##-##-####",
                "S###-####-####",
                "WDL???##?##?",
            )
        )
    )


def german_tax_id(scene: Scene) -> str:
    """A German tax number: ten digits of which one is repeated, ISO 7064 mod 11-10."""
    pool = list("123456789")
    scene.rng.shuffle(pool)
    body = "".join(pool[:9])
    body += scene.pick(body[:8])
    return body + str(mod_11_10.calc_check_digit(body))


def _german_spaced(scene: Scene) -> str:
    full = german_tax_id(scene)
    return f"{full[:2]} {full[2:5]} {full[5:8]} {full[8:]}"


def _cnpj(scene: Scene) -> str:
    body = scene.digits(8) + "0001"
    for weights in ((5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2), (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)):
        rest = _weighted(body, weights) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return f"{body[:2]}.{body[2:5]}.{body[5:8]}/{body[8:12]}-{body[12:]}"


def _german_vat(scene: Scene) -> str:
    body = scene.masked("%#######")
    return f"DE{body}{mod_11_10.calc_check_digit(body)}"


def _itin(scene: Scene) -> str:
    return scene.masked(scene.pick(("9##-7#-####", "9##-8#-####")))


def credit_code(scene: Scene) -> str:
    """A Chinese unified social credit code with its check character."""
    body = "91" + scene.pick(_REGIONS_CN) + scene.letters(9, _CREDIT_ALPHABET)
    total = sum(_CREDIT_ALPHABET.index(mark) * 3**at for at, mark in enumerate(body))
    return body + _CREDIT_ALPHABET[-total % 31]


def tax_id(scene: Scene) -> str:
    """A tax number of a person or firm."""
    if scene.language == "zh":
        return credit_code(scene) if scene.chance(0.7) else scene.pick(_REGIONS_CN) + scene.digits(9)
    maker = scene.pick((german_tax_id, _german_spaced, _german_vat, _cnpj, _itin, None, None))
    if maker is None:
        return scene.masked(
            scene.pick(
                (
                    "##-#######",
                    "GB %## #### ##",
                    "?????####?",
                    "## ### ### ###",
                    "FR%##########",
                    "##########",
                    "IT###########",
                    "ES?########",
                    "EU#########",
                    "###/####/####",
                )
            )
        )
    return maker(scene)


def iban_check(country: str, account: str) -> str:
    """Return the two check digits of an IBAN."""
    return str(mod_97_10.calc_check_digits(account + country))
