"""Longer texts that people are told, each in one place."""

import sys
from typing import Final

from keepmum_edge.interfaces.cli.terminal import BOLD, coloured

WHAT_IS_KEPT_WHERE: Final = """\
Kept on this computer only, encrypted: your words, every placeholder's value, your memories, traces (30 days).
Sent to the cloud half: your messages with placeholders in place of private values, and what it answers.
At the cloud half: memories with placeholders in place of private values, and none that may tell of your health, faith,
debts or the like. You are told of every memory that is made; `keepmum memory list` shows them all."""


def show_recovery_key(recovery_key: str) -> None:
    """Show a recovery key once: on stdout if that is a terminal, else on stderr, so that no pipe collects it."""
    stream = sys.stdout if sys.stdout.isatty() else sys.stderr
    print("\nRecovery key. Write it down now; it is shown once and kept nowhere:", file=stream)
    print(f"\n    {coloured(recovery_key, BOLD, stream)}\n", file=stream, flush=True)
