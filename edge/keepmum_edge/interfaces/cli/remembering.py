"""Remembering from the command line: kept here at once, and said what the cloud will get of it, when and how."""

from collections.abc import Iterable
from typing import Any

from keepmum_edge.interfaces.cli.client import DaemonClient
from keepmum_edge.interfaces.cli.showing import place_of, short
from keepmum_edge.interfaces.cli.terminal import BOLD, DIM, note, say

Json = dict[str, Any]


def remember(client: DaemonClient, text: str, *, scope: str, here_only: bool = False) -> Json:
    """Keep a text and return the record, with `others`, `closed` and `asked`.

    Raises:
        DaemonAnswerError: it holds a secret, or cannot be stored.
    """
    return client.post("/memories", {"text": text, "scope": scope, "here_only": here_only})


def say_where(client: DaemonClient, record: Json) -> None:
    """Say what became of a text that was told: where it is, what the cloud will see of it, what it replaced."""
    for each in (record, *record["others"]) if "id" in record else ():
        say(f"remembered: {each['id']}")
        note(f"  {place_of(each)}: {short(each['text'])}")
        if each["cloud"] == "queued":
            shown = client.post(f"/memories/{each['id']}/preview-share")["text"]
            note(f"  the cloud will see exactly: {shown}")
    for closed in record["closed"]:
        note(f"  holds no longer: {closed}")
    if asked := record["asked"]:
        note(f"  {_waiting(asked)}")


def say_kept(kept: Json) -> None:
    """Say what was remembered of a message."""
    for each in kept.get("kept", ()):
        place = "this computer only" if each["here_only"] else "to the cloud, as placeholders, with your next message"
        how = "remembered" if each.get("inferred") is None else f"inferred, {each['inferred']} % sure"
        note(f"  {how} ({place}): {each['id']}  {short(each['text'])}", DIM)
        if each.get("inferred") is not None:
            note(f"  not so? keepmum memory forget {each['id']}   so it is? keepmum memory confirm {each['id']}", DIM)
    for closed in kept.get("closed", ()):
        note(f"  holds no longer: {closed}", DIM)
    if asked := kept.get("asked"):
        note(f"  {_waiting(asked)}", DIM)


def _waiting(asked: Iterable[Json]) -> str:
    categories = ", ".join(sorted({each["category"] for each in asked}))
    return f"not kept unless you say so ({categories}): keepmum memory pending"


def say_views(told: Json) -> None:
    """Say which views were drawn for a message, and left with it for the first time."""
    for each in told.get("views", ()):
        note(f'  view drawn: {each["facet"].replace("_", " ")}, "{each["name"]}" (keepmum budget)', DIM)


def say_block(memories: Iterable[Json]) -> None:
    """Say what only this computer remembers of a question, below its answer."""
    for number, memory in enumerate(memories):
        if not number:
            note("  from this computer (not sent):", BOLD)
        note(f"    {memory['day']}  {memory['text']}")
