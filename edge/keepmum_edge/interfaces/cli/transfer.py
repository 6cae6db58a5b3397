"""`keepmum export` and `keepmum import`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; standard output if left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write every memory into one file that only your account can read. Its words are in clear: keep it safe.

    The file is JSON; --json says in JSON where it is.

    Examples:
      keepmum export memories.json
    """
    from keepmum_edge.config.private_files import replace_private
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import note, say_json

    with edge_daemon() as client:
        document = client.get("/export")["document"]
    if file is None:
        sys.stdout.write(document)
    else:
        replace_private(file.expanduser().absolute(), document.encode())
        note(f"written in clear to {file}; forgetting a memory cannot reach this file")
        if as_json:
            say_json({"file": str(file.expanduser().absolute())})


def take_in(
    file: Annotated[Path, typer.Argument(help="An export; - reads it from stdin.")],
    as_json: AsJson = False,
) -> None:
    """Add the memories of an export of yours, or of Mem0's JSON. What is here or was forgotten stays as it is.

    Examples:
      keepmum import memories.json
    """
    from keepmum_edge.errors import InvalidRequestError
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    try:
        document = sys.stdin.read() if str(file) == "-" else file.expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidRequestError("the file cannot be read as UTF-8 text", param="file") from None
    with edge_daemon() as client:
        done = client.post("/import", {"document": document})
    if as_json:
        say_json(done)
    else:
        say(
            f"{done['records']} memories came in, {done['there']} were here, {done['forgotten']} stay forgotten, "
            f"{done['refused']} hold a secret and were refused"
        )
