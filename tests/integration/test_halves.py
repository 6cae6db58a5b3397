from pathlib import Path

from halves import paired_halves
from scripted_openai import reply, scripted_openai


def test_both_halves_are_up_and_paired_and_hold_a_turn(tmp_path: Path) -> None:
    with (
        scripted_openai(tmp_path, [reply("Hello ", "<EMAIL_1>!")]) as model,
        paired_halves(tmp_path / "home", model) as halves,
    ):
        mail = "ines" + "@example.org"
        assert halves.say(f"I am {mail}") == f"Hello {mail}!"
        assert halves.sent()[0][-1]["content"] == "I am <EMAIL_1>"
        assert halves.edge.stop() == 0
        assert halves.cloud.stop() == 0
