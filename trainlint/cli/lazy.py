"""A group of commands that imports a command only when it runs: ``--help`` and the other commands pay nothing for it."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
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
        from trainlint.cli import completion

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
