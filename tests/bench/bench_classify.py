"""How often the classifier of protected attributes misses, and how often it keeps ordinary text here.

Recall on the evidence of dp_medquad and dp_mts_dialog, whose attributes are weak tags by keyword (a hint, not gold);
kept here of everyday requests in English and Chinese. Texts are masked first, as eligibility sees them: a private span
is gone but for its type. Misses on these files were read for their kind while the words were chosen, so they are no
held-back data. Prints one JSON line and a table.

    bench_classify.py [rules|shipped] [limit]      (KEEPMUM_DATA: where the data lies, default ../shared/data)
"""

import gzip
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from keepmum_edge.memory.classify import Classifier
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.shipped import load_shipped
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise
from keepmum_shared.view import shipped_policy

NAMES = {
    "type2_diabetes": "type_2_diabetes",
    "pregnancy": "pregnancy",
    "severe_debt": "unsecured_debt",
    "job_loss": "job_loss",
}
EVIDENCE: dict[str, Callable[[dict[str, Any]], str]] = {
    "dp_medquad": lambda row: f"{row['question']} {row['answer']}",
    "dp_mts_dialog": lambda row: f"{row['dialogue']} {row['note']}",
}
EVERYDAY = ("en_nlu_home", "zh_xsid", "zh_crosswoz")


def rows(name: str, limit: int) -> Iterator[dict[str, Any]]:
    folder = Path(os.environ.get("KEEPMUM_DATA", "../shared/data"))
    with gzip.open(folder / name / "dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number == limit:
                return
            yield json.loads(line)


def wilson(hits: int, of: int) -> float:
    """Lower end of the 95 % Wilson interval."""
    if of == 0:
        return 0.0
    z, rate = 1.96, hits / of
    centre = rate + z * z / (2 * of)
    return (centre - z * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))) / (1 + z * z / of)


def main(extractor: SpanExtractor, limit: int) -> None:
    classifier = Classifier(shipped_policy())
    settings, times = MaskSettings(), []

    def judge(text: str) -> Any:
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        spans = extractor.extract(text)
        masked = pseudonymise(
            text, spans, vault, origin=Origin.OWNER, profile=MemoryProfileNumbers(), settings=settings
        ).text
        start = time.perf_counter()
        found = classifier.judge(masked, lambda _: None)
        times.append(time.perf_counter() - start)
        return found

    table: list[tuple[str, str, int, int, float]] = []
    for name, text_of in EVIDENCE.items():
        counts = {each: [0, 0] for each in NAMES.values()}
        for row in rows(name, limit):
            if row["attributes"]:
                found = judge(text_of(row))
                for tag in row["attributes"]:
                    counts[NAMES[tag]][0] += found.is_local_only and NAMES[tag] in found.attributes
                    counts[NAMES[tag]][1] += 1
        table += [(name, each, hits, of, wilson(hits, of)) for each, (hits, of) in counts.items() if of]
    kept_here = {}
    for name in EVERYDAY:
        judged = [judge(row["text"]).is_local_only for row in rows(name, limit)]
        kept_here[name] = [sum(judged), len(judged)]
    result = {
        "bench": "classify",
        "extractor": extractor.model_id,
        "recall": {f"{name}/{each}": [hits, of, round(low, 4)] for name, each, hits, of, low in table},
        "kept_here": kept_here,
        "p50_ms": round(sorted(times)[len(times) // 2] * 1000, 3),
        "machine": platform.machine(),
    }
    print(json.dumps(result))
    for name, each, hits, of, low in table:
        print(f"{name:15} {each:18} recall {hits}/{of} = {hits / of:.3f} (at least {low:.3f})", file=sys.stderr)
    for name, (kept, of) in kept_here.items():
        print(f"{name:15} kept here {kept}/{of} = {kept / of:.3f}", file=sys.stderr)


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "rules"
    main(load_shipped() if wanted == "shipped" else RuleExtractor(), int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
