"""Reading what is measured: the `dev` files of the public sets, and a file of the generator's held-back users."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from keepmum_models.evaluation.marked import MarkedText, marked_text
from keepmum_models.evaluation.sets import HELD_BACK, SETS, EvaluationSet
from keepmum_models.examples import held_back_records

DEV: Final = "dev.jsonl.gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Texts that are measured and shown together; at least one."""

    name: str
    spec: EvaluationSet
    texts: tuple[MarkedText, ...]


def dev_samples(
    data: Path, names: Sequence[str] | None, *, most: int, say: Callable[[str], object]
) -> Iterator[Sample]:
    """Read the `dev` files of the named sets, None: of all; says of each that the data folder lacks that it does.

    Raises:
        KeyError: there is no such set.
    """
    for spec in [SETS[name] for name in (SETS if names is None else names)]:
        path = data / spec.folder / DEV
        if not path.is_file():
            say(f"{spec.name}: skipped, not under the data folder")
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            texts = marked_texts(spec, (json.loads(line) for line in lines), most=most)
        yield Sample(name=spec.name, spec=spec, texts=texts)


def held_back_samples(path: Path, *, most: int = 0, users: int = 0) -> Iterator[Sample]:
    """Read the generator's held-back users, each language by itself.

    Args:
        path: As `python -m keepmum_models corpus --held-back` writes it.
        most: Texts of a language at most, 0: all.
        users: Users at most, the first of the file, half of them in each language; 0: all.
    """
    records = held_back_records(path)
    for language in ("en", "zh"):
        mine = [record for record in records if record["lang"] == language]
        kept = list(dict.fromkeys(record["user"] for record in mine))[: users // 2 or None]
        texts = marked_texts(HELD_BACK, (record for record in mine if record["user"] in kept), most=most)
        yield Sample(name=f"generator, held back, {language}", spec=HELD_BACK, texts=texts)


def marked_texts(spec: EvaluationSet, records: Iterable[Mapping[str, Any]], *, most: int = 0) -> tuple[MarkedText, ...]:
    """Read records; of more than `most` (0: no limit) those whose hashed ids come first, so the same ones each time."""
    ranked = sorted(records, key=lambda r: hashlib.sha256(b"evaluate|" + str(r["id"]).encode()).digest())
    return tuple(marked_text(spec, record) for record in (ranked[:most] if most else ranked))
