"""What stands where a secret would: placeholders, references, masks, documentation examples, sealed values."""

import base64

from keepmum_models.corpus.scene import Scene

_HEX = "0123456789abcdef"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_DIGITS = "0123456789"
_ALNUM = _UPPER + _LOWER + _DIGITS
_THINGS = (
    "password", "passwd", "token", "api key", "secret", "key", "access token", "api token", "secret key", "auth token",
    "client secret", "private key", "access key", "webhook secret", "db password", "bot token", "session token", "pin",
)  # fmt: skip
_OWNERS = (
    "db", "app", "smtp", "github", "stripe", "redis", "prod", "ci", "npm", "slack", "aws", "jwt", "mail", "admin",
)  # fmt: skip
_LITERALS = (
    "null", "None", "nil", "undefined", '""', "''", "true", "false", "TODO", "FIXME", "tbd", "n/a", "...", "…", "string",
    "changeme", "change-me", "CHANGEME", "change_this", "replace-me", "REPLACE_ME", "dummy", "dummy-value", "placeholder",
    "example", "sample", "fake", "fakekey", "not-a-real-key", "notasecret", "redacted", "REDACTED", "[REDACTED]",
    "***REDACTED***", "<redacted>", "[hidden]", "(hidden)", "[FILTERED]", "[secret]", "removed", "*** 已隐藏 ***", "（略）",
    "password", "token", "secret", "unset", "not_set", "empty", "test", "testing", "foo", "foobar", "bar", "abc",
    "xxx", "lorem", "string?", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "sk-...", "ghp_...", "AKIA...", "eyJ...", "Bearer ...",
    "你的密钥", "<请填写>", "此处填写密码", "请替换", "你的token", "您的密码", "待填写", "（无）", "保密", "见密码本",
)  # fmt: skip


def _thing(scene: Scene, joint: str) -> str:
    return scene.pick(_THINGS).replace(" ", joint)


def _variable(scene: Scene) -> str:
    return f"{scene.pick(_OWNERS)}_{_thing(scene, '_')}".upper()


def _camel(scene: Scene) -> str:
    first, *rest = f"{scene.pick(_OWNERS)} {scene.pick(_THINGS)}".split()
    return first + "".join(word.capitalize() for word in rest)


def template(scene: Scene) -> str:
    """A marker that says: put yours here."""
    joint = scene.pick(("_", "-", "_", " "))
    phrase = scene.pick(("your", "your", "your", "my", "insert", "enter", "put-your", "the", "some", "a-valid", "new"))
    phrase = (
        f"{phrase}{joint}{_thing(scene, joint)}{scene.pick(('', '', joint + 'here', joint + 'goes' + joint + 'here'))}"
    )
    phrase = scene.pick((phrase, phrase, phrase.upper()))
    thing = _thing(scene, scene.pick(("-", "_", " ")))
    return scene.pick(
        (
            phrase, phrase, f"<{phrase}>", f"[{phrase}]", f"<{thing}>", f"<{thing}>", f"{{{thing}}}", f"[{thing}]",
            f"{{{{ {thing} }}}}", f"{{{{{_variable(scene)}}}}}", f"__{_variable(scene)}__", f"@@{_variable(scene)}@@",
            f"%{_variable(scene)}%", f"%({thing})s", f"#{{{thing}}}", f":{thing.replace(' ', '_')}", f"<{thing}:string>",
            f"{scene.pick(_OWNERS)}-{thing.replace(' ', '-')}-here", "?" * scene.rng.randrange(1, 5),
        )
    )  # fmt: skip


def reference(scene: Scene) -> str:
    """An expression, a path or a name under which the secret is kept elsewhere."""
    name, field, owner = _variable(scene), _thing(scene, "_"), scene.pick(_OWNERS)
    account = scene.pick(("123456789012", "111122223333", "000000000000"))
    return scene.pick(
        (
            f"${name}", f"${{{name}}}", f"${{{name}:-}}", f"${{{name}:?missing}}", f"$env:{name}", f"$(cat /run/secrets/{field})",
            f"os.environ['{name}']", f'os.environ["{name}"]', f"os.getenv('{name}')", f'os.Getenv("{name}")', f'getenv("{name}")',
            f"process.env.{name}", f"import.meta.env.VITE_{name}", f"ENV['{name}']", f'ENV.fetch("{name}")', f'System.getenv("{name}")',
            f"env('{name}')", f'Environment.GetEnvironmentVariable("{name}")', f'env::var("{name}")?', f"config.get('{field}')",
            f"settings.{name}", f"self.{field}", f"this.{_camel(scene)}", f"config.{_camel(scene)}", f"args.{field}", f"opts.{_camel(scene)}",
            f"user.{field}", f"request.form['{field}']", f"req.body.{_camel(scene)}", f"data['{field}']", f"row.{field}", f"cfg[\"{field}\"]",
            f"get_{field}()", f"read{_camel(scene).capitalize()}()", f"generate_{field}(32)", "getpass.getpass()", "secrets.token_hex(32)",
            "crypto.randomBytes(16).toString('hex')", f"input('{field}: ')", f"var.{owner}_{field}", f"local.{field}", f"module.{owner}.{field}",
            f"data.aws_secretsmanager_secret_version.{owner}.secret_string", f"random_password.{owner}.result", f"${{var.{field}}}",
            f"${{{{ secrets.{name} }}}}", f"{{{{ vault_{owner}_{field} }}}}", f"{{{{ .Values.{owner}.{_camel(scene)} }}}}", f"!secret {field}",
            f"!vault {owner}/{field}", f"vault:secret/data/{owner}#{field}", f"secret/data/{owner}/{field}", f"op://Private/{owner}/{field}",
            f"arn:aws:secretsmanager:eu-west-1:{account}:secret:{owner}/{field}-AbCdEf", f"arn:aws:iam::{account}:role/{owner}",
            f"projects/{owner}/secrets/{field}/versions/latest", f"/run/secrets/{owner}_{field}", f"file:///etc/{owner}/{field}", f"~/.{owner}/{field}",
            f"keyring:{owner}/{field}", f"@Microsoft.KeyVault(VaultName={owner};SecretName={field.replace('_', '-')})", f"ssm:/{owner}/{field}",
            f"await get{_camel(scene).capitalize()}()", f"ctx.{_camel(scene)}", f"state.{_camel(scene)}", f"props.{_camel(scene)}", f"&{_camel(scene)}",
        )
    )  # fmt: skip


def mask(scene: Scene) -> str:
    """A secret that somebody has already blackened, whole or all but its ends."""
    dot = scene.pick(("*", "*", "•", "x", "X", "●", "#", "."))
    count = scene.rng.randrange(4, 25)
    edge = scene.letters(4, _ALNUM)
    head = scene.pick(("sk-", "ghp_", "AKIA", "sk_live_", "xoxb-", "glpat-", "hf_", "AIza", "npm_", ""))
    return scene.pick(
        (
            dot * count, f"{head}{dot * count}", f"{head}{dot * count}", f"{dot * count}{edge}", f"{head}{edge[:2]}{dot * count}{edge[2:]}",
            f"{edge}...", f"{head}...{edge}", f"{head}…", f"{head}<redacted>", f"{head}[...]",
        )
    )  # fmt: skip


def _counted(scene: Scene, size: int) -> str:
    """Characters in their order, repeated, or one motif again and again: nothing random."""
    start = scene.rng.randrange(10)
    motif = scene.pick(
        ("1234567890", "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdef123456", "deadbeef",
         "a1b2c3d4e5f6", "cafebabe", "0", "x", "X", "A", "1", "abc123", "foobar", "feedface", "123abc", "xyz", "test", "aaaabbbbccccdddd")
    )  # fmt: skip
    return (motif * (size + 10))[start % len(motif) :][:size]


def counted_key(scene: Scene) -> str:
    """A key that merely counts; where it is assigned it is private all the same, for want of proof."""
    motif = scene.pick(
        ("1234567890", "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz", "abcdef1234567890", "ABCDEFGHIJ1234567890")
    )
    size, start = scene.pick((20, 24, 32, 32, 40, 48, 64)), scene.rng.randrange(len(motif))
    return (
        scene.pick(("", "", "", "sk_live_", "ghp_", "key-", "api_"))
        + (motif * 8)[start:][:size]
        + scene.letters(scene.rng.randrange(5), _HEX)
    )


def documentation_example(scene: Scene) -> str:
    """A key as manuals print it: the right prefix, and a body that says EXAMPLE or merely counts.

    A near miss in prose or alone only. Assigned to a name, even such a value is masked: in doubt it is in use.
    """
    if scene.chance(0.05):
        return scene.pick(("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
    prefix = scene.pick(
        ("AKIA", "sk-", "sk-proj-", "sk_test_", "sk_live_", "pk_test_", "ghp_", "glpat-", "xoxb-", "AIza", "npm_", "hf_", "SG.", "key-", "whsec_",
         "shpat_", "dop_v1_", "hvs.", "rk_live_", "pypi-", "r8_", "gsk_", "xai-", "LTAI", "AKID", "", "", "", "", f"{scene.letters(3, _LOWER)}_")
    )  # fmt: skip
    size = scene.pick((16, 20, 24, 32, 32, 36, 40, 48))
    word = scene.pick(("example", "EXAMPLE", "Example", "EXAMPLEKEY", "tokenexample", "sample", "SAMPLE", "dummy", "DUMMY", "fake", "FAKE", "placeholder",
                       "notreal", "NotARealKey", "testonly", "EXAMPLETOKEN", "demo"))  # fmt: skip
    body = scene.letters(max(size - len(word), 4), _UPPER + _DIGITS if word.isupper() else _ALNUM)
    at = scene.pick((0, len(body), len(body) - 1, len(body) // 2))
    joint = scene.pick(("", "", "", "-", "_"))
    said = f"{body[:at]}{joint if at else ''}{word}{joint if at < len(body) else ''}{body[at:]}"
    spelled = scene.pick(
        (
            "this-is-not-a-real-key",
            "your-key-goes-here",
            "do_not_use_this_token",
            "replace_with_real_value",
            "xxxxxxxx-xxxx-xxxx",
        )
    )
    return prefix + scene.pick(
        (said, said, _counted(scene, size), _counted(scene, size), _counted(scene, size), spelled)
    )


def sample_jwt(scene: Scene) -> str:
    """The token of every introduction to JWT: John Doe, 1234567890."""
    claims = scene.pick(
        (
            '{"sub":"1234567890","name":"John Doe","iat":1516239022}', '{"sub":"1234567890","name":"John Doe","admin":true}',
            '{"sub":"example","exp":0}', '{"user":"test"}',
        )
    )  # fmt: skip
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(claims.encode()).decode().rstrip("=")
    return (
        f"{header}.{body}.{scene.pick(('signature', '<signature>', 'SIGNATURE', '...', 'xxxxx', 'EXAMPLE_SIGNATURE'))}"
    )


def sample_connection(scene: Scene) -> str:
    """A connection string of a manual: its password is a word for a password, or is fetched."""
    scheme = scene.pick(
        (
            "postgres",
            "postgresql",
            "mysql",
            "mongodb",
            "mongodb+srv",
            "redis",
            "amqp",
            "https",
            "ftp",
            "jdbc:postgresql",
            "mssql",
        )
    )
    pair = scene.pick(
        (
            "user:password", "username:password", "user:pass", "USER:PASSWORD", "<user>:<password>", "${DB_USER}:${DB_PASSWORD}", "{user}:{password}",
            "%s:%s", "$USER:$PASS", "user:****", "myuser:mypassword", "root:<password>", "user:{{ password }}", "username:your_password", ":password", "user:xxx",
        )
    )  # fmt: skip
    host = scene.pick(
        ("localhost", "host", "HOST", "example.com", "db.example.com", "127.0.0.1", "<host>", "${DB_HOST}", "hostname")
    )
    return f"{scheme}://{pair}@{host}{scene.pick((':5432', ':3306', ':6379', ':27017', ':port', ''))}/{scene.pick(('db', 'dbname', 'mydb', '<database>', 'test', ''))}"


def keyless_address(scene: Scene) -> str:
    """Where a database, queue, key store or registry is, without what opens it."""
    host = scene.pick(("localhost", "127.0.0.1", "db", "mongo", "db.example.com", "mydb.abc123.eu-west-1.rds.amazonaws.com",
                       "cluster0.example.mongodb.net", "broker:9092", "cache.string.us-east-1.amazonaws.com"))  # fmt: skip
    base = scene.pick(("orders", "app", "test", "mydb", "sample", "users"))
    region = scene.pick(("eu-central-1", "us-east-1", "ap-southeast-2"))
    return scene.pick(
        (
            f"postgresql://{host}/{base}", f"postgresql:///{base}?host=localhost&port=5433", f"redis://{host}:6379/0", f"mongodb://{host}:27017/{base}",
            f"jdbc:mysql://{host}:3306/{base}", f"jdbc:oracle:thin:@{host}:1521:{base}", f"amqp://{host}:5672", f"sqlite:///./{base}.db",
            f"Server={host};Database={base};Trusted_Connection=True;", f"mysql://{host}/{base}", host, f"{host}:5432", f"kafka://{host}",
            f"arn:aws:iam::aws:policy/{base.capitalize()}ReadOnly", f"arn:aws:kms:{region}:111122223333:alias/{base}", f"arn:aws:s3:::{base}-bucket/*",
            f"111122223333.dkr.ecr.{region}.amazonaws.com/{base}", f"s3://{base}-backups/2024/", f"gs://{base}-data", f"ldap://{host}:389/dc=example,dc=org",
            f"smtp://{host}:587", f"https://{base}.documents.azure.com:443/", f"$(dirname $0)/../bin/{base}", f"unix:///var/run/{base}.sock",
        )
    )  # fmt: skip


def sealed(scene: Scene) -> str:
    """A value that is already encrypted to somebody who has the key."""
    number = scene.rng.randrange
    text = base64.b64encode(scene.rng.randbytes(number(20, 90))).decode()
    code = base64.b64encode(scene.rng.randbytes(16)).decode()
    return scene.pick(
        (
            f"ENC[AES256_GCM,data:{text},iv:{code},tag:{code},type:str]", f"ENC[PKCS7,MII{text}]", f"{{cipher}}{scene.letters(64, _HEX)}",
            f"vault:v{number(1, 4)}:{text}", f"$ANSIBLE_VAULT;1.1;AES256 {scene.letters(80, _DIGITS)}", f"AgB{text}", f"secure:v1:{text}",
            f"age-encryption.org/v1 -> X25519 {code}", f"kms:{text}", f"enc:{text}", f"secure: \"{text}\"",
        )
    )  # fmt: skip


def placeholder(scene: Scene) -> str:
    """Any of them, short enough to stand behind a name on one line."""
    return scene.pick(
        (
            scene.pick(_LITERALS), scene.pick(_LITERALS), scene.pick(_LITERALS), template(scene), template(scene), template(scene),
            reference(scene), reference(scene), mask(scene),
        )
    )  # fmt: skip
