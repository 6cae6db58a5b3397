"""Every way to break the guarantee that is known by name is caught by tests that carry its name."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[3]
TRANSCRIPTS: Final = "tests/edge/views/test_mutants.py::test_a_mutant_passes_the_bound_in_a_trial_that_ours_keeps"
CORE: Final = "tests/edge/views/test_mutants.py::test_"
MEMORY: Final = "tests/edge/daemon/test_memory_mutants.py::test_"
DEPARTURE: Final = "tests/edge/daemon/test_turn_departure.py::test_"
AT_THE_CLOUD: Final = "tests/integration/test_non_interference.py::test_a_mutant_shows_the_cloud_half_which_store_it_is"
CAUGHT_BY: Final = {
    "IncompleteCharge": [f"{TRANSCRIPTS}[IncompleteCharge]"],
    "CappedArgmax": [f"{TRANSCRIPTS}[CappedArgmax]"],
    "NoCap": [f"{TRANSCRIPTS}[NoCap]"],
    "OneSidedVocabulary": [f"{TRANSCRIPTS}[OneSidedVocabulary]"],
    "ScoreLeak": [f"{TRANSCRIPTS}[ScoreLeak]"],
    "FactorTwo": [f"{TRANSCRIPTS}[FactorTwo]", f"{CORE}factor_two_passes_epsilon_at_one_draw"],
    "FloatUnderflow": [f"{CORE}float_underflow_takes_a_chance_away"],
    "SeededRng": [f"{CORE}seeded_rng_draws_the_same_for_everyone"],
    "RetryRedraw": [f"{TRANSCRIPTS}[RetryRedraw]"],
    "ChargeAfterRelease": [
        f"{CORE}charge_after_release_loses_a_charge",
        "tests/integration/test_ledger_kills.py::test_charge_after_release_does_not_survive_its_deaths",
    ],
    "ContentFallback": [f"{TRANSCRIPTS}[ContentFallback]"],
    "RefreshOnChange": [
        f"{TRANSCRIPTS}[RefreshOnChange]",
        f"{TRANSCRIPTS}[RefreshOnChange, paid]",
        f"{CORE}refresh_on_change_draws_again_when_memory_changes",
    ],
    "OrderLeak": [f"{AT_THE_CLOUD}[OrderLeak]"],
    "LengthLeak": [f"{AT_THE_CLOUD}[LengthLeak]"],
    "LogLeak": ["tests/integration/test_non_interference.py::test_log_leak_shows_the_log_which_store_it_is"],
    "RollbackLedger": [f"{CORE}rollback_ledger_draws_twice_from_one_budget"],
    "EmptyFacetArgmax": [f"{TRANSCRIPTS}[EmptyFacetArgmax]"],
    "QueryDependentFacet": [f"{CORE}query_dependent_facet_lets_a_message_into_a_sticky_draw"],
    "WriteTimingLeak": [
        f"{DEPARTURE}write_timing_leak_works_on_memory_while_a_request_is_before_its_departure",
    ],
    "CrossSlotSupersede": [f"{MEMORY}cross_slot_supersede_lets_one_slot_change_another"],
    "LastUseLeak": [f"{MEMORY}last_use_leak_lets_a_question_change_what_a_slot_keeps"],
    "LocalClosesCloud": [f"{AT_THE_CLOUD}[LocalClosesCloud]"],
}


@pytest.fixture(scope="module")
def collected() -> frozenset[str]:
    """The ids of all tests in those files, slow ones included."""
    files = sorted({test.partition("::")[0] for tests in CAUGHT_BY.values() for test in tests})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "slow or not slow", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return frozenset(done.stdout.splitlines())


def test_there_are_twenty_two() -> None:
    assert len(CAUGHT_BY) == 22


@pytest.mark.parametrize("mutant", CAUGHT_BY)
def test_a_mutant_is_caught_by_a_test_of_its_name(mutant: str, collected: frozenset[str]) -> None:
    assert CAUGHT_BY[mutant]
    for test in CAUGHT_BY[mutant]:
        assert test in collected
        assert mutant.casefold() in test.partition("::")[2].replace("_", "").casefold()
