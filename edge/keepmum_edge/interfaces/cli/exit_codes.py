"""How a command ends. The numbers are stable: scripts rely on them.

| status | meaning                                                             |
|--------|---------------------------------------------------------------------|
| 0      | done                                                                |
| 1      | failed                                                              |
| 2      | the command, the configuration or the request is wrong              |
| 3      | done on this computer; the cloud's part is queued                   |
| 4      | a part that protects is not usable, or no daemon runs: nothing sent |
| 5      | the cloud half did not do its part                                  |
"""

from typing import Final

from keepmum_shared.errors import KeepmumError, WireError

from keepmum_edge.errors import EdgeError

OK: Final = 0
FAILED: Final = 1
WRONG: Final = 2
QUEUED: Final = 3
UNAVAILABLE: Final = 4
CLOUD: Final = 5

_OF_ERROR_TYPE: Final = {
    "invalid_request_error": WRONG,
    "permission_error": WRONG,
    "unavailable_error": UNAVAILABLE,
    "cloud_error": CLOUD,
}


class DaemonAnswerError(EdgeError):
    """The daemon answered with an error; its message is the daemon's.

    Attributes:
        answer_code: The daemon's error code.
        status: Exit status of a command that ends with it.
    """

    code = "daemon_answered_with_error"

    def __init__(self, message: str, *, answer_code: str, kind: str) -> None:
        super().__init__(message)
        self.answer_code = answer_code
        self.status = _OF_ERROR_TYPE.get(kind, FAILED)


class DaemonNotRunningError(EdgeError):
    """No daemon runs for this profile, so there is nobody to ask."""

    code = "daemon_not_running"
    exit_code = UNAVAILABLE

    def __init__(self, detail: str = "no daemon runs for this profile") -> None:
        super().__init__(f"edge: {detail}. Start it with `keepmum up` or `keepmum serve`")


def exit_status(error: KeepmumError) -> int:
    """Return the status of a command that ends with this error."""
    if isinstance(error, DaemonAnswerError):
        return error.status
    if isinstance(error, EdgeError):
        return error.exit_code
    return WRONG if isinstance(error, WireError) else FAILED
