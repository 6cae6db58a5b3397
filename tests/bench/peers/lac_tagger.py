"""Baidu's LAC 2.1.2 (Chinese names, places, organisations) on today's paddle.

`import LAC` fails, since it needs `paddle.fluid`, which paddle no longer has. So its own reader and segmenter are
loaded without its `__init__`, and its model runs in paddle's inference engine, as LAC's `models.py` would do it: a line
is cut into words of its dictionary, other words into characters, and each piece gets a tag such as PER-B.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from paddle import inference

FOUND = ("PER", "LOC", "ORG")


class Lac:
    """The tagger, on one thread of the processor."""

    def __init__(self) -> None:
        spec = importlib.util.find_spec("LAC")
        if spec is None or spec.origin is None:
            raise ImportError("LAC")
        home = Path(spec.origin).parent
        package = ModuleType("LAC")
        package.__path__ = [str(home)]
        sys.modules["LAC"] = package
        words = home / "lac_model" / "conf"
        paths = SimpleNamespace(
            word_dict_path=str(words / "word.dic"),
            label_dict_path=str(words / "tag.dic"),
            word_rep_dict_path=str(words / "q2b.dic"),
            model="lac",
        )
        self._pieces = importlib.import_module("LAC.reader").Dataset(paths)
        self._cutter = importlib.import_module("LAC.segment").Segment(str(words / "small_seg.dic"))
        config = inference.Config(str(home / "lac_model" / "model"))
        config.disable_gpu()
        config.disable_glog_info()
        config.switch_ir_optim(False)  # today's passes do not know the old operators
        config.set_cpu_math_library_num_threads(1)
        self._predictor = inference.create_predictor(config)

    def find(self, text: str) -> list[tuple[int, int, str]]:
        """Return (start, end, label) of what it finds; it reads line by line."""
        found: list[tuple[int, int, str]] = []
        start = 0
        for line in text.splitlines(keepends=True):
            if line.strip():
                found += [(start + s, start + e, label) for s, e, label in self._find_in_line(line.rstrip("\r\n"))]
            start += len(line)
        return found

    def _find_in_line(self, line: str) -> list[tuple[int, int, str]]:
        ids, lengths = self._pieces.text_to_ids(self._cutter.fast_cut(line))
        found: list[tuple[int, int, str]] = []
        start = 0
        for tag, length in zip(self._tags(ids), lengths, strict=True):
            kind, _, part = tag.rpartition("-")
            if part == "B" or not found or found[-1][2] != kind or found[-1][1] != start:
                found.append((start, start + length, kind))
            else:
                found[-1] = (found[-1][0], start + length, kind)
            start += length
        return [one for one in found if one[2] in FOUND]

    def _tags(self, ids: list[int]) -> list[str]:
        words: Any = self._predictor.get_input_handle("words")
        words.reshape([len(ids), 1])
        words.copy_from_cpu(np.array(ids, dtype=np.int64).reshape(-1, 1))
        words.set_lod([[0, len(ids)]])
        self._predictor.run()
        output = self._predictor.get_output_handle(self._predictor.get_output_names()[0])
        return [self._pieces.id2label_dict[str(int(number))] for number in output.copy_to_cpu().ravel()]
