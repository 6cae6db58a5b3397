"""A span model that is not usable: the owner is told the file and the next step, others nothing, and nothing is sent.

The real commands, run from a copy of the edge that has its model inside, as an installed one has.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from halves import ROOT, Halves, paired_halves, user, without_memories
from scripted_openai import reply, scripted_openai

NAME = "Sigrid Tanaka"


def ask(halves: Halves, **headers: str) -> httpx.Response:
    named = {f"X-Keepmum-{name.capitalize()}": value for name, value in headers.items()}
    body = {"model": "any", "messages": [user(f"My name is {NAME}.")]}
    return halves.raw.post("/v1/chat/completions", json=body, headers=named)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Halves]:
    """A pair that has been used; its edge is stopped."""
    folder = tmp_path_factory.mktemp("installed")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "edge" / "keepmum_edge", folder / "edge" / "keepmum_edge", ignore=ignored)
    shutil.copytree(ROOT / "models" / "artefacts" / "spans", artefact_of(folder))
    parts = (folder / "shadow", folder / "edge", ROOT / "cloud", ROOT / "shared")
    environ = {"PYTHONPATH": os.pathsep.join(map(str, parts))}
    with (
        scripted_openai(folder, [reply("fine")]) as model,
        paired_halves(folder / "home", model, environ=environ) as halves,
    ):
        assert ask(halves).status_code == 200
        assert halves.sent()[-1][-1]["content"] == "My name is <NAME_1>."
        assert halves.edge.stop() == 0
        yield halves


def artefact_of(folder: Path) -> Path:
    return folder / "edge" / "keepmum_edge" / "spans" / "artefact"


@pytest.fixture
def stopped(installed: Halves) -> Iterator[Halves]:
    """The pair, whose model is put right again afterwards."""
    folder = installed.home.parent
    yield installed
    installed.edge.close()
    shutil.rmtree(folder / "shadow", ignore_errors=True)
    shutil.rmtree(artefact_of(folder), ignore_errors=True)
    shutil.copytree(ROOT / "models" / "artefacts" / "spans", artefact_of(folder))


def alter_the_model(folder: Path) -> None:
    file = artefact_of(folder) / "model.onnx"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def lose_the_labels(folder: Path) -> None:
    (artefact_of(folder) / "labels.json").unlink()


def break_the_runtime(folder: Path) -> None:
    shadow = folder / "shadow" / "onnxruntime"
    shadow.mkdir(parents=True)
    (shadow / "__init__.py").write_text("raise ImportError('no such library', name='onnxruntime')\n")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (alter_the_model, ("model.onnx", "SHA-256")),
        (lose_the_labels, ("labels.json", "cannot be read")),
        (break_the_runtime, ("onnxruntime", "cannot be loaded")),
    ],
)
def test_an_unusable_model_is_told_to_the_owner_and_nothing_is_sent(
    stopped: Halves, spoil: Callable[[Path], None], words: tuple[str, ...]
) -> None:
    assert stopped.model is not None
    spoil(stopped.home.parent)
    sent = len(stopped.model.requests())
    stopped.start_edge()
    assert stopped.raw.get("/readyz").status_code == 503
    owner = ask(stopped)
    error = owner.json()["error"]
    assert (owner.status_code, error["code"]) == (503, "extractor_unavailable")
    assert [
        word for word in (*words, "Install Keepmum again", "nothing was sent") if word not in error["message"]
    ] == []
    others = ask(stopped, audience="bob")
    assert (others.status_code, others.json()["error"]["code"]) == (503, "keepmum_unavailable")
    assert [word for word in (*words, "extractor", "model") if word in others.text] == []
    refused = stopped.owner.post("/memories", json={"text": f"I am {NAME}", "scope": "user"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "extractor_unavailable")

    checks = {check["name"]: check for check in json.loads(stopped.keepmum("doctor", "--json").stdout)["checks"]}
    assert checks["extractor"]["status"] == "fail"
    assert [word for word in words if word not in checks["extractor"]["detail"]] == []
    assert checks["database"]["status"] == "ok"
    assert stopped.keepmum("chat", stdin=f"My name is {NAME}.\n").returncode == 4
    assert stopped.edge.stop() == 0
    assert len(stopped.model.requests()) == sent
    log = stopped.edge.log.read_text()
    assert words[0] in log
    assert "Tanaka" not in log
    assert "Traceback" not in log


def test_commands_without_a_daemon_say_it_too(stopped: Halves) -> None:
    alter_the_model(stopped.home.parent)
    preview = stopped.keepmum("preview", "-", stdin=f"My name is {NAME}.")
    assert (preview.returncode, preview.stdout) == (4, "")
    assert "model.onnx" in preview.stderr
    assert "Tanaka" not in preview.stderr
    doctor = stopped.keepmum("doctor", "--json")
    assert doctor.returncode == 1
    checks = {check["name"]: check for check in json.loads(doctor.stdout)["checks"]}
    assert (checks["extractor"]["status"], checks["key"]["status"]) == ("fail", "warn")


def test_once_the_model_is_back_all_is_well_again(stopped: Halves) -> None:
    lose_the_labels(stopped.home.parent)
    stopped.start_edge()
    assert ask(stopped).status_code == 503
    assert stopped.edge.stop() == 0
    shutil.copy(ROOT / "models" / "artefacts" / "spans" / "labels.json", artefact_of(stopped.home.parent))
    stopped.start_edge()
    assert stopped.raw.get("/readyz").status_code == 200
    assert ask(stopped).status_code == 200
    assert without_memories(stopped.sent()[-1][-1]["content"]) == "My name is <NAME_1>."
