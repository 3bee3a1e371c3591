"""``trainlint clean``: caches are removed, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from trainlint.cli import commands
from trainlint.cli.commands import Manual, offered
from trainlint.cli.main import USAGE_OR_INTERNAL
from trainlint.cli.output import note

_EXAMPLES = (
    ("trainlint clean", "Remove the caches below this folder."),
    ("trainlint clean --cache-dir /tmp/kept", "And one that is somewhere else."),
)


@click.command(cls=Manual, context_settings={"max_content_width": 110}, examples=_EXAMPLES)
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
    from trainlint.engine.cache import is_ours, remove

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
    from trainlint.engine.cache import TAG, is_ours

    for path in paths:
        if path.is_symlink():
            continue
        for here, folders, files in os.walk(path):
            folders.sort()
            if TAG in files and is_ours(Path(here)):
                folders.clear()
                yield Path(here)
