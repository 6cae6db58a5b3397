"""Session identifiers, with and without a cookie's name. Values are put together at run time."""

import pytest

HEX = "9f8e7d6c" + "5b4a3928"
MIX = "aB3dE5fG7hJ9" + "kL1mN3pQ5rS7tU9v"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"10:33:02 INFO login ok user=42 session=⟦{HEX}⟧ ip ok", "TOKEN"),
        (f"GET /home?sid=⟦{HEX}⟧ HTTP/1.1", "TOKEN"),
        (f"session id is ⟦{HEX}⟧", "TOKEN"),
        (f"Session ID ⟦{HEX}⟧ expired, relogin", "TOKEN"),
        (f'{{"session_id": "⟦{HEX}⟧", "n": 3}}', "TOKEN"),
        (f"set session_token to ⟦{MIX}⟧ in the env", "TOKEN"),
        (f"会话 session=⟦{HEX}⟧ 登录成功", "TOKEN"),
        (f"会话ID：⟦{HEX}⟧", "TOKEN"),
        (f"日志里有 sid=⟦{HEX}⟧", "TOKEN"),
        (f"会话id⟦{HEX}⟧", "TOKEN"),
        (f"token 是 ⟦{MIX}⟧", "TOKEN"),
        (f"the cookie in the log: session=⟦{HEX}⟧", "COOKIE"),
        (f"sessionid: ⟦{HEX}⟧", "COOKIE"),
        (f"PHPSESSID=⟦{HEX}⟧ was rejected", "COOKIE"),
        (f"GET /a;jsessionid=⟦{HEX.upper()}⟧ HTTP/1.1", "COOKIE"),
        (f"JSESSIONID: ⟦{HEX.upper()}⟧", "COOKIE"),
        (f"cookies: {{'connect.sid': '⟦s%3A{MIX}⟧'}}", "COOKIE"),
        (f"我的cookie：SESSDATA=⟦{MIX}⟧; bili_jct=⟦{HEX}⟧", "COOKIE"),
        (f"wordpress_logged_in_{HEX}=⟦bob%7C1799999999%7C{MIX}⟧", "COOKIE"),
    ],
)
def test_session_identifiers_are_found(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "session=3 of 12 and sid=12",
        "session = requests.Session()",
        "session: 2026-11-30T10:33:02",
        "session=open, sid=default",
        "session_id = db.get_session_id()",
        "SESSION_TIMEOUT=3600",
        "SESSION=gnome-wayland-42",
        "training session: 20261102",
        "the session timed out after 3600 s",
        "the session 550e8400-e29b-41d4-a716-446655440000 was traced",
        "side=left, inside: yes",
        "会话超时3600秒，会话 第3轮 总结",
        "PHPSESSID=${SESSION}",
    ],
)
def test_other_sessions_stay(expect, text: str) -> None:
    expect(text)
