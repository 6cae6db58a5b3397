"""A small edge for tests: starts `keepmum-cloud serve` as a process, pairs, signs requests, reads streams."""

import hashlib
import json
import os
import secrets
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from keepmum_shared.codec import decode, encode
from keepmum_shared.ids import new_turn_id
from keepmum_shared.messages import ChatMessage, PairRequest, PairResponse, TurnEvent, TurnEventEnvelope, TurnRequest
from keepmum_shared.signing import (
    HEADER_DEVICE,
    HEADER_NONCE,
    HEADER_SIGNATURE,
    HEADER_TIME,
    PairingUri,
    signed_bytes,
    to_base64url,
)
from keepmum_shared.view import shipped_policy

POLICY = shipped_policy().digest
ROOT = Path(__file__).parents[1]


def strict_context(certificate_pem: str) -> ssl.SSLContext:
    """Trust this one certificate, strictly."""
    context = ssl.create_default_context(cadata=certificate_pem)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


@dataclass
class CloudProcess:
    """A running server."""

    process: subprocess.Popen[str]
    uri: PairingUri
    port: int
    log: Path

    def pinned_client(self) -> httpx.Client:
        """Connect as an edge does: fetch the certificate, compare its key with the URI, trust it alone."""
        pem = ssl.get_server_certificate((self.uri.host, self.port))
        key = x509.load_pem_x509_certificate(pem.encode()).public_key()
        info = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        assert to_base64url(hashlib.sha256(info).digest()) == self.uri.fingerprint
        base = f"https://{self.uri.host}:{self.port}"
        return httpx.Client(base_url=base, verify=strict_context(pem), trust_env=False, timeout=20)

    def stop(self) -> int:
        """Ask it to stop and return its exit status."""
        self.process.terminate()
        return self.process.wait(timeout=15)


@contextmanager
def cloud_process(home: Path, arguments: Sequence[str] = (), *, port: int = 0) -> Iterator[CloudProcess]:
    """Run `keepmum-cloud serve --pair` in a home of its own."""
    home.mkdir(exist_ok=True)
    log = home / "cloud.log"
    path = os.pathsep.join(str(ROOT / half) for half in ("cloud", "shared"))
    environment = {"KEEPMUM_HOME": str(home), "PYTHONPATH": path, "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "keepmum_cloud", "serve", "--pair", "--port", str(port), *arguments]
    with log.open("a") as log_file:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log_file, env=environment, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, log.read_text()
        first = json.loads(line)
        uri = PairingUri.parse(first["pairing_uri"])
        assert (first["host"], first["port"]) == (uri.host, uri.port)
        yield CloudProcess(process=process, uri=uri, port=first["port"], log=log)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=15)


@dataclass
class SignedClient:
    """A paired device."""

    http: httpx.Client
    device: str
    key: Ed25519PrivateKey = field(repr=False)

    @staticmethod
    def pair(http: httpx.Client, secret: str, name: str = "test") -> "SignedClient":
        key = Ed25519PrivateKey.generate()
        response = http.post("/v1/pair", content=encode(pair_request(secret, key, name)))
        assert response.status_code == 200, response.text
        return SignedClient(http=http, device=decode(PairResponse, response.content).device, key=key)

    def headers(self, method: str, target: str, body: bytes, *, clock: float | None = None) -> dict[str, str]:
        now = int(time.time() if clock is None else clock)
        nonce = to_base64url(secrets.token_bytes(16))
        signed = signed_bytes(method=method, target=target, body=body, time=now, nonce=nonce, device=self.device)
        return {
            HEADER_DEVICE: self.device,
            HEADER_TIME: str(now),
            HEADER_NONCE: nonce,
            HEADER_SIGNATURE: to_base64url(self.key.sign(signed)),
        }

    def request(self, method: str, target: str, body: bytes = b"", **options: Any) -> httpx.Response:
        return self.http.request(method, target, content=body, headers=self.headers(method, target, body, **options))

    def call(self, method: str, target: str, message: object | None = None) -> dict[str, Any]:
        response = self.request(method, target, b"" if message is None else encode(message))
        assert response.status_code == 200, response.text
        result: dict[str, Any] = response.json()
        return result

    def turn(self, request: TurnRequest) -> list[TurnEvent]:
        response = self.request("POST", "/v1/turns", encode(request))
        assert response.status_code == 200, response.text
        return events(response.text)


def pair_request(secret: str, key: Ed25519PrivateKey, name: str = "test") -> PairRequest:
    return PairRequest(secret=secret, public_key=to_base64url(key.public_key().public_bytes_raw()), name=name)


def user_turn(text: str, **fields: Any) -> TurnRequest:
    return TurnRequest(turn=new_turn_id(), policy=POLICY, messages=(ChatMessage(role="user", content=text),), **fields)


def events(text: str) -> list[TurnEvent]:
    """Read a whole stream."""
    lines = [line.removeprefix("data: ") for line in text.split("\n") if line.startswith("data: ")]
    return [decode(TurnEventEnvelope, line).item for line in lines]


def error_code(response: httpx.Response) -> str:
    code: str = response.json()["error"]["code"]
    return code
