"""How often the classifier of protected attributes misses, and how often it keeps ordinary text here. No network.

    python tests/bench/bench_classify.py [rules|shipped] [limit]     KEEPMUM_DATA: where the public data lies

Recall for each attribute, of generated sentences (`attribute_sentences`: those of the patterns that were held back, and
the others beside) and of the evidence in dp_medquad and dp_mts_dialog, whose attributes are weak tags by keyword (a
hint, not gold) and whose misses were read for their kind while the words were chosen; by the product, which reads cues
and meaning, and by its cues alone. A text is found if it stays here and the attribute is among those it may imply;
`stayed` counts those that stay here at all, which is what the guarantee rests on. Kept here of held-back sentences that
imply nothing, a third of which stand near an attribute in words, and of everyday requests in English and Chinese: false
positives. Texts are masked first, as eligibility sees them: a private span is gone but for its type. Prints one JSON
line and a table.
"""

import argparse
import gzip
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from attribute_sentences import NOTHING, sentences
from keepmum_edge.daemon.retrieval.meaning import head_id, load_head
from keepmum_edge.memory.classify import Classifier, Judgement
from keepmum_edge.memory.implied import NOTHING as NOTHING_MEANT
from keepmum_edge.memory.implied import EmbeddedAttributes, Meaning
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.shipped import load_shipped
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise
from keepmum_inference.embedding import load_embedder
from keepmum_models.folders import data_folder
from keepmum_shared.view import shipped_policy
from report import machine, show

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
HELD_BACK: Final = "generated, held back"
READ: Final = "generated, read"
OF_A_PATTERN: Final = 6
"""Sentences of a pattern, at most."""
SENTENCES_LOW: Final = 0.98
"""Of generated sentences: lower end of the 95 % Wilson interval."""
EVIDENCE_RECALL: Final = 0.95


def rows(name: str, limit: int) -> Iterator[dict[str, Any]]:
    """Yield the first records of a public set; none where it is not there, which is told."""
    path = data_folder() / name / "dev.jsonl.gz"
    if not path.is_file():
        print(f"{name}: skipped, not under the data folder", file=sys.stderr, flush=True)
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
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


@dataclass(slots=True)
class Count:
    """Texts of one attribute and source.

    Attributes:
        found: Stay here, the attribute among those implied.
        stayed: Stay here.
        by_cues: Found by cues alone.
        missed: Texts that were not found, to be read; none of held-back ones.
    """

    texts: int = 0
    found: int = 0
    stayed: int = 0
    by_cues: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, judged: "Judged", attribute: str, text: str | None) -> None:
        """Count one; `text` is kept if it is a miss."""
        is_found = attribute in judged.product.attributes
        self.texts += 1
        self.found += is_found
        self.stayed += judged.product.is_local_only
        self.by_cues += attribute in judged.cues.attributes
        if not is_found and text is not None:
            self.missed.append(text)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the product says of a text, and what its cues say alone."""

    product: Judgement
    cues: Judgement


class CuesAlone:
    """Reads no meaning."""

    reader_id = "cues alone"
    is_usable = True

    def read(self, _: str) -> Meaning:
        """Return nothing."""
        return NOTHING_MEANT


class Judge:
    """Masks a text as it would be sent, and judges what is left."""

    def __init__(self, extractor: SpanExtractor) -> None:
        self._extractor = extractor
        self._product = Classifier(
            shipped_policy(), EmbeddedAttributes(lambda: (load_embedder(None), load_head()), head_id())
        )
        self._cues = Classifier(shipped_policy(), CuesAlone())
        self.seconds: list[float] = []

    def __call__(self, text: str) -> Judged:
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        spans = self._extractor.extract(text)
        masked = pseudonymise(
            text, spans, vault, origin=Origin.OWNER, profile=MemoryProfileNumbers(), settings=MaskSettings()
        ).text
        start = time.perf_counter()
        judgement = self._product.judge(masked, lambda _: None)
        self.seconds.append(time.perf_counter() - start)
        return Judged(judgement, self._cues.judge(masked, lambda _: None))


def of_evidence(judge: Judge, limit: int) -> dict[tuple[str, str], Count]:
    """Judge the evidence of the public sets."""
    counts: dict[tuple[str, str], Count] = {}
    for name, text_of in EVIDENCE.items():
        for row in rows(name, limit):
            if row["attributes"]:
                judged = judge(text_of(row))
                for tag in row["attributes"]:
                    counts.setdefault((name, NAMES[tag]), Count()).add(judged, NAMES[tag], text_of(row))
    return counts


def of_sentences(judge: Judge) -> dict[tuple[str, str], Count]:
    """Judge generated sentences."""
    counts: dict[tuple[str, str], Count] = {}
    for each in sentences(OF_A_PATTERN):
        source = HELD_BACK if each.is_held_back else READ
        text = None if each.is_held_back else each.text
        counts.setdefault((source, each.attribute), Count()).add(judge(each.text), each.attribute, text)
    return dict(sorted(counts.items()))


def of_everyday(judge: Judge, limit: int) -> dict[tuple[str, str], Count]:
    """Judge everyday requests of the public sets."""
    counts: dict[tuple[str, str], Count] = {}
    for name in EVERYDAY:
        for row in rows(name, limit):
            counts.setdefault((name, NOTHING), Count()).add(judge(row["text"]), NOTHING, None)
    return counts


def main(extractor: SpanExtractor, limit: int, *, missed: bool) -> None:
    """Judge everything and report."""
    judge = Judge(extractor)
    judged = of_sentences(judge) | of_evidence(judge, limit) | of_everyday(judge, limit)
    counts = {key: count for key, count in judged.items() if key[1] != NOTHING}
    harmless = {source: count for (source, attribute), count in judged.items() if attribute == NOTHING}
    result = {
        "bench": "classify",
        "machine": machine(),
        "extractor": extractor.model_id,
        "recall": {
            f"{source}/{attribute}": {
                "texts": count.texts,
                "found": count.found,
                "stayed": count.stayed,
                "by_cues": count.by_cues,
                "at_least": round(wilson(count.found, count.texts), 4),
                **_met(source, count),
            }
            for (source, attribute), count in counts.items()
        },
        "kept_here": {source: {"texts": each.texts, "kept": each.stayed} for source, each in harmless.items()},
        "p50_ms": round(statistics.median(judge.seconds) * 1000, 3),
    }
    table: list[tuple[object, ...]] = [
        ("source", "attribute", "found", "of", "recall", "at least", "stayed", "by cues", "target", "met")
    ]
    for (source, attribute), count in counts.items():
        verdict = _met(source, count)
        recall, low = count.found / count.texts, wilson(count.found, count.texts)
        met = {True: "yes", False: "NO", None: "-"}[verdict.get("met")]
        shares = [f"{each:.3f}" for each in (recall, low, count.stayed / count.texts, count.by_cues / count.texts)]
        table.append((source, attribute, count.found, count.texts, *shares, verdict.get("target", "-"), met))
    for source, each in harmless.items():
        row = (source, "nothing: kept here", each.stayed, each.texts, f"{each.stayed / each.texts:.3f}")
        table.append((*row, *"-----"))
    show(result, table)
    if missed:
        for (source, attribute), count in counts.items():
            for text in count.missed:
                print(f"{source} {attribute}: {text}")


def _met(source: str, count: Count) -> dict[str, Any]:
    """Return the target of a source and whether it is met; for generated sentences by the interval's lower end."""
    if source == READ:
        return {}
    limit = SENTENCES_LOW if source == HELD_BACK else EVIDENCE_RECALL
    value = wilson(count.found, count.texts) if source == HELD_BACK else count.found / count.texts
    return {"target": limit, "met": value >= limit}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("extractor", nargs="?", choices=("rules", "shipped"), default="shipped")
    parser.add_argument("limit", nargs="?", type=int, default=2000, help="texts of a public set")
    parser.add_argument("--missed", action="store_true", help="print what was missed, but for what is held back")
    wanted = parser.parse_args()
    main(load_shipped() if wanted.extractor == "shipped" else RuleExtractor(), wanted.limit, missed=wanted.missed)
