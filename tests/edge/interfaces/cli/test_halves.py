import socket

import pytest
from keepmum_edge.errors import ConfigError
from keepmum_edge.interfaces.cli import halves


@pytest.mark.parametrize("content", [b"", b"many", b"0", b"70000", b"-1"])
def test_a_damaged_port_file_is_named(tmp_path, content):
    file = tmp_path / "port"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(ConfigError, match="does not hold a port"):
        halves._kept_port(file)


def test_the_cloud_half_gets_nothing_that_opens_the_database():
    given = {"PATH": "/bin", "KEEPMUM_CLOUD_MODEL": "m", "KEEPMUM_PASSPHRASE": "x", "KEEPMUM_PASSPHRASE_FILE": "/y"}
    assert halves.cloud_environ(given) == {"PATH": "/bin", "KEEPMUM_CLOUD_MODEL": "m"}


def test_the_local_cloud_half_keeps_its_port_and_another_program_there_is_named(tmp_path):
    file = tmp_path / "cloud" / "port"
    port = halves._choose_port(file)
    assert halves._kept_port(file) == port
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        with pytest.raises(ConfigError, match=f"another program has taken its port {port}"):
            halves._kept_port(file)
