"""Responses in the form of the wire: canonical JSON, and the one body of every error."""

from keepmum_shared.codec import encode
from keepmum_shared.errors import KeepmumError
from keepmum_shared.messages import ErrorBody, ErrorResponse
from starlette.responses import Response

from keepmum_cloud.errors import ClockSkewError, CloudError


def json_response(message: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a message of the wire as a response."""
    kept_out = {"cache-control": "no-store"}
    return Response(encode(message), status, headers=kept_out | (headers or {}), media_type="application/json")


def error_response(error: KeepmumError, *, status: int | None = None) -> Response:
    """Return an error as a response; its message says the next step and holds no text of the request."""
    time = error.time if isinstance(error, ClockSkewError) else None
    after = error.retry_after_s if isinstance(error, CloudError) else None
    body = ErrorBody(code=error.code, message=str(error), retryable=error.retryable, time=time)
    headers = {} if after is None else {"retry-after": str(after)}
    return json_response(ErrorResponse(error=body), status=status or error.http_status, headers=headers)
