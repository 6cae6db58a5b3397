"""Errors of the edge. Each names the part that failed and the next step; none holds user text.

KeepmumError (keepmum_shared.errors)
 +-- EdgeError
      +-- UnavailableError        a part that protects cannot be used: nothing was sent (503)
      |    +-- KeyUnavailableError, DatabaseUnavailableError, VaultUnavailableError, ExtractorUnavailableError,
      |        ViewsUnavailableError
      +-- CloudError              the cloud half did not do its part
      |    +-- CloudUnreachableError, CloudTimeoutError, CloudBrokeOffError, CloudRefusedError, NotPairedError,
      |        PolicyMismatchError
      +-- RequestError            the client asks for something that cannot be done (4xx)
      |    +-- InvalidRequestError, UnsupportedFieldError, UnauthorisedError, ForbiddenOriginError,
      |        IdempotencyConflictError, NotFoundError, RefusedMemoryError, UnrestorableArgumentsError
      +-- ConfigError, AlreadyRunningError, PairingError
"""

import re
from typing import ClassVar, Final

from keepmum_shared.errors import KeepmumError

_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


class EdgeError(KeepmumError):
    """Root of the edge's errors.

    Attributes:
        exit_code: Exit status of a command that ends with this error.
    """

    code = "edge_error"
    exit_code: ClassVar[int] = 1


class UnavailableError(EdgeError):
    """A part that protects is not usable, so nothing is sent.

    To clients other than the owner it always reads as `keepmum_unavailable`, whatever the part.
    """

    code = "keepmum_unavailable"
    http_status = 503
    retryable = True
    exit_code = 4

    def __init__(self, part: str, next_step: str) -> None:
        super().__init__(f"{part}; nothing was sent. {next_step}")
        self.part = part
        self.next_step = next_step


class KeyUnavailableError(UnavailableError):
    """The database key cannot be had."""

    code = "key_unavailable"


class DatabaseUnavailableError(UnavailableError):
    """The encrypted database cannot be opened, read or written."""

    code = "database_unavailable"


class VaultUnavailableError(UnavailableError):
    """A placeholder could not be stored, or its numbers are used up."""

    code = "vault_unavailable"


class ExtractorUnavailableError(UnavailableError):
    """The span extractor failed or is not loaded."""

    code = "extractor_unavailable"


class ViewsUnavailableError(UnavailableError):
    """The ledger of released views, or the policy in force, cannot be used."""

    code = "views_unavailable"


class CloudError(EdgeError):
    """The cloud half did not do its part; the turn left nothing behind."""

    code = "cloud_error"
    http_status = 502
    exit_code = 5


class CloudUnreachableError(CloudError):
    """No connection."""

    code = "cloud_unreachable"
    http_status = 503
    retryable = True


class CloudTimeoutError(CloudError):
    """No answer in time."""

    code = "cloud_timeout"
    http_status = 504
    retryable = True


class CloudBrokeOffError(CloudError):
    """The stream ended before the answer did."""

    code = "cloud_broke_off"
    retryable = True


class CloudRefusedError(CloudError):
    """The cloud answered with an error of its own.

    Attributes:
        cloud_code: The cloud's code, for example `clock_skew`, `context_length_exceeded`; `cloud_refused` if it sent
            what is no code.
    """

    code = "cloud_refused"

    def __init__(self, message: str, *, cloud_code: str, status: int, retryable: bool = False) -> None:
        super().__init__(message)
        self.cloud_code = cloud_code if _CODE.fullmatch(cloud_code) else self.code
        self.status = status
        self.may_retry = retryable


class NotPairedError(CloudError):
    """This edge has no cloud half yet."""

    code = "not_paired"
    http_status = 503

    def __init__(self) -> None:
        super().__init__("this computer is not paired with a cloud half; run `keepmum pair` (or `keepmum up`)")


class PolicyMismatchError(CloudError):
    """The cloud half does not know the view policy in force here."""

    code = "policy_mismatch"

    def __init__(self) -> None:
        super().__init__(
            "the cloud half does not know the view policy that is in force on this computer, so nothing was sent; "
            "update the older half and start it again"
        )


class PairingError(CloudError):
    """The pairing URI is malformed, expired or used, or the server is not the one it names."""

    code = "pairing_failed"


class RequestError(EdgeError):
    """The client asked for something that cannot be done.

    Attributes:
        param: The field of the request, or None.
    """

    code = "invalid_request"
    http_status = 400
    exit_code = 2

    def __init__(self, message: str, *, param: str | None = None) -> None:
        super().__init__(message)
        self.param = param


class InvalidRequestError(RequestError):
    """A field is missing, of the wrong type or out of range."""


class UnsupportedFieldError(RequestError):
    """A field that Keepmum does not pass on; dropping it silently would mislead."""

    code = "unsupported_field"


class UnauthorisedError(RequestError):
    """No or a wrong local token."""

    code = "invalid_api_key"
    http_status = 401


class ForbiddenOriginError(RequestError):
    """Host or Origin is not this machine: a web page may be behind the request."""

    code = "forbidden_origin"
    http_status = 403


class IdempotencyConflictError(RequestError):
    """The same key came with another body."""

    code = "idempotency_conflict"
    http_status = 422


class NotFoundError(RequestError):
    """No such turn, memory or conversation."""

    code = "not_found"
    http_status = 404


class RefusedMemoryError(RequestError):
    """A memory that may not be kept (it holds a PL4 secret), or may not be sent."""

    code = "memory_refused"
    http_status = 422


class UnrestorableArgumentsError(RequestError):
    """A tool call holds a placeholder whose value may not enter tool arguments; the call is withheld.

    A local tool would otherwise write the placeholder where the value stood.
    """

    code = "unrestorable_tool_arguments"
    http_status = 422


class ConfigError(EdgeError):
    """The configuration file, a flag or an environment variable is wrong."""

    code = "config_error"
    exit_code = 2


class AlreadyRunningError(EdgeError):
    """Another daemon holds this profile."""

    code = "already_running"
