"""Measure what the extractor masks, beside its peers: on the generator's held-back users and every public span set.

    PYTHONPATH=edge:cloud:shared:models python tests/bench/bench_spans.py [--peers-python PEERS/bin/python] [--readme]
        [--sets en_wnut17,zh_crosswoz] [--most 300] [--held-back-users 40] [--peers argus-redact,presidio] [--json FILE]
        [--latency-texts 10]

Rules and model together, as the daemon runs them, in this process on one thread. The held-back users are generated on
the spot. The public sets are `dev` files under `KEEPMUM_DATA` (default: shared/data beside the repository), which
nothing is trained on; a set that is not there is skipped and says so. `tests/bench/peers/requirements.txt` says how to
make the interpreter of the peers; a peer that is not there is reported as absent. A peer is asked about sets in its
languages. Figures are defined in `models/keepmum_models/evaluation`. Prints one JSON line with the main ones, and a
table; `--json` writes all of them, with intervals, levels and languages; `--readme` rewrites the table in README.md.

Targets: on English sets at most a third of the false masks of tuned Presidio (`span_peers`); on one thread, median, 6,
18 and 170 ms for texts of 40, 128 and 1,000 tokens.
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

from keepmum_models.evaluation.figures import summary_by_language
from keepmum_models.evaluation.measure import answers_of, make_extractor
from keepmum_models.evaluation.reading import Sample, dev_samples, held_back_samples
from keepmum_models.evaluation.sets import SETS
from keepmum_models.folders import data_folder
from report import machine, show
from span_peers import PEERS, TUNED, PeerAbsentError, answer, is_for, replies_of
from span_table import OURS, between_marks, markdown, table
from token_lengths import latency

README: Final = Path(__file__).parents[2] / "README.md"
SHARE_OF_TUNED: Final = 3
MOST: Final = 300
USERS: Final = 40
_MAIN: Final = (
    "leak", "f1", "f1_exact", "paper_f1", "typed", "negatives_masked", "overmask", "false_per_1k", "p50_ms", "p95_ms",
)  # fmt: skip


def held_back_file(folder: Path) -> Path:
    """Generate the held-back users and return their file."""
    command = [sys.executable, "-m", "keepmum_models", "corpus", "--held-back", "--out", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder / "held_back.jsonl.gz"


def texts_by_language(path: Path) -> dict[str, Sequence[str]]:
    """Return the texts of the held-back users, to cut texts of a length from."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return {language: [r["text"] for r in records if r["lang"] == language] for language in ("en", "zh")}


def language(sample: Sample) -> str:
    """Return the language of most texts of a sample."""
    return Counter(text.language for text in sample.texts).most_common(1)[0][0]


def ask_peer(python: str | None, peer: str, samples: Sequence[Sample]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ask a peer about every sample that it is for.

    Returns:
        What to say of the peer itself, and the figures by sample and by name ("presidio tuned" is one of its own).
    """
    mine = [sample for sample in samples if is_for(peer, language(sample))]
    if python is None:
        return {"peer": peer, "absent": "no --peers-python"}, {}
    try:
        version, replies = replies_of(python, peer, [text.text for sample in mine for text in sample.texts])
    except PeerAbsentError as error:
        return {"peer": peer, "absent": str(error)}, {}
    rows: dict[str, Any] = {}
    rest = iter(replies)
    for sample in mine:
        said = [next(rest) for _ in sample.texts]
        for name in (peer, TUNED) if peer == "presidio" else (peer,):
            answers = [answer(name, reply) for reply in said]
            rows.setdefault(sample.name, {})[name] = summary_by_language(sample.spec, sample.texts, answers)
    errors = sum(reply.error is not None for reply in replies)
    return {"peer": peer, "version": version, "texts": len(replies), "errors": errors}, rows


def false_target(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return our false masks beside a third of tuned Presidio's, None where either is not defined."""
    tuned = entry["rows"].get(TUNED, {}).get("false_per_1k")
    ours = entry["rows"][OURS]["false_per_1k"]
    if entry["language"] != "en" or tuned is None or ours is None:
        return None
    limit = round(tuned / SHARE_OF_TUNED, 2)
    return {"value": ours, "target": limit, "met": ours <= limit}


def measure(arguments: argparse.Namespace, held_back: Path) -> dict[str, Any]:
    """Run everything and return the result."""
    samples = list(_samples(arguments, held_back))
    extractor = make_extractor("combined")
    sets: dict[str, Any] = {}
    for sample in samples:
        _say(f"keepmum: {sample.name}")
        ours = summary_by_language(sample.spec, sample.texts, answers_of(extractor, sample.texts))
        sets[sample.name] = {"language": language(sample), "rows": {OURS: ours}}
    peers = []
    for peer in arguments.peers:
        _say(peer)
        about, rows = ask_peer(arguments.peers_python, peer, samples)
        peers.append(about)
        for name, found in rows.items():
            sets[name]["rows"] |= found
    for entry in sets.values():
        if (reached := false_target(entry)) is not None:
            entry["false_target"] = reached
    lengths: dict[str, Any] = {}
    if arguments.latency_texts:
        _say("latency")
        lengths = latency(texts_by_language(held_back), each=arguments.latency_texts)
    return {
        "bench": "spans",
        "data": f"at most {arguments.most or 'all'} texts a set, {arguments.held_back_users} held-back users",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine(),
        "extractor": extractor.model_id,
        "sets": sets,
        "latency": lengths,
        "peers": peers,
        "met": all(row["p50_ms"]["met"] for row in lengths.get("rows", {}).values())
        and all(entry["false_target"]["met"] for entry in sets.values() if "false_target" in entry),
    }


def main_figures(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result without intervals, levels and languages, to print."""
    sets = {
        name: {**entry, "rows": {who: {key: row[key] for key in _MAIN} for who, row in entry["rows"].items()}}
        for name, entry in result["sets"].items()
    }
    return {**result, "sets": sets}


def _samples(arguments: argparse.Namespace, held_back: Path) -> Iterator[Sample]:
    if arguments.held_back_users:
        yield from held_back_samples(held_back, most=arguments.most, users=arguments.held_back_users)
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
    parser.add_argument("--most", type=int, default=MOST, help="texts of a set, 0: all")
    parser.add_argument("--held-back-users", type=int, default=USERS, help="half in each language; 0: none")
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
        result = measure(arguments, held_back_file(Path(folder)))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if arguments.readme:
        README.write_text(between_marks(README.read_text(encoding="utf-8"), markdown(result)), encoding="utf-8")
    show(main_figures(result), table(result))


if __name__ == "__main__":
    main()
