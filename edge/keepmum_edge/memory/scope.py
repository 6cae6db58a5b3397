"""Where a record may be used: its scope, the application it is limited to, and who else may learn of it (pure).

A scope is the owner's general one (`user`) or a project; a request reads and writes its own scope alone, so nothing of
one project reaches another. Inside its scope a record can be limited to one application. It is for the owner, and
besides for the audiences that are named in it. A derived record may be used only where every one of its sources may.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from keepmum_edge.errors import RefusedMemoryError
from keepmum_edge.memory.record import USER_SCOPE, MemoryRecord

NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")
"""How scopes, applications, audiences and sources are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where a record may be used; fields as in `MemoryRecord`."""

    scope: str = USER_SCOPE
    application: str | None = None
    audiences: frozenset[str] = frozenset()

    @staticmethod
    def of(record: MemoryRecord) -> "Reach":
        """Take the reach out of a record."""
        return Reach(scope=record.scope, application=record.application, audiences=record.audiences)


def most_restrictive(reaches: Iterable[Reach]) -> Reach:
    """Return the reach of what is derived from records with these reaches.

    Raises:
        RefusedMemoryError: there is none: two projects or two applications share no place.
    """
    given = tuple(reaches)
    if not given:
        raise RefusedMemoryError("a derived memory needs its sources", param="sources")
    scopes = {reach.scope for reach in given} - {USER_SCOPE}
    applications = {reach.application for reach in given} - {None}
    if len(scopes) > 1 or len(applications) > 1:
        raise RefusedMemoryError("its sources belong to different projects or applications", param="sources")
    return Reach(
        scope=next(iter(scopes), USER_SCOPE),
        application=next(iter(applications), None),
        audiences=frozenset.intersection(*(reach.audiences for reach in given)),
    )
