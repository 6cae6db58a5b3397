import getpass

import pytest
from keepmum_edge.interfaces.cli import key


def test_a_short_passphrase_is_asked_for_again_before_it_is_typed_twice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The person's answers in their order; a terminal is what no test has."""
    typed = iter(["abc", "a longer passphrase", "another passphrase", "a longer passphrase", "a longer passphrase"])
    questions: list[str] = []

    def answer(question: str) -> str:
        questions.append(question)
        return next(typed)

    monkeypatch.setattr(getpass, "getpass", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    assert key.ask("new") == "a longer passphrase"
    assert [question.split()[0] for question in questions] == ["New", "New", "Again:", "New", "Again:"]
    assert "fewer than" in capsys.readouterr().err
