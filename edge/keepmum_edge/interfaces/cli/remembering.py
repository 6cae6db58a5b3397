"""Remembering from the command line: kept here at once, sent to the cloud only after its exact text was shown."""

from typing import Any

from keepmum_edge.interfaces.cli.client import DaemonClient
from keepmum_edge.interfaces.cli.terminal import agrees, note

Json = dict[str, Any]


def remember(client: DaemonClient, text: str, *, scope: str) -> Json:
    """Keep a text on this computer and return the record.

    Raises:
        DaemonAnswerError: it holds a secret, or cannot be stored.
    """
    return client.post("/memories", {"text": text, "scope": scope})


def offer_to_cloud(client: DaemonClient, record: Json, *, agreed: bool) -> Json:
    """Show what would be sent and send it if the owner says yes; return the record as it is then.

    Args:
        client: The daemon.
        record: A record that is kept here.
        agreed: The owner has said yes in advance (`--cloud` in a script); on a terminal they are asked all the same.

    Raises:
        DaemonAnswerError: it cannot be sent; it stays on this computer.
    """
    shown = client.post(f"/memories/{record['id']}/preview-share")["text"]
    note("The cloud would see exactly this:")
    note(f"  {shown}")
    if not (agreed or agrees("Send it to the cloud?")):
        note("Kept on this computer only.")
        return record
    sent = client.post(f"/memories/{record['id']}/share", {"shown_text": shown})
    note("Sent to the cloud half as shown.")
    return sent
