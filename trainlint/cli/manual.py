"""``--help`` as a manual: options by what they are for, then examples, exit codes and the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

Table = Sequence[tuple[str, str]]
"""Rows of two columns: a word, and what it means."""

EXIT_CODES: Table = (
    ("0", "Nothing was found, or everything that was found is repaired or suppressed."),
    ("1", "Something was found (with --diff: there is something to repair)."),
    ("2", "Wrong usage, a wrong configuration, or an error in trainlint itself."),
)
ENVIRONMENT: Table = (
    ("NO_COLOR", "Any value: no colour, unless --color always."),
    ("FORCE_COLOR", "Any value but 0: colour also where there is no terminal."),
    ("COLUMNS", "How wide the output may be."),
    ("TRAINLINT_CACHE_DIR", "Where results are kept, instead of .trainlint_cache in the project."),
    ("TRAINLINT_NO_CACHE", "Any value but 0: as --no-cache, also for pylint and flake8."),
    ("GITHUB_ACTIONS", "true: findings are printed as annotations, unless --output-format says otherwise."),
)

_WIDEST_FIRST_COLUMN = 28
_WIDEST_WORDS = 36
_BELOW_EXAMPLE = 4


class Switch(click.Option):
    """An option with its opposite: ``--fix/--no-fix``, written ``--[no-]fix``. None when neither was given."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__([f"--{name}/--no-{name}"], default=None, help=text)
        self._written = f"--[no-]{name}"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The two columns of the option's line."""
        record = super().get_help_record(ctx)
        return None if record is None else (self._written, record[1])


class Manual(click.Command):
    """A command whose help has sections.

    ``sections``: heading -> names of the parameters there (what is named in none stands in the last). ``examples``: a
    command line and what it does. ``tables``: heading -> rows, at the end.
    """

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Sequence[str]] | None = None,
        examples: Table = (),
        tables: Mapping[str, Table] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.sections = dict(sections or {"Options": ()})
        self.examples = examples
        self.tables = dict(tables or {})

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, section by section, in the order of the sections."""
        records = {
            parameter.name or "": record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None
        }
        # One column for all sections: what the options do stands below each other.
        wide = min(max(len(words) for words, _ in records.values()), _WIDEST_FIRST_COLUMN)
        named = {name for names in self.sections.values() for name in names}
        last = list(self.sections)[-1]
        for heading, names in self.sections.items():
            rest = [name for name in records if name not in named] if heading == last else []
            rows = [(words.ljust(wide), about) for words, about in (records[name] for name in (*names, *rest))]
            with formatter.section(heading):
                formatter.write_dl(rows, col_max=_WIDEST_FIRST_COLUMN)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples and tables."""
        write_tables(formatter, self.examples, self.tables)
        super().format_epilog(ctx, formatter)


def write_tables(formatter: click.HelpFormatter, examples: Table, tables: Mapping[str, Table]) -> None:
    """The end of a manual: examples (a command line, and below it what it does), then the tables."""
    if examples:
        with formatter.section("Examples"):
            formatter.write_dl(list(examples), col_max=_BELOW_EXAMPLE)
    for heading, rows in tables.items():
        with formatter.section(heading):
            formatter.write_dl(list(rows), col_max=_WIDEST_WORDS)
