import os
import stat
from pathlib import Path

import pytest
from keepmum_edge.config.private_files import (
    UnsafeFileError,
    check_file,
    create_private,
    ensure_folder,
    open_private,
    private_opener,
    read_private,
    replace_private,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture(autouse=True)
def permissive_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def test_whatever_the_umask_new_folders_are_0700_and_new_files_0600(tmp_path: Path) -> None:
    ensure_folder(tmp_path / "a" / "keepmum")
    create_private(tmp_path / "a" / "keepmum" / "key", b"x")
    replace_private(tmp_path / "a" / "keepmum" / "other", b"x")
    os.close(open_private(tmp_path / "a" / "keepmum" / "lock"))
    with open(tmp_path / "a" / "keepmum" / "log", "a", opener=private_opener):
        pass
    assert mode(tmp_path / "a" / "keepmum") == 0o700
    assert {mode(file) for file in (tmp_path / "a" / "keepmum").iterdir()} == {0o600}


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o602, 0o610, 0o666])
def test_a_file_that_others_may_reach_is_refused_with_the_remedy(tmp_path: Path, bits: int) -> None:
    file = tmp_path / "key"
    create_private(file, b"x")
    file.chmod(bits)
    for use in (check_file, read_private, open_private):
        with pytest.raises(UnsafeFileError, match="chmod 600"):
            use(file)


@pytest.mark.parametrize("bits", [0o750, 0o705, 0o770, 0o777, 0o1777])
def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path, bits: int) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(bits)
    with pytest.raises(UnsafeFileError, match="chmod 700"):
        ensure_folder(tmp_path / "data")


def test_a_file_that_decides_but_holds_no_secret_may_be_read_by_others_and_not_written(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    create_private(file, b"x")
    file.chmod(0o644)
    assert read_private(file, others_may_read=True) == b"x"
    file.chmod(0o664)
    with pytest.raises(UnsafeFileError, match="write"):
        read_private(file, others_may_read=True)


@pytest.mark.parametrize("use", [check_file, read_private, open_private])
def test_symbolic_links_are_not_followed(tmp_path: Path, use) -> None:
    create_private(tmp_path / "target", b"x")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(UnsafeFileError, match="symbolic link"):
        use(tmp_path / "link")


def test_a_dangling_link_makes_no_file_where_it_points(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        create_private(tmp_path / "link", b"x")
    with pytest.raises(UnsafeFileError):
        open_private(tmp_path / "link")
    replace_private(tmp_path / "link", b"x")
    assert not (tmp_path / "elsewhere").exists()
    assert not (tmp_path / "link").is_symlink()


def test_a_linked_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "data").symlink_to(tmp_path / "real")
    with pytest.raises(UnsafeFileError, match="not a folder"):
        ensure_folder(tmp_path / "data")


def test_a_pipe_in_the_place_of_a_file_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "key", 0o600)
    with pytest.raises(UnsafeFileError, match="regular"):
        read_private(tmp_path / "key")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    create_private(tmp_path / "key", b"x")
    os.chown(tmp_path / "key", 12345, 12345)
    with pytest.raises(UnsafeFileError, match="another user"):
        read_private(tmp_path / "key")


def test_a_failed_replacement_leaves_the_old_content(tmp_path: Path) -> None:
    create_private(tmp_path / "key", b"old")
    (tmp_path / "key.new").mkdir()
    with pytest.raises((IsADirectoryError, PermissionError)):
        replace_private(tmp_path / "key", b"new")
    assert (tmp_path / "key").read_bytes() == b"old"


def test_an_endless_file_is_not_read_into_memory(tmp_path: Path) -> None:
    create_private(tmp_path / "key", b"x" * 11)
    with pytest.raises(UnsafeFileError, match="larger than 10 bytes"):
        read_private(tmp_path / "key", limit=10)
