from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

from keepmum_models.recipe import SHIPPED, read_recipe


def test_the_shipped_recipe_can_be_read() -> None:
    recipe = read_recipe()
    assert recipe.base.layers == 6
    assert recipe.run.minutes <= 75
    assert list(recipe.loss.by_level) == sorted(recipe.loss.by_level)


@pytest.mark.parametrize("line", ["layers = 6", "[more]\nx = 1"])
def test_an_unknown_key_is_an_error(tmp_path: Path, line: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(SHIPPED.read_text(encoding="utf-8") + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="unknown"):
        read_recipe(path)
