import json
from pathlib import Path

import pytest
from keepmum_inference.artefact import (
    FILES,
    LABELS,
    THRESHOLDS,
    load_span_artefact,
)
from keepmum_inference.errors import ArtefactError
from keepmum_inference.manifest import MANIFEST, MODEL, TOKENIZER, sha256
from keepmum_shared.taxonomy import EntityType


def write(folder: Path, **changed: object) -> Path:
    contents: dict[str, object] = {
        LABELS: {"types": ["NAME", "PHONE"]},
        THRESHOLDS: {"outside_bias": -1.0, "levels": {"PL2": 0.4}, "types": {"PHONE": 0.7}},
        MODEL: "model",
        TOKENIZER: "tokenizer",
    } | changed
    for name in FILES:
        (folder / name).write_text(json.dumps(contents[name]), encoding="utf-8")
    sums = {name: sha256((folder / name).read_bytes()) for name in FILES}
    manifest = {"format": 1, "name": "spans", "version": "7", "window": 254, "overlap": 30, "files": sums}
    (folder / MANIFEST).write_text(json.dumps(manifest | dict(changed.get("manifest") or {})), encoding="utf-8")  # type: ignore[call-overload]
    return folder


def test_what_was_written_is_read(tmp_path: Path) -> None:
    artefact = load_span_artefact(write(tmp_path))
    assert artefact.scheme.types == (EntityType.NAME, EntityType.PHONE)
    assert artefact.thresholds.of(EntityType.PHONE) == 0.7
    assert artefact.thresholds.of(EntityType.NAME) == 0.4
    assert artefact.model_id == f"spans-7@sha256:{sha256((tmp_path / MANIFEST).read_bytes())}"
    assert "model.onnx" not in repr(artefact)


@pytest.mark.parametrize("name", [MANIFEST, *FILES])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    (write(tmp_path) / name).unlink()
    with pytest.raises(ArtefactError, match=name):
        load_span_artefact(tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_an_altered_file_is_refused(tmp_path: Path, name: str) -> None:
    with (write(tmp_path) / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(ArtefactError, match="SHA-256"):
        load_span_artefact(tmp_path)


@pytest.mark.parametrize(
    "labels", [{}, {"types": []}, {"types": ["NAME", "NAME"]}, {"types": ["LITERAL"]}, {"types": ["NICKNAME"]}, [1]]
)
def test_labels_of_another_taxonomy_are_refused(tmp_path: Path, labels: object) -> None:
    with pytest.raises(ArtefactError, match=LABELS):
        load_span_artefact(write(tmp_path, **{LABELS: labels}))


@pytest.mark.parametrize(
    "thresholds",
    [
        {},
        {"outside_bias": 0, "levels": {"PL2": 2}, "types": {}},
        {"outside_bias": 0, "levels": 1, "types": 2},
        {"outside_bias": float("nan"), "levels": {}, "types": {}},
        {"outside_bias": float("-inf"), "levels": {}, "types": {}},
        {"outside_bias": 1e9, "levels": {}, "types": {}},
        {"outside_bias": True, "levels": {}, "types": {}},
        {"outside_bias": 0, "levels": {"PL4": float("nan")}, "types": {}},
        {"outside_bias": 0, "levels": {}, "types": {"NAME": "0.5"}},
        {"outside_bias": 0, "levels": {}, "types": {"NAME": 1.0}},
    ],
)
def test_thresholds_out_of_range_are_refused(tmp_path: Path, thresholds: object) -> None:
    with pytest.raises(ArtefactError, match=THRESHOLDS):
        load_span_artefact(write(tmp_path, **{THRESHOLDS: thresholds}))


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"window": 600},
        {"window": 1},
        {"window": True},
        {"overlap": 254},
        {"overlap": True},
        {"files": None},
    ],
)
def test_another_format_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    with pytest.raises(ArtefactError, match=MANIFEST):
        load_span_artefact(write(tmp_path, manifest=change))
