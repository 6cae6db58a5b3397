import pytest


@pytest.mark.parametrize(
    "text",
    [
        "Ship it to ⟦48 Pelican Court, Apt 5B, Marlow Springs, OR 97999⟧ by Friday.",
        "I live at ⟦221 N. Baker Street⟧ now",
        "⟦12 Harbour Road, Leeds LS1 4AB⟧",
        "wohnhaft ⟦Lindenstraße 12, 80802 München⟧.",
        "j'habite ⟦12 bis rue de la République, 69002 Lyon⟧",
        "vivo en ⟦Calle Mayor 14⟧",
        "⟦P.O. Box 1187⟧",
        "寄到⟦云州市青禾区梧桐路18号院3栋2单元501室⟧，周五前到",
        "住在⟦梧桐路9号⟧",
        "我家在⟦青禾花园3栋501⟧，谢谢",
    ],
)
def test_addresses_are_found(expect, text: str) -> None:
    expect(text, "ADDRESS")


@pytest.mark.parametrize("text", ["zip code is ⟦97999⟧", "邮编：⟦100084⟧", "Postcode: ⟦LS1 4AB⟧"])
def test_labelled_postcodes_are_found(expect, text: str) -> None:
    expect(text, "POSTCODE")


@pytest.mark.parametrize(
    "text",
    [
        "the 2008 Wall Street crash",
        "3 Google Drive folders and 2 Hard Drive bays",
        "Main Street was closed",
        "in 1999 Baker Street was a hit",
        "梧桐路9号线",
        "zip 3 files",
        "zip 100084 files, zip 12345-678",
        "the 9th Circuit Court",
    ],
)
def test_other_places_stay(expect, text: str) -> None:
    expect(text)
