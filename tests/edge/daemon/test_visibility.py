import pytest
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.errors import UnrestorableArgumentsError
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers
from keepmum_edge.vault.restore import Restorable, Withheld, restore
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level

NAME, PASSWORD, LITERAL = EntityType.NAME, EntityType.PASSWORD, EntityType.LITERAL


class World:
    """One value of each kind in one vault, all carried unless said otherwise."""

    def __init__(self, *, carried: bool = True, show_secrets: bool = True) -> None:
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        numbers = MemoryProfileNumbers()

        def bind(entity_type: EntityType, level: Level | None, surface: str, origin: Origin) -> Placeholder:
            return vault.bind(entity_type, level, surface, origin=origin, profile=numbers)

        self.own = bind(NAME, Level.PL2, "Ada", Origin.OWNER)
        self.page = bind(NAME, Level.PL2, "Ada", Origin.FOREIGN)
        self.system = bind(NAME, Level.PL2, "Root", Origin.SYSTEM)
        self.secret = bind(PASSWORD, Level.PL4, "kite", Origin.OWNER)
        self.literal = bind(LITERAL, None, "<NAME_7>", Origin.FOREIGN)
        self.system_literal = bind(LITERAL, None, "{NAME_7}", Origin.SYSTEM)
        self.memory = Placeholder(NAME, 77)
        everything = frozenset(binding.placeholder for binding in vault.bindings())
        self.rights = Visibility(
            vault=vault,
            carried=everything if carried else frozenset(),
            memories={self.memory: "Cy"},
            show_secrets=show_secrets,
        )

    def says(self, *placeholders: Placeholder) -> str:
        return restore(" ".join(map(str, placeholders)), self.rights.in_text).text

    def calls(self, placeholder: Placeholder) -> str:
        return restore(f'{{"a":"{placeholder}"}}', self.rights.in_arguments, kind="tool_arguments").text


def test_in_the_answer_all_that_was_carried_is_restored_but_system_values() -> None:
    world = World()
    assert world.says(world.own, world.page, world.secret, world.memory) == "Ada Ada kite Cy"
    assert world.says(world.literal, world.system_literal) == "<NAME_7> {NAME_7}"
    assert world.says(world.system) == str(world.system)


def test_what_was_not_carried_stays_though_the_vault_knows_it() -> None:
    world = World(carried=False)
    for token in (world.own, world.page, world.secret, world.literal):
        assert world.says(token) == str(token)
        assert world.rights.in_text(token) is None
        assert world.calls(token) == f'{{"a":"{token}"}}'
    assert world.says(world.memory) == "Cy"


def test_in_a_trace_a_secret_stays_a_token() -> None:
    world = World(show_secrets=False)
    assert world.says(world.own, world.secret) == f"Ada {world.secret}"
    assert isinstance(world.rights.in_own_text(world.secret), Withheld)
    assert world.rights.in_own_text(world.system) == Restorable("Root")
    assert world.rights.in_own_text(world.memory) is None


def test_in_tool_arguments_only_the_owners_words_and_literals_are_restored() -> None:
    world = World()
    assert world.calls(world.own) == '{"a":"Ada"}'
    assert world.calls(world.literal) == '{"a":"<NAME_7>"}'


@pytest.mark.parametrize("which", ["page", "system", "secret", "memory"])
def test_a_tool_call_with_any_other_value_is_withheld(which: str) -> None:
    world = World()
    with pytest.raises(UnrestorableArgumentsError) as caught:
        world.calls(getattr(world, which))
    assert not any(value in str(caught.value) for value in ("Ada", "Root", "kite", "Cy"))


def test_a_carried_token_is_never_read_as_a_memorys() -> None:
    world = World()
    world.rights.memories = {world.own: "someone else", world.system: "leak"}
    assert world.says(world.own, world.system) == f"Ada {world.system}"
