from pathlib import Path

import pytest
from keepmum_edge.config import load
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.keys import Keyholder
from keepmum_edge.keys.wrapping import Argon2Cost
from keepmum_edge.views.ledger import Cause, Charge
from keepmum_edge.views.rollback import Intent, Kept, Seal
from keepmum_edge.views.seal_keeper import FileKeeper, RingKeeper, SealKeeper, carried_over, keeper_for
from keepmum_shared.view import AttributeId, SlotId

CHARGE = Charge(attribute=AttributeId("d"), slot=SlotId("one"), key="0:one", period=0, epsilon=5, cause=Cause.LISTING)
KEPT = Kept(settled=Seal(3, 10), intent=Intent(seal=Seal(4, 15), charges=(CHARGE,)))


class PlainRing:
    """A keyring in memory."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}

    def get(self, account: str) -> str | None:
        return self.held.get(account)

    def put(self, account: str, secret: str) -> None:
        self.held[account] = secret

    def remove(self, account: str) -> None:
        self.held.pop(account, None)


def keepers(tmp_path: Path) -> list[SealKeeper]:
    tmp_path.chmod(0o700)
    return [RingKeeper(PlainRing(), "profile-views"), FileKeeper(tmp_path / "views.seal")]


@pytest.mark.parametrize("which", [0, 1])
def test_what_was_kept_comes_back_whole_and_the_newest_stands(tmp_path: Path, which: int) -> None:
    keeper = keepers(tmp_path)[which]
    assert keeper.read() is None
    for kept in (KEPT, Kept(settled=Seal(4, 15)), KEPT):
        keeper.keep(kept)
        assert keeper.read() == kept


def test_what_is_no_seal_is_refused_and_not_taken_for_none(tmp_path: Path) -> None:
    ring = PlainRing()
    for content in ("", "{}", '{"settled":{"counter":1}}', "not json", '{"settled":{"counter":1.5,"total":2}}'):
        ring.put("views", content)
        with pytest.raises(KeyUnavailableError, match="seal is damaged"):
            RingKeeper(ring, "views").read()
    file = tmp_path / "views.seal"
    FileKeeper(file).keep(KEPT)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(KeyUnavailableError, match="seal is damaged"):
        FileKeeper(file).read()


def test_a_seal_that_others_may_read_or_that_is_a_link_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    file = tmp_path / "views.seal"
    FileKeeper(file).keep(KEPT)
    file.chmod(0o644)
    with pytest.raises(KeyUnavailableError, match="seal"):
        FileKeeper(file).read()
    (tmp_path / "link").symlink_to(file)
    with pytest.raises(KeyUnavailableError, match="seal"):
        FileKeeper(tmp_path / "link").read()
    with pytest.raises(KeyUnavailableError, match="seal cannot be written"):
        FileKeeper(tmp_path / "missing" / "views.seal").keep(KEPT)


def holder(tmp_path: Path, ring: PlainRing | None) -> tuple[Keyholder, Path]:
    config = load({"KEEPMUM_HOME": str(tmp_path)}, {})
    cost = Argon2Cost(memory_kib=8 * 1024, iterations=1, lanes=1)
    return Keyholder(config, ring=ring, cost=cost), config.paths.seal_file


def test_the_seal_lies_where_the_key_does_and_goes_along_when_that_changes(tmp_path: Path) -> None:
    ring = PlainRing()
    keyholder, file = holder(tmp_path, ring)
    recovery_key = keyholder.create().recovery_key
    keeper = keeper_for(keyholder, file)
    assert isinstance(keeper, RingKeeper)
    keeper.keep(KEPT)
    assert not file.exists()
    with carried_over(keyholder, file):
        keyholder.set_passphrase("correct horse battery")
    keeper = keeper_for(keyholder, file)
    assert isinstance(keeper, FileKeeper)
    assert keeper.read() == KEPT
    newer = Kept(settled=Seal(4, 15))
    keeper.keep(newer)
    with carried_over(keyholder, file):
        keyholder.recover(recovery_key)
    keeper = keeper_for(keyholder, file)
    assert isinstance(keeper, RingKeeper), "the keyring is there again, so the key went back"
    assert keeper.read() == newer


def test_a_key_that_is_recovered_without_its_file_finds_the_seal_beside_it(tmp_path: Path) -> None:
    keyholder, file = holder(tmp_path, None)
    recovery_key = keyholder.create().recovery_key
    keeper_for(keyholder, file).keep(KEPT)
    load({"KEEPMUM_HOME": str(tmp_path)}, {}).paths.key_file.unlink()
    with carried_over(keyholder, file):
        keyholder.recover(recovery_key)
    assert keeper_for(keyholder, file).read() == KEPT


def test_a_profile_whose_keyring_cannot_be_reached_has_no_other_place_for_its_seal(tmp_path: Path) -> None:
    keyholder, file = holder(tmp_path, PlainRing())
    keyholder.create()
    with pytest.raises(KeyUnavailableError, match="keyring that cannot be reached"):
        keeper_for(holder(tmp_path, None)[0], file)


def test_a_keyring_that_refuses_is_named_with_what_it_refused() -> None:
    class Locked(PlainRing):
        def get(self, account: str) -> str | None:
            raise KeyUnavailableError("the keyring did not give out the database key", "Unlock it.")

        def put(self, account: str, secret: str) -> None:
            raise KeyUnavailableError("the keyring did not take the database key", "Unlock it.")

    keeper = RingKeeper(Locked(), "profile.ledger")
    with pytest.raises(KeyUnavailableError, match="did not give out the ledger's seal"):
        keeper.read()
    with pytest.raises(KeyUnavailableError, match="did not take the ledger's seal"):
        keeper.keep(KEPT)
