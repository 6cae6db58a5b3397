"""How an error that no one foresaw is logged: its class and place, never its words, which may hold user text."""

import logging

_log = logging.getLogger("keepmum.unforeseen")


def log_unforeseen(error: BaseException) -> None:
    """Write one line."""
    _log.error("%s", where(error))


def where(error: BaseException) -> str:
    """Name an error by class and innermost place."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None:
        return type(error).__name__
    return f"{type(error).__name__} at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}"
