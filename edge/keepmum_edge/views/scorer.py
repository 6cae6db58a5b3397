"""How far the records of a slot support each view: integers, made when memory is written and never at a query.

c and s are 0..10 each; the private score is w = 4c + 2s, 0..60. Whatever a scorer does, the result lies in that range,
so the sensitivity of 60 needs no trust in it. The generic view is not scored: it has the policy's tau for every store.
A scorer that fails scores 0, and the draw takes place all the same: to skip it would tell.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from keepmum_shared.view import Policy, SlotId, View, ViewId

from keepmum_edge.views.cues import Cues, folded

MAX_PART: Final = 10
MAX_SCORE: Final = 60
Scores = Mapping[ViewId, tuple[int, int]]
"""(c, s) by view; a view that is missing has (0, 0)."""
MOST_READ: Final = 400
"""Characters of a record that count, as long as one made of a message can be; a full slot is scored within 2 ms."""
_CONFIDENCE: Final = (0, 6, 8, 10)
"""c by how many different cues the strongest record holds."""


class Scorer(Protocol):
    """Judges one view by the texts of one slot, and by nothing else."""

    @property
    def scorer_id(self) -> str:
        """Names it and its version; scores of another are made anew."""
        ...

    def score(self, texts: Sequence[str], view: View) -> tuple[int, int]:
        """Return (c, s): how clear the strongest record is, and how many speak for the view; 0..10 each."""
        ...


class CueScorer:
    """Scores by the policy's cues."""

    scorer_id = "cues-1"

    def __init__(self) -> None:
        self._cues: dict[tuple[str, ...], Cues] = {}

    def score(self, texts: Sequence[str], view: View) -> tuple[int, int]:
        """Return (c, s)."""
        cues = self._cues.get(view.cues)
        if cues is None:
            cues = self._cues[view.cues] = Cues(view.cues)
        found = [cues.distinct(folded(text[:MOST_READ])) for text in texts]
        strongest = min(max(found, default=0), len(_CONFIDENCE) - 1)
        return _CONFIDENCE[strongest], min(MAX_PART, 2 * sum(1 for count in found if count))


def score_slot(policy: Policy, slot: SlotId, texts: Sequence[str], scorer: Scorer) -> dict[ViewId, tuple[int, int]]:
    """Return the score table of one slot: a row for every view of its facets but generic, whatever the texts.

    Args:
        policy: Names the views.
        slot: The slot.
        texts: Of the user-scope records in its positions, in the order of the positions.
        scorer: May fail.
    """
    views = [view for facet in policy.vocabulary.of_slot(slot) for view in facet.views[1:]]
    return {view.id: _scored(scorer, texts, view) for view in views}


def private_score(scores: Scores, view: ViewId) -> int:
    """Return w = 4c + 2s, 0..60."""
    c, s = scores.get(view, (0, 0))
    return 4 * c + 2 * s


def _scored(scorer: Scorer, texts: Sequence[str], view: View) -> tuple[int, int]:
    try:
        c, s = scorer.score(texts, view)
        return _part(c), _part(s)
    except Exception:  # noqa: BLE001  # any failure: the module's docstring says why it may not show
        return 0, 0


def _part(value: int) -> int:
    return min(max(value, 0), MAX_PART) if type(value) is int else 0
