"""Longer texts that people are told, each in one place."""

from typing import Final

WHAT_IS_KEPT_WHERE: Final = """\
Kept on this computer only, encrypted: your words, every placeholder's value, your memories, traces (30 days).
Sent to the cloud half: your messages with placeholders in place of private values, and what it answers.
At the cloud half: memories that you were shown as placeholder text and agreed to send. Nothing else."""
