"""How the process's memory allocator treats large blocks, where it is glibc's; elsewhere nothing is done.

By default glibc keeps large blocks that were freed, in one heap for each thread: every long text that is read leaves
tens of megabytes behind. Given back to the system at once they cost a few microseconds each.
"""

import ctypes
import sys
from typing import Final

_M_MMAP_THRESHOLD: Final = -3
_LARGE: Final = 256 * 1024


def give_large_blocks_back() -> None:
    """Have blocks of 256 KiB and more returned to the system when they are freed; call it before threads start."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries lack it
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
