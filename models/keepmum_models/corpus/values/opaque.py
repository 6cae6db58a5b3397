"""Long random strings that anybody may see: digests, public keys, certificates, traces, resource names, embedded files."""

import base64

from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values.network import uuid

_HEX = "0123456789abcdef"
_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _base64(scene: Scene, size: int) -> str:
    return base64.b64encode(scene.rng.randbytes(size)).decode()


def public_key(scene: Scene) -> str:
    """A public key or a certificate, as a line or as a PEM block."""
    kind = scene.pick(
        ("PUBLIC KEY", "CERTIFICATE", "RSA PUBLIC KEY", "CERTIFICATE REQUEST", "PGP PUBLIC KEY BLOCK", "PGP SIGNATURE")
    )
    joint = "\\n" if scene.chance(0.2) else "\n"
    rows = [f"-----BEGIN {kind}-----", *(scene.letters(64, _ALNUM + "+/") for _ in range(scene.rng.randrange(1, 5)))]
    rows += [scene.letters(scene.rng.randrange(10, 60), _ALNUM + "+/") + "=", f"-----END {kind}-----"]
    return scene.pick(
        (
            joint.join(rows),
            joint.join(rows),
            f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{scene.letters(43, _ALNUM + '+/')}",
            f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{scene.letters(scene.rng.randrange(60, 300), _ALNUM + '+/')}",
            f"ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAI{scene.letters(80, _ALNUM + '+/')}=",
            f"age1{scene.letters(58, 'acdefghjklmnpqrstuvwxyz023456789')}",
        )
    )


def fingerprint(scene: Scene) -> str:
    """A fingerprint of a key or certificate."""
    pairs = [scene.letters(2, _HEX) for _ in range(scene.pick((16, 20, 32)))]
    return scene.pick(
        (
            f"SHA256:{_base64(scene, 32).rstrip('=')}",
            f"MD5:{':'.join(pairs)}",
            ":".join(pairs).upper(),
            " ".join(scene.letters(4, _HEX).upper() for _ in range(10)),
            f"sha256/{_base64(scene, 32)}",
        )
    )


def trace(scene: Scene) -> str:
    """An identifier of a request, span, event, job or build."""
    return scene.pick(
        (
            f"00-{scene.letters(32, _HEX)}-{scene.letters(16, _HEX)}-01",
            scene.letters(32, _HEX),
            scene.letters(16, _HEX),
            uuid(scene),
            uuid(scene),
            f"Root=1-{scene.letters(8, _HEX)}-{scene.letters(24, _HEX)}",
            f"req_{scene.letters(24, _ALNUM)}",
            "01" + scene.letters(24, _CROCKFORD),
            scene.digits(18),
            f"evt_{scene.letters(24, _ALNUM)}",
            f"{scene.letters(16, _HEX)}-{scene.pick(('FRA', 'AMS', 'LHR', 'SIN'))}",
        )
    )


def resource(scene: Scene) -> str:
    """The name of a thing in a cloud, registry or store."""
    return scene.pick(
        (
            f"sg-0{scene.letters(16, _HEX)}",
            f"ami-0{scene.letters(16, _HEX)}",
            f"vpc-{scene.letters(8, _HEX)}",
            f"prod_{scene.letters(14, _ALNUM)}",
            f"price_{scene.letters(24, _ALNUM)}",
            f"nginx@sha256:{scene.letters(64, _HEX)}",
            f"Qm{scene.letters(44, _ALNUM)}",
            f"magnet:?xt=urn:btih:{scene.letters(40, _HEX)}",
            f"arn:aws:lambda:us-east-1:123456789012:function:job-{scene.letters(6, _HEX)}",
            f"https://youtu.be/{scene.letters(11, _ALNUM + '-_')}",
            f"file_{scene.letters(24, _ALNUM)}",
            uuid(scene),
        )
    )


def lock_line(scene: Scene) -> str:
    """A line of a lock file, checksum file or diff."""
    name = scene.pick(("left-pad", "requests", "serde", "lodash", "tokio", "numpy", "react", "flask", "zlib"))
    digest = scene.letters(64, _HEX)
    version = f"{scene.rng.randrange(9)}.{scene.rng.randrange(30)}.{scene.rng.randrange(20)}"
    return scene.pick(
        (
            f'checksum = "{digest}"',
            f"{digest}  {name}-{version}.tar.gz",
            f"{name}=={version} --hash=sha256:{digest}",
            f"golang.org/x/{name} v{version} h1:{_base64(scene, 32)}",
            f'  resolved "https://registry.yarnpkg.com/{name}/-/{name}-{version}.tgz#{scene.letters(40, _HEX)}"',
            f"  integrity sha512-{_base64(scene, 64)}",
            f'<script src="/{name}.js" integrity="sha384-{_base64(scene, 48)}" crossorigin="anonymous"></script>',
            f'sha256 = "sha256-{_base64(scene, 32)}";',
            f"index {scene.letters(7, _HEX)}..{scene.letters(7, _HEX)} 100644",
            f"MD5 ({name}.zip) = {scene.letters(32, _HEX)}",
            f"FROM {name}@sha256:{digest}",
            f"- rev: {scene.letters(40, _HEX)}",
            f"uses: actions/checkout@{scene.letters(40, _HEX)}  # v{version}",
            f'{{file = "{name}-{version}-py3-none-any.whl", hash = "sha256:{digest}"}},',
            f'"{name}.{scene.letters(8, _HEX)}.js"',
        )
    )


def embedded(scene: Scene) -> str:
    """A picture, font, icon or source map written into a text file."""
    body = _base64(scene, scene.rng.randrange(40, 260))
    return scene.pick(
        (
            f"data:font/woff2;base64,d09GMgABAAAAA{body}",
            f"data:image/svg+xml;base64,PHN2Zy{body}",
            f"data:image/gif;base64,R0lGODlh{body}",
            f"data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ{body}",
            f"//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz{body}",
            f"data:application/pdf;base64,JVBERi0xLj{body}",
        )
    )
