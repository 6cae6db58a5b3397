"""A profile that cannot be used: the owner is told the part and the next step, others nothing, and nothing is sent."""

import json
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from halves import Halves, paired_halves, user
from keepmum_edge.keys import Keyholder
from scripted_openai import Scripted, reply, scripted_openai
from sqlcipher3 import dbapi2

ADA, BEN, ORA = "ada" + "@example.org", "ben" + "@example.org", "ora" + "@example.org"


@pytest.fixture(scope="module")
def used_profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Halves]:
    """A pair with a profile that has been used; its edge is stopped, and a copy of its data lies in `kept`."""
    folder = tmp_path_factory.mktemp("used")
    with scripted_openai(folder, [reply("fine")]) as model, paired_halves(folder / "home", model) as halves:
        halves.say("all is well")
        assert halves.edge.stop() == 0
        shutil.copytree(halves.config.paths.data_dir, halves.home / "kept")
        yield halves


@pytest.fixture
def stopped(used_profile: Halves) -> Iterator[Halves]:
    """The used profile as it was."""
    data = used_profile.config.paths.data_dir
    shutil.rmtree(data)
    shutil.copytree(used_profile.home / "kept", data)
    yield used_profile
    used_profile.edge.close()


@pytest.fixture
def model(tmp_path: Path) -> Iterator[Scripted]:
    with scripted_openai(tmp_path, [reply("fine")]) as running:
        yield running


@pytest.fixture
def halves(tmp_path: Path, model: Scripted) -> Iterator[Halves]:
    with paired_halves(tmp_path / "home", model) as running:
        yield running


def ask(halves: Halves, text: str, **headers: str) -> httpx.Response:
    named = {f"X-Keepmum-{name.capitalize()}": value for name, value in headers.items()}
    return halves.raw.post("/v1/chat/completions", json={"model": "any", "messages": [user(text)]}, headers=named)


def error_of(response: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = response.json()["error"]
    assert error.keys() == {"message", "type", "param", "code"}, "the shape that OpenAI clients read"
    return error


def uniform(response: httpx.Response) -> tuple[int, str, bytes]:
    """All that another audience can tell of the state of this computer."""
    return response.status_code, str(sorted(name for name in response.headers if name != "date")), response.content


def lose_unlock_file(halves: Halves) -> None:
    halves.config.paths.unlock_file.unlink()


def take_anothers_key(halves: Halves) -> None:
    other = Halves(home=halves.home / "other", model=None)
    other.home.mkdir()
    Keyholder(other.config, ring=None).create()
    for name in ("key_file", "unlock_file"):
        shutil.copy(getattr(other.config.paths, name), getattr(halves.config.paths, name))


def put_no_database_there(halves: Halves) -> None:
    halves.config.paths.database.write_bytes(b"nothing of the kind" * 1000)


def put_a_plain_database_there(halves: Halves) -> None:
    halves.config.paths.database.write_bytes(b"")
    with closing(sqlite3.connect(halves.config.paths.database)) as plain:
        plain.execute("CREATE TABLE memory (text)")
        plain.commit()


def lose_database(halves: Halves) -> None:
    halves.config.paths.database.unlink()


def damage_a_page(halves: Halves) -> None:
    content = bytearray(halves.config.paths.database.read_bytes())
    content[100:140] = bytes(40)
    halves.config.paths.database.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "code", "words"),
    [
        (lose_unlock_file, "key_unavailable", ("unlock file", "recovery key")),
        (take_anothers_key, "database_unavailable", ("does not open with this key", "backup")),
        (put_no_database_there, "database_unavailable", ("not a Keepmum database", "backup")),
        (put_a_plain_database_there, "database_unavailable", ("not encrypted", "Move it away")),
        (lose_database, "database_unavailable", ("database", "backup")),
        (damage_a_page, "database_unavailable", ("damaged", "backup")),
    ],
)
def test_an_unusable_profile_is_told_to_the_owner_and_nothing_is_sent(
    stopped: Halves, spoil: Callable[[Halves], None], code: str, words: tuple[str, ...]
) -> None:
    spoil(stopped)
    there = {path: path.read_bytes() for path in stopped.config.paths.private_files if path.exists()}
    stopped.start_edge()
    assert stopped.raw.get("/readyz").status_code == 503
    owner = ask(stopped, f"I am {ADA}")
    assert (owner.status_code, error_of(owner)["code"]) == (503, code)
    assert [word for word in words if word not in error_of(owner)["message"]] == []
    others = uniform(ask(stopped, f"I am {ADA}", audience="bob"))
    assert b"keepmum_unavailable" in others[2]
    assert (others[0], code.encode() in others[2], b"database" in others[2]) == (503, False, False)
    doctor = json.loads(stopped.keepmum("doctor", "--json").stdout)
    assert "fail" in {check["status"] for check in doctor["checks"]}
    assert stopped.keepmum("chat", stdin="hello\n").returncode == 4
    assert stopped.edge.stop() == 0
    assert stopped.model is not None
    assert len(stopped.model.requests()) == 1
    for path, content in there.items():
        if path != stopped.config.paths.lock_file:
            assert path.read_bytes() == content, f"{path.name} was changed"


def test_a_database_whose_key_file_is_missing_gets_no_new_key(stopped: Halves) -> None:
    stopped.config.paths.key_file.unlink()
    refused = stopped.keepmum("serve", "--init")
    assert refused.returncode == 4
    assert "there is a database, but its key file is missing" in refused.stderr
    assert "recovery key" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not stopped.config.paths.key_file.exists()


def test_others_get_the_same_answer_for_every_state(halves: Halves) -> None:
    """A page or a contact cannot tell a locked vault from a cloud that is down."""
    halves.cloud.kill()
    cloud_down = uniform(ask(halves, "hi", audience="bob"))
    assert halves.edge.stop() == 0
    lose_unlock_file(halves)
    halves.start_edge()
    assert uniform(ask(halves, "hi", audience="bob")) == cloud_down


def test_a_full_disk_sends_nothing_and_loses_nothing(halves: Halves, model: Scripted) -> None:
    halves.say(f"I am {ADA}")
    sent = len(model.requests())
    wal = halves.config.paths.database.with_name("keepmum.db-wal")
    full = wal.stat().st_size + 1000
    _, hard = resource.prlimit(halves.edge.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(halves.edge.process.pid, resource.RLIMIT_FSIZE, (full, hard))
    refused = ask(halves, f"I am {BEN}")
    assert refused.status_code == 503
    assert error_of(refused)["code"] == "database_unavailable"
    assert "disk" in error_of(refused)["message"]
    assert BEN not in refused.text
    assert uniform(ask(halves, f"I am {BEN}", audience="bob"))[0] == 503
    assert len(model.requests()) == sent

    resource.prlimit(halves.edge.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
    halves.say(f"I am {ORA}, before that {ADA}")
    assert halves.sent()[-1][-1]["content"] == "I am <EMAIL_2>, before that <EMAIL_1>"
    assert halves.edge.stop() == 0
    assert BEN not in halves.decrypted()


def test_a_full_disk_at_the_first_start_is_told(tmp_path: Path) -> None:
    fresh = Halves(home=tmp_path / "home", model=None)
    fresh.home.mkdir()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))  # the child has it from its first byte on
    try:
        fresh.spawn_edge()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    try:
        fresh.await_edge()
        assert error_of(ask(fresh, "hi"))["code"] == "database_unavailable"
        assert not fresh.config.paths.database.exists()
        assert fresh.edge.stop() == 0
        fresh.start_edge()  # the disk has room again: the first start is taken up where it stopped
        assert error_of(ask(fresh, "hi"))["code"] == "not_paired"
    finally:
        fresh.close()


def test_a_database_that_another_process_holds_is_told_and_used_again_when_free(
    halves: Halves, model: Scripted
) -> None:
    halves.say(f"I am {ADA}")
    sent = len(model.requests())
    key = Keyholder(halves.config, ring=None).unlock().key
    with closing(dbapi2.connect(halves.config.paths.database, isolation_level=None)) as other:
        other.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
        other.execute("BEGIN IMMEDIATE")
        refused = ask(halves, f"I am {BEN}")
        assert (refused.status_code, error_of(refused)["code"]) == (503, "database_unavailable")
        assert "locked by another process" in error_of(refused)["message"]
        assert len(model.requests()) == sent
        other.execute("ROLLBACK")
    assert ask(halves, f"I am {BEN}").status_code == 200


def test_a_second_daemon_says_where_the_first_listens(halves: Halves) -> None:
    second = halves.keepmum("serve", "--port", "0")
    assert second.returncode == 1
    assert halves.url in second.stderr
    assert "Traceback" not in second.stderr
    assert halves.say("still here") == "fine"


def test_a_port_that_is_taken_is_told(tmp_path: Path, halves: Halves) -> None:
    other = Halves(home=tmp_path / "second", model=None, edge_port=halves.edge_port)
    other.home.mkdir()
    refused = other.keepmum("serve", "--init")
    assert refused.returncode == 2
    assert f"port {halves.edge_port}" in refused.stderr
    assert "--port" in refused.stderr
