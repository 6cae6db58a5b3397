import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest
from edge.interfaces.scripted_service import PLAIN, ScriptedService
from keepmum_shared.messages import ContentDelta


class Terminal:
    """A person's terminal with `keepmum` in it."""

    def __init__(self, keepmum, *arguments):
        self.screen = ""
        self._ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "keepmum_edge", *arguments]
        environ = keepmum.environ(TERM="dumb")
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, preexec_fn=_heed_interrupts
        )
        os.close(theirs)

    def sees(self, text):
        deadline = time.monotonic() + 15
        while text not in self.screen and time.monotonic() < deadline:
            if select.select([self._ours], [], [], 0.1)[0]:
                self.screen += os.read(self._ours, 4096).decode()
        assert text in self.screen
        self.screen = self.screen.partition(text)[2]

    def types(self, text):
        os.write(self._ours, text.encode())

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


def _heed_interrupts():
    """Undo what a shell does to commands that it runs in the background, in whose child the tests may run."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def terminal(keepmum_with_daemon):
    opened = []

    def start(service, *arguments):
        opened.append(Terminal(keepmum_with_daemon(service), *arguments))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_ctrl_c_stops_the_answer_and_the_chat_goes_on(terminal):
    service = ScriptedService(script=(ContentDelta(text="Hel"), 30.0, *PLAIN))
    chat = terminal(service, "chat")
    chat.sees("you> ")
    chat.types("one\n")
    chat.sees("Hel")
    chat.process.send_signal(signal.SIGINT)
    chat.sees("nothing of this turn was kept")
    chat.sees("you> ")
    service.script = PLAIN
    chat.types("two\n")
    chat.sees("Hello")
    assert [message.content for message in service.asked[1][0].messages] == ["two"]
    chat.types("/quit\n")
    assert chat.process.wait(15) == 0
    deadline = time.monotonic() + 15
    while service.closed < 2 and time.monotonic() < deadline:  # the daemon closes after the terminal has the text
        time.sleep(0.01)
    assert service.closed == 2


def test_remember_shows_exactly_what_the_cloud_will_see(terminal):
    service = ScriptedService()
    chat = terminal(service, "chat")
    chat.sees("you> ")
    chat.types("/remember tea\n")
    chat.sees("the cloud will see exactly: masked 3")
    chat.sees("you> ")
    assert [record.text for record in service.kept.values()] == ["tea"]


def test_an_error_is_told_and_the_chat_goes_on(terminal):
    chat = terminal(ScriptedService(refusals=[RuntimeError("a bug")]), "chat", "--incognito")
    chat.sees("incognito> ")
    chat.types("one\n")
    chat.sees("keepmum: ")
    chat.sees("incognito> ")
    chat.types("\x04")
    assert chat.process.wait(15) == 0
