"""Clock and chance as a test writes them down, for the processes of both halves.

What is drawn is a function of the step that the script names and of how often this kind of thing was drawn in it. What
only one of two profiles does is an aside of the step before, and takes no time: whatever the asides are, both draw the
same in every step. Real draws are independent of each other, so this is one of the ways in which they can fall.
"""

import json
from base64 import b32encode
from collections import Counter
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What holds now.

    Attributes:
        step: Number of what the test does now.
        aside: Number of what it does beside that; 0 for the step itself.
        now: Unix seconds.
        draws: In hexadecimal, what the draws of views get, in turn; each as long as it is asked for.
        mutant: Which mutant of the edge is at work, if any.
    """

    step: int
    now: int
    aside: int = 0
    draws: tuple[str, ...] = ()
    mutant: str | None = None

    def write(self, file: Path) -> None:
        """Put it into force."""
        new = file.with_suffix(".new")
        new.write_text(json.dumps(asdict(self)), encoding="utf-8")
        new.replace(file)


class ScriptedChance:
    """Reads the script anew for everything that is drawn."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._at = (-1, 0)
        self._drawn: Counter[str] = Counter()

    def script(self) -> Script:
        """Return what holds now."""
        read = json.loads(self._file.read_text(encoding="utf-8"))
        return Script(**{**read, "draws": tuple(read["draws"])})

    def now(self) -> float:
        """Return the time, Unix seconds."""
        return float(self.script().now)

    def bytes_of(self, kind: str, count: int) -> bytes:
        """Return bytes for something of that kind; at most 64."""
        at, number = self._next(kind)
        return blake2b(f"{at}:{kind}:{number}".encode(), digest_size=64).digest()[:count]

    def draw(self, count: int) -> bytes:
        """Return what the script gives to this draw of a view."""
        _, number = self._next("draw")
        draws = self.script().draws
        drawn = bytes.fromhex(draws[number % len(draws)])
        assert len(drawn) == count, "the test knows how much a draw takes"
        return drawn

    def id_of(self, kind: str) -> str:
        """Return an opaque id of that kind."""
        return f"{kind}_{b32encode(self.bytes_of(kind, 17)).decode().lower()[:26]}"

    def _next(self, kind: str) -> tuple[tuple[int, int], int]:
        script = self.script()
        if self._at != (script.step, script.aside):
            self._at, self._drawn = (script.step, script.aside), Counter()
        self._drawn[kind] += 1
        return self._at, self._drawn[kind] - 1
