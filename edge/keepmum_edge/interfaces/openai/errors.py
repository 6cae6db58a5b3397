"""A KeepmumError as the error object that OpenAI clients read, with the status that makes them retry or stop.

Retry   the official client retries 408, 409, 429 and 5xx unless `x-should-retry: false`; so an error that may pass
        carries `Retry-After`, and one that will not pass carries the refusal.
Others  an audience other than the owner gets one answer for whatever state this computer or the cloud is in (design 3).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.errors import KeepmumError, MalformedError, TooLargeError, WireError

from keepmum_edge.errors import (
    CloudError,
    CloudRefusedError,
    CloudTimeoutError,
    ForbiddenOriginError,
    IdempotencyConflictError,
    InvalidRequestError,
    RequestError,
    UnavailableError,
    UnsupportedFieldError,
)

REQUEST: Final = "invalid_request_error"
PERMISSION: Final = "permission_error"
UNAVAILABLE: Final = "unavailable_error"
CLOUD: Final = "cloud_error"
SERVER: Final = "server_error"

_RETRIED_BY_CLIENTS: Final = frozenset({408, 409, 429})
_PASSED_ON: Final = frozenset({400, 404, 413, 422, 429, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpError:
    """An error ready to be sent. `fields` is the inside of `{"error": ...}`."""

    status: int
    fields: dict[str, str | None]
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        """The JSON document."""
        return json.dumps({"error": self.fields}).encode()


def _object(message: str, kind: str, code: str, param: str | None = None) -> dict[str, str | None]:
    return {"message": message, "type": kind, "param": param, "code": code}


INTERNAL: Final = HttpError(
    status=500,
    fields=_object("Keepmum failed in an unforeseen way; `keepmum doctor` looks at every part", SERVER, "internal"),
    headers={"x-should-retry": "false"},
)
UNIFORM: Final = HttpError(
    status=503,
    fields=_object("Keepmum cannot answer now", UNAVAILABLE, UnavailableError.code),
    headers={"retry-after": "1"},
)
"""What every audience but the owner gets, whatever the reason."""

_TOLD_TO_ALL: Final = (WireError, InvalidRequestError, UnsupportedFieldError, IdempotencyConflictError)
"""Errors that are functions of the request alone."""


def http_error(error: KeepmumError, *, owner: bool = True) -> HttpError:
    """Return what to send for an error; UNIFORM to others for all that the state of the two halves decides."""
    if not owner and not isinstance(error, _TOLD_TO_ALL):
        return UNIFORM
    status, code = _status_and_code(error)
    fields = _object(str(error), _kind(error), code, _param(error))
    return HttpError(status=status, fields=fields, headers=_headers(error, status))


def routing_error(status: int, headers: Mapping[str, str]) -> HttpError:
    """Return what to send where no route takes the request (404, 405)."""
    code = "method_not_allowed" if status == 405 else "not_found"
    message = "this address does not take that method" if status == 405 else "there is nothing at this address"
    return HttpError(status=status, fields=_object(message, REQUEST, code), headers=dict(headers))


def may_retry(error: KeepmumError) -> bool:
    """Say whether the same request may succeed later."""
    return error.may_retry if isinstance(error, CloudRefusedError) else error.retryable


def _status_and_code(error: KeepmumError) -> tuple[int, str]:
    if not isinstance(error, CloudRefusedError):
        return error.http_status, error.code
    # The cloud's 401 and 403 are about this device, not about the client's token: to the client they are a bad gateway.
    status = error.status if error.status in _PASSED_ON else error.http_status
    return status, error.cloud_code


def _kind(error: KeepmumError) -> str:
    if isinstance(error, ForbiddenOriginError):
        return PERMISSION
    if isinstance(error, RequestError | WireError):
        return REQUEST
    if isinstance(error, UnavailableError):
        return UNAVAILABLE
    return CLOUD if isinstance(error, CloudError) else SERVER


def _param(error: KeepmumError) -> str | None:
    if isinstance(error, RequestError):
        return error.param
    if isinstance(error, MalformedError | TooLargeError):
        return error.path or None
    return None


def _headers(error: KeepmumError, status: int) -> dict[str, str]:
    if status == 401:
        return {"www-authenticate": "Bearer"}
    client_retries = status >= 500 or status in _RETRIED_BY_CLIENTS
    if not may_retry(error):
        return {"x-should-retry": "false"} if client_retries else {}
    if isinstance(error, CloudTimeoutError):  # it has waited long enough already
        return {}
    return {"retry-after": "1"} if client_retries else {"x-should-retry": "true"}
