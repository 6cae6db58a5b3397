from pathlib import Path

import pytest
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.views.ledger import Cause, Charge
from keepmum_edge.views.rollback import Intent, Kept, Seal
from keepmum_edge.views.seal_keeper import FileKeeper, RingKeeper, SealKeeper
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
