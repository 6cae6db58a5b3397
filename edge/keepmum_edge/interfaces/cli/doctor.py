"""`keepmum doctor`: look at every part and say how it is and what to do."""

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from keepmum_edge.interfaces.cli.exit_codes import FAILED

if TYPE_CHECKING:
    from keepmum_edge.config import EdgeConfig
    from keepmum_edge.daemon.doctor import Check

_STYLE: Final = {"ok": "32", "warn": "33", "fail": "31"}


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print the checks as JSON.")] = False) -> None:
    """Check key, cipher, database, extractor, pairing and permissions. Status 1 if anything fails.

    Works with and without a running daemon.

    Examples:
      keepmum doctor --json
    """
    from keepmum_edge.interfaces.cli.terminal import say_json

    checks = _checks()
    failed = any(check["status"] == "fail" for check in checks)
    if as_json:
        say_json({"status": "fail" if failed else "ok", "checks": checks})
    else:
        _print(checks)
    if failed:
        raise typer.Exit(FAILED)


def _checks() -> list[dict[str, Any]]:
    """Ask the running daemon; without one, look from here."""
    from dataclasses import asdict

    from keepmum_edge.interfaces.cli.profile import running_daemon, settings

    config = settings()
    client = running_daemon(config)
    if client is None:
        return [asdict(check) for check in _look(config)]
    with client:
        checks: list[dict[str, Any]] = client.get("/checks")["checks"]
        return checks


def _look(config: "EdgeConfig") -> "tuple[Check, ...]":
    from keepmum_edge.daemon.doctor import examine
    from keepmum_edge.daemon.extraction import loader_of
    from keepmum_edge.daemon.retrieval.parts import SHIPPED
    from keepmum_edge.errors import ExtractorUnavailableError
    from keepmum_edge.interfaces.cli.key import keyholder_of
    from keepmum_edge.spans.extractor import SpanExtractor

    extractor: SpanExtractor | ExtractorUnavailableError
    try:
        extractor = loader_of(config)()
    except ExtractorUnavailableError as error:
        extractor = error
    return examine(config, keyholder_of(config), extractor, SHIPPED)


def _print(checks: list[dict[str, Any]]) -> None:
    import sys

    from keepmum_edge.interfaces.cli.terminal import coloured, say

    width = max(len(check["name"]) for check in checks)
    for check in checks:
        status = coloured(f"{check['status']:4}", _STYLE[check["status"]], sys.stdout)
        print(status, end="  ")
        say(f"{check['name']:{width}}  {check['detail']}")
        if check["next_step"]:
            say(f"{'':{width + 8}}-> {check['next_step']}")
