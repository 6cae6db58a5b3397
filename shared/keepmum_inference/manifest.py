"""The files of a model: read once, checked against the SHA-256 sums of their manifest, and nothing else believed.

manifest.json   {"format": 1, "name", "version", ..., "files": {file name: SHA-256}}
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from keepmum_inference.errors import ArtefactError

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
MODEL: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFiles:
    """The files of a folder whose sums are those of its manifest.

    Attributes:
        manifest: The manifest.
        sha256: Of the manifest, and so of everything it lists.
        contents: Bytes of each file, by name.
    """

    manifest: Mapping[str, Any]
    sha256: str
    contents: Mapping[str, bytes] = field(repr=False)

    @property
    def name(self) -> str:
        """Name of the model."""
        return str(self.manifest.get("name"))

    @property
    def version(self) -> str:
        """Version of the model."""
        return str(self.manifest.get("version"))

    @property
    def tokenizer_json(self) -> str:
        """The tokenizer."""
        return self.contents[TOKENIZER].decode("utf-8", errors="replace")


def shipped_folder(name: str) -> Path:
    """Return where a shipped model lies: beside this module when installed, in `models/` in a working copy."""
    beside = Path(__file__).with_name(f"{name}_artefact")
    return beside if beside.is_dir() else Path(__file__).parents[2] / "models" / "artefacts" / name


def manifest_sha256(folder: Path) -> str:
    """Return the sum of a model's manifest, and so of everything it lists. Raises ArtefactError."""
    return sha256(_read(folder, MANIFEST))


def sha256(content: bytes) -> str:
    """Return the sum in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def read_checked(folder: Path, names: Sequence[str]) -> CheckedFiles:
    """Read and check the files of a model.

    Raises:
        ArtefactError: a file is missing, altered or of another format.
    """
    manifest_bytes = _read(folder, MANIFEST)
    manifest = json_object(manifest_bytes, MANIFEST)
    if manifest.get("format") != FORMAT:
        raise ArtefactError(MANIFEST, f"is not of format {FORMAT}")
    sums = manifest.get("files")
    if not isinstance(sums, dict):
        raise ArtefactError(MANIFEST, "lists no files")
    contents = {name: _read(folder, name) for name in names}
    for name, content in contents.items():
        if sums.get(name) != sha256(content):
            raise ArtefactError(name, "does not have the SHA-256 sum of the manifest")
    return CheckedFiles(manifest=manifest, sha256=sha256(manifest_bytes), contents=contents)


def json_object(content: bytes, name: str) -> dict[str, Any]:
    """Parse a file that holds one JSON object.

    Raises:
        ArtefactError: it does not.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise ArtefactError(name, "is not JSON") from None
    if not isinstance(value, dict):
        raise ArtefactError(name, "is not a JSON object")
    return value


def whole_number(manifest: Mapping[str, Any], name: str, least: int, most: int) -> int:
    """Return a whole number of a manifest, in [least, most].

    Raises:
        ArtefactError: it is missing, no whole number or out of range.
    """
    value = manifest.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ArtefactError(MANIFEST, f"{name} out of range")
    return value


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise ArtefactError(name, f"cannot be read ({type(error).__name__})") from None
