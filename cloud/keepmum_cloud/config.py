"""Settings of the cloud half: one frozen value, read once at start.

Order: a flag wins over the environment (`KEEPMUM_CLOUD_` and the name in capitals), which wins over the table
`[cloud]` of the TOML file that both halves share. An unknown key in `[cloud]` is an error. The functions here are
given the environment; none reads it.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, get_args

import platformdirs

from keepmum_cloud.errors import ConfigError

ENV_PREFIX: Final = "KEEPMUM_CLOUD_"
Backend = Literal["llama", "openai"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudConfig:
    """Everything that can be set.

    Attributes:
        host, port: Where to listen; port 0 takes a free one.
        names: More host names or addresses under which edges reach this server; they go into its certificate.
        data: Folder of the database, the key and the certificate.
        responder: `llama` runs a GGUF file here, `openai` asks an OpenAI-compatible server.
        model_path: GGUF file; None is the small one that comes with `keepmum[local-llm]`.
        context_tokens, threads: Of the GGUF model; threads 0 means all processors but one.
        embedding_path: Folder of the sentence embedding that memories are searched with; None is the shipped one.
        base_url, model, api_key_file: Of the server; the file holds the key alone.
        connect_timeout_s, read_timeout_s: Patience with the server, in seconds.
        max_turns: Turns at a time; more are told to come later.
        max_messages: Messages of one turn.
        requests_per_second, burst: Of one device.
        pairing_life_s: How long a pairing URI is good.
        shutdown_grace_s: How long running answers may go on after SIGTERM.
    """

    host: str = "127.0.0.1"
    port: int = 8766
    names: tuple[str, ...] = ()
    data: Path
    responder: Backend = "llama"
    model_path: Path | None = None
    context_tokens: int = 8192
    threads: int = 0
    embedding_path: Path | None = None
    base_url: str | None = None
    model: str | None = None
    api_key_file: Path | None = None
    connect_timeout_s: float = 10.0
    read_timeout_s: float = 120.0
    max_turns: int = 16
    max_messages: int = 2000
    requests_per_second: float = 100.0
    burst: int = 1000
    pairing_life_s: int = 600
    shutdown_grace_s: int = 10

    def __post_init__(self) -> None:
        ranges = {
            "port": (0, 65535),
            "context_tokens": (256, 10_000_000),
            "threads": (0, 1024),
            "connect_timeout_s": (0.01, 3600),
            "read_timeout_s": (0.01, 86400),
            "max_turns": (1, 10_000),
            "max_messages": (1, 10_000),
            "requests_per_second": (0.01, 1e6),
            "burst": (1, 10**6),
            "pairing_life_s": (1, 86400),
            "shutdown_grace_s": (0, 3600),
        }
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                raise ConfigError(f"cloud.{name}: must be {low}..{high}")
        if self.responder == "openai" and not (self.base_url and self.model):
            raise ConfigError('cloud.responder = "openai" needs cloud.base_url and cloud.model')
        if self.base_url is not None and not self.base_url.startswith(("http://", "https://")):
            raise ConfigError("cloud.base_url: must begin with http:// or https://")


def config_file(environment: Mapping[str, str]) -> Path:
    """Return where the file is: in KEEPMUM_HOME if that is set, else in the platform's folder."""
    if home := environment.get("KEEPMUM_HOME"):
        return Path(home) / "config.toml"
    return platformdirs.user_config_path("keepmum", appauthor=False) / "config.toml"


def default_data(environment: Mapping[str, str]) -> Path:
    """Return the default of `data`."""
    if home := environment.get("KEEPMUM_HOME"):
        return Path(home) / "cloud"
    return platformdirs.user_data_path("keepmum", appauthor=False) / "cloud"


def load_config(file: Path, environment: Mapping[str, str], flags: Mapping[str, Any]) -> CloudConfig:
    """Read the settings.

    Args:
        file: May be absent.
        environment: The process's, or a part of it.
        flags: By field name; None means not given.

    Raises:
        ConfigError: a source is unreadable, or a key unknown, of the wrong type or out of range.
    """
    known = {field.name: field.type for field in fields(CloudConfig)}
    settings: dict[str, Any] = {"data": default_data(environment)}
    for name, value in _table(file).items():
        if name not in known:
            raise ConfigError(f"{file}: unknown key {name!r} in [cloud]; known are {', '.join(sorted(known))}")
        settings[name] = _read(name, value, str(file))
    for name in known:
        if (text := environment.get(ENV_PREFIX + name.upper())) is not None:
            settings[name] = _read(name, _from_text(name, text), "environment")
    settings |= {name: _read(name, value, "flag") for name, value in flags.items() if value is not None}
    return CloudConfig(**settings)


def _table(file: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("cloud", {})
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file} cannot be read ({type(error).__name__}); correct it or move it away") from None
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: cloud must be a table, [cloud]")
    return table


_TYPES: Final[dict[str, type]] = {
    **dict.fromkeys(("data", "model_path", "embedding_path", "api_key_file"), Path),
    **dict.fromkeys(
        (
            "port",
            "context_tokens",
            "threads",
            "max_turns",
            "max_messages",
            "burst",
            "pairing_life_s",
            "shutdown_grace_s",
        ),
        int,
    ),
    **dict.fromkeys(("connect_timeout_s", "read_timeout_s", "requests_per_second"), float),
    **dict.fromkeys(("host", "responder", "base_url", "model"), str),
    "names": tuple,
}


def _from_text(name: str, text: str) -> Any:
    kind = _TYPES[name]
    try:
        if kind is tuple:
            return [part.strip() for part in text.split(",") if part.strip()]
        return kind(text) if kind in (int, float) else text
    except ValueError:
        raise ConfigError(f"environment: {ENV_PREFIX}{name.upper()} must be {kind.__name__}") from None


def _read(name: str, value: Any, source: str) -> Any:
    kind = _TYPES[name]
    wrong = ConfigError(f"{source}: cloud.{name} must be {'a list of texts' if kind is tuple else kind.__name__}")
    if kind is tuple:
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise wrong
        return tuple(value)
    if kind is Path and isinstance(value, str | Path) and str(value):
        return Path(value).expanduser()
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind or (name == "responder" and value not in get_args(Backend)):
        raise ConfigError(f"{source}: cloud.responder must be llama or openai") if name == "responder" else wrong
    return value
