"""Where data and the shipped artefact lie unless a flag or the environment says otherwise."""

import os
from pathlib import Path
from typing import Final

_REPOSITORY: Final = Path(__file__).parents[2]
_DATA_VARIABLE: Final = "KEEPMUM_DATA"
ARTEFACT: Final = _REPOSITORY / "models" / "artefacts" / "spans"


def data_folder() -> Path:
    """Return the folder of public sets: `KEEPMUM_DATA`, else `shared/data` beside the repository."""
    return Path(os.environ.get(_DATA_VARIABLE, _REPOSITORY.parent / "shared" / "data"))
