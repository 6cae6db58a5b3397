"""`keepmum backup` and `keepmum restore`."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Folder = Annotated[Path, typer.Argument(help="A folder of its own, on another disk for example.")]


def backup(folder: Folder, as_json: AsJson = False) -> None:
    """Write the memories into a folder: a file of sealed records, and a file of their keys under your recovery key.

    Forgetting a memory takes its key out of the key file, so that no copy of the records gives it back. Copies of the
    key file that you make yourself are out of reach.

    Examples:
      keepmum backup /media/disk/keepmum
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    with edge_daemon() as client:
        done = client.post("/backup", {"folder": str(folder.expanduser().absolute())})
    if as_json:
        say_json(done)
    else:
        say(f"{done['records']} memories are in {folder}; only your recovery key opens them")


def restore(folder: Folder, as_json: AsJson = False) -> None:
    """Add the memories of a backup that are not here; asks for the recovery key. What you forgot does not come back.

    Examples:
      keepmum restore /media/disk/keepmum
    """
    from keepmum_edge.errors import InvalidRequestError
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.key import ask_secret
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    if not folder.expanduser().is_dir():
        raise InvalidRequestError(f"there is no folder {folder}; name the one that `keepmum backup` wrote")
    recovery_key = ask_secret("Recovery key: ").strip()
    if not recovery_key:
        raise InvalidRequestError("no recovery key was given; type it when asked, or give it as a line of stdin")
    with edge_daemon(make_profile=True) as client:
        body = {"folder": str(folder.expanduser().absolute()), "recovery_key": recovery_key}
        done = client.post("/restore", body)
    if as_json:
        say_json(done)
    else:
        say(
            f"{done['records']} memories came back, {done['there']} were here, {done['forgotten']} stay forgotten, "
            f"{done['refused']} were refused (they hold a secret); all stay on this computer"
        )
