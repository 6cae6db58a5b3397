import itertools
import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.pseudonymise import MaskSettings
from keepmum_edge.vault.restore import restore
from keepmum_edge.vault.stream import StreamRestorer
from keepmum_edge.vault.tolerant import scan
from keepmum_shared.taxonomy import EntityType
from private_texts import FORMS, TYPES, Desk, hard_texts, span, texts_with_spans

Spanned = tuple[str, tuple[PrivateSpan, ...]]
quick = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(texts_with_spans(), st.booleans(), st.booleans(), st.booleans(), st.sampled_from(Origin))
def test_restoring_undoes_pseudonymising(
    spanned: Spanned, coarse: bool, profile_scope: bool, incognito: bool, origin: Origin
) -> None:
    text, spans = spanned
    desk = Desk(profile_scope=profile_scope, incognito=incognito, settings=MaskSettings(coarse=coarse))
    masked = desk.mask(text, spans, origin)
    for tolerant in (True, False):
        assert restore(masked.text, desk.lookup, addresses=False, tolerant=tolerant).text == text


@quick
@given(texts_with_spans(), st.sampled_from(Origin))
def test_all_tokens_of_a_masked_text_are_its_own(spanned: Spanned, origin: Origin) -> None:
    desk = Desk()
    masked = desk.mask(*spanned, origin)
    found = list(scan(masked.text))
    assert all(match.is_exact for match in found)
    assert tuple(match.placeholder for match in found) == masked.placeholders


@quick
@given(texts_with_spans(), st.lists(st.integers(0, 200), max_size=12))
def test_the_stream_of_a_masked_text_restores_it_at_any_cut(spanned: Spanned, cuts: list[int]) -> None:
    text, spans = spanned
    desk = Desk()
    masked = desk.mask(text, spans).text
    restorer = StreamRestorer(desk.lookup, addresses=False)
    shown = [restorer.feed(masked[a:b]) for a, b in pieces(len(masked), cuts)]
    assert "".join(shown) + restorer.flush() == text


def pieces(size: int, cuts: list[int]) -> list[tuple[int, int]]:
    borders = sorted({0, size, *(cut for cut in cuts if cut < size)})
    return list(itertools.pairwise(borders))


@quick
@given(st.lists(texts_with_spans(), min_size=2, max_size=4), st.booleans())
def test_in_a_conversation_a_token_means_one_thing(turns: list[Spanned], profile_scope: bool) -> None:
    desk = Desk(profile_scope=profile_scope)
    meaning: dict[str, str] = {}
    masked = []
    for number, (text, spans) in enumerate(turns):
        origin = list(Origin)[number % 3]
        masked.append(desk.mask(text, spans, origin).text)
        for binding in desk.vault.bindings():
            assert meaning.setdefault(str(binding.placeholder), binding.surface) == binding.surface
    for (text, _), sent in zip(turns, masked, strict=True):
        assert restore(sent, desk.lookup, addresses=False).text == text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "around", ["{}", "a {} b", "{}{}", "，{}，", "a\n{}\nb", "```\n{}\n```", '"{}"', "_{}_", "a{}"]
)
def test_a_literal_placeholder_never_becomes_a_value(form: str, around: str) -> None:
    text = around.format(form.format(t="NAME", n="1"), form.format(t="EMAIL", n="1"))
    desk = Desk()
    known = desk.mask("Ada a@b.example", [span("Ada", 0, 3, EntityType.NAME)])
    assert "<NAME_1>" in known.text
    masked = desk.mask(text)
    assert restore(masked.text, desk.lookup, addresses=False).text == text
    assert all(match.placeholder.entity_type is EntityType.LITERAL for match in scan(masked.text))


def test_neighbours_that_join_into_a_token_are_masked_with_it() -> None:
    for text, value in (("x@y NAME_1", "x@y "), ("<Ada>NAME_1>", "Ada"), ("<NAME_7Ada>", "Ada"), ("NAME_1Ada", "Ada")):
        desk = Desk()
        start = text.index(value)
        masked = desk.mask(text, [span(text, start, start + len(value), EntityType.EMAIL)])
        assert restore(masked.text, desk.lookup, addresses=False).text == text
        assert all(match.placeholder in masked.placeholders for match in scan(masked.text))


def test_a_secret_beside_a_literal_stays_a_secret() -> None:
    text = "key <NAME_1hunter"
    desk = Desk()
    masked = desk.mask(text, [span(text, 10, 17, EntityType.PASSWORD)])
    assert [p.entity_type for p in masked.placeholders] == [EntityType.PASSWORD]
    assert desk.vault.unsaved() == ()


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "王\ud83d"])
def test_a_lone_surrogate_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequestError):
        Desk().mask(text)


def test_text_without_anything_private_is_sent_as_it_is() -> None:
    text = "if a < b and c > d: print([1], {2}, 'x_1') # 50% &amp; more\r\n" * 3
    assert Desk().mask(text).text == text


def test_1_mb_goes_there_and_back_in_linear_time() -> None:
    chance = random.Random(1)
    unit = "Ada Fenwick lives 王芳 <NAME_1> 👩‍👧 at [x](https://a.example/1)\r\n"
    text = unit * (1_000_000 // len(unit))
    starts = chance.sample(range(0, len(text) - 12, 12), 3000)
    spans = [span(text, s, s + 11, chance.choice(TYPES)) for s in sorted(starts)]
    desk = Desk()
    begin = time.perf_counter()
    masked = desk.mask(text, spans)
    shown = restore(masked.text, desk.lookup, addresses=False).text
    assert time.perf_counter() - begin < 20
    assert shown == text


def test_thousands_of_different_values_are_numbered_on_and_all_restore() -> None:
    values = [f"user{i}@example.org" for i in range(1, 5001)]
    text = " ".join(values)
    spans, at = [], 0
    for value in values:
        spans.append(span(text, at, at + len(value), EntityType.EMAIL))
        at += len(value) + 1
    desk = Desk()
    masked = desk.mask(text, spans)
    assert [p.number for p in masked.placeholders] == list(range(1, 5001))
    assert restore(masked.text, desk.lookup).text == text


@quick
@given(hard_texts)
def test_text_that_was_never_masked_restores_to_itself_where_nothing_is_known(text: str) -> None:
    assert restore(text, lambda _: None).text == text
