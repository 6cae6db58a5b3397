"""Putting a profile together: every part that protects must be there, or a service comes out that sends nothing."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon.app import open_service
from keepmum_edge.daemon.chat import Attempt, ChatRequest, Context
from keepmum_edge.errors import ExtractorUnavailableError, KeyUnavailableError, NotPairedError, UnavailableError
from keepmum_edge.keys import Keyholder
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.shipped import load_shipped
from keepmum_shared.messages import ChatMessage
from profiles import settings

HELLO = ChatRequest(messages=(ChatMessage(role="user", content="My name is Sigrid Tanaka."),))


@pytest.fixture
def config(tmp_path: Path) -> EdgeConfig:
    config = settings(tmp_path / "home")
    Keyholder(config, ring=None).create()
    return config


def outcome(
    config: EdgeConfig, load: Callable[[], SpanExtractor]
) -> tuple[bool, UnavailableError | NotPairedError, str]:
    """Whether it is ready, how it answers, and what the checks say of the extractor."""

    async def ask() -> tuple[bool, UnavailableError | NotPairedError, str]:
        service = open_service(config, load_extractor=load)
        await service.start()
        try:
            with pytest.raises((UnavailableError, NotPairedError)) as refused:
                await service.answer(HELLO, Context(), Attempt())
            checks = {check.name: check for check in await service.checks()}
            return service.ready(), refused.value, f"{checks['extractor'].status}: {checks['extractor'].detail}"
        finally:
            await service.close()

    return asyncio.run(ask())


def test_with_all_parts_it_is_ready_and_asks_for_its_cloud(config: EdgeConfig) -> None:
    ready, error, check = outcome(config, RuleExtractor)
    assert ready
    assert isinstance(error, NotPairedError)
    assert check.startswith("ok: rules-")


def test_an_altered_model_makes_a_service_that_names_it_and_sends_nothing(config: EdgeConfig, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(artefact_folder(), tmp_path / "copy"))
    with (copy / "labels.json").open("ab") as file:
        file.write(b" ")
    ready, error, check = outcome(config, lambda: load_shipped(copy))
    assert not ready
    assert isinstance(error, ExtractorUnavailableError)
    assert "labels.json" in error.part
    assert "Tanaka" not in str(error)
    assert check.startswith("fail: the span model is not usable: labels.json")
    # the database was closed again: with the model back, it opens
    assert outcome(config, RuleExtractor)[0]


def test_without_a_key_the_extractor_is_still_checked(config: EdgeConfig) -> None:
    config.paths.key_file.unlink()
    ready, error, check = outcome(config, RuleExtractor)
    assert not ready
    assert isinstance(error, KeyUnavailableError)
    assert check.startswith("ok: rules-")
