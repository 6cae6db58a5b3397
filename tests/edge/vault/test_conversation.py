import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.errors import VaultUnavailableError
from keepmum_edge.vault.binding import Binding, Origin
from keepmum_edge.vault.canonical import canonical
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers, PeekProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings
from keepmum_edge.vault.restore import restore
from keepmum_shared.placeholder import FIRST_CONVERSATION_NUMBER, LAST_PROFILE_NUMBER, MAX_NUMBER, Placeholder
from keepmum_shared.taxonomy import EntityType, Level, default_level
from private_texts import TYPES, Desk, spans_of

NAME, EMAIL, PASSWORD = EntityType.NAME, EntityType.EMAIL, EntityType.PASSWORD
PEOPLE = [
    ("Ada Fenwick", NAME),
    ("Ben Orlow", NAME),
    ("Ada", NAME),
    ("Chris Bell", NAME),
    ("Chris Dorn", NAME),
    ("Chris", NAME),
]


def say(desk: Desk, text: str, origin: Origin = Origin.OWNER) -> str:
    return desk.mask(text, spans_of(text, PEOPLE), origin).text


def test_a_value_has_one_number_in_all_turns_and_conversations() -> None:
    one = Desk()
    assert say(one, "I am Ada Fenwick") == "I am <NAME_1>"
    assert say(one, "Ada Fenwick again, with Ben Orlow") == "<NAME_1> again, with <NAME_2>"
    two = Desk(profile=one.profile)
    assert say(two, "Ben Orlow") == "<NAME_2>"


def test_conversation_scope_starts_afresh_everywhere() -> None:
    one = Desk(profile_scope=False)
    two = Desk(profile_scope=False, profile=one.profile)
    assert say(one, "Ada Fenwick") == "<NAME_1>"
    assert say(two, "first Ben Orlow, then Ada Fenwick") == "first <NAME_1>, then <NAME_2>"


def test_people_who_share_a_first_name_stay_apart() -> None:
    desk = Desk()
    masked = say(desk, "Chris Bell met Chris Dorn. Chris left.")
    assert masked == "<NAME_1> met <NAME_2>. <NAME_3> left."
    assert restore(masked, desk.lookup).text == "Chris Bell met Chris Dorn. Chris left."


def test_two_spellings_of_one_value_are_aliases_that_each_come_back_as_typed() -> None:
    desk = Desk()
    text = "Ada.Fake@Example.ORG, ada.fake@example.org and ａｄａ．ｆａｋｅ＠ｅｘａｍｐｌｅ．ｏｒｇ"
    spellings = [(text.split(", ")[0], EMAIL), ("ada.fake@example.org", EMAIL), (text.split(" and ")[1], EMAIL)]
    masked = desk.mask(text, spans_of(text, spellings))
    assert masked.text == "<EMAIL_1>, <EMAIL_2> and <EMAIL_3>"
    assert restore(masked.text, desk.lookup).text == text
    assert len({binding.canonical for binding in desk.vault.bindings()}) == 1
    later = Desk(profile=desk.profile)
    assert later.mask("ada.fake@example.org", spans_of("ada.fake@example.org", spellings)).text == "<EMAIL_1>"
    again = desk.mask("ada.fake@example.org", spans_of("ada.fake@example.org", spellings))
    assert again.text == "<EMAIL_2>"


def test_one_surface_as_two_types_is_two_values() -> None:
    desk = Desk()
    desk.vault.bind(NAME, Level.PL2, "Jordan", origin=Origin.OWNER, profile=desk.profile)
    other = desk.vault.bind(EntityType.ADDRESS, Level.PL2, "Jordan", origin=Origin.OWNER, profile=desk.profile)
    assert str(other) == "<ADDRESS_1>"


@given(st.sampled_from(TYPES), st.sampled_from([Origin.FOREIGN, Origin.SYSTEM]), st.booleans())
def test_text_of_others_never_gets_a_profile_number_even_for_a_known_value(
    entity_type: EntityType, origin: Origin, known: bool
) -> None:
    desk = Desk()
    level = default_level(entity_type)
    own = desk.vault.bind(entity_type, level, "value", origin=Origin.OWNER, profile=desk.profile) if known else None
    before = {t: desk.profile.numbers(t, "value") for t in TYPES}
    other = desk.vault.bind(entity_type, level, "value", origin=origin, profile=desk.profile)
    assert not other.is_profile
    assert other != own
    assert before == {t: desk.profile.numbers(t, "value") for t in TYPES}


def test_pl4_is_volatile_and_takes_conversation_numbers_whoever_wrote_it() -> None:
    desk = Desk()
    for origin in Origin:
        secret = desk.vault.bind(PASSWORD, Level.PL4, "x", origin=origin, profile=desk.profile)
        assert secret.number >= FIRST_CONVERSATION_NUMBER
        binding = desk.vault.get(secret)
        assert binding is not None
        assert binding.volatile
    raised = desk.vault.bind(NAME, Level.PL4, "Ada", origin=Origin.OWNER, profile=desk.profile)
    assert not raised.is_profile
    assert desk.vault.unsaved() == ()
    assert desk.profile.numbers(NAME, "ada") == ()


def test_a_type_that_is_raised_to_pl4_is_volatile_from_then_on_and_one_lowered_is_stored() -> None:
    desk = Desk()

    def bind(level: Level) -> str:
        return str(desk.vault.bind(NAME, level, "Ada", origin=Origin.OWNER, profile=desk.profile))

    assert [bind(Level.PL4), bind(Level.PL2), bind(Level.PL3), bind(Level.PL4)] == [
        "<NAME_100001>",
        "<NAME_1>",
        "<NAME_1>",
        "<NAME_100002>",
    ]
    assert [str(binding.placeholder) for binding in desk.vault.unsaved()] == ["<NAME_1>"]
    desk.vault.forget(Placeholder(NAME, 1))
    assert bind(Level.PL4) == "<NAME_100002>"


def test_incognito_numbers_afresh_stores_nothing_and_allots_no_profile_number() -> None:
    normal = Desk()
    say(normal, "Ben Orlow")
    desk = Desk(profile_scope=False, incognito=True, profile=normal.profile)
    assert say(desk, "I am Ada Fenwick") == "I am <NAME_1>"
    assert desk.vault.unsaved() == ()
    assert all(binding.volatile for binding in desk.vault.bindings())
    assert normal.profile.numbers(NAME, "ada fenwick") == ()


def test_coarse_sends_every_pl3_type_as_detail_and_keeps_values_of_different_types_apart() -> None:
    desk = Desk(settings=MaskSettings(coarse=True))
    text = "flu flu Bern Ada k"
    values = [("flu", EntityType.HEALTH), ("Bern", EntityType.LOCATION_TRACE), ("Ada", NAME), ("k", PASSWORD)]
    masked = desk.mask(text, spans_of(text, values))
    assert masked.text == "<DETAIL_1> <DETAIL_1> <DETAIL_2> <NAME_1> <PASSWORD_100001>"
    assert restore(masked.text, desk.lookup).text == text


@pytest.mark.parametrize("coarse", [False, True])
def test_in_coarse_mode_one_surface_of_two_types_is_restored_all_the_same(coarse: bool) -> None:
    desk = Desk(settings=MaskSettings(coarse=coarse))
    one = desk.mask("Bern", spans_of("Bern", [("Bern", EntityType.HEALTH)]))
    two = desk.mask("Bern", spans_of("Bern", [("Bern", EntityType.RELIGION)]))
    assert restore(one.text + two.text, desk.lookup).text == "BernBern"


def test_the_threshold_and_the_users_own_levels() -> None:
    text = "Ada flu k"
    values = spans_of(text, [("Ada", NAME), ("flu", EntityType.HEALTH), ("k", PASSWORD)])
    assert (
        Desk(settings=MaskSettings(mask_from=Level.PL3)).mask(text, values).text == "Ada <HEALTH_1> <PASSWORD_100001>"
    )
    assert Desk(settings=MaskSettings(mask_from=Level.PL4)).mask(text, values).text == "Ada flu <PASSWORD_100001>"
    lowered = MaskSettings(levels={NAME: Level.PL1, EntityType.HEALTH: Level.PL4})
    assert Desk(settings=lowered).mask(text, values).text == "Ada <HEALTH_100001> <PASSWORD_100001>"


operations = st.lists(
    st.tuples(
        st.sampled_from(["bind", "bind", "bind", "forget", "reload", "copy"]),
        st.sampled_from([NAME, EMAIL, PASSWORD, EntityType.LITERAL]),
        st.sampled_from(["a", "A", "b", "ａ", "c"]),
        st.sampled_from(Origin),
    ),
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(operations, st.booleans())
def test_no_number_is_ever_given_again(steps: list[tuple[str, EntityType, str, Origin]], profile_scope: bool) -> None:
    profile = MemoryProfileNumbers()
    vault = ConversationVault(profile_scope=profile_scope, volatile_all=False)
    meaning: dict[Placeholder, str] = {}
    for step, entity_type, surface, origin in steps:
        if step == "bind":
            level = None if entity_type is EntityType.LITERAL else default_level(entity_type)
            got = vault.bind(entity_type, level, surface, origin=origin, profile=profile)
            value = canonical(entity_type, surface)  # forgotten here, a value keeps its number in the profile
            assert meaning.setdefault(got, value) == value
            assert restored(vault, got) == surface
        elif step == "forget":
            for placeholder in [b.placeholder for b in vault.bindings() if b.surface == surface]:
                vault.forget(placeholder)
                assert vault.get(placeholder) is None
                assert all(b.placeholder != placeholder for b in vault.unsaved())
        elif step == "copy":
            vault = vault.copy()
        else:  # a restart: volatile values are lost, numbers go on
            stored = [binding for binding in vault.bindings() if not binding.volatile]
            vault = ConversationVault(
                profile_scope=profile_scope, volatile_all=False, bindings=stored, next_numbers=vault.next_numbers
            )
            assert list(vault.bindings()) == stored


def restored(vault: ConversationVault, placeholder: Placeholder) -> str:
    binding = vault.get(placeholder)
    assert binding is not None
    return binding.surface


def test_a_copy_changes_nothing_until_it_is_put_in_place() -> None:
    desk = Desk()
    say(desk, "Ada Fenwick")
    twin = desk.vault.copy()
    twin.bind(NAME, Level.PL2, "Ben", origin=Origin.FOREIGN, profile=desk.profile)
    twin.mark_saved()
    assert len(list(desk.vault.bindings())) == 1
    assert len(desk.vault.unsaved()) == 1
    assert desk.vault.next_numbers == {}


def test_unsaved_holds_what_was_bound_since_the_last_save() -> None:
    desk = Desk()
    say(desk, "Ada Fenwick")
    assert [b.surface for b in desk.vault.unsaved()] == ["Ada Fenwick"]
    desk.vault.mark_saved()
    say(desk, "Ada Fenwick and Ben Orlow <NAME_1>")
    assert [b.surface for b in desk.vault.unsaved()] == ["Ben Orlow", "<NAME_1>"]


def test_a_peek_gives_the_numbers_that_would_come_and_allots_none() -> None:
    profile = MemoryProfileNumbers()
    profile.allot(NAME, "ada fenwick", "Ada Fenwick")
    peek = Desk(profile=PeekProfileNumbers(profile, lambda _: 2))
    assert say(peek, "Ben Orlow, Ada Fenwick, Chris Bell, Ben Orlow") == "<NAME_2>, <NAME_1>, <NAME_3>, <NAME_2>"
    assert profile.numbers(NAME, "ben orlow") == ()
    assert say(Desk(profile=profile), "Chris Bell") == "<NAME_2>"


def test_used_up_numbers_are_an_error_in_words_not_a_second_use() -> None:
    profile = MemoryProfileNumbers()
    profile._last[NAME] = LAST_PROFILE_NUMBER - 1
    vault = ConversationVault(profile_scope=True, volatile_all=False, next_numbers={NAME: MAX_NUMBER})
    assert vault.bind(NAME, Level.PL2, "a", origin=Origin.OWNER, profile=profile).number == LAST_PROFILE_NUMBER
    with pytest.raises(VaultUnavailableError, match="NAME are used"):
        vault.bind(NAME, Level.PL2, "b", origin=Origin.OWNER, profile=profile)
    assert vault.bind(NAME, Level.PL2, "a", origin=Origin.FOREIGN, profile=profile).number == MAX_NUMBER
    with pytest.raises(VaultUnavailableError, match="new conversation"):
        vault.bind(NAME, Level.PL2, "b", origin=Origin.FOREIGN, profile=profile)


def test_a_binding_shows_no_private_text() -> None:
    binding = Binding(
        placeholder=Placeholder(NAME, 1),
        surface="Canary",
        canonical="canary",
        origin=Origin.OWNER,
        level=None,
        volatile=False,
    )
    assert "anary" not in repr(binding) + str(dataclasses.replace(binding, volatile=True))


@pytest.mark.parametrize(
    ("entity_type", "one", "other", "same"),
    [
        (EMAIL, "Ada@Example.ORG", "Ada@example.org", True),
        (EMAIL, "ａ＠ｂ．example", "a@b.example", True),
        (EntityType.PHONE, "+49 (30) 123-4567", "+49301234567", True),
        (EntityType.PHONE, "030 1234567", "0301234567", True),
        (EntityType.PHONE, "一三八零零零零零零零零", "13800000000", True),
        (EntityType.PHONE, "0301234567", "0301234568", False),
        (EntityType.BANK_CARD, "4111 1111-1111 1111", "4111111111111111", True),
        (EntityType.BANK_ACCOUNT, "de89 3704 0044", "DE8937040044", True),
        (EntityType.NATIONAL_ID, "11010519491231002x", "11010519491231002X", True),
        (NAME, "Ada  FENWICK", "ada fenwick", True),
        (NAME, "e\u0301va", "éva", True),
        (NAME, "Ada", "Ida", False),
        (PASSWORD, "Kite", "kite", False),
        (PASSWORD, "ｋite", "kite", False),
        (EntityType.CRYPTO_WALLET, "1aB", "1AB", False),
        (EntityType.IP_ADDRESS, "FE80::1", "fe80::1", True),
        (EntityType.ADDRESS, "...", "…", True),
        (EntityType.ACCOUNT_ID, "--", "—", False),
    ],
)
def test_when_two_surfaces_are_one_value(entity_type: EntityType, one: str, other: str, same: bool) -> None:
    assert (canonical(entity_type, one) == canonical(entity_type, other)) is same


@given(st.sampled_from(TYPES), st.text(min_size=1) | st.sampled_from([" ", "\n", "\u3000", "-", "."]))
def test_every_surface_has_a_canonical_form(entity_type: EntityType, surface: str) -> None:
    assert canonical(entity_type, surface)


def test_the_secrets_are_what_was_bound_at_pl4_and_is_not_forgotten() -> None:
    vault, numbers = ConversationVault(profile_scope=True, volatile_all=False), MemoryProfileNumbers()
    for kind, level, surface in ((NAME, Level.PL2, "Ada"), (PASSWORD, Level.PL4, "kite#44"), (NAME, Level.PL4, "Ben")):
        vault.bind(kind, level, surface, origin=Origin.OWNER, profile=numbers)
    first, twin = next(iter(vault.secrets())), vault.copy()
    vault.forget(first.placeholder)
    assert [binding.surface for binding in vault.secrets()] == ["Ben"]
    assert [binding.surface for binding in twin.secrets()] == ["kite#44", "Ben"]
