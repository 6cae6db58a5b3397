"""Time the peers that are installed beside this interpreter; run by bench_turn with `--peers-python`.

Reads {"messages": [...], "pieces": [...]} from stdin and writes a JSON list, an entry a peer. Each peer masks every
message and restores it from its own map, with no network and its rules only. Peers find other things than Keepmum and
keep nothing on disk; the figures are the time alone.
"""

import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any


def _argus() -> tuple[Callable[[str], Any], Callable[[Any], object]]:
    from argus_redact import redact, restore

    return lambda text: redact(text, mode="fast", lang=["zh", "en"]), lambda done: restore(*done, guard=False)


def _veil() -> tuple[Callable[[str], Any], Callable[[Any], object]]:
    from veil import Masker

    masker = Masker()
    return masker.mask, masker.restore


def _datafog() -> tuple[Callable[[str], Any], Callable[[Any], object]]:
    from datafog import redact

    def restore(done: Any) -> str:
        text = done.redacted_text
        for token, value in done.mapping.items():
            text = text.replace(token, value)
        return str(text)

    return redact, restore


PEERS = {"argus-redact": _argus, "veil-pii": _veil, "datafog": _datafog}


def _timed(job: Callable[[Any], Any], values: list[Any]) -> tuple[list[Any], dict[str, float]]:
    results, took = [], []
    for value in values:
        began = time.perf_counter()
        results.append(job(value))
        took.append((time.perf_counter() - began) * 1e3)
    cuts = statistics.quantiles(took, n=100, method="inclusive")
    return results, {"p50_ms": round(cuts[49], 3), "p95_ms": round(cuts[94], 3)}


def _streamed(pieces: list[str]) -> float:
    """Return the microseconds a piece that veil-pii's stream restorer takes; no other peer restores a stream."""
    from veil import Masker
    from veil.restore import Restorer

    masker = Masker()
    masker.mask("write to anna.1@mail1.example")
    restorer = Restorer(masker.vault)
    began = time.perf_counter()
    for piece in pieces:
        restorer.feed(piece)
    restorer.flush()
    return round((time.perf_counter() - began) / len(pieces) * 1e6, 2)


def main() -> None:
    """Measure each peer, or say that it is absent."""
    warnings.simplefilter("ignore")
    data = json.load(sys.stdin)
    found: list[dict[str, Any]] = []
    for name, load in PEERS.items():
        try:
            entry: dict[str, Any] = {"peer": name, "version": version(name)}
        except PackageNotFoundError:
            found.append({"peer": name, "absent": True})
            continue
        mask, restore = load()
        mask(data["messages"][0])
        masked, entry["mask"] = _timed(mask, data["messages"])
        _, entry["restore"] = _timed(restore, masked)
        if name == "veil-pii":
            entry["stream_us_per_chunk"] = _streamed(data["pieces"])
        found.append(entry)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
