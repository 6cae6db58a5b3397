"""Passwords that are words, in files and codes that say what they are."""

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "machine git.tallow.net\n  login orrin\n  password ⟦rose⟧\n",
        "machine ftp.tallow.net login orrin password ⟦sunflower⟧",
        "machine ftp.tallow.net:21 login orrin account x9 password ⟦meadow⟧ macdef init",
        'machine localhost login orrin password "⟦two words⟧"',
        "machine tallow\nlogin orrin\npassword ⟦meadow⟧",
        "machine ftp.tallow.net password ⟦meadow⟧ login orrin",
        "default login anonymous password ⟦meadow⟧",
    ],
)
def test_netrc(expect, text: str) -> None:
    expect(text, "PASSWORD")


@pytest.mark.parametrize(
    "text",
    [
        "WIFI:S:Tallow;T:WPA;P:⟦bluebird⟧;;",
        "scan this: WIFI:T:WPA;S:Cafe Tallow;P:⟦otter-river⟧;H:false;;",
        r"WIFI:S:Tal\;low;P:⟦blue\;bird\:x⟧;T:SAE;;",
        'wifi:t:WPA;s:tallow;p:⟦"bluebird"⟧;;',
        "扫码连网WIFI:T:WPA;S:Tallow;P:⟦bluebird⟧;;",
    ],
)
def test_codes_of_networks(expect, text: str) -> None:
    expect(text, "PASSWORD")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<server><id>nexus</id><username>deploy</username><password>⟦brindle⟧</password></server>", "PASSWORD"),
        ("<db:passwd>\n   ⟦brindle⟧\n</db:passwd>", "PASSWORD"),
        ("<Passphrase>⟦brindle⟧</Passphrase>", "PASSWORD"),
        ("<proxy-password>⟦brindle⟧</proxy-password>", "PASSWORD"),
        ('<password type="plain">⟦brindle⟧</password>', "PASSWORD"),
        ("<pass>⟦brindle7⟧</pass>", "PASSWORD"),
        ("<client-secret>⟦brindle-wood-7⟧</client-secret>", "API_KEY"),
    ],
)
def test_elements(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "the machine where you login has password protection",
        "a machine room login requires password change",
        "machine learning login page password reset",
        "by default login needs a password here",
        "machine git.tallow.net login orrin password <token>",
        "machine git.tallow.net login orrin",
        "WIFI:T:nopass;S:Open;;",
        "WIFI:T:WPA;S:Tallow;P:********;;",
        "wifi: on; password: off;",
        "<password>${env.PASS}</password>",
        "<password>your-password</password>",
        "<password>string</password>",
        "<password>Passwort</password> <password>密码</password> <secret>xs:string</secret>",
        "<password>Enter it here</password>",
        "<password></password> <password/>",
        "<message>brindle</message>",
        "<Secret>Santa</Secret>",
        "<pass>Boarding</pass>",
        "<apiKey>enabled</apiKey>",
        "<password>config.db.pass</password>",
    ],
)
def test_what_is_none_stays(expect, text: str) -> None:
    expect(text)
