from pathlib import Path

import pytest
from keepmum_edge.database import open_profile
from keepmum_edge.errors import DatabaseUnavailableError
from keepmum_edge.keys import Keyholder
from profiles import disk_bytes, settings


def test_the_first_start_makes_the_database_and_later_ones_open_it(tmp_path: Path) -> None:
    config = settings(tmp_path)
    key = Keyholder(config, ring=None).create().key
    assert config.paths.first_start_file.exists()
    database = open_profile(config.paths, key)
    with database.transaction():
        database.execute("INSERT INTO setting VALUES ('x', 'y')")
    database.close()
    assert not config.paths.first_start_file.exists()
    database = open_profile(config.paths, Keyholder(config, ring=None).unlock().key)
    assert database.value("SELECT value FROM setting") == "y"
    database.close()


def test_a_first_start_that_was_cut_short_after_the_key_is_taken_up_again(tmp_path: Path) -> None:
    config = settings(tmp_path)
    Keyholder(config, ring=None).create()
    config.paths.database.with_name("keepmum.db.new").write_bytes(b"half a draft")
    open_profile(config.paths, Keyholder(config, ring=None).unlock().key).close()
    assert not config.paths.first_start_file.exists()


def test_a_mark_that_outlived_the_database_it_waited_for_costs_nothing(tmp_path: Path) -> None:
    config = settings(tmp_path)
    key = Keyholder(config, ring=None).create().key
    database = open_profile(config.paths, key)
    with database.transaction():
        database.execute("INSERT INTO setting VALUES ('x', 'y')")
    database.close()
    config.paths.first_start_file.touch(mode=0o600)
    database = open_profile(config.paths, key)
    assert database.value("SELECT value FROM setting") == "y"
    database.close()


def test_a_database_that_was_lost_is_an_error_and_not_an_empty_new_one(tmp_path: Path) -> None:
    config = settings(tmp_path)
    key = Keyholder(config, ring=None).create().key
    open_profile(config.paths, key).close()
    config.paths.database.unlink()
    before = disk_bytes(tmp_path)
    with pytest.raises(DatabaseUnavailableError, match=r"database file is missing.*backup"):
        open_profile(config.paths, key)
    assert disk_bytes(tmp_path) == before
