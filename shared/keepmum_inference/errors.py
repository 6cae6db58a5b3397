"""Errors of trained models. They name files and rules, never text."""

from keepmum_shared.errors import KeepmumError


class InferenceError(KeepmumError):
    """A trained model cannot be used."""

    code = "inference_error"


class ArtefactError(InferenceError):
    """A model's files are missing, altered or do not belong together.

    Attributes:
        file: Name of the file that is wrong, without its folder.
    """

    code = "artefact_error"

    def __init__(self, file: str, rule: str) -> None:
        super().__init__(f"{file}: {rule}")
        self.file = file


class SessionError(InferenceError):
    """The runtime refused the model or failed on an input."""

    code = "session_error"
