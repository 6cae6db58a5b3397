"""Secrets by form and by name. Values are put together at run time, so that no scanner finds one here."""

import pytest

HEX = "9f8e7d6c5b4a3928" * 4
MIX = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z" * 3
JWT = ".".join(("ey" + "JhbGciOiJIUzI1NiJ9", "ey" + "JzdWIiOiJkZW1vIn0", "c2lnbmF0dXJl" * 2))


@pytest.mark.parametrize(
    "key",
    [
        "AKIA" + "IOSFODNN7QWCRTVB",
        "gh" + "p_" + MIX[:36],
        "github" + "_pat_" + MIX[:60],
        "gl" + "pat-" + MIX[:20],
        "xo" + "xb-123456789012-123456789012-" + MIX[:24],
        "sk" + "_live_" + MIX[:24],
        "AI" + "za" + MIX[:35],
        "sk" + "-proj-" + MIX[:48],
        "sk" + "-ant-api03-" + MIX[:60],
        "hf" + "_" + MIX[:34],
        "SG" + "." + MIX[:22] + "." + MIX[:43],
        "npm" + "_" + MIX[:36],
        "py" + "pi-AgEI" + MIX + MIX[:20],
        "do" + "p_v1_" + HEX,
        "12345678:" + "AA" + MIX[:33],
        "key" + "-" + HEX[:32],
        "shp" + "at_" + HEX[:32],
        "sq0" + "atp-" + MIX[:22],
        "LT" + "AI" + MIX[:16],
        "AK" + "ID" + MIX[:32],
        "SK" + HEX[:32],
        "glsa" + "_" + MIX[:32] + "_" + HEX[:8],
        "cs" + "k-" + MIX.lower()[:48],
        "fc" + "-" + HEX[:32],
        "vc" + "p_" + MIX[:56],
        "rp" + "a_" + MIX[:42],
        "e2" + "b_" + HEX[:40],
        "na" + "pi_" + MIX.lower()[:64],
        "pu" + "l-" + HEX[:40],
    ],
)
def test_provider_keys_are_api_keys_wherever_they_stand(expect, key: str) -> None:
    expect(f"use ⟦{key}⟧ here", "API_KEY")
    expect(f"在这里⟦{key}⟧，谢谢", "API_KEY")
    expect(f'f("⟦{key}⟧")', "API_KEY")


@pytest.mark.parametrize(
    "address",
    [
        "https://hooks.slack" + ".com/services/T04QX7ZK1/B05PT9SKD/" + MIX[:24],
        "https://discord" + ".com/api/webhooks/1104471992013344551/" + MIX[:68],
        "https://api.telegram" + ".org/bot5104471992:AA" + MIX[:33],
        "https://open.feishu" + ".cn/open-apis/bot/v2/hook/9e218a7d-6f5b-4c3e-1d2c-3b4a5e6f4a7b",
        "https://maker.ifttt" + ".com/trigger/door/with/key/" + MIX[:22],
        "https://hook.eu1.make" + ".com/" + MIX.lower()[:32],
    ],
)
def test_an_address_that_is_a_key_is_one_in_a_sentence_too(expect, address: str) -> None:
    expect(f"post it to ⟦{address}⟧, please", "API_KEY")
    expect(f"发到⟦{address}⟧，谢谢", "API_KEY")


@pytest.mark.parametrize(
    "text",
    [
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "https://discord.com/developers/docs/resources/webhook",
        "https://api.telegram.org/bot<token>/getMe",
        "https://core.telegram.org/bots/api",
        "https://www.make.com/en/help/tools/webhooks",
    ],
)
def test_addresses_about_hooks_stay(expect, text: str) -> None:
    expect(text)


def test_a_mark_inside_a_key_does_not_hide_it(expect) -> None:
    key = "gh" + "p_" + MIX[:36]
    expect(f"use ⟦{key[:9]}\u200b{key[9:20]}\u2060{key[20:]}⟧ here", "API_KEY")


def test_web_tokens_and_headers(expect) -> None:
    expect(f"curl -H 'Authorization: Bearer ⟦{JWT}⟧' https://api.example.com", "TOKEN")
    expect(f"Authorization: Basic ⟦{'YWxpY2U6' + 'd29uZGVybGFuZA=='}⟧", "PASSWORD")
    expect(f"X-Api-Key: ⟦{HEX[:20]}⟧", "API_KEY")
    expect(f"Set-Cookie: sid=⟦{HEX[:32]}⟧; Path=/; HttpOnly", "COOKIE")
    expect(f"Cookie: theme=dark; session=⟦{MIX[:20]}⟧", "COOKIE")
    expect("Authorization: Bearer <token>")
    expect("Authorization: Bearer $TOKEN")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"TWILIO_AUTH_TOKEN=⟦{HEX[:32]}⟧", "API_KEY"),
        (f"api_key = '⟦{MIX[:24]}⟧'", "API_KEY"),
        (f'{{"client_secret": "⟦{MIX[:30]}⟧", "retries": 3}}', "API_KEY"),
        (f"access_token: ⟦{MIX[:30]}⟧", "TOKEN"),
        (f"HEROKU_API_KEY: ⟦{HEX[:8]}-e0e8-4a06-b892-{HEX[:12]}⟧", "API_KEY"),
        (f"besnappy SECRET ⟦{HEX}⟧", "API_KEY"),
        ("export DB_PASSWORD=⟦whiteduke⟧", "PASSWORD"),
        ("password: ⟦!Kd5-G4s9⟧", "PASSWORD"),
        ("db.password => '⟦super kestrel⟧',", "PASSWORD"),
        ("密码：⟦Kestrel99⟧，谢谢", "PASSWORD"),
        ("密碼：⟦Kestrel99⟧。口令：⟦abc12345⟧。好的", "PASSWORD"),
        ('PASSWORD = os.environ.get("PASSWORD") or "⟦at5-Kestrel⟧"', "PASSWORD"),
        ("Uid=sa;Pwd={⟦Pass;word12!⟧};", "PASSWORD"),
        ("User ID=u;Password=⟦Kestrel#9⟧;Trusted=no", "PASSWORD"),
        ('<input type="password" value="⟦Kestrel99⟧">', "PASSWORD"),
        ("<password>⟦Kestrel99⟧</password>", "PASSWORD"),
        ("--password ⟦Kestrel99⟧ --verbose", "PASSWORD"),
    ],
)
def test_assigned_secrets_are_found_and_their_names_stay(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "password: *****\ntoken=***\nkey: <your-key-here>",
        "password = get_password()",
        'password = os.environ["DB_PASSWORD"]',
        "password: str",
        "def login(user, password):",
        "API_KEY=${API_KEY}",
        'api_key = "YOUR_API_KEY"',
        '"token": "string"',
        "password = settings.DB_PASSWORD",
        "max_tokens: 4096 and token count 12345",
        "primary_key = user_id_2024_index_main",
        "commit 3f786850e387550fdaa84e1f4d2a0f3b8d2c2c34",
        f"sha256: {HEX}",
        "trace id 550e8400-e29b-41d4-a716-446655440000",
        "ghp_****************************",
        "the key is to relax; secret santa 2024",
        "Forgot password? Reset your password here.",
        f"data:image/png;base64,iVBORw0KGgo{'AI' + 'za'}SyA0123456789abcdefgh{'AK' + 'IA'}IOSFODNN7EXAMPLE=",
    ],
)
def test_stand_ins_code_and_hashes_stay(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("postgres://svc:⟦p@ss/w0rd!x⟧@db.example.internal:5432/core", "PASSWORD"),
        ("mysql://admin:⟦$zcWDm04⟧@localhost:3306/billing", "PASSWORD"),
        ("redis://:⟦s3cr3tpw⟧@cache.example.net:6379/0", "PASSWORD"),
        ("mongodb+srv://u:⟦pa%40ss⟧@c0.example.net/?retryWrites=true", "PASSWORD"),
        (f"https://files.example.net/r.pdf?user=7&sig=⟦{MIX[:24]}⟧&exp=1799999999", "TOKEN"),
        ("jdbc:postgresql://h/db?user=u&password=⟦s3cr3tpw⟧", "PASSWORD"),
    ],
)
def test_only_the_secret_of_an_address_is_taken(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "https://user:${TOKEN}@example.com/x",
        "https://user:$TOKEN@example.com/x",
        "mysql://root:$dbPass2@localhost/shop",
        "https://example.com/@user/post?page=2",
        "ssh://git@example.com:22/x",
    ],
)
def test_addresses_without_a_secret_stay(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    "text",
    [
        "mysql -u root -p⟦Kestrel99⟧ shop",
        "curl -u alice:⟦Wonder99land⟧ https://api.example.com",
        "sshpass -p '⟦Kestrel 99⟧' ssh web",
        "ALTER USER bob IDENTIFIED BY '⟦Kestrel99⟧';",
        "CREATE ROLE app LOGIN PASSWORD '⟦Kestrel99⟧';",
        "echo ⟦Kestrel99⟧ | sudo -S true",
    ],
)
def test_commands_and_statements(expect, text: str) -> None:
    expect(text, "PASSWORD")


def private_key(body: str, *, end: bool) -> str:
    dashes = "-" * 5
    tail = f"\n{dashes}END RSA PRIVATE KEY{dashes}" if end else ""
    return f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\n{body}{tail}"


def test_private_keys_whole_cut_off_and_on_one_line(expect) -> None:
    body = "\n".join(["RkFLRS1LRVktRk9SLVRFU1RT" * 2] * 3)
    expect(f"Here:\n```\n⟦{private_key(body, end=True)}⟧\n```\nwhy?", "PRIVATE_KEY")
    expect(f"cut off:\n⟦{private_key(body, end=False)}⟧", "PRIVATE_KEY")
    one_line = private_key(body, end=True).replace("\n", "\\n")
    expect(f'"key": "⟦{one_line}⟧"', "PRIVATE_KEY")
    expect(f"⟦{private_key(body, end=False)}⟧\n\nWhy does it not work for me?", "PRIVATE_KEY")
    expect("-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----")


LEGAL = "legal winner thank year wave sausage worth useful legal winner thank yellow"


def test_seed_phrases(expect, extractor) -> None:
    expect(f"words: ⟦{LEGAL}⟧.", "SEED_PHRASE")
    for form in (
        "{}. {}\n",
        "{}) {}\n",
        "{} {} ",
        "#{}: {}\n",
        "Word {}: {}\n",
        "{}={}, ",
        "第{}个词：{}；",
        "{}、{}\n",
        "| {} | {} |\n",
    ):
        numbered = "".join(form.format(n, word) for n, word in enumerate(LEGAL.split(), 1))
        (span,) = extractor.extract(f"backup:\n{numbered}")
        assert span.entity_type == "SEED_PHRASE"
        assert span.surface.startswith("legal")
        assert span.surface.endswith("yellow")
    # "seed" and "phrase" are words of the list too, and a window that begins there passes by chance.
    spans = extractor.extract(f"my seed phrase {LEGAL}")
    assert spans[-1].surface.endswith(LEGAL)
    expect("legal winner thank year wave sausage worth useful legal winner thank thank")
    zh = "的 一 是 在 不 了 有 和 人 这 中 大"
    assert extractor.extract(f"助记词：{zh}")[0].entity_type == "SEED_PHRASE"
    expect("今天天气很好我们一起去公园玩吧然后回家吃饭")


def test_a_numbered_list_of_such_words_is_one_whatever_its_checksum(expect) -> None:
    words = "apple river ghost olive tower lunch candy metal grape bacon witness orbit".split()  # noqa: SIM905
    lines = [f"{n}. {word}" for n, word in enumerate(words, 1)]
    listed = "\n".join(lines)
    expect(f"1. ⟦{listed[3:]}⟧", "SEED_PHRASE")
    expect(f"1. ⟦{' '.join(lines)[3:]}⟧", "SEED_PHRASE")
    expect("\n".join(lines[:11]))
    expect("\n".join(f"- {word}" for word in words))
    expect("\n".join(f"{n + 3}. {word}" for n, word in enumerate(words)))


@pytest.mark.parametrize(
    "text",
    [
        "Your verification code is ⟦482913⟧. It expires in 10 minutes.",
        "⟦839201⟧ is your Acme verification code",
        "验证码 ⟦839201⟧，5分钟内有效",
        "【银行】⟦839201⟧是您的验证码",
        "login code: ⟦482 913⟧",
        "use passcode ⟦991823⟧ to join",
    ],
)
def test_one_time_codes(expect, text: str) -> None:
    expect(text, "OTP")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my atm pin is ⟦4821⟧", "PIN"),
        ("the door code is ⟦4471#⟧", "PIN"),
        ("the safe's combination is ⟦12-34-56⟧", "PIN"),
        ("my PIN's ⟦4821⟧", "PIN"),
        ("the pin I use is ⟦4821⟧", "PIN"),
        ("PIN for the gym locker: ⟦2468⟧", "PIN"),
        ("unlock my phone with ⟦482193⟧", "PIN"),
        ("the room of the pool opens with the code ⟦5 9 4 1⟧", "PIN"),
        ("the shed opens with the code ⟦11 23⟧.", "PIN"),
        ("取款密码改成了⟦482193⟧", "PIN"),
        ("门禁密码 ⟦2580#⟧", "PIN"),
        ("mother's maiden name is ⟦Kowalski⟧", "SECURITY_ANSWER"),
        ("密保答案是⟦小花猫⟧", "SECURITY_ANSWER"),
        ("Security question: my first pet was called ⟦Rex⟧.", "SECURITY_ANSWER"),
    ],
)
def test_pins_and_answers(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "Order 482913 shipped with invoice 2026-1187.",
        "error code 4041",
        "GPIO pin 4821",
        "pin 13 on the arduino",
        "area code 2125",
        "zip code missing",
        "the first pet I had was nice",
    ],
)
def test_other_codes_stay(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    "text",
    [
        "sudo password is ⟦demo-Plover-9271⟧, thanks",
        "my wifi pw: ⟦Kestrel-44x⟧",
        "The password for the admin panel is ⟦Tr0ub4dor&3⟧, please keep it.",
        "the password to my laptop is ⟦swordfish⟧.",
        'ensure the password is "⟦centipede⟧" and press on',
        "密码是⟦abc12345⟧，别告诉别人",
        "登录密码改成 ⟦Qw3rty!9⟧",
        "Das Passwort lautet ⟦Kestrel99⟧",
        "la contraseña es ⟦Kestrel99⟧",
        "wifi password ⟦Snow-77⟧",
        "pw ⟦Snow-77⟧, p/w ⟦hunter2x⟧",
        "my password: it's ⟦Snow-77⟧",
        "I changed my password. The old one was ⟦Kestrel_88⟧, the new one is ⟦Plover#12⟧.",
        "password changed from ⟦Kestrel_88⟧ to ⟦Plover#12⟧",
        "密码 ⟦Snow-77⟧",
        "開機密碼 ⟦Snow-77⟧",
        "密码⟦Snow77⟧",
        "密码（⟦Snow77⟧）",
        "电脑密码 ⟦123456⟧",
        "密码从⟦Snow77⟧改成⟦Plover12⟧",
        "我的密码是 ⟦Snow-77⟧，以前的是 ⟦Kestrel_88⟧",
        "⟦Kestrel99⟧ is my password",
        "my password's ⟦kestrel42⟧",
        "just type ⟦kestrel42⟧ when it asks for the password",
        "I used ⟦Bramble77⟧ for my bank password",
        "try ⟦otter-19x⟧ as the passcode",
    ],
)
def test_passwords_in_sentences(expect, text: str) -> None:
    expect(text, "PASSWORD")


@pytest.mark.parametrize(
    "text",
    [
        "the password is wrong",
        "the password is required",
        "your password must be at least 8 characters long",
        "a password is 12 characters or more",
        "I forgot my password, can you help me reset it?",
        "密码是什么？",
        "密码不对，怎么办",
        "I bought a car. The old one was BMW-320.",
        "Is the password bad? The old one was version-2.",
        "password reset in 2024, change password every 90 days",
        "use password auth over SSH2 with password bcrypt12",
        "password ISO27001 policy",
        "密码2024年改过",
        "密码SHA256散列，密码 AES256 加密",
        "密码 8 位以上，密码错误3次",
        "密码 2024-11-30 过期",
        "我的密码管理器是1Password",
        "密码是多少我忘了，token是什么",
        "密码：同手机号",
        "Pass the salt, please",
        "use python3 when hashing the password",
        "I used sha256 for the password, and argon2id as the password hash",
        "use mysql57 for the password store",
        "with iphone14 for my password manager",
        "type kestrel when it asks for the password",
        "use node18 as base and set the password later",
        "we use room404 for meetings, and the password",
        "try lesson12 for password tips",
        "I used it for 2 years as my password",
    ],
)
def test_sentences_about_passwords_stay(expect, text: str) -> None:
    expect(text)


def test_a_secret_found_once_is_found_wherever_it_recurs(expect) -> None:
    expect("root/⟦Prl23Db#@⟧ and then password:⟦Prl23Db#@⟧", "PASSWORD")
    expect("password: ⟦4821⟧. The year 4821.", "PASSWORD")


@pytest.mark.parametrize(
    "text",
    [
        "My passphrase is ⟦correct horse battery staple⟧",
        "password=⟦correct horse battery staple⟧",
        "password: ⟦winter rain seven dogs⟧.",
        "I changed the password to ⟦winter rain seven dogs⟧, tell her",
        "the password is required for all users here",
        "my password is too long to remember easily",
        "Password: must contain numbers letters",
        "the password is wrong every single time",
    ],
)
def test_a_phrase_of_plain_words_is_masked_whole_and_talk_of_passwords_is_not(expect, text: str) -> None:
    expect(text, "PASSWORD")
