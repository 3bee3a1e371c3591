"""Options that several commands have, so that they are the same everywhere."""

from __future__ import annotations

from pathlib import Path

import click

from trainlint.cli.lazy import offered

CONFIG = click.option(
    "--config",
    metavar="FILE|KEY=VALUE",
    multiple=True,
    help="A configuration file, or one option as TOML; repeatable.",
    shell_complete=offered("paths"),
)
ISOLATED = click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
CACHE_DIR = click.option(
    "--cache-dir",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where results are kept, instead of .trainlint_cache in the project.",
)
COLOUR = click.option(
    "--color",
    "colour",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="When to use colour. Auto: on a terminal, unless NO_COLOR is set.",
)
TEXT_OR_JSON = click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="For people or for programs."
)
