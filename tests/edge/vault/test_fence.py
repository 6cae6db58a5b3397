import time

import pytest
from keepmum_edge.vault.fence import FenceTracker
from keepmum_edge.vault.restore import restore
from private_texts import lookup_in


def inside(text: str) -> bool:
    tracker = FenceTracker()
    tracker.feed(text)
    return tracker.inside


@pytest.mark.parametrize(
    "text",
    [
        "```\nx",
        "```py\n",
        "   ```\nx",
        "~~~\nx",
        "~~~ a`b\n",
        "````\n```\nx",
        "```\n~~~\nx",
        "```\n``\nx",
        "```\n``` py\nx",
        "> ```\n> x",
        "- ```\n  x",
        "1. ```\n   x",
        "1) > ~~~\n> x",
        "text\n```\nx",
        "```\r\nx",
        "```\n\nx",
        "```\n        ```\nx",
        "```\n- ```\nx",
        "```\n``` `\nx",
        "`````\n````\nx",
        "```\nx\n```\n```\ny",
    ],
)
def test_inside_a_fence(text: str) -> None:
    assert inside(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "```",
        "``\nx",
        "``` a`b\nx",
        "```\nx\n```\ny",
        "```\nx\n````\ny",
        "~~~\nx\n~~~  \ny",
        "```\nx\n   ```\ny",
        "a ```\nx",
        "`` ` ``\nx",
        "> ```\n> x\n> ```\ny",
        "> ```\n> x\ny",
        "- ```\n  x\n  ```\ny",
        "1. ```\n   x\n   ```\ny",
        "```\r\nx\r\n```\r\ny",
        "\\```\nx",
        "> ```\n\nx",
    ],
)
def test_outside_a_fence(text: str) -> None:
    assert not inside(text)


def test_in_a_fence_only_the_exact_form_is_restored() -> None:
    lookup = lookup_in({"<NAME_1>": "Ada"})
    text = "NAME_1\n```\n<NAME_1> NAME_1 [NAME_1] <name_1> &lt;NAME_1&gt;\n```\n[NAME_1]"
    assert restore(text, lookup).text == "Ada\n```\nAda NAME_1 [NAME_1] <name_1> &lt;NAME_1&gt;\n```\nAda"


def test_a_value_that_holds_a_fence_is_followed_as_it_is_shown() -> None:
    lookup = lookup_in({"<NAME_1>": "\n```\n", "<NAME_2>": "Ben"})
    assert restore("<NAME_1>NAME_2", lookup).text == "\n```\nNAME_2"


@pytest.mark.parametrize("unit", [">", "> ", "- ", "1. ", "`", "```\n", " ", "~~~", "```a`"])
def test_hostile_lines_take_linear_time(unit: str) -> None:
    text = (unit * 100_000)[:400_000]
    begin = time.perf_counter()
    inside(text + "\n" + text)
    assert time.perf_counter() - begin < 1
