import os
import signal
import subprocess
import sys
import time

import pytest
from keepmum_edge.interfaces.cli.children import Child, ChildEndedError
from keepmum_edge.interfaces.cli.exit_codes import exit_status


def child(tmp_path, program):
    return Child("the cloud half", [sys.executable, "-c", program], log=tmp_path / "log", environ=os.environ)


def wait_until(condition):
    deadline = time.monotonic() + 10
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert condition()


def test_a_child_that_dies_is_named_with_its_last_log_line(tmp_path):
    program = "import sys; print('loading', file=sys.stderr); print('no model', file=sys.stderr); sys.exit(3)"
    with child(tmp_path, program) as dying:
        wait_until(lambda: dying.status is not None)
        with pytest.raises(ChildEndedError, match=r"the cloud half ended with status 3\. .*: no model") as caught:
            dying.require_alive()
    assert exit_status(caught.value) == 1
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


def test_a_watched_child_that_dies_later_is_named_at_once(tmp_path, capfd):
    said = []
    program = "import sys, time; print('out of memory', file=sys.stderr); time.sleep(1); sys.exit(1)"
    with child(tmp_path, program) as dying:
        dying.watch()
        wait_until(lambda: said.append(capfd.readouterr().err) or "out of memory" in "".join(said))
    assert "the cloud half ended with status 1" in "".join(said)


def test_a_watched_child_that_dies_is_started_again_if_it_had_lived(tmp_path, capfd):
    said = []
    again = [sys.executable, "-c", "import time; print('{\"started\": 2}', flush=True); time.sleep(60)"]
    with child(tmp_path, "import time; time.sleep(1)") as dying:
        first = dying._process.pid
        dying.watch(again, least_life_s=0.0)
        assert dying.json_line("started", wait_s=10) == {"started": 2}
        wait_until(lambda: dying._process.pid != first)
        dying.require_alive()
        said.append(capfd.readouterr().err)
    assert "the cloud half ended with status 0" in said[0]
    assert "Starting the cloud half again" in said[0]
    assert dying.status is not None, "the second is ended with the block"
    assert capfd.readouterr().err == ""


def test_a_child_that_dies_at_once_is_not_started_again_and_again(tmp_path, capfd):
    said = []
    with child(tmp_path, "import time; time.sleep(1)") as dying:
        dying.watch([sys.executable, "-c", "pass"], least_life_s=60.0)
        wait_until(lambda: said.append(capfd.readouterr().err) or "so it is left" in "".join(said))
        assert dying.status == 0


def test_json_lines_of_a_child_are_read_and_the_rest_is_not_kept(tmp_path):
    program = "import time; print('hello'); print('{\"a\": 1}'); print('{\"uri\": \"u\"}', flush=True); time.sleep(60)"
    with child(tmp_path, program) as running:
        assert running.json_line("uri", wait_s=10) == {"uri": "u"}
        assert running.json_line("uri", wait_s=0.05) is None
        running.require_alive()
    assert (tmp_path / "log").read_bytes() == b""


def test_a_child_is_asked_to_end_and_nobody_is_told(tmp_path, capfd):
    program = "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))"
    with child(tmp_path, program + "; print('{\"x\": 1}', flush=True); time.sleep(60)") as running:
        running.json_line("x", wait_s=10)
    assert running.status == 0
    assert capfd.readouterr().err == ""


def test_ctrl_c_at_the_prompt_does_not_reach_a_child(tmp_path):
    with child(tmp_path, "import os, json; print(json.dumps({'session': os.getsid(0)}), flush=True)") as running:
        assert running.json_line("session", wait_s=10)["session"] != os.getsid(0)


def test_the_daemon_ends_when_its_parent_does(tmp_path):
    inner = (
        "import sys, time; from keepmum_edge.interfaces.cli.serve import end_with_parent;"
        "end_with_parent(sys.stdin.buffer); time.sleep(60)"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen([sys.executable, "-c", inner], stdin=subprocess.PIPE, env=environ)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1)
    process.stdin.close()
    assert process.wait(10) == -signal.SIGTERM
