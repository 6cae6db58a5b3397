"""The list of given and family names that the edge reads beside the model: the tables of `faker` and `mimesis`.

Of the training side of the split alone, so that what is measured on the held-back users is not known to the list. Names
that are everyday English words, towns or countries are left out; in whether another is meant as a name the model has a
say.
"""

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from keepmum_edge.spans.listed_names import SHIPPED
from keepmum_edge.spans.ordinary_words import is_ordinary

from keepmum_models.corpus import pools
from keepmum_models.corpus.splits import Split

_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff'’-]{3,24}")


def listed_names() -> tuple[str, ...]:
    """Return single names in Latin letters, lower case, sorted."""
    words: set[str] = set()
    for given, family in pools.latin_locales(Split.TRAINING):
        words.update(given, family)
    words.update(_mimesis_names())
    low = {word.lower().replace("’", "'") for word in words if _LATIN.fullmatch(word)} - _places()
    return tuple(sorted(word for word in low if not is_ordinary(word)))


def _places() -> set[str]:
    places = {city.lower() for split in Split for city in pools.faker_cities(split)}
    places.update(place.lower() for place in _mimesis("address", ("city",)))
    return places.union(country.lower() for country in pools.faker_countries())


def _mimesis_names() -> Iterator[str]:
    return (word for word in _mimesis("person", ("names", "surnames")) if Split.TRAINING.admits(word))


def _mimesis(table: str, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the strings under some keys of a table, in every locale."""
    for locale in (files("mimesis") / "datasets").iterdir():
        source = locale / f"{table}.json"
        if source.is_file():
            content = json.loads(source.read_text(encoding="utf-8"))
            for key in keys:
                yield from _strings(content.get(key))


def _strings(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, list | dict):
        for part in node.values() if isinstance(node, dict) else node:
            yield from _strings(part)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `names`."""
    names = commands.add_parser("names", help="write the list of given and family names that ships with the edge")
    names.add_argument("--out", type=Path, default=SHIPPED, help="default: the shipped list")
    names.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    names = listed_names()
    content = "".join(f"{name}\n" for name in names).encode()
    arguments.out.write_bytes(gzip.compress(content, mtime=0))
    sys.stdout.write(f"{len(names)} names, {arguments.out.stat().st_size} bytes\n")
    return 0
