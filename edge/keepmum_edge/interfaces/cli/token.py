"""`keepmum token`: print the local access token."""

from typing import Annotated

import typer


def token(as_json: Annotated[bool, typer.Option("--json", help="Print base URL and token as JSON.")] = False) -> None:
    """Print the local access token: the API key for OpenAI-compatible clients on this computer.

    Examples:
      export OPENAI_API_KEY=$(keepmum token) OPENAI_BASE_URL=http://127.0.0.1:8765/v1
    """
    from keepmum_edge.config.private_files import read_private
    from keepmum_edge.errors import KeyUnavailableError
    from keepmum_edge.interfaces.cli.profile import running_daemon, settings
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    config = settings()
    try:
        value = read_private(config.paths.token_file).decode("ascii").strip()
    except FileNotFoundError:
        raise KeyUnavailableError("there is no local token yet", "Start Keepmum once: `keepmum up`.") from None
    if not as_json:
        say(value)
        return
    client = running_daemon(config)
    address = client.address if client else f"http://{config.host}:{config.port}"
    say_json({"base_url": f"{address}/v1", "token": value})
