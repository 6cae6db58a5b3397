"""Addresses of machines and devices: IPv4, IPv6, MAC, IMEI; positions of a device."""

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import Labelled, near

_OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = re.compile(rf"(?<![0-9A-Za-z.])(?<![0-9A-Za-z][-_])(?:{_OCTET}\.){{3}}{_OCTET}(?![0-9A-Za-z]|\.[0-9])")
_IPV6: Final = re.compile(r"(?<![0-9A-Za-z:._])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]{0,15}(?![0-9A-Za-z:_])")
_MAC: Final = re.compile(
    r"(?<![0-9A-Za-z:-])[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})(?![0-9A-Za-z]|[:-][0-9A-Fa-f])"
    r"|(?<![0-9A-Za-z.])[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}(?![0-9A-Za-z]|\.[0-9A-Za-z])"
)
_VERSION: Final = re.compile(
    r"(?<![a-z])(?:version|release|build|firmware|ver\.?|rev\.?|版本|upgrade (?:from|to))[ :=]*v?$"
)
# Say nothing about anybody: loopback, unspecified, masks, the well-known public resolvers.
_PUBLIC: Final = re.compile(
    r"127\.|0\.0\.0\.0|255\.|(?:8\.8\.8\.8|8\.8\.4\.4|1\.1\.1\.1|1\.0\.0\.1|9\.9\.9\.9|114\.114\.114\.114|223\.5\.5\.5)$"
    r"|(?:10\.0\.0\.0|172\.16\.0\.0|192\.168\.0\.0)$"
)


def find_addresses(reading: Reading) -> Iterator[Finding]:
    """IP addresses of a host; not versions, loopback, masks, resolvers that everybody uses."""
    text = reading.text
    if not reading.has_digit:
        return
    if text.count(".") >= 3:
        for found in _IPV4.finditer(text):
            before = reading.lower[max(0, found.start() - 16) : found.start()]
            if not _PUBLIC.match(found[0]) and not _VERSION.search(before):
                yield Finding(found.start(), found.end(), EntityType.IP_ADDRESS, FORMED, "ipv4")
    if text.count(":") >= 2:
        for found in _IPV6.finditer(text):
            value = found[0].rstrip(".")
            if _is_ipv6(value):
                yield Finding(found.start(), found.start() + len(value), EntityType.IP_ADDRESS, CHECKED, "ipv6")


def _is_ipv6(value: str) -> bool:
    # `a::b` is an address too, and C++: ask for digits, and for more than two short groups.
    if not any(c.isdigit() for c in value) or ("::" in value and sum(c.isalnum() for c in value) < 5):
        return False
    try:
        IPv6Address(value)
    except (AddressValueError, ValueError):
        return False
    return True


_DEVICES: Final = (
    Labelled(
        EntityType.DEVICE_ID,
        "imei",
        "imei|meid",
        r"([0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{6}[ -]?[0-9])(?![0-9])",
        certainty=FORMED,
    ),
    Labelled(
        EntityType.DEVICE_ID,
        "device-id",
        (
            "device id|deviceid|device_id|udid|serial number|serial no|android id|idfa|gaid|"
            "advertising id|iccid|imsi|设备号|设备id|设备编号|序列号|vin|车架号"
        ),
        r"([0-9A-Za-z][0-9A-Za-z-]{6,40})(?![0-9A-Za-z-])",
        accept=lambda value: sum(c.isdigit() for c in value) >= 4,
    ),
)
_POSITION: Final = re.compile(
    r"(?<![0-9.])-?[0-9]{1,2}\.[0-9]{4,12}°? ?[NSns]?[,; ] ?(?:lng|lon|long"
    r"|longitude)?[=: ]{0,2}-?[0-9]{1,3}\.[0-9]{4,12}(?![0-9])°?"
)
_PLACE: Final = re.compile(r"gps|lat|lon|coord|locat|position|坐标|定位|经纬|位置|maps|@$|geo|住|live|home|\bat\b")


def find_devices(reading: Reading) -> Iterator[Finding]:
    """MAC addresses, device numbers with their label, positions in degrees with their context."""
    text = reading.text
    if not reading.has_digit:
        return
    if text.count(":") >= 5 or text.count("-") >= 5 or text.count(".") >= 2:
        for found in _MAC.finditer(text):
            digits = set(found[0].lower()) - set(":-.")
            if digits - {"0"} and digits - {"f"}:
                yield Finding(found.start(), found.end(), EntityType.DEVICE_ID, FORMED, "mac")
    for rule in _DEVICES:
        yield from rule.find(reading)
    if "." in text:
        for found in _POSITION.finditer(text):
            if near(reading, _PLACE, found.start(), found.end(), before=60, after=20):
                yield Finding(found.start(), found.end(), EntityType.LOCATION_TRACE, FORMED, "position")
