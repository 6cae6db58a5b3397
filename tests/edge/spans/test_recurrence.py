import html
import json
import time
from urllib.parse import quote

import pytest
from keepmum_edge.daemon.turn import find_spans
from keepmum_edge.spans.extractor import TextKind
from keepmum_edge.spans.recurrence import find_again
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.vault.conversation import ConversationVault
from keepmum_shared.taxonomy import EntityType, Level

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
    assert [(span.start, span.surface) for span in find_again(text, known)] == [(6, written)]


def test_no_word_or_number_is_cut() -> None:
    known = [("kite4471", EntityType.PASSWORD, Level.PL4), ("4471-kite", EntityType.PASSWORD, Level.PL4)]
    assert not find_again("akite4471 kite44712 44471-kite 4471-kites", known)
    assert len(find_again("(kite4471)密4471-kite码", known)) == 2


def test_many_known_values_and_a_long_text_do_not_multiply(extractor: RuleExtractor) -> None:
    text = "\n".join(f"password: hunter{i:06d}x, mail user{i:06d}@example.org" for i in range(6000))
    vault = ConversationVault(profile_scope=True, volatile_all=False)
    begin = time.process_time()
    found = find_spans([(text, TextKind.PROSE)], lambda text, kind: extractor.extract(text), vault)[text]
    assert len(found) == 12_000
    assert time.process_time() - begin < 15
