"""The shipped extractor as the owner has set it: the list of public figures in force, threads."""

from collections.abc import Callable
from pathlib import Path

from keepmum_edge.config import EdgeConfig
from keepmum_edge.config.private_files import read_private
from keepmum_edge.errors import ConfigError
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.public_figures import BadListError, Figures, PublicFigures, parse, shipped_figures
from keepmum_edge.spans.shipped import load_shipped


def loader_of(config: EdgeConfig) -> Callable[[], SpanExtractor]:
    """Return what loads the extractor (`spans.shipped.load_shipped`); the owner's list is read at once.

    Raises:
        ConfigError: the owner's list is not usable.
    """
    figures = figures_in_force(config.paths.public_figures_file)
    return lambda: load_shipped(threads=config.extractor_threads, figures=figures)


def figures_in_force(own: Path) -> PublicFigures:
    """Return the list in force.

    Args:
        own: The owner's file (`Paths.public_figures_file`), which need not be there.

    Raises:
        ConfigError: the owner's file cannot be read, others may write it, or a line of it is not one.
    """
    shipped, mine = shipped_figures(), _own(own)
    return PublicFigures([*shipped.added, *mine.added], removed=mine.removed)


def _own(path: Path) -> Figures:
    try:
        return parse(read_private(path, others_may_read=True).decode("utf-8"))
    except FileNotFoundError:
        return Figures(())
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except BadListError as error:
        raise ConfigError(f"{path}: {error}") from None
