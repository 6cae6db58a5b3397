"""Measure what the extractor masks, beside its peers: on the generator's held-back users and every public span set.

    PYTHONPATH=edge:cloud:shared:models python tests/bench/bench_spans.py [--peers-python PEERS/bin/python] [--readme]
        [--sets en_wnut17,zh_crosswoz] [--most 300] [--held-back-users 40] [--secret-draws 4] [--no-daemon]
        [--peers argus-redact,presidio] [--json FILE] [--latency-texts 10]

Rules and model together, as the daemon runs them, in this process on one thread. The held-back users are generated on
the spot; their secrets, of which 40 users have few of each type, are drawn several times. The public sets are `dev`
files under `KEEPMUM_DATA` (default: shared/data beside the repository), which nothing is trained on; a set that is not
there is skipped and says so, and so are the cases (`KEEPMUM_CASES`). `tests/bench/peers/requirements.txt` says how to
make the interpreter of the peers; a peer that is not there is reported as absent. A peer is asked about sets in its
languages. Figures are defined in `models/keepmum_models/evaluation`. Prints one JSON line with the main ones, and a
table; `--json` writes all of them, with intervals, levels and languages; `--readme` rewrites the table in README.md.

Targets: `span_targets`. Each is told as met, not met, or not measured; "met" of the whole is that none is missed.
"""

import argparse
import datetime
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bench_start import start
from full_profile import made_profile
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_models.evaluation.figures import Answer, masked_by_type, percent, summary_by_language
from keepmum_models.evaluation.measure import answers_of, make_extractor
from keepmum_models.evaluation.reading import Sample, dev_samples, held_back_samples
from keepmum_models.evaluation.sets import HELD_BACK, SECRETS, SETS
from keepmum_models.folders import data_folder
from report import machine, show, show_table
from span_peers import PEERS, PeerAbsentError, answer, is_for, replies_of
from span_table import between_marks, markdown, table, target_table
from span_targets import OURS, TUNED, outcomes
from token_lengths import latency

sys.path.insert(0, str(Path(__file__).parents[1]))
from detect_cases import detect_cases

README: Final = Path(__file__).parents[2] / "README.md"
USERS: Final = 40
SECRET_DRAWS: Final = 4
_MAIN: Final = (
    "leak", "f1", "f1_exact", "paper_f1", "typed", "negatives_masked", "overmask", "false_per_1k", "p50_ms", "p95_ms",
)  # fmt: skip
_STATES: Final = {"met": True, "not met": False, "not measured": None}


def held_back_file(folder: Path, seed: int = 1) -> Path:
    """Generate the held-back users, once a seed, and return their file."""
    out = folder / str(seed)
    file = out / "held_back.jsonl.gz"
    if file.exists():
        return file
    command = [sys.executable, "-m", "keepmum_models", "corpus", "--held-back", "--out", str(out), "--seed", str(seed)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file


def texts_by_language(path: Path) -> dict[str, Sequence[str]]:
    """Return the texts of the held-back users, to cut texts of a length from."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return {language: [r["text"] for r in records if r["lang"] == language] for language in ("en", "zh")}


def language(sample: Sample) -> str:
    """Return the language of most texts of a sample."""
    return Counter(text.language for text in sample.texts).most_common(1)[0][0]


class Asked:
    """Our extractor, asked once about each text: sets that are read in two ways have the same texts."""

    def __init__(self, extractor: SpanExtractor) -> None:
        self.extractor = extractor
        self._answers: dict[str, Answer] = {}

    def about(self, sample: Sample) -> list[Answer]:
        """Return its answers, one per text."""
        new = [text for text in sample.texts if text.text not in self._answers]
        self._answers |= {text.text: said for text, said in zip(new, answers_of(self.extractor, new), strict=True)}
        return [self._answers[text.text] for text in sample.texts]


def ask_peer(python: str | None, peer: str, samples: Sequence[Sample]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ask a peer about every sample that it is for, once about each text.

    Returns:
        What to say of the peer itself, and the figures by sample and by name ("presidio tuned" is one of its own).
    """
    mine = [sample for sample in samples if is_for(peer, language(sample))]
    if python is None:
        return {"peer": peer, "absent": "no --peers-python"}, {}
    texts = list(dict.fromkeys(text.text for sample in mine for text in sample.texts))
    try:
        version, replies = replies_of(python, peer, texts)
    except PeerAbsentError as error:
        return {"peer": peer, "absent": str(error)}, {}
    rows: dict[str, Any] = {}
    said = dict(zip(texts, replies, strict=True))
    for sample in mine:
        for name in (peer, TUNED) if peer == "presidio" else (peer,):
            answers = [answer(name, said[text.text]) for text in sample.texts]
            rows.setdefault(sample.name, {})[name] = summary_by_language(sample.spec, sample.texts, answers)
    errors = sum(reply.error is not None for reply in replies)
    return {"peer": peer, "version": version, "texts": len(replies), "errors": errors}, rows


def secrets_masked(extractor: SpanExtractor, folder: Path, draws: int, users: int) -> dict[str, Any]:
    """Return by type how many secrets of the held-back users (0: all) are masked, over several draws of them."""
    texts = [
        text
        for seed in range(1, draws + 1)
        for sample in held_back_samples(held_back_file(folder, seed), users=users)
        for text in sample.texts
        if any(gold.is_secret for gold in text.private)
    ]
    found = masked_by_type(HELD_BACK, texts, answers_of(extractor, texts), SECRETS)
    rows = {str(t): {"private": n, "masked": round(100 * masked / n, 2)} for t, (n, masked) in found.items()}
    return {"draws": draws, "texts": len(texts), "types": rows}


def detect_figures(extractor: SpanExtractor) -> dict[str, Any]:
    """Return what of the detect cases is masked, in per cent, and in how many of them something that must stay."""
    found = [(case, extractor.extract(case.text)) for case in detect_cases()]
    masked = [(w.is_secret, done) for c, spans in found for w, done in zip(c.wanted, c.masked(spans), strict=True)]
    secrets = [done for is_secret, done in masked if is_secret]
    return {
        "cases": len(found),
        "masked": percent(sum(done for _, done in masked), len(masked)),
        "secrets masked": percent(sum(secrets), len(secrets)),
        "wrong": sum(case.is_wrong(spans) for case, spans in found) if found else None,
    }


def daemon_figures() -> dict[str, float]:
    """Return what a real daemon holds after it has read long texts; see `bench_start`."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        return {"resident_mb": round(start(made_profile(home), home).after_reading, 1)}


def measure(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run everything and return the result."""
    samples = list(_samples(arguments, folder))
    ours = Asked(make_extractor("combined"))
    sets: dict[str, Any] = {}
    for sample in samples:
        _say(f"keepmum: {sample.name}")
        row = summary_by_language(sample.spec, sample.texts, ours.about(sample))
        sets[sample.name] = {"language": language(sample), "rows": {OURS: row}}
    _say("keepmum: secrets, cases, latency, daemon")
    result: dict[str, Any] = {
        "bench": "spans",
        "data": f"{f'at most {arguments.most}' if arguments.most else 'all'} texts a set, "
        f"{arguments.held_back_users} held-back users",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine(),
        "extractor": ours.extractor.model_id,
        "sets": sets,
        "secrets": secrets_masked(ours.extractor, folder, arguments.secret_draws, arguments.held_back_users)
        if arguments.secret_draws
        else {},
        "cases": detect_figures(ours.extractor),
        "latency": latency(texts_by_language(held_back_file(folder)), each=arguments.latency_texts)
        if arguments.latency_texts
        else {},
        "daemon": daemon_figures() if arguments.daemon else {},
        "model_mb": round(sum(file.stat().st_size for file in artefact_folder().iterdir()) / 1e6, 1),
        "peers": [],
    }
    for peer in arguments.peers:
        _say(peer)
        about, rows = ask_peer(arguments.peers_python, peer, samples)
        result["peers"].append(about)
        for name, found in rows.items():
            sets[name]["rows"] |= found
    reached = outcomes(result)
    return result | {
        "targets": [outcome.as_dict() for outcome in reached],
        "met": all(outcome.met is not False for outcome in reached),
    }


def main_figures(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result without intervals, levels and languages, to print."""
    sets = {
        name: {**entry, "rows": {who: {key: row[key] for key in _MAIN} for who, row in entry["rows"].items()}}
        for name, entry in result["sets"].items()
    }
    targets = {state: sum(t["met"] is met for t in result["targets"]) for state, met in _STATES.items()}
    return {**result, "sets": sets, "targets": targets}


def _samples(arguments: argparse.Namespace, folder: Path) -> Iterator[Sample]:
    if arguments.held_back_users:
        yield from held_back_samples(held_back_file(folder), most=arguments.most, users=arguments.held_back_users)
    yield from dev_samples(arguments.data, arguments.sets, most=arguments.most, say=_say)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _names(value: str) -> list[str]:
    return [name for name in value.split(",") if name]


def main() -> None:
    """Measure, and print the JSON line and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data_folder())
    parser.add_argument("--sets", type=_names, help="default: all")
    parser.add_argument("--most", type=int, default=0, help="texts of a set; 0: all")
    parser.add_argument("--held-back-users", type=int, default=USERS, help="half in each language; 0: none")
    parser.add_argument(
        "--secret-draws", type=int, default=SECRET_DRAWS, help="of those users (of all if none), for secrets; 0: none"
    )
    parser.add_argument("--no-daemon", dest="daemon", action="store_false", help="no daemon is started")
    parser.add_argument("--peers", type=_names, default=list(PEERS), help=f"of {', '.join(PEERS)}; '': none")
    parser.add_argument("--peers-python", default=os.environ.get("KEEPMUM_PEERS_PYTHON"), help="their interpreter")
    parser.add_argument("--latency-texts", type=int, default=10, help="of each length and language; 0: not timed")
    parser.add_argument("--json", type=Path, help="write all figures there")
    parser.add_argument("--readme", action="store_true", help="rewrite the table in README.md")
    arguments = parser.parse_args()
    if unknown := set(arguments.peers) - set(PEERS):
        parser.error(f"no such peer: {', '.join(sorted(unknown))}")
    if unknown := set(arguments.sets or SETS) - set(SETS):
        parser.error(f"no such set: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder:
        result = measure(arguments, Path(folder))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if arguments.readme:
        README.write_text(between_marks(README.read_text(encoding="utf-8"), markdown(result)), encoding="utf-8")
    show(main_figures(result), table(result))
    print()
    show_table(target_table(result))


if __name__ == "__main__":
    main()
