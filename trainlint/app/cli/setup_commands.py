"""Commands about trainlint itself: ``config`` explains its options, ``clean`` removes its caches, ``server`` serves an editor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from trainlint.app.cli import commands
from trainlint.app.cli.commands import Manual, offered
from trainlint.app.cli.main import USAGE_OR_INTERNAL
from trainlint.app.cli.output import note, style_for, write

_OF_CONFIG = (
    ("trainlint config", "List all options."),
    ("trainlint config per-file-ignores", "What one of them means, its default, an example."),
    ("trainlint config --schema", "Print the JSON schema of the configuration, for editors."),
    ("trainlint check --show-settings", "What is in force here, and where each value comes from."),
)


@click.command(cls=Manual, context_settings={"max_content_width": 110}, examples=_OF_CONFIG)
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


_OF_CLEAN = (
    ("trainlint clean", "Remove the caches below this folder."),
    ("trainlint clean --cache-dir /tmp/kept", "And one that is somewhere else."),
)


@click.command(cls=Manual, context_settings={"max_content_width": 110}, examples=_OF_CLEAN)
@click.argument(
    "paths", nargs=-1, metavar="[PATHS]...", type=click.Path(exists=True, path_type=Path), shell_complete=offered("paths")
)
@commands.CACHE_DIR
@click.option("-q", "--quiet", is_flag=True, help="Do not say what was removed.")
@click.pass_context
def clean(ctx: click.Context, paths: tuple[Path, ...], cache_dir: Path | None, quiet: bool) -> None:
    """Remove the caches of trainlint below PATHS (without any, below this folder), and the one that the environment names.

    Removed is only what trainlint has written, in folders that carry its CACHEDIR.TAG. Links are not followed.
    """
    from trainlint.app.engine.cache import is_ours, remove

    named = cache_dir or os.environ.get("TRAINLINT_CACHE_DIR")
    failed = False
    for folder in dict.fromkeys([*_caches(paths or (Path(),)), *([Path(named)] if named else [])]):
        if not is_ours(folder):
            continue
        try:
            others = remove(folder)
        except OSError as error:
            failed = True
            note(f"Error: {folder} could not be removed: {error.strerror or error}")
            continue
        if others:
            note(f"Warning: {folder} stays, for something else is in it: {', '.join(others)}")
        elif not quiet:
            note(f"Removed {folder}")
    ctx.exit(USAGE_OR_INTERNAL if failed else 0)


def _caches(paths: tuple[Path, ...]) -> Iterator[Path]:
    """The folders below these that are marked as ours, whatever they are called."""
    from trainlint.app.engine.cache import TAG, is_ours

    for path in paths:
        if path.is_symlink():
            continue
        for here, folders, files in os.walk(path):
            folders.sort()
            if TAG in files and is_ours(Path(here)):
                folders.clear()
                yield Path(here)


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout. It does so anyway; editors like to say it.")
@click.pass_context
def server(ctx: click.Context, /, stdio: bool) -> None:
    """Serve an editor (the Language Server Protocol, over stdin and stdout): findings as you type, repairs, rule pages."""
    del stdio
    try:
        from trainlint.app.frontends.server.app import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"pygls", "lsprotocol", "cattrs", "attrs"}:
            raise
        note("Error: the server needs the package pygls. The extra `lsp` of trainlint brings it.")
        ctx.exit(USAGE_OR_INTERNAL)
    ctx.exit(serve())
