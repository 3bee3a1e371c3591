"""``trainlint check``: options in, exit code out. What happens between is in :mod:`trainlint.cli.run`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from trainlint.cli.main import VERSION_OPTION
from trainlint.cli.output import COLOUR_OPTION
from trainlint.config.formats import FORMATS

_Function = TypeVar("_Function", bound=Callable[..., Any])
_FILE = click.Path(dir_okay=False, path_type=Path)


def _comma_separated(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words of a repeatable option that may each be a list: ``--select TL1,TL2 --select TL3``; None when not given."""
    words = [word.strip() for value in values for word in value.split(",")]
    return tuple(word for word in words if word) if values else None


def _words(name: str, metavar: str, text: str) -> Callable[[_Function], _Function]:
    return click.option(name, multiple=True, metavar=metavar, callback=_comma_separated, help=text)


def _switch(name: str, text: str) -> Callable[[_Function], _Function]:
    """``--name/--no-name``, None when neither was given: then the configuration decides."""
    return click.option(f"--{name}/--no-{name}", default=None, help=text)


# Repairs
@click.command(context_settings={"max_content_width": 110})
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@_switch("fix", "Apply repairs (the safe ones, unless --unsafe-fixes is given).")
@_switch("unsafe-fixes", "Include repairs that may change what the program does.")
@click.option("--diff", is_flag=True, help="Show what the repairs would change; write nothing. Exit 1 if there is anything.")
@click.option("--add-ignore", is_flag=True, help="Add a suppression comment for each finding, to adopt trainlint step by step.")
@_switch("show-fixes", "List the repairs that were applied.")
# Which rules
@_words("--select", "CODES", "Rules to check: codes, names, beginnings of codes (TL1), or ALL; repeatable, or with commas.")
@_words("--ignore", "CODES", "Rules not to check.")
@_words("--extend-select", "CODES", "Rules to check besides those selected.")
@_words("--extend-ignore", "CODES", "Rules not to check besides those ignored.")
@_switch("ignore-noqa", "Report findings in spite of suppression comments.")
@_switch("preview", "Also run rules and repairs that are not settled yet.")
# Which files
@_words("--exclude", "PATTERNS", "Files and folders to leave out, instead of the built-in list.")
@_words("--extend-exclude", "PATTERNS", "Files and folders to leave out, besides those excluded.")
@_switch("force-exclude", "Leave out excluded files even when they are named here.")
@_switch("respect-gitignore", "Leave out what .gitignore files leave out.")
@click.option("--stdin-filename", metavar="FILE", help="The name of what comes from stdin (PATHS is -).")
# Output
@click.option(
    "--output-format", type=click.Choice(FORMATS), help="How findings are printed. [default: full; in a GitHub workflow github]"
)
@click.option("-o", "--output-file", metavar="FILE", type=_FILE, help="Where to write the findings.")
# Which findings
@click.option("--baseline", metavar="FILE", type=_FILE, help="Report only findings that this file does not know.")
@click.option("--write-baseline", metavar="FILE", type=_FILE, help="Remember all findings in a file; report none.")
@click.option("--prune-baseline", is_flag=True, help="Take out of the baseline what is fixed.")
@click.option("--diff-base", metavar="REV", help="Report only findings that were not there at this git revision.")
@click.option("--statistics", is_flag=True, help="Print how often each rule reported instead of the findings.")
@click.option("--show-settings", is_flag=True, help="Print the settings in force and where each came from, and exit.")
@COLOUR_OPTION
@click.option("-q", "--quiet", is_flag=True, help="Print findings, but nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was done, on stderr.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
# Exit code
@click.option("-e", "--exit-zero", is_flag=True, help="Exit with 0 even when there are findings.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if anything was repaired, even if nothing remains.")
# The rest
@click.option(
    "--config", metavar="FILE|KEY=VALUE", multiple=True, help="A configuration file, or one option as TOML; repeatable."
)
@click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
@click.option("-n", "--no-cache", is_flag=True, help="Do not read or write the cache.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="How many processes check files.")
@click.pass_context
def check(ctx: click.Context, /, paths: tuple[str, ...], **given: Any) -> None:
    """Find and repair mistakes in training code, in PATHS (files or folders, by default this folder; - for stdin).

    Exit code: 0 nothing found, 1 something found, 2 wrong usage or an error in trainlint itself.
    """
    from trainlint.cli.run import Request, run

    request = Request(paths=paths or (".",), **given)
    _reject_contradictions(ctx, request.paths, given)
    stdin = sys.stdin.buffer.read() if request.from_stdin and not request.show_settings else None
    ctx.exit(run(request, stdin))


check.params.append(VERSION_OPTION)


def _reject_contradictions(ctx: click.Context, paths: tuple[str, ...], given: dict[str, Any]) -> None:
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("'-' (stdin) cannot be checked together with other paths.", ctx)
    if given["diff"] and given["show_fixes"]:
        raise click.UsageError("--show-fixes cannot be used with --diff.", ctx)
    if given["write_baseline"] and (given["baseline"] or given["prune_baseline"] or given["diff_base"]):
        raise click.UsageError("--write-baseline cannot be used with --baseline, --prune-baseline or --diff-base.", ctx)
    if given["diff_base"] is not None and "-" in paths:
        raise click.UsageError("--diff-base cannot be used with '-' (stdin).", ctx)
    if given["watch"]:
        _reject_with_watch(ctx, paths, given)
    if given["add_ignore"]:
        if "-" in paths:
            raise click.UsageError("--add-ignore cannot be used with '-' (stdin).", ctx)
        for other in ("fix", "diff", "write_baseline", "statistics"):
            if given[other]:
                raise click.UsageError(f"--add-ignore cannot be used with --{other.replace('_', '-')}.", ctx)
    if given["quiet"] and given["verbose"]:
        raise click.UsageError("--verbose cannot be used with --quiet.", ctx)


def _reject_with_watch(ctx: click.Context, paths: tuple[str, ...], given: dict[str, Any]) -> None:
    if "-" in paths:
        raise click.UsageError("--watch cannot be used with '-' (stdin).", ctx)
    for name in ("diff", "add_ignore", "write_baseline", "prune_baseline", "show_settings"):
        if given[name]:
            raise click.UsageError(f"--watch cannot be used with --{name.replace('_', '-')}.", ctx)
