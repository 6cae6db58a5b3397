"""Words to build names and addresses from: the locales of `faker` and `mimesis`, and our own lists.

Faker's provider classes are read as tables; nothing is drawn through Faker, whose calls are slow and share one state.
"""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import faker.providers.address
import faker.providers.person

from keepmum_models.corpus.splits import Split

_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff .'’-]+")
_JOINTS = re.compile(r"[-'’ ]")
_CHINESE = re.compile(r"[\u4e00-\u9fff]+")


def _words(provider: object, *attributes: str) -> tuple[str, ...]:
    found: list[str] = []
    for attribute in attributes:
        table = getattr(provider, attribute, ())
        if isinstance(table, list | tuple | dict):
            found.extend(word.strip() for word in table if isinstance(word, str))
    return tuple(dict.fromkeys(word for word in found if word))


@cache
def person_locales() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Given and family names by locale, in the script of that locale."""
    locales = {}
    for module in pkgutil.iter_modules(faker.providers.person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        given = _words(provider, "first_names", "first_names_male", "first_names_female", "first_romanized_names")
        family = _words(provider, "last_names", "last_names_male", "last_names_female", "last_romanized_names")
        if len(given) >= 20 and len(family) >= 10:
            locales[module.name] = (given, family)
    return locales


def _admits_name(split: Split, word: str) -> bool:
    """Whether the side may use a name; training has no compound (`Marie-Christine`) with a held-back part."""
    parts = _JOINTS.split(word) if split is Split.TRAINING else ()
    return split.admits(word) and all(split.admits(part) for part in parts if part)


@cache
def latin_locales(split: Split) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Locales whose names are written in Latin letters, each with its own names only: a name keeps its country."""
    pairs = []
    for given, family in person_locales().values():
        latin_given = [word for word in given if _LATIN.fullmatch(word) and len(word) > 1 and _admits_name(split, word)]
        latin_family = [
            word for word in family if _LATIN.fullmatch(word) and len(word) > 1 and _admits_name(split, word)
        ]
        if len(latin_given) > 1 and len(latin_family) > 1:
            pairs.append((tuple(latin_given), tuple(latin_family)))
    return tuple(pairs)


@cache
def foreign_locales(split: Split) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Locales whose names are in another script than Latin or Chinese."""
    pairs = []
    for given, family in person_locales().values():
        own_given = [
            word for word in given if not _LATIN.fullmatch(word) and not _CHINESE.fullmatch(word) and split.admits(word)
        ]
        own_family = [word for word in family if not _LATIN.fullmatch(word) and split.admits(word)]
        if len(own_given) > 2 and len(own_family) > 2:
            pairs.append((tuple(own_given), tuple(own_family)))
    return tuple(pairs)


def _mimesis(locale: str, table: str) -> dict[str, object]:
    source = files("mimesis") / "datasets" / locale / f"{table}.json"
    return dict(json.loads(source.read_text(encoding="utf-8")))


@cache
def mimesis_words(split: Split, locale: str, table: str, *path: str) -> tuple[str, ...]:
    """One list of a mimesis data file, of this side of the split."""
    found: object = _mimesis(locale, table)
    for key in path:
        assert isinstance(found, dict)
        found = found[key]
    assert isinstance(found, list)
    return split.part([str(word) for word in found])


def _address_words(*attributes: str) -> Iterator[str]:
    """Yield the Latin words of the address tables of every locale."""
    for module in pkgutil.iter_modules(faker.providers.address.__path__):
        provider = importlib.import_module(f"faker.providers.address.{module.name}").Provider
        yield from filter(_LATIN.fullmatch, _words(provider, *attributes))


@cache
def faker_cities(split: Split) -> tuple[str, ...]:
    """Cities of many countries in Latin letters."""
    cities = {word for word in _address_words("cities", "city_names", "towns") if 2 < len(word) < 24}
    return split.part(tuple(sorted(cities)))  # some providers are made from sets, whose order differs by process


@cache
def faker_countries() -> tuple[str, ...]:
    """Countries in Latin letters, as each locale calls them."""
    return tuple(dict.fromkeys(_address_words("countries")))


@cache
def faker_streets(split: Split) -> tuple[str, ...]:
    """Street names of many languages in Latin letters."""
    streets = (word for word in _address_words("streets", "street_names") if 3 < len(word) < 28)
    return split.part(tuple(dict.fromkeys(word.title() if word.isupper() else word for word in streets)))


@cache
def chinese_districts(split: Split) -> tuple[str, ...]:
    """Names of city districts without their suffix."""
    provider = importlib.import_module("faker.providers.address.zh_CN").Provider
    return split.part(_words(provider, "districts"))


@cache
def chinese_cities(split: Split) -> tuple[str, ...]:
    """Names of Chinese cities without their suffix."""
    words = _mimesis("zh", "address")["city"]
    assert isinstance(words, list)
    return split.part([str(word).strip().removesuffix("市") for word in words])


@cache
def chinese_names(split: Split) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given names from tables (the grammar of values.names adds more) and all family names, which are not split."""
    locales = person_locales()
    given = [w for tag in ("zh_CN", "zh_TW") for w in locales[tag][0] if _CHINESE.fullmatch(w)]
    family = [w for tag in ("zh_CN", "zh_TW") for w in locales[tag][1] if _CHINESE.fullmatch(w)]
    return split.part(tuple(dict.fromkeys(given))), tuple(dict.fromkeys(family))
