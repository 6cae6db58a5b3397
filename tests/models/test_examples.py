import gzip
import json
from pathlib import Path

from keepmum_models.examples import CORPUS, read_corpus, read_train_sets
from keepmum_models.labels import PUBLIC_NAME
from keepmum_shared.taxonomy import Level


def write(path: Path, *records: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(r) + "\n" for r in records)
    return path


def record(text: str, *surfaces: str, **more: object) -> dict[str, object]:
    spans = [{"start": text.index(s), "end": text.index(s) + len(s), "type": "NAME", "level": "PL2"} for s in surfaces]
    return {"id": "1", "user": "u1", "lang": "en", "text": text, "spans": spans} | more


def test_offsets_follow_the_text_as_the_product_reads_it(tmp_path: Path) -> None:
    path = write(tmp_path / "c.gz", record("I am\u200b A\u200bnn", "A\u200bnn"))
    (example,) = read_corpus(path)
    (span,) = example.spans
    assert example.text == "I am Ann"
    assert example.text[span.start : span.end] == "Ann"
    assert span.level is Level.PL2


def test_what_is_not_private_is_not_marked_and_a_public_name_is_a_name(tmp_path: Path) -> None:
    text = "Ann met Marie Curie"
    public = [{"start": 8, "end": 19, "type": "NAME"}, {"start": 0, "end": 3, "type": "ADDRESS"}]
    low = [{"start": 0, "end": 3, "type": "NAME", "level": "PL1"}]
    (example,) = read_corpus(write(tmp_path / "c.gz", record(text, public=public, spans=low)))
    assert [s.label for s in example.spans] == [PUBLIC_NAME]
    assert PUBLIC_NAME in example.meaning.private


def test_a_user_is_wholly_for_training_or_wholly_for_calibration(tmp_path: Path) -> None:
    records = [record("x", id=f"{u}-{i}", user=f"u{u}") for u in range(300) for i in range(2)]
    sides: dict[str, set[bool]] = {}
    for example in read_corpus(write(tmp_path / "c.gz", *records)):
        assert example.source == CORPUS
        sides.setdefault(example.id.split("-")[0], set()).add(example.is_dev)
    assert all(len(side) == 1 for side in sides.values())
    assert 0 < sum(side == {True} for side in sides.values()) < 30


def test_only_train_files_are_read(tmp_path: Path) -> None:
    line: dict[str, object] = {
        "id": "1",
        "lang": "en",
        "text": "Ann",
        "spans": [{"start": 0, "end": 3, "label": "person"}],
    }
    write(tmp_path / "en_wnut17" / "dev.jsonl.gz", line)
    assert list(read_train_sets(tmp_path)) == []
    write(tmp_path / "en_wnut17" / "train.jsonl.gz", line)
    (example,) = read_train_sets(tmp_path)
    assert (example.source, example.spans[0].label) == ("en_wnut17", "person")
