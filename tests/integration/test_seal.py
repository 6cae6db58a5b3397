"""The edge's client and a real cloud process: the ledger's seal goes there and comes back; a changed one is refused."""

import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.cloud_http import Patience
from keepmum_edge.daemon.pairing import pair
from keepmum_edge.errors import CloudBrokeOffError, CloudRefusedError
from keepmum_shared.messages import SignedSeal
from scripted_openai import reply, scripted_openai
from signed_client import POLICY, cloud_process, user_turn


def test_a_seal_goes_to_the_cloud_with_a_turn_and_comes_back_or_is_refused_if_it_was_changed(tmp_path: Path) -> None:
    async def work(uri: str, database: Path) -> None:
        paired = await pair(uri, name="test", patience=Patience(), paired_at=int(time.time()))
        cloud = CloudClient(paired, Patience(), time.time)
        try:
            assert await cloud.seal() is None
            assert POLICY in (await cloud.device()).policies
            seal = cloud.sign_seal(counter=1, total=2_000_000_000)
            assert seal == cloud.sign_seal(counter=1, total=2_000_000_000)
            await send(cloud, seal)
            assert await cloud.seal() == seal
            with closing(sqlite3.connect(database)) as db, db:
                db.execute("UPDATE seals SET total = 0")
            with pytest.raises(CloudBrokeOffError, match="never signed"):
                await cloud.seal()
            with pytest.raises(CloudRefusedError) as refused:
                await send(cloud, seal, policy="f" * 64)
            assert (refused.value.cloud_code, refused.value.status) == ("policy_mismatch", 409)
            assert "update the cloud half" in str(refused.value)
        finally:
            await cloud.close()

    with scripted_openai(tmp_path, [reply("Fine.")]) as model:
        arguments = ["--responder", "openai", "--base-url", model.base_url, "--model", "scripted"]
        with cloud_process(tmp_path / "home", arguments) as server:
            (database,) = (tmp_path / "home").rglob("cloud.sqlite3")
            asyncio.run(work(str(server.uri), database))


async def send(cloud: CloudClient, seal: SignedSeal, policy: str = POLICY) -> None:
    assert [event async for event in cloud.turn(replace(user_turn("hi", seal=seal), policy=policy))]
