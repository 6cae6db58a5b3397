"""Ranges of numbers on the command line, refused in the words of the rest of it."""

from collections.abc import Callable

import typer


def within(least: int, most: int) -> Callable[[int | None], int | None]:
    """Return a check of an option's number, which may be left out.

    Raises:
        typer.BadParameter: it is not in `least`..`most`.
    """

    def check(value: int | None) -> int | None:
        if value is not None and not least <= value <= most:
            raise typer.BadParameter(f"must be {least} to {most}")
        return value

    return check
