"""The edge's settings, read once (`settings`), where its files lie (`paths`), and how private files are opened.

Everything below the entry points gets an `EdgeConfig`; nothing else reads the environment or the file.
"""

from keepmum_edge.config.paths import Paths
from keepmum_edge.config.private_files import UnsafeFileError
from keepmum_edge.config.settings import EdgeConfig, load

__all__ = ["EdgeConfig", "Paths", "UnsafeFileError", "load"]
