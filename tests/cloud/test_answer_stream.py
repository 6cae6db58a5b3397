import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from keepmum_cloud.answer_stream import AnswerStream
from keepmum_cloud.errors import BusyError, ModelBrokeOffError, ModelUnavailableError
from keepmum_cloud.limits import TurnSlots
from keepmum_cloud.respond.prompt import Prompt
from keepmum_cloud.respond.responder import AnswerPiece
from keepmum_cloud.turns import PreparedTurn
from keepmum_shared.messages import ChatMessage, ContentDelta, Done, Started, TurnFailed
from signed_client import events

TURN = PreparedTurn(opening=(Started(model="m"),), prompt=Prompt(messages=(ChatMessage(role="user", content="x"),)))


class Wire:
    """The two ends that an ASGI server gives: what was sent, and when the client goes."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int | None:
        return next((message["status"] for message in self.sent if message["type"] == "http.response.start"), None)

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()


class Model:
    """Yields after a while, fails if told to, and notes that it was stopped."""

    def __init__(self, *, wait_s: float = 0.0, failure: Exception | None = None, pieces: int = 1) -> None:
        self.wait_s = wait_s
        self.failure = failure
        self.pieces = pieces
        self.stopped = False

    async def answer(self) -> AsyncIterator[AnswerPiece]:
        try:
            for _ in range(self.pieces):
                await asyncio.sleep(self.wait_s)
                yield ContentDelta(text="a")
            if self.failure is not None:
                raise self.failure
        finally:
            self.stopped = True


async def play(model: Model, wire: Wire, slots: TurnSlots | None = None) -> AnswerStream:
    slots = slots or TurnSlots(1)
    stream = AnswerStream(TURN, model.answer(), slots, first_piece_wait_s=0.05, keep_alive_s=0.05)
    await stream({"type": "http"}, wire.receive, wire.send)  # type: ignore[arg-type]
    assert slots.running == 0
    assert model.stopped
    return stream


def test_an_early_failure_is_an_http_error() -> None:
    async def main() -> None:
        wire = Wire()
        await play(Model(pieces=0, failure=ModelUnavailableError("no model")), wire)
        assert wire.status == 503
        assert "model_unavailable" in wire.text

    asyncio.run(main())


def test_a_late_failure_is_the_last_event_and_comments_keep_the_stream_alive() -> None:
    async def main() -> None:
        wire = Wire()
        await play(Model(wait_s=0.2, failure=ModelBrokeOffError("broke")), wire)
        assert wire.status == 200
        got = events(wire.text)
        assert got[:2] == [Started(model="m"), ContentDelta(text="a")]
        assert isinstance(got[-1], TurnFailed)
        assert wire.text.count(": the model is at work\n\n") >= 2

    asyncio.run(main())


def test_a_failure_that_no_one_expected_ends_the_stream_as_failed_and_is_not_quoted() -> None:
    async def main() -> None:
        wire = Wire()
        await play(Model(failure=ZeroDivisionError("canary")), wire)
        last = events(wire.text)[-1]
        assert isinstance(last, TurnFailed)
        assert last.code == "model_broke_off"
        assert "canary" not in wire.text

    asyncio.run(main())


@pytest.mark.parametrize("after_s", [0.02, 0.15])
def test_a_client_that_goes_stops_the_model_before_and_after_the_first_piece(after_s: float) -> None:
    async def main() -> None:
        wire = Wire()
        model = Model(wait_s=0.1, pieces=1000)
        asyncio.get_running_loop().call_later(after_s, wire.gone.set)
        async with asyncio.timeout(3):
            stream = await play(model, wire)
        assert stream.outcome == "cancelled"
        assert "done" not in wire.text

    asyncio.run(main())


def test_one_more_than_the_slots_is_told_to_come_later() -> None:
    async def main() -> None:
        slots = TurnSlots(1)
        wire = Wire()
        first = asyncio.create_task(play(Model(wait_s=0.1), wire, slots))
        await asyncio.sleep(0.02)
        second = AnswerStream(TURN, Model().answer(), slots)
        with pytest.raises(BusyError) as caught:
            await second({"type": "http"}, wire.receive, wire.send)  # type: ignore[arg-type]
        assert (caught.value.http_status, caught.value.retryable) == (503, True)
        assert (await first).outcome == "done"
        assert isinstance(events(wire.text)[-1], Done)

    asyncio.run(main())
