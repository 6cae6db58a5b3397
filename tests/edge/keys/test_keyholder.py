import json
import secrets
from pathlib import Path

import pytest
from keepmum_edge.config import EdgeConfig
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.keys import Keyholder, Ring, Subkey, derive_subkey
from keepmum_edge.keys.wrapping import Argon2Cost
from keepmum_shared.signing import to_base64url
from profiles import disk_bytes, settings

CHEAP = Argon2Cost(memory_kib=64, iterations=1, lanes=1)
WORDS = "-".join(["orange", "tractor", "seven"])
OTHER_WORDS = "-".join(["violet", "tractor", "eight"])


class MemoryRing:
    def __init__(self) -> None:
        self.entries: dict[str, str] = {}

    def get(self, account: str) -> str | None:
        return self.entries.get(account)

    def put(self, account: str, secret: str) -> None:
        self.entries[account] = secret

    def remove(self, account: str) -> None:
        self.entries.pop(account, None)


def holder(config: EdgeConfig, *, ring: Ring | None = None, typed: str | None = None) -> Keyholder:
    return Keyholder(config, ring=ring, ask=lambda purpose: typed, cost=CHEAP)


def with_passphrase_file(home: Path, words: str) -> EdgeConfig:
    file = home / "words"
    file.write_text(words + "\n")
    file.chmod(0o600)
    return settings(home, passphrase_file=file)


def test_with_a_keyring_the_key_is_there_and_on_no_disk(tmp_path: Path) -> None:
    ring, config = MemoryRing(), settings(tmp_path, key_store="auto")
    created = holder(config, ring=ring).create()
    assert created.protection == "keyring"
    assert holder(config, ring=ring).unlock().key == created.key
    assert list(ring.entries.values()) == [to_base64url(created.key)]
    assert not config.paths.unlock_file.exists()


def test_with_a_passphrase_the_key_opens_with_it_alone(tmp_path: Path) -> None:
    config = settings(tmp_path)
    created = holder(config, typed=WORDS).create()
    assert created.protection == "passphrase"
    assert holder(config, typed=WORDS).unlock().key == created.key
    with pytest.raises(KeyUnavailableError, match="passphrase does not open"):
        holder(config, typed=OTHER_WORDS).unlock()
    with pytest.raises(KeyUnavailableError, match=r"needs its passphrase.*KEEPMUM_PASSPHRASE_FILE"):
        holder(config).unlock()
    assert not config.paths.unlock_file.exists()


def test_the_passphrase_file_comes_before_the_environment_before_a_question(tmp_path: Path) -> None:
    config = with_passphrase_file(tmp_path, WORDS)
    key = Keyholder(config, ring=MemoryRing(), ask=lambda purpose: OTHER_WORDS, cost=CHEAP).create().key
    assert holder(settings(tmp_path), typed=WORDS).unlock().key == key


def test_with_nobody_to_ask_the_key_lies_open_and_that_is_reported(tmp_path: Path) -> None:
    config = settings(tmp_path)
    created = holder(config).create()
    assert created.protection == "file"
    assert holder(config).protection() == "file"
    assert holder(config).unlock().key == created.key
    assert config.paths.unlock_file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("typed", [None, WORDS])
def test_neither_key_nor_recovery_key_nor_passphrase_is_on_disk_in_clear_or_in_a_repr(
    tmp_path: Path, typed: str | None
) -> None:
    created = holder(settings(tmp_path), typed=typed).create()
    disk = disk_bytes(tmp_path)
    for secret in (created.key, to_base64url(created.key).encode(), created.recovery_key.encode(), WORDS.encode()):
        assert secret not in disk
    shown = repr(created) + repr(holder(settings(tmp_path), typed=typed).unlock())
    assert created.recovery_key not in shown
    assert repr(created.key) not in shown


def test_every_file_is_0600_in_a_0700_folder(tmp_path: Path) -> None:
    holder(settings(tmp_path)).create()
    for path in tmp_path.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)


def test_the_recovery_key_brings_the_key_back_when_everything_else_is_lost(tmp_path: Path) -> None:
    ring, config = MemoryRing(), settings(tmp_path, key_store="auto")
    created = holder(config, ring=ring).create()
    ring.entries.clear()
    config.paths.key_file.unlink()
    recovered = holder(config, typed=WORDS).recover(created.recovery_key.lower())
    assert (recovered.key, recovered.protection) == (created.key, "passphrase")
    assert holder(config, typed=WORDS).unlock().key == created.key


def test_a_wrong_a_mistyped_and_a_foreign_recovery_key_are_told_apart(tmp_path: Path) -> None:
    first = holder(settings(tmp_path / "a")).create()
    second = holder(settings(tmp_path / "b")).create()
    again = holder(settings(tmp_path / "a"))
    with pytest.raises(KeyUnavailableError, match="does not open"):
        again.recover(second.recovery_key)
    with pytest.raises(KeyUnavailableError, match="mistyped"):
        again.recover(first.recovery_key[:-1])
    settings(tmp_path / "a").paths.recovery_file.unlink()
    with pytest.raises(KeyUnavailableError, match="recovery file is missing"):
        again.recover(first.recovery_key)


def test_a_recovery_key_that_was_renewed_opens_nothing_any_more(tmp_path: Path) -> None:
    keys = holder(settings(tmp_path))
    created = keys.create()
    renewed = keys.renew_recovery_key()
    assert keys.recover(renewed).key == created.key
    with pytest.raises(KeyUnavailableError):
        keys.recover(created.recovery_key)


@pytest.mark.parametrize("before", ["keyring", "passphrase", "file"])
def test_a_new_passphrase_takes_the_place_of_whatever_protected_the_key(tmp_path: Path, before: str) -> None:
    ring = MemoryRing()
    config = settings(tmp_path, key_store="auto" if before == "keyring" else "file")
    old = holder(config, ring=ring, typed=OTHER_WORDS if before == "passphrase" else None)
    created = old.create()
    assert created.protection == before
    old.set_passphrase(WORDS)
    assert holder(config, ring=ring, typed=WORDS).unlock().key == created.key
    with pytest.raises(KeyUnavailableError):
        old.unlock()
    assert ring.entries == {}
    assert not config.paths.unlock_file.exists()


def test_a_short_new_passphrase_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    keys = holder(settings(tmp_path))
    created = keys.create()
    with pytest.raises(KeyUnavailableError, match="fewer than 8"):
        keys.set_passphrase("short")
    assert keys.unlock().key == created.key


def test_a_second_key_is_never_made(tmp_path: Path) -> None:
    keys = holder(settings(tmp_path))
    keys.create()
    before = disk_bytes(tmp_path)
    with pytest.raises(KeyUnavailableError, match="has a key already"):
        keys.create()
    assert disk_bytes(tmp_path) == before


def test_no_key_is_made_for_a_database_whose_key_is_lost(tmp_path: Path) -> None:
    config = settings(tmp_path)
    config.paths.prepare()
    config.paths.database.write_bytes(secrets.token_bytes(4096))
    with pytest.raises(KeyUnavailableError, match=r"key file is missing.*keepmum recover"):
        holder(config).create()
    with pytest.raises(KeyUnavailableError, match="key file is missing"):
        holder(config).unlock()
    assert [path.name for path in config.paths.data_dir.iterdir()] == ["keepmum.db"]


def test_leftovers_of_a_creation_that_was_cut_short_do_not_stand_in_the_way(tmp_path: Path) -> None:
    config = settings(tmp_path)
    holder(config).create()
    config.paths.key_file.unlink()
    created = holder(config).create()
    assert holder(config).unlock().key == created.key
    assert holder(config).recover(created.recovery_key).key == created.key


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"format":"keepmum-key-2"}', b"[" * 5000, b"null"])
def test_a_damaged_key_file_is_named_with_the_way_back(tmp_path: Path, content: bytes) -> None:
    config = settings(tmp_path)
    holder(config).create()
    config.paths.key_file.write_bytes(content)
    with pytest.raises(KeyUnavailableError, match=r"key file is damaged; nothing was sent.*keepmum recover"):
        holder(config).unlock()


@pytest.mark.parametrize("field", ["profile", "protection", "wrapped", "stretching"])
def test_no_field_of_the_key_file_can_be_changed_unnoticed(tmp_path: Path, field: str) -> None:
    config = settings(tmp_path)
    holder(config, typed=WORDS).create()
    document = json.loads(config.paths.key_file.read_bytes())
    changed = {
        "profile": "0" * 32,
        "protection": "file",
        "wrapped": "A" * len(document["wrapped"]),
        "stretching": document["stretching"] | {"salt": "A" * 22},
    }
    config.paths.key_file.write_text(json.dumps(document | {field: changed[field]}))
    with pytest.raises(KeyUnavailableError):
        holder(config, typed=WORDS).unlock()


def test_a_cost_that_would_exhaust_the_machine_is_refused(tmp_path: Path) -> None:
    config = settings(tmp_path)
    holder(config, typed=WORDS).create()
    document = json.loads(config.paths.key_file.read_bytes())
    document["stretching"]["cost"]["memory_kib"] = 2**40
    config.paths.key_file.write_text(json.dumps(document))
    with pytest.raises(KeyUnavailableError, match="damaged"):
        holder(config, typed=WORDS).unlock()


@pytest.mark.parametrize("name", ["key_file", "unlock_file", "recovery_file"])
def test_key_files_that_others_may_read_or_that_are_links_are_refused(tmp_path: Path, name: str) -> None:
    config = settings(tmp_path)
    keys = holder(config)
    created = keys.create()
    file: Path = getattr(config.paths, name)

    def use() -> None:
        if name == "recovery_file":
            keys.recover(created.recovery_key)
        else:
            keys.unlock()

    file.chmod(0o640)
    with pytest.raises(KeyUnavailableError, match="chmod 600"):
        use()
    file.chmod(0o600)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(KeyUnavailableError, match="symbolic link"):
        use()


def test_a_missing_unlock_file_or_keyring_entry_is_named(tmp_path: Path) -> None:
    config = settings(tmp_path / "a")
    holder(config).create()
    config.paths.unlock_file.unlink()
    with pytest.raises(KeyUnavailableError, match="unlock file is missing"):
        holder(config).unlock()
    ring, config = MemoryRing(), settings(tmp_path / "b", key_store="auto")
    holder(config, ring=ring).create()
    with pytest.raises(KeyUnavailableError, match="keyring that cannot be reached"):
        holder(config).unlock()
    ring.entries = dict.fromkeys(ring.entries, "AAAA")
    with pytest.raises(KeyUnavailableError, match="entry for the database key is damaged"):
        holder(config, ring=ring).unlock()
    ring.entries.clear()
    with pytest.raises(KeyUnavailableError, match="does not hold"):
        holder(config, ring=ring).unlock()


def test_a_keyring_that_is_insisted_on_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    config = settings(tmp_path, key_store="keyring")
    with pytest.raises(KeyUnavailableError, match="this system has none"):
        holder(config).create()
    assert not config.paths.key_file.exists()


def test_a_missing_or_empty_passphrase_file_is_an_error_and_no_reason_to_ask(tmp_path: Path) -> None:
    config = settings(tmp_path, passphrase_file=tmp_path / "words")
    with pytest.raises(KeyUnavailableError, match="passphrase file cannot be read"):
        holder(config, typed=WORDS).create()
    with pytest.raises(KeyUnavailableError, match="passphrase file is empty"):
        holder(with_passphrase_file(tmp_path, ""), typed=WORDS).create()
    assert not config.paths.key_file.exists()


def test_derived_keys_differ_by_use_and_from_the_key() -> None:
    key = bytes(32)
    derived = {derive_subkey(key, use) for use in Subkey}
    assert len(derived | {key}) == len(Subkey) + 1
    assert {len(subkey) for subkey in derived} == {32}
