"""``trainlint server``: the language server for editors."""

from __future__ import annotations

import click

from trainlint.cli.main import USAGE_OR_INTERNAL
from trainlint.cli.output import note


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout. It does so anyway; editors like to say it.")
@click.pass_context
def server(ctx: click.Context, /, stdio: bool) -> None:
    """Serve an editor (the Language Server Protocol, over stdin and stdout): findings as you type, repairs, rule pages."""
    del stdio
    try:
        from trainlint.frontends.server.app import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"pygls", "lsprotocol", "cattrs", "attrs"}:
            raise
        note("Error: the server needs the package pygls. The extra `lsp` of trainlint brings it.")
        ctx.exit(USAGE_OR_INTERNAL)
    ctx.exit(serve())
