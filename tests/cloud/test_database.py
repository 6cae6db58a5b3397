import logging
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from keepmum_cloud.database import FILE_NAME, Database
from keepmum_cloud.errors import DeletionPendingError, StoreError
from keepmum_cloud.logs import LOGGER, set_up_logs


def names(database: Database) -> list[str]:
    with database.reading() as db:
        return [name for (name,) in db.execute("SELECT name FROM devices ORDER BY id")]


def insert(database: Database, device: str) -> None:
    with database.transaction() as db:
        db.execute("INSERT INTO devices VALUES (?, x'00', ?, 1, NULL)", (device, device))


def test_the_files_are_private(tmp_path: Path) -> None:
    database = Database(tmp_path / "new")
    insert(database, "a")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "new").iterdir()} == {0o600}
    database.close()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    (tmp_path / FILE_NAME).symlink_to(target)
    with pytest.raises(StoreError, match="cannot be opened"):
        Database(tmp_path)
    assert not target.exists()


def test_what_raises_inside_changes_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path)
    with pytest.raises(KeyError), database.transaction() as db:  # the block is the transaction
        db.execute("INSERT INTO devices VALUES ('a', x'00', 'a', 1, NULL)")
        raise KeyError
    with pytest.raises(StoreError), database.transaction() as db:  # the block is the transaction
        db.execute("INSERT INTO devices VALUES ('b', x'00', 'b', 1, NULL)")
        db.execute("INSERT INTO no_such_table VALUES (1)")
    insert(database, "c")
    assert names(database) == ["c"]
    database.close()


def test_a_second_opening_in_this_process_keeps_the_locks_that_guard_the_log(tmp_path: Path) -> None:
    database = Database(tmp_path)
    Database(tmp_path).close()
    script = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM devices'); db.close()"
    subprocess.run([sys.executable, "-c", script, str(tmp_path / FILE_NAME)], check=True)
    insert(database, "late")
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
        assert other.execute("SELECT name FROM devices").fetchall() == [("late",)]
    database.close()


def test_erasing_while_another_process_reads_says_so_and_works_later(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database._connection.execute("PRAGMA busy_timeout = 50")
    insert(database, "a")
    with database.transaction() as db:
        db.execute("INSERT INTO erasures VALUES (1)")
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM devices").fetchall()
        with pytest.raises((DeletionPendingError, StoreError)) as caught:
            database.erase_deleted()
        assert caught.value.retryable
    database.erase_deleted()
    database.close()


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    Database(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer Keepmum"):
        Database(tmp_path)


def test_foreign_records_and_exceptions_lose_their_words() -> None:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    stream = StringIO()
    canary = "zqcanary"
    try:
        set_up_logs(stream)
        logging.getLogger("httpx").warning("GET https://example.org/%s", canary)
        logging.getLogger("uvicorn.error").error("failed %s", canary, exc_info=ValueError(canary))
        LOGGER.error("ours", exc_info=ValueError(canary))
        LOGGER.info("request %s", "id-1")
    finally:
        root.handlers[:], root.level = before
        logging.captureWarnings(capture=False)
    assert canary not in stream.getvalue()
    assert "id-1" in stream.getvalue()
    assert "httpx at test_database" in stream.getvalue()
