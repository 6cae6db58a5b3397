"""Secrets that machines issue: keys of many providers, tokens, cookies, key blocks, seed phrases, connection strings.

Everything is drawn at random, so no string here is, or looks copied from, anybody's secret.
"""

import base64
import json

from mnemonic import Mnemonic

from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values.names import HANDLE_WORDS
from keepmum_models.corpus.values.network import uuid
from keepmum_models.corpus.values.passwords import password

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_DIGITS = "0123456789"
_HEX = "0123456789abcdef"
_ALNUM = _LOWER + _UPPER + _DIGITS
_URLSAFE = _ALNUM + "-_"
_ENGLISH = Mnemonic("english")
_CHINESE = Mnemonic("chinese_simplified")
# prefix, alphabet, lengths: the forms under which providers issue keys
_KEYS = (
    ("AKIA", _UPPER + "234567", (16,)),
    ("ASIA", _UPPER + "234567", (16,)),
    ("sk-", _ALNUM, (48,)),
    ("sk-proj-", _URLSAFE, (48, 120)),
    ("sk-ant-api03-", _URLSAFE, (93,)),
    ("sk_live_", _ALNUM, (24, 32)),
    ("sk_test_", _ALNUM, (24,)),
    ("rk_live_", _ALNUM, (24,)),
    ("pk_live_", _ALNUM, (24,)),
    ("AIza", _URLSAFE, (35,)),
    ("SG.", _URLSAFE, (22,)),
    ("key-", _HEX, (32,)),
    ("LTAI", _ALNUM, (20,)),
    ("AKID", _ALNUM, (32,)),
    ("hf_", _ALNUM, (34,)),
    ("gsk_", _ALNUM, (52,)),
    ("xai-", _ALNUM, (80,)),
    ("r8_", _ALNUM, (37,)),
    ("", _HEX, (32, 40, 64)),
    ("", _ALNUM, (20, 24, 32, 40)),
    ("", _HEX, (32,)),
    ("", _UPPER + _DIGITS, (16, 20, 24, 25)),
    ("dop_v1_", _HEX, (64,)),
    ("sq0csp-", _URLSAFE, (43,)),
    ("figd_", _URLSAFE, (40,)),
    ("NRAK-", _UPPER + _DIGITS, (27,)),
    ("phc_", _ALNUM, (43,)),
    ("lin_api_", _ALNUM, (40,)),
    ("shpat_", _HEX, (32,)),
    ("rubygems_", _HEX, (48,)),
    ("AGE-SECRET-KEY-1", _UPPER + _DIGITS, (58,)),
    ("PMAK-", _HEX, (24,)),
    ("dckr_pat_", _URLSAFE, (27,)),
    ("AC", _HEX, (32,)),
    ("SK", _HEX, (32,)),
)
_TOKENS = (
    ("ghp_", _ALNUM, (36,)),
    ("gho_", _ALNUM, (36,)),
    ("ghs_", _ALNUM, (36,)),
    ("github_pat_", _ALNUM + "_", (82,)),
    ("glpat-", _URLSAFE, (20,)),
    ("glagent-", _URLSAFE, (50,)),
    ("npm_", _ALNUM, (36,)),
    ("pypi-AgEIcHlwaS5vcmc", _URLSAFE, (70, 120)),
    ("xoxb-", _DIGITS + "-" + _LOWER, (40, 52)),
    ("xoxp-", _ALNUM, (60,)),
    ("EAACEdEose0cBA", _ALNUM, (60, 120)),
    ("ya29.", _URLSAFE, (60, 100)),
    ("Atza|", _URLSAFE, (60,)),
    ("", _ALNUM, (32, 40, 64)),
    ("", _HEX, (40, 64)),
    ("", _URLSAFE, (43, 86)),
    ("hvs.", _URLSAFE, (24, 90)),
    ("dapi", _HEX, (32,)),
    ("secret_", _ALNUM, (43,)),
    ("ntn_", _ALNUM, (46,)),
    ("oauth2:", _ALNUM, (40,)),
    ("1//0", _URLSAFE, (60,)),
    ("sntrys_", _ALNUM, (64,)),
    ("ATATT3", _URLSAFE, (80,)),
)


def _issued(scene: Scene, table: tuple[tuple[str, str, tuple[int, ...]], ...]) -> str:
    prefix, alphabet, lengths = scene.pick(table)
    body = scene.letters(scene.pick(lengths), alphabet)
    if scene.chance(0.08) and alphabet is _ALNUM:
        body += "=" * scene.rng.randrange(1, 3)
    return prefix + body.strip("-_") + ("" if body.strip("-_") else "a1")


def api_key(scene: Scene) -> str:
    """A key as one of many providers issues it or some unknown one might, or bare hex, alphanumerics, a UUID."""
    draw = scene.rng.random()
    if draw < 0.07:
        return uuid(scene)
    return _of_unknown_provider(scene) if draw < 0.25 else _issued(scene, _KEYS)


def _of_unknown_provider(scene: Scene) -> str:
    """A short prefix, maybe an environment, and a random body, so that a new provider's form is no surprise."""
    joint = scene.pick(("_", "_", "-", ".", ""))
    prefix = scene.letters(scene.rng.randrange(2, 6), scene.pick((_LOWER, _LOWER, _UPPER, _ALNUM)))
    middle = scene.pick(("", "", "live", "prod", "v1", "api", "sk", "pat", "key"))
    alphabet = scene.pick((_ALNUM, _ALNUM, _HEX, _LOWER + _DIGITS, _UPPER + _DIGITS))
    body = scene.letters(scene.rng.randrange(20, 56), alphabet)
    return joint.join(part for part in (prefix, middle, body) if part)


def _base64url(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def jwt(scene: Scene) -> str:
    """A JSON Web Token with readable header and claims and a random signature."""
    header = json.dumps({"alg": scene.pick(("HS256", "RS256", "ES256")), "typ": "JWT"}, separators=(",", ":"))
    claims = json.dumps(
        {"sub": scene.digits(6), "iat": 1_600_000_000 + scene.rng.randrange(10**8), "jti": scene.letters(8, _HEX)},
        separators=(",", ":"),
    )
    return f"{_base64url(header)}.{_base64url(claims)}.{scene.letters(43, _URLSAFE)}"


def token(scene: Scene) -> str:
    """An access token: JWT, provider token, opaque string, signature of a link."""
    return jwt(scene) if scene.chance(0.25) else _issued(scene, _TOKENS)


def basic_credentials(scene: Scene) -> str:
    """What stands behind `Authorization: Basic`."""
    return base64.b64encode(f"{scene.pick(HANDLE_WORDS)}:{password(scene)}".encode()).decode()


def webhook(scene: Scene) -> str:
    """The part of a web address, or a bot's token, that lets anybody post."""
    return scene.pick(
        (
            f"T{scene.letters(8, _UPPER + _DIGITS)}/B{scene.letters(8, _UPPER + _DIGITS)}/{scene.letters(24, _ALNUM)}",
            f"{scene.digits(18)}/{scene.letters(68, _URLSAFE[:-1])}x",
            f"{scene.digits(10)}:AA{scene.letters(33, _URLSAFE[:-2])}",
        )
    )


def authenticator_seed(scene: Scene) -> str:
    """What an authenticator app is set up with, as an `otpauth:` address has it: base32."""
    return scene.letters(scene.pick((16, 16, 26, 32)), _UPPER + "234567")


def authenticator_secret(scene: Scene) -> str:
    """The same as people type it, at times in groups of four."""
    secret = authenticator_seed(scene)
    grouped = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    return scene.pick((secret, secret, grouped, grouped.lower()))


def license_key(scene: Scene) -> str:
    """An activation key in groups."""
    size, count = scene.pick(((5, 5), (4, 4), (6, 4), (4, 6)))
    return "-".join(scene.letters(size, _UPPER + _DIGITS) for _ in range(count))


def cookie(scene: Scene) -> str:
    """A session cookie's value, or a name=value pair."""
    value = scene.letters(scene.pick((24, 26, 32, 40)), _ALNUM)
    return scene.pick(
        (
            value,
            f"s%3A{value}.{scene.letters(30, _ALNUM)}",
            scene.letters(32, _HEX),
            f"sessionid={value}",
            f"PHPSESSID={scene.letters(26, _LOWER + _DIGITS)}",
            f"JSESSIONID={scene.letters(32, _UPPER[:6] + _DIGITS)}",
            f"SESSDATA={value}; bili_jct={scene.letters(32, _HEX)}",
            f"sid={value}; csrftoken={scene.letters(32, _ALNUM)}",
            jwt(scene),
        )
    )


def private_key(scene: Scene) -> str:
    """A key block in PEM form, whole or cut off, at times on one line with escaped breaks."""
    kind = scene.pick(
        (
            "RSA PRIVATE KEY",
            "PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "EC PRIVATE KEY",
            "ENCRYPTED PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
            "DSA PRIVATE KEY",
        )
    )
    joint = "\\n" if scene.chance(0.15) else "\n"
    lines = [scene.letters(64, _ALNUM + "+/") for _ in range(scene.rng.randrange(1, 5))]
    lines.append(scene.letters(scene.rng.randrange(10, 60), _ALNUM + "+/") + scene.pick(("", "=", "==")))
    rows = [f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----"]
    return joint.join(rows[:-1] if scene.chance(0.1) else rows)


def seed_phrase(scene: Scene) -> str:
    """A BIP-39 phrase with its checksum, English or Chinese."""
    entropy = scene.rng.randbytes(scene.pick((16, 16, 16, 24, 32)))
    if scene.language == "zh" and scene.chance(0.3):
        words = str(_CHINESE.to_mnemonic(entropy)).split()
        return "".join(words) if scene.chance(0.3) else " ".join(words)
    return scene.pick((" ", " ", " ", ", ")).join(str(_ENGLISH.to_mnemonic(entropy)).split())


def connection_string(scene: Scene) -> str:
    """A URL or key list that logs into a database, queue or mail server."""
    user, word = (
        scene.pick(("app", "root", "svc", "admin", "reader", "sa", scene.pick(HANDLE_WORDS))),
        scene.letters(scene.rng.randrange(8, 15), _ALNUM + "!$_-"),
    )
    host = scene.pick(
        (
            f"db.{scene.pick(HANDLE_WORDS)}.internal",
            f"{scene.pick(HANDLE_WORDS)}-db.example.net",
            "localhost",
            f"10.0.{scene.rng.randrange(256)}.{scene.rng.randrange(256)}",
            f"cluster0.{scene.letters(5, _LOWER)}.mongodb.net",
        )
    )
    base = scene.pick(("orders", "prod", "core", "users", "crm", "billing"))
    return scene.pick(
        (
            f"postgres://{user}:{word}@{host}:5432/{base}",
            f"postgresql+psycopg2://{user}:{word}@{host}/{base}",
            f"mysql://{user}:{word}@{host}:3306/{base}?charset=utf8mb4",
            f"mongodb+srv://{user}:{word}@{host}/{base}",
            f"redis://:{word}@{host}:6379/0",
            f"amqp://{user}:{word}@{host}:5672/",
            f"Server={host};Database={base};User Id={user};Password={word};",
            f"jdbc:mysql://{host}:3306/{base}?user={user}&password={word}",
            f"DefaultEndpointsProtocol=https;AccountName={base};AccountKey={scene.letters(86, _ALNUM + '+/')}==;EndpointSuffix=core.windows.net",
            f"smtp://{user}:{word}@mail.{base}.com:587",
            f"ftp://{user}:{word}@{host}/",
            f"Driver={{ODBC Driver 18}};Server=tcp:{host};Uid={user};Pwd={word};",
        )
    )
