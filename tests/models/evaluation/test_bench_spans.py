import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_inference.artefact import load_span_artefact
from keepmum_inference.subwords import Subwords
from keepmum_models.evaluation.masks import Mask, Unlisted
from keepmum_shared.taxonomy import EntityType, Level
from span_peers import PEERS, Find, PeerAbsentError, Reply, answer, is_for, replies_of
from span_table import BEGIN, END, HEADING, MarksMissingError, between_marks, markdown, table
from span_targets import TUNED
from token_lengths import cut_to

REPOSITORY = Path(__file__).parents[3]


def write_set(data: Path, name: str, texts: list[tuple[str, str, str]]) -> None:
    """Write a `dev` file; of each text the surface and the label of its one span, "" for none."""
    (data / name).mkdir(parents=True)
    with gzip.open(data / name / "dev.jsonl.gz", "wt", encoding="utf-8") as lines:
        for number, (text, surface, label) in enumerate(texts):
            start = text.index(surface)
            spans = [{"start": start, "end": start + len(surface), "label": label}] if surface else []
            lines.write(json.dumps({"id": f"t{number}", "lang": name[:2], "text": text, "spans": spans}) + "\n")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the script writes for two small sets and the held-back users, without peers."""
    folder = tmp_path_factory.mktemp("bench")
    mails = [
        ("Please write to ines.varga@example.org about it", "ines.varga@example.org", "email_address"),
        ("send it to tom_reyes@example.net now", "tom_reyes@example.net", "email_address"),
        ("turn the lights off", "", ""),
    ]
    write_set(folder / "data", "en_nlu_home", mails)
    write_set(folder / "data", "zh_crosswoz", [("电话是13800138000，谢谢", "13800138000", "PHONE")])
    script = REPOSITORY / "tests" / "bench" / "bench_spans.py"
    command = [sys.executable, str(script), "--data", str(folder / "data"), "--most", "20"]
    command += ["--held-back-users", "4", "--secret-draws", "10", "--latency-texts", "1"]
    command += ["--json", str(folder / "out.json")]
    path = os.pathsep.join(str(REPOSITORY / part) for part in ("edge", "cloud", "shared", "models"))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("KEEPMUM")}
    done = subprocess.run(
        command, env=environment | {"PYTHONPATH": path}, capture_output=True, text=True, check=True, timeout=240
    )
    assert "en_wnut17: skipped, not under the data folder" in done.stderr
    printed = json.loads(done.stdout.splitlines()[0])
    written = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    assert printed["bench"] == written["bench"] == "spans"
    assert printed["sets"].keys() == written["sets"].keys()
    assert printed["met"] is written["met"] is all(target["met"] is not False for target in written["targets"])
    return dict(written)


def test_it_measures_every_set_that_is_there_and_the_held_back_users(result: dict[str, Any]) -> None:
    assert list(result["sets"]) == [
        "generator, held back, en", "generator, held back, zh", "zh_crosswoz", "en_nlu_home",
    ]  # fmt: skip
    mails = result["sets"]["en_nlu_home"]["rows"]["keepmum"]
    assert (mails["texts"], mails["private"], mails["negatives"]) == (3, 2, 1)
    assert (mails["leak"], mails["f1"], mails["f1_exact"], mails["paper_f1"]) == (0, 100, 100, 100)
    assert (mails["negatives_masked"], mails["false_per_1k"]) == (0, 0)
    assert mails["levels"]["PL2"]["private"] == 2
    assert result["sets"]["zh_crosswoz"]["rows"]["keepmum"]["leak"] == 0
    users = result["sets"]["generator, held back, zh"]["rows"]["keepmum"]
    assert users["texts"] == 20
    assert 0 < users["f1_exact"] <= users["f1"] <= 100


def test_it_times_texts_of_each_length_and_says_what_it_holds(result: dict[str, Any]) -> None:
    rows = result["latency"]["rows"]
    assert list(rows) == ["40 tokens", "128 tokens", "1000 tokens"]
    assert all(row["texts"] == 2 for row in rows.values())
    assert 0 < rows["40 tokens"]["p50_ms"] < rows["1000 tokens"]["p50_ms"]
    resident = result["latency"]["resident_mb"]
    assert 0 < resident["before"] < resident["loaded"]
    assert resident["before"] < result["daemon"]["resident_mb"]  # of a daemon that was really started


def test_it_draws_the_users_for_their_secrets_and_says_of_each_type_what_is_masked(result: dict[str, Any]) -> None:
    types = result["secrets"]["types"]
    assert types.keys() >= {"PASSWORD", "PIN", "OTP", "API_KEY", "COOKIE", "SECURITY_ANSWER"}
    assert all(0 <= row["masked"] <= 100 and row["private"] >= 10 for row in types.values())
    judged = {target["of"]: target["value"] for target in result["targets"]}
    assert judged["secrets of held-back users, PIN"] == types["PIN"]["masked"]


def test_peers_that_are_not_there_are_said_to_be_absent(result: dict[str, Any]) -> None:
    assert {peer["peer"]: peer["absent"] for peer in result["peers"]} == dict.fromkeys(PEERS, "no --peers-python")
    made = markdown(result)
    assert all(f"{peer} (absent: no --peers-python)" in made for peer in PEERS)


def test_the_table_has_a_row_for_each_set(result: dict[str, Any]) -> None:
    rows = table(result)
    assert rows[0] == list(HEADING)
    assert [row[0] for row in rows[1:]] == list(result["sets"])
    assert all(len(row) == len(HEADING) for row in rows)


def test_an_interpreter_without_the_peer_is_an_absent_peer() -> None:
    with pytest.raises(PeerAbsentError, match="LAC is not installed"):
        replies_of(sys.executable, "lac", ["我叫李明"])
    with pytest.raises(PeerAbsentError, match="no interpreter"):
        replies_of("/nowhere/python", "lac", ["我叫李明"])


def test_a_peers_labels_become_types_and_tuning_drops_dates_and_guesses() -> None:
    finds = tuple(
        Find(start=number, end=number + 1, label=label, score=score)
        for number, (label, score) in enumerate((("PERSON", 0.85), ("DATE_TIME", 0.85), ("US_SSN", 0.05), ("NEW", 0.9)))
    )
    reply = Reply(finds=finds, milliseconds=3.0, error=None)
    name = Mask(start=0, end=1, kind=EntityType.NAME, level=Level.PL2)
    new = Mask(start=3, end=4, kind=Unlisted.UNKNOWN, level=None)
    everything = answer("presidio", reply).masks
    assert [mask.kind for mask in everything] == [
        EntityType.NAME, Unlisted.OTHER, EntityType.NATIONAL_ID, Unlisted.UNKNOWN,
    ]  # fmt: skip
    assert answer(TUNED, reply).masks == (name, new)


def test_peers_are_asked_in_their_languages_only() -> None:
    assert is_for("lac", "zh")
    assert not is_for("lac", "en")
    assert not is_for("presidio", "zh")
    assert is_for("argus-redact", "zh")
    assert is_for("argus-redact", "code")


def test_texts_are_cut_to_a_number_of_tokens_without_reuse() -> None:
    subwords = Subwords(load_span_artefact(artefact_folder()).tokenizer_json)
    sentences = [f"Ines Varga rang about flat {number}, 电话是1380013{number:04}。" for number in range(40)]
    made = cut_to(sentences, 50, subwords, most=3)
    assert len(made) == 3
    assert all(abs(len(subwords.encode(text).ids) - 50) <= 1 for text in made)  # the cut may split a piece otherwise
    assert not set(made[0].splitlines()) & set(made[1].splitlines())
    assert cut_to(sentences[:1], 5000, subwords, most=3) == []


def test_rewriting_between_the_marks_keeps_the_rest_and_can_be_repeated() -> None:
    readme = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    once = between_marks(readme, "| new |")
    assert once == f"before\n{BEGIN}\n\n| new |\n\n{END}\nafter\n"
    assert between_marks(once, "| new |") == once
    for wrong in ("no marks", f"{END} {BEGIN}", f"{BEGIN} {BEGIN} {END}"):
        with pytest.raises(MarksMissingError):
            between_marks(wrong, "| new |")


def test_the_readme_has_the_marks() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert "| new |" in between_marks(readme, "| new |")
