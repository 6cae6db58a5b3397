"""The chat itself: lines in, answers and commands out. The same for a person and for a script that pipes lines in.

A person sees errors and goes on; a script ends at the first error, with its status. Ctrl-C stops the answer that is
being written, and that turn leaves nothing behind.
"""

import sys
from collections.abc import Callable
from typing import Any, Final

from keepmum_shared.errors import KeepmumError

from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.interfaces.cli.budget import show_budget
from keepmum_edge.interfaces.cli.client import DaemonClient
from keepmum_edge.interfaces.cli.conversation import Conversation
from keepmum_edge.interfaces.cli.exit_codes import OK, QUEUED
from keepmum_edge.interfaces.cli.remembering import remember, say_block, say_kept, say_views, say_where
from keepmum_edge.interfaces.cli.showing import (
    BY_MEANING_ONLY,
    short,
    show_memories,
    show_pending,
    show_traces,
    show_why,
)
from keepmum_edge.interfaces.cli.terminal import DIM, RED, YELLOW, note, printable, say, say_json

HELP: Final = """\
/remember TEXT   keep a text; you are shown what the cloud will see of it
/pending         what is kept only if you say so; /pending ID yes (or no) answers
/memory [QUERY]  list memories, or search them
/forget ID       delete a memory, here and at the cloud
/trace           your last message here: what you typed, what the cloud saw, what came back
/why             which memories and views that answer used, and what was made of the message
/budget          what views may have told of you
/incognito       a fresh conversation of which nothing is kept; again to return
/new             a fresh conversation
/help            this
/quit            leave (or Ctrl-D); Ctrl-C stops an answer"""

INCOGNITO: Final = """\
Incognito: a fresh conversation. Nothing of it is kept; its answers use no memory, and none is made of it.
Its words stay in the daemon's memory until that stops. /memory still shows you what is kept of other conversations."""


class Dialogue:
    """One session of chat with a daemon."""

    def __init__(self, client: DaemonClient, conversation: Conversation, *, person: bool, as_json: bool) -> None:
        self._client = client
        self._conversation = conversation
        self._person = person
        self._as_json = as_json
        self._status = OK
        self._last: str | None = None
        """The turn that `/trace` and `/why` mean: the last of this conversation, "newest" where its id is not known."""
        self._commands: dict[str, Callable[[str], None]] = {
            "/remember": self._remember,
            "/memory": self._memory,
            "/pending": self._pending,
            "/forget": self._forget,
            "/trace": self._trace,
            "/why": self._why,
            "/budget": self._budget,
            "/incognito": self._incognito,
            "/new": self._new,
            "/help": lambda _: self._say(HELP),
        }

    def run(self) -> int:
        """Talk until the input ends; return the exit status.

        Raises:
            KeepmumError: only where a script pipes lines in.
        """
        while (line := self._next_line()) is not None:
            if line.strip() == "/quit":
                break
            try:
                self._take(line)
            except KeepmumError as error:
                if not self._person:
                    raise
                note(f"keepmum: {error}", RED)
            except KeyboardInterrupt:
                if not self._person:
                    raise
                note("\n(stopped; nothing of this turn was kept)", DIM)
        return self._status

    def _next_line(self) -> str | None:
        """Return the next line that is not blank; None at the end."""
        while True:
            try:
                line = input(self._prompt()) if self._person else sys.stdin.readline()
            except EOFError:
                return None
            except KeyboardInterrupt:
                if not self._person:
                    raise
                note("\n(type /quit to leave)", DIM)
                continue
            except UnicodeDecodeError:
                raise InvalidRequestError("the input is not UTF-8 text") from None
            if not line and not self._person:
                return None
            if line.strip():
                return line.strip("\r\n")

    def _prompt(self) -> str:
        return "incognito> " if self._conversation.mode == "incognito" else "you> "

    def _take(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if word in self._commands:
            self._commands[word](rest.strip())
        elif line.startswith("/") and word[1:].isalpha():
            raise InvalidRequestError(f"there is no command {word[:32]}; /help lists them")
        else:
            self._ask(line)

    def _ask(self, text: str) -> None:
        pieces: list[str] = []
        memories: list[str] = []
        news: dict[str, Any] = {}
        turn = model = ""
        self._last = "newest"
        with self._client.chat(self._conversation.asking(text), self._conversation.headers) as chunks:
            for chunk in chunks:
                turn, model = chunk["id"].removeprefix("chatcmpl-"), chunk["model"]
                self._last = turn
                more = chunk.get("keepmum", {})
                memories += more.get("memories", [])
                news |= {name: value for name, value in more.items() if name != "memories"}
                for choice in chunk["choices"]:
                    pieces.append(choice["delta"].get("content") or "")
                    self._show(pieces[-1])
        self._show("\n")
        answer = "".join(pieces)
        self._conversation.answered(text, answer)
        if self._as_json:
            say_json({"turn": turn, "model": model, "answer": answer, "memories_used": memories, **news})
            return
        say_block(news.get("from_this_computer", ()))
        if memories:
            self._name_memories(memories)
        say_kept(news)
        say_views(news)

    def _say(self, text: str) -> None:
        """Print a result in words, where the result is not printed as JSON."""
        if not self._as_json:
            say(text)

    def _show(self, piece: str) -> None:
        """Print a piece of an answer as it comes."""
        if not self._as_json:
            print(printable(piece, sys.stdout), end="", flush=True)

    def _name_memories(self, used: list[str]) -> None:
        known = {record["id"]: record["text"] for record in self._client.get("/memories")["memories"]}
        for memory in used:
            note(f"  memory used: {memory}  {short(known.get(memory, ''))}", DIM)

    def _remember(self, rest: str) -> None:
        if self._conversation.mode == "incognito":
            raise InvalidRequestError("in incognito nothing is remembered; /incognito leaves it")
        if not rest:
            raise InvalidRequestError("say what to remember: /remember TEXT")
        record = remember(self._client, rest, scope=self._conversation.scope)
        if self._as_json:
            say_json(record)
        else:
            say_where(self._client, record)

    def _pending(self, rest: str) -> None:
        memory, _, answer = rest.partition(" ")
        if memory and answer in ("yes", "no"):
            found = self._client.post(f"/pending/{memory}", {"keep": answer == "yes"})
        elif memory:
            raise InvalidRequestError("say /pending ID yes, or /pending ID no")
        else:
            found = self._client.get("/pending")
        if self._as_json:
            say_json(found)
        elif memory:
            say("kept on this computer" if found["memory"] else "let go")
        else:
            show_pending(found)

    def _memory(self, query: str) -> None:
        scope = self._conversation.scope
        if query:
            found = self._client.post("/memories/search", {"query": query, "scope": scope})
        else:
            found = self._client.get("/memories", scope=scope)
        if self._as_json:
            say_json(found)
            return
        if self._conversation.mode == "incognito":
            note("Your memories; this conversation uses none of them.", DIM)
        if found.get("by_meaning_only"):
            note(BY_MEANING_ONLY)
        show_memories(found["memories"])

    def _forget(self, memory: str) -> None:
        if not memory:
            raise InvalidRequestError("say which: /forget ID; /memory lists them")
        receipt = self._client.delete(f"/memories/{memory}")
        self._say(receipt_in_words(receipt["cloud"]))
        if self._as_json:
            say_json(receipt)
        if receipt["cloud"] == "queued":
            self._status = QUEUED

    def _trace(self, turn: str) -> None:
        trace = self._client.get(f"/traces/{turn or self._last_turn()}")
        if self._as_json:
            say_json(trace)
        else:
            show_traces([trace])

    def _why(self, turn: str) -> None:
        found = self._client.get(f"/traces/{turn or self._last_turn()}/memories")
        if self._as_json:
            say_json(found)
        else:
            show_why(found)

    def _last_turn(self) -> str:
        if self._last is None:
            raise InvalidRequestError("nothing was said in this conversation yet; `keepmum trace` shows older ones")
        return self._last

    def _budget(self, _: str) -> None:
        found = self._client.get("/budget")
        if self._as_json:
            say_json(found)
        else:
            show_budget(found)

    def _incognito(self, _: str) -> None:
        self._conversation.toggle_incognito()
        self._last = None
        if self._conversation.mode == "incognito":
            note(INCOGNITO, YELLOW)
        else:
            note("Back to normal: a fresh conversation.", YELLOW)

    def _new(self, _: str) -> None:
        self._conversation.restart()
        self._last = None
        note("A fresh conversation.")


def receipt_in_words(cloud: str) -> str:
    """Say what became of a deleted memory at the cloud."""
    return {
        "deleted": "deleted here and at the cloud",
        "queued": "deleted here; the cloud's copy is deleted as soon as it can be reached",
        "never_sent": "deleted here; it had never left this computer",
    }[cloud]
