from contextlib import closing
from pathlib import Path

import pytest
from keepmum_edge.database import Database
from keepmum_edge.database.migrations import Migration, statements
from keepmum_edge.database.schema import MIGRATIONS
from keepmum_edge.errors import DatabaseUnavailableError
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import MemoryId
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType
from profiles import KEY, new_database, settings

FIRST = Migration(version=1, script="CREATE TABLE a (x TEXT) STRICT;\nINSERT INTO a VALUES ('kept');")
SECOND = Migration(version=2, script="ALTER TABLE a ADD COLUMN y TEXT;\nUPDATE a SET y = x || '!';")
BROKEN = Migration(version=3, script="CREATE TABLE b (x TEXT) STRICT;\nINSERT INTO nowhere VALUES (1);")


def made_by(home: Path, *migrations: Migration) -> Path:
    path = settings(home).paths.database
    settings(home).paths.prepare()
    Database.create(path, KEY, migrations=migrations).close()
    return path


def test_an_older_database_is_brought_up_to_date_and_keeps_its_rows(tmp_path: Path) -> None:
    path = made_by(tmp_path, FIRST)
    for _ in range(2):
        with closing(Database.open(path, KEY, migrations=(FIRST, SECOND))) as db:
            assert db.rows("SELECT x, y FROM a") == [("kept", "kept!")]
            assert db.value("PRAGMA user_version") == 2


def test_a_step_that_fails_leaves_the_steps_before_it_and_nothing_of_itself(tmp_path: Path) -> None:
    path = made_by(tmp_path, FIRST)
    with pytest.raises(DatabaseUnavailableError):
        Database.open(path, KEY, migrations=(FIRST, SECOND, BROKEN))
    with closing(Database.open(path, KEY, migrations=(FIRST, SECOND))) as db:
        assert db.value("PRAGMA user_version") == 2
        assert db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'b'") == 0


def test_a_database_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = made_by(tmp_path, FIRST, SECOND)
    before = path.read_bytes()
    with pytest.raises(DatabaseUnavailableError, match=r"newer Keepmum.*Update"):
        Database.open(path, KEY, migrations=(FIRST,))
    assert path.read_bytes() == before


def test_the_steps_are_numbered_without_gaps_and_every_table_is_strict(tmp_path: Path) -> None:
    assert [step.version for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))
    with closing(new_database(tmp_path)) as db:
        loose = db.rows("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict")
        assert loose == [("sqlite_schema",)]


def test_a_trigger_is_one_statement() -> None:
    script = "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  SELECT 1;\n  SELECT 2;\nEND;\nSELECT 3; -- done\n"
    assert [statement.split()[0] for statement in statements(script)] == ["CREATE", "SELECT"]
    with pytest.raises(ValueError, match="not ended"):
        list(statements("SELECT 1"))


def test_memories_of_the_first_form_come_over_whole_and_unjudged(tmp_path: Path) -> None:
    path = made_by(tmp_path, *MIGRATIONS[:2])
    ids = ("mem_" + "a" * 26, "mem_" + "b" * 26)
    with closing(Database.open(path, KEY, migrations=MIGRATIONS[:2])) as db, db.transaction():
        insert = "INSERT INTO memory (id, scope, text, created_at, placeholder_text, shared_at, unclassified)"
        db.execute(f"{insert} VALUES (?, 'user', 'met Ines', 5, 'met <NAME_1>', 7, 1)", ids[0])
        db.execute(f"{insert} VALUES (?, 'work', 'owns a boat', 6, NULL, NULL, 1)", ids[1])
        db.execute("INSERT INTO memory_placeholder VALUES (?, 'NAME', 1)", ids[0])
    with closing(Database.open(path, KEY)) as db:
        store = MemoryStore(db)
        met, boat = store.get(MemoryId(ids[0])), store.get(MemoryId(ids[1]))
        assert met is not None
        assert (met.text, met.cloud, met.placeholder_text, met.shared_at) == ("met Ines", "shared", "met <NAME_1>", 7)
        assert (met.unclassified, met.consent, met.trust) == (True, "asked", 100)
        assert boat is not None
        assert (boat.scope, boat.cloud, boat.created_at) == ("work", "kept", 6)
        assert store.holding(Placeholder(EntityType.NAME, 1)) == (ids[0],)
        assert db.rows("SELECT rowid FROM memory_words WHERE memory_words MATCH 'boat'") == [(2,)]
        with db.transaction():
            store.delete(MemoryId(ids[1]))
        assert db.rows("SELECT rowid FROM memory_words WHERE memory_words MATCH 'boat'") == []
        assert db.integrity() == ()
