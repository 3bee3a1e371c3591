"""``trainlint rule``: the page of a rule, or the list of all rules."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from trainlint.app.cli import commands
from trainlint.app.cli.commands import Manual, offered
from trainlint.app.cli.output import note, style_for, write
from trainlint.codes import CODES, DEFAULT, INSTALLED, LEVEL_WORDS, TITLES, Code, find_code, nearest_code, state_of
from trainlint.pages import page_text

if TYPE_CHECKING:
    from trainlint.app.report.style import ColourChoice

_REASONS = """
on       errors and warnings that were right in at least 19 of 20 findings on unseen code
preview  errors and warnings that were not, or were not judged yet: --preview
advice   what costs speed or is a matter of taste: --advice
"""
_REPAIRS = {"s": "safe", "u": "unsafe", "d": "display"}


_EXAMPLES = (
    ("trainlint rule TL101", "Show the page of a rule."),
    ("trainlint rule missing-set-epoch | less", "The same, by name, as Markdown."),
    ("trainlint rule epoch", "List the rules that speak of epochs."),
    ("trainlint rule --all --output-format json", "All rules as data, with their pages."),
)


@click.command(cls=Manual, context_settings={"max_content_width": 110}, examples=_EXAMPLES)
@click.argument("rule", required=False, metavar="[RULE|WORDS]", shell_complete=offered("rules"))
@click.option("--all", "everything", is_flag=True, help="List all rules.")
@commands.TEXT_OR_JSON
@commands.COLOUR
@click.pass_context
def rule(ctx: click.Context, rule: str | None, *, everything: bool, output_format: str, colour: ColourChoice) -> None:
    """Explain a rule, given by its code (TL101) or its name (rank-conditional-collective), or list all of them.

    On a terminal the page is laid out and coloured; anywhere else it is Markdown. Other words are searched for in the names and
    pages of all rules, which are listed.
    """
    if everything == (rule is not None):
        raise click.UsageError("Give either a rule or --all.", ctx)
    for problem in INSTALLED.problems:
        note(f"Error: {problem}")
    if everything:
        text = _all_as_json() if output_format == "json" else _as_lines(CODES.values()) + _REASONS
    else:
        code = _known(rule or "")
        rows = [CODES[code]] if code is not None else _search(rule or "", ctx)
        if output_format == "json":
            text = _json(_as_object(rows[0]) if code is not None else [_as_object(row) for row in rows])
        else:
            text = _page(rows[0], colour) if code is not None else _as_lines(rows)
    write(text)


def _known(text: str) -> str | None:
    """The code that ``text`` means; None when it is no code and no name."""
    return find_code(text) or find_code(text.upper()) or find_code(text.lower().replace("_", "-"))


def _search(text: str, ctx: click.Context) -> list[Code]:
    """The rules whose code and name have the words, else those whose pages have them. A usage error when none has."""
    words = text.lower().replace("_", "-").split()

    def having(where: Callable[[Code], str]) -> list[Code]:
        return [row for row in CODES.values() if words and all(word in where(row).lower() for word in words)]

    nearest = nearest_code(text)
    found = having(lambda row: f"{row.code} {row.name}")
    if not found and nearest is None:
        found = having(lambda row: page_text(row.code) or "")
    if found:
        return found
    hint = f" Did you mean {nearest!r}?" if nearest else " `trainlint rule --all` lists them."
    raise click.UsageError(f"There is no rule {text!r}.{hint}", ctx)


def _page(row: Code, colour: ColourChoice) -> str:
    from trainlint.app.report import page

    markdown = page_text(row.code)
    if markdown is None:
        return (
            f"{row.code} ({row.name}) is planned, and not part of this version yet.\n"
            f"Level: {LEVEL_WORDS[row.level]}. Family: {row.family} ({TITLES[row.family]}).\n"
        )
    state, reason = state_of(row.code)
    if state != "on":  # below the line with the level
        head, blank, rest = markdown.partition("\n\n## ")
        markdown = f"{head}\n\nOff by default ({state}): {reason}.{blank}{rest}" if blank else markdown
    style = style_for(colour)
    # NO_COLOR speaks of colours; that a page is laid out for a terminal does not depend on them.
    laid_out = style.colour or (colour == "auto" and sys.stdout.isatty() and os.environ.get("TERM") != "dumb")
    return page.render(page.without_expectations(markdown), style=style, laid_out=laid_out)


def _as_lines(listed: Iterable[Code]) -> str:
    """A line for each rule: code, level, whether it is on, repairs, name."""
    rows = [
        (row.code, LEVEL_WORDS[row.level], state_of(row.code)[0], "/".join(_repairs(row)) or "-", _name(row)) for row in listed
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "".join(
        "  ".join((*(word.ljust(width) for word, width in zip(row, widths, strict=False)), row[4])) + "\n" for row in rows
    )


def _name(row: Code) -> str:
    return row.name if page_text(row.code) is not None else f"{row.name} (planned)"


def _repairs(row: Code) -> list[str]:
    return [_REPAIRS[letter] for letter in row.repairs]


def _all_as_json() -> str:
    return _json([_as_object(row) for row in CODES.values()])


def _as_object(row: Code) -> dict[str, Any]:
    """A rule as JSON data; ``explanation`` is its page, null as long as the rule is only planned."""
    from trainlint.app.report.page import without_expectations

    markdown = page_text(row.code)
    return {
        "code": row.code,
        "name": row.name,
        "family": row.family,
        "level": LEVEL_WORDS[row.level],
        "default": row.code in DEFAULT,
        "state": state_of(row.code)[0],
        "reason": state_of(row.code)[1],
        "repairs": _repairs(row),
        "status": "planned" if markdown is None else "stable",
        "explanation": None if markdown is None else without_expectations(markdown),
    }


def _json(data: object) -> str:
    import json

    return json.dumps(data, indent=2) + "\n"
