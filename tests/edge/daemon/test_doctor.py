from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon.doctor import Check, examine
from keepmum_edge.daemon.retrieval.model import LoadEmbedder
from keepmum_edge.daemon.retrieval.parts import SHIPPED
from keepmum_edge.daemon.store import Pairing, PairingStore
from keepmum_edge.database import Database, ProfileLock, open_profile
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.keys import Keyholder
from keepmum_edge.keys.wrapping import Argon2Cost
from keepmum_edge.spans.extractor import WHAT_IS_MISSED, SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_inference.embedding import load_embedder
from keepmum_shared.ids import DeviceId
from profiles import settings

WORDS = "-".join(["orange", "tractor", "seven"])
CHEAP = Argon2Cost(memory_kib=64, iterations=1, lanes=1)


def findings(
    config: EdgeConfig,
    *,
    typed: str | None = None,
    extractor: SpanExtractor | ExtractorUnavailableError | None = None,
    embedder: LoadEmbedder = SHIPPED,
) -> dict[str, Check]:
    keyholder = Keyholder(config, ring=None, ask=lambda purpose: typed, cost=CHEAP)
    return {check.name: check for check in examine(config, keyholder, extractor or RuleExtractor(), embedder)}


def profile(home: Path, typed: str | None = None) -> EdgeConfig:
    config = settings(home)
    created = Keyholder(config, ring=None, ask=lambda purpose: typed, cost=CHEAP).create()
    with closing(open_profile(config.paths, created.key)) as db, db.transaction():
        PairingStore(db).put(
            Pairing(
                device=DeviceId("dev_x"),
                host="127.0.0.1",
                port=8766,
                certificate_pem="",
                private_key=bytes(32),
                paired_at=1,
            )
        )
    return config


def test_a_healthy_profile_is_all_well(tmp_path: Path) -> None:
    checks = findings(profile(tmp_path, WORDS), typed=WORDS)
    checks.pop("swap", None)
    assert {check.status for check in checks.values()} == {"ok"}
    parts = [
        "permissions",
        "key",
        "recovery",
        "cipher",
        "database",
        "memories",
        "pairing",
        "extractor",
        "retrieval",
        "attributes",
    ]
    assert list(checks) == [*parts, "daemon"]
    assert checks["cipher"].detail.startswith("SQLCipher 4.")
    assert checks["pairing"].detail == "with 127.0.0.1:8766 as dev_x"


def test_looking_changes_and_makes_nothing(tmp_path: Path) -> None:
    config = profile(tmp_path)

    def state() -> dict[Path, tuple[int, bytes]]:
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()}

    before = state()
    findings(config)
    assert state() == before
    findings(settings(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_a_profile_that_was_never_made_is_told_from_one_that_lost_its_key(tmp_path: Path) -> None:
    never = findings(settings(tmp_path / "never"))
    assert (never["key"].status, never["key"].next_step) == ("warn", "Run `keepmum up`.")
    config = profile(tmp_path / "lost")
    config.paths.key_file.unlink()
    lost = findings(config)
    assert lost["key"].status == "fail"
    assert "keepmum recover" in lost["key"].next_step
    assert "database" not in lost


def test_a_key_that_lies_open_is_a_loud_warning_with_the_way_out(tmp_path: Path) -> None:
    check = findings(profile(tmp_path))["key"]
    assert check.status == "warn"
    assert "whoever reads this disk can read everything" in check.detail
    assert "keepmum key passphrase" in check.next_step


def test_the_extractor_is_named_with_what_it_misses(tmp_path: Path) -> None:
    check = findings(profile(tmp_path))["extractor"]
    assert check.status == "ok"
    assert check.detail == f"{RuleExtractor().model_id}: {WHAT_IS_MISSED}"


def test_an_extractor_that_cannot_be_loaded_is_named_with_the_next_step(tmp_path: Path) -> None:
    error = ExtractorUnavailableError("the span model is not usable: model.onnx: altered", "Install Keepmum again.")
    checks = findings(profile(tmp_path), extractor=error)
    assert checks["extractor"] == Check(
        name="extractor", status="fail", detail=error.part, next_step="Install Keepmum again."
    )
    assert checks["database"].status == "ok", "the others are looked at all the same"


def lose_recovery(config: EdgeConfig) -> None:
    config.paths.recovery_file.unlink()


def open_to_group(config: EdgeConfig) -> None:
    config.paths.recovery_file.chmod(0o640)


def open_folder(config: EdgeConfig) -> None:
    config.paths.state_dir.chmod(0o755)


def truncate(config: EdgeConfig) -> None:
    config.paths.database.write_bytes(config.paths.database.read_bytes()[:5000])


def flip_a_bit(config: EdgeConfig) -> None:
    content = bytearray(config.paths.database.read_bytes())
    content[-3000] ^= 1
    config.paths.database.write_bytes(content)


def lose_database(config: EdgeConfig) -> None:
    config.paths.database.unlink()


@pytest.mark.parametrize(
    ("harm", "name", "status"),
    [
        (lose_recovery, "recovery", "warn"),
        (open_to_group, "permissions", "fail"),
        (open_folder, "permissions", "fail"),
        (truncate, "database", "fail"),
        (flip_a_bit, "database", "fail"),
        (lose_database, "database", "fail"),
    ],
)
def test_each_harm_is_found_named_and_answered(
    tmp_path: Path, harm: Callable[[EdgeConfig], None], name: str, status: str
) -> None:
    config = profile(tmp_path, WORDS)
    harm(config)
    check = findings(config, typed=WORDS)[name]
    assert check.status == status
    assert check.next_step


def test_a_wrong_passphrase_is_named_and_not_quoted(tmp_path: Path) -> None:
    check = findings(profile(tmp_path, WORDS), typed=WORDS[::-1])["key"]
    assert check.status == "fail"
    assert "passphrase" in check.detail
    assert WORDS[::-1] not in check.detail + check.next_step


def test_it_works_beside_a_running_daemon(tmp_path: Path) -> None:
    config = profile(tmp_path)
    with ProfileLock.acquire(config.paths.lock_file) as lock:
        lock.announce("http://127.0.0.1:8765")
        key = Keyholder(config, ring=None).unlock().key
        with closing(Database.open(config.paths.database, key)) as db:
            with db.transaction():
                db.execute("INSERT INTO setting VALUES ('x', 'y')")
                checks = findings(config)
            assert checks["database"].status == "ok"
            assert checks["daemon"].detail == "running at http://127.0.0.1:8765"


def test_memories_that_are_found_by_their_words_only_are_a_warning_and_no_failure(tmp_path: Path) -> None:
    checks = findings(profile(tmp_path), embedder=partial(load_embedder, tmp_path / "no model here"))
    assert checks["retrieval"].status == "warn"
    assert "words only" in checks["retrieval"].detail
    assert checks["attributes"].status == "warn"
    assert "stay on this computer" in checks["attributes"].detail
    well = findings(profile(tmp_path / "well"))
    assert well["retrieval"].status == well["attributes"].status == "ok"
