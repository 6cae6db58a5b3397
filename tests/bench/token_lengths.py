"""Texts of a given number of tokens of the span model, and the time that the extractor takes for them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from keepmum_edge.spans.encoder import artefact_folder
from keepmum_inference.artefact import load_span_artefact
from keepmum_inference.subwords import Subwords
from report import percentile
from span_targets import LATENCY_MS

_SCRIPT: Final = Path(__file__).with_name("extraction_latency.py")


def cut_to(texts: Sequence[str], tokens: int, subwords: Subwords, *, most: int) -> list[str]:
    """Join texts, in order, until they have that many tokens, and cut there; `most` such texts, without reuse."""
    made: list[str] = []
    text = ""
    for piece in texts:
        text = f"{text}\n{piece}" if text else piece
        pieces = subwords.encode(text)
        if len(pieces.ids) >= tokens:
            made.append(text[: int(pieces.ends[tokens - 1])])
            text = ""
        if len(made) == most:
            break
    return made


def latency(texts: Mapping[str, Sequence[str]], *, each: int) -> dict[str, Any]:
    """Measure in a process of its own.

    Args:
        texts: By language, to cut from.
        each: Texts of a length and language.
    """
    subwords = Subwords(load_span_artefact(artefact_folder()).tokenizer_json)
    sent = {
        str(tokens): [text for some in texts.values() for text in cut_to(some, tokens, subwords, most=each)]
        for tokens in LATENCY_MS
    }
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(_SCRIPT)]
    done = subprocess.run(
        command, input=json.dumps(sent), stdout=subprocess.PIPE, text=True, check=True, env=environment
    )
    raw = json.loads(done.stdout)
    rows = {
        f"{tokens} tokens": {
            "texts": len(sent[str(tokens)]),
            "p50_ms": percentile(raw["milliseconds"][str(tokens)], 50),
            "p95_ms": percentile(raw["milliseconds"][str(tokens)], 95),
            "processor_p50_ms": percentile(raw["processor"][str(tokens)], 50),
        }
        for tokens in LATENCY_MS
    }
    return {"load_s": raw["load_s"], "resident_mb": raw["resident_mb"], "rows": rows}
