"""`keepmum forget` and `keepmum receipts`."""

import sys
from typing import Annotated, Any

import typer

from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.interfaces.cli.exit_codes import FAILED, QUEUED
from keepmum_edge.interfaces.cli.ranges import within

Json = dict[str, Any]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def forget(
    ids: Annotated[
        list[str] | None, typer.Argument(help="Memories, as `keepmum memory list` shows them, or turns.")
    ] = None,
    matching: Annotated[
        str | None,
        typer.Option(help="Everything that holds this text, a name for example; - reads it from stdin."),
    ] = None,
    scope: Annotated[str | None, typer.Option(help="Every memory and conversation of a project.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every memory, conversation and private value.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask; needed in a script for more than single ids.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete memories and all that was derived from them, here and at the cloud. Status 3: the cloud's part is queued.

    What would go is shown first and asked about. There is no undo: the receipt is given once it is gone.

    Examples:
      keepmum forget mem_abcdefghijklmnopqrstuvwxyz
      echo "Jack" | keepmum forget --matching - --dry-run
      keepmum forget --scope old-project --yes --json
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import agrees, interactive, note, say_json

    wanted: Json = {"ids": ids} if ids else {}
    if matching is not None:
        wanted["matching"] = sys.stdin.read().strip() if matching == "-" else matching
    if scope is not None:
        wanted["scope"] = scope
    if everything:
        wanted["all"] = True
    if len(wanted) != 1:
        raise InvalidRequestError("say what to forget: ids, --matching, --scope or --all, and one of them only")
    with edge_daemon() as client:
        preview = client.post("/forget/preview", wanted)
        if dry_run and as_json:
            say_json(preview)
            return
        if dry_run or not (yes and as_json):
            _show(preview)
        if dry_run:
            return
        if not yes and interactive():
            if not agrees("Forget all of this, for good?"):
                note("Nothing was changed.")
                raise typer.Exit(FAILED)
        elif not yes and not ids:
            raise InvalidRequestError("without a terminal say --yes; --dry-run only shows what would go")
        done = client.post("/forget", {**wanted, "digest": preview["digest"]})
    _print(done, as_json=as_json)
    if done["receipt"]["cloud"] == "pending":
        raise typer.Exit(QUEUED)


def receipts(
    receipt: Annotated[str | None, typer.Argument(help="One receipt; the newest if left out.")] = None,
    limit: Annotated[int, typer.Option(callback=within(1, 1000), help="List at most this many, newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show what was forgotten, whether it is gone, and whether the cloud has confirmed it.

    Examples:
      keepmum receipts
      keepmum receipts forget_0123456789abcdef0123 --json
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    with edge_daemon() as client:
        if receipt is not None:
            _print(client.get(f"/receipts/{receipt}"), as_json=as_json)
            return
        found = client.get("/receipts", limit=limit)
    if as_json:
        say_json(found)
        return
    for each in found["receipts"]:
        say("  ".join(receipt_in_words(each)[:2]))
    if not found["receipts"]:
        say("nothing was forgotten yet")
    if "notice" in found:
        say(f"note: {found['notice']}")


def receipt_in_words(signed: Json) -> list[str]:
    """Return a receipt in lines."""
    receipt: Json = signed["receipt"]
    gone = ", ".join(f"{s['removed']} {s['store']}" for s in receipt["stores"] if s["removed"]) or "nothing was kept"
    cloud = {
        "never_sent": "it had never left this computer",
        "pending": "PENDING at the cloud: told as soon as it can be reached",
        "confirmed": "the cloud has confirmed and signed",
    }[receipt["cloud"]]
    if receipt.get("cloud_everything"):
        cloud += " (all that it held of this computer)"
    lines = [f"{receipt['id']}: gone here ({gone})", cloud]
    if signed["verified"]:
        lines.append("looked for in every table and in the file's bytes: nothing is left")
    elif receipt.get("texts_left") is None:
        lines.append("not searched for in the file's bytes afterwards, since the daemon was interrupted")
    else:
        lines.append(
            f"LEFT BEHIND: {receipt['rows_left']} rows, {receipt['texts_left']} texts. Please report this fault"
        )
    if receipt["same_words"]:
        lines.append(f"the same words stand in {receipt['same_words']} other places that were not asked for")
    if receipt["remade"]:
        lines.append(f"made anew from what is left: {', '.join(each['new'] for each in receipt['remade'])}")
    if receipt["values_kept"]:
        lines.append(f"still in use elsewhere, so kept: {', '.join(receipt['values_kept'])}")
    lines += [f"an older key file can still open what is forgotten: {each}" for each in receipt["stale_key_files"]]
    return [*lines, *receipt["notes"]]


def _show(preview: Json) -> None:
    from keepmum_edge.interfaces.cli.showing import short
    from keepmum_edge.interfaces.cli.terminal import note

    note("This goes:")
    for title in ("memories", "derived"):
        for record in preview[title]:
            place = "cloud too" if record["at_cloud"] else "here only"
            note(f"  {record['id']}  {record['scope']}  [{place}]  {short(record['text'])}")
    for token, value in preview["values"].items():
        note(f"  {token}  {short(value)}: never restored again")
    if preview["turns"] or preview["messages"]:
        counts = f"{preview['turns']} turns and {preview['messages']} messages of {preview['conversations']}"
        note(f"  traces, answers and messages that tell it: {counts} conversations")
    if preview["rebuilt"]:
        note(f"  made anew from what is left, where that can be done: {', '.join(preview['rebuilt'])}")
    if preview["trimmed"]:
        note(f"Stays, supported by something else: {', '.join(preview['trimmed'])}")
    if preview["erases_cloud"]:
        note("The cloud is told to erase all that it holds of this computer, known here or not.")
    note(f"The cloud is told {preview['at_cloud']} ids, and no text.")


def _print(signed: Json, *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    if as_json:
        say_json(signed)
        return
    for line in receipt_in_words(signed):
        say(line)
