"""A backup opens with the recovery key alone, and what was forgotten since is in no copy of its records."""

import asyncio
import shutil
from pathlib import Path

import pytest
from edge.daemon.profile import profile
from keepmum_edge.daemon.backup import KEY_FILE, RECORD_FILE, BackupError
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.keys import Keyholder
from keepmum_edge.keys.recovery import format_recovery_key
from keepmum_edge.memory.record import Channel, CloudState, Consent
from profiles import settings

CANARY = "zqboatword"


def recovery_key(home: Path) -> str:
    """Renew it, since it is shown once."""
    return Keyholder(settings(home), ring=None).renew_recovery_key()


def test_records_come_back_on_another_computer_and_only_with_the_recovery_key(tmp_path: Path) -> None:
    folder = tmp_path / "disk" / "backup"

    async def work() -> None:
        async with profile(tmp_path / "old") as me:
            await me.record(f"Owns a {CANARY}", sent=f"Owns a {CANARY}")
            await me.record("Has a condition", cloud=CloudState.LOCAL_ONLY, attributes=frozenset({"mind"}))
            key = recovery_key(tmp_path / "old")
            assert await me.service.backup(folder) == 2
        assert CANARY.encode() not in (folder / RECORD_FILE).read_bytes() + (folder / KEY_FILE).read_bytes()
        assert oct((folder / KEY_FILE).stat().st_mode & 0o777) == "0o600"
        async with profile(tmp_path / "new") as me:
            with pytest.raises(BackupError, match="does not open"):
                await me.service.restore(folder, recovery_key(tmp_path / "new"))
            with pytest.raises(InvalidRequestError):
                await me.service.restore(folder, "nonsense")
            done = await me.service.restore(folder, key)
            assert (done.records, done.there, done.forgotten) == (2, 0, 0)
            records = {r.text: r for r in await me.service.memories(None)}
            assert records[f"Owns a {CANARY}"].cloud is CloudState.KEPT, "the other profile's cloud is not this one's"
            assert records["Has a condition"].cloud is CloudState.LOCAL_ONLY
            again = await me.service.restore(folder, key)
            assert (again.records, again.there) == (0, 2)

    asyncio.run(work())


def test_a_deletion_takes_the_key_out_of_the_key_file_and_names_files_it_cannot_reach(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"

    async def work() -> None:
        async with profile(tmp_path / "home") as me:
            boat, tea = await me.record(f"Owns a {CANARY}"), await me.record("Drinks tea")
            key = recovery_key(tmp_path / "home")
            for folder in (near, far):
                await me.service.backup(folder)
            stolen = tmp_path / "stolen"
            shutil.copytree(near, stolen)
            far.rename(tmp_path / "unplugged")
            receipt = await me.forget(boat.id)
            assert receipt.stale_key_files == (str(far / KEY_FILE),)
            assert not (near / (KEY_FILE + ".new")).exists()
            back = await me.service.restore(near, key)
            assert (back.records, back.there, back.forgotten) == (0, 1, 1)
            assert [r.id for r in await me.service.memories(None)] == [tea.id]
        async with profile(tmp_path / "other") as me:
            mixed = tmp_path / "mixed"
            shutil.copytree(stolen, mixed)
            shutil.copy(near / KEY_FILE, mixed / KEY_FILE)
            assert (await me.service.restore(mixed, key)).records == 1, "an old copy of the records has lost it too"
            assert CANARY not in await me.texts()
            assert (await me.service.restore(stolen, key)).records == 1, "the control: an old key file still opens it"
            assert CANARY in await me.texts()

    asyncio.run(work())


def test_a_damaged_backup_is_refused_and_nothing_of_it_is_taken(tmp_path: Path) -> None:
    folder = tmp_path / "backup"

    async def work() -> None:
        async with profile(tmp_path / "home") as me:
            await me.record("Drinks tea")
            key = recovery_key(tmp_path / "home")
            await me.service.backup(folder)
            content = (folder / RECORD_FILE).read_bytes()
            keys = (folder / KEY_FILE).read_bytes()
            flipped = content[:200] + bytes([content[200] ^ 1]) + content[201:]
            for damaged in (content[:-9] + b'AAAAAA"}\n', flipped, content[:-30], b"[]\n", b"\xff", b"[" * 100_000):
                (folder / RECORD_FILE).write_bytes(damaged)
                with pytest.raises(BackupError, match=r"damaged at record 1 .*use another copy"):
                    await me.service.restore(folder, key)
            (folder / KEY_FILE).write_bytes(b"{}")
            with pytest.raises(BackupError, match=r"damaged; use another copy"):
                await me.service.restore(folder, key)
            (folder / KEY_FILE).write_bytes(keys)
            with pytest.raises(BackupError, match=r"another profile's, or .*key is damaged"):
                await me.service.restore(folder, format_recovery_key(bytes(20)))
            (folder / KEY_FILE).unlink()
            with pytest.raises(BackupError, match="holds no backup"):
                await me.service.restore(folder, key)
            assert len(await me.service.memories(None)) == 1
            with pytest.raises(InvalidRequestError):
                await me.service.backup(Path("relative"))

    asyncio.run(work())


def test_of_a_backup_its_owners_word_holds_and_all_else_is_computed_here(tmp_path: Path) -> None:
    folder = tmp_path / "backup"

    async def work() -> None:
        async with profile(tmp_path / "old") as me:
            page = await me.record("The shop is closed", channel=Channel.WEB, trust=100, consent=Consent.GRANTED)
            ill = await me.record("I was diagnosed with type 2 diabetes", judged_by=me.parts.keeping.judge_id)
            await me.record("my wifi password is Giraffe-5512" + "-moon", judged_by=me.parts.keeping.judge_id)
            late = await me.record("Has a boat", valid_to=2**53 - 1, sent="Has a boat")
            older = await me.record("Fact. " * 1_000, scope="..an-older-rule", audiences=frozenset({".ann"}))
            key = recovery_key(tmp_path / "old")
            await me.service.backup(folder)
        async with profile(tmp_path / "new") as me:
            done = await me.service.restore(folder, key)
            assert (done.records, done.refused) == (4, 1)
            held = {r.id: r for r in await me.service.memories(None)}
            assert (held[page.id].trust, held[page.id].consent) == (100, Consent.GRANTED), "its owner confirmed it"
            assert held[ill.id].cloud is CloudState.LOCAL_ONLY, "judged here"
            assert (held[late.id].cloud, held[late.id].placeholder_text) == (CloudState.KEPT, None)
            assert (held[older.id].text, held[older.id].scope) == (older.text, older.scope), "no rule is older than it"
            assert "Giraffe" not in await me.texts()

    asyncio.run(work())
