import pytest


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("server ⟦10.0.0.12⟧:8443 is up", "IP_ADDRESS"),
        ("from ⟦203.0.113.10⟧.", "IP_ADDRESS"),
        ("⟦2001:db8:85a3::8a2e:370:7334⟧ answered", "IP_ADDRESS"),
        ("MAC地址⟦00:1A:2B:3C:4D:5E⟧", "DEVICE_ID"),
        ("IMEI号⟦490154203237518⟧", "DEVICE_ID"),
        ("serial number: ⟦C02XG2JHJG5J1234⟧", "DEVICE_ID"),
        ("GPS ⟦59.91390, 10.75220⟧", "LOCATION_TRACE"),
    ],
)
def test_addresses_and_devices_are_found(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "Upgrade from build 10.0.19041.1 to v192.168.1.300",
        "version 1.2.3.4 released",
        "http://127.0.0.1:8000 and 0.0.0.0",
        "std::vector<int> a::b; face::cafe",
        "at 10:30:45",
        "AA:BB:CC:DD:EE",
        "ratio 0.12345, 0.67890",
        "dig @8.8.8.8 example.com",
    ],
)
def test_versions_code_and_loopback_stay(expect, text: str) -> None:
    expect(text)
