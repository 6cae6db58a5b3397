import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOAD = """
from pathlib import Path
from keepmum_inference.session import ModelSession
ModelSession(Path("models/artefacts/spans/model.onnx").read_bytes())
"""


def test_the_runtime_notes_nothing_in_the_users_home(tmp_path: Path) -> None:
    path = os.pathsep.join(str(ROOT / half) for half in ("edge", "shared"))
    environment = {"HOME": str(tmp_path), "PYTHONPATH": path, "PATH": os.environ["PATH"]}
    subprocess.run([sys.executable, "-c", LOAD], env=environment, cwd=ROOT, check=True, timeout=60)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
