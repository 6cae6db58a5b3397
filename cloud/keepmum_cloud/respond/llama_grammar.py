"""A JSON schema as a grammar of the native library, guarded against the ways in which that library ends the process.

llama.cpp follows a null pointer where a grammar cannot be parsed, and throws through C where a grammar leaves no
token to choose. So a grammar is compiled once to see whether it can be, and a copy of it walks along with the answer:
before each token it is asked whether any is allowed.
"""

import ctypes
import json
from types import ModuleType
from typing import Any

from keepmum_cloud.errors import UnsupportedRequestError
from keepmum_cloud.respond.grammar import bounded


def _refused() -> UnsupportedRequestError:
    return UnsupportedRequestError("schema", "this model cannot be held to it; use a simpler JSON schema")


class SchemaGrammar:
    """One compiled schema. Use for one answer, in the model's thread, and `close` it.

    Attributes:
        grammar: What the library's `generate` takes.
    """

    def __init__(self, library: ModuleType, vocabulary: Any, size: int, schema: dict[str, Any]) -> None:
        """Compile.

        Args:
            library: llama_cpp.
            vocabulary: The model's, a native pointer.
            size: How many tokens that has.
            schema: What the answer must match.

        Raises:
            UnsupportedRequestError: it cannot be compiled.
        """
        import numpy as np  # comes with the optional llama_cpp
        from llama_cpp.llama_grammar import LlamaGrammar, json_schema_to_gbnf

        try:
            text = json_schema_to_gbnf(json.dumps(bounded(schema)))
        except (ValueError, TypeError, LookupError, AssertionError, AttributeError, RuntimeError):
            raise _refused() from None
        self._library = library
        self._shadow = library.llama_sampler_init_grammar(vocabulary, text.encode("utf-8"), b"root")
        if not self._shadow:
            raise _refused()
        self.grammar = LlamaGrammar.from_string(text, verbose=False)
        self._tokens = (library.llama_token_data * size)()
        self._view = np.frombuffer(self._tokens, dtype=[("id", "i4"), ("logit", "f4"), ("p", "f4")])
        self._numbers = np.arange(size)
        self._array = library.llama_token_data_array(data=self._tokens, size=size, selected=-1, sorted=False)

    def check(self) -> None:
        """Return if some token may come next.

        Raises:
            UnsupportedRequestError: none may: the schema matches nothing, or nothing that begins as the answer does.
        """
        self._view["id"] = self._numbers
        self._view["logit"] = 0.0
        self._library.llama_sampler_apply(self._shadow, ctypes.byref(self._array))
        if not (self._view["logit"] == 0.0).any():
            raise _refused()

    def accept(self, token: int) -> None:
        """Go on by the token that was chosen."""
        self._library.llama_sampler_accept(self._shadow, token)

    def close(self) -> None:
        """Free the copy."""
        self._library.llama_sampler_free(self._shadow)
