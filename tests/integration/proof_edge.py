"""The real edge daemon put together by its constructors for a proof; for tests only.

    python proof_edge.py [--script FILE] [--policy FILE] [--mutant NAME ...] [--die-at STEP] [--die-the N]

--script gives clock, ids, nonces and draws (`scripted_chance`); --policy stands in for the shipped policy; --mutant
builds a known way to break the guarantee in (`edge_mutants`; with a script it sleeps until the script names it);
--die-at ends the process, as a power cut would, at a step of a release (`edge_failpoints`), --die-the at the n-th of
them. Spans are found by the rules alone.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import edge_failpoints
import edge_mutants
from keepmum_edge.config import load
from keepmum_edge.daemon.app import PRODUCTION
from keepmum_edge.daemon.chance import Chance
from keepmum_edge.daemon.process import run
from keepmum_edge.interfaces.cli.first_use import create_key_if_new
from keepmum_edge.interfaces.cli.serve import end_with_parent
from keepmum_edge.interfaces.http import create_app
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_shared.ids import ConversationId, MemoryId, ScopeKey, SessionKey, TurnId
from keepmum_shared.view import loading
from scripted_chance import ScriptedChance


def chance_of(scripted: ScriptedChance) -> Chance:
    """What the composition root takes."""
    return Chance(
        draws=scripted.draw,
        nonces=lambda count: scripted.bytes_of("nonce", count),
        turn_id=lambda: TurnId(scripted.id_of("turn")),
        conversation_id=lambda: ConversationId(scripted.id_of("conv")),
        memory_id=lambda: MemoryId(scripted.id_of("mem")),
        scope_key=lambda: ScopeKey(scripted.id_of("scope")),
        session_key=lambda: SessionKey(scripted.id_of("sess")),
    )


def use_policy(file: Path) -> None:
    """Let this file be the one shipped policy of the process."""
    text = file.read_text(encoding="utf-8")
    loading._text = lambda _: text


def switch_of(name: str, scripted: ScriptedChance | None) -> Callable[[], bool]:
    """When a mutant is at work."""
    return (lambda: True) if scripted is None else (lambda: scripted.script().mutant == name)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--script", type=Path)
    parser.add_argument("--policy", type=Path)
    parser.add_argument("--mutant", action="append", default=[], choices=edge_mutants.MUTANTS)
    parser.add_argument("--die-at", choices=edge_failpoints.STEPS)
    parser.add_argument("--die-the", type=int, default=1)
    asked = parser.parse_args(arguments)
    scripted = None if asked.script is None else ScriptedChance(asked.script)
    if asked.policy is not None:
        use_policy(asked.policy)
    for name in asked.mutant:
        edge_mutants.MUTANTS[name](switch_of(name, scripted))
    if asked.die_at is not None:
        edge_failpoints.build_in(edge_failpoints.Failpoint(asked.die_at, asked.die_the))
    config = load(os.environ, {})
    create_key_if_new(config)
    end_with_parent(sys.stdin.buffer)
    run(
        config,
        create_app,
        load_extractor=RuleExtractor,
        now=time.time if scripted is None else scripted.now,
        chance=PRODUCTION if scripted is None else chance_of(scripted),
    )


if __name__ == "__main__":
    main()
