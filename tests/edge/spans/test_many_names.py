"""A text of many names takes time in proportion to its length, in every step that sees to names."""

import random
import re
import string
import time
from collections.abc import Callable, Sequence

import pytest
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.name_borders import with_whole_names
from keepmum_edge.spans.namesakes import Namesakes, private_names
from keepmum_edge.spans.public_figures import PublicFigures, shipped_figures
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.spans.titles import with_titles
from keepmum_shared.taxonomy import EntityType, default_level

NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?|[\u3400-\u9fff]{2,3}")
NUMBER = re.compile(r"[0-9]{11}")
FIGURES = PublicFigures(shipped_figures().added)
TIMES = 8


def latin(rng: random.Random) -> str:
    return " ".join("".join(rng.choices(string.ascii_lowercase, k=rng.randrange(3, 9))).capitalize() for _ in "12")


def chinese(rng: random.Random) -> str:
    return rng.choice("王李张刘陈") + "".join(chr(rng.randrange(0x4E00, 0x6000)) for _ in "12")


def public(rng: random.Random) -> str:
    return rng.choice(["Albert Einstein", "Leo Tolstoy", "Isaac Newton"])


def surname(rng: random.Random) -> str:
    return rng.choice(["Isaac Newton", "Newton", "Newton", "Einstein", "Albert Einstein"])


def known_in_china(rng: random.Random) -> str:
    return rng.choice(["牛顿", "爱因斯坦", "鲁迅"])


def texts(name: Callable[[random.Random], str], between: str) -> tuple[str, str]:
    """A text of names, and one eight times as long."""
    rng = random.Random(1)
    names = [name(rng) for _ in range(300 * TIMES)]
    return between.join(names[:300]) + ".", between.join(names) + "."


def spans_of(text: str) -> list[PrivateSpan]:
    found = [(m.span(), EntityType.NAME) for m in NAME.finditer(text)]
    found += [(m.span(), EntityType.PHONE) for m in NUMBER.finditer(text)]
    return [
        PrivateSpan(
            start=start, end=end, entity_type=kind, level=default_level(kind), source="encoder", certainty=80,
            surface=text[start:end],
        )
        for (start, end), kind in sorted(found)
    ]  # fmt: skip


def chain_of(text: str) -> list[PrivateSpan]:
    """Spans each of which overlaps the next, of two types in turn."""
    kinds = (EntityType.NAME, EntityType.PASSWORD, EntityType.ADDRESS, EntityType.PIN)
    return [
        PrivateSpan(
            start=start, end=start + 12, entity_type=(kind := kinds[start // 6 % 4]), level=default_level(kind),
            source="t", certainty=60 + start % 7, surface=text[start : start + 12],
        )
        for start in range(0, len(text) - 12, 6)
    ]  # fmt: skip


STEPS: dict[str, Callable[[str, Sequence[PrivateSpan]], object]] = {
    "merge": lambda text, spans: merge(text, spans, spans[::2]),
    "a chain that is merged": lambda text, _: merge(text, chain_of(text)),
    "borders": lambda text, spans: list(with_whole_names(text, spans)),
    "public figures": FIGURES.let_pass,
    "namesakes": lambda text, spans: Namesakes(private_names(spans)).added_to(text, spans),
    "titles": lambda text, spans: list(with_titles(text, spans)),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("name", "between"),
    [
        (latin, ", "),
        (latin, "\n"),
        (chinese, "，"),
        (public, ", "),
        (public, "\n"),
        (public, " 13800138000 "),
        (surname, " wrote it, "),
        (public, "\n\nRegards,\n"),
        (known_in_china, "，我的同事"),
        (known_in_china, "·"),
    ],
    ids=[
        *("one line", "lines", "Chinese", "public", "public lines", "public with numbers", "public surnames"),
        *("public signatures", "public Chinese", "public Chinese dots"),
    ],
)
def test_time_grows_no_faster_than_the_number_of_names(
    step: str, name: Callable[[random.Random], str], between: str
) -> None:
    def seconds(text: str) -> float:
        spans, times = spans_of(text), []
        for _ in range(3):
            begin = time.process_time()
            STEPS[step](text, spans)
            times.append(time.process_time() - begin)
        return min(times)

    short, long = map(seconds, texts(name, between))
    assert long < max(3 * TIMES * short, 0.1)  # quadratic time would be 64 times as long
