import subprocess
import sys

import pytest

SCRIPT = """
import sys
import psutil
from keepmum_edge.daemon.allocator import give_large_blocks_back

if sys.argv[1] == "given back":
    give_large_blocks_back()
resident = psutil.Process().memory_info
before = resident().rss
for _ in range(3):
    blocks, pins = [], []
    for _ in range(200):
        blocks.append(bytearray(300 * 1024))
        blocks[-1][::4096] = b"x" * len(blocks[-1][::4096])
        pins.append(bytearray(2000))  # stays, so that the heap cannot shrink below it
    del blocks
    pins = pins[-1:]
print((resident().rss - before) // 1_000_000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc keeps such blocks")
def test_large_blocks_do_not_stay_with_the_process() -> None:
    """In processes of their own: the setting cannot be taken back."""

    def megabytes_left(how: str) -> int:
        command = [sys.executable, "-c", SCRIPT, how]
        path = {"PYTHONPATH": ":".join(filter(None, sys.path))}
        done = subprocess.run(command, env=path, capture_output=True, text=True, timeout=300, check=True)
        return int(done.stdout)

    assert megabytes_left("given back") < 10
    assert megabytes_left("kept") > 20
