"""The shared cases of areas memory and delete, and those of area policy that concern memory: what proves each of them.

Most are proved where their subject is tested; the table says where, and fails if that test is renamed or gone. Where a
case and the design differ the design wins; each such case says so.
"""

import asyncio
import gzip
import json
import os
import re
from pathlib import Path
from typing import Final

import pytest
from edge.daemon.profile import profile
from keepmum_edge.memory.record import Channel

CASES = Path(os.environ.get("KEEPMUM_CASES", Path(__file__).parents[4] / "shared" / "cases" / "cases.jsonl.gz"))
TESTS = Path(__file__).parents[2]
POLICY: Final = {"pol-005", "pol-008", "pol-009", "pol-015"}

PROVED: Final = {
    "mem-001": ("integration/test_memory_kinds.py", "test_a_superseded_fact_answers_only_a_question_about_the_past"),
    "mem-004": ("integration/test_remembering.py", "test_two_clients_that_say_the_same_at_once_make_one_memory"),
    "mem-005": (
        "edge/daemon/test_memory_bad_input.py",
        "test_what_is_told_while_every_record_is_judged_again_is_there_afterwards_as_it_was_told",
    ),
    "mem-006": ("edge/memory/test_propose.py", "test_facts_of_others_are_theirs"),
    "mem-007": ("edge/daemon/test_memory_writing.py", "test_one_subjects_fact_never_closes_anothers"),
    "mem-008": ("integration/test_remembering.py", "test_only_the_owners_own_newest_words_are_a_source"),
    "mem-012": ("edge/memory/test_propose.py", "test_relative_days_are_those_of_the_message"),
    "mem-013": ("integration/test_remembering.py", "test_a_secret_is_never_part_of_a_memory"),
    "mem-015": ("integration/test_memories.py", "test_what_the_owner_saw_is_what_the_cloud_stores"),
    "mem-017": ("edge/daemon/test_transfer.py", "test_every_field_comes_along_and_twice_is_once"),
    # No language model proposes, so none can answer badly; any text at all breaks nothing.
    "mem-018": ("edge/memory/test_propose.py", "test_any_text_gives_few_short_proposals_and_the_same_again"),
    "del-001": ("edge/daemon/test_memory_cases.py", "test_del_001_what_hung_from_the_fact_goes_with_it"),
    "del-002": (
        "edge/daemon/forget/test_forgetting.py",
        "test_the_same_words_find_nothing_any_more_not_even_from_an_index_made_anew",
    ),
    "del-003": ("edge/daemon/forget/test_forgetting.py", "test_everything_goes_and_another_profile_is_untouched"),
    "del-004": ("integration/test_forgetting.py", "test_what_is_not_there_is_no_success"),
    "del-006": (
        "edge/daemon/forget/test_forgetting.py",
        "test_a_fact_that_a_second_turn_bears_out_stays_and_loses_the_first",
    ),
    "del-009": (
        "integration/test_forgetting.py",
        "test_a_kill_between_here_and_there_loses_nothing_and_the_receipt_is_confirmed_later",
    ),
    "del-011": (
        "edge/daemon/forget/test_forgetting.py",
        "test_a_person_is_shown_first_then_forgotten_and_never_restored_again",
    ),
    "del-012": ("integration/test_forgetting.py", "test_incognito_leaves_nothing_that_a_later_sweep_could_find"),
    # No undo window is offered; a receipt that was not looked after says so.
    "del-013": (
        "edge/daemon/forget/test_forgetting.py",
        "test_a_crash_before_the_look_afterwards_is_made_up_for_at_the_next_start",
    ),
    "pol-005": ("integration/test_memories.py", "test_scopes_audiences_and_incognito_do_not_meet"),
    "pol-008": (
        "inference/retrieval/test_relevance.py",
        "test_closed_future_distrusted_and_denied_records_are_not_found",
    ),
    "pol-009": (
        "integration/test_trust_and_consent.py",
        "test_a_tool_result_changes_no_policy_no_consent_and_no_memory",
    ),
    "pol-015": (
        "integration/test_remembering.py",
        "test_nothing_of_an_incognito_conversation_is_read_written_or_on_any_disk",
    ),
}


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here; set KEEPMUM_CASES")
def test_every_case_of_these_areas_is_proved_somewhere() -> None:
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    wanted = {each["id"] for each in cases if each["area"] in ("memory", "delete") or each["id"] in POLICY}
    assert wanted == set(PROVED)


@pytest.mark.parametrize("case", PROVED)
def test_what_proves_a_case_is_there(case: str) -> None:
    file, name = PROVED[case]
    assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_del_001_what_hung_from_the_fact_goes_with_it(tmp_path: Path) -> None:
    """A summary of one fact would only repeat it, so the fact that is left stands for the summary (design)."""

    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record("Owns a zqboatword", sent="Owns a zqboatword")
            tea = await me.record("Drinks tea", sent="Drinks tea")
            summary = await me.digest(boat, tea)
            me.cloud.uses, me.cloud.says = (summary.id,), "You drink tea and own a zqboatword"
            _, answer = await me.say("What do you know of me?", conversation="c", key="k")
            assert "zqboatword" in answer
            receipt = await me.forget(boat.id)
            assert set(receipt.records) == {boat.id, summary.id}
            assert receipt.verified
            stores = {each.store: each.removed for each in receipt.stores}
            assert (stores["records"], stores["answers"], stores["traces"]) == (2, 1, 1)
            assert "zqboatword" not in await me.texts(), "text, index row, cached answer and trace"
            assert [r.text for r in await me.service.memories(None)] == ["Drinks tea"]
            me.cloud.uses, me.cloud.says = (), "nothing"
            _, again = await me.say("What do you know of me?", conversation="c", key="k")
            assert "nothing" in again, "no cached answer is given again"
            assert {Channel.DERIVED} & {r.channel for r in await me.service.memories(None)} == set()

    asyncio.run(work())
