"""Histories with questions whose evidence is known, and the files that they are read from.

Own format: one JSON object, or a list of them (`.gz` too):

    {"id": "h1",
     "sessions": [{"id": "s1", "time": "2023-05-08T13:56:00", "turns": [{"speaker": "Ann", "text": "..."}]}],
     "questions": [{"id": "q1", "question": "...", "evidence": ["s1"], "kind": "temporal"}]}

`time` (ISO 8601, taken as UTC) and `speaker` may be null; `kind` may be left out. A question without evidence is not
asked: there is nothing to find.

LoCoMo (`locomo10.json` of its authors): session n is `session_n` of `conversation`, its time `session_n_date_time`; the
caption that the file gives of a shared image belongs to the turn's text; evidence "D3:11" is session 3. Summaries,
observations and events, which were written by a model that saw everything, are not read.

en_lifebench_pii: every record is one session, its lines are the turns, and it is the evidence of the question of the
same id among all records of that user.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

_EVIDENCE: Final = re.compile(r"D:?(\d+):(\d+)")
_SESSION: Final = re.compile(r"session_(\d+)")
_LOCOMO_TIME: Final = "%I:%M %p on %d %B, %Y"
LOCOMO_KINDS: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation.

    Attributes:
        time: Unix seconds, or None.
        turns: What was said, each with its speaker before it.
    """

    id: str
    time: int | None
    turns: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question; `evidence` are ids of sessions, at least one."""

    id: str
    text: str = field(repr=False)
    evidence: frozenset[str]
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What one person's memory holds, in order, and what is asked of it."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        known = {session.id for session in self.sessions}
        if len(known) != len(self.sessions):
            raise ValueError(f"history {self.id}: two sessions of one id")
        for question in self.questions:
            if not question.evidence or not question.evidence <= known:
                raise ValueError(f"history {self.id}, question {question.id}: evidence that is no session")


def read_own(path: Path) -> tuple[History, ...]:
    """Read histories in the format above."""
    content = _load(path)
    return tuple(_own(value) for value in (content if isinstance(content, list) else [content]))


def read_locomo(path: Path) -> tuple[History, ...]:
    """Read LoCoMo's file. Evidence that names no session of the conversation is passed over."""
    return tuple(_locomo(number, sample) for number, sample in enumerate(_load(path)))


def read_lifebench(folder: Path, split: str) -> tuple[History, ...]:
    """Read `dev` or `train` of en_lifebench_pii, one history a user."""
    questions = {record["id"]: record for record in _lines(folder / "qa_dev.jsonl.gz")}
    users: dict[str, list[dict[str, Any]]] = {}
    for record in _lines(folder / f"{split}.jsonl.gz"):
        users.setdefault(record["user"], []).append(record)
    return tuple(
        History(
            id=user,
            sessions=tuple(
                Session(id=r["id"], time=None, turns=tuple(filter(None, map(str.strip, r["text"].split("\n")))))
                for r in records
            ),
            questions=tuple(
                Question(id=q["id"], text=q["question"], evidence=frozenset({q["id"]}), kind=q["type"])
                for q in (questions[r["id"]] for r in records if r["id"] in questions)
            ),
        )
        for user, records in users.items()
    )


def _own(value: dict[str, Any]) -> History:
    return History(
        id=value["id"],
        sessions=tuple(
            Session(
                id=s["id"],
                time=_iso(s.get("time")),
                turns=tuple(_said(t.get("speaker"), t["text"]) for t in s["turns"]),
            )
            for s in value["sessions"]
        ),
        questions=tuple(
            Question(id=q["id"], text=q["question"], evidence=frozenset(q["evidence"]), kind=q.get("kind", "-"))
            for q in value["questions"]
            if q["evidence"]
        ),
    )


def _locomo(number: int, sample: dict[str, Any]) -> History:
    conversation = sample["conversation"]
    found = {int(name[1]): turns for key, turns in conversation.items() if (name := _SESSION.fullmatch(key)) and turns}
    sessions = tuple(
        Session(
            id=str(n),
            time=_locomo_time(conversation.get(f"session_{n}_date_time")),
            turns=tuple(_said(turn.get("speaker"), _with_image(turn)) for turn in found[n]),
        )
        for n in sorted(found)
    )
    known = {session.id for session in sessions}
    questions = []
    for place, asked in enumerate(sample["qa"]):
        evidence = asked.get("evidence") or []
        named = {str(int(session)) for part in evidence for session, _ in _EVIDENCE.findall(str(part))}
        if named & known:
            questions.append(
                Question(
                    id=str(place),
                    text=asked["question"],
                    evidence=frozenset(named & known),
                    kind=LOCOMO_KINDS.get(asked.get("category"), "-"),
                )
            )
    return History(id=str(sample.get("sample_id", number)), sessions=sessions, questions=tuple(questions))


def _with_image(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn.get('text', '')} [image: {caption}]" if caption else str(turn.get("text", ""))


def _said(speaker: str | None, text: str) -> str:
    return f"{speaker}: {text}" if speaker else text


def _iso(time: str | None) -> int | None:
    return None if time is None else int(datetime.fromisoformat(time).replace(tzinfo=UTC).timestamp())


def _locomo_time(time: str | None) -> int | None:
    return None if time is None else int(datetime.strptime(time.strip(), _LOCOMO_TIME).replace(tzinfo=UTC).timestamp())


def _load(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return json.load(file)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
