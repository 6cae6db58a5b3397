"""Sentences that people must be told, each in one place."""

from typing import Final

NOT_YET_MASKED: Final = (
    "NOT yet masked: names, addresses and health in free text. Until the trained extractor comes, only structured "
    "values are found (e-mail, phone, cards, ids, keys, passwords and the like)."
)
WHAT_IS_KEPT_WHERE: Final = """\
Kept on this computer only, encrypted: your words, every placeholder's value, your memories, traces (30 days).
Sent to the cloud half: your messages with placeholders in place of private values, and what it answers.
At the cloud half: memories that you were shown as placeholder text and agreed to send. Nothing else."""
