from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from keepmum_cloud.config import _TYPES, CloudConfig, config_file, load_config
from keepmum_cloud.errors import ConfigError


def load(tmp_path: Path, text: str = "", environment: dict[str, str] | None = None, **flags: Any) -> CloudConfig:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    return load_config(file, {"KEEPMUM_HOME": str(tmp_path)} | (environment or {}), flags)


def test_defaults(tmp_path: Path) -> None:
    config = load(tmp_path)
    assert (config.host, config.port, config.responder) == ("127.0.0.1", 8766, "llama")
    assert config.data == tmp_path / "cloud"
    assert config_file({"KEEPMUM_HOME": "/x"}) == Path("/x/config.toml")
    assert config_file({}).name == "config.toml"


def test_flags_win_over_environment_over_file(tmp_path: Path) -> None:
    text = "[cloud]\nport = 1\nhost = 'a'\nthreads = 1\n[other]\nx = 1\n"
    config = load(tmp_path, text, {"KEEPMUM_CLOUD_PORT": "2", "KEEPMUM_CLOUD_HOST": "b"}, port=3, host=None)
    assert (config.port, config.host, config.threads) == (3, "b", 1)


def test_an_absent_file_is_no_error(tmp_path: Path) -> None:
    assert load_config(tmp_path / "none.toml", {}, {"data": tmp_path}).data == tmp_path


def test_lists_and_paths_and_numbers(tmp_path: Path) -> None:
    text = "[cloud]\nnames = ['a', 'b']\nmodel_path = '~/m.gguf'\nread_timeout_s = 3\nembedding_path = '/e'\n"
    config = load(tmp_path, text)
    assert (config.names, config.read_timeout_s) == (("a", "b"), 3.0)
    assert config.model_path == Path("~/m.gguf").expanduser()
    assert config.embedding_path == Path("/e")
    assert load(tmp_path, text, {"KEEPMUM_CLOUD_NAMES": "c, d"}).names == ("c", "d")


@pytest.mark.parametrize(
    ("text", "environment", "named"),
    [
        ("[cloud]\nprot = 1\n", {}, "unknown key 'prot'"),
        ("[cloud]\nport = '1'\n", {}, "cloud.port must be int"),
        ("[cloud]\nport = true\n", {}, "cloud.port must be int"),
        ("[cloud]\nport = 70000\n", {}, "cloud.port"),
        ("[cloud]\nnames = 'a'\n", {}, "cloud.names must be a list"),
        ("[cloud]\nresponder = 'gpt'\n", {}, "llama or openai"),
        ("[cloud]\nresponder = 'openai'\n", {}, "base_url"),
        ("[cloud]\nbase_url = 'ftp://x'\n", {}, "base_url"),
        ("cloud = 1\n", {}, "must be a table"),
        ("[cloud", {}, "cannot be read"),
        ("", {"KEEPMUM_CLOUD_PORT": "x"}, "KEEPMUM_CLOUD_PORT must be int"),
        ("", {"KEEPMUM_CLOUD_BURST": "0"}, "cloud.burst"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, environment: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigError, match=named.replace("[", r"\[")):
        load(tmp_path, text, environment)


def test_every_setting_has_a_type() -> None:
    assert _TYPES.keys() == {field.name for field in fields(CloudConfig)}
