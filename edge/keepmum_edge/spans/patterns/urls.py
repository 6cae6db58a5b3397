"""Secrets inside addresses: the password before the host, signatures and tokens in the query."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_SCHEME: Final = re.compile(r"(?<![a-z0-9+.-])(?:[a-z][a-z0-9+.-]{1,24}):(?=//)")
_TOKEN: Final = re.compile(r"[^\s\"'`<>\\]{1,2000}")
_HOST: Final = re.compile(
    r"(?:\[[0-9A-Fa-f:.%]+\]|%2[fF][\w.%-]+|[\w\u00a1-\uffff.-]+)(?::[0-9]{1,5}|:[a-zA-Z{$]\w*\}?)?(?:[,/?#)\];}|]|$)"
)
_FULL_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*(?::[0-9]{2,5}(?:/|$)|\.[\w-]+/)")
_UPPER_STAND_IN: Final = frozenset({"PASSWORD", "PASS", "PWD", "PASSWD", "TOKEN", "SECRET"})


def find_url_credentials(reading: Reading) -> Iterator[Finding]:
    """The password of `scheme://user:password@host`, whatever characters it holds, or a lone token as user."""
    text = reading.text
    if "://" not in text or "@" not in text:
        return
    for scheme in _SCHEME.finditer(reading.lower):
        first = scheme.end() + 2
        token = _TOKEN.match(text, first)
        if token is not None and "@" in token[0]:
            yield from _userinfo(token[0], first)


def _userinfo(token: str, first: int) -> Iterator[Finding]:
    authority = re.match(r"[^/?#]*", token)
    end = token.rfind("@", 0, authority.end() if authority else 0)
    colon = token.find(":")
    if colon >= 0 and end >= 0 and (later := _later_host(token, end)) is not None:
        end = later
    if end < 0:
        # A slash, question mark or hash inside the password: take the first `@` that a host follows.
        if colon < 0 or re.match(r"[0-9]{1,5}(?:[/?#]|$)", token[colon + 1 :]) or "/" in token[:colon]:
            return
        end = next((at.start() for at in re.finditer("@", token) if _HOST.match(token, at.end())), -1)
    if end < 0:
        return
    if 0 <= colon < end:
        secret, start = token[colon + 1 : end], colon + 1
        if secret and not is_url_stand_in(secret):
            yield Finding(first + start, first + end, EntityType.PASSWORD, CHECKED, "url-password")
    elif secrecy.is_random(token[:end]):
        yield Finding(first, first + end, EntityType.TOKEN, FORMED, "url-token")


def _later_host(token: str, at: int) -> int | None:
    """Find the `@` before the real host where a slash in the password seems to end the authority."""
    later = token.rfind("@")
    seeming = re.match(r"[^/?#]*", token[at + 1 :])
    if later <= at or seeming is None or "?" in token[:later] or re.search(r"[.:\[,%]|^localhost$", seeming[0]):
        return None
    return later if _FULL_HOST.match(token, later + 1) else None


def is_url_stand_in(value: str) -> bool:
    """Whether a password of a URL is only a stand-in. Words like `secret` are real here."""
    return (
        value in _UPPER_STAND_IN
        or secrecy.is_variable(value)
        or re.match(r"[*x.•]{2,}$|\$[({]|\{.*\}$|<.*|%[A-Za-z_]+%$|#\{|\[.*\]$|(?i:your|change_?me)", value) is not None
    )


_PARAMETER: Final = re.compile(
    r"(?:[?&;#]|&amp;|%3[fF]|%26)(?P<name>[\w.-]{0,24}?(?:sig|signature|token|access_token|id_token|refresh_token|auth|authkey|api[_-]?key|apikey|key|code|credential"
    r"|x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|x-goog-credential|password|passwd|pwd|pass|pw|secret|client_secret"
    r"|app_?secret|session|sessionid|sid|jwt|hmac|ticket|sas|appid|otp|pin))(?:=|%3d)(?P<value>[^\s&#\"'<>`;)\]}|]+)"
)  # fmt: skip
_CREDENTIAL_ID: Final = re.compile(r"(?:appid|credential|x-amz-credential|x-goog-credential)$")


def find_signed_parameters(reading: Reading) -> Iterator[Finding]:
    """Values of query parameters that open what the address names; the rest of the address stays."""
    lower = reading.lower
    if ("=" not in lower and "%3d" not in lower) or not any(c in lower for c in ("?", "&", ";", "%3f", "%26")):
        return
    for found in _PARAMETER.finditer(lower):
        start, end = found.span("value")
        cut = re.search(r"%26|&amp;|\\u0026", lower[start:end])
        end = start + cut.start() if cut else end
        value, name = reading.text[start:end].rstrip(".,"), found["name"]
        end = start + len(value)
        if secrecy.is_stand_in(value) or value.startswith(("$", "{", "<", "%7b")):
            continue
        weak = name.endswith(
            ("key", "code", "auth", "session", "sid", "ticket", "pass", "pin", "otp")
        ) or _CREDENTIAL_ID.search(name)
        good = (
            secrecy.is_random(value, 12)
            if weak
            else len(value) >= 6 and (any(c.isdigit() for c in value) or len(value) >= 12)
        )
        if re.search(r"pass|pwd|pw$", name):
            yield from [Finding(start, end, EntityType.PASSWORD, FORMED, "url-parameter")] if len(value) >= 3 else []
        elif good:
            kind = EntityType.API_KEY if re.search(r"key|secret|appid", name) else EntityType.TOKEN
            yield Finding(start, end, kind, FORMED, "url-parameter")
