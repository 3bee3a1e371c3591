"""How commands are declared: groups that import a command when it runs, the manual of --help, options that several share.

A group of commands that imports a command only when it runs: ``--help`` and the other commands pay nothing for it.

``--help`` as a manual: options by what they are for, then examples, exit codes and the environment.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Lazy(NamedTuple):
    """Where a command is defined, and the one line that the list of commands shows for it."""

    module: str
    attribute: str
    help: str


def offered(kind: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What the shell is offered for a parameter: ``codes``, ``rules``, ``keys`` or ``paths``; worked out when it asks."""

    def offer(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from trainlint.app.cli import completion

        found: list[CompletionItem] = getattr(completion, kind)(ctx, parameter, incomplete)
        return found

    return offer


class LazyGroup(click.Group):
    """A click group whose commands are given by ``lazy``: name -> :class:`Lazy`."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which they were given."""
        del ctx
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now; None when there is none of that name."""
        del ctx
        if cmd_name not in self.lazy:
            return None
        where = self.lazy[cmd_name]
        command: click.Command = getattr(importlib.import_module(where.module), where.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in ``--help``, without importing any."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.help) for name, lazy in self.lazy.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it; a word that is no command gets the nearest one, or, if it is a path, the command to check it."""
        word = args[0]
        if word in self.lazy or word.startswith("-"):
            return super().resolve_command(ctx, args)
        raise click.UsageError(f"No such command {word!r}.{self._hint(ctx, word)}", ctx)

    def _hint(self, ctx: click.Context, word: str) -> str:
        import difflib

        near = difflib.get_close_matches(word, self.lazy, n=1)
        if near:
            return f" Did you mean {near[0]!r}?"
        if "check" in self.lazy and os.path.exists(word):  # noqa: PTH110 - Path raises for words that are no path at all
            return f" To check it: {ctx.command_path} check {word}"
        return ""


Table = Sequence[tuple[str, str]]
"""Rows of two columns: a word, and what it means."""

EXIT_CODES: Table = (
    ("0", "Nothing was found, or everything that was found is repaired or suppressed."),
    ("1", "Something was found (with --diff: there is something to repair)."),
    ("3", "Nothing was found, but there was no time for all rules (--max-seconds)."),
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
