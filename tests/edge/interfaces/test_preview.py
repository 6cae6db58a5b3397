import io
import json
from collections.abc import Callable

import pytest
import typer
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.interfaces.cli.preview import preview, preview_lines, render
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.shipped import load_shipped
from keepmum_edge.spans.span import PrivateSpan
from typer.testing import CliRunner

TEXT = "my pw is Kestrel99!\nmail ines@example.com"


@pytest.fixture(scope="module")
def extractor() -> SpanExtractor:
    return load_shipped()


@pytest.fixture
def command(tmp_path) -> Callable[..., object]:
    app = typer.Typer()
    app.command()(preview)
    runner = CliRunner(env={"KEEPMUM_HOME": str(tmp_path / "home")})
    return lambda *args, **more: runner.invoke(app, list(args), **more)


def answers(extractor: object, *lines: bytes) -> tuple[int, list[dict[str, object]]]:
    out = io.StringIO()
    status = preview_lines(extractor, lines, out)
    assert out.getvalue().isascii()
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_is_answered_with_code_points_types_and_levels(extractor: SpanExtractor) -> None:
    message = {"id": "a", "text": "😀 密码是Kestrel99"}
    status, (answer,) = answers(extractor, json.dumps(message).encode())
    assert status == 0
    assert answer["id"] == "a"
    assert answer["spans"] == [{"start": 5, "end": 14, "type": "PASSWORD", "level": "PL4"}]
    assert answer["ms"] >= 0


@pytest.mark.parametrize(
    "line",
    [
        b"{not json fake-secret",
        b'"fake-secret"',
        b'{"id": "x", "text": 5}',
        b'{"id": "x"}',
        b'{"text": "fake-secret"}',
        b'{"id": ["fake-secret"], "text": "x"}',
        b'{"id": "x", "text": "fake-secret \\ud800"}',
        b'{"id": "\\ud800", "text": "x"}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_bad_line_is_named_not_echoed_and_the_next_is_answered(extractor: SpanExtractor, line: bytes) -> None:
    status, (bad, good) = answers(extractor, line, b"\n", b'{"id": 2, "text": "x"}')
    assert status == 1
    assert "error" in bad
    assert "fake-secret" not in json.dumps(bad)
    assert good["spans"] == []


def test_an_extractor_that_fails_gives_an_error_line() -> None:
    class Failing:
        model_id = "failing"

        def extract(self, text: str, **_: object) -> tuple[PrivateSpan, ...]:
            raise ExtractorUnavailableError("the model", "Run doctor.")

    status, (answer,) = answers(Failing(), b'{"id": 1, "text": "fake-secret"}')
    assert status == 1
    assert answer == {"id": 1, "error": "extractor_unavailable"}


def test_lines_are_flushed_one_by_one(extractor: SpanExtractor) -> None:
    class Out(io.StringIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    out = Out()
    preview_lines(extractor, [b'{"id":1,"text":""}'] * 3, out)
    assert out.flushed == 3


def test_a_file_is_shown_with_types_and_a_legend(extractor: SpanExtractor) -> None:
    spans = extractor.extract(TEXT)
    plain = render(TEXT, spans, colour=False)
    assert "my pw is [PASSWORD Kestrel99!]\nmail [EMAIL ines@example.com]\n" in plain
    assert "PL4 opens a door: PASSWORD 1" in plain
    assert "\x1b" not in plain
    coloured = render(TEXT, spans, colour=True)
    assert "\x1b[97;41mKestrel99!" in coloured


def test_a_file_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in render("\x1b[2J\x07", (), colour=False)


def test_the_command_reads_files_and_standard_input(command, tmp_path) -> None:
    file = tmp_path / "note.txt"
    file.write_text(TEXT)
    assert "[PASSWORD Kestrel99!]" in command(str(file)).stdout
    assert "[EMAIL ines@example.com]" in command("-", input=TEXT).stdout
    assert "[EMAIL ines@example.com]" in command(input=TEXT).stdout
    as_json = json.loads(command(str(file), "--json").stdout)
    assert [span["type"] for span in as_json["spans"]] == ["PASSWORD", "EMAIL"]
    assert "surface" not in json.dumps(as_json)


def test_a_public_name_is_said_to_be_on_the_list_and_not_to_be_the_settings_doing(command) -> None:
    shown = command("-", input="Did Albert Einstein meet Marie Curie in Bern?\n").stdout
    assert "sent in clear as on the list of public names: NAME 2" in shown
    assert "settings" not in shown


def test_only_what_the_settings_mask_is_shown_as_masked(command, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    config = tmp_path / "home" / "config.toml"
    config.write_text('[edge]\nmask_from = "PL3"\n')
    shown = command("-", input=TEXT).stdout
    assert "mail ines@example.com\n" in shown
    assert "your settings send it in clear: EMAIL 1" in shown
    assert [span["type"] for span in json.loads(command("-", "--json", input=TEXT).stdout)["spans"]] == ["PASSWORD"]
    config.write_text('[edge]\nmask_from = "PL3"\nlevels = { EMAIL = "PL3" }\n')
    line = json.dumps({"id": 1, "text": TEXT}) + "\n"
    (answer,) = map(json.loads, command("--jsonl", input=line).stdout.splitlines())
    assert [(span["type"], span["level"]) for span in answer["spans"]] == [("PASSWORD", "PL4"), ("EMAIL", "PL3")]
    config.write_text('[edge]\nmask_form = "PL3"\n')
    assert command("-", input=TEXT).exit_code == 2


def test_the_command_ends_with_a_stable_status(command, tmp_path) -> None:
    assert command("--jsonl", input='{"id":1,"text":"x"}\n').exit_code == 0
    assert command("--jsonl", input="{bad\n").exit_code == 1
    assert command(str(tmp_path / "absent")).exit_code == 2
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    assert command(str(binary)).exit_code == 2
