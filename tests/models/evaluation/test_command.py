import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from keepmum_models.__main__ import main

MAIL = "ines.varga@example.org"


def write(path: Path, *records: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record) + "\n" for record in records)


def record(number: int, text: str, *spans: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": number, "lang": "en", "text": text, "spans": list(spans), "user": f"u{number}", **more}


def test_evaluate_measures_a_set_and_the_held_back_users(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"write to {MAIL} today"
    mail = {"start": 9, "end": 9 + len(MAIL)}
    write(tmp_path / "en_nlu_home" / "dev.jsonl.gz", record(1, text, mail | {"label": "email_address"}))
    mine = mail | {"type": "EMAIL", "level": "PL2"}
    write(tmp_path / "held_back.jsonl.gz", record(1, text, mine), record(2, text, mine) | {"lang": "zh"})
    out = tmp_path / "out.json"
    arguments = ["--extractor", "rules", "--data", str(tmp_path), "--sets", "en_nlu_home,en_wnut17+places"]
    more = ["--most", "5", "--held-back", str(tmp_path / "held_back.jsonl.gz"), "--out", str(out)]
    assert main(["evaluate", *arguments, *more]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert list(result["sets"]) == ["en_nlu_home", "generator, held back, en", "generator, held back, zh"]
    assert all((row["private"], row["leak"], row["f1_exact"]) == (1, 0, 100) for row in result["sets"].values())
    said = capsys.readouterr().out
    assert "en_wnut17+places: skipped" in said
    assert MAIL not in said


def test_an_unknown_set_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--sets", "en_wnut18"]) == 2
    assert "no such set: en_wnut18" in capsys.readouterr().out
