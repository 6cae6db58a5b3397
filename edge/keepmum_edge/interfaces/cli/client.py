"""The command line's client of the daemon: the owner API and chat completions, over loopback HTTP."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self

import httpx

from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.interfaces.cli.exit_codes import DaemonAnswerError, DaemonNotRunningError

Json = dict[str, Any]

_OWNER: Final = "/keepmum/v1"
_NOT_UTF_8: Final = "the text is not UTF-8; nothing was done with it"
_TIMEOUT: Final = httpx.Timeout(600, connect=5)
"""Seconds. A small model on a slow machine takes minutes; the daemon has its own, tighter limits for the cloud."""


class DaemonClient:
    """One daemon. Close it, or use it as a context manager.

    Every call raises DaemonNotRunningError when nobody listens, DaemonAnswerError when the daemon refuses.
    """

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        headers = {"Authorization": f"Bearer {token}", "X-Keepmum-Application": "cli"}
        # trust_env: a proxy of the environment must not see what goes to our own machine
        self._http = httpx.Client(base_url=address, headers=headers, timeout=_TIMEOUT, trust_env=False)

    def get(self, path: str, **params: str | int) -> Json:
        """GET a path of the owner API."""
        return self._call("GET", _OWNER + path, params=params)

    def post(self, path: str, body: Json | None = None) -> Json:
        """POST to a path of the owner API."""
        return self._call("POST", _OWNER + path, json=body or {})

    def patch(self, path: str, body: Json) -> Json:
        """PATCH a path of the owner API."""
        return self._call("PATCH", _OWNER + path, json=body)

    def delete(self, path: str) -> Json:
        """DELETE a path of the owner API."""
        return self._call("DELETE", _OWNER + path)

    def models(self) -> list[str]:
        """Return the ids of the response models; this asks the cloud half."""
        return [model["id"] for model in self._call("GET", "/v1/models")["data"]]

    def ready(self) -> bool:
        """Say whether the daemon listens and could answer a turn."""
        try:
            return self._http.get("/readyz", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    @contextmanager
    def chat(self, messages: list[Json], headers: Mapping[str, str]) -> Iterator[Iterator[Json]]:
        """Ask for a streamed completion; gives its chunks. Leaving early ends the turn."""
        body = {"model": "keepmum", "messages": messages, "stream": True}
        try:
            with self._http.stream("POST", "/v1/chat/completions", json=body, headers=dict(headers)) as response:
                if response.status_code != 200:
                    response.read()
                    raise _error_of(response)
                yield _chunks(response)
        except UnicodeEncodeError:
            raise InvalidRequestError(_NOT_UTF_8) from None
        except httpx.TransportError:
            raise DaemonNotRunningError("the daemon does not answer") from None

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, method: str, path: str, **options: Any) -> Json:
        try:
            response = self._http.request(method, path, **options)
        except UnicodeEncodeError:
            raise InvalidRequestError(_NOT_UTF_8) from None
        except httpx.TransportError:
            raise DaemonNotRunningError("the daemon does not answer") from None
        if not response.is_success:
            raise _error_of(response)
        document: Json = response.json()
        return document


def _chunks(response: httpx.Response) -> Iterator[Json]:
    for line in response.iter_lines():
        if not line.startswith("data: ") or line == "data: [DONE]":
            continue
        chunk: Json = json.loads(line.removeprefix("data: "))
        if "error" in chunk:
            raise _error(chunk["error"])
        yield chunk


def _error_of(response: httpx.Response) -> DaemonAnswerError:
    try:
        return _error(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        message = f"edge: something that is not Keepmum answers at its address (status {response.status_code})"
        return DaemonAnswerError(message, answer_code="unknown", kind="")


def _error(fields: Mapping[str, Any]) -> DaemonAnswerError:
    return DaemonAnswerError(str(fields["message"]), answer_code=str(fields["code"]), kind=str(fields["type"]))
