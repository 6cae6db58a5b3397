"""Errors of the cloud. Each says the next step; none holds text of a request, an answer or a memory.

KeepmumError (keepmum_shared.errors)
 +-- CloudError
      +-- AuthError            who asks cannot be told, or asks again (401)
      |    +-- UnsignedError, UnknownDeviceError, BadSignatureError, ClockSkewError, ReplayedRequestError
      +-- PairingError         the one-time secret is not good (403)
      |    +-- PairingExpiredError, PairingUsedError, PairingRefusedError
      +-- LimitError           later, or less (429, 503)
      |    +-- RateLimitedError, BusyError
      +-- ModelError           the response model
      |    +-- ModelUnavailableError, ModelBrokeOffError, ModelRefusedError, ContextLengthError, UnsupportedRequestError
      +-- StoreError           the database, DeletionPendingError
      +-- ViewError            what the edge released cannot be taken (400, 409)
      |    +-- PolicyMismatchError, UnknownViewError, ForgedSealError
      +-- RouteError           no such route or method
      +-- ConfigError, AlreadyRunningError   at start only
"""

from pathlib import Path
from typing import ClassVar

from keepmum_shared.errors import KeepmumError


class CloudError(KeepmumError):
    """Root of the cloud's errors.

    Attributes:
        retry_after_s: What a 429 or 503 advises, in seconds; None where waiting does not help.
    """

    code = "cloud_error"
    retry_after_s: int | None = None


class AuthError(CloudError):
    """Who asks cannot be told."""

    code = "unauthorised"
    http_status = 401


class UnsignedError(AuthError):
    """The signature headers are missing or malformed."""

    code = "unsigned"

    def __init__(self) -> None:
        super().__init__("the request is not signed; pair this device first")


class UnknownDeviceError(AuthError):
    """No such device, or it was revoked; the two are told apart to nobody."""

    code = "unknown_device"

    def __init__(self) -> None:
        super().__init__("this device is not paired with this server, or was revoked; pair it again")


class BadSignatureError(AuthError):
    """The signature does not fit the request."""

    code = "bad_signature"

    def __init__(self) -> None:
        super().__init__("the signature does not fit the request; it was changed on its way, or the key is another")


class ClockSkewError(AuthError):
    """The clocks of the two halves differ too much.

    Attributes:
        time: The cloud's clock, Unix seconds.
    """

    code = "clock_skew"

    def __init__(self, time: int, theirs: int, window_s: int) -> None:
        super().__init__(
            f"the clocks of the two computers differ by {abs(time - theirs)} s, at most {window_s} s are allowed; "
            "set both by a time server"
        )
        self.time = time


class ReplayedRequestError(AuthError):
    """The same signed request arrived a second time."""

    code = "replayed_request"

    def __init__(self) -> None:
        super().__init__("this signed request was received before; sign each attempt anew")


class PairingError(CloudError):
    """The one-time secret is not good."""

    code = "pairing_refused"
    http_status = 403


class PairingExpiredError(PairingError):
    """The URI is too old."""

    code = "pairing_expired"

    def __init__(self) -> None:
        super().__init__("the pairing URI has expired; print a new one with `keepmum-cloud pair`")


class PairingUsedError(PairingError):
    """The URI was used."""

    code = "pairing_used"

    def __init__(self) -> None:
        super().__init__("the pairing URI was used already; print a new one with `keepmum-cloud pair`")


class PairingRefusedError(PairingError):
    """No such URI, or it was burned by wrong tries."""

    def __init__(self) -> None:
        super().__init__("the pairing URI is not known here; print a new one with `keepmum-cloud pair`")


class LimitError(CloudError):
    """Too much at once; the same request may succeed later."""

    code = "limited"
    http_status = 429
    retryable = True

    def __init__(self, message: str, *, retry_after_s: int = 1) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class RateLimitedError(LimitError):
    """Too many requests of one device, or too many pairing tries of all."""

    code = "rate_limited"


class BusyError(LimitError):
    """As many turns run as this server takes, or it is shutting down."""

    code = "busy"
    http_status = 503


class ModelError(CloudError):
    """The response model did not do its part."""

    code = "model_error"
    http_status = 502


class ModelUnavailableError(ModelError):
    """The model cannot be loaded or reached."""

    code = "model_unavailable"
    http_status = 503
    retryable = True


class ModelBrokeOffError(ModelError):
    """The answer ended before it was complete."""

    code = "model_broke_off"
    retryable = True


class ModelRefusedError(ModelError):
    """The model server refused the request.

    Attributes:
        status: Its HTTP status.
    """

    code = "model_refused"

    def __init__(self, status: int) -> None:
        super().__init__(
            f"the model server refused the request with status {status}; see its own log and the `base_url`, `model` "
            "and `api_key_file` of the configuration"
        )
        self.status = status


class ContextLengthError(ModelError):
    """The conversation is longer than the model can read."""

    code = "context_length_exceeded"
    http_status = 400

    def __init__(self, needed: int | None, limit: int | None) -> None:
        size = f" ({needed} tokens, at most {limit})" if needed is not None and limit is not None else ""
        super().__init__(f"the conversation is too long for the model{size}; start a new one or shorten it")
        self.needed = needed
        self.limit = limit


class UnsupportedRequestError(ModelError):
    """The model cannot do what the request asks for.

    Attributes:
        field: The field of the request.
    """

    code = "unsupported_by_model"
    http_status = 400

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


class StoreError(CloudError):
    """The database cannot be opened, read or written."""

    code = "store_unavailable"
    http_status = 503
    retryable = True


class DeletionPendingError(StoreError):
    """Rows are deleted, but their bytes may still be in the write-ahead log."""

    code = "deletion_pending"

    def __init__(self) -> None:
        super().__init__("deleted, but the database log is in use and could not be emptied; ask again")


class ViewError(CloudError):
    """What the edge's view selector released cannot be taken; nothing was stored and nothing answered."""

    code = "view_error"
    http_status = 400


class PolicyMismatchError(ViewError):
    """The edge's view policy is not known here. Every older one is, so it is this half that is behind."""

    code = "policy_mismatch"
    http_status = 409

    def __init__(self, newest: int) -> None:
        super().__init__(
            f"the edge uses a view policy that this server does not know (its newest is version {newest}); update the "
            "cloud half and start it again"
        )


class UnknownViewError(ViewError):
    """A released view is not in the vocabulary of the policy that came with it."""

    code = "unknown_view"

    def __init__(self) -> None:
        super().__init__("a view that came with the turn is not in its policy; update the edge and start it again")


class ForgedSealError(ViewError):
    """The ledger's seal is not signed by the device that sent it."""

    code = "forged_seal"

    def __init__(self) -> None:
        super().__init__("the seal of the ledger is not signed by this device; pair the device again")


class RouteError(CloudError):
    """No such route, or not by this method."""

    code = "not_found"
    http_status: ClassVar[int] = 404


class ConfigError(CloudError):
    """The configuration file, a flag or an environment variable is wrong."""

    code = "config_error"


class AlreadyRunningError(CloudError):
    """Another server holds the data folder."""

    code = "already_running"

    def __init__(self, folder: Path) -> None:
        super().__init__(f"another keepmum-cloud runs in {folder}; stop it, or choose another folder with --data")
