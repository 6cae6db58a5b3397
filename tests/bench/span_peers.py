"""The peers of the span benchmark, each in a process of its own under the peers' interpreter; see `peers/`."""

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from keepmum_models.evaluation.figures import Answer
from keepmum_models.evaluation.masks import Mask, Unlisted
from keepmum_shared.taxonomy import EntityType, default_level
from peer_labels import MEANINGS
from span_targets import TUNED

PEERS: Final = tuple(MEANINGS)
CERTAIN: Final = 0.4
"""Tuned Presidio is without dates and times, and without guesses below this."""
_NOT_WANTED: Final = frozenset({"DATE_TIME"})
_SCRIPT: Final = Path(__file__).parent / "peers" / "find_spans.py"
_LANGUAGES: Final[Mapping[str, frozenset[str]]] = {
    "presidio": frozenset({"en", "code", "other"}),
    "lac": frozenset({"zh"}),
}
"""Peers that are not for every language."""


class PeerAbsentError(Exception):
    """A peer is not installed, or ended before it had answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """One mask as the peer gives it."""

    start: int
    end: int
    label: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a peer said of one text; `error`: the class of what it raised, and then it found nothing."""

    finds: tuple[Find, ...] = field(repr=False)
    milliseconds: float
    error: str | None


def is_for(peer: str, language: str) -> bool:
    """Whether a peer is for a language, as `marked.language_of` names it."""
    return peer not in _LANGUAGES or language in _LANGUAGES[peer]


def replies_of(python: str, peer: str, texts: Sequence[str]) -> tuple[str, list[Reply]]:
    """Start a peer, send it all texts, and return its version and what it said of each.

    Raises:
        PeerAbsentError: it is not there, or broke.
    """
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)
    command = [python, str(_SCRIPT), peer]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, text=True, encoding="utf-8"
        )
    except OSError as error:
        raise PeerAbsentError(f"no interpreter: {type(error).__name__}") from None
    first: dict[str, str] = {}
    replies: list[Reply] = []
    with contextlib.suppress(BrokenPipeError), process:  # one that is absent ends before it has read all
        assert process.stdin is not None
        assert process.stdout is not None
        # The other direction at the same time, or both pipes could fill and wait for each other.
        sender = threading.Thread(target=_send, args=(process, texts), daemon=True)
        sender.start()
        first = json.loads(process.stdout.readline() or '{"absent": "ended at once"}')
        replies = [_reply(json.loads(line)) for line in process.stdout]
        sender.join()
    if "absent" in first:
        raise PeerAbsentError(first["absent"])
    if len(replies) != len(texts):
        raise PeerAbsentError(f"ended after {len(replies)} of {len(texts)} texts with status {process.returncode}")
    return first["version"], replies


def answer(peer: str, reply: Reply) -> Answer:
    """Return a reply in our types. A peer has no levels: a mask has the default one of its type."""
    if peer == TUNED:
        kept = tuple(f for f in reply.finds if f.label not in _NOT_WANTED and f.score >= CERTAIN)
        return answer("presidio", Reply(finds=kept, milliseconds=reply.milliseconds, error=reply.error))
    return Answer(masks=tuple(_mask(peer, find) for find in reply.finds), milliseconds=reply.milliseconds)


def _mask(peer: str, find: Find) -> Mask:
    kind = MEANINGS[peer].get(find.label, Unlisted.UNKNOWN)
    level = default_level(kind) if isinstance(kind, EntityType) else None
    return Mask(start=find.start, end=find.end, kind=kind, level=level)


def _reply(raw: dict[str, Any]) -> Reply:
    finds = tuple(Find(start=start, end=end, label=label, score=score) for start, end, label, score in raw["spans"])
    return Reply(finds=finds, milliseconds=raw["ms"], error=raw.get("error"))


def _send(process: "subprocess.Popen[str]", texts: Sequence[str]) -> None:
    assert process.stdin is not None
    try:
        for text in texts:
            process.stdin.write(json.dumps(text) + "\n")
        process.stdin.close()
    except OSError:  # it ended early; what it said, or did not, tells the rest
        pass
