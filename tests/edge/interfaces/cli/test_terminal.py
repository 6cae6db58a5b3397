import io
import json

import pytest
from keepmum_edge.interfaces.cli.terminal import printable, say_json, wants_colour, wrapped


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("attack", ["\x1b[2J", "\x9b31m", "\u202e", "\x7f"])
def test_json_cannot_steer_the_terminal_and_says_the_same(attack, capsys):
    say_json({"answer": f"a{attack}b 密"})
    line = capsys.readouterr().out
    assert attack[0] not in line
    assert json.loads(line) == {"answer": f"a{attack}b 密"}


def test_no_colour_where_it_is_not_wanted():
    assert wants_colour(Screen(), {"TERM": "xterm"})
    assert not wants_colour(io.StringIO(), {"TERM": "xterm"})
    assert not wants_colour(Screen(), {"TERM": "xterm", "NO_COLOR": "1"})
    assert not wants_colour(Screen(), {"TERM": "dumb"})


@pytest.mark.parametrize("attack", ["\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\u202e", "\x08"])
def test_an_answer_cannot_steer_the_terminal(attack):
    shown = printable(f"a{attack}b\tc\r\n", Screen())
    assert not any(character in shown for character in "\x1b\x07\x9b\r\u202e\x08")
    assert shown.startswith("a\ufffd")
    assert shown.endswith("b\tc\n")
    assert printable("overwrite\rme", Screen()) == "overwriteme"
    assert printable(f"a{attack}b\r", io.StringIO()) == f"a{attack}b\r"


def test_a_note_breaks_between_words_on_a_terminal_only():
    long = "a note of several words\n  and 0123456789012345678901234567890"
    assert wrapped(long, Screen(), width=20) == "a note of several\nwords\n  and\n0123456789012345678901234567890"
    assert wrapped("  indented, short", Screen(), width=20) == "  indented, short"
    assert wrapped(long, io.StringIO(), width=20) == long
