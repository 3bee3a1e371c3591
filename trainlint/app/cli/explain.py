"""``trainlint explain``: what the analysis knows of one line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainlint.app.cli import commands
from trainlint.app.cli.commands import Manual, offered
from trainlint.app.cli.main import USAGE_OR_INTERNAL
from trainlint.app.cli.output import note, style_for, write

if TYPE_CHECKING:
    from trainlint.app.report.style import ColourChoice

# As findings are named: a column may follow.
_PLACE = re.compile(r"(?P<path>.+?)(?::cell (?P<cell>\d{1,9}))?:(?P<line>\d{1,9})(?::\d+)?", re.DOTALL)


_EXAMPLES = (
    ("trainlint explain train.py:12", "Why is something reported here, or why not?"),
    ("trainlint explain train.py:12:5", "The same: places may be taken over from findings."),
    ("trainlint explain 'run.ipynb:cell 3:5' --output-format json", "A line of a notebook's cell, for programs."),
)
_EXIT_CODES = (("0", "The line was explained."), ("2", "There is no such file or line, or the file cannot be parsed."))


@click.command(cls=Manual, context_settings={"max_content_width": 110}, examples=_EXAMPLES, tables={"Exit codes": _EXIT_CODES})
@click.argument("place", metavar="PATH:LINE", shell_complete=offered("paths"))
@commands.TEXT_OR_JSON
@commands.CONFIG
@commands.ISOLATED
@commands.COLOUR
@click.pass_context
def explain(
    ctx: click.Context, place: str, *, output_format: str, config: tuple[str, ...], isolated: bool, colour: ColourChoice
) -> None:
    """Show what the analysis knows about one line: values, tests, callers, collectives, findings, and reasons for silence.

    What its values are and where they come from, which tests hold there and what they are from rank to rank, who calls the
    function around it and which collectives each rank runs in it, what is reported, and why something is not. The whole project
    is analysed for that, as in a check.
    """
    found = _PLACE.fullmatch(place)
    if found is None:
        raise click.UsageError(f"Say which line, as in {place}:1.", ctx)
    ctx.exit(_explain(Path(found["path"]), found["cell"], int(found["line"]), (output_format, config, isolated, colour)))


def _explain(path: Path, cell: str | None, line: int, given: tuple[str, tuple[str, ...], bool, ColourChoice]) -> int:
    from trainlint.app.cli.run import Request, settings_for
    from trainlint.app.engine.baseline import BaselineError
    from trainlint.app.explaining import gather, text
    from trainlint.config import ConfigError
    from trainlint.knowledge import KnowledgeError

    output_format, config, isolated, colour = given
    try:
        settings = settings_for(Request(paths=(str(path),), config=config, isolated=isolated))
        account = gather.explain(path, None if cell is None else int(cell), line, settings)
    except (ConfigError, KnowledgeError, BaselineError, gather.NothingToExplain) as error:
        note(f"Error: {error}")
        return USAGE_OR_INTERNAL
    if output_format == "json":
        import json

        write(json.dumps(text.as_object(account), indent=2) + "\n")
    else:
        write(text.render(account, style_for(colour)))
    return 0
