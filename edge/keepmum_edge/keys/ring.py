"""The operating system's keyring, and only that.

The `keyring` library also finds backends that store in clear or nowhere; they are never used, not even when an
environment variable asks for them: only the backends on the list below count as a keyring.
"""

from typing import Final, Protocol

from keepmum_edge.errors import KeyUnavailableError

SERVICE: Final = "keepmum"
_TRUSTED: Final = frozenset(
    f"keyring.backends.{name}" for name in ("SecretService", "libsecret", "kwallet", "macOS", "Windows")
)
_CHAIN: Final = "keyring.backends.chainer"
_UNLOCK: Final = 'Unlock the keyring and try again, or set key_store = "file".'


class Ring(Protocol):
    """Keeps one short secret per account. Every method raises KeyUnavailableError when the keyring refuses."""

    def get(self, account: str) -> str | None:
        """Return the secret, or None if the keyring holds none."""
        ...

    def put(self, account: str, secret: str) -> None:
        """Store the secret in the place of an older one."""
        ...

    def remove(self, account: str) -> None:
        """Remove the secret; one that is not there is no error."""
        ...


class Backend(Protocol):
    """What is used of a `keyring` backend."""

    def get_password(self, service: str, username: str) -> str | None: ...  # noqa: D102
    def set_password(self, service: str, username: str, password: str) -> None: ...  # noqa: D102
    def delete_password(self, service: str, username: str) -> None: ...  # noqa: D102


def find_ring() -> Ring | None:
    """Return the system's keyring, or None where there is none (a server, a container)."""
    import keyring  # slow to import, and needed at start only

    chosen = trusted_backend(keyring.get_keyring())
    return None if chosen is None else SystemRing(chosen)


def trusted_backend(found: Backend) -> Backend | None:
    """Return the backend if it is on the list; of a chain, its first that is."""
    module = type(found).__module__
    if module == _CHAIN:
        return next((inner for inner in map(trusted_backend, getattr(found, "backends", ())) if inner), None)
    return found if module in _TRUSTED else None


class SystemRing:
    """`Ring` over a backend of the `keyring` library."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def get(self, account: str) -> str | None:
        """Return the secret, or None if the keyring holds none."""
        from keyring.errors import KeyringError

        try:
            return self._backend.get_password(SERVICE, account)
        except (KeyringError, OSError):
            raise KeyUnavailableError("the keyring did not give out the database key", _UNLOCK) from None

    def put(self, account: str, secret: str) -> None:
        """Store the secret, and read it back: a keyring that forgets would lose the database."""
        from keyring.errors import KeyringError

        try:
            self._backend.set_password(SERVICE, account, secret)
            kept = self._backend.get_password(SERVICE, account)
        except (KeyringError, OSError):
            raise KeyUnavailableError("the keyring did not take the database key", _UNLOCK) from None
        if kept != secret:
            raise KeyUnavailableError("the keyring did not keep the database key", 'Set key_store = "file".')

    def remove(self, account: str) -> None:
        """Remove the secret; one that is not there is no error."""
        from keyring.errors import KeyringError, PasswordDeleteError

        try:
            self._backend.delete_password(SERVICE, account)
        except PasswordDeleteError:
            return
        except (KeyringError, OSError):
            raise KeyUnavailableError("the keyring did not remove the database key", _UNLOCK) from None
