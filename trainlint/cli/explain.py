"""``trainlint explain``: what the analysis knows of one line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainlint.cli.main import USAGE_OR_INTERNAL
from trainlint.cli.output import COLOUR_OPTION, note, style_for, write

if TYPE_CHECKING:
    from trainlint.report.style import ColourChoice

# As findings are named: a column may follow.
_PLACE = re.compile(r"(?P<path>.+?)(?::cell (?P<cell>\d{1,9}))?:(?P<line>\d{1,9})(?::\d+)?", re.DOTALL)


@click.command(context_settings={"max_content_width": 110})
@click.argument("place", metavar="PATH:LINE")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--config", metavar="FILE|KEY=VALUE", multiple=True, help="A configuration file, or one option as TOML; repeatable."
)
@click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
@COLOUR_OPTION
@click.pass_context
def explain(
    ctx: click.Context, place: str, *, output_format: str, config: tuple[str, ...], isolated: bool, colour: ColourChoice
) -> None:
    """Say what the analysis knows of one line: values, tests, callers, collectives, findings, and reasons for silence.

    The line is named as findings are: train.py:12, train.py:12:5, or notebook.ipynb:cell 3:5. The whole project is analysed.

    Exit code: 0, or 2 when there is nothing to explain: no such file or line, or a file that cannot be parsed.
    """
    found = _PLACE.fullmatch(place)
    if found is None:
        raise click.UsageError(f"Say which line, as in {place}:1.", ctx)
    ctx.exit(_explain(Path(found["path"]), found["cell"], int(found["line"]), (output_format, config, isolated, colour)))


def _explain(path: Path, cell: str | None, line: int, given: tuple[str, tuple[str, ...], bool, ColourChoice]) -> int:
    from trainlint.cli.run import Request
    from trainlint.cli.settings import settings_for
    from trainlint.config import ConfigError
    from trainlint.explaining import gather, text
    from trainlint.knowledge import KnowledgeError

    output_format, config, isolated, colour = given
    try:
        settings = settings_for(Request(paths=(str(path),), config=config, isolated=isolated))
        account = gather.explain(path, None if cell is None else int(cell), line, settings)
    except (ConfigError, KnowledgeError, gather.NothingToExplain) as error:
        note(f"Error: {error}")
        return USAGE_OR_INTERNAL
    if output_format == "json":
        import json

        write(json.dumps(text.as_object(account), indent=2) + "\n")
    else:
        write(text.render(account, style_for(colour)))
    return 0
