"""The main job, as a user does it: a conversation piped through `keepmum up`; what came back, what the cloud saw.

Runs in a home of its own and with the real small model. Ends with status 1 and a line that says what is wrong.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

EMAIL = "ines.varga" + "@" + "example.org"
CARD = "4111 1111" + " 1111 1111"
PASSWORD = "Plover" + "-9271-kite"
LINES = [
    "hi, please write to " + EMAIL + " for me",
    "which address did I give you?",
    "my card is " + CARD + " and my wifi password is " + PASSWORD,
    "/remember --cloud I like replies sent to " + EMAIL,
    "/memory",
    "/trace",
    "/quit",
]


def main() -> None:
    """Run the conversation and check both sides."""
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "KEEPMUM_HOME": home}
        up = keepmum(["up"], environ, "\n".join(LINES) + "\n")
        require(up.returncode == 0, f"`keepmum up` ended with status {up.returncode}:\n{up.stderr}")
        require("misses some" in up.stderr, "`keepmum up` does not say that the trained model misses some")
        require("Recovery key" in up.stderr, "the recovery key was not shown on first start")
        require(len(up.stdout.strip()) > 0, "no answer came back")
        require(EMAIL in up.stdout, "the memory list does not show the owner's own words")

        shown = keepmum(["trace", "--last", "10", "--json"], environ)
        require(shown.returncode == 0, "`keepmum trace` failed")
        traces = [json.loads(line) for line in shown.stdout.splitlines()]
        require(len(traces) == 3, f"{len(traces)} turns were traced, not 3")
        seen = json.dumps([[trace["sent"], trace["received"], trace["messages"]] for trace in traces])
        for name, value in (("e-mail", EMAIL), ("card", CARD), ("password", PASSWORD)):
            require(value not in seen, f"the cloud saw the {name}")
        require("<EMAIL_1>" in seen, "the cloud did not see <EMAIL_1>")
        require("<BANK_CARD_1>" in seen, "the cloud did not see <BANK_CARD_1>")
        require(any(EMAIL in trace["typed"] for trace in traces), "the trace does not show what was typed")
        require(all(PASSWORD not in json.dumps(trace) for trace in traces), "a trace holds a PL4 value")

        for file in Path(home).rglob("*"):
            content = file.read_bytes() if file.is_file() else b""
            for value in (EMAIL, CARD, PASSWORD):
                require(value.encode() not in content, f"{file.name} holds a private value in clear")

        doctor = keepmum(["doctor", "--json"], environ)
        require(doctor.returncode == 0, f"`keepmum doctor` ended with status {doctor.returncode}")
    print("keepmum up: answered, and the cloud saw placeholders only")


def keepmum(arguments: list[str], environ: dict[str, str], typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the installed command."""
    command = [str(Path(sys.executable).with_name("keepmum")), *arguments]
    return subprocess.run(command, input=typed, env=environ, capture_output=True, text=True, timeout=300, check=False)


def require(holds: bool, what: str) -> None:
    """End the run if something does not hold."""
    if not holds:
        sys.exit("smoke: " + what)


if __name__ == "__main__":
    main()
