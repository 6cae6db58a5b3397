"""A cloud half whose data are put back to an older copy, or that comes late: what was forgotten does not come back.

Both halves are real processes; the model repeats its whole prompt, so that whatever was recalled shows in the answer.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from halves import Halves, at_cloud, await_true, paired_halves, shared_memory
from scripted_openai import Scripted, scripted_openai

CANARY = "zqboatword"
ASKED = "what do you know about my boat?"
ECHO = {"steps": [{"content": "You said: "}, {"echo": 9}, {"finish": "stop"}, {"done": True}]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [ECHO]) as running:
        yield running


@pytest.fixture
def halves(tmp_path: Path, model: Scripted) -> Iterator[Halves]:
    with paired_halves(tmp_path / "home", model) as running:
        yield running


def copy_cloud(halves: Halves) -> None:
    assert halves.cloud.stop() == 0
    shutil.copytree(halves.cloud_data, halves.home / "copy")
    halves.start_cloud()


def put_back(halves: Halves) -> None:
    """Give the cloud half the copy instead of its data, and start it."""
    assert halves.cloud.stop() == 0
    shutil.rmtree(halves.cloud_data)
    shutil.copytree(halves.home / "copy", halves.cloud_data)
    halves.start_cloud()


def new_edge(halves: Halves) -> None:
    assert halves.edge.stop() == 0
    halves.start_edge()


def forget(halves: Halves, **wanted: Any) -> dict[str, Any]:
    done = halves.owner.post("/forget", json=wanted)
    assert done.status_code == 200, done.text
    receipt: dict[str, Any] = done.json()["receipt"]
    return receipt


def check(halves: Halves) -> dict[str, str]:
    """What the doctor says of the memories at the cloud half."""
    checks = json.loads(halves.keepmum("doctor", "--json").stdout)["checks"]
    found: dict[str, str] = next(each for each in checks if each["name"] == "cloud memory")
    return found


def cloud_requests(halves: Halves) -> list[str]:
    """Routes in the order in which the cloud half answered them."""
    lines = (line.split() for line in halves.cloud.log.read_text().splitlines() if " request " in line)
    return [word for line in lines for word in line if word.startswith("/v1/")]


def test_a_forgotten_memory_that_an_older_copy_brings_back_reaches_nobody(halves: Halves) -> None:
    memory = shared_memory(halves, f"Owns a boat called {CANARY}")
    copy_cloud(halves)
    assert CANARY in halves.say(ASKED, conversation="control"), "the control"
    assert forget(halves, ids=[memory])["cloud"] == "confirmed"
    assert CANARY not in halves.say(ASKED, conversation="control")
    put_back(halves)
    assert memory in at_cloud(halves), "the control"
    answer = halves.say(ASKED, conversation="after")
    assert (ASKED in answer, CANARY in answer) == (True, False)
    assert at_cloud(halves) == {}
    assert halves.newest_trace()["failure"] is None, "the turn was asked again, and this time without it"
    found = check(halves)
    assert found["status"] == "warn"
    assert "set back to an older copy" in found["detail"]
    assert "held 1 memory again that you had forgotten" in found["detail"]
    assert "set back to an older copy" in halves.keepmum("receipts").stdout
    assert halves.edge.stop() == 0
    assert CANARY not in halves.decrypted()


def test_a_deletion_that_waits_goes_before_the_first_turn(halves: Halves) -> None:
    memory = shared_memory(halves, f"Owns a boat called {CANARY}")
    assert halves.cloud.stop() == 0
    receipt = forget(halves, ids=[memory])
    assert receipt["cloud"] == "pending"
    with pytest.raises(openai.APIStatusError) as refused:
        halves.say(ASKED)
    assert refused.value.code == "cloud_unreachable"
    halves.start_cloud()
    before = len(cloud_requests(halves))
    assert CANARY not in halves.say(ASKED)
    routes = cloud_requests(halves)[before:]
    assert routes.index("/v1/memories/delete") < routes.index("/v1/turns")
    assert halves.owner.get(f"/receipts/{receipt['id']}").json()["receipt"]["cloud"] == "confirmed"
    assert at_cloud(halves) == {}
    assert halves.edge.stop() == 0
    assert CANARY not in halves.decrypted()


def test_to_forget_everything_erases_at_the_cloud_what_nobody_here_knows_any_more(halves: Halves) -> None:
    memory = shared_memory(halves, f"Owns a boat called {CANARY}")
    copy_cloud(halves)
    assert forget(halves, ids=[memory])["cloud"] == "confirmed"
    put_back(halves)
    assert memory in at_cloud(halves), "the control"
    receipt = forget(halves, all=True)
    assert (receipt["cloud"], receipt["cloud_ids"], receipt["cloud_everything"]) == ("confirmed", [], True)
    assert [each["statement"].get("everything") for each in receipt["statements"]] == [True]
    assert at_cloud(halves) == {}
    assert halves.cloud.stop() == 0
    stored = b"".join(path.read_bytes() for path in halves.cloud_data.rglob("*") if path.is_file())
    assert CANARY.encode() not in stored
    assert "all that it held of this computer" in halves.keepmum("receipts").stdout


def test_a_new_start_puts_right_what_an_older_copy_lacks_holds_and_says(halves: Halves) -> None:
    gone = shared_memory(halves, f"Owns a boat called {CANARY}")
    edited = shared_memory(halves, "Likes green tea")
    copy_cloud(halves)
    assert forget(halves, ids=[gone])["cloud"] == "confirmed"
    assert halves.owner.patch(f"/memories/{edited}", json={"text": "Likes black tea"}).status_code == 200
    lost = shared_memory(halves, "Plays the cello")
    right = at_cloud(halves)
    assert (set(right), right[edited]) == ({edited, lost}, "Likes black tea")
    put_back(halves)
    assert set(at_cloud(halves)) == {gone, edited}, "the control"
    new_edge(halves)
    await_true(lambda: set(at_cloud(halves)) == {edited})
    found = check(halves)
    for words in ("held 1 memory again", "had lost 1 memory", "an earlier text of 1 memory"):
        assert words in found["detail"]
    halves.say("hello there", conversation="later")
    assert at_cloud(halves) == right


def test_where_all_is_as_it_was_left_nothing_is_sent_again(halves: Halves) -> None:
    kept = shared_memory(halves, "Plays the cello")
    assert check(halves)["status"] == "ok"
    put = at_cloud(halves)
    copy_cloud(halves)
    new_edge(halves)
    assert check(halves)["status"] == "ok"
    assert cloud_requests(halves).count("/v1/memories/delete") == 0
    assert halves.owner.get(f"/memories/{kept}").json()["cloud"] == "shared"
    halves.say("hello there", conversation="later")
    assert at_cloud(halves) == put
    assert "note:" not in halves.keepmum("receipts").stdout


def test_a_cloud_half_that_was_restarted_is_compared_again_by_an_edge_that_went_on(halves: Halves) -> None:
    memory = shared_memory(halves, f"Owns a boat called {CANARY}")
    copy_cloud(halves)
    assert forget(halves, ids=[memory])["cloud"] == "confirmed"
    lost = shared_memory(halves, "Plays the cello")
    put_back(halves)
    assert check(halves)["status"] == "warn", "the doctor asks; without it, the edge does within a minute"
    assert at_cloud(halves) == {}
    halves.say("hello there", conversation="later")
    assert set(at_cloud(halves)) == {lost}


def test_memories_go_to_a_cloud_half_that_is_paired_anew(halves: Halves) -> None:
    memory = shared_memory(halves, "Plays the cello")
    assert halves.cloud.stop() == 0
    shutil.rmtree(halves.cloud_data)
    halves.spawn_cloud(pair=True)
    halves.pair()
    assert check(halves)["status"] == "ok", "it lost nothing: it never had it"
    halves.say("hello there", conversation="later")
    assert set(at_cloud(halves)) == {memory}
