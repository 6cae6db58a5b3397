"""Values that look private and are not: hashes, versions, order numbers, ports, sample data."""

import base64

from keepmum_models.corpus.scene import Scene

_HEX = "0123456789abcdef"
_EXAMPLE_HOSTS = ("example.com", "example.org", "example.net", "test.local", "localhost", "domain.tld")


def content_hash(scene: Scene) -> str:
    """A commit id, digest or entity tag."""
    size = scene.pick((7, 8, 12, 32, 40, 64))
    return scene.pick(("", "", "", "sha256:", "sha1-", "md5:")) + scene.letters(size, _HEX)


def integrity(scene: Scene) -> str:
    """A digest as lock files carry it."""
    return f"sha512-{base64.b64encode(scene.rng.randbytes(64)).decode()}"


def version(scene: Scene) -> str:
    """A version or build number, some in the form of an IP address."""
    number = scene.rng.randrange
    return scene.pick(
        (
            f"{number(20)}.{number(30)}.{number(40)}",
            f"v{number(9)}.{number(20)}",
            f"{number(20)}.{number(10)}.{number(9)}-rc{number(5)}",
            f"10.0.{number(10000, 30000)}.{number(1, 3000)}",
            f"{number(1, 9)}.{number(10)}.{number(10)}.{number(10)}.{number(10)}",
            f"build {number(1000, 30000)}",
            f"{number(3)}.{number(20)}b{number(4)}",
            f"192.168.1.{number(300, 999)}",
        )
    )


def order_number(scene: Scene) -> str:
    """An order, invoice, parcel or ticket number: of a thing, not of a person."""
    return scene.masked(
        scene.pick(
            (
                "######",
                "20##-####",
                "#PO-#####",
                "INV-20##-####",
                "ORD-#######",
                "SKU-####-??",
                "JIRA-###",
                "PR #####",
                "ISO 9001",
                "RFC ####",
                "ISBN 978-#-##-######-#",
                "issue #####",
                "SF############",
                "YT##############",
                "RA#########CN",
                "CVE-20##-#####",
                "DOI 10.####/j.##",
                "EN ####",
                "BG-####",
                "part no. ???-###",
            )
        )
    )


def quantity(scene: Scene) -> str:
    """A number that counts something."""
    number = scene.rng.randrange
    return scene.pick(
        (
            f"{number(2, 10**4)}",
            f"{number(10**4, 10**8):,}",
            f"{number(1, 100)}%",
            f"{number(1, 100)}.{number(100)}",
            f"{number(1, 90)}GB",
            f"{number(2, 999)}ms",
            f"{number(2, 60)}km",
            f"{number(1, 10)}e{number(2, 12)}",
        )
    )


def port(scene: Scene) -> str:
    """A port."""
    return str(
        scene.pick(
            (22, 80, 443, 3000, 3306, 5432, 6379, 8000, 8080, 8443, 9090, 27017, scene.rng.randrange(1024, 65535))
        )
    )


def sample_email(scene: Scene) -> str:
    """An address without a person: package spec, git remote, mask."""
    return scene.pick(
        (
            f"git@code.{scene.pick(_EXAMPLE_HOSTS)}:acme/ui.git",
            f"@acme/{scene.pick(('ui', 'core', 'cli'))}@{version(scene)}",
            "user@host",
            "name@domain",
            "___@___",
            "xxx@xxx.com",
            "@username",
            "noreply@",
            "<email>",
        )
    )


def epoch(scene: Scene) -> str:
    """Seconds or milliseconds since 1970."""
    return str(scene.rng.randrange(1_500_000_000, 1_900_000_000)) + scene.pick(("", "", "000"))


def blob(scene: Scene) -> str:
    """The beginning of an embedded picture."""
    return f"data:image/png;base64,iVBORw0KGgo{base64.b64encode(scene.rng.randbytes(scene.rng.randrange(30, 240))).decode()}"


def machine_id(scene: Scene) -> str:
    """Name of a job, pod or instance."""
    return scene.pick(
        (
            f"hosted-eu-{20260000 + scene.rng.randrange(101, 1231)}-{scene.digits(2)}",
            f"web-{scene.letters(9, _HEX)}-{scene.letters(5, 'bcdfghjklmnp')}",
            f"i-0{scene.letters(16, _HEX)}",
            f"job_{scene.digits(6)}",
            f"run-{scene.digits(8)}-{scene.digits(4)}",
        )
    )
