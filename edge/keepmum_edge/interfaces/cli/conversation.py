"""A conversation as a client of the API holds it: its name, its mode and the messages so far (pure).

The history is replayed with every request, as every client of such an API does; an answer that was stopped or failed
leaves no trace in it, since the daemon has kept nothing of that turn either.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

Message = dict[str, Any]


@dataclass(slots=True)
class Conversation:
    """One conversation at a time, and how to start the next.

    Attributes:
        name: What the daemon is told; random, so that two chats never share one.
    """

    new_name: Callable[[], str]
    scope: str = "user"
    mode: Literal["normal", "incognito"] = "normal"
    name: str = ""
    messages: list[Message] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.name = self.new_name()

    @property
    def headers(self) -> dict[str, str]:
        """What tells the daemon in which setting a message is said."""
        return {
            "X-Keepmum-Conversation": self.name,
            "X-Keepmum-Scope": quote(self.scope, safe=""),
            "X-Keepmum-Mode": self.mode,
            "X-Keepmum-Block": "apart",
        }

    def asking(self, text: str) -> list[Message]:
        """Return the messages of a request that asks this."""
        return [*self.messages, {"role": "user", "content": text}]

    def answered(self, text: str, answer: str) -> None:
        """Take a complete exchange into the history."""
        self.messages = [*self.asking(text), {"role": "assistant", "content": answer}]

    def restart(self) -> None:
        """Begin a new conversation in the same mode."""
        self.name = self.new_name()
        self.messages = []

    def toggle_incognito(self) -> None:
        """Begin a new conversation in the other mode; nothing is carried over in either direction."""
        self.mode = "normal" if self.mode == "incognito" else "incognito"
        self.restart()
