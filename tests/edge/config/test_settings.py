from pathlib import Path

import pytest
from keepmum_edge.config import EdgeConfig, UnsafeFileError, load
from keepmum_edge.errors import ConfigError
from keepmum_shared.taxonomy import EntityType, Level


def written(home: Path, text: str | bytes) -> dict[str, str]:
    (home / "config.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    (home / "config.toml").chmod(0o600)
    return {"KEEPMUM_HOME": str(home)}


def test_without_a_file_every_default_holds_and_no_folder_is_made(tmp_path: Path) -> None:
    config = load({"KEEPMUM_HOME": str(tmp_path / "home")}, {})
    assert config == EdgeConfig(paths=config.paths)
    assert (config.host, config.port, config.mask_from) == ("127.0.0.1", 8765, Level.PL2)
    assert list(tmp_path.iterdir()) == []


def test_flag_wins_over_environment_over_file_over_default(tmp_path: Path) -> None:
    environ = written(tmp_path, "[edge]\nport = 1001\ntrace_days = 1\nreplay_minutes = 1\n")
    environ |= {"KEEPMUM_PORT": "1002", "KEEPMUM_TRACE_DAYS": "2"}
    config = load(environ, {"port": 1003, "trace_days": None})
    assert (config.port, config.trace_days, config.replay_minutes, config.cloud_retries) == (1003, 2, 1, 2)


def test_every_setting_can_stand_in_the_file(tmp_path: Path) -> None:
    passphrase_file = tmp_path / "words"
    environ = written(
        tmp_path,
        f"""
        [edge]
        host = "::1"
        mask_from = "PL3"
        type_names = "coarse"
        placeholder_scope = "conversation"
        key_store = "file"
        passphrase_file = "{passphrase_file}"
        connect_timeout_s = 1
        first_event_timeout_s = 2.5
        block_in_answers = true
        [edge.levels]
        HEALTH = "PL4"
        NAME = "PL3"
        [cloud]
        anything = "belongs to the cloud half"
        """,
    )
    config = load(environ, {})
    assert config.levels == {EntityType.HEALTH: Level.PL4, EntityType.NAME: Level.PL3}
    assert (config.host, config.mask_from, config.type_names) == ("::1", Level.PL3, "coarse")
    assert (config.placeholder_scope, config.key_store) == ("conversation", "file")
    assert config.passphrase_file == passphrase_file
    assert (config.connect_timeout_s, config.first_event_timeout_s) == (1.0, 2.5)
    assert config.block_in_answers
    assert not load({**environ, "KEEPMUM_BLOCK_IN_ANSWERS": "false"}, {}).block_in_answers


def test_levels_can_stand_in_the_environment(tmp_path: Path) -> None:
    config = load({"KEEPMUM_HOME": str(tmp_path), "KEEPMUM_LEVELS": "HEALTH=PL4, NAME=PL3"}, {})
    assert config.levels == {EntityType.HEALTH: Level.PL4, EntityType.NAME: Level.PL3}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[edge]\nmask_form = 'PL2'", "mask_form"),
        ("mask_from = 'PL2'", "mask_from"),
        ("[egde]\nport = 1", "egde"),
        ("edge = 1", "edge"),
        ("[edge]\npassphrase = 'words'", "passphrase"),
    ],
)
def test_an_unknown_key_is_refused_by_name_and_file(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ConfigError, match=f"config.toml.*'{named}'"):
        load(written(tmp_path, text), {})


@pytest.mark.parametrize(
    "line",
    [
        "host = '0.0.0.0'",
        "host = 'example.org'",
        "port = 65536",
        "port = -1",
        "port = true",
        "port = 80.5",
        "port = 'x'",
        "mask_from = 'PL1'",
        "mask_from = 'PL5'",
        "mask_from = 2",
        "levels = {NAME = 'PL1'}",
        "levels = {LITERAL = 'PL2'}",
        "levels = {DETAIL = 'PL2'}",
        "levels = {NOBODY = 'PL2'}",
        "levels = 7",
        "type_names = 'off'",
        "placeholder_scope = 'none'",
        "trace_days = 3651",
        "infer_preferences = 'maybe'",
        "infer_preferences = 1",
        "extractor_threads = 0",
        "extractor_threads = 17",
        "key_store = 'plaintext'",
        "release_policy = 'always'",
        "mechanism = 'laplace'",
        "first_period_days = -1",
        "first_period_days = 3661",
        "passphrase_file = 'relative/path'",
        "connect_timeout_s = 0",
        "connect_timeout_s = nan",
        "connect_timeout_s = inf",
        "connect_timeout_s = true",
        "cloud_retries = 11",
        "block_in_answers = 1",
        "block_in_answers = 'yes'",
    ],
)
def test_a_value_out_of_range_is_refused_by_its_key(tmp_path: Path, line: str) -> None:
    name = line.split(" ")[0]
    with pytest.raises(ConfigError, match=rf"\[edge\] {name}: must be"):
        load(written(tmp_path, f"[edge]\n{line}\n"), {})


def test_no_setting_turns_masking_off(tmp_path: Path) -> None:
    for kind in EntityType:
        with pytest.raises(ConfigError):
            load({"KEEPMUM_HOME": str(tmp_path), "KEEPMUM_LEVELS": f"{kind}=PL1"}, {})


def test_an_error_names_where_the_value_came_from_and_never_the_value(tmp_path: Path) -> None:
    secret = "ab" * 9
    for environ, flags, named in (
        ({"KEEPMUM_PORT": secret}, {}, "KEEPMUM_PORT"),
        ({}, {"mask_from": secret}, "--mask-from"),
        ({}, {"no_such_flag": secret}, "--no-such-flag"),
        (written(tmp_path, f"[edge]\nport = '{secret}'"), {}, "config.toml"),
        (written(tmp_path, f"[edge]\nport = {secret}"), {}, "line 2"),
    ):
        with pytest.raises(ConfigError, match=named) as caught:
            load({"KEEPMUM_HOME": str(tmp_path / "none")} | environ, flags)
        assert secret not in str(caught.value)
        assert caught.value.__cause__ is None


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="UTF-8"):
        load(written(tmp_path, b"[edge]\n# \xff\n"), {})


def test_a_file_of_deep_brackets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="deep"):
        load(written(tmp_path, "x = " + "[" * 100_000), {})


def test_a_file_that_others_may_write_cannot_lower_masking(tmp_path: Path) -> None:
    environ = written(tmp_path, "[edge]\nmask_from = 'PL4'\n")
    (tmp_path / "config.toml").chmod(0o666)
    with pytest.raises(UnsafeFileError):
        load(environ, {})


def test_the_passphrase_shows_in_no_repr(tmp_path: Path) -> None:
    words = "-".join(["four", "plain", "words"])
    config = load({"KEEPMUM_HOME": str(tmp_path), "KEEPMUM_PASSPHRASE": words}, {})
    assert config.passphrase == words
    assert words not in repr(config)


def test_keepmum_home_holds_everything(tmp_path: Path) -> None:
    paths = load({"KEEPMUM_HOME": str(tmp_path)}, {}).paths
    for path in (paths.config_file, paths.cloud_dir, *paths.private_files):
        assert path.is_relative_to(tmp_path)
    paths.prepare()
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o700}


def test_an_unknown_type_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"types are NAME, .*HEALTH"):
        load({"KEEPMUM_HOME": str(tmp_path), "KEEPMUM_LEVELS": "FOO=PL3"}, {})
