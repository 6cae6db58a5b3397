"""What the owner told is held in step with the store: new numbers come in, forgotten ones go."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from keepmum_edge.daemon.own_values import OwnValues
from keepmum_edge.database import Database
from keepmum_edge.vault.canonical import canonical
from keepmum_edge.vault.store import VaultStore
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level

T = EntityType


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database.create(tmp_path / "profile.db", bytes(32))
    yield made
    made.close()


def tell(database: Database, surface: str, entity_type: EntityType = T.NAME, *, coarse: bool = False) -> Placeholder:
    value, sent = canonical(entity_type, surface), entity_type
    if coarse:
        value, sent = f"{entity_type}:{value}", T.DETAIL
    with database.transaction():
        return Placeholder(sent, VaultStore(database).allot(sent, value, surface))


def surfaces(own: OwnValues, text: str) -> set[str]:
    return {value[0] for value in own.standing_in([text], ())}


def test_values_come_in_as_they_are_stored_and_once(database: Database) -> None:
    own = OwnValues(VaultStore(database))
    tell(database, "Clara Berg")
    own.refresh()
    tell(database, "Mira Talvi")
    assert surfaces(own, "Clara Berg and Mira Talvi") == {"Clara Berg"}
    own.refresh()
    own.refresh()
    assert surfaces(own, "Clara Berg and Mira Talvi") == {"Clara Berg", "Mira Talvi"}


def test_a_value_that_is_sent_coarsely_has_the_type_it_was_found_under(database: Database) -> None:
    own = OwnValues(VaultStore(database))
    tell(database, "00 4471 9921", T.BANK_ACCOUNT, coarse=True)
    own.refresh()
    assert {value[:2] for value in own.standing_in(["0044719921"], ())} == {("00 4471 9921", T.BANK_ACCOUNT)}


def test_a_forgotten_value_is_gone_and_does_not_come_back(database: Database) -> None:
    own = OwnValues(VaultStore(database))
    clara = tell(database, "Clara Berg")
    own.refresh()
    with database.transaction():
        gone = VaultStore(database).forget_value(clara)
    own.forget((), frozenset(), {}, gone)
    own.refresh()
    assert surfaces(own, "Clara Berg") == set()
    tell(database, "Clara Berg")
    own.refresh()
    assert surfaces(own, "Clara Berg") == {"Clara Berg"}


def test_of_other_conversations_secrets_only_distinct_ones_are_looked_for(database: Database) -> None:
    own = OwnValues(VaultStore(database))
    secrets = [(value, T.PASSWORD, Level.PL4) for value in ("kestrel42", "mango", "4471", "44719921")]
    assert own.standing_in(["is kestrel42 good?", "mango 4471"], secrets) == {secrets[0]}
    assert own.standing_in(["44719921"], secrets) == {secrets[3]}
