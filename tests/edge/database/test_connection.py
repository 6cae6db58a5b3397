import os
import resource
import secrets
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from keepmum_edge.database import Database, TransactionError
from keepmum_edge.errors import DatabaseUnavailableError
from keepmum_shared.errors import MalformedError
from profiles import KEY, decrypted_pages, disk_bytes, new_database, second_process, settings
from sqlcipher3 import dbapi2

CANARY = "Zanzibar-Quokka-4711"
WRITE = "INSERT INTO setting (name, value) VALUES (?, ?)"


def path_of(home: Path) -> Path:
    return settings(home).paths.database


def snapshot(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file() and path.suffix != ".db-shm"}


def fill(db: Database, rows: int = 200) -> None:
    with db.transaction():
        db.execute_each(WRITE, [(f"{i}", CANARY * 20) for i in range(rows)])


def test_what_is_written_is_read_after_closing_and_nothing_of_it_is_on_disk_in_clear(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    fill(db)
    assert db.rows("SELECT count(*) FROM setting") == [(200,)]
    open_bytes = disk_bytes(tmp_path)
    db.close()
    for disk in (open_bytes, disk_bytes(tmp_path)):
        assert CANARY.encode() not in disk
        assert b"SQLite format 3" not in disk
        assert b"CREATE TABLE" not in disk
    again = Database.open(path_of(tmp_path), KEY)
    assert again.value("SELECT value FROM setting WHERE name = '7'") == CANARY * 20
    again.close()


def test_the_scan_for_the_canary_would_find_it(tmp_path: Path) -> None:
    plain = sqlite3.connect(tmp_path / "plain.db")
    plain.execute("CREATE TABLE setting (name, value)")
    plain.execute(WRITE, ("1", CANARY))
    plain.commit()
    plain.close()
    assert CANARY.encode() in disk_bytes(tmp_path)


# case sto-006
def test_the_database_its_log_and_its_index_are_0600(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        db = new_database(tmp_path)
        fill(db)
    finally:
        os.umask(before)
    files = {path.name: path.stat().st_mode & 0o777 for path in path_of(tmp_path).parent.iterdir()}
    assert files == {"keepmum.db": 0o600, "keepmum.db-wal": 0o600, "keepmum.db-shm": 0o600}
    db.close()


def test_the_connection_is_set_up_to_lose_and_leave_nothing(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    pragmas = ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "temp_store", "trusted_schema")
    assert [db.value(f"PRAGMA {name}") for name in pragmas] == ["wal", 2, 1, 1, 2, 0]
    assert db.value("PRAGMA busy_timeout") == 5000
    assert db.value("PRAGMA cell_size_check") == 1
    assert db.cipher_version().startswith("4.")
    db.close()


# case sto-004
def test_a_wrong_key_changes_nothing_and_makes_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    db = new_database(tmp_path)
    fill(db)
    db.close()
    before = snapshot(tmp_path)
    for key in (bytes(32), secrets.token_bytes(32)):
        with pytest.raises(DatabaseUnavailableError, match="does not open with this key"):
            Database.open(path_of(tmp_path), key)
        with pytest.raises(DatabaseUnavailableError, match="does not open with this key"):
            Database.open_to_read(path_of(tmp_path), key)
    assert snapshot(tmp_path) == before
    assert capfd.readouterr() == ("", "")


def test_a_wrong_key_does_not_harm_a_log_that_a_crash_left_behind(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    fill(db)
    crashed = tmp_path / "crashed"
    settings(crashed).paths.prepare()
    for name in ("keepmum.db", "keepmum.db-wal"):
        copy = path_of(crashed).with_name(name)
        copy.write_bytes(path_of(tmp_path).with_name(name).read_bytes())
        copy.chmod(0o600)
    before = snapshot(crashed)
    with pytest.raises(DatabaseUnavailableError):
        Database.open(path_of(crashed), bytes(32))
    assert snapshot(crashed) == before
    recovered = Database.open(path_of(crashed), KEY)
    assert recovered.value("SELECT count(*) FROM setting") == 200
    recovered.close()
    db.close()


@pytest.mark.parametrize("key", [b"", KEY[:31], KEY + b"x"])
def test_a_key_of_another_length_is_refused_and_not_stretched(tmp_path: Path, key: bytes) -> None:
    new_database(tmp_path).close()
    with pytest.raises(DatabaseUnavailableError, match="32 bytes"):
        Database.open(path_of(tmp_path), key)


# case sto-002
def test_a_missing_database_is_not_made_by_opening(tmp_path: Path) -> None:
    settings(tmp_path).paths.prepare()
    for act in (Database.open, Database.open_to_read):
        with pytest.raises(DatabaseUnavailableError, match="database file is missing"):
            act(path_of(tmp_path), KEY)
    assert snapshot(tmp_path) == {}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello", "not a Keepmum database"),
        (b"x" * 5000, "not a Keepmum database"),
        (bytes(8192), "does not open with this key"),
        (b"SQLite format 3\0" + bytes(4080), "not encrypted"),
    ],
)
def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path, content: bytes, words: str) -> None:
    settings(tmp_path).paths.prepare()
    path_of(tmp_path).write_bytes(content)
    path_of(tmp_path).chmod(0o600)
    before = snapshot(tmp_path)
    with pytest.raises(DatabaseUnavailableError, match=words):
        Database.open(path_of(tmp_path), KEY)
    with pytest.raises(DatabaseUnavailableError, match="already"):
        Database.create(path_of(tmp_path), KEY)
    assert snapshot(tmp_path) == before


def test_creating_takes_the_place_of_nothing_and_leaves_no_draft(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    fill(db, 1)
    db.close()
    before = snapshot(tmp_path)
    with pytest.raises(DatabaseUnavailableError, match=r"keepmum\.db already"):
        Database.create(path_of(tmp_path), KEY)
    assert snapshot(tmp_path) == before
    path_of(tmp_path).rename(tmp_path / "gone")
    path_of(tmp_path).with_name("keepmum.db-wal").write_bytes(b"frames of the database that is gone")
    with pytest.raises(DatabaseUnavailableError, match=r"keepmum\.db-wal already"):
        Database.create(path_of(tmp_path), KEY)


def test_a_creation_that_was_cut_short_is_begun_again(tmp_path: Path) -> None:
    settings(tmp_path).paths.prepare()
    path_of(tmp_path).with_name("keepmum.db.new").write_bytes(b"half a draft")
    db = new_database(tmp_path)
    assert db.integrity() == ()
    db.close()
    assert [path.name for path in path_of(tmp_path).parent.iterdir()] == ["keepmum.db"]


@pytest.mark.parametrize("place", [100, 5000, 20_000, -5000])
def test_one_flipped_bit_is_found(tmp_path: Path, place: int) -> None:
    db = new_database(tmp_path)
    fill(db)
    db.close()
    content = bytearray(path_of(tmp_path).read_bytes())
    content[place] ^= 1
    path_of(tmp_path).write_bytes(content)
    assert "damaged" in " ".join(problems_of(path_of(tmp_path)))


def problems_of(path: Path) -> tuple[str, ...]:
    try:
        damaged = Database.open(path, KEY)
    except DatabaseUnavailableError as error:
        return (error.part,)
    with closing(damaged):
        try:
            return tuple(f"damaged: {problem}" for problem in damaged.integrity())
        except DatabaseUnavailableError as error:
            return (error.part,)


def test_a_damaged_page_stops_reading_with_words_and_without_text(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    pages_of_schema = db.size() // 4096
    fill(db, 2000)
    db.close()
    content = bytearray(path_of(tmp_path).read_bytes())
    for page in range(pages_of_schema, len(content) // 4096):
        content[page * 4096 + 9] ^= 255
    path_of(tmp_path).write_bytes(content)
    damaged = Database.open(path_of(tmp_path), KEY)
    with pytest.raises(DatabaseUnavailableError, match=r"database is damaged.*keepmum doctor") as caught:
        damaged.rows("SELECT * FROM setting")
    assert caught.value.__suppress_context__
    damaged.close()


HOLD = """
import sys
from pathlib import Path
from keepmum_edge.database import Database
db = Database.open(Path(sys.argv[1]), bytes(range(32)))
with db.transaction():
    print("held", flush=True)
    sys.stdin.readline()
db.close()
"""


def test_a_lock_of_another_process_is_waited_for_and_then_named(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    db.close()
    impatient = Database.open(path_of(tmp_path), KEY, busy_timeout_ms=50)
    with second_process(HOLD, path_of(tmp_path)) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(DatabaseUnavailableError, match="locked by another process"), impatient.transaction():
            pass
        assert impatient.value("SELECT count(*) FROM setting") == 0  # reading goes on
        other.communicate("\n")
    with impatient.transaction():
        impatient.execute(WRITE, "1", "x")
    impatient.close()


WRITERS = """
import sys
from pathlib import Path
from keepmum_edge.database import Database
from keepmum_edge.vault.store import VaultStore
from keepmum_shared.taxonomy import EntityType
db = Database.open(Path(sys.argv[1]), bytes(range(32)))
vault = VaultStore(db)
sys.stdin.readline()
for i in range(60):
    with db.transaction():
        print(vault.allot(EntityType.NAME, sys.argv[2] + str(i), "x"))
db.close()
"""


# case sto-001
def test_four_processes_that_write_at_once_wait_for_each_other_and_share_no_number(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    writers = [second_process(WRITERS, path_of(tmp_path), name) for name in "abcd"]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    numbers = [int(line) for writer in writers for line in writer.communicate()[0].split()]
    assert sorted(numbers) == list(range(1, 241))
    assert [writer.returncode for writer in writers] == [0] * 4


# case sto-011
def test_a_full_database_keeps_what_was_committed_and_nothing_of_what_was_not(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    fill(db, 10)
    db.value(f"PRAGMA max_page_count = {db.value('PRAGMA page_count') + 2}")
    with pytest.raises(DatabaseUnavailableError, match=r"disk is full.*Free some space"):
        fill_more(db)
    assert db.value("SELECT count(*) FROM setting") == 10
    db.value("PRAGMA max_page_count = 1000000")
    fill_more(db)
    assert db.value("SELECT count(*) FROM setting") == 210
    db.close()


def fill_more(db: Database) -> None:
    with db.transaction():
        db.execute_each(WRITE, [(f"more {i}", CANARY * 50) for i in range(200)])


FULL_DISK = """
import resource, sys
from pathlib import Path
from keepmum_edge.database import Database
from keepmum_edge.errors import DatabaseUnavailableError
path = Path(sys.argv[1])
size = path.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
db = Database.open(path, bytes(range(32)))
try:
    with db.transaction():
        for i in range(500):
            db.execute("INSERT INTO setting (name, value) VALUES (?, ?)", str(i), "x" * 2000)
    print("stored")
except DatabaseUnavailableError as error:
    print(error.part)
print(db.value("SELECT count(*) FROM setting"))
"""


def test_a_disk_that_takes_no_more_bytes_is_named_and_the_database_opens_clean_afterwards(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    told, _ = second_process(FULL_DISK, path_of(tmp_path)).communicate()
    assert told.splitlines() == ["the disk did not read or write (full, over quota or failing)", "0"]
    again = Database.open(path_of(tmp_path), KEY)
    assert again.integrity() == ()
    fill(again)
    again.close()


def test_creating_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    settings(tmp_path).paths.prepare()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    try:
        with pytest.raises(DatabaseUnavailableError, match="disk"):
            Database.create(path_of(tmp_path), KEY)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert snapshot(tmp_path) == {}


def test_an_error_inside_a_transaction_leaves_nothing_of_it(tmp_path: Path) -> None:
    db = new_database(tmp_path)

    def fail_in_python() -> None:
        with db.transaction():
            db.execute(WRITE, "1", "x")
            raise KeyError

    def fail_in_sql() -> None:
        with db.transaction():
            db.execute(WRITE, "1", "x")
            db.execute(WRITE, "1", "x")

    with pytest.raises(KeyError):
        fail_in_python()
    with pytest.raises(DatabaseUnavailableError, match="rule"):
        fail_in_sql()
    assert db.value("SELECT count(*) FROM setting") == 0
    with db.transaction():
        db.execute(WRITE, "1", "x")
    db.close()


def test_transactions_do_not_nest_and_writes_need_one(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    for write in (lambda: db.execute(WRITE, "1", "x"), lambda: db.execute_each(WRITE, [("1", "x")])):
        with pytest.raises(TransactionError):
            write()
    with pytest.raises(TransactionError), db.transaction(), db.transaction():
        pass
    assert db.value("SELECT count(*) FROM setting") == 0
    db.close()


def test_another_thread_may_not_use_the_connection(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    caught: list[Exception] = []

    def intrude() -> None:
        try:
            db.rows("SELECT 1")
        except dbapi2.ProgrammingError as error:
            caught.append(error)

    thread = threading.Thread(target=intrude)
    thread.start()
    thread.join()
    assert len(caught) == 1
    db.close()


def test_a_statement_that_fails_shows_no_text_of_its_parameters(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    query = "SELECT * FROM memory_words WHERE memory_words MATCH ?"
    with pytest.raises(DatabaseUnavailableError) as caught:
        db.rows(query, f'"{CANARY}')
    assert CANARY not in f"{caught.value!r} {caught.value}"
    assert caught.value.__suppress_context__
    with pytest.raises(MalformedError) as surrogate:
        db.rows("SELECT ?", CANARY + "\ud800")
    assert CANARY not in f"{surrogate.value!r} {surrogate.value}"
    db.close()


def test_a_driver_without_a_cipher_is_refused(tmp_path: Path) -> None:
    new_database(tmp_path / "a").close()
    config = settings(tmp_path / "b")
    config.paths.prepare()
    with pytest.raises(DatabaseUnavailableError, match="SQLCipher is missing"):
        Database.open(path_of(tmp_path / "a"), KEY, driver=sqlite3.connect)
    with pytest.raises(DatabaseUnavailableError, match="SQLCipher is missing"):
        Database.create(config.paths.database, KEY, driver=sqlite3.connect)
    assert snapshot(tmp_path / "b") == {}


# case sto-006
def test_a_linked_or_open_database_or_log_is_refused(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    path = path_of(tmp_path)
    path.chmod(0o644)
    with pytest.raises(DatabaseUnavailableError, match="chmod 600"):
        Database.open(path, KEY)
    path.chmod(0o600)
    log = path.with_name("keepmum.db-wal")
    log.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DatabaseUnavailableError, match="symbolic link"):
        Database.open(path, KEY)
    log.unlink()
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DatabaseUnavailableError, match="symbolic link"):
        Database.open(path, KEY)


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everything")
def test_a_database_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    path_of(tmp_path).chmod(0o400)
    with pytest.raises(DatabaseUnavailableError, match="cannot be written to"):
        Database.open(path_of(tmp_path), KEY)


def test_deleted_text_is_gone_from_every_page_after_a_checkpoint(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    fill(db)
    assert db.checkpoint()
    assert CANARY.encode() in decrypted_pages(path_of(tmp_path))
    with db.transaction():
        db.execute("DELETE FROM setting")
    assert db.checkpoint()
    assert path_of(tmp_path).with_name("keepmum.db-wal").stat().st_size == 0
    assert CANARY.encode() not in decrypted_pages(path_of(tmp_path))
    db.close()


def test_looking_beside_a_running_writer_and_without_one_makes_no_file(tmp_path: Path) -> None:
    db = new_database(tmp_path)
    fill(db)
    reader = Database.open_to_read(path_of(tmp_path), KEY)
    assert reader.value("SELECT count(*) FROM setting") == 200
    assert reader.integrity() == ()
    with pytest.raises(DatabaseUnavailableError, match="cannot be written"), reader.transaction():
        reader.execute(WRITE, "new", "x")
    reader.close()
    db.close()
    before = sorted(path_of(tmp_path).parent.iterdir())
    reader = Database.open_to_read(path_of(tmp_path), KEY)
    assert reader.value("SELECT count(*) FROM setting") == 200
    assert sorted(path_of(tmp_path).parent.iterdir()) == before
    reader.close()
