"""One span a stretch: what several extractors found, made into spans that do not overlap (pure).

1. A PL4 span that is a guess is dropped where a checked form reaches over it: the name in an address is no password.
2. Any other PL4 span is never cut. Whatever overlaps it is joined with it, and the joined stretch has the type of its
   best PL4 member: masking too much there is better than leaving a piece of a secret.
3. What is private wins over what is not (PL1): a private surname inside a public name stays masked.
4. Elsewhere the better span wins: a check digit or unmistakable form (certainty 100) over none, type and borders;
   then the longer, then the more certain. What a loser covers beyond the winner is kept, so that nothing that
   somebody found private is left bare: as part of the winner if both are of one type, else as a piece of its own.

The result depends on the set of spans only, not on their order or grouping; merging it again changes nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate

from keepmum_shared.taxonomy import Level

from keepmum_edge.spans.span import GUESSES, PrivateSpan

_CHECKED = 100


def merge(text: str, *groups: Iterable[PrivateSpan]) -> tuple[PrivateSpan, ...]:
    """Merge groups of spans of one text; sorted by `start`, not overlapping.

    Args:
        text: The text that all offsets refer to.
        groups: Spans of each extractor, in any order; within a group they may overlap too.
    """
    spans = _without_overruled(sorted({span for group in groups for span in group}, key=_position))
    return tuple(span for cluster in _clusters(spans) for span in _resolve(text, cluster))


def _without_overruled(spans: list[PrivateSpan]) -> list[PrivateSpan]:
    """Drop guessed secrets that lie inside a longer checked form; spans are sorted by start."""
    checked = [s for s in spans if s.certainty >= _CHECKED and s.level not in (Level.PL1, Level.PL4)]
    if not checked:
        return spans
    starts = [s.start for s in checked]
    reach = list(accumulate((s.end for s in checked), max))

    def overruled(span: PrivateSpan) -> bool:
        if span.level is not Level.PL4 or span.source not in GUESSES:
            return False
        before, until = bisect_left(starts, span.start), bisect_right(starts, span.start)
        return (before > 0 and reach[before - 1] >= span.end) or (until > 0 and reach[until - 1] > span.end)

    return [span for span in spans if not overruled(span)]


def _position(span: PrivateSpan) -> tuple[object, ...]:
    return (span.start, span.end, *_rank(span))


def _rank(span: PrivateSpan) -> tuple[object, ...]:
    """Sort key, best first; total over everything that distinguishes two spans."""
    return (
        -(span.level is Level.PL4),
        span.level is Level.PL1,
        -(span.certainty >= _CHECKED),
        span.start - span.end,
        -span.certainty,
        -span.level,
        span.start,
        span.entity_type,
        span.source,
    )


def _clusters(spans: list[PrivateSpan]) -> Iterator[list[PrivateSpan]]:
    """Split sorted spans where nothing reaches across."""
    cluster: list[PrivateSpan] = []
    reach = 0
    for span in spans:
        if cluster and span.start >= reach:
            yield cluster
            cluster = []
        cluster.append(span)
        reach = max(reach, span.end)
    if cluster:
        yield cluster


def _resolve(text: str, cluster: list[PrivateSpan]) -> list[PrivateSpan]:
    if len(cluster) == 1:
        return cluster
    stretches: list[PrivateSpan] = []
    others = cluster
    while secrets := [span for span in others if span.level is Level.PL4]:
        stretch = _joined(text, min(secrets, key=_rank), others)
        stretches.append(stretch)
        others = [span for span in others if span.end <= stretch.start or span.start >= stretch.end]
    return sorted(stretches + _contest(text, others), key=_position)


def _joined(text: str, secret: PrivateSpan, spans: list[PrivateSpan]) -> PrivateSpan:
    """Grow a secret over everything that overlaps it, directly or through another."""
    start, end = secret.start, secret.end
    for span in spans:  # sorted by start: one pass finds what reaches in from the left ...
        if span.start < end and span.end > start:
            start, end = min(start, span.start), max(end, span.end)
    for span in reversed(spans):  # ... and a second what the grown left end now touches
        if span.start < end and span.end > start:
            start, end = min(start, span.start), max(end, span.end)
    return _cut(text, secret, start, end)


def _contest(text: str, spans: list[PrivateSpan]) -> list[PrivateSpan]:
    kept: list[PrivateSpan] = []  # sorted and disjoint, so that what overlaps a span lies together
    for span in sorted(spans, key=_rank):
        first = max(bisect_right(kept, span.start, key=_start) - 1, 0)
        last = bisect_left(kept, span.end, key=_start)
        if first < last and kept[first].end <= span.start:
            first += 1
        kept[first:last] = _beside(text, span, kept[first:last])
    return kept


def _beside(text: str, span: PrivateSpan, better: list[PrivateSpan]) -> list[PrivateSpan]:
    """Put what is left of a span between the better ones that overlap it; those of its own kind take it up."""
    placed: list[PrivateSpan] = []
    start = span.start
    for taken in better:
        for item in (*_piece(text, span, start, taken.start), taken):
            _place(text, span, placed, item)
        start = taken.end
    for item in _piece(text, span, start, span.end):
        _place(text, span, placed, item)
    return placed


def _place(text: str, span: PrivateSpan, placed: list[PrivateSpan], item: PrivateSpan) -> None:
    """Append an item; join it with the last if the span, which reaches over both, is of the kind of both."""
    if placed and _may_join(span, placed[-1]) and _may_join(span, item):
        last = placed.pop()
        item = _cut(text, min(last, item, key=_rank), last.start, item.end)
    placed.append(item)


def _may_join(span: PrivateSpan, item: PrivateSpan) -> bool:
    """A checked form keeps its borders."""
    return (item.entity_type, item.level) == (span.entity_type, span.level) and item.certainty < _CHECKED


def _start(span: PrivateSpan) -> int:
    return span.start


def _piece(text: str, span: PrivateSpan, start: int, end: int) -> list[PrivateSpan]:
    """Give the rest of a span without blanks and marks at its ends; nothing where no two letters or digits are left."""
    if (start, end) == (span.start, span.end):
        return [span]
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return [_cut(text, span, start, end)] if end - start >= 2 else []


def _cut(text: str, span: PrivateSpan, start: int, end: int) -> PrivateSpan:
    return replace(span, start=start, end=end, surface=text[start:end])
