"""`keepmum cloud ...`: hand over to the cloud half, which the edge never imports."""

import os
import sys
from importlib.util import find_spec

import typer

from keepmum_edge.errors import ConfigError

CLOUD_PACKAGE = "keepmum_cloud"

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
)
def cloud(context: typer.Context) -> None:
    """Run a command of the cloud half in the place of this process."""
    require_cloud_half()
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", CLOUD_PACKAGE, *context.args])  # noqa: S606 - our own interpreter


def require_cloud_half() -> None:
    """Check that the cloud half is installed.

    Raises:
        ConfigError: it is not.
    """
    if find_spec(CLOUD_PACKAGE) is None or find_spec(f"{CLOUD_PACKAGE}.__main__") is None:
        raise ConfigError("the cloud half is not installed here; pip install 'keepmum[desktop]' brings it")
