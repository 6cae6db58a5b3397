"""The command `keepmum-cloud`. Exit status: 0 done, 1 failed, 2 wrong usage or configuration, 3 no such device."""

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from keepmum_shared.errors import KeepmumError
from keepmum_shared.ids import DeviceId

from keepmum_cloud.config import CloudConfig, config_file, load_config
from keepmum_cloud.database import Database
from keepmum_cloud.errors import ConfigError
from keepmum_cloud.logs import own_stderr, set_up_logs
from keepmum_cloud.memory.operations import Memories
from keepmum_cloud.pairing import Device, Devices
from keepmum_cloud.server import listening_port, pairing_uri, parent_pipe, public_host, run

app = typer.Typer(
    name="keepmum-cloud",
    help=(
        "The cloud half of Keepmum: a response model and memory that see placeholders only.\n\n"
        "Examples:\n  keepmum-cloud serve --host 0.0.0.0 --pair\n  keepmum-cloud pair"
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
devices_app = typer.Typer(invoke_without_command=True)
app.add_typer(devices_app, name="devices")

ConfigOption = Annotated[Path | None, typer.Option("--config", help="TOML file; its table `cloud` is read.")]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder of the database, the key and the certificate.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
HostOption = Annotated[str | None, typer.Option("--host", help="Address to listen on.")]
ReachedOption = Annotated[str | None, typer.Option("--host", help="Name or address by which others reach the server.")]
ReachedPortOption = Annotated[
    int | None, typer.Option("--port", help="Its port; that of the running server if left out.")
]
PortOption = Annotated[int | None, typer.Option("--port", help="Port to listen on; 0 takes a free one.")]


def _config(file: Path | None, **flags: Any) -> CloudConfig:
    return load_config(file or config_file(os.environ), os.environ, flags)


@app.command()
def serve(
    config: ConfigOption = None,
    data: DataOption = None,
    host: HostOption = None,
    port: PortOption = None,
    responder: Annotated[str | None, typer.Option(help="llama: a GGUF file here; openai: a server.")] = None,
    model_path: Annotated[Path | None, typer.Option(help="GGUF file for llama.")] = None,
    context_tokens: Annotated[int | None, typer.Option(help="Context of the GGUF model, in tokens.")] = None,
    threads: Annotated[int | None, typer.Option(help="Processor threads of the GGUF model; 0: all but one.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Address of the OpenAI-compatible server, with /v1.")] = None,
    model: Annotated[str | None, typer.Option(help="Model of that server.")] = None,
    api_key_file: Annotated[Path | None, typer.Option(help="File that holds the key of that server.")] = None,
    pair: Annotated[
        bool, typer.Option("--pair", help="Print a line of JSON with a pairing URI once it listens.")
    ] = False,
    exit_with_parent: Annotated[
        bool, typer.Option("--exit-with-parent", help="Stop when standard input ends: the parent holds it open.")
    ] = False,
) -> None:
    """Run the server until it is told to stop (Ctrl-C or SIGTERM).

    Examples:
        keepmum-cloud serve

        keepmum-cloud serve --host 0.0.0.0 --port 8766 --pair

        keepmum-cloud serve --responder openai --base-url http://127.0.0.1:8000/v1 --model my-model
    """
    settings = _config(
        config,
        data=data,
        host=host,
        port=port,
        responder=responder,
        model_path=model_path,
        context_tokens=context_tokens,
        threads=threads,
        base_url=base_url,
        model=model,
        api_key_file=api_key_file,
    )

    def announce(bound_port: int, database: Database) -> None:
        if pair:
            uri = pairing_uri(settings, database, port=bound_port, now=int(time.time()))
            _print_json({"pairing_uri": str(uri), "host": public_host(settings), "port": bound_port})

    stderr = own_stderr()
    set_up_logs(stderr)
    try:
        run(settings, announce=announce, exit_with_parent=parent_pipe() if exit_with_parent else None)
    except KeepmumError as error:
        print(f"keepmum-cloud: {error}", file=stderr)  # standard error itself leads nowhere by now
        raise typer.Exit(_exit_code(error)) from None


@app.command()
def pair(
    config: ConfigOption = None,
    data: DataOption = None,
    host: ReachedOption = None,
    port: ReachedPortOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print a one-time URI with which one device can pair; it is good for minutes.

    Examples:
        keepmum-cloud pair

        keepmum-cloud pair --host cloud.example.org --json
    """
    settings = _config(config, data=data, host=host, port=port)
    known_port = port or listening_port(settings) or settings.port
    database = Database(settings.data)
    try:
        uri = pairing_uri(settings, database, port=known_port, now=int(time.time()))
    finally:
        database.close()
    if as_json:
        _print_json(
            {"pairing_uri": str(uri), "host": uri.host, "port": uri.port, "valid_seconds": settings.pairing_life_s}
        )
        return
    typer.echo(str(uri))
    typer.echo(f"Good once, for {settings.pairing_life_s // 60} minutes. On the other computer: keepmum pair", err=True)
    if uri.host in ("127.0.0.1", "localhost", "::1"):
        typer.echo("It leads to this computer only; `--host NAME` puts the name that others reach it by.", err=True)


@devices_app.callback()
def devices(
    context: typer.Context, config: ConfigOption = None, data: DataOption = None, as_json: JsonOption = False
) -> None:
    """List the paired devices, or shut one out.

    Examples:
        keepmum-cloud devices --json

        keepmum-cloud devices revoke dev_...
    """
    context.obj = _config(config, data=data)
    if context.invoked_subcommand is not None:
        return
    database = Database(context.obj.data)
    try:
        every = Devices(database).all()
    finally:
        database.close()
    if as_json:
        _print_json({"devices": [_plain(device) for device in every]})
        return
    for device in every:
        state = "revoked" if device.revoked_at is not None else "paired"
        paired_at = time.strftime("%Y-%m-%d", time.gmtime(device.paired_at))
        typer.echo(f"{device.id}  {state:7}  {paired_at}  {device.name}")
    if not every:
        typer.echo("No device is paired; print a pairing URI with `keepmum-cloud pair`.", err=True)


@devices_app.command()
def revoke(
    context: typer.Context,
    device: Annotated[str, typer.Argument(help="The id, as `keepmum-cloud devices` shows it.")],
    erase: Annotated[bool, typer.Option("--erase", help="Delete the device's memories as well.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Shut a device out, from its next request on.

    Examples:
        keepmum-cloud devices revoke dev_... --erase
    """
    database = Database(context.obj.data)
    try:
        if not Devices(database).revoke(device, int(time.time())):
            typer.echo("keepmum-cloud: no such device; see `keepmum-cloud devices`", err=True)
            raise typer.Exit(3)
        erased = Memories(database).delete_all(DeviceId(device)) if erase else 0
    finally:
        database.close()
    if as_json:
        _print_json({"revoked": device, "memories_deleted": erased})
    else:
        typer.echo(f"{device} is shut out" + (f", {erased} memories deleted" if erase else ""))


def _plain(device: Device) -> dict[str, Any]:
    return {"id": device.id, "name": device.name, "paired_at": device.paired_at, "revoked_at": device.revoked_at}


def _print_json(value: dict[str, Any]) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False))
    sys.stdout.flush()


def _exit_code(error: KeepmumError) -> int:
    return 2 if isinstance(error, ConfigError) else 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; errors are one line on standard error."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="keepmum-cloud")
    except KeepmumError as error:
        typer.echo(f"keepmum-cloud: {error}", err=True)
        sys.exit(_exit_code(error))


if __name__ == "__main__":
    main()
