import html
import json
import time
from urllib.parse import quote

import pytest
from keepmum_edge.daemon.turn import find_spans
from keepmum_edge.spans.extractor import TextKind
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.recurrence import find_again
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.vault.conversation import ConversationVault
from keepmum_shared.taxonomy import EntityType, Level, default_level

SECRET = "Zür" + "ich\"99/21<k&'x>"


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        json.dumps(SECRET).replace("/", "\\/")[1:-1],
        html.escape(SECRET),
        html.escape(SECRET, quote=False),
        quote(SECRET, safe=""),
    ],
)
@pytest.mark.parametrize("others", [0, 100])
def test_a_known_value_is_found_as_other_formats_write_it(written: str, others: int) -> None:
    known = [(f"other{i:05d}", EntityType.USERNAME, Level.PL2) for i in range(others)]
    known.append((SECRET, EntityType.PASSWORD, Level.PL4))
    text = f'echo "{written}" again'
    assert [(span.start, span.surface) for span in merge(text, find_again(text, known))] == [(6, written)]


def test_no_word_or_number_is_cut() -> None:
    known = [("kite4471", EntityType.PASSWORD, Level.PL4), ("4471-kite", EntityType.PASSWORD, Level.PL4)]
    assert not find_again("akite4471 kite44712 44471-kite and 4471-kites", known)
    assert len(find_again("(kite4471)密4471-kite码", known)) == 2


def test_many_known_values_and_a_long_text_do_not_multiply(extractor: RuleExtractor) -> None:
    text = "\n".join(f"password: hunter{i:06d}x, mail user{i:06d}@example.org" for i in range(6000))
    vault = ConversationVault(profile_scope=True, volatile_all=False)
    begin = time.process_time()
    found = find_spans([(text, TextKind.PROSE)], lambda text, kind: extractor.extract(text), vault)[text]
    assert len(found) == 12_000
    assert time.process_time() - begin < 15


def again(text: str, value: str, entity_type: EntityType) -> list[str]:
    return [s.surface for s in merge(text, find_again(text, [(value, entity_type, default_level(entity_type))]))]


@pytest.mark.parametrize(
    ("value", "entity_type", "written"),
    [
        ("4471", EntityType.PIN, ["4471", "44 71", "4-4-7-1", "４４７１", "四四七一", "4\u200b471"]),
        (
            "Vk39-plover",
            EntityType.PASSWORD,
            ["vk39-plover", "Vk39\u200b-plover", "Ｖｋ39-plover", "Vk39‑plover", "Vk39 plover"],
        ),
        ("Vk39-plover", EntityType.PASSWORD, ["Vk39-\nplover", "vk39plover"]),
        ("QX-77120", EntityType.ACCOUNT_ID, ["qx-77120", "QX77120", "QX/77120"]),
        ("Brightwell", EntityType.ORGANIZATION, ["brightwell", "BRIGHTWELL"]),
        ("colitis", EntityType.HEALTH, ["Colitis"]),
        ("ulcerative colitis", EntityType.HEALTH, ["Ulcerative Colitis", "ulcerative\ncolitis"]),
        ("13912345678", EntityType.PHONE, ["139 1234 5678", "139-1234-5678", "１３９１２３４５６７８"]),
        ("84,500", EntityType.FINANCE, ["84500"]),
        ("84500", EntityType.FINANCE, ["84,500"]),
        ("ann.fake@example.org", EntityType.EMAIL, ["ANN.FAKE@EXAMPLE.ORG"]),
        ("14 Alder Lane, Leeds", EntityType.ADDRESS, ["14 alder lane leeds"]),
    ],
)
def test_a_known_value_is_found_in_another_spelling(value: str, entity_type: EntityType, written: list[str]) -> None:
    for each in written:
        for text in (each, f"so {each}.", f"（{each}）"):
            assert again(text, value, entity_type) == [each]


@pytest.mark.parametrize(
    ("value", "entity_type", "text"),
    [
        ("May", EntityType.ORGANIZATION, "May I? in may"),
        ("Shell", EntityType.ORGANIZATION, "a shell and SHELL"),
        ("Bookstore", EntityType.ORGANIZATION, "The bookstore was shut."),
        ("will", EntityType.PASSWORD, "Will you?"),
        ("2,000", EntityType.FINANCE, "in the year 2000"),
        ("4471", EntityType.PIN, "[4, 4, 7, 1] 144 71 44 711 4,471x 4..471"),
        ("1.2.3.4", EntityType.IP_ADDRESS, "12.34 and 1234"),
        ("Sigrid", EntityType.NAME, "sigrid"),
        ("QX-7", EntityType.ACCOUNT_ID, "qx 7"),
        ("ab-cd", EntityType.USERNAME, "abcd"),
    ],
)
def test_what_only_resembles_a_known_value_is_left_alone(value: str, entity_type: EntityType, text: str) -> None:
    assert again(text, value, entity_type) == []


def test_a_secret_inside_a_longer_known_value_stays_one() -> None:
    known = [("old Kite#4471", EntityType.ADDRESS, Level.PL2), ("Kite#4471", EntityType.PASSWORD, Level.PL4)]
    text = "at old Kite#4471"
    assert {span.level for span in merge(text, find_again(text, known))} == {Level.PL4}


def test_values_that_begin_alike_and_are_of_many_lengths_take_linear_time() -> None:
    """Hundreds of lengths at each place would take ten times as long for three times the values."""

    def seconds(count: int) -> float:
        known = [(f"kite{'-1' * length}", EntityType.PASSWORD, Level.PL4) for length in range(1, count)]
        text = " ".join(value for value, _, _ in known)
        begin = time.process_time()
        assert len(merge(text, find_again(text, known))) == count - 1
        return (time.process_time() - begin) / len(text)

    small, large = min(seconds(60) for _ in range(3)), min(seconds(360) for _ in range(2))
    assert large < 3 * small
