"""Puts the parts of views together over one open profile."""

from collections.abc import Callable
from dataclasses import dataclass

from keepmum_shared.view.loading import shipped_policy, shipped_text

from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon.store import SettingStore
from keepmum_edge.daemon.views.forgotten import ViewsForgotten
from keepmum_edge.daemon.views.overview import ViewsOverview
from keepmum_edge.daemon.views.slot_scores import SlotScores
from keepmum_edge.daemon.views.turn_views import TurnViews, ViewSettings
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.database import Database
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.views.policy import MechanismName, ReleasePolicy
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.sampling import ByteSource
from keepmum_edge.views.scorer import CueScorer
from keepmum_edge.views.seal_keeper import SealKeeper


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """The parts of one profile's views."""

    scores: SlotScores
    turns: TurnViews
    forgotten: ViewsForgotten
    overview: ViewsOverview


def compose_views(
    config: EdgeConfig,
    database: Database,
    keeper: SealKeeper,
    *,
    records: MemoryStore,
    writer: Writer,
    source: ByteSource,
    now: Callable[[], float],
) -> Views:
    """Return the parts.

    Args:
        config: The settings.
        database: The open profile.
        keeper: Of the second copy of the ledger's seal.
        records: What slots hold.
        writer: Owns the database.
        source: Of the draws.
        now: Unix seconds.
    """
    releaser = Releaser(database, keeper, source=source)
    scores = SlotScores(
        database=database,
        records=records,
        scores=releaser.scores,
        settings=SettingStore(database),
        scorer=CueScorer(),
        policy=shipped_policy(),
    )
    settings = ViewSettings(
        file=shipped_text(),
        release=ReleasePolicy(config.release_policy),
        mechanism=MechanismName(config.mechanism),
        first_period_days=config.first_period_days,
    )
    turns = TurnViews(releaser=releaser, slot_scores=scores, writer=writer, settings=settings, now=now)
    forgotten = ViewsForgotten(releaser.store, releaser.scores, policy=turns.policy, now=now)
    overview = ViewsOverview(releaser=releaser, turns=turns, transaction=database.transaction, now=now)
    return Views(scores=scores, turns=turns, forgotten=forgotten, overview=overview)
