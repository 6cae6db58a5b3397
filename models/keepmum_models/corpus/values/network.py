"""Addresses of machines, device numbers, plates, internal hosts."""

from stdnum import luhn

from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.values.contacts import company_domain

_HEX = "0123456789abcdef"
_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_PLATE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_HOSTS = (
    "vpn",
    "jump",
    "bastion",
    "jenkins",
    "gitlab",
    "wiki",
    "grafana",
    "admin",
    "db-prod-01",
    "staging",
    "intranet",
    "k8s-master",
    "nas",
    "harbor",
    "oa",
    "crm",
    "erp",
    "vault",
    "ldap",
)
_ZONES = ("internal", "corp", "local", "lan", "intra", "prod.internal", "corp.local", "int")


def ip_address(scene: Scene) -> str:
    """An IPv4 or IPv6 address, private ranges too."""
    byte = scene.rng.randrange
    if scene.chance(0.2):
        groups = [scene.letters(scene.rng.randrange(1, 5), _HEX) for _ in range(8)]
        return scene.pick(
            (
                ":".join(groups),
                f"2001:db8::{':'.join(groups[:4])}",
                f"fe80::{':'.join(groups[:4])}",
                f"2a02:{':'.join(groups[:3])}::1",
            )
        )
    return scene.pick(
        (
            f"192.168.{byte(256)}.{byte(1, 255)}",
            f"10.{byte(256)}.{byte(256)}.{byte(1, 255)}",
            f"172.{byte(16, 32)}.{byte(256)}.{byte(1, 255)}",
            *(f"{byte(11, 223)}.{byte(256)}.{byte(256)}.{byte(1, 255)}" for _ in range(3)),
        )
    )


def mac_address(scene: Scene) -> str:
    """A MAC address."""
    joint = scene.pick((":", ":", "-"))
    pairs = [scene.letters(2, _HEX) for _ in range(6)]
    text = joint.join(pairs) if scene.chance(0.9) else ".".join(("".join(pairs)[at : at + 4]) for at in (0, 4, 8))
    return text.upper() if scene.chance(0.4) else text


def imei(scene: Scene) -> str:
    """An IMEI with its Luhn digit."""
    body = scene.pick(("35", "86", "01", "99")) + scene.digits(12)
    return body + luhn.calc_check_digit(body)


def uuid(scene: Scene) -> str:
    """A random identifier in the form of a UUID."""
    raw = scene.letters(32, _HEX)
    text = f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-{scene.pick('89ab')}{raw[17:20]}-{raw[20:]}"
    return text.upper() if scene.chance(0.2) else text


def device_id(scene: Scene) -> str:
    """A device number: IMEI, MAC, serial, advertising id, pump, VIN."""
    return scene.pick(
        (
            mac_address(scene),
            mac_address(scene),
            imei(scene),
            uuid(scene),
            scene.masked("?##?#??#####"),
            scene.masked("SN-########"),
            scene.masked("C02??###????"),
            scene.masked("PUMP-#######"),
            scene.masked("R58?########"),
            scene.masked("DEV-????-####"),
            scene.letters(17, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"),
            scene.masked("PM-######"),
            scene.letters(16, _HEX),
            scene.masked("F2L?########"),
            scene.masked("SN########??"),
        )
    )


def vehicle_plate(scene: Scene) -> str:
    """A number plate."""
    if scene.language == "zh":
        head = scene.pick(_PROVINCES) + scene.pick(_PLATE_LETTERS)
        dot = scene.pick(("", "", "", "·", " "))
        tail = scene.letters(5, "0123456789" * 2 + _PLATE_LETTERS)
        return scene.pick(
            (
                head + dot + tail,
                head + dot + tail,
                f"{head}{dot}{scene.pick('DF')}{scene.digits(5)}",
                f"{head}{dot}{scene.digits(4)}{scene.pick('挂学警')}",
                f"粤Z{dot}{scene.letters(4, '0123456789' + _PLATE_LETTERS)}{scene.pick('港澳')}",
                f"WJ{scene.pick(_PROVINCES)}{scene.digits(5)}",
                f"{scene.pick('使空海军')}{scene.pick(_PLATE_LETTERS)}{scene.digits(5)}",
            )
        )
    return scene.masked(
        scene.pick(
            (
                "???-####",
                "??## ???",
                "#???###",
                "??-###-??",
                "??? ###",
                "??-??-####",
                "###-???",
                "?-??-###",
                "??-## ???",
                "#??-####",
                "??####",
                "?## ???",
            )
        )
    )


def internal_access(scene: Scene) -> str:
    """A way into a closed network or building: host, admin page, share, door code."""
    host = f"{scene.pick(_HOSTS)}.{company_domain(scene).split('.')[0]}.{scene.pick(_ZONES)}"
    port = scene.pick((22, 443, 3389, 8080, 8443, 9000, 10022))
    doors = (f"{scene.digits(4)}#", f"*{scene.digits(4)}#", f"#{scene.digits(6)}*")
    return scene.pick(
        (
            f"https://{host}/{scene.pick(('admin', 'login', 'console', 'manage'))}",
            f"{host}:{port}",
            f"ssh {scene.pick(('root', 'deploy', 'ops', 'admin'))}@{host}",
            f"\\\\{host}\\{scene.pick(('share', 'hr', 'finance', 'backup'))}",
            f"https://{host}:{port}",
            f"rdp://{host}:{port}",
            f"http://{host}/{scene.pick(('jenkins', 'grafana', 'nacos'))}",
            *doors,
        )
    )
