from dataclasses import replace

import pytest
from edge.spans.found import found_in
from keepmum_edge.spans.address_borders import with_whole_addresses
from keepmum_shared.taxonomy import EntityType, Level

NAME, ADDRESS, PHONE = EntityType.NAME, EntityType.ADDRESS, EntityType.PHONE


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("Ilse and Birkevej 15", [("Ilse", NAME), ("Birkevej 15", ADDRESS)], ["Ilse and Birkevej 15"]),
        ("I moved. Ilse & Birkevej 15", [("Ilse", NAME), ("Birkevej 15", NAME)], ["Ilse & Birkevej 15"]),
        (
            "Ilse and Nordal Berg vei 18",
            [("Ilse", NAME), ("Nordal Berg", NAME), ("vei 18", ADDRESS)],
            ["Ilse and Nordal Berg vei 18"],
        ),
        (
            "meet at the corner of 7 Elm St and Bay Rd at six",
            [("7 Elm St", ADDRESS), ("Bay Rd", ADDRESS)],
            ["at the corner of 7 Elm St and Bay Rd"],
        ),
        ("I like Anna and 12 Baker St", [("Anna", NAME), ("12 Baker St", ADDRESS)], ["Anna", "12 Baker St"]),
        ("Anna and Tom", [("Anna", NAME), ("Tom", NAME)], ["Anna", "Tom"]),
        ("Anna, Birkevej 15", [("Anna", NAME), ("Birkevej 15", ADDRESS)], ["Anna", "Birkevej 15"]),
    ],
)
def test_crossings(text: str, found: list[tuple[str, EntityType]], whole: list[str]) -> None:
    assert [s.surface for s in with_whole_addresses(text, found_in(text, *found))] == whole


@pytest.mark.parametrize(
    ("text", "found", "head"),
    [
        ("Harbourline\n\n12 Elm St\nSpringfield", [("12 Elm St\nSpringfield", ADDRESS)], "Harbourline"),
        (
            "Harbourline Freight Ltd\n12 Elm St\n555 0100",
            [("12 Elm St", ADDRESS), ("555 0100", PHONE)],
            "Harbourline Freight Ltd",
        ),
        ("Our office:\n12 Elm St", [("12 Elm St", ADDRESS)], None),
        ("Ship it here\n12 Elm St", [("12 Elm St", ADDRESS)], None),
        ("Groceries\nmilk, eggs and bread for the weekend\n12 Elm St", [("12 Elm St", ADDRESS)], None),
        ("Anna Berg\n12 Elm St", [("Anna Berg", NAME), ("12 Elm St", ADDRESS)], None),  # is masked already
        ("Harbourline\nis closed today", [], None),
    ],
)
def test_letterheads(text: str, found: list[tuple[str, EntityType]], head: str | None) -> None:
    made = with_whole_addresses(text, found_in(text, *found))
    heads = [s.surface for s in made if s.entity_type is EntityType.ORGANIZATION]
    assert heads == ([] if head is None else [head])
    assert list(made) == sorted(made, key=lambda s: s.start)


def test_a_street_called_after_somebody_public_leaves_no_private_one_bare() -> None:
    text = "the corner of 7 Elm St and Ada Lovelace"
    elm, ada = found_in(text, ("7 Elm St", ADDRESS), ("Ada Lovelace", NAME))
    (whole,) = with_whole_addresses(text, [elm, replace(ada, level=Level.PL1)])
    assert (whole.surface, whole.entity_type, whole.level) == (text, ADDRESS, Level.PL2)
