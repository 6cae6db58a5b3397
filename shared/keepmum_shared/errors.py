"""The root of every error that Keepmum raises on purpose, and the codes that may cross the wire.

KeepmumError
 +-- WireError               what arrived is not what `messages` allows
 |    +-- MalformedError         not the agreed JSON, a field missing, unknown or of the wrong type
 |    +-- VersionError           written by another protocol version
 |    +-- TooLargeError          over a limit of `codec`
 +-- (errors.py of the edge and of the cloud add their own)

Messages and attributes hold ids, field names and numbers, never user text: an error may be logged and shown.
"""

from typing import ClassVar


class KeepmumError(Exception):
    """Root of the tree.

    Attributes:
        code: Stable wire identifier, snake case.
        http_status: Status where the error leaves through HTTP.
        retryable: Whether the same request may succeed later without being changed.
    """

    code: ClassVar[str] = "keepmum_error"
    http_status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False


class WireError(KeepmumError):
    """Something that arrived breaks the contract of `keepmum_shared.messages`."""

    code = "wire_error"
    http_status = 400


class MalformedError(WireError):
    """Not the agreed JSON. The message names the field path and the rule, never the value."""

    code = "malformed"

    def __init__(self, path: str, rule: str) -> None:
        super().__init__(f"{path or 'body'}: {rule}")
        self.path = path
        self.rule = rule


class VersionError(WireError):
    """The other half speaks another version of the protocol; one of the two needs an update."""

    code = "version_mismatch"

    def __init__(self, theirs: int, ours: int) -> None:
        super().__init__(f"protocol version {theirs} arrived, this half speaks {ours}; update the older half")
        self.theirs = theirs
        self.ours = ours


class TooLargeError(WireError):
    """A body, a list or a text is over its limit."""

    code = "too_large"
    http_status = 413

    def __init__(self, path: str, limit: int) -> None:
        super().__init__(f"{path or 'body'}: over the limit of {limit}")
        self.path = path
        self.limit = limit
