from pathlib import Path

import pytest
from keepmum_edge.database import Holder, ProfileLock, find_holder
from keepmum_edge.errors import AlreadyRunningError, DatabaseUnavailableError
from profiles import second_process

HOLD = """
import sys
from pathlib import Path
from keepmum_edge.database import ProfileLock
lock = ProfileLock.acquire(Path(sys.argv[1]))
lock.announce("http://127.0.0.1:8765")
print("held", flush=True)
sys.stdin.readline()
"""


def test_a_second_daemon_is_refused_and_told_where_the_first_listens(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with second_process(HOLD, path) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(AlreadyRunningError, match=rf"at http://127\.0\.0\.1:8765 \(process {first.pid}\)"):
            ProfileLock.acquire(path)
        assert find_holder(path) == Holder(pid=first.pid, address="http://127.0.0.1:8765")
        first.communicate("\n")
    assert find_holder(path) is None


def test_the_lock_of_a_daemon_that_was_killed_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with second_process(HOLD, path) as first:
        assert first.stdout is not None
        first.stdout.readline()
        first.kill()
        first.wait()
        assert path.read_bytes() != b""
        assert find_holder(path) is None
        with ProfileLock.acquire(path) as lock:
            lock.announce("http://127.0.0.1:1")
            assert find_holder(path).address == "http://127.0.0.1:1"
    assert find_holder(path) is None
    ProfileLock.acquire(path).release()


def test_a_holder_that_does_not_listen_yet_has_no_address(tmp_path: Path) -> None:
    with ProfileLock.acquire(tmp_path / "lock"):
        assert find_holder(tmp_path / "lock").address is None
        with pytest.raises(AlreadyRunningError, match="running already"):
            ProfileLock.acquire(tmp_path / "lock")


def test_looking_for_a_holder_makes_no_file(tmp_path: Path) -> None:
    assert find_holder(tmp_path / "lock") is None
    assert list(tmp_path.iterdir()) == []


def test_a_linked_or_open_lock_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DatabaseUnavailableError, match="symbolic link"):
        ProfileLock.acquire(tmp_path / "lock")
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / "open").touch(mode=0o644)
    with pytest.raises(DatabaseUnavailableError, match="chmod 600"):
        ProfileLock.acquire(tmp_path / "open")
