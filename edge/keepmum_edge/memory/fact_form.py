"""The form of a clause that tells something worth remembering."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FactForm:
    """One form.

    Attributes:
        name: What kind of fact it tells.
        pattern: Searched for in the normalised clause; may name a group `topic`.
        importance: 0..100.
        topic: What can be true in one way only; `{topic}` is filled in. `habit` stands for the clause's verb.
        exclusive: A new fact of the topic closes the old one even where the clause says nothing of a change.
        plan: It is about a time to come, and ends when that is over.
        dated: It counts only if it names a day.
        past: It tells what was.
    """

    name: str
    pattern: re.Pattern[str]
    importance: int
    topic: str | None = None
    exclusive: bool = False
    plan: bool = False
    dated: bool = False
    past: bool = False
