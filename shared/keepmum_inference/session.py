"""An ONNX session: few threads, no spinning, bounded memory, and the provider that it really got."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from keepmum_inference.errors import SessionError

CPU: Final = "CPUExecutionProvider"
CUDA: Final = "CUDAExecutionProvider"

_AT_ONCE: Final = 2
"""Calls that run at the same time: each needs memory of its own, which the runtime keeps for the next one."""


class ModelSession:
    """One loaded model. Calls may come from any number of threads; each uses at most `threads` of its own."""

    def __init__(self, model: bytes, *, threads: int = 1, gpu: bool = False, keeps_room: bool = True) -> None:
        """Load a model.

        Args:
            model: The ONNX file's bytes.
            threads: Threads of one call, >= 1.
            gpu: Ask for CUDA first where this build of the runtime has it. A small model is as fast without.
            keeps_room: Whether the memory that a call needed is kept for the next one (30 MB after a long text); if
                not, long texts take up to twice as long, short ones do not.

        Raises:
            SessionError: the runtime refuses the model.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        # A daemon's idle threads must not burn a core, nor may it learn a memory plan for every length that it meets.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_mem_pattern = False
        options.enable_cpu_mem_arena = keeps_room
        self._turnstile = threading.BoundedSemaphore(_AT_ONCE)
        listed = onnxruntime.get_available_providers()
        wanted = [CUDA, CPU] if gpu and CUDA in listed else [CPU]
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=wanted)
        except Exception as error:  # noqa: BLE001 - the binding's errors share no root
            raise SessionError(f"the runtime refuses the model ({type(error).__name__})") from None
        # The runtime has copied what it needs. Its wrapper would hold the file's bytes for good, tens of megabytes, to
        # start again on another provider if a call fails.
        self._session.disable_fallback()
        self._session._model_bytes = None  # noqa: SLF001 - there is no public way

    @property
    def provider(self) -> str:
        """What runs the model: the list of a build says less than the session does."""
        return str(self._session.get_providers()[0])

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        return tuple(output.name for output in self._session.get_outputs())

    def run(self, outputs: Sequence[str], inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[np.float32]]:
        """Return the outputs, in the order asked.

        Raises:
            SessionError: an input does not fit, or memory ran out.
        """
        try:
            with self._turnstile:
                return list(self._session.run(list(outputs), dict(inputs)))
        except Exception as error:  # noqa: BLE001 - the binding's errors share no root, and may quote the input
            raise SessionError(f"the runtime failed ({type(error).__name__})") from None
