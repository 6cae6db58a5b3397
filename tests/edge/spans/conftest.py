import re
from collections.abc import Callable

import pytest
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.shipped import load_shipped
from keepmum_edge.spans.span import PrivateSpan

Spans = tuple[PrivateSpan, ...]


@pytest.fixture(scope="session")
def extractor() -> RuleExtractor:
    return RuleExtractor()


@pytest.fixture(scope="session")
def shipped() -> SpanExtractor:
    return load_shipped()


@pytest.fixture(scope="session")
def expect(extractor: RuleExtractor) -> Callable[..., Spans]:
    """`expect("mail ⟦a@b.de⟧ now", "EMAIL")`: exactly the marked stretches are found, in order, with these types.

    One type stands for all stretches; no brackets means that nothing may be found.
    """

    def check(marked: str, *types: str) -> Spans:
        text = re.sub("[⟦⟧]", "", marked)
        spans = extractor.extract(text)
        shown = list(text)
        for span in reversed(spans):
            shown[span.start : span.end] = ["⟦", *shown[span.start : span.end], "⟧"]
        assert "".join(shown) == marked
        wanted = types * len(spans) if len(types) == 1 else types
        assert tuple(str(span.entity_type) for span in spans) == tuple(wanted)
        return spans

    return check
