import json
import subprocess
import sys

import pytest
from edge.interfaces.conftest import TOKEN
from edge.interfaces.scripted_service import MEMORY, ScriptedService, refusal_of
from keepmum_edge.daemon.doctor import Check
from keepmum_edge.daemon.views.overview import ClockAhead
from keepmum_edge.errors import CloudUnreachableError, ExtractorUnavailableError
from keepmum_edge.interfaces.cli.main import COMMANDS
from keepmum_shared.signing import PairingUri
from keepmum_shared.view import shipped_policy

CANARY = "ines.varga" + "@example.com"
WITHOUT_RESULT = {"memory", "policy", "config", "key"}
"""Groups: their inner commands print."""
INNER = [
    *(("memory", each) for each in ("add", "list", "show", "edit", "confirm", "share", "why", "pending", "search")),
    *(("budget", each) for each in ("silence", "unsilence", "confirm-clock")),
    *(("config", each) for each in ("path", "check", "show")),
    *(("key", each) for each in ("recover", "renew", "passphrase")),
    ("policy", "explain"),
]
PAIRING_URI = PairingUri(host="127.0.0.1", port=1, secret="a2" * 16, fingerprint="A" * 43)


def test_help_lists_every_command_and_the_exit_codes(keepmum):
    shown = keepmum("--help")
    assert shown.returncode == 0
    assert all(f"  {name} " in shown.stdout.decode() for name in COMMANDS)
    assert "Exit status" in shown.stdout.decode()


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"cloud"}))
def test_every_command_explains_itself(keepmum, name):
    shown = keepmum(name, "--help")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert f"keepmum {name}" in shown.stdout.decode().split("Examples:", 1)[-1].split("──", 1)[0]
    if name not in WITHOUT_RESULT:
        assert "--json" in shown.stdout.decode()


@pytest.mark.parametrize(("name", "inner"), INNER)
def test_every_inner_command_has_an_example_too(keepmum, name, inner):
    shown = keepmum(name, inner, "--help").stdout.decode()
    assert "Examples:" in shown
    assert f"keepmum {name} {inner}" in shown
    assert "--json" in shown or (name, inner) == ("key", "renew")


@pytest.mark.parametrize("arguments", [["no-such"], ["trace", "--no-such"], ["trace", "--last", "0"], ["forget"]])
def test_wrong_use_is_status_2(keepmum, arguments):
    failed = keepmum(*arguments)
    assert failed.returncode == 2
    assert b"Traceback" not in failed.stderr


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ('[edge]\nmask_form = "PL3"\n', "unknown key 'mask_form'"),
        (f'[edge]\nmask_from = "{CANARY}"\n', "mask_from: must be"),
        (f"[edge\n{CANARY}", "not valid TOML"),
        ('[edge]\nhost = "0.0.0.0"\n', "host: must be a loopback address"),
    ],
)
def test_a_wrong_setting_is_named_and_not_repeated(keepmum, file, said):
    keepmum.home.mkdir()
    (keepmum.home / "config.toml").write_text(file)
    failed = keepmum("config", "check")
    assert failed.returncode == 2
    line = failed.stderr.decode()
    assert line.startswith("keepmum: ")
    assert line.count("\n") == 1
    assert said in line
    assert CANARY not in line


def test_settings_are_shown_without_the_passphrase(keepmum):
    secret = "open" + "-sesame-" + "1234"
    shown = keepmum("config", "show", "--json", KEEPMUM_PASSPHRASE=secret, KEEPMUM_PORT="9001")
    assert secret not in shown.stdout.decode()
    values = json.loads(shown.stdout)
    assert (values["port"], values["mask_from"], values["levels"]) == (9001, "PL2", {})
    assert json.loads(keepmum("config", "path", "--json").stdout)["data_dir"].startswith(str(keepmum.home))


@pytest.mark.parametrize("arguments", [["trace"], ["chat"], ["memory", "list"], ["stop"]])
def test_without_a_daemon_the_next_step_is_named(keepmum, arguments):
    failed = keepmum(*arguments)
    assert failed.returncode == 4
    assert "keepmum up" in failed.stderr.decode()
    assert not (keepmum.home / "data").exists()


def test_a_daemon_makes_no_key_that_nobody_would_see_the_recovery_key_of(keepmum):
    failed = keepmum("serve", "--port", "0")
    assert failed.returncode == 4
    assert "keepmum up" in failed.stderr.decode()
    assert not (keepmum.home / "data" / "database.key").exists()


def test_a_daemon_says_in_json_where_it_listens(keepmum):
    command = [sys.executable, "-m", "keepmum_edge", "serve", "--init", "--port", "0", "--json", "--exit-with-parent"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=keepmum.environ(KEEPMUM_KEY_STORE="file"), **pipes) as daemon:
        said = json.loads(daemon.stdout.readline())
        assert said["pid"] == daemon.pid
        shown = json.loads(keepmum("token", "--json", KEEPMUM_KEY_STORE="file").stdout)
        assert shown["base_url"] == said["base_url"]
        daemon.stdin.close()
        assert daemon.wait(timeout=60) == 0


def test_an_export_says_in_json_where_it_is(keepmum_with_daemon, tmp_path):
    done = keepmum_with_daemon()("export", str(tmp_path / "memories.json"), "--json")
    assert json.loads(done.stdout) == {"file": str(tmp_path / "memories.json")}
    assert (tmp_path / "memories.json").read_text() == "{}\n"


def test_without_a_token_the_next_step_is_named(keepmum):
    failed = keepmum("token")
    assert (failed.returncode, failed.stdout) == (4, b"")
    assert "keepmum up" in failed.stderr.decode()


def test_the_token_is_printed_alone(keepmum_with_daemon):
    keepmum = keepmum_with_daemon()
    assert keepmum("token").stdout.decode() == TOKEN + "\n"
    found = json.loads(keepmum("token", "--json").stdout)
    assert found["token"] == TOKEN
    assert found["base_url"].startswith("http://127.0.0.1:")


def test_trace_prints_what_was_typed_sent_received_and_shown(keepmum_with_daemon):
    keepmum = keepmum_with_daemon()
    found = json.loads(keepmum("trace", "--json").stdout)
    assert (found["typed"], found["sent"]) == ("I am Ines", "I am <NAME_1>")
    assert (found["received"], found["shown"]) == ("Hello <NAME_1>", "Hello Ines")
    shown = keepmum("trace").stdout.decode()
    assert "<NAME_1>" in shown
    assert "Tea of Ines" in shown
    assert "Tea of <NAME_1>" in shown
    assert found["memories_sent"][0]["id"] == MEMORY
    assert "\x1b[" not in shown
    assert json.loads(keepmum("trace", "--last", "3", "--json").stdout)["typed"] == "I am Ines"


def test_a_memory_is_told_with_what_the_cloud_will_see_of_it_unless_it_stays_here(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    kept = json.loads(keepmum("memory", "add", "--json", "--here-only", stdin=b"I live in Bath\n").stdout)
    assert (kept["text"], kept["cloud"]) == ("I live in Bath", "kept")
    told = keepmum("memory", "add", "--scope", "work", stdin=b"I live in Bath")
    assert b"the cloud will see exactly: masked 14" in told.stderr
    assert json.loads(keepmum("memory", "list", "--scope", "work", "--json").stdout)["memories"][0]["cloud"] == "queued"
    assert len(json.loads(keepmum("memory", "list", "--json").stdout)["memories"]) == 2
    assert len(json.loads(keepmum("memory", "search", "Bath", "--scope", "work", "--json").stdout)["memories"]) == 1
    assert kept["id"] in keepmum("memory", "list").stdout.decode()
    assert "text: I live in Bath" in keepmum("memory", "show", kept["id"]).stdout.decode()
    edited = keepmum("memory", "edit", kept["id"], "--text", "-", "--json", stdin=b"I live in Wells\n")
    assert (json.loads(edited.stdout)["text"], json.loads(edited.stdout)["revision"]) == ("I live in Wells", 2)
    assert b"I live in Wells" in keepmum("memory", "why").stdout
    assert b"health  (its words are gone" in keepmum("memory", "pending").stdout
    assert keepmum("memory", "pending", "--drop", kept["id"]).stdout == b"let go\n"
    assert keepmum("memory", "confirm", kept["id"]).returncode == 0


def test_an_edit_says_what_it_needs_and_changes_nothing_without(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    memory = json.loads(keepmum("memory", "add", "--json", stdin=b"tea").stdout)["id"]
    failed = keepmum("memory", "edit", memory)
    assert failed.returncode == 2
    assert b"say what to change: --text, --scope or --importance" in failed.stderr
    assert service.kept[memory].revision == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["memory", "edit", "mem_x", "--importance", "500"], "--importance': must be 0 to 100"),
        (["trace", "--last", "0"], "--last': must be 1 to 1000"),
        (["up", "--port", "70000"], "--port': must be 1 to 65535"),
        (["memory", "add", ""], "text: must not be empty"),
        (["memory", "pending", "--keep", "xyz"], "nothing waits under this id; `keepmum memory pending` lists"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(keepmum_with_daemon, arguments, said):
    failed = keepmum_with_daemon()(*arguments)
    assert failed.returncode == 2
    assert said in failed.stderr.decode()


def test_every_record_that_a_text_makes_is_named(keepmum_with_daemon):
    service = ScriptedService(sentences=True)
    told = keepmum_with_daemon(service)("memory", "add", stdin=b"I like tea. I live in Bath.")
    assert told.stdout.decode().splitlines() == [f"remembered: {memory}" for memory in service.kept]
    assert len(service.kept) == 2


def test_a_search_that_finds_no_word_says_so(keepmum_with_daemon):
    service = ScriptedService(by_meaning=True)
    keepmum = keepmum_with_daemon(service)
    keepmum("memory", "add", stdin=b"I like tea")
    assert b"No memory holds these words" in keepmum("memory", "search", "zzzqqq").stderr
    assert keepmum("memory", "search", "Tea").stderr == b""
    assert json.loads(keepmum("memory", "search", "zzzqqq", "--json").stdout)["by_meaning_only"] is True
    assert b"No memory holds these words" in keepmum("chat", stdin=b"/memory zzzqqq\n").stderr


def test_why_names_its_turn_and_that_it_failed(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    shown = keepmum("memory", "why").stdout.decode()
    assert shown.startswith("turn turn_")
    assert "I am Ines" in shown
    assert "used in the answer: none" in shown
    service.failure = "cloud_unreachable"
    assert keepmum("memory", "why").stdout.decode().splitlines()[1:] == [
        "no answer came, so no memory was used in one and none was made of the message"
    ]


def test_attributes_that_are_alike_are_told_together_with_units(keepmum_with_daemon):
    service = ScriptedService(sent={"type_2_diabetes": 1})
    shown = keepmum_with_daemon(service)("budget").stdout.decode()
    assert shown.count("nobody's odds of it change") < len(shipped_policy().layout.attributes)
    assert shown.count("each spent ε 0 of 2;") == 1
    label = shipped_policy().layout.attributes["type_2_diabetes"].label
    assert f"which no bound covers: {label} 1." in shown


def test_a_text_that_is_not_utf_8_is_refused_in_words_and_not_repeated(keepmum_with_daemon):
    failed = keepmum_with_daemon()("memory", "add", f"{CANARY} \udced\udca0\udc80 tea")
    assert failed.returncode == 2
    assert b"not UTF-8" in failed.stderr
    assert CANARY.encode() not in failed.stderr


def test_a_memory_goes_to_the_cloud_only_as_it_was_shown_and_agreed_to(keepmum_with_daemon):
    keepmum = keepmum_with_daemon()
    kept = json.loads(keepmum("memory", "add", "My editor is vim", "--here-only", "--json").stdout)
    asked = keepmum("memory", "share", kept["id"])
    assert asked.returncode == 2
    assert b"the cloud will see: masked 16" in asked.stderr
    assert json.loads(keepmum("memory", "show", kept["id"], "--json").stdout)["shared_at"] is None
    shared = keepmum("memory", "share", kept["id"], "--yes", "--json")
    assert shared.returncode == 0
    assert json.loads(shared.stdout)["placeholder_text"] == "masked 16"


def test_a_clock_far_ahead_is_confirmed_only_by_one_who_was_told_what_it_does(keepmum_with_daemon):
    service = ScriptedService(clock=ClockAhead(now=1_900_000_000, days=400, period=13, until=1_902_000_000))
    keepmum = keepmum_with_daemon(service)
    asked = keepmum("budget", "confirm-clock")
    assert asked.returncode == 2
    assert b"400 days after the last turn" in asked.stderr
    assert b"cannot be taken back" in asked.stderr
    assert service.clock is not None
    assert keepmum("budget", "confirm-clock", "--yes").returncode == 0
    assert service.clock is None
    again = keepmum("budget", "confirm-clock")
    assert again.returncode == 0
    assert b"nothing to confirm" in again.stderr


def test_forget_says_what_became_of_the_cloud_part(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    kept = json.loads(keepmum("memory", "add", "--json", stdin=b"tea").stdout)
    assert keepmum("forget", kept["id"]).returncode == 0
    service.cloud = "pending"
    queued = keepmum("memory", "forget", kept["id"], "--json")
    assert (queued.returncode, json.loads(queued.stdout)["receipt"]["cloud"]) == (3, "pending")
    assert b"PENDING" in keepmum("receipts").stdout
    assert keepmum("forget", "mem_none").returncode == 2


def test_forgetting_much_in_a_script_needs_a_yes_and_a_dry_run_changes_nothing(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    kept = json.loads(keepmum("memory", "add", "--json", stdin=b"tea").stdout)
    assert json.loads(keepmum("forget", "--all", "--dry-run", "--json").stdout)["memories"][0]["id"] == kept["id"]
    asked = keepmum("forget", "--all")
    assert (asked.returncode, service.receipt_given) == (2, None)
    assert b"--yes" in asked.stderr
    shown = keepmum("forget", "--matching", "-", "--dry-run", stdin=b"tea")
    assert (shown.returncode, service.receipt_given) == (0, None)
    assert kept["id"].encode() in shown.stderr
    assert keepmum("forget", "--scope", "user", "--all", "--yes").returncode == 2
    assert keepmum("forget", "--all", "--yes", "--json").returncode == 0
    assert service.receipt_given.receipt.how == "everything"


def test_a_refused_memory_is_status_2_and_does_not_repeat_it(keepmum_with_daemon):
    failed = keepmum_with_daemon()("memory", "add", stdin=f"secret {CANARY}".encode())
    assert failed.returncode == 2
    assert CANARY not in failed.stderr.decode() + failed.stdout.decode()


def test_doctor_ends_with_1_if_a_check_fails(keepmum_with_daemon):
    service = ScriptedService()
    keepmum = keepmum_with_daemon(service)
    assert keepmum("doctor").returncode == 0
    service.found = (Check(name="cipher", status="fail", detail="no cipher", next_step="Reinstall sqlcipher3."),)
    broken = keepmum("doctor", "--json")
    assert (broken.returncode, json.loads(broken.stdout)["status"]) == (1, "fail")
    assert "-> Reinstall sqlcipher3." in keepmum("doctor").stdout.decode()


def test_doctor_looks_without_a_daemon_and_says_that_some_is_missed(keepmum):
    checked = keepmum("doctor", "--json")
    assert checked.returncode == 0
    by_name = {check["name"]: check for check in json.loads(checked.stdout)["checks"]}
    assert "misses some" in by_name["extractor"]["detail"]
    assert "rules-" in by_name["extractor"]["detail"]
    assert "keepmum-spans-" in by_name["extractor"]["detail"]
    assert by_name["key"]["next_step"] == "Run `keepmum up`."


def test_the_pairing_uri_can_stay_out_of_the_process_list(keepmum_with_daemon):
    service = ScriptedService()
    done = keepmum_with_daemon(service)("pair", "--name", "laptop", "--json", stdin=f"{PAIRING_URI}\n".encode())
    assert json.loads(done.stdout)["device"].startswith("dev_")
    assert service.paired == [(str(PAIRING_URI), "laptop")]


def test_what_is_no_pairing_uri_makes_no_profile(keepmum):
    failed = keepmum("pair", stdin=b"keepmum://uri\n")
    assert failed.returncode == 2
    assert "keepmum-cloud pair" in failed.stderr.decode()
    assert not (keepmum.home / "data").exists()


def test_pairing_a_new_computer_makes_its_profile_and_shows_the_recovery_key(keepmum):
    failed = keepmum("pair", stdin=f"{PAIRING_URI}\n".encode(), KEEPMUM_KEY_STORE="file")
    assert failed.returncode == 5
    assert "Recovery key" in failed.stderr.decode()
    assert "127.0.0.1:1" in failed.stderr.decode()
    assert (keepmum.home / "data" / "database.key").exists()


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (refusal_of(CloudUnreachableError), 5),
        (ExtractorUnavailableError("extractor: model file", "Run `keepmum doctor`."), 4),
        (RuntimeError(CANARY), 1),
    ],
)
def test_the_status_says_which_half_failed(keepmum_with_daemon, error, status):
    failed = keepmum_with_daemon(ScriptedService(refusals=[error]))("chat", stdin=b"hi\n")
    assert (failed.returncode, failed.stdout) == (status, b"")
    assert failed.stderr.decode().startswith("keepmum: ")
    assert CANARY not in failed.stderr.decode()


def test_a_shutdown_can_be_asked_for(keepmum_with_daemon):
    service = ScriptedService()
    assert keepmum_with_daemon(service)("stop").returncode == 0
    assert service.stopped


def test_the_cloud_half_gets_its_arguments_untouched(keepmum):
    fake = keepmum.home / "keepmum_cloud"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("")
    (fake / "__main__.py").write_text("import sys; print(sys.argv[1:]); sys.exit(7)")
    search = keepmum.environ()["PYTHONPATH"]
    done = keepmum("cloud", "serve", "--help", "--port", "1", PYTHONPATH=f"{keepmum.home}:{search}")
    assert (done.returncode, done.stdout.decode()) == (7, "['serve', '--help', '--port', '1']\n")
