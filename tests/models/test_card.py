from pathlib import Path

from keepmum_models.card import CARD, write_card

METRICS = {
    "shape": {"layers": 6, "vocabulary": 40000},
    "texts": 1200,
    "by_source": {"corpus": 1000, "en_wnut17": 200},
    "pieces": 1_000_000,
    "seconds": 600.0,
    "device": "cpu",
    "passes": 0.5,
    "step": 400,
    "loss": 0.1234,
}
ROW = {
    "texts": 10,
    "private": 0,
    "f1": None,
    "leak": None,
    "negatives_masked": 2.5,
    "overmask": 1.0,
    "false_per_1k": 0.5,
    "p50_ms": 3.0,
    "p95_ms": 9.0,
}


def test_the_card_names_every_source_with_its_licence_and_the_figures(tmp_path: Path) -> None:
    write_card(tmp_path, METRICS, {"extractor": "rules+model", "most": 10, "sets": {"zh_xsid": ROW}})
    card = (tmp_path / CARD).read_text(encoding="utf-8")
    for named in (
        "multilingual-e5-small",
        "WNUT",
        "AISHELL-NER",
        "CrossWOZ",
        "lifebench",
        "CC BY 4.0",
        "Apache-2.0",
        "MIT",
    ):
        assert named in card
    assert "| zh_xsid | 10 | 0 | – | – | 2.5 | 1.0 | 0.5 | 3.0 / 9.0 |" in card


def test_without_figures_there_is_no_table_of_them(tmp_path: Path) -> None:
    write_card(tmp_path, METRICS, {})
    assert "## Figures" not in (tmp_path / CARD).read_text(encoding="utf-8")
