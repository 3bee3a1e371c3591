"""``trainlint preflight``: the checklist before a job is started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trainlint.app.cli import commands
from trainlint.app.cli.commands import Manual, offered
from trainlint.app.cli.main import USAGE_OR_INTERNAL, VERSION_OPTION
from trainlint.app.cli.output import Failure, note, style_for, write

if TYPE_CHECKING:
    from trainlint.app.preflight.run import Outcome

_FORMATS = ("text", "json", "markdown", "html")
_EXAMPLES = (
    ("trainlint preflight", "The checklist of each training script below this folder."),
    ("trainlint preflight train.py", "That of one script."),
    ("trainlint preflight --evidence train.py", "Each line with its verdict and what that rests on."),
    ("trainlint preflight --ignore compile,preemption", "Leave lines out that do not matter here."),
    ("trainlint preflight --output-format markdown -o check.md", "For a pull request."),
    ("trainlint preflight --output-format html -o check.html", "A page with checklist, findings and repairs."),
)
_VERDICTS = (
    ("seen", "The job is seen to do it; the places are named."),
    ("missing", "Nothing in its files does it, or a rule reports that it is wrong."),
    ("not needed", "Its framework does it, or the job is not of that kind."),
    ("cannot be known", "The code does not say it; the line says what would."),
)
_EXIT_CODES = (
    ("0", "Nothing is missing in any checklist."),
    ("1", "A line is missing (with --exit-zero: 0)."),
    ("2", "Wrong usage, no training script was found, or a file cannot be read."),
)


def _names(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    """The names of lines, each known."""
    from trainlint.app.preflight.checklist import ITEMS

    wanted = {word.strip() for value in values for word in value.split(",")} - {""}
    known = [item.name for item, _ in ITEMS] if wanted else []
    for name in sorted(wanted.difference(known)):
        raise click.BadParameter(f"{name!r} is no line of the checklist; there are {', '.join(known)}.")
    return frozenset(wanted)


@click.command(
    cls=Manual,
    context_settings={"max_content_width": 110},
    examples=_EXAMPLES,
    tables={"Verdicts": _VERDICTS, "Exit codes": _EXIT_CODES},
)
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=offered("paths"))
@click.option(
    "--output-format",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="For people, programs, pull requests, browsers.",
)
@click.option(
    "-o", "--output-file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the checklists."
)
@click.option(
    "--ignore", metavar="LINES", multiple=True, callback=_names, help="Lines to leave out, by their names in the JSON output."
)
@click.option("--evidence", is_flag=True, help="Show every line with the places that it rests on (text).")
@click.option("-e", "--exit-zero", is_flag=True, help="Exit with 0 even when something is missing.")
@commands.CONFIG
@commands.ISOLATED
@commands.COLOUR
@click.pass_context
def preflight(ctx: click.Context, /, paths: tuple[str, ...], **given: Any) -> None:
    """Go through the checklist before a job is started: what is there, what is missing, what only a run would tell.

    For each training script at or below PATHS (default: this folder): mixed precision, loaders, checkpoints and resume, seeds,
    what has to hold when several processes train, logging, the launch line. What is missing comes first, with what it costs
    and the repair; --evidence shows each line with the places that its verdict rests on. The whole project is analysed for that,
    with all rules, and the files beside the Python.
    """
    try:
        code = _answered(paths or (".",), given)
    except Failure as failure:
        note(f"Error: {failure}")
        code = USAGE_OR_INTERNAL
    ctx.exit(code)


preflight.params.append(VERSION_OPTION)
#: What says that a part of the code was not looked at, so that a line may say less than there is.
_UNSEEN = frozenset(("TL001", "TL004", "TL005", "TL006"))


def _answered(paths: tuple[str, ...], given: dict[str, Any]) -> int:
    """Look, print, and return the exit code. Raises :class:`Failure`."""
    from trainlint.app.cli.run import Request, settings_for
    from trainlint.app.preflight import run
    from trainlint.config import ConfigError
    from trainlint.knowledge import KnowledgeError

    try:
        settings = settings_for(Request(paths=paths, config=given["config"], isolated=given["isolated"]))
        outcome = run.preflight([Path(path) for path in paths], settings).without(given["ignore"])
    except (ConfigError, KnowledgeError) as error:
        raise Failure(str(error)) from None
    for problem in outcome.problems:
        note(f"Error: {problem}")
    for finding in outcome.findings:
        if finding.code in _UNSEEN:
            note(f"Warning: {finding.path}:{finding.span.line}: {finding.message.splitlines()[0]} ({finding.code})")
    if not outcome.checklists and not outcome.problems:
        raise Failure(f"no training script was found at or below {', '.join(paths)}")
    _print(outcome, given)
    if outcome.problems or outcome.internal_errors:
        return USAGE_OR_INTERNAL
    return int(outcome.misses and not given["exit_zero"])


def _print(outcome: Outcome, given: dict[str, Any]) -> None:
    from trainlint.app.preflight import report

    target: Path | None = given["output_file"]
    style = style_for(given["colour"], to_file=target is not None)
    written = report.render(given["output_format"], outcome, style, evidence=given["evidence"])
    if target is None:
        write(written)
        return
    try:
        target.write_text(written, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise Failure(f"{target} cannot be written: {error.strerror or error}") from None
