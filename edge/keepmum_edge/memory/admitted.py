"""Which records may be found at all: asked before anything is scored (pure)."""

from dataclasses import dataclass

from keepmum_inference.retrieval.eligible import Asking

from keepmum_edge.memory.trust import TRUST_MIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Where is looked.

    Attributes:
        scope: The one scope; None: all (the owner's own look at everything).
        here_only: Only what the cloud neither has nor will get: local-only records, and what its owner keeps here.
    """

    scope: str | None
    here_only: bool = False

    @property
    def condition(self) -> tuple[str, tuple[object, ...]]:
        """The SQL condition and its parameters."""
        parts = ["true" if self.scope is None else "scope = ?"]
        if self.here_only:
            parts.append("cloud IN ('local_only', 'kept')")
        return " AND ".join(parts), () if self.scope is None else (self.scope,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Which records may be found.

    Attributes:
        within: Where is looked.
        now: Unix seconds.
        application: Who asks; None: the owner's own tools, which see what any application may.
        audience: Label of the other who asks; None: the owner.
        trust_min: Least trust, 0..100.
        closed: Whether records are wanted too that held once and do not any more.
    """

    within: Within
    now: int
    application: str | None = None
    audience: str | None = None
    trust_min: int = TRUST_MIN
    closed: bool = False

    def __post_init__(self) -> None:
        if self.audience is not None and (not self.audience or " " in self.audience):
            raise ValueError("an audience is one label")

    @property
    def asking(self) -> Asking:
        """The same but for the place, for an index that holds no other."""
        return Asking(
            now=self.now,
            application=self.application,
            audience=self.audience,
            trust_min=self.trust_min,
            closed=self.closed,
        )

    @property
    def condition(self) -> tuple[str, tuple[object, ...]]:
        """The SQL condition and its parameters."""
        place, values = self.within.condition
        parts, parameters = [place, "trust >= ?"], [*values, self.trust_min]
        if self.application is not None:
            parts.append("(application IS NULL OR application = ?)")
            parameters.append(self.application)
        if self.audience is not None:
            parts.append("instr(' ' || audiences || ' ', ' ' || ? || ' ') > 0")
            parameters.append(self.audience)
        parts.append("coalesce(valid_from, ?) <= ?")
        parameters += [self.now] * 2
        if not self.closed:
            parts.append("coalesce(valid_to, ? + 1) > ?")
            parameters += [self.now] * 2
        return " AND ".join(parts), tuple(parameters)
