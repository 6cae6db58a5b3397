"""Profiles for tests: settings below a temporary folder, their database, and second processes that use them."""

import os
import subprocess
import sys
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CBC
from keepmum_edge.config import EdgeConfig, load
from keepmum_edge.database import Database

KEY = bytes(range(32))


def settings(home: Path, **flags: object) -> EdgeConfig:
    """Settings of a profile below `home` that leave the machine's keyring alone."""
    return load({"KEEPMUM_HOME": str(home)}, {"key_store": "file"} | flags)


def new_database(home: Path) -> Database:
    """The database of a fresh profile under KEY."""
    config = settings(home)
    config.paths.prepare()
    return Database.create(config.paths.database, KEY)


def second_process(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start Python with this session's import path."""
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def disk_bytes(folder: Path) -> bytes:
    """Everything that the files below a folder hold."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def decrypted_pages(database: Path, key: bytes = KEY) -> bytes:
    """The raw pages of a SQLCipher 4 file under the key, with whatever deleted rows left in them."""
    content, clear = database.read_bytes(), b""
    for start in range(0, len(content), 4096):
        page = content[start : start + 4096]
        vector = page[-80:-64]  # then 64 bytes of HMAC; the file's first 16 bytes are the salt
        decryptor = Cipher(AES256(key), CBC(vector)).decryptor()
        clear += decryptor.update(page[16 if start == 0 else 0 : -80]) + decryptor.finalize()
    return clear
