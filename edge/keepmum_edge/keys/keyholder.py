"""The one door to the database key: make it, get it, recover it, protect it differently.

Order of writing: mark of the first start, recovery file, keyring entry or unlock file, key file last. Until the key
file is there nothing was ever encrypted, so a crash in between leaves only leftovers that the next `create` replaces.
"""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from keepmum_shared.signing import from_base64url, to_base64url

from keepmum_edge.config import EdgeConfig, UnsafeFileError
from keepmum_edge.config.private_files import read_private, replace_private
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.keys.key_file import (
    PROFILE_BYTES,
    DamagedFileError,
    KeyFile,
    Protection,
    RecoveryFile,
    Stretching,
    key_context,
    read_key_file,
    read_recovery_file,
    recovery_context,
    write_file,
)
from keepmum_edge.keys.passphrase import Ask, ask_nobody, check_new, configured_passphrase, passphrase_bytes
from keepmum_edge.keys.recovery import SECRET_BYTES, MistypedError, format_recovery_key, parse_recovery_key
from keepmum_edge.keys.ring import Ring
from keepmum_edge.keys.subkeys import KEY_BYTES
from keepmum_edge.keys.wrapping import (
    NONCE_BYTES,
    SALT_BYTES,
    Argon2Cost,
    WrongSecretError,
    key_from_passphrase,
    key_from_secret,
    unwrap,
    wrap,
)

_NO_RING = "the database key is in a keyring that cannot be reached"
_RECOVER = "Run `keepmum recover` and type the recovery key."


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockedKey:
    """The database key and how it is protected at rest."""

    key: bytes = field(repr=False)
    protection: Protection


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedKey:
    """A key that was just made. `recovery_key` is shown to the owner once and kept nowhere."""

    key: bytes = field(repr=False)
    protection: Protection
    recovery_key: str = field(repr=False)


class Keyholder:
    """Holds no key itself; every call reads it anew.

    Args:
        config: Paths, `key_store`, and the passphrase's source.
        ring: The system's keyring, or None.
        ask: Asks a person for the passphrase.
        random_bytes: `secrets.token_bytes` outside tests.
        cost: Of one guess at the passphrase.
    """

    def __init__(
        self,
        config: EdgeConfig,
        *,
        ring: Ring | None,
        ask: Ask = ask_nobody,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        cost: Argon2Cost | None = None,
    ) -> None:
        self._config = config
        self._paths = config.paths
        self._ring = None if config.key_store == "file" else ring
        self._ask = ask
        self._random = random_bytes
        self._cost = cost or Argon2Cost()

    def exists(self) -> bool:
        """Whether this profile has a key, be it one that cannot be had now."""
        return os.path.lexists(self._paths.key_file)

    def create(self) -> CreatedKey:
        """Make the key of a new profile. Hold the profile's lock: two at once would overwrite each other's files.

        Raises:
            KeyUnavailableError: there is a key, or a database whose key is missing; or the key cannot be kept.
        """
        if self.exists():
            raise KeyUnavailableError("this profile has a key already", "Use it, or choose another KEEPMUM_HOME.")
        if os.path.lexists(self._paths.database):
            raise KeyUnavailableError("there is a database, but its key file is missing", _RECOVER)
        self._write(self._paths.prepare)
        self._write(lambda: replace_private(self._paths.first_start_file, b""))
        key, profile = self._random(KEY_BYTES), self._random(PROFILE_BYTES).hex()
        recovery_key = self._write_recovery(key, profile)
        protection = self._install(key, profile)
        return CreatedKey(key=key, protection=protection, recovery_key=recovery_key)

    def unlock(self) -> UnlockedKey:
        """Return the key.

        Raises:
            KeyUnavailableError: a file is missing, damaged or open to others; the keyring does not have the key; the
                passphrase is wrong or nobody can be asked for it.
        """
        file = self._key_file()
        if file.protection == "keyring":
            key = self._from_ring(file)
        elif file.protection == "passphrase":
            key = self._from_passphrase(file)
        else:
            secret = self._read(self._paths.unlock_file, "the unlock file")
            key = self._unwrap(file, lambda: key_from_secret(secret, context=file.context), "the unlock file")
        return UnlockedKey(key=key, protection=file.protection)

    def recover(self, recovery_key: str) -> UnlockedKey:
        """Get the key back by the recovery key and keep it as `create` would.

        Raises:
            KeyUnavailableError: the recovery key is mistyped or another profile's, or its file missing or damaged.
        """
        try:
            secret = parse_recovery_key(recovery_key)
        except MistypedError as mistyped:
            raise KeyUnavailableError(f"the recovery key is mistyped: {mistyped}", "Type it in again.") from None
        content = self._read(self._paths.recovery_file, "the recovery file")
        try:
            file = read_recovery_file(content)
            under = key_from_secret(secret, context=file.context)
            key = unwrap(from_base64url(file.wrapped), under=under, context=file.context)
        except DamagedFileError:
            raise KeyUnavailableError("the recovery file is damaged", "Put back a copy of recovery.key.") from None
        except WrongSecretError:
            next_step = "Use the recovery key that was shown when this profile was made."
            raise KeyUnavailableError(
                "the recovery key does not open this profile's recovery file", next_step
            ) from None
        return UnlockedKey(key=key, protection=self._install(key, file.profile))

    def renew_recovery_key(self) -> str:
        """Make a new recovery key, to be shown once; the old one opens nothing any more.

        Raises:
            KeyUnavailableError: as `unlock`.
        """
        return self._write_recovery(self.unlock().key, self._key_file().profile)

    def set_passphrase(self, passphrase: str) -> None:
        """Protect the key by this passphrase from now on, whatever protected it before.

        The key stays the same, so an old copy of the files still opens with what opened it then.

        Raises:
            KeyUnavailableError: as `unlock`; or the new passphrase is too short.
        """
        check_new(passphrase)
        before, key = self._key_file(), self.unlock().key
        self._keep_under_passphrase(key, before.profile, passphrase)
        if before.protection == "keyring" and self._ring is not None:
            self._ring.remove(before.profile)

    def protection(self) -> Protection:
        """Say how the key is protected, without opening it.

        Raises:
            KeyUnavailableError: the key file is missing, damaged or open to others.
        """
        return self._key_file().protection

    def account(self, purpose: str) -> tuple[Ring, str] | None:
        """Return the keyring and this profile's account in it for something besides the key.

        None where the key itself is kept elsewhere, so that both share one fate.

        Raises:
            KeyUnavailableError: as `protection`; or the key is in a keyring that cannot be reached.
        """
        file = self._key_file()
        if file.protection != "keyring":
            return None
        if self._ring is None:
            raise KeyUnavailableError(_NO_RING, f"Start Keepmum in your desktop session. Or: {_RECOVER}")
        return self._ring, f"{file.profile}.{purpose}"

    def _install(self, key: bytes, profile: str) -> Protection:
        """Keep the key where the settings say: keyring, else passphrase, else a file beside it."""
        passphrase = configured_passphrase(self._config)
        if self._config.key_store == "keyring" and self._ring is None:
            next_step = 'Install one, or set key_store = "auto".'
            raise KeyUnavailableError("key_store says keyring, and this system has none", next_step)
        if self._ring is not None and (passphrase is None or self._config.key_store == "keyring"):
            self._ring.put(profile, to_base64url(key))
            self._write_key_file(KeyFile(profile=profile, protection="keyring"))
            return "keyring"
        passphrase = passphrase or self._ask("new")
        if passphrase is not None:
            self._keep_under_passphrase(key, profile, check_new(passphrase))
            return "passphrase"
        self._keep_beside(key, profile)
        return "file"

    def _keep_under_passphrase(self, key: bytes, profile: str, passphrase: str) -> None:
        salt, nonce = self._random(SALT_BYTES), self._random(NONCE_BYTES)
        under = key_from_passphrase(passphrase_bytes(passphrase), salt=salt, cost=self._cost)
        wrapped = wrap(key, under=under, nonce=nonce, context=key_context(profile, "passphrase"))
        stretching = Stretching(salt=to_base64url(salt), cost=self._cost)
        self._write_key_file(
            KeyFile(profile=profile, protection="passphrase", wrapped=to_base64url(wrapped), stretching=stretching)
        )
        with suppress(OSError):  # it opens nothing any more
            self._paths.unlock_file.unlink(missing_ok=True)

    def _keep_beside(self, key: bytes, profile: str) -> None:
        secret, context = self._random(KEY_BYTES), key_context(profile, "file")
        under = key_from_secret(secret, context=context)
        wrapped = wrap(key, under=under, nonce=self._random(NONCE_BYTES), context=context)
        self._write(lambda: replace_private(self._paths.unlock_file, secret))
        self._write_key_file(KeyFile(profile=profile, protection="file", wrapped=to_base64url(wrapped)))

    def _write_key_file(self, file: KeyFile) -> None:
        self._write(lambda: replace_private(self._paths.key_file, write_file(file)))

    def _write_recovery(self, key: bytes, profile: str) -> str:
        secret, context = self._random(SECRET_BYTES), recovery_context(profile)
        under = key_from_secret(secret, context=context)
        wrapped = wrap(key, under=under, nonce=self._random(NONCE_BYTES), context=context)
        file = RecoveryFile(profile=profile, wrapped=to_base64url(wrapped))
        self._write(lambda: replace_private(self._paths.recovery_file, write_file(file)))
        return format_recovery_key(secret)

    def _key_file(self) -> KeyFile:
        try:
            return read_key_file(self._read(self._paths.key_file, "the key file"))
        except DamagedFileError:
            raise KeyUnavailableError("the key file is damaged", _RECOVER) from None

    def _from_ring(self, file: KeyFile) -> bytes:
        if self._ring is None:
            raise KeyUnavailableError(_NO_RING, f"Start Keepmum in your desktop session. Or: {_RECOVER}")
        kept = self._ring.get(file.profile)
        if kept is None:
            raise KeyUnavailableError("the keyring does not hold the database key", _RECOVER)
        with suppress(ValueError):
            key = from_base64url(kept)
            if len(key) == KEY_BYTES:
                return key
        raise KeyUnavailableError("the keyring's entry for the database key is damaged", _RECOVER)

    def _from_passphrase(self, file: KeyFile) -> bytes:
        passphrase = configured_passphrase(self._config) or self._ask("unlock")
        if not passphrase:
            next_step = "Set KEEPMUM_PASSPHRASE_FILE, or start Keepmum in a terminal."
            raise KeyUnavailableError("the key file needs its passphrase", next_step)
        assert file.stretching is not None
        salt, cost = from_base64url(file.stretching.salt), file.stretching.cost
        secret = passphrase_bytes(passphrase)
        return self._unwrap(file, lambda: key_from_passphrase(secret, salt=salt, cost=cost), "the passphrase")

    def _unwrap(self, file: KeyFile, under: Callable[[], bytes], what: str) -> bytes:
        assert file.wrapped is not None
        try:
            return unwrap(from_base64url(file.wrapped), under=under(), context=file.context)
        except (WrongSecretError, ValueError):
            raise KeyUnavailableError(f"{what} does not open the key file", f"Try again. Or: {_RECOVER}") from None

    def _read(self, path: Path, what: str) -> bytes:
        try:
            return read_private(path)
        except FileNotFoundError:
            raise KeyUnavailableError(f"{what} is missing", f"Put {path.name} back. Or: {_RECOVER}") from None
        except UnsafeFileError as unsafe:
            raise KeyUnavailableError(f"{what} {unsafe.problem}", unsafe.next_step) from None
        except OSError as error:
            raise KeyUnavailableError(f"{what} cannot be read ({error.strerror})", "Check the disk.") from None

    def _write(self, act: Callable[[], None]) -> None:
        try:
            act()
        except UnsafeFileError as unsafe:
            raise KeyUnavailableError(f"the key's folder or file {unsafe.problem}", unsafe.next_step) from None
        except OSError as error:
            part = f"the key files cannot be written ({error.strerror})"
            raise KeyUnavailableError(part, "Check the disk's space and permissions.") from None
