"""The owner's own list of public figures: added to the shipped one, read at start, refused with its line."""

from pathlib import Path

import pytest
from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon.app import open_service
from keepmum_edge.daemon.extraction import figures_in_force
from keepmum_edge.errors import ConfigError
from keepmum_edge.keys import Keyholder
from profiles import settings


@pytest.fixture
def config(tmp_path: Path) -> EdgeConfig:
    config = settings(tmp_path / "home")
    Keyholder(config, ring=None).create()
    return config


def write(config: EdgeConfig, text: str) -> Path:
    path = config.paths.public_figures_file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)
    return path


def test_without_a_list_of_ones_own_the_shipped_one_is_in_force(config: EdgeConfig) -> None:
    figures = figures_in_force(config.paths.public_figures_file)
    assert figures.lists("Albert Einstein")
    assert figures.lists("爱因斯坦")
    assert not figures.lists("Sigrid Tanaka")


def test_additions_and_removals_change_it(config: EdgeConfig) -> None:
    figures = figures_in_force(write(config, "# mine\nSigrid Tanaka | S. Tanaka\n- Albert Einstein\n"))
    assert figures.lists("S. Tanaka")
    assert not figures.lists("Albert Einstein")
    assert not figures.lists("爱因斯坦")


def test_a_line_that_is_none_stops_the_start_and_is_not_quoted(config: EdgeConfig) -> None:
    write(config, "Sigrid Tanaka\n| 4711\n")
    with pytest.raises(ConfigError) as refused:
        open_service(config)
    assert "line 2" in str(refused.value)
    assert "4711" not in str(refused.value)


def test_a_list_that_others_may_write_is_refused(config: EdgeConfig) -> None:
    write(config, "Sigrid Tanaka\n").chmod(0o666)
    with pytest.raises(ConfigError):
        figures_in_force(config.paths.public_figures_file)
