"""``trainlint config``: what the options of the configuration mean."""

from __future__ import annotations

import click

from trainlint.cli.commands import Manual, offered
from trainlint.cli.output import style_for, write

_EXAMPLES = (
    ("trainlint config", "List all options."),
    ("trainlint config per-file-ignores", "What one of them means, its default, an example."),
    ("trainlint config --schema", "Print the JSON schema of the configuration, for editors."),
    ("trainlint check --show-settings", "What is in force here, and where each value comes from."),
)


@click.command(cls=Manual, context_settings={"max_content_width": 110}, examples=_EXAMPLES)
@click.argument("key", required=False, metavar="[KEY]", shell_complete=offered("keys"))
@click.option("--schema", is_flag=True, help="Print the JSON schema of the configuration file.")
@click.pass_context
def config(ctx: click.Context, key: str | None, *, schema: bool) -> None:
    """List the options of the configuration file, or explain the option KEY."""
    if schema:
        from importlib.resources import files

        write((files("trainlint.config") / "trainlint.schema.json").read_text(encoding="utf-8"))
        return
    from trainlint.config import ConfigError
    from trainlint.config.options import describe

    try:
        write(describe(key, min(style_for("never").columns, ctx.max_content_width or 110)) + "\n")
    except ConfigError as error:
        raise click.UsageError(str(error), ctx) from None
