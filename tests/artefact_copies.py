"""Copies of shipped models, to be spoilt."""

import json
from pathlib import Path

from keepmum_inference.manifest import MANIFEST


def change_manifest(folder: Path, **changed: object) -> None:
    """Change fields of a copy's manifest."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).write_text(json.dumps(manifest | changed), encoding="utf-8")
