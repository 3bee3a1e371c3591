"""``trainlint config``: what the options of the configuration mean."""

from __future__ import annotations

import click

from trainlint.cli.output import write


@click.command()
@click.argument("key", required=False, metavar="[KEY]")
@click.pass_context
def config(ctx: click.Context, key: str | None) -> None:
    """List the options of the configuration file, or explain the option KEY."""
    from trainlint.config import ConfigError
    from trainlint.config.options import describe

    try:
        write(describe(key) + "\n")
    except ConfigError as error:
        raise click.UsageError(str(error), ctx) from None
