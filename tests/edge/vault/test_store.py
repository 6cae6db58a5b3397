import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.database import Database
from keepmum_edge.errors import DatabaseUnavailableError, VaultUnavailableError
from keepmum_edge.vault.binding import Binding, Origin
from keepmum_edge.vault.store import VaultStore, VolatileBindingError
from keepmum_shared.ids import ConversationId
from keepmum_shared.placeholder import LAST_PROFILE_NUMBER, Placeholder
from keepmum_shared.taxonomy import EntityType, Level
from profiles import decrypted_pages, disk_bytes, new_database
from profiles import settings as profile_settings

ONE, TWO = ConversationId("conv_one"), ConversationId("conv_two")
NAME, ADDRESS = EntityType.NAME, EntityType.ADDRESS


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


def bound(number: int, surface: str, **changes: object) -> Binding:
    values = {"origin": Origin.OWNER, "level": Level.PL2, "volatile": False, "canonical": surface.lower()}
    return Binding(placeholder=Placeholder(NAME, number), surface=surface, **(values | changes))


def test_1001_addresses_are_numbered_in_order_and_found_again(db: Database) -> None:
    vault = VaultStore(db)
    with db.transaction():
        given_out = [vault.allot(ADDRESS, f"{i} high street", f"{i} High Street") for i in range(1, 1002)]
    assert given_out == list(range(1, 1002))
    assert all(vault.numbers(ADDRESS, f"{i} high street") == (i,) for i in range(1, 1002))
    assert vault.profile_surface(Placeholder(ADDRESS, 1001)) == "1001 High Street"
    assert vault.numbers(NAME, "1 high street") == ()


def test_two_surfaces_of_one_value_have_two_numbers_in_the_order_they_came(db: Database) -> None:
    vault = VaultStore(db)
    with db.transaction():
        vault.allot(NAME, "mira", "Mira")
        vault.allot(NAME, "oskar", "Oskar")
        vault.allot(NAME, "mira", "MIRA")
    assert vault.numbers(NAME, "mira") == (1, 3)
    assert [vault.profile_surface(Placeholder(NAME, n)) for n in (1, 3)] == ["Mira", "MIRA"]


def test_a_forgotten_number_is_never_given_again_and_its_value_is_nowhere(db: Database, tmp_path: Path) -> None:
    vault = VaultStore(db)
    with db.transaction():
        for canonical, surface in (("mira", "Mira-Canary"), ("oskar", "Oskar"), ("mira", "MIRA-CANARY")):
            vault.allot(NAME, canonical, surface)
        vault.save(ONE, [bound(1, "Mira-Canary", canonical="mira"), bound(2, "Oskar", canonical="oskar")], {})
        foreign = bound(100_001, "Mira-Canary", canonical="mira", origin=Origin.FOREIGN)
        vault.save(TWO, [foreign], {NAME: 100_002})
    file = profile_settings(tmp_path).paths.database
    db.checkpoint()
    assert b"Mira-Canary" in decrypted_pages(file)
    with db.transaction():
        assert vault.forget_value(Placeholder(NAME, 3)) == (Placeholder(NAME, 1), Placeholder(NAME, 3))
        assert vault.forget_value(Placeholder(NAME, 3)) == ()
        assert vault.allot(NAME, "mira", "Mira") == 4
    assert vault.numbers(NAME, "mira") == (4,)
    assert vault.profile_surface(Placeholder(NAME, 1)) is None
    assert [binding.surface for binding in vault.load(ONE)[0]] == ["Oskar"]
    assert vault.load(TWO) == ((), {NAME: 100_002})
    db.checkpoint()
    pages = decrypted_pages(file)
    assert b"Mira-Canary" not in pages
    assert b"MIRA-CANARY" not in pages
    assert b"Oskar" in pages


def test_past_the_last_number_it_is_an_error_in_words_and_nothing_is_stored(db: Database) -> None:
    vault = VaultStore(db)
    with db.transaction():
        db.execute("INSERT INTO vault_last VALUES ('NAME', ?)", LAST_PROFILE_NUMBER - 1)
        assert vault.allot(NAME, "a", "a") == LAST_PROFILE_NUMBER
    with (
        pytest.raises(VaultUnavailableError, match=r"numbers of a type are used up.*placeholder_scope"),
        db.transaction(),
    ):
        vault.allot(NAME, "b", "b")
    assert vault.numbers(NAME, "b") == ()
    with db.transaction():
        assert vault.allot(ADDRESS, "b", "b") == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_every_text_comes_back_character_for_character(db: Database, text: str) -> None:
    vault = VaultStore(db)
    with db.transaction():
        vault.forget_conversation(ONE)
        number = vault.allot(NAME, text, text)
        binding = bound(number, text, canonical=text, json_number=True)
        vault.save(ONE, [binding], {})
        assert vault.profile_surface(Placeholder(NAME, number)) == text
        assert number in vault.numbers(NAME, text)
    assert vault.load(ONE)[0] == (binding,)


def test_a_conversation_is_loaded_as_it_was_saved_after_a_restart(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    bindings = (
        bound(1, "Mira"),
        bound(2, "42", json_number=True, level=Level.PL3),
        bound(100_001, "Oskar", origin=Origin.FOREIGN),
    )
    literal = Binding(
        placeholder=Placeholder(EntityType.LITERAL, 100_001),
        surface="<NAME_1>",
        canonical="<NAME_1>",
        origin=Origin.SYSTEM,
        level=None,
        volatile=False,
    )
    with database.transaction():
        VaultStore(database).save(ONE, (*bindings, literal), {NAME: 100_002, EntityType.LITERAL: 100_002})
    database.close()
    again = Database.open(profile_settings(tmp_path).paths.database, bytes(range(32)))
    loaded, numbers = VaultStore(again).load(ONE)
    assert set(loaded) == {*bindings, literal}
    assert numbers == {NAME: 100_002, EntityType.LITERAL: 100_002}
    assert VaultStore(again).load(TWO) == ((), {})
    again.close()


@pytest.mark.parametrize("changes", [{"volatile": True}, {"level": Level.PL4}, {"level": Level.PL4, "volatile": True}])
def test_what_is_volatile_never_reaches_the_disk(db: Database, tmp_path: Path, changes: dict[str, object]) -> None:
    secret = "".join(["hun", "ter", "2-canary"])
    with pytest.raises(VolatileBindingError) as caught, db.transaction():
        VaultStore(db).save(ONE, [bound(1, "Mira"), bound(2, secret, **changes)], {})
    assert secret not in str(caught.value)
    assert VaultStore(db).load(ONE) == ((), {})
    db.checkpoint()
    assert secret.encode() not in decrypted_pages(profile_settings(tmp_path).paths.database) + disk_bytes(tmp_path)


def test_a_token_cannot_be_given_a_second_meaning(db: Database) -> None:
    vault = VaultStore(db)
    with db.transaction():
        vault.save(ONE, [bound(1, "Mira")], {})
        vault.save(ONE, [bound(1, "Mira")], {})  # saying the same again is no second meaning
    with pytest.raises(VaultUnavailableError, match="two things"), db.transaction():
        vault.save(ONE, [bound(1, "Oskar")], {})
    assert [binding.surface for binding in vault.load(ONE)[0]] == ["Mira"]


def test_a_next_number_never_goes_back(db: Database) -> None:
    vault = VaultStore(db)
    with db.transaction():
        vault.save(ONE, (), {NAME: 100_005})
        vault.save(ONE, (), {NAME: 100_003})
    assert vault.load(ONE)[1] == {NAME: 100_005}


def test_forgetting_a_conversation_leaves_another_with_the_same_values(db: Database) -> None:
    vault = VaultStore(db)
    with db.transaction():
        vault.save(ONE, [bound(1, "Mira")], {NAME: 100_002})
        vault.save(TWO, [bound(1, "Mira"), bound(100_002, "Oskar")], {NAME: 100_003})
        assert vault.forget_conversation(ONE) == 1
    assert vault.load(ONE) == ((), {})
    assert [binding.surface for binding in vault.load(TWO)[0]] == ["Mira", "Oskar"]


def test_writing_outside_a_transaction_is_impossible(db: Database) -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        VaultStore(db).allot(NAME, "a", "a")


# case sto-011
def test_a_row_that_could_not_be_stored_leaves_no_number_behind(db: Database) -> None:
    vault = VaultStore(db)
    db.value(f"PRAGMA max_page_count = {db.value('PRAGMA page_count') + 1}")
    with pytest.raises(DatabaseUnavailableError, match="disk is full"), db.transaction():
        vault.allot(NAME, "a", "x" * 100_000)
    assert vault.numbers(NAME, "a") == ()
    db.value("PRAGMA max_page_count = 1000000")
    with db.transaction():
        assert vault.allot(NAME, "a", "a") == 1


def test_no_query_of_a_turn_reads_a_whole_table(db: Database) -> None:
    vault, plans = VaultStore(db), []
    rows = [("NAME", n, f"value {n}", 0, f"Value {n}", 0) for n in range(1, 50_001)]
    with db.transaction():
        db.execute_each("INSERT INTO vault_value VALUES (?, ?, ?, ?, ?, ?)", rows)
        db.execute("INSERT INTO vault_last VALUES ('NAME', 50000)")
    started = time.perf_counter()
    with db.transaction():
        for n in range(1, 1001):
            assert vault.numbers(NAME, f"value {n}") == (n,)
            assert vault.profile_surface(Placeholder(NAME, n)) == f"Value {n}"
        assert vault.allot(NAME, "new", "New") == 50_001
    assert time.perf_counter() - started < 2  # a scan of 50,000 rows for each would take minutes
    for query in (
        "SELECT number FROM vault_value WHERE type = ? AND canonical = ? ORDER BY rank",
        "SELECT surface FROM vault_value WHERE type = ? AND number = ?",
        "SELECT * FROM vault_binding WHERE conversation = ? ORDER BY type, number",
        "DELETE FROM vault_binding WHERE type = ? AND canonical = ?",
    ):
        parameters = ("NAME",) * query.count("?")
        plans += [row[3] for row in db.rows(f"EXPLAIN QUERY PLAN {query}", *parameters)]
    assert plans
    assert all(plan.startswith("SEARCH") for plan in plans)
