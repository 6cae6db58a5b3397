"""What each placeholder means in one conversation, and which number a value gets (design sections 4 and 5).

One number space, two ranges. The owner's own words below PL4 take profile numbers (1..100000), the same in every
conversation. Everything else takes conversation numbers: text of others, since a profile number would tell its author
what the vault holds, and PL4, which is volatile: held here in memory, never stored. Conversation numbers start at
100001, or at 1 where there is no profile range (incognito, `placeholder_scope = "conversation"`).

Within a conversation a token means one thing. Bindings are kept by (type, surface, origin, whether it stood as a bare
JSON number): two surfaces of one value get two numbers, the further ones being aliases known on the edge only.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from keepmum_shared.placeholder import FIRST_CONVERSATION_NUMBER, LAST_PROFILE_NUMBER, MAX_NUMBER, Placeholder
from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.errors import VaultUnavailableError
from keepmum_edge.vault.binding import Binding, Origin
from keepmum_edge.vault.canonical import canonical

_Key = tuple[EntityType, str, Origin, bool]


class ProfileNumbers(Protocol):
    """The numbers of one profile, durable with the caller's transaction."""

    def numbers(self, entity_type: EntityType, canonical: str) -> tuple[int, ...]:
        """Return the numbers of a value: its own first, then those of its aliases."""
        ...

    def allot(self, entity_type: EntityType, canonical: str, surface: str) -> int:
        """Give the value one more number: the next of its type that was never given.

        Raises:
            VaultUnavailableError: the type's profile numbers are used up.
        """
        ...


class MemoryProfileNumbers:
    """Profile numbers that live as long as this object."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[EntityType, str], tuple[int, ...]] = {}
        self._last: dict[EntityType, int] = {}

    def numbers(self, entity_type: EntityType, canonical: str) -> tuple[int, ...]:
        """Return the numbers of a value."""
        return self._numbers.get((entity_type, canonical), ())

    def allot(self, entity_type: EntityType, canonical: str, surface: str) -> int:
        """Give the value one more number."""
        del surface
        number = self._last.get(entity_type, 0) + 1
        if number > LAST_PROFILE_NUMBER:
            raise numbers_used_up(entity_type)
        self._last[entity_type] = number
        self._numbers[entity_type, canonical] = (*self.numbers(entity_type, canonical), number)
        return number


class PeekProfileNumbers:
    """What would be allotted, without allotting: for showing a text before its owner agrees to send it."""

    def __init__(self, base: ProfileNumbers, next_number: "NextNumber") -> None:
        self._base = base
        self._next = next_number
        self._extra: dict[tuple[EntityType, str], tuple[int, ...]] = {}
        self._given: dict[EntityType, int] = {}

    def numbers(self, entity_type: EntityType, canonical: str) -> tuple[int, ...]:
        """Return the numbers that the value has or would have by now."""
        extra = self._extra.get((entity_type, canonical), ())
        return (*self._base.numbers(entity_type, canonical), *extra)

    def allot(self, entity_type: EntityType, canonical: str, surface: str) -> int:
        """Return the number that would be given."""
        del surface
        given = self._given.get(entity_type, 0)
        number = self._next(entity_type) + given
        if number > LAST_PROFILE_NUMBER:
            raise numbers_used_up(entity_type)
        self._given[entity_type] = given + 1
        self._extra[entity_type, canonical] = (*self._extra.get((entity_type, canonical), ()), number)
        return number


class NextNumber(Protocol):
    """Says which profile number of a type comes next."""

    def __call__(self, entity_type: EntityType, /) -> int:
        """Return the number."""
        ...


def numbers_used_up(entity_type: EntityType) -> VaultUnavailableError:
    """Return the error for a type whose numbers are all given."""
    return VaultUnavailableError(
        f"all {LAST_PROFILE_NUMBER} numbers of type {entity_type} are used",
        'Set placeholder_scope = "conversation", or start a new profile.',
    )


class ConversationVault:
    """The bindings of one conversation.

    A turn binds on a `copy()`, stores `unsaved()` in its transaction, and after COMMIT calls `mark_saved()` and
    replaces the original; so a turn that fails changes nothing.

    Args:
        profile_scope: Whether the owner's words take profile numbers.
        volatile_all: Whether nothing may be stored (incognito).
        bindings: What is stored already, in the order in which it was bound.
        next_numbers: Per type the next conversation number; a number that was ever given is never given again.
    """

    def __init__(
        self,
        *,
        profile_scope: bool,
        volatile_all: bool,
        bindings: Iterable[Binding] = (),
        next_numbers: Mapping[EntityType, int] | None = None,
    ) -> None:
        self._profile_scope = profile_scope
        self._volatile_all = volatile_all
        self._by_token: dict[Placeholder, Binding] = {}
        self._by_value: dict[_Key, Placeholder] = {}
        self._secrets: dict[Placeholder, Binding] = {}
        self._aliases: dict[tuple[EntityType, str], int] = {}
        self._next = dict(next_numbers or {})
        self._unsaved: list[Binding] = []
        for binding in bindings:
            self._add(binding)

    def bind(
        self,
        entity_type: EntityType,
        level: Level | None,
        surface: str,
        *,
        origin: Origin,
        profile: ProfileNumbers,
        json_number: bool = False,
        wire_type: EntityType | None = None,
    ) -> Placeholder:
        """Return the placeholder of a surface, bound now if it is new.

        Args:
            level: Effective level; None for LITERAL.
            wire_type: The type that is sent where it is coarser than `entity_type`.

        Raises:
            VaultUnavailableError: numbers are used up.
        """
        sent_type = wire_type or entity_type
        bound = self._by_value.get((sent_type, surface, origin, json_number))
        volatile = self._volatile_all or level is Level.PL4
        if bound is not None and self._by_token[bound].volatile is volatile:
            return bound  # else the owner changed the type's level since
        value = canonical(entity_type, surface)
        if sent_type is not entity_type:
            value = f"{entity_type}:{value}"
        if self._profile_scope and origin is Origin.OWNER and level is not Level.PL4:
            placeholder = self._profile_placeholder(sent_type, value, surface, profile)
        else:
            placeholder = self._conversation_placeholder(sent_type)
        binding = Binding(
            placeholder=placeholder,
            surface=surface,
            canonical=value,
            origin=origin,
            level=level,
            volatile=volatile,
            json_number=json_number,
        )
        self._add(binding)
        if not binding.volatile:
            self._unsaved.append(binding)
        return placeholder

    def get(self, placeholder: Placeholder) -> Binding | None:
        """Return what the placeholder means here, or None."""
        return self._by_token.get(placeholder)

    def bindings(self) -> Iterable[Binding]:
        """Return all bindings, oldest first."""
        return self._by_token.values()

    def secrets(self) -> Iterable[Binding]:
        """Return the bindings of PL4, oldest first."""
        return self._secrets.values()

    def unsaved(self) -> tuple[Binding, ...]:
        """Return the durable bindings made since the last `mark_saved`."""
        return tuple(self._unsaved)

    def mark_saved(self) -> None:
        """Note that `unsaved()` is stored."""
        self._unsaved.clear()

    def mark_unsaved(self) -> None:
        """Let `unsaved()` give every durable binding: they are to be stored somewhere else."""
        self._unsaved = [binding for binding in self._by_token.values() if not binding.volatile]

    @property
    def next_numbers(self) -> Mapping[EntityType, int]:
        """Per type the next conversation number; stored too, so that a lost volatile number is never reused."""
        return self._next

    def forget(self, placeholder: Placeholder) -> None:
        """Drop a binding; its number is not given again."""
        binding = self._by_token.pop(placeholder, None)
        self._secrets.pop(placeholder, None)
        if binding is not None:
            if self._by_value.get(_key(binding)) == placeholder:
                del self._by_value[_key(binding)]
            self._unsaved = [other for other in self._unsaved if other.placeholder != placeholder]

    def copy(self) -> "ConversationVault":
        """Return an independent copy."""
        twin = ConversationVault(profile_scope=self._profile_scope, volatile_all=self._volatile_all)
        twin._by_token = dict(self._by_token)
        twin._by_value = dict(self._by_value)
        twin._secrets = dict(self._secrets)
        twin._aliases = dict(self._aliases)
        twin._next = dict(self._next)
        twin._unsaved = list(self._unsaved)
        return twin

    def fork(self) -> "ConversationVault":
        """Return a copy for another conversation, in which nothing is saved yet."""
        twin = self.copy()
        twin.mark_unsaved()
        return twin

    def _profile_placeholder(
        self, sent_type: EntityType, value: str, surface: str, profile: ProfileNumbers
    ) -> Placeholder:
        """The k-th surface of a value in this conversation takes the value's k-th number."""
        rank = self._aliases.get((sent_type, value), 0)
        numbers = profile.numbers(sent_type, value)
        while rank < len(numbers):
            placeholder = Placeholder(sent_type, numbers[rank])
            if placeholder not in self._by_token:
                return placeholder
            rank += 1
        return Placeholder(sent_type, profile.allot(sent_type, value, surface))

    def _conversation_placeholder(self, sent_type: EntityType) -> Placeholder:
        number = self._next.get(sent_type, FIRST_CONVERSATION_NUMBER if self._profile_scope else 1)
        if number > MAX_NUMBER:
            raise VaultUnavailableError(
                f"all numbers of type {sent_type} in this conversation are used", "Start a new conversation."
            )
        self._next[sent_type] = number + 1
        return Placeholder(sent_type, number)

    def _add(self, binding: Binding) -> None:
        self._by_token[binding.placeholder] = binding
        self._by_value[_key(binding)] = binding.placeholder
        if binding.level is Level.PL4:
            self._secrets[binding.placeholder] = binding
        if self._profile_scope and binding.placeholder.is_profile:
            value = (binding.placeholder.entity_type, binding.canonical)
            self._aliases[value] = self._aliases.get(value, 0) + 1


def _key(binding: Binding) -> _Key:
    return binding.placeholder.entity_type, binding.surface, binding.origin, binding.json_number
