"""The bytes of the file are read without SQLite: what is deleted but not erased is seen, in the file and in its log."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from keepmum_edge.database import Database
from keepmum_edge.database.raw_pages import clear_pages, count_in_pages
from keepmum_edge.errors import DatabaseUnavailableError
from profiles import KEY, decrypted_pages, new_database, settings

CANARY = "zqboatword"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


def put(db: Database, text: str) -> None:
    with db.transaction():
        db.execute("INSERT OR REPLACE INTO setting VALUES ('planted', ?)", text)


def test_what_is_only_in_the_log_is_seen(db: Database, tmp_path: Path) -> None:
    file = settings(tmp_path).paths.database
    db.checkpoint()
    put(db, CANARY)
    assert CANARY.encode() not in decrypted_pages(file), "not in the file yet"
    assert count_in_pages(file, KEY, [CANARY.encode()]) == 1
    db.checkpoint()
    assert count_in_pages(file, KEY, [CANARY.encode()]) == 1
    assert count_in_pages(file, KEY, []) == count_in_pages(file, KEY, [b""]) == 0


def test_it_reads_the_same_pages_as_the_file_has(db: Database, tmp_path: Path) -> None:
    file = settings(tmp_path).paths.database
    put(db, CANARY)
    db.checkpoint()
    assert b"".join(clear_pages(file, KEY)) == decrypted_pages(file)


def test_what_was_deleted_and_not_erased_is_seen_until_the_file_is_rewritten(db: Database, tmp_path: Path) -> None:
    file = settings(tmp_path).paths.database
    db.value("PRAGMA secure_delete = OFF")
    put(db, CANARY)
    with db.transaction():
        db.execute("DELETE FROM setting")
    db.checkpoint()
    assert count_in_pages(file, KEY, [CANARY.encode()]) == 1
    assert db.rewrite()
    assert count_in_pages(file, KEY, [CANARY.encode()]) == 0
    assert db.integrity() == ()


def test_a_text_that_runs_over_several_pages_is_found(db: Database, tmp_path: Path) -> None:
    file = settings(tmp_path).paths.database
    text = "".join(f"{number:08d}" for number in range(1500))
    put(db, text)
    db.checkpoint()
    found = [text[start : start + 24] for start in range(0, len(text) - 24, 24)]
    seen = sum(count_in_pages(file, KEY, [each.encode()]) > 0 for each in found)
    assert seen >= len(found) - 4, "but where a page begins with the number of the next"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError):
        count_in_pages(tmp_path / "none.db", KEY, [b"x"])
