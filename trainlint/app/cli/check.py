"""``trainlint check``: options in, exit code out. What happens between is in :mod:`trainlint.app.cli.run`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from trainlint.app.cli import commands
from trainlint.app.cli.commands import ENVIRONMENT, EXIT_CODES, Manual, Switch, offered
from trainlint.app.cli.main import VERSION_OPTION
from trainlint.config.settings import FORMATS

_Function = TypeVar("_Function", bound=Callable[..., Any])
_FILE = click.Path(dir_okay=False, path_type=Path)


def _comma_separated(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words of a repeatable option that may each be a list: ``--select TL1,TL2 --select TL3``; None when not given."""
    words = [word.strip() for value in values for word in value.split(",")]
    return tuple(word for word in words if word) if values else None


def _words(name: str, metavar: str, text: str, offer: str) -> Callable[[_Function], _Function]:
    return click.option(name, multiple=True, metavar=metavar, callback=_comma_separated, help=text, shell_complete=offered(offer))


def _codes(name: str, text: str) -> Callable[[_Function], _Function]:
    return _words(name, "CODES", text, "codes")


def _patterns(name: str, text: str) -> Callable[[_Function], _Function]:
    return _words(name, "PATTERNS", text, "paths")


def _switch(name: str, text: str) -> Callable[[_Function], _Function]:
    """``--name/--no-name``, None when neither was given: then the configuration decides."""

    def add(function: _Function) -> _Function:
        # What click's own decorators do.
        function.__dict__.setdefault("__click_params__", []).append(Switch(name, text))
        return function

    return add


SECTIONS = {
    "Repairs": ("fix", "unsafe_fixes", "diff", "show_fixes", "add_ignore"),
    "Which rules": ("select", "ignore", "extend_select", "extend_ignore", "ignore_noqa", "preview", "advice"),
    "Which files": ("exclude", "extend_exclude", "force_exclude", "respect_gitignore", "stdin_filename"),
    "Which findings": ("baseline", "write_baseline", "prune_baseline", "diff_base"),
    "Output": ("output_format", "output_file", "statistics", "show_settings", "colour", "quiet", "verbose", "profile", "watch"),
    "Exit code": ("exit_zero", "exit_non_zero_on_fix"),
    "Configuration and the rest": ("config", "isolated", "no_cache", "cache_dir", "jobs", "max_seconds"),
}
_EXAMPLES = (
    ("trainlint check", "Check everything below this folder."),
    ("trainlint check --fix train.py", "Make the safe repairs in one file."),
    ("trainlint check --diff --unsafe-fixes src", "Show what all repairs would change."),
    ("trainlint check --select TL1,TL301 src", "Check two families of mistakes, or single ones."),
    ("trainlint check --add-ignore", "Adopt trainlint: silence existing findings, see new ones."),
    ("trainlint check --write-baseline known.json", "The same without touching the code; then --baseline known.json."),
    ("trainlint check --diff-base origin/main", "Only what is new since a revision."),
    ("trainlint check - --stdin-filename a.py < a.py", "Check the unsaved text of an editor."),
)
_COMMENTS = (
    ("# trainlint: ignore[TL101] reason", "Suppress a rule (or several, with commas) in this line."),
    ("# trainlint: ignore-file[TL101]", "Suppress it in this file or notebook."),
    ("# noqa: TL101", "As the first."),
)


@click.command(
    cls=Manual,
    context_settings={"max_content_width": 110},
    sections=SECTIONS,
    examples=_EXAMPLES,
    tables={"Comments in the code": _COMMENTS, "Exit codes": EXIT_CODES, "Environment": ENVIRONMENT},
)
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=offered("paths"))
# Repairs
@_switch("fix", "Apply repairs (the safe ones, unless --unsafe-fixes is given).")
@_switch("unsafe-fixes", "Include repairs that may change what the program does.")
@click.option("--diff", is_flag=True, help="Show what the repairs would change; write nothing. Exit 1 if there are any.")
@_switch("show-fixes", "List the repairs that were applied.")
@click.option("--add-ignore", is_flag=True, help="Add a comment to each line that has findings, so that they are suppressed.")
# Which rules
@_codes("--select", "Rules to check: codes, names, beginnings of codes (TL1), or ALL; repeatable, or with commas.")
@_codes("--ignore", "Rules not to check.")
@_codes("--extend-select", "Rules to check besides those selected.")
@_codes("--extend-ignore", "Rules not to check besides those ignored.")
@_switch("ignore-noqa", "Report findings despite suppression comments.")
@_switch("preview", "Also run rules and repairs that are not settled yet, and report findings that are only likely.")
@_switch("advice", "Also run rules whose level is advice.")
# Which files
@_patterns("--exclude", "Files and folders to leave out, instead of the built-in list.")
@_patterns("--extend-exclude", "Files and folders to leave out, besides those excluded.")
@_switch("force-exclude", "Leave out excluded files even when they are named here.")
@_switch("respect-gitignore", "Leave out what .gitignore files leave out.")
@click.option("--stdin-filename", metavar="FILE", help="The name of what comes from stdin (PATHS is -).")
# Which findings
@click.option("--baseline", metavar="FILE", type=_FILE, help="Report (and repair) only findings that are not in this file.")
@click.option("--write-baseline", metavar="FILE", type=_FILE, help="Write all findings to a file; report none.")
@click.option("--prune-baseline", is_flag=True, help="Remove fixed findings from the baseline.")
@click.option("--diff-base", metavar="REV", help="Report (and repair) only findings that were not there at this git revision.")
# Output
@click.option(
    "--output-format",
    type=click.Choice(FORMATS),
    metavar="FORMAT",
    help=f"How findings are printed: {', '.join(FORMATS)}. [default: full; in a GitHub workflow github]",
)
@click.option("-o", "--output-file", metavar="FILE", type=_FILE, help="Where to write the findings.")
@click.option("--statistics", is_flag=True, help="Print how often each rule reported instead of the findings.")
@click.option("--show-settings", is_flag=True, help="Print the settings in force and where each came from, and exit.")
@commands.COLOUR
@click.option("-q", "--quiet", is_flag=True, help="Print findings, but nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="Report what was done, on stderr.")
@click.option("--profile", is_flag=True, help="Print the CPU time of each phase and each rule, in seconds, on stderr.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
# Exit code
@click.option("-e", "--exit-zero", is_flag=True, help="Exit with 0 even when there are findings.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if anything was repaired, even if nothing remains.")
# The rest
@commands.CONFIG
@commands.ISOLATED
@click.option("-n", "--no-cache", is_flag=True, help="Do not read or write the cache.")
@commands.CACHE_DIR
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="How many processes check files.")
@click.option("--max-seconds", type=float, metavar="N", help="Stop after about N seconds. The next run continues from there.")
@click.pass_context
def check(ctx: click.Context, /, paths: tuple[str, ...], **given: Any) -> None:
    """Find and repair mistakes in training code.

    PATHS are files or folders: Python files and notebooks are checked, in folders all that git does not ignore. Without
    any, this folder is checked; - is standard input. The configuration sets what the options leave open ([tool.trainlint]
    in pyproject.toml, or trainlint.toml); `trainlint config` explains it.
    """
    from trainlint.app.cli.run import Request, run

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
