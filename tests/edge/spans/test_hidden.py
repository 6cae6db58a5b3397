"""Values that an encoding, a format or a mark hides from a reader of plain text."""

import json

import pytest
from keepmum_edge.spans.rules import RuleExtractor

PASSWORD = "Plover-" + "9271-kite"
MAIL = "ada.fenwick"
CARD = "4242" * 4

HIDDEN = {
    "JSON in ASCII, the key says it": (json.dumps({"密码": PASSWORD}), PASSWORD),
    "JSON in ASCII, the text says it": (json.dumps({"note": f"我的密码是{PASSWORD}"}), PASSWORD),
    "JSON in JSON in ASCII": (json.dumps({"a": json.dumps({"密码": PASSWORD})}), PASSWORD),
    "three layers of JSON": (json.dumps([json.dumps([json.dumps({"password": PASSWORD})])]), PASSWORD),
    "an escaped at sign in JSON": ('{"to": "' + MAIL + '\\u0040example.org"}', MAIL),
    "an at sign of HTML": ("mail " + MAIL + "&#64;example.org", MAIL),
    "a named at sign of HTML": ("mail " + MAIL + "&commat;example.org", MAIL),
    "a bold label": (f"**Password:** {PASSWORD}", PASSWORD),
    "what only looks like an image": (f"data:image/png,password={PASSWORD}", PASSWORD),
    "a card behind what only looks like sound": (f"data:audio/x,{CARD}", CARD),
    "a quote in it": ("my password is Plo'ver-" + "9271-kite", "9271-kite"),
    "a control character": (f"pass\x00word: {PASSWORD}", PASSWORD),
}


@pytest.mark.parametrize(("text", "value"), HIDDEN.values(), ids=HIDDEN.keys())
def test_nothing_hides_a_value(extractor: RuleExtractor, text: str, value: str) -> None:
    spans = extractor.extract(text)
    shown = text
    for span in reversed(spans):
        assert text[span.start : span.end] == span.surface
        shown = shown[: span.start] + shown[span.end :]
    assert value not in shown
    assert len(shown) > 3, "what is not private stays"
