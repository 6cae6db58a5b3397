"""The fast scores against the definition, written out record by record."""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_inference.retrieval.bm25 import K1, B
from keepmum_inference.retrieval.eligible import Asking, Standing
from keepmum_inference.retrieval.index import Entry, ScopeIndex
from keepmum_inference.retrieval.rank import best_records
from keepmum_inference.retrieval.relevance import (
    LEXICAL_NEIGHBOUR,
    MAX_QUERY_TERMS,
    PLACEHOLDER_WEIGHT,
    VECTOR_NEIGHBOUR,
    relevance,
)
from keepmum_inference.retrieval.stored_vectors import from_bytes, to_bytes
from keepmum_inference.retrieval.terms import index_terms

WORDS = ("tea", "coffee", "<NAME_1>", "<NAME_2>", "walk", "piano")
NOW = 1000


@dataclass(frozen=True)
class Record:
    words: tuple[str, ...]
    session: int | None
    time: int
    vector: tuple[int, int] | None
    trust: int


records_of_a_scope = st.lists(
    st.builds(
        Record,
        words=st.lists(st.sampled_from(WORDS), max_size=5).map(tuple),
        session=st.none() | st.integers(0, 2),
        time=st.integers(0, 3),
        vector=st.none() | st.tuples(st.integers(-3, 3), st.integers(1, 3)),
        trust=st.sampled_from([20, 100]),
    ),
    min_size=1,
    max_size=12,
)


def unit(vector: tuple[int, int]) -> np.ndarray:
    array = np.array(vector, dtype=np.float32)
    return array / np.linalg.norm(array)


def index_of(records: list[Record]) -> ScopeIndex:
    index = ScopeIndex(dimension=2)
    index.add(
        [
            Entry(
                key=10 + 3 * i,
                standing=Standing(
                    session=None if r.session is None else f"s{r.session}", created_at=r.time, trust=r.trust
                ),
                length=len(index_terms(" ".join(r.words))),
                terms=Counter(index_terms(" ".join(r.words))),
            )
            for i, r in enumerate(records)
        ]
    )
    for i, r in enumerate(records):
        if r.vector is not None:
            index.place_vectors(np.array([10 + 3 * i]), unit(r.vector)[None])
    return index


def bm25(documents: list[dict[str, float]], terms: list[str]) -> list[float]:
    lengths = [sum(document.values()) for document in documents]
    mean = max(1.0, sum(lengths) / len(documents))
    scores = [0.0] * len(documents)
    for term in terms:
        holding = sum(document.get(term, 0) > 0 for document in documents)
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        idf *= PLACEHOLDER_WEIGHT if term.startswith("<") else 1
        for i, document in enumerate(documents):
            if frequency := document.get(term, 0):
                against = K1 * (1 - B + B * lengths[i] / mean)
                scores[i] += idf * frequency * (K1 + 1) / (frequency + against)
    return scores


def standardised(values: list[float]) -> list[float]:
    deviation = float(np.std(values))
    return [0.0 if deviation < 1e-6 else (value - float(np.mean(values))) / deviation for value in values]


def defined(
    records: list[Record], terms: list[str], vector: tuple[int, int] | None
) -> tuple[dict[int, float], dict[object, float]]:
    """Scores of records by number, and of sessions, as the module's text defines them."""
    allowed = [i for i, r in enumerate(records) if r.trust >= 50]
    sessions: dict[object, list[int]] = {}
    for i in sorted(allowed, key=lambda i: (records[i].time, i)):
        sessions.setdefault(("alone", i) if records[i].session is None else records[i].session, []).append(i)
    # A record that may not be found keeps its place, empty, between its neighbours.
    everyone: dict[object, list[int]] = {}
    for i in sorted(range(len(records)), key=lambda i: (records[i].time, i)):
        everyone.setdefault(("alone", i) if records[i].session is None else records[i].session, []).append(i)
    beside = {
        i: [members[j] for j in (at - 1, at + 1) if 0 <= j < len(members) and members[j] in allowed]
        for members in everyone.values()
        for at, i in enumerate(members)
    }
    if not allowed:
        return {}, {}
    counts = {i: Counter(index_terms(" ".join(records[i].words))) for i in allowed}
    passages: list[dict[str, float]] = []
    for i in allowed:
        passage: dict[str, float] = dict(counts[i])
        for other in beside[i]:
            for term, frequency in counts[other].items():
                passage[term] = passage.get(term, 0) + float(LEXICAL_NEIGHBOUR) * frequency
        passages.append(passage)
    lexical = dict(zip(allowed, bm25(passages, terms), strict=True))
    whole = bm25([dict(sum((counts[i] for i in members), Counter())) for members in sessions.values()], terms)
    parts_r = [standardised([lexical[i] for i in allowed])]
    parts_s = [standardised(whole), standardised([max(lexical[i] for i in m) for m in sessions.values()])]
    known = [i for i in allowed if records[i].vector is not None]
    if vector is not None and known:
        cosine = {i: float(unit(records[i].vector) @ unit(vector)) for i in known}  # type: ignore[arg-type]
        mean = sum(cosine.values()) / len(cosine)
        own = {i: cosine.get(i, mean) for i in allowed}
        share = float(VECTOR_NEIGHBOUR)
        near = {i: (own[i] + share * sum(own[j] for j in beside[i])) / (1 + share * len(beside[i])) for i in allowed}
        parts_r.append(standardised([near[i] for i in allowed]))
        parts_s.append(standardised([max(near[i] for i in m) for m in sessions.values()]))
        parts_s.append(standardised([sum(own[i] for i in m) / len(m) for m in sessions.values()]))
    of_session = dict(zip(sessions, np.mean(parts_s, axis=0), strict=True))
    session_of = {i: session for session, members in sessions.items() for i in members}
    of_record = {
        i: (value + of_session[session_of[i]]) / 2 for i, value in zip(allowed, np.mean(parts_r, axis=0), strict=True)
    }
    return of_record, of_session


@settings(max_examples=40, deadline=None)
@given(
    records=records_of_a_scope,
    words=st.lists(st.sampled_from(WORDS), max_size=4, unique=True),
    vector=st.none() | st.tuples(st.integers(-3, 3), st.integers(1, 3)),
)
def test_scores_are_as_defined(records: list[Record], words: list[str], vector: tuple[int, int] | None) -> None:
    index = index_of(records)
    terms = index_terms(" ".join(words))
    allowed = index.eligible(Asking(now=NOW))
    got = relevance(index, terms, None if vector is None else unit(vector), allowed)
    of_record, of_session = defined(records, terms, vector)
    for i in range(len(records)):
        if i in of_record:
            assert got.records[i] == pytest.approx(of_record[i], abs=2e-3)
        else:
            assert got.records[i] == -np.inf
    reached = sorted(got.sessions[np.isfinite(got.sessions)])
    assert reached == pytest.approx(sorted(of_session.values()), abs=2e-3)


def test_of_a_long_query_the_rarest_terms_count() -> None:
    index = index_of([Record((f"w{i}",) + ("tea",) * 2, None, 0, None, 100) for i in range(60)])
    terms = ["tea", *(f"w{i}" for i in range(MAX_QUERY_TERMS))]
    found = relevance(index, terms, None, index.eligible(Asking(now=NOW)))
    assert found.matched[:MAX_QUERY_TERMS].min() > 0
    assert found.matched[MAX_QUERY_TERMS:].max() == 0, "the common term was left out"


def test_an_answer_beside_what_was_asked_for_is_found() -> None:
    talk = [
        Record(("walk", "piano"), 0, 0, None, 100),
        Record(("where", "coffee", "tea", "beans"), 1, 0, None, 100),
        Record(("lisbon",), 1, 1, None, 100),
        Record(("porto",), 2, 0, None, 100),
    ]
    index = index_of(talk)
    found = relevance(index, index_terms("coffee beans"), None, index.eligible(Asking(now=NOW)))
    assert found.records[2] > found.records[3]


def entry(key: int, word: str, **standing: object) -> Entry:
    return Entry(key=key, standing=Standing(**({"created_at": 0} | standing)), length=1, terms={word: 1})  # type: ignore[arg-type]


def keys(index: ScopeIndex, asking: Asking, term: str = "tea") -> list[int]:
    return [found.key for found in best_records(index, [term], None, asking, limit=10)]


def test_what_may_not_be_found_changes_nothing_for_what_may() -> None:
    good = [entry(1, "tea", importance=60), entry(2, "tea"), entry(3, "coffee")]
    bad = [entry(4 + i, "tea", trust=20, session="x") for i in range(30)]
    alone, poisoned = ScopeIndex(dimension=0), ScopeIndex(dimension=0)
    alone.add(good)
    poisoned.add(good + bad)
    ask = Asking(now=NOW)
    assert best_records(poisoned, ["tea"], None, ask, limit=10) == best_records(alone, ["tea"], None, ask, limit=10)


def test_closed_future_distrusted_and_denied_records_are_not_found() -> None:
    index = ScopeIndex(dimension=0)
    index.add(
        [
            entry(1, "tea"),
            entry(2, "tea", valid_to=NOW),
            entry(3, "tea", valid_from=NOW + 1),
            entry(4, "tea", trust=49),
            entry(5, "tea", audiences=frozenset({"doctor"})),
        ]
    )
    assert sorted(keys(index, Asking(now=NOW))) == [1, 5]
    assert sorted(keys(index, Asking(now=NOW, closed=True))) == [1, 2, 5], "what is yet to come is not past"
    assert keys(index, Asking(now=NOW, audience="doctor")) == [5]
    assert keys(index, Asking(now=NOW, audience="boss")) == []
    assert sorted(keys(index, Asking(now=NOW, trust_min=0))) == [1, 4, 5]


def test_importance_then_age_decide_between_equals() -> None:
    index = ScopeIndex(dimension=0)
    day = 86_400
    index.add([entry(1, "tea"), entry(2, "tea", created_at=200 * day), entry(3, "tea", importance=100)])
    assert keys(index, Asking(now=200 * day)) == [3, 2, 1]


def test_records_added_later_are_found_by_terms_already_known() -> None:
    index = ScopeIndex(dimension=0, complete=False)
    index.add([Entry(key=1, standing=Standing(created_at=0), length=1, terms={})])
    assert index.postings.unknown(["tea"]) == ["tea"]
    index.postings.learn("tea", index.rows_of(np.array([1])), np.ones(1, dtype=np.float32))
    index.add([entry(5, "tea"), entry(9, "coffee")])
    assert index.postings.unknown(["tea"]) == []
    assert sorted(keys(index, Asking(now=NOW))) == [1, 5]


def test_an_empty_scope_finds_nothing() -> None:
    assert best_records(ScopeIndex(dimension=2), ["tea"], unit((1, 1)), Asking(now=NOW), limit=3) == []


def test_a_record_that_changes_its_standing_is_ranked_as_if_it_had_always_been_so() -> None:
    """Also its session, whose number may then belong to no record any more."""
    index, fresh = ScopeIndex(dimension=0), ScopeIndex(dimension=0)
    before = [entry(1, "tea", session="a"), entry(2, "tea", session="b"), entry(3, "milk", session="b")]
    after = [entry(1, "tea", session="b"), entry(2, "tea", importance=90), entry(3, "milk", session="b")]
    index.add(before)
    for each in after[:2]:
        index.change(each.key, each.standing)
    fresh.add(after)
    asking = Asking(now=NOW)
    assert best_records(index, ["tea", "milk"], None, asking, limit=9) == best_records(
        fresh, ["tea", "milk"], None, asking, limit=9
    )


def test_what_is_for_one_application_is_found_by_it_and_by_the_owners_own_tools() -> None:
    index = ScopeIndex(dimension=0)
    index.add([entry(1, "tea", application="editor"), entry(2, "tea")])
    assert sorted(keys(index, Asking(now=NOW))) == [1, 2]
    assert sorted(keys(index, Asking(now=NOW, application="editor"))) == [1, 2]
    assert keys(index, Asking(now=NOW, application="mail")) == [2]


def test_stored_vectors_come_back_nearly_the_same_and_never_of_another_length() -> None:
    vectors = np.random.default_rng(1).normal(size=(5, 8)).astype(np.float32)
    assert np.allclose(from_bytes([to_bytes(each) for each in vectors], dimension=8), vectors, atol=2e-3)
    assert from_bytes([], dimension=8).shape == (0, 8)
    with pytest.raises(ValueError, match="length"):
        from_bytes([to_bytes(vectors[0]), b"12"], dimension=8)
