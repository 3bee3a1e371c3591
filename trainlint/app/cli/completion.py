"""``trainlint generate-shell-completion``, and what the shells are offered where it is not a command or an option.

The scripts are click's own: at each press of the tabulator the shell asks the program, so they never go out of date.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, get_completion_class

from trainlint.app.cli.commands import Manual
from trainlint.app.cli.main import main
from trainlint.app.cli.output import write

if TYPE_CHECKING:
    from trainlint.codes import Code

_PROGRAM, _VARIABLE = "trainlint", "_TRAINLINT_COMPLETE"


_EXAMPLES = (
    ('eval "$(trainlint generate-shell-completion bash)"', "In ~/.bashrc."),
    ('eval "$(trainlint generate-shell-completion zsh)"', "In ~/.zshrc, below compinit."),
    ("trainlint generate-shell-completion fish | source", "In ~/.config/fish/config.fish."),
)


@click.command("generate-shell-completion", cls=Manual, examples=_EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def generate(shell: str) -> None:
    """Print the script that completes commands, options, rules and files in a shell (bash from 4.4, zsh, fish)."""
    script = get_completion_class(shell)
    assert script is not None
    write(script(main, {}, _PROGRAM, _VARIABLE).source())


def codes(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules for an option that takes several, with commas: what stands before the last comma stays."""
    before, comma, word = incomplete.rpartition(",")
    given = set(before.split(","))
    return _matching(((code, text) for code, text in _selectors() if code not in given), word, before + comma)


def rules(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules by code, and by name for those who begin one."""
    by_code = [(row.code, row.name) for row in _built()]
    return _matching(by_code, incomplete) or _matching([(name, code) for code, name in by_code], incomplete)


def keys(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Options of the configuration."""
    from trainlint.config.options import OPTIONS

    return _matching([(key, option.description.partition("\n")[0]) for key, option in OPTIONS.items()], incomplete)


def paths(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders: the shell knows them."""
    return [CompletionItem(incomplete, type="file")]


def _selectors() -> Iterable[tuple[str, str]]:
    from trainlint.codes import TITLES

    yield "ALL", "all rules"
    yield from {row.code[:3]: TITLES[row.family] for row in _built()}.items()
    yield from ((row.code, row.name) for row in _built())


def _built() -> list[Code]:
    from trainlint.codes import CODES
    from trainlint.rules.registry import built

    return [row for row in CODES.values() if row.code in built()]


def _matching(offers: Iterable[tuple[str, str]], word: str, before: str = "") -> list[CompletionItem]:
    found = [(text, about) for text, about in offers if text.lower().startswith(word.lower())]
    return [CompletionItem(before + text, help=about) for text, about in sorted(found)]
