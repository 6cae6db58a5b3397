"""`keepmum export` and `keepmum import`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from keepmum_edge.interfaces.cli.client import DaemonClient

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]

_SHOWN: Final = 5
"""Texts for the cloud that are shown one by one."""


def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; standard output if left out, or -.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write every memory into one file that only your account can read. Its words are in clear: keep it safe.

    The file is JSON; --json says in JSON where it is.

    Examples:
      keepmum export memories.json
    """
    from keepmum_edge.config.private_files import replace_private
    from keepmum_edge.errors import InvalidRequestError
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import note, say_json

    with edge_daemon() as client:
        document = client.get("/export")["document"]
    if file is None or str(file) == "-":
        sys.stdout.write(document)
        return
    try:
        replace_private(file.expanduser().absolute(), document.encode())
    except OSError as error:
        raise InvalidRequestError(f"{file} cannot be written ({error.strerror}); check its folder") from None
    note(f"written in clear to {file}; forgetting a memory cannot reach this file")
    if as_json:
        say_json({"file": str(file.expanduser().absolute())})


def take_in(
    file: Annotated[Path, typer.Argument(help="An export; - reads it from stdin.")],
    as_json: AsJson = False,
) -> None:
    """Add the memories of an export of yours, or of Mem0's JSON. What is here or was forgotten stays as it is.

    The file's words are judged as if you told them now; nothing else in it decides what may leave this computer. If
    anything in it is wrong, nothing comes in.

    Examples:
      keepmum import memories.json
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    document = _document(file)
    with edge_daemon() as client:
        done = client.post("/import", {"document": document})
        if not as_json:
            say(
                f"{done['records']} memories came in, {done['there']} were here, {done['forgotten']} stay forgotten, "
                f"{done['refused']} were refused (they hold a secret, or were made of memories of two projects)"
            )
            _say_what_leaves(client, done)
    if as_json:
        say_json(done)


def _document(file: Path) -> str:
    """Return the text of a file, or of stdin.

    Raises:
        InvalidRequestError: there is none.
    """
    from keepmum_edge.errors import InvalidRequestError

    what = "stdin" if str(file) == "-" else str(file)
    try:
        content = sys.stdin.buffer.read() if what == "stdin" else file.expanduser().read_bytes()
        document = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise InvalidRequestError(f"there is no file {what}", param="file") from None
    except IsADirectoryError:
        raise InvalidRequestError(f"{what} is a folder; name the file that `keepmum export` wrote") from None
    except UnicodeDecodeError:
        raise InvalidRequestError(f"{what} is not UTF-8 text, so it is no export", param="file") from None
    except OSError as error:
        raise InvalidRequestError(f"{what} cannot be read ({error.strerror})", param="file") from None
    if not document.strip():
        raise InvalidRequestError(f"{what} is empty", param="file")
    return document


def _say_what_leaves(client: "DaemonClient", done: dict[str, Any]) -> None:
    """Say which of the new memories the cloud will get, and what it will see of them."""
    from keepmum_edge.interfaces.cli.terminal import note

    queued = done["queued"]
    if queued:
        note(f"{len(queued)} of them go to the cloud with your next message; it will see exactly:")
    for memory in queued[:_SHOWN]:
        note(f"  {client.post(f'/memories/{memory}/preview-share')['text']}")
    if len(queued) > _SHOWN:
        note(f"  and {len(queued) - _SHOWN} more, [for the cloud] in `keepmum memory list`")
    if stay := done["records"] - len(queued):
        note(f"{stay} stay on this computer" + ("" if queued else "; nothing goes to the cloud by this"))
