"""Records of the first version, which nobody judged, are judged at the next start; the ineligible leave the cloud."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from halves import Halves, await_true, paired_halves, user
from keepmum_edge.database import Database
from keepmum_edge.keys import Keyholder
from scripted_openai import scripted_openai

OK: dict[str, Any] = {"steps": [{"content": "Noted."}, {"finish": "stop"}, {"done": True}]}


def at_cloud(halves: Halves) -> set[str]:
    with closing(sqlite3.connect(f"file:{halves.cloud_data / 'cloud.sqlite3'}?mode=ro", uri=True)) as database:
        return {row[0] for row in database.execute("SELECT text FROM memories")}


def test_unjudged_records_are_judged_and_ineligible_ones_deleted_at_the_cloud(tmp_path: Path) -> None:
    flags = ["--rules-only"]
    with scripted_openai(tmp_path, [OK]) as model, paired_halves(tmp_path / "home", model, edge_flags=flags) as halves:
        for text in ("My cat is called Pixel", "My bike is called Comet"):
            assert halves.owner.post("/memories", json={"text": text}).status_code == 201
        halves.client().chat.completions.create(model="any", messages=[user("hello")])
        assert at_cloud(halves) == {"My cat is called Pixel", "My bike is called Comet"}
        assert halves.edge.stop() == 0
        key = Keyholder(halves.config, ring=None).unlock().key
        with closing(Database.open(halves.config.paths.database, key)) as database, database.transaction():
            database.execute("UPDATE memory SET judged_by = NULL")
            database.execute("UPDATE memory SET text = 'I take insulin every day' WHERE text LIKE '%Comet'")
        halves.start_edge()
        await_true(lambda: at_cloud(halves) == {"My cat is called Pixel"})
        cat, insulin = sorted(
            halves.owner.get("/memories").json()["memories"], key=lambda each: each["text"], reverse=True
        )
        assert (cat["unclassified"], cat["cloud"]) == (False, "queued")
        assert (insulin["cloud"], insulin["slot"], insulin["shared_at"]) == ("local_only", "diet_and_metabolism", None)
