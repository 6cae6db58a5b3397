"""A GGUF model on this machine as a `Responder`.

The model works in one thread of its own: requests wait their turn, in order of arrival. A closed iterator cancels its
work between two tokens, or between two batches of its prompt.
"""

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from keepmum_shared.messages import ContentDelta, Finished, FinishReason, ModelInfo, ToolCallDelta, Usage

from keepmum_cloud.errors import CloudError, ModelBrokeOffError, ModelUnavailableError
from keepmum_cloud.respond.grammar import response_schema
from keepmum_cloud.respond.llama_model import Constraints, LlamaModel, LlamaSettings
from keepmum_cloud.respond.prompt import Prompt, with_system_note
from keepmum_cloud.respond.repetition import RepetitionWatch
from keepmum_cloud.respond.responder import AnswerPiece
from keepmum_cloud.respond.text_stream import TextStream
from keepmum_cloud.respond.tool_calls import (
    ToolCallReader,
    ToolPlan,
    as_text,
    opening,
    plan_tools,
    read_call,
    tools_note,
)

_SEEDS = 2**31


class LlamaResponder:
    """Loads the model at the first `check` or `respond`; a failed load is tried again by the next one."""

    def __init__(
        self,
        settings: LlamaSettings,
        *,
        draw_seed: Callable[[], int] = lambda: secrets.randbelow(_SEEDS),
        new_call_id: Callable[[], str] = lambda: f"call_{secrets.token_hex(12)}",
    ) -> None:
        self._settings = settings
        self._draw_seed = draw_seed
        self._new_call_id = new_call_id
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._model: LlamaModel | None = None

    def models(self) -> tuple[ModelInfo, ...]:
        """Return the loaded model; none before it is loaded."""
        model = self._model
        return () if model is None else (ModelInfo(id=model.name, created=model.created),)

    async def check(self) -> None:
        """Load the model if it is not; see `Responder`."""
        if self._model is None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._loaded)

    async def respond(self, prompt: Prompt) -> AsyncIterator[AnswerPiece]:
        """Stream the answer; see `Responder`."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[AnswerPiece | Future[None]] = asyncio.Queue()
        cancelled = threading.Event()

        def deliver(piece: AnswerPiece | Future[None]) -> None:
            try:
                loop.call_soon_threadsafe(pieces.put_nowait, piece)
            except RuntimeError:  # the loop has ended, and with it whoever was listening
                cancelled.set()

        def work() -> None:
            for piece in self._answer(prompt, cancelled.is_set):
                deliver(piece)

        self._thread.submit(work).add_done_callback(deliver)
        try:
            while not isinstance(piece := await pieces.get(), Future):
                yield piece
            _raise_failure(piece)
        finally:
            cancelled.set()

    async def aclose(self) -> None:
        """Wait for the work in hand and free the model."""
        await asyncio.get_running_loop().run_in_executor(None, lambda: self._thread.shutdown(cancel_futures=True))
        if self._model is not None:
            self._model.close()

    def _loaded(self) -> LlamaModel:
        if self._model is None:
            self._model = LlamaModel(self._settings)
        return self._model

    def _answer(self, prompt: Prompt, cancelled: Callable[[], bool]) -> Iterator[AnswerPiece]:
        """Yield the whole answer; runs in the model's thread."""
        if cancelled():
            return
        model = self._loaded()
        plan = plan_tools(prompt)
        note = tools_note(prompt, plan)
        messages = with_system_note(prompt.messages, note) if note else prompt.messages
        tokens = model.tokenise([as_text(message) for message in messages], opening(plan))
        schema = plan.schema or response_schema(prompt.response_format)
        seed = self._draw_seed() if prompt.sampling.seed is None else prompt.sampling.seed % _SEEDS
        completion_tokens = 0
        try:
            for choice in range(prompt.sampling.n):
                constraints = Constraints(sampling=prompt.sampling, schema=schema, seed=(seed + choice) % _SEEDS)
                written = _Choice(prompt, plan, choice, self._new_call_id)
                for token in model.generate(tokens, constraints, cancelled):
                    yield from written.feed(token)
                    if written.full:
                        break
                if cancelled():
                    return
                yield from written.close(context_full=len(tokens) + written.tokens >= model.context_tokens)
                completion_tokens += written.tokens
        finally:
            model.forget()
        yield Usage(prompt_tokens=len(tokens), completion_tokens=completion_tokens)


def _raise_failure(work: Future[None]) -> None:
    if work.cancelled():
        raise ModelUnavailableError("the server is shutting down; try again")
    failure = work.exception()
    if isinstance(failure, CloudError):
        raise failure
    if failure is not None:  # its words may hold text of the prompt
        raise ModelBrokeOffError(f"the model failed ({type(failure).__name__}); try again") from None


class _Choice:
    """One choice as it is written: counts tokens, decodes, parts content from calls.

    Attributes:
        tokens: How many were written.
        full: Whether no more are wanted.
    """

    def __init__(self, prompt: Prompt, plan: ToolPlan, number: int, new_call_id: Callable[[], str]) -> None:
        self._plan = plan
        self._number = number
        self._new_call_id = new_call_id
        self._text = TextStream(prompt.sampling.stop or () if plan.mode in ("off", "auto") else ())
        self._names = frozenset(tool["function"]["name"] for tool in prompt.tools)
        self._calls = ToolCallReader(self._names, choice=number, new_call_id=new_call_id)
        self._limit = prompt.sampling.max_tokens
        self._repetition = RepetitionWatch()
        self._looping = False
        self._forced = ""
        self._named_begun = False
        self.tokens = 0
        self.full = False

    def feed(self, token: bytes) -> Iterator[AnswerPiece]:
        self.tokens += 1
        self._looping = self._repetition.feed(token)
        self.full = self._looping or self.tokens == self._limit
        yield from self._pieces(self._text.feed(token))
        self.full = self.full or self._text.stopped

    def close(self, *, context_full: bool) -> Iterator[AnswerPiece]:
        yield from self._pieces(self._text.close())
        called = self._plan.mode == "named"
        if self._plan.mode == "required":
            called = (call := read_call(self._forced, self._names)) is not None
            if call is not None:
                name, arguments = call
                yield self._call(id_=self._new_call_id(), name=name, arguments=arguments)
            elif self._forced:
                yield ContentDelta(text=self._forced, choice=self._number)
        elif self._plan.mode == "auto":
            yield from self._calls.close()
            called = self._calls.calls > 0
        yield Finished(reason=self._reason(called=called, context_full=context_full), choice=self._number)

    def _reason(self, *, called: bool, context_full: bool) -> FinishReason:
        cut = context_full or self._looping or (self._limit is not None and self.tokens >= self._limit)
        if cut and not self._text.stopped:
            return "length"
        return "tool_calls" if called else "stop"

    def _pieces(self, text: str) -> Iterator[AnswerPiece]:
        if not text:
            return
        if self._plan.mode == "off":
            yield ContentDelta(text=text, choice=self._number)
        elif self._plan.mode == "auto":
            yield from self._calls.feed(text)
        elif self._plan.mode == "required":
            self._forced += text
        elif self._named_begun:
            yield self._call(arguments=text)
        else:
            self._named_begun = True
            yield self._call(id_=self._new_call_id(), name=self._plan.function, arguments=text)

    def _call(self, *, arguments: str, id_: str | None = None, name: str | None = None) -> ToolCallDelta:
        return ToolCallDelta(index=0, id=id_, name=name, arguments=arguments, choice=self._number)
