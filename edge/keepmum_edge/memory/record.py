"""One memory of the owner, as the edge keeps it."""

from dataclasses import dataclass, field

from keepmum_shared.ids import MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """A memory.

    Attributes:
        text: In clear; never leaves this computer.
        scope: Project; "user" is the owner's general scope.
        created_at, shared_at: Unix seconds.
        placeholder_text: Exactly what the cloud holds, or None: it holds nothing.
        unclassified: No classifier has judged it; the owner alone decided what is sent.
    """

    id: MemoryId
    text: str = field(repr=False)
    scope: str
    created_at: int
    placeholder_text: str | None = field(default=None, repr=False)
    shared_at: int | None = None
    unclassified: bool = True

    def __post_init__(self) -> None:
        if (self.placeholder_text is None) != (self.shared_at is None):
            raise ValueError("a shared memory has both its placeholder text and its time")
