"""The settings of the edge: one frozen value, read once from flags, environment and one TOML file.

Precedence: flag over environment (`KEEPMUM_` and the setting's name in capitals) over `[edge]` of the file over the
default. An unknown key of the file or flag is refused: a mistyped `mask_form` would silently mask less than was meant.
The section `[cloud]` belongs to the cloud half and is not looked at. No error repeats a value.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType, Level

from keepmum_edge.config.paths import Paths, locate
from keepmum_edge.config.private_files import read_private
from keepmum_edge.errors import ConfigError

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_SECTIONS: Final = {"edge", "cloud"}


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeConfig:
    """Every setting of the edge.

    Attributes:
        paths: Where its files lie.
        host: Where the API listens; loopback only.
        port: 0..65535; 0 takes any free port.
        mask_from: Lowest level that is masked, PL2..PL4.
        levels: Types whose level the user raised or lowered, PL2..PL4.
        type_names: `coarse` sends every PL3 type as DETAIL.
        placeholder_scope: `conversation` numbers every conversation afresh.
        extractor_threads: Threads that reading one text may use, 1..16.
        infer_preferences: Whether what messages show again and again is remembered as a preference.
        trace_days: How long traces are kept, 0..3650; 0 keeps none.
        block_in_answers: Whether answers to API clients end with the block "from this computer"; Keepmum's own chat
            shows it apart in any case.
        replay_minutes: How long an answer can be replayed to a retry, 0..1440.
        key_store: `auto` uses the keyring if there is a usable one; `keyring` insists on it; `file` leaves it alone.
        passphrase_file: A private file that holds the passphrase of the key file.
        passphrase: The passphrase itself; from the environment only.
        release_policy: When views are drawn: `sticky`, or one of the paper's modes; from the next period on.
        mechanism: How views are drawn: `krr` or `exponential`; from the next period on.
        first_period_days: From the first start to the first date, 0..3660; fixed then. None: as the view policy says.
        connect_timeout_s, first_event_timeout_s, between_events_timeout_s: Patience with the cloud, 0.1..3600 seconds.
        cloud_retries: How often a request that failed before its answer began is sent again, 0..10.
    """

    paths: Paths
    host: str = "127.0.0.1"
    port: int = 8765
    mask_from: Level = Level.PL2
    levels: Mapping[EntityType, Level] = field(default_factory=lambda: MappingProxyType({}))
    type_names: Literal["typed", "coarse"] = "typed"
    placeholder_scope: Literal["profile", "conversation"] = "profile"
    extractor_threads: int = 1
    infer_preferences: bool = True
    trace_days: int = 30
    block_in_answers: bool = False
    replay_minutes: int = 10
    key_store: Literal["auto", "keyring", "file"] = "auto"
    passphrase_file: Path | None = None
    passphrase: str | None = field(default=None, repr=False)
    release_policy: Literal["sticky", "online", "preallocated"] = "sticky"
    mechanism: Literal["krr", "exponential"] = "krr"
    first_period_days: int | None = None
    connect_timeout_s: float = 5.0
    first_event_timeout_s: float = 120.0
    between_events_timeout_s: float = 60.0
    cloud_retries: int = 2


class _Rule(ValueError):
    """What a setting must be. Holds the rule, never the value."""


def load(environ: Mapping[str, str], flags: Mapping[str, object]) -> EdgeConfig:
    """Read the settings.

    Args:
        environ: The process environment.
        flags: Setting names to what the command line gave; None stands for a flag not given.

    Raises:
        ConfigError: an unknown key, a value out of range, a file that is not TOML or that others may write.
    """
    paths = locate(environ)
    values: dict[str, Any] = {}
    for name, raw in _edge_section(paths.config_file).items():
        values[name] = _read(name, raw, f"{paths.config_file}: [edge] {name}")
    for name in _READERS:
        variable = f"KEEPMUM_{name.upper()}"
        if variable in environ:
            values[name] = _read(name, environ[variable], variable)
    for name, flag in flags.items():
        if flag is not None:
            values[name] = _read(name, flag, f"--{name.replace('_', '-')}")
    return EdgeConfig(paths=paths, passphrase=environ.get("KEEPMUM_PASSPHRASE") or None, **values)


def _edge_section(file: Path) -> dict[str, Any]:
    """Return `[edge]` of the file, or nothing if there is no file."""
    try:
        content = read_private(file, others_may_read=True).decode("utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror})") from None
    try:
        document = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:  # its words may quote the line
        place = re.search(r"at line \d+, column \d+", str(error))
        raise ConfigError(f"{file}: not valid TOML {place[0] if place else 'at the end'}") from None
    except RecursionError:
        raise ConfigError(f"{file}: not valid TOML; lists stand in lists too deep") from None
    for section, body in document.items():
        if section not in _SECTIONS or not isinstance(body, dict):
            raise ConfigError(f"{file}: unknown key {section!r}; settings stand under [edge] or [cloud]")
    section_of_edge: dict[str, Any] = document.get("edge", {})
    for name in section_of_edge:
        if name not in _READERS:
            raise ConfigError(f"{file}: unknown key {name!r} in [edge]; known are {', '.join(sorted(_READERS))}")
    return section_of_edge


def _read(name: str, raw: object, source: str) -> object:
    if name not in _READERS:
        raise ConfigError(f"{source}: there is no such setting")
    try:
        return _READERS[name](raw)
    except _Rule as rule:
        raise ConfigError(f"{source}: must be {rule}") from None


def _one_of(*choices: str) -> Callable[[object], str]:
    def read(raw: object) -> str:
        if not isinstance(raw, str) or raw not in choices:
            raise _Rule("one of " + ", ".join(choices))
        return raw

    return read


def _whole(low: int, high: int) -> Callable[[object], int]:
    def read(raw: object) -> int:
        number = int(raw) if isinstance(raw, str) and re.fullmatch(r"[0-9]{1,9}", raw) else raw
        if type(number) is not int or not low <= number <= high:
            raise _Rule(f"a whole number, {low}..{high}")
        return number

    return read


def _yes_or_no(raw: object) -> bool:
    words = {"true": True, "false": False}
    answer = words.get(raw) if isinstance(raw, str) else raw
    if not isinstance(answer, bool):
        raise _Rule("true or false")
    return answer


def _seconds(raw: object) -> float:
    number = float(raw) if isinstance(raw, str) and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", raw) else raw
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0.1 <= number <= 3600:
        raise _Rule("seconds, 0.1..3600")
    return float(number)


def _switch(raw: object) -> bool:
    if not isinstance(raw, bool) and raw not in ("true", "false"):
        raise _Rule("true or false")
    return raw is True or raw == "true"


def _level(raw: object) -> Level:
    if not isinstance(raw, str) or raw not in ("PL2", "PL3", "PL4"):
        raise _Rule("PL2, PL3 or PL4")
    return Level[raw]


def _levels(raw: object) -> Mapping[EntityType, Level]:
    """Read a table of type to level, or `TYPE=LEVEL,TYPE=LEVEL` from the environment."""
    if isinstance(raw, str):
        raw = dict(pair.partition("=")[::2] for pair in raw.replace(" ", "").split(",") if pair)
    known = {str(kind): kind for kind in EntityType if kind not in NOT_A_LEVEL}
    if not isinstance(raw, dict):
        raise _Rule('a table of type names and levels, for example HEALTH = "PL4"')
    if not raw.keys() <= known.keys():
        raise _Rule(f'a table of type names and levels, for example HEALTH = "PL4"; types are {", ".join(known)}')
    return MappingProxyType({known[name]: _level(level) for name, level in raw.items()})


def _host(raw: object) -> str:
    if raw not in LOOPBACK:
        raise _Rule("a loopback address (127.0.0.1, ::1 or localhost): the API gives out restored text")
    return str(raw)


def _path(raw: object) -> Path:
    if not isinstance(raw, str | Path) or not str(raw) or not Path(raw).expanduser().is_absolute():
        raise _Rule("an absolute path")
    return Path(raw).expanduser()


_READERS: Final[dict[str, Callable[[object], object]]] = {
    "host": _host,
    "port": _whole(0, 65_535),
    "mask_from": _level,
    "levels": _levels,
    "type_names": _one_of("typed", "coarse"),
    "placeholder_scope": _one_of("profile", "conversation"),
    "extractor_threads": _whole(1, 16),
    "infer_preferences": _switch,
    "trace_days": _whole(0, 3650),
    "block_in_answers": _yes_or_no,
    "replay_minutes": _whole(0, 1440),
    "key_store": _one_of("auto", "keyring", "file"),
    "passphrase_file": _path,
    "release_policy": _one_of("sticky", "online", "preallocated"),
    "mechanism": _one_of("krr", "exponential"),
    "first_period_days": _whole(0, 3660),
    "connect_timeout_s": _seconds,
    "first_event_timeout_s": _seconds,
    "between_events_timeout_s": _seconds,
    "cloud_retries": _whole(0, 10),
}
