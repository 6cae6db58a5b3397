"""Placeholder rows: the profile's numbered values, and what placeholders mean in each conversation. SQL only.

Never opens, commits or closes: the caller owns the transaction, and has committed it before anything leaves. What is
volatile (PL4, incognito) is refused here, whatever the caller thought.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from keepmum_shared.ids import ConversationId
from keepmum_shared.placeholder import LAST_PROFILE_NUMBER, Placeholder
from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.database import Database
from keepmum_edge.errors import VaultUnavailableError
from keepmum_edge.spans.profile_values import ProfileValue
from keepmum_edge.vault.binding import Binding, Origin, found_type

_USED_UP: Final = f"all {LAST_PROFILE_NUMBER} numbers of a type are used up"
_NEXT_STEP: Final = 'Set placeholder_scope = "conversation", or start a new profile.'


class VolatileBindingError(ValueError):
    """A binding that may live in memory only was handed to the store. A fault in our code; holds no value."""


class VaultStore:
    """The durable part of the vault of one profile.

    Args:
        db: Its database.
        clock: Unix seconds; for `created_at` only.
    """

    def __init__(self, db: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._db = db
        self._clock = clock

    def numbers(self, entity_type: EntityType, canonical: str) -> tuple[int, ...]:
        """Return the profile numbers of a value, in the order in which its surfaces got them; empty if it has none."""
        query = "SELECT number FROM vault_value WHERE type = ? AND canonical = ? ORDER BY rank"
        return tuple(int(row[0]) for row in self._db.rows(query, entity_type, canonical))

    def allot(self, entity_type: EntityType, canonical: str, surface: str) -> int:
        """Give a value its next profile number, and return it. A number is never given twice, not even a forgotten one.

        Raises:
            VaultUnavailableError: the type has used up its numbers.
        """
        number = self.next_number(entity_type)
        if number > LAST_PROFILE_NUMBER:
            raise VaultUnavailableError(_USED_UP, _NEXT_STEP)
        self._db.execute(
            "INSERT INTO vault_last (type, number) VALUES (?, ?)"
            " ON CONFLICT (type) DO UPDATE SET number = excluded.number",
            *(entity_type, number),
        )
        self._db.execute(
            "INSERT INTO vault_value (type, number, canonical, rank, surface, created_at) VALUES (?, ?, ?,"
            " (SELECT coalesce(max(rank) + 1, 0) FROM vault_value WHERE type = ? AND canonical = ?), ?, ?)",
            *(entity_type, number, canonical, entity_type, canonical, surface, int(self._clock())),
        )
        return number

    def next_number(self, entity_type: EntityType) -> int:
        """Return the profile number that the type would get next; it may be past the last one."""
        last = self._db.value("SELECT number FROM vault_last WHERE type = ?", entity_type)
        return 1 if last is None else int(last) + 1

    def profile_surface(self, placeholder: Placeholder) -> str | None:
        """Return the surface that got the profile number, or None if it was never allotted or is forgotten."""
        query = "SELECT surface FROM vault_value WHERE type = ? AND number = ?"
        surface = self._db.value(query, placeholder.entity_type, placeholder.number)
        return None if surface is None else str(surface)

    def load(self, conversation: ConversationId) -> tuple[tuple[Binding, ...], dict[EntityType, int]]:
        """Return the conversation's durable bindings, by type and number, and its next conversation number per type."""
        bindings = self._db.rows(
            "SELECT type, number, surface, canonical, origin, level, json_number FROM vault_binding"
            " WHERE conversation = ? ORDER BY type, number",
            conversation,
        )
        numbers = self._db.rows("SELECT type, number FROM vault_next WHERE conversation = ?", conversation)
        return tuple(_binding(*row) for row in bindings), {EntityType(kind): int(number) for kind, number in numbers}

    def save(
        self, conversation: ConversationId, bindings: Iterable[Binding], next_numbers: Mapping[EntityType, int]
    ) -> None:
        """Store bindings that the conversation got, beside those it has. A next number never goes back.

        Raises:
            VolatileBindingError: one of them is volatile; none was stored.
            VaultUnavailableError: a placeholder has another value in this conversation; roll back.
        """
        rows = [_row(conversation, binding) for binding in bindings]
        kept = self._db.execute_each(
            "INSERT INTO vault_binding VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (conversation, type, number) DO UPDATE SET origin = origin WHERE surface = excluded.surface",
            rows,
        )
        if kept != len(rows):
            raise VaultUnavailableError("a placeholder would mean two things", "Report this as a fault of Keepmum.")
        self._db.execute_each(
            "INSERT INTO vault_next VALUES (?, ?, ?)"
            " ON CONFLICT (conversation, type) DO UPDATE SET number = max(number, excluded.number)",
            [(conversation, entity_type, number) for entity_type, number in next_numbers.items()],
        )

    def values(self) -> Iterator[tuple[Placeholder, str]]:
        """Yield every profile placeholder with the surface that got its number."""
        for kind, number, surface in self._db.rows("SELECT type, number, surface FROM vault_value"):
            yield Placeholder(EntityType(kind), number), str(surface)

    def last_numbers(self) -> dict[EntityType, int]:
        """Return the last profile number that was given, per type."""
        rows = self._db.rows("SELECT type, number FROM vault_last")
        return {EntityType(kind): int(number) for kind, number in rows}

    def values_after(self, sent_type: EntityType, number: int) -> Iterator[ProfileValue]:
        """Yield the values of a type whose profile numbers are past one, with the types they were found under."""
        query = "SELECT number, canonical, surface FROM vault_value WHERE type = ? AND number > ?"
        for its, canonical, surface in self._db.rows(query, sent_type, number):
            placeholder = Placeholder(sent_type, its)
            yield ProfileValue(placeholder=placeholder, entity_type=found_type(placeholder, canonical), surface=surface)

    def bound(self) -> Iterator[tuple[ConversationId, Placeholder, str]]:
        """Yield what every placeholder means in every conversation."""
        for conversation, kind, number, surface in self._db.rows(
            "SELECT conversation, type, number, surface FROM vault_binding"
        ):
            yield ConversationId(conversation), Placeholder(EntityType(kind), number), str(surface)

    def is_bound(self, placeholder: Placeholder) -> bool:
        """Say whether the value of a profile placeholder is bound in any conversation, under any of its numbers."""
        query = (
            "SELECT 1 FROM vault_binding JOIN vault_value AS held USING (type, canonical)"
            " WHERE held.type = ? AND held.number = ? AND vault_binding.number <= ? LIMIT 1"
        )
        return self._db.value(query, placeholder.entity_type, placeholder.number, LAST_PROFILE_NUMBER) is not None

    def forget_binding(self, conversation: ConversationId, placeholder: Placeholder) -> bool:
        """Delete what a placeholder means in one conversation; return whether it meant something."""
        statement = "DELETE FROM vault_binding WHERE conversation = ? AND type = ? AND number = ?"
        return self._db.execute(statement, conversation, placeholder.entity_type, placeholder.number) > 0

    def forget_all(self) -> int:
        """Delete every value and binding; return how many values. No number that was given is given again."""
        for table in ("vault_binding", "vault_next"):
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608
        return self._db.execute("DELETE FROM vault_value")

    def forget_conversation(self, conversation: ConversationId) -> int:
        """Delete what placeholders mean in the conversation; return how many. Profile values stay."""
        self._db.execute("DELETE FROM vault_next WHERE conversation = ?", conversation)
        return self._db.execute("DELETE FROM vault_binding WHERE conversation = ?", conversation)

    def forget_value(self, placeholder: Placeholder) -> tuple[Placeholder, ...]:
        """Delete the value of a profile placeholder everywhere, under all its numbers; return those profile numbers.

        Returns:
            Empty if the placeholder has no value (any more).
        """
        kind = placeholder.entity_type
        query = "SELECT canonical FROM vault_value WHERE type = ? AND number = ?"
        canonical = self._db.value(query, kind, placeholder.number)
        if canonical is None:
            return ()
        forgotten = self.numbers(kind, canonical)
        for table in ("vault_value", "vault_binding"):
            self._db.execute(f"DELETE FROM {table} WHERE type = ? AND canonical = ?", kind, canonical)  # noqa: S608
        return tuple(Placeholder(kind, number) for number in forgotten)


def _row(conversation: ConversationId, binding: Binding) -> tuple[object, ...]:
    if binding.volatile or binding.level is Level.PL4:
        raise VolatileBindingError(f"{binding.placeholder} may not be stored")
    kind, number, level = binding.placeholder.entity_type, binding.placeholder.number, binding.level
    values = (binding.surface, binding.canonical, str(binding.origin), None if level is None else int(level))
    return (conversation, str(kind), number, *values, int(binding.json_number))


def _binding(
    kind: str, number: int, surface: str, canonical: str, origin: str, level: int | None, json_number: int
) -> Binding:
    return Binding(
        placeholder=Placeholder(EntityType(kind), number),
        surface=surface,
        canonical=canonical,
        origin=Origin(origin),
        level=None if level is None else Level(level),
        volatile=False,
        json_number=bool(json_number),
    )
