"""The ``trainlint`` command: the group of all commands, and what happens when one of them does not come to its end.

Start-up counts (a commit hook runs this for every commit): nothing is imported here but click.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

import click

from trainlint.app.cli.commands import Lazy, LazyGroup

USAGE_OR_INTERNAL = 2
_INTERRUPTED = 130  # as a shell reports a process ended by SIGINT
_PIPE_CLOSED = 141  # … and by SIGPIPE

_COMMANDS = {
    "check": Lazy("trainlint.app.cli.check", "check", "Find and repair mistakes in training code."),
    "preflight": Lazy("trainlint.app.cli.preflight", "preflight", "Go through the checklist before a job starts."),
    "sweep": Lazy("trainlint.app.cli.sweep", "sweep", "Check many repositories into one table."),
    "rule": Lazy("trainlint.app.cli.rule", "rule", "Explain a rule, or list all of them."),
    "explain": Lazy("trainlint.app.cli.explain", "explain", "Show what the analysis knows about one line."),
    "config": Lazy("trainlint.app.cli.setup_commands", "config", "Explain the options of the configuration."),
    "clean": Lazy("trainlint.app.cli.setup_commands", "clean", "Remove what is kept from run to run."),
    "server": Lazy("trainlint.app.cli.setup_commands", "server", "Serve an editor: findings as you type."),
    "generate-shell-completion": Lazy("trainlint.app.cli.completion", "generate", "Print the completion script of a shell."),
    "dev": Lazy("trainlint.app.cli.dev", "dev", "Tools for those who write rules."),
}
_EXAMPLES = (
    ("trainlint check", "Check everything below this folder."),
    ("trainlint check --fix train.py", "Check a file and make the safe repairs."),
    ("trainlint rule TL101", "Explain a rule."),
    ("trainlint explain train.py:120", "Show what the analysis knows about a line."),
    ("trainlint check --help", "All options of a command."),
)


class _Main(LazyGroup):
    """The outermost group: it turns every way a command can break off into an exit code and, at most, one message."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, exit codes and the environment."""
        del ctx
        from trainlint.app.cli.commands import ENVIRONMENT, EXIT_CODES, write_tables

        write_tables(formatter, _EXAMPLES, {"Exit codes": EXIT_CODES, "Environment": ENVIRONMENT})

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """As a program of its own: it ends soon, and looking for garbage until then, or at the end, would be for nothing."""
        gc.disable()
        try:
            return super().__call__(*args, **kwargs)
        finally:
            gc.freeze()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; exit 2 on a mistake of ours, which otherwise would look like "findings" (Python exits with 1)."""
        _never_fail_to_print()
        try:
            try:
                _stand_somewhere()
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except KeyboardInterrupt:
            ctx.exit(_INTERRUPTED)
        except BrokenPipeError:
            _silence_stdout()
            ctx.exit(_PIPE_CLOSED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - the last chance to say what happened
            _report_crash(error)
            ctx.exit(USAGE_OR_INTERNAL)


def _stand_somewhere() -> None:
    """Paths are relative to the working directory: say so when somebody has deleted it.

    Raises :class:`click.UsageError`.
    """
    try:
        os.getcwd()  # noqa: PTH109 - light
    except OSError as error:
        raise click.UsageError(f"the current directory cannot be read: {error.strerror}") from None


def _never_fail_to_print() -> None:
    """A character that the terminal's encoding lacks is printed as an escape instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    """Nobody reads stdout any more: what is still buffered must not fail again when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _report_crash(error: Exception) -> None:
    import traceback

    from trainlint.app.report.printable import escape_block

    click.echo(escape_block("".join(traceback.format_exception(error))), err=True, nl=False)
    click.echo("trainlint: internal error: this is a mistake in trainlint, please report it with the lines above", err=True)


def print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    """The callback of ``--version``."""
    if not value or ctx.resilient_parsing:
        return
    import trainlint

    click.echo(f"trainlint {trainlint.__version__}")
    ctx.exit()


VERSION_OPTION = click.Option(
    ["--version", "-V"],
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=print_version,
    help="Show the version and exit.",
)

main = _Main(
    name="trainlint",
    lazy=_COMMANDS,
    params=[VERSION_OPTION],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    help="A linter and repairer for ML training code: what will hang the job, leak its memory or ruin its numbers.",
)
