"""`keepmum export`, `import`, `backup` and `restore`: what is missing is named, and what will leave is said first."""

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from edge.interfaces.scripted_service import ScriptedService
from keepmum_edge.daemon.arrivals import Added
from keepmum_edge.errors import InvalidRequestError
from keepmum_shared.ids import new_memory_id

QUEUED = tuple(new_memory_id() for _ in range(7))


@dataclass
class Carrying(ScriptedService):
    """Has something to take along."""

    came: list[str] = field(default_factory=list)
    added: Added = field(default_factory=Added)

    async def export_memories(self) -> str:
        return '{"tea": "茶"}\n'

    async def import_memories(self, document: str) -> Added:
        self.came.append(document)
        if "bad" in document:
            raise InvalidRequestError("record 2: scope: must be a name", param="document")
        return self.added

    async def preview_share(self, memory: str) -> str:
        return f"text of {memory} with <EMAIL_1>"

    async def restore(self, folder: Path, recovery_key: str) -> Added:
        self.came.append(recovery_key)
        return self.added


def test_a_dash_is_standard_output_and_no_file(
    keepmum_with_daemon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keepmum = keepmum_with_daemon(Carrying())
    monkeypatch.setattr(sys, "path", [os.path.abspath(each) for each in sys.path])
    monkeypatch.chdir(tmp_path)
    shown = keepmum("export", "-")
    assert shown.stdout.decode() == keepmum("export").stdout.decode() == '{"tea": "茶"}\n'
    assert not (tmp_path / "-").exists()
    file = tmp_path / "memories.json"
    assert json.loads(keepmum("export", str(file), "--json").stdout) == {"file": str(file)}
    assert file.read_text(encoding="utf-8") == '{"tea": "茶"}\n'


@pytest.mark.parametrize("where", ["/proc/x/y", "none/such/file"])
def test_a_place_where_nothing_can_be_written_is_named(keepmum_with_daemon: Any, where: str) -> None:
    failed = keepmum_with_daemon(Carrying())("export", where)
    assert (failed.returncode, failed.stdout) == (2, b"")
    said = f"{where} cannot be written (No such file or directory); check its folder"
    assert failed.stderr.decode() == f"keepmum: {said}\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "there is no file"), ("folder", "is a folder"), (b"\xff\xfe", "not UTF-8 text"), (b" \n", "is empty")],
)
def test_what_is_no_file_to_import_is_said_before_anything_is_asked(
    keepmum_with_daemon: Any, tmp_path: Path, content: Any, said: str
) -> None:
    service = Carrying()
    file = tmp_path / "nope.json"
    if content == "folder":
        file.mkdir()
    elif content is not None:
        file.write_bytes(content)
    failed = keepmum_with_daemon(service)("import", str(file))
    assert failed.returncode == 2
    assert said in failed.stderr.decode()
    assert str(file) in failed.stderr.decode()
    assert service.came == []


def test_an_import_says_what_the_cloud_will_see(keepmum_with_daemon: Any) -> None:
    service = Carrying(added=Added(records=9, refused=2, queued=QUEUED))
    keepmum = keepmum_with_daemon(service)
    done = keepmum("import", "-", stdin='\ufeff["tea"]'.encode())
    assert service.came == ['["tea"]']
    assert done.stdout.decode().startswith("9 memories came in, 0 were here, 0 stay forgotten, 2 were refused")
    told = done.stderr.decode()
    assert "7 of them go to the cloud with your next message" in told
    assert [memory for memory in QUEUED if f"text of {memory} with <EMAIL_1>" in told] == list(QUEUED[:5])
    assert "and 2 more" in told
    assert "2 stay on this computer" in told
    assert json.loads(keepmum("import", "-", "--json", stdin=b"[]").stdout)["queued"] == list(QUEUED)
    assert b"record 2: scope" in keepmum("import", "-", stdin=b"bad").stderr


def test_a_restore_names_what_is_missing_and_asks_no_daemon(keepmum_with_daemon: Any, tmp_path: Path) -> None:
    service = Carrying(added=Added(records=1, refused=2))
    keepmum = keepmum_with_daemon(service)
    assert "there is no folder nope" in keepmum("restore", "nope", stdin=b"key\n").stderr.decode()
    assert "no recovery key was given" in keepmum("restore", str(tmp_path), stdin=b"\n").stderr.decode()
    assert service.came == []
    done = keepmum("restore", str(tmp_path), stdin=b"K-E-Y\n")
    assert service.came == ["K-E-Y"]
    assert "1 memories came back, 0 were here, 0 stay forgotten, 2 were refused" in done.stdout.decode()
    shown = keepmum("restore", str(tmp_path), "--json", stdin=b"K-E-Y\n")
    assert json.loads(shown.stdout) == {"records": 1, "there": 0, "forgotten": 0, "refused": 2}
