import gzip
import json
from pathlib import Path

import pytest
from histories import History, Question, Session, read_lifebench, read_locomo, read_own

LOCOMO = [
    {
        "sample_id": "conv-x",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I planted tomatoes."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a red canoe"},
            ],
            "session_2_date_time": "10:00 am on 20 May, 2023",
            "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "My canoe leaks."}],
            "session_3_date_time": "9:00 am on 1 June, 2023",
            "session_10_date_time": "12:05 am on 2 July, 2023",
            "session_10": [{"speaker": "Ann", "dia_id": "D10:1", "text": "The tomatoes are ripe."}],
        },
        "event_summary": {"events_session_1": {"Ann": ["planted"]}},
        "qa": [
            {"question": "When did Ann plant?", "answer": "May", "evidence": ["D1:1"], "category": 2},
            {"question": "What of the canoe?", "answer": "leaks", "evidence": ["D1:2; D2:1"], "category": 1},
            {"question": "Ripe?", "answer": 7, "evidence": ["D:10:1", "D"], "category": 4},
            {"question": "Nothing?", "answer": "", "evidence": [], "category": 3},
            {"question": "No such session?", "evidence": ["D3:1"], "adversarial_answer": "x", "category": 5},
        ],
    }
]


def test_locomo_is_read_with_its_captions_times_and_odd_evidence(tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps(LOCOMO), encoding="utf-8")
    (history,) = read_locomo(path)
    assert history.id == "conv-x"
    assert [session.id for session in history.sessions] == ["1", "2", "10"]
    assert history.sessions[0].turns == ("Ann: I planted tomatoes.", "Bo: Look! [image: a photo of a red canoe]")
    assert history.sessions[0].time == 1_683_554_160
    assert history.sessions[2].time == 1_688_256_300
    assert [(q.evidence, q.kind) for q in history.questions] == [
        (frozenset({"1"}), "temporal"),
        (frozenset({"1", "2"}), "multi-hop"),
        (frozenset({"10"}), "single-hop"),
    ]


OWN = {
    "id": "h1",
    "sessions": [
        {"id": "s1", "time": "2023-05-08T13:56:00", "turns": [{"speaker": "Ann", "text": "tea"}]},
        {"id": "s2", "time": None, "turns": [{"speaker": None, "text": "coffee"}]},
    ],
    "questions": [{"id": "q1", "question": "What?", "evidence": ["s2"]}, {"id": "q2", "question": "?", "evidence": []}],
}


@pytest.mark.parametrize("many", [False, True])
def test_the_own_format_is_read_alone_in_a_list_and_compressed(tmp_path: Path, many: bool) -> None:
    path = tmp_path / "history.json.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        json.dump([OWN] if many else OWN, file)
    assert read_own(path) == (
        History(
            id="h1",
            sessions=(
                Session(id="s1", time=1_683_554_160, turns=("Ann: tea",)),
                Session(id="s2", time=None, turns=("coffee",)),
            ),
            questions=(Question(id="q1", text="What?", evidence=frozenset({"s2"}), kind="-"),),
        ),
    )


def test_evidence_that_is_no_session_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text(json.dumps(OWN | {"questions": [{"id": "q", "question": "?", "evidence": ["s9"]}]}))
    with pytest.raises(ValueError, match="question q"):
        read_own(path)


def test_records_of_a_user_are_the_sessions_of_one_history(tmp_path: Path) -> None:
    def write(name: str, records: list[dict[str, str]]) -> None:
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)

    write("dev.jsonl.gz", [{"id": f"{u}_{n}", "user": u, "text": "[Note] a\n\n b "} for u in "xy" for n in range(2)])
    asked = {"question": "?", "answer": "!", "type": "t"}
    write("qa_dev.jsonl.gz", [{"id": "x_1", "user": "x", **asked}, {"id": "z_1", "user": "z", **asked}])
    first, second = read_lifebench(tmp_path, "dev")
    assert [session.id for session in first.sessions] == ["x_0", "x_1"]
    assert first.sessions[0].turns == ("[Note] a", "b")
    assert [(q.id, q.evidence) for q in first.questions] == [("x_1", frozenset({"x_1"}))]
    assert second.questions == ()
