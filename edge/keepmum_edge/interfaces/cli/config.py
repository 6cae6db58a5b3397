"""`keepmum config ...`: where the settings are, whether they are right, and what they say."""

from typing import Annotated, Any, Final

import typer

_HELP: Final = "Show and check the settings.\n\nExamples:\n  keepmum config path\n  keepmum config check"

app = typer.Typer(no_args_is_help=True, add_completion=False, help=_HELP)

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.command()
def path(as_json: AsJson = False) -> None:
    """Print where the configuration file, the data and the logs lie.

    Examples:
      keepmum config path
    """
    import os

    from keepmum_edge.config.paths import locate

    paths = locate(os.environ)
    named = {
        "config_file": paths.config_file,
        "public_figures_file": paths.public_figures_file,
        "data_dir": paths.data_dir,
        "state_dir": paths.state_dir,
    }
    _print({name: str(place) for name, place in named.items()}, as_json=as_json)


@app.command()
def check(as_json: AsJson = False) -> None:
    """Read the settings and say whether they are right. Status 2 if not.

    Examples:
      keepmum config check && keepmum serve
    """
    from keepmum_edge.daemon.extraction import figures_in_force
    from keepmum_edge.interfaces.cli.profile import settings

    config = settings()
    figures_in_force(config.paths.public_figures_file)
    _print({"status": "ok", "config_file": str(config.paths.config_file)}, as_json=as_json)


@app.command()
def show(as_json: AsJson = False) -> None:
    """Print every setting in force. A passphrase is never printed.

    Examples:
      keepmum config show --json
    """
    from dataclasses import fields

    from keepmum_edge.interfaces.cli.profile import settings

    config = settings()
    hidden = {"paths", "passphrase"}
    values = {field.name: _plain(getattr(config, field.name)) for field in fields(config) if field.name not in hidden}
    _print(values, as_json=as_json)


def _plain(value: Any) -> Any:
    """Return a setting as JSON knows it: levels by name, paths as text."""
    from collections.abc import Mapping
    from enum import IntEnum
    from pathlib import Path

    if isinstance(value, IntEnum):
        return value.name
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    return str(value) if isinstance(value, Path) else value


def _print(values: dict[str, Any], *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    if as_json:
        say_json(values)
        return
    for name, value in values.items():
        say(f"{name} = {value}")
