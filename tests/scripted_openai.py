"""An OpenAI-compatible model server that says what a script tells it to, byte for byte. Standard library only.

    python tests/scripted_openai.py --port 0 --script script.json --record requests.jsonl

prints `{"base_url": "http://127.0.0.1:PORT/v1", "port": PORT}` once it listens, and serves until SIGTERM. In tests:

    with scripted_openai(tmp_path, [reply("Hello ", "<NAME_1>")]) as model:
        ...  # model.base_url, model.requests(), model.disconnects()

Script: a JSON list of replies; the k-th POST gets the k-th reply, later ones get the last again. GET /v1/models is
always answered with the model "scripted". A reply is an object:

    when      only for requests whose newest user message holds this text; it is looked at before the others
    status    HTTP status, default 200
    headers   more headers, default {"content-type": "text/event-stream"}
    steps     what to do in order, each one of
              "text"                    these bytes, as they are (UTF-8); cut them where you like
              {"base64": "..."}         these bytes, for halves of characters
              {"json": {...}}           `data: {...}\\n\\n`
              {"content": "x", "choice": 0}     a chunk with this delta
              {"tool": {...}, "choice": 0}      a chunk with this tool call delta: {"index", "id", "function": {...}}
              {"finish": "stop", "choice": 0}   a chunk with this finish_reason
              {"usage": [10, 5]}        a chunk without choices: prompt and completion tokens
              {"echo": 7}               the text of the newest user message, in deltas of 7 characters
              {"delay_ms": 50}          wait
              {"done": true}            `data: [DONE]\\n\\n`
              {"abort": true}           reset the connection

The connection is closed after the last step, without a content-length, so that a missing end can be told.

Record: one JSON object a line: {"n", "method", "path", "headers", "body"} for each request, `body` as text, as
received; {"n", "disconnected": true} when the client went away before the last step.
"""

import argparse
import asyncio
import base64
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Step = str | dict[str, Any]


def reply(*texts: str, finish: str = "stop", usage: tuple[int, int] = (10, 5)) -> dict[str, Any]:
    """A whole, well-formed answer in these pieces."""
    return {
        "steps": [*({"content": text} for text in texts), {"finish": finish}, {"usage": list(usage)}, {"done": True}]
    }


@dataclass(frozen=True)
class Scripted:
    """A running server."""

    base_url: str
    record: Path

    def _lines(self) -> list[dict[str, Any]]:
        text = self.record.read_text(encoding="utf-8") if self.record.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def requests(self, method: str = "POST") -> list[dict[str, Any]]:
        """The requests of that method so far, in order."""
        return [line for line in self._lines() if line.get("method") == method]

    def disconnects(self) -> list[int]:
        """Numbers of the requests whose client went away."""
        return [line["n"] for line in self._lines() if line.get("disconnected")]


@contextmanager
def scripted_openai(folder: Path, script: Sequence[dict[str, Any]]) -> Iterator[Scripted]:
    """Run the server as a process of its own."""
    script_file, record = folder / "script.json", folder / "requests.jsonl"
    script_file.write_text(json.dumps(script), encoding="utf-8")
    record.unlink(missing_ok=True)
    command = [sys.executable, __file__, "--port", "0", "--script", str(script_file), "--record", str(record)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Scripted(base_url=json.loads(process.stdout.readline())["base_url"], record=record)
    finally:
        process.terminate()
        process.communicate(timeout=10)


class _Server:
    def __init__(self, script: list[dict[str, Any]], record: Path) -> None:
        self._script = script
        self._record = record
        self._requests = 0
        self._posts = 0

    def _note(self, line: dict[str, Any]) -> None:
        with self._record.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = self._requests = self._requests + 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ", 2)
            headers = {
                name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)
            }
            body = (await reader.readexactly(int(headers.get("content-length", "0")))).decode(
                "utf-8", "backslashreplace"
            )
            self._note({"n": number, "method": method, "path": path, "headers": headers, "body": body})
            if method == "POST":
                await self._play(self._reply(body), body, reader, writer)
            else:
                models = {
                    "object": "list",
                    "data": [{"id": "scripted", "object": "model", "created": 1, "owned_by": "t"}],
                }
                await self._start(writer, 200, {"content-type": "application/json"})
                await self._send(writer, json.dumps(models).encode())
        except (ConnectionError, asyncio.IncompleteReadError):
            self._note({"n": number, "disconnected": True})
        finally:
            writer.close()

    def _reply(self, body: str) -> dict[str, Any]:
        said = newest_user_text(body)
        matching = [each for each in self._script if "when" in each and each["when"] in said]
        if matching:
            return matching[0]
        in_turn = [each for each in self._script if "when" not in each]
        self._posts += 1
        return in_turn[min(self._posts, len(in_turn)) - 1]

    async def _start(self, writer: asyncio.StreamWriter, status: int, headers: dict[str, str]) -> None:
        lines = [
            f"HTTP/1.1 {status} Scripted",
            *(f"{name}: {value}" for name, value in headers.items()),
            "connection: close",
        ]
        await self._send(writer, ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    async def _send(self, writer: asyncio.StreamWriter, chunk: bytes) -> None:
        writer.write(chunk)
        await writer.drain()
        await asyncio.sleep(0)

    async def _play(
        self, answer: dict[str, Any], body: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await self._start(
            writer, answer.get("status", 200), {"content-type": "text/event-stream"} | answer.get("headers", {})
        )
        for step in answer.get("steps", ()):
            if isinstance(step, dict) and "delay_ms" in step:
                await self._wait(step["delay_ms"] / 1000, reader)
            elif isinstance(step, dict) and step.get("abort"):
                writer.transport.abort()
                return
            else:
                for chunk in step_bytes(step, body):
                    if reader.at_eof():
                        raise ConnectionResetError
                    await self._send(writer, chunk)

    async def _wait(self, seconds: float, reader: asyncio.StreamReader) -> None:
        """Wait, but notice at once when the client goes away."""
        try:
            gone = await asyncio.wait_for(reader.read(1), seconds)
        except TimeoutError:
            return
        if not gone:
            raise ConnectionResetError


def newest_user_text(body: str) -> str:
    """The content of the last user message of a request; empty if there is none."""
    said = [message["content"] for message in json.loads(body)["messages"] if message["role"] == "user"]
    return said[-1] if said else ""


def step_bytes(step: Step, body: str) -> list[bytes]:
    """What a step that sends something sends."""
    if isinstance(step, str):
        return [step.encode("utf-8", "surrogatepass")]
    if "base64" in step:
        return [base64.b64decode(step["base64"])]
    if step.get("done"):
        return [b"data: [DONE]\n\n"]
    if "echo" in step:
        said, size = newest_user_text(body), step["echo"]
        return [_data(_choice({"content": said[i : i + size]}, step)) for i in range(0, len(said), size)]
    if "json" in step:
        return [_data(step["json"])]
    if "usage" in step:
        prompt, completion = step["usage"]
        usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
        return [_data({"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": usage})]
    if "content" in step:
        return [_data(_choice({"content": step["content"]}, step))]
    if "tool" in step:
        return [_data(_choice({"tool_calls": [step["tool"]]}, step))]
    return [_data(_choice({}, step, finish=step["finish"]))]


def _choice(delta: dict[str, Any], step: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": step.get("choice", 0), "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": [choice]}


def _data(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


async def _main(port: int, script: Path, record: Path) -> None:
    scripted = _Server(json.loads(script.read_text(encoding="utf-8")), record)
    server = await asyncio.start_server(scripted.handle, "127.0.0.1", port)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"base_url": f"http://127.0.0.1:{port}/v1", "port": port}), flush=True)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    server.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--record", type=Path, required=True)
    arguments = parser.parse_args()
    asyncio.run(_main(arguments.port, arguments.script, arguments.record))
