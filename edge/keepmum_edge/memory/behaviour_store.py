"""What sessions showed of the owner's choices: names of a public list and ids, never a word. SQL only.

A session is one conversation on one day of the owner's clock; what it shows several times counts once. Counts are not
stored: they are made of these rows each time, so that a turn that goes leaves nothing of itself in them.

Never opens, commits or closes.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from keepmum_shared.ids import ConversationId, TurnId

from keepmum_edge.database import Database

KEPT_SESSIONS: Final = 40
"""Of one trait in one scope; what an older one would count, with γ = 19/20, is less than a seventh of a session."""

Tracked = tuple[str, str]
"""A scope and the id of a trait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Where and when a message showed something; `day` counts from 1970 on the owner's clock."""

    scope: str
    conversation: ConversationId
    day: int
    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What one session showed of a trait: for each option the turn that showed it first."""

    shown: dict[str, TurnId]


class BehaviourStore:
    """The sessions of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def note(self, seen: Seen, trait: str, option: str, *, alone: bool) -> None:
        """Note that a session showed an option; `alone`: it takes the place of what that session showed before."""
        of_session = (seen.scope, trait, seen.conversation, seen.day)
        if alone:
            others = "scope = ? AND trait = ? AND conversation = ? AND day = ? AND option <> ?"
            self._db.execute(f"DELETE FROM behaviour WHERE {others}", *of_session, option)  # noqa: S608
        statement = (
            "INSERT INTO behaviour (scope, trait, conversation, day, option, turn) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING"
        )
        if self._db.execute(statement, *of_session, option, seen.turn):
            self._let_go_of_old(seen.scope, trait)

    def sessions(self, scope: str, trait: str) -> tuple[Session, ...]:
        """Return the sessions that showed any option of a trait, oldest first."""
        query = "SELECT conversation, day, option, turn FROM behaviour WHERE scope = ? AND trait = ? ORDER BY row"
        found: dict[tuple[str, int], dict[str, TurnId]] = {}
        for conversation, day, option, turn in self._db.rows(query, scope, trait):
            found.setdefault((conversation, day), {})[option] = TurnId(turn)
        return tuple(Session(shown=shown) for shown in found.values())

    def restart(self, scope: str, trait: str, option: str | None = None) -> None:
        """Begin again with a trait, or with one option of it, as if nothing had been seen."""
        only, values = ("", ()) if option is None else (" AND option = ?", (option,))
        self._db.execute(f"DELETE FROM behaviour WHERE scope = ? AND trait = ?{only}", scope, trait, *values)  # noqa: S608

    def forget(
        self, turns: Iterable[TurnId], conversations: Iterable[ConversationId], *, everything: bool
    ) -> tuple[int, frozenset[Tracked]]:
        """Delete what turns and conversations showed; return how many rows went, and which counts they were part of."""
        condition = "? OR turn IN (SELECT value FROM json_each(?)) OR conversation IN (SELECT value FROM json_each(?))"
        values = (int(everything), json.dumps(sorted(turns)), json.dumps(sorted(conversations)))
        rows = self._db.rows(f"SELECT DISTINCT scope, trait FROM behaviour WHERE {condition}", *values)  # noqa: S608
        gone = self._db.execute(f"DELETE FROM behaviour WHERE {condition}", *values)  # noqa: S608
        return gone, frozenset((str(scope), str(trait)) for scope, trait in rows)

    def _let_go_of_old(self, scope: str, trait: str) -> None:
        """Keep the newest sessions only."""
        old = (
            "SELECT conversation, day FROM behaviour WHERE scope = ?1 AND trait = ?2"
            " GROUP BY conversation, day ORDER BY min(row) DESC LIMIT -1 OFFSET ?3"
        )
        statement = f"DELETE FROM behaviour WHERE scope = ?1 AND trait = ?2 AND (conversation, day) IN ({old})"  # noqa: S608
        self._db.execute(statement, scope, trait, KEPT_SESSIONS)
