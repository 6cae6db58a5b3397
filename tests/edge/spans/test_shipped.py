"""The extractor that ships, on text that nobody means well and with a model that is not what it was."""

import base64
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.shipped import load_shipped
from keepmum_edge.spans.span import PrivateSpan
from keepmum_inference.artefact import LABELS, THRESHOLDS
from keepmum_inference.manifest import MANIFEST, MODEL, TOKENIZER, sha256

PASSWORD = "Plover" + "9271kite"
NAME = "Sigrid Tanaka"


def left_bare(text: str, spans: tuple[PrivateSpan, ...]) -> str:
    assert all(text[span.start : span.end] == span.surface for span in spans)
    for span in reversed(spans):
        text = text[: span.start] + text[span.end :]
    return text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a",
        "1",
        "@",
        "我",
        "\x00",
        "\ud800",
        "\u200b",
        "\ufeff",
        "😀",
        "👩‍👩‍👧🎉❤️" * 40,
        "\n\r\t" * 100,
        "\u202e" * 50,
    ],
)
def test_almost_nothing_and_emoji_hold_nothing(shipped: SpanExtractor, text: str) -> None:
    assert shipped.extract(text) == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (f"My name is {NAME}, меня зовут Ольга Иванова, 我叫李明。", [NAME, "Ольга Иванова", "李明"]),
        ("اسمي فاطمة الزهراء وبريدي fatima.fake@example.org", ["fatima.fake@example.org"]),
        (
            "\u202bהדוא״ל שלי dana.fake@example.org\u202c, הטלפון +972 52-312-3456",
            ["dana.fake@example.org", "52-312-3456"],
        ),
        (f"\u202eMy name is {NAME}\u202c.", [NAME]),
        (f"my password is {PASSWORD[:4]}\u200b{PASSWORD[4:9]}\u200d{PASSWORD[9:]}", ["9271", "kite"]),
        ("My name is Sig\u00adrid Tan\u2060aka, thank you.", ["rid Tan", "aka"]),
        (f"My n\u0430me is {NAME} and I live alone.", [NAME]),  # a Cyrillic a
        (f"p\u0430ssword: {PASSWORD}", [PASSWORD]),  # the same
        (f"\uff2d\uff59 \uff4e\uff41\uff4d\uff45 is {NAME}.", [NAME]),  # full width
    ],
)
def test_scripts_directions_marks_and_homoglyphs_hide_nothing(
    shipped: SpanExtractor, text: str, values: list[str]
) -> None:
    bare = left_bare(text, shipped.extract(text))
    assert [value for value in values if value in bare] == []


def test_an_image_stays_whole_and_what_stands_beside_it_is_found(shipped: SpanExtractor) -> None:
    image = "data:image/png;base64," + base64.b64encode(random.Random(1).randbytes(30_000)).decode()
    text = f"My name is {NAME}. Look: {image} and write to ada.fake@example.org"
    assert [span.surface for span in shipped.extract(text)] == [NAME, "ada.fake@example.org"]


@pytest.mark.parametrize("seed", [1, 2])
def test_binary_noise_is_read_without_failing(shipped: SpanExtractor, seed: int) -> None:
    noise = random.Random(seed).randbytes(6_000).decode("latin-1") + f" My name is {NAME}."
    assert NAME not in left_bare(noise, shipped.extract(noise))


@pytest.mark.parametrize("unit", ["a", "1 ", "password ", "Anna Berg, ", "李明，", "\u200b", "é\u0301", "<", "\\u0041"])
def test_repetition_takes_time_in_proportion(shipped: SpanExtractor, unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * (length // len(unit) + 1))[:length]
        begin = time.process_time()
        shipped.extract(text)
        return time.process_time() - begin

    short, long = seconds(2_000), seconds(16_000)
    assert long < max(20 * short, 0.5)  # quadratic time would be 64 times as long for 8 times the text


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["The train was late again, and nobody said why. ", "火车又晚点了，谁也没说为什么。"])
def test_a_megabyte_is_read_to_its_end(shipped: SpanExtractor, unit: str) -> None:
    text = (unit * (1_000_000 // len(unit) + 1))[:1_000_000] + f" My name is {NAME}."
    begin = time.process_time()
    assert shipped.extract(text)[-1].surface == NAME
    assert time.process_time() - begin < 300


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(artefact_folder(), tmp_path / "copy"))


def seal(folder: Path, name: str) -> None:
    """Make the manifest agree with an altered file: what is left wrong is what the file says."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    manifest["files"][name] = sha256((folder / name).read_bytes())
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def lose(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def flip_a_bit(name: str) -> Callable[[Path], None]:
    def alter(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)

    return alter


def rewrite(name: str, content: str) -> Callable[[Path], None]:
    def alter(folder: Path) -> None:
        (folder / name).write_text(content, encoding="utf-8")
        seal(folder, name)

    return alter


def reverse_the_labels(folder: Path) -> None:
    types = json.loads((folder / LABELS).read_text(encoding="utf-8"))["types"]
    rewrite(LABELS, json.dumps({"types": types[::-1]}))(folder)


def state(**changed: int) -> Callable[[Path], None]:
    def alter(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        (folder / MANIFEST).write_text(json.dumps(manifest | changed), encoding="utf-8")

    return alter


def nest_the_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text("[" * 100_000, encoding="utf-8")


def all_thresholds(value: float, *, bias: float) -> str:
    levels = dict.fromkeys(("PL1", "PL2", "PL3", "PL4"), value)
    return json.dumps({"outside_bias": bias, "levels": levels, "types": {}})


@pytest.mark.parametrize(
    ("alter", "named"),
    [
        (lose(MANIFEST), MANIFEST),
        (lose(MODEL), MODEL),
        (flip_a_bit(MODEL), MODEL),
        (flip_a_bit(TOKENIZER), TOKENIZER),
        (lose(THRESHOLDS), THRESHOLDS),
        (rewrite(LABELS, '{"types": ["NAME", "PHONE"]}'), LABELS),
        (rewrite(LABELS, '{"types": ["SHOE_SIZE"]}'), LABELS),
        (rewrite(LABELS, "[]"), LABELS),
        (rewrite(TOKENIZER, "{}"), TOKENIZER),
        (rewrite(MODEL, "no model"), "refuses the model"),
        (rewrite(THRESHOLDS, '{"outside_bias": "x"}'), THRESHOLDS),
        (rewrite(THRESHOLDS, "[" * 100_000), THRESHOLDS),
        (rewrite(THRESHOLDS, '{"outside_bias": Infinity, "levels": {}, "types": {}}'), THRESHOLDS),
        (rewrite(THRESHOLDS, all_thresholds(1.0, bias=0)), "outside [0, 0.95]"),
        (rewrite(THRESHOLDS, all_thresholds(0.95, bias=8)), "self-test"),
        (reverse_the_labels, "self-test"),
        (state(window=1, overlap=0), "window"),
        (state(window=True, overlap=False), "window"),
        (nest_the_manifest, MANIFEST),
    ],
)
def test_a_model_that_is_not_whole_is_refused_by_name(copy: Path, alter: Callable[[Path], None], named: str) -> None:
    alter(copy)
    with pytest.raises(ExtractorUnavailableError) as refused:
        load_shipped(copy)
    assert named in refused.value.part
    assert str(copy) not in str(refused.value)
    assert "Install Keepmum again" in refused.value.next_step


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers", "numpy"])
def test_a_runtime_that_cannot_be_imported_is_named(library: str) -> None:
    """In a process of its own, whose import system does not find the library."""
    script = f"""
import sys
sys.modules[{library!r}] = None
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.shipped import load_shipped
try:
    load_shipped()
except ExtractorUnavailableError as error:
    print(error)
"""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert f"cannot be loaded: {library}" in done.stdout
    assert "nothing was sent" in done.stdout
