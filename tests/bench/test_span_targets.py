from typing import Any, Final

import pytest
from span_table import markdown, table, target_table
from span_targets import OURS, TUNED, Outcome, outcomes

ROW = {
    "texts": 10, "private": 5, "leak": 7.9, "f1": 77.9, "f1_exact": 70.0, "paper_f1": 90.0, "negatives_masked": 31.0,
    "overmask": 5.0, "false_per_1k": 4.0, "intervals": {}, "p50_ms": 1.0, "p95_ms": 2.0,
}  # fmt: skip
RESULT: Final[dict[str, Any]] = {
    "extractor": "rules", "machine": "m", "date": "d", "data": "all texts a set",
    "sets": {
        "mul_privacybench_caiioo": {"language": "en", "rows": {OURS: ROW, TUNED: ROW | {"false_per_1k": 12.0}}},
        "zh_xsid": {"language": "zh", "rows": {OURS: ROW | {"overmask": 2.0}}},
    },
    "secrets": {"draws": 2, "types": {"PIN": {"private": 100, "masked": 99.0}, "OTP": {"private": 9, "masked": 88.9}}},
    "cases": {"masked": 95.0, "secrets masked": 99.9, "wrong": 3},
    "latency": {
        "rows": {"40 tokens": {"p50_ms": 6.1, "p95_ms": 7.0, "processor_p50_ms": 6.0}}, "load_s": 0.1,
        "resident_mb": {"before": 1.0, "after": 2.0},
    },
    "daemon": {"resident_mb": 249.0},
    "model_mb": 28.0,
    "peers": [],
}  # fmt: skip


def met() -> dict[tuple[str, str], bool | None]:
    return {(outcome.of, outcome.figure): outcome.met for outcome in outcomes(RESULT)}


@pytest.mark.parametrize(
    ("of", "figure", "expected"),
    [
        ("mul_privacybench_caiioo", "leak", True),
        ("mul_privacybench_caiioo", "f1", False),
        ("mul_privacybench_caiioo", "negatives_masked", False),
        ("mul_privacybench_caiioo", "false_per_1k", True),  # a third of tuned Presidio's
        ("zh_xsid", "overmask", True),
        ("en_wnut17", "leak", None),  # not in this run
        ("secrets of held-back users, PIN", "masked", True),
        ("secrets of held-back users, OTP", "masked", False),
        ("secrets of held-back users, COOKIE", "masked", None),
        ("one thread, p50 ms", "40 tokens", False),
        ("one thread, p50 ms", "128 tokens", None),
        ("whole daemon", "resident MB", True),
        ("cases of area detect", "masked", True),
        ("cases of area detect", "secrets masked", False),
        ("cases of area detect", "wrong", True),
        ("model", "MB", True),
        ("real chat prompts, kept aside", "leak", None),
    ],
)
def test_a_target_is_met_missed_or_not_measured(of: str, figure: str, expected: bool | None) -> None:
    assert met()[of, figure] is expected


def test_false_masks_are_judged_beside_tuned_presidio_only() -> None:
    alone = {"language": "en", "rows": {OURS: ROW}}
    found = [o for o in outcomes(RESULT | {"sets": {"en_wnut17": alone}}) if o.figure == "false_per_1k"]
    assert found == [Outcome(of="en_wnut17", figure="false_per_1k", limit=None, value=4.0)]
    assert found[0].met is None
    assert ("zh_xsid", "false_per_1k") not in met()


def test_every_target_is_told_in_one_of_the_tables_and_what_is_missed_in_the_readme() -> None:
    result = RESULT | {"targets": [outcome.as_dict() for outcome in outcomes(RESULT)]}
    rows, others = table(result), target_table(result)
    assert sum(cell.endswith(("✓", "✗", "?")) for row in rows[1:] for cell in row) + len(others) - 1 == len(
        result["targets"]
    )
    assert rows[1][3] == "7.9 ≤ 8 ✓"
    assert ["whole daemon: resident MB", "249.0", "≤ 250", "✓"] in others
    made = markdown(result)
    assert "**Not met**: mul_privacybench_caiioo (f1, negatives_masked); " in made
    assert "real chat prompts, kept aside (leak, f1)" in made
    assert "OTP 88.9 of 9 ✗" in made
    assert "85.97 %" in made
