import keyring
import keyring.backends.fail
import keyring.backends.null
import pytest
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.keys.ring import SERVICE, SystemRing, trusted_backend
from keyring.errors import KeyringError, KeyringLocked, PasswordDeleteError


class Backend:
    """Stands in for a backend of the operating system; its module decides whether it is trusted."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.entries.pop((service, username), None) is None:
            raise PasswordDeleteError("absent")


def backend_of(module: str, **members: object) -> Backend:
    return type("Keyring", (Backend,), {"__module__": module} | members)()


@pytest.mark.parametrize("name", ["SecretService", "libsecret", "kwallet", "macOS", "Windows"])
def test_the_keyrings_of_operating_systems_are_trusted(name: str) -> None:
    backend = backend_of(f"keyring.backends.{name}")
    assert trusted_backend(backend) is backend


@pytest.mark.parametrize(
    "module", ["keyrings.alt.file", "keyring.backends.null", "keyring.backends.fail", "evil", "keyring.backends.macOS2"]
)
def test_backends_that_store_in_clear_or_nowhere_are_not_used(module: str) -> None:
    assert trusted_backend(backend_of(module)) is None


def test_the_librarys_own_null_and_fail_backends_are_not_used() -> None:
    assert trusted_backend(keyring.backends.null.Keyring()) is None
    assert trusted_backend(keyring.backends.fail.Keyring()) is None


def test_of_a_chain_only_a_trusted_link_is_used() -> None:
    plain, good = backend_of("keyrings.alt.file"), backend_of("keyring.backends.SecretService")
    assert trusted_backend(backend_of("keyring.backends.chainer", backends=[plain, good])) is good
    assert trusted_backend(backend_of("keyring.backends.chainer", backends=[plain])) is None


def test_a_secret_is_kept_under_the_account_and_removed() -> None:
    backend = Backend()
    ring = SystemRing(backend)
    ring.put("profile", "secret")
    assert ring.get("profile") == "secret"
    assert ring.get("other") is None
    assert list(backend.entries) == [(SERVICE, "profile")]
    ring.remove("profile")
    ring.remove("profile")
    assert ring.get("profile") is None


def test_a_keyring_that_forgets_at_once_is_refused() -> None:
    forgetful = backend_of("keyring.backends.macOS", get_password=lambda self, service, username: None)
    with pytest.raises(KeyUnavailableError, match="did not keep"):
        SystemRing(forgetful).put("profile", "secret")


@pytest.mark.parametrize("error", [KeyringLocked, KeyringError, ConnectionRefusedError])
def test_a_locked_or_dead_keyring_is_an_error_in_words_and_carries_nothing(error: type[Exception]) -> None:
    def refuse(*_: object) -> None:
        raise error("profile secret")

    ring = SystemRing(
        backend_of("keyring.backends.kwallet", get_password=refuse, set_password=refuse, delete_password=refuse)
    )
    for act in (lambda: ring.get("profile"), lambda: ring.put("profile", "secret"), lambda: ring.remove("profile")):
        with pytest.raises(KeyUnavailableError, match="keyring did not") as caught:
            act()
        assert "secret" not in str(caught.value)
        assert caught.value.__suppress_context__
