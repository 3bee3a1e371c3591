"""``trainlint sweep``: many repositories in one go, here or on a Dask cluster."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trainlint.app.cli import commands
from trainlint.app.cli.check import _codes, _switch
from trainlint.app.cli.commands import Manual, offered
from trainlint.app.cli.main import USAGE_OR_INTERNAL, VERSION_OPTION
from trainlint.app.cli.output import Failure, note, write
from trainlint.regular import absolute_path

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from trainlint.app.sweep.running import Plan, Repository, Swept

_STDIN = "-"
SECTIONS = {
    "Output": ("output_file", "folder", "quiet"),
    "Where": ("executor", "jobs", "timeout", "again"),
    "Which rules": ("select", "ignore", "extend_select", "extend_ignore", "preview"),
    "Configuration and the rest": ("exit_zero", "config", "isolated"),
}
_EXAMPLES = (
    ("trainlint sweep repositories/*", "Check each of these folders as a project of its own."),
    ("trainlint sweep list.jsonl -o findings.parquet", "Check a list, and write the table as Parquet."),
    ("trainlint sweep list.jsonl --executor dask://host:8786", "Let a Dask cluster do it."),
)
_EXIT_CODES = (
    ("0", "Nothing was found in any repository."),
    ("1", "Something was found."),
    ("2", "Wrong usage, or a repository could not be checked: the table says which. The others stand."),
)


@click.command(
    cls=Manual,
    context_settings={"max_content_width": 110},
    sections=SECTIONS,
    examples=_EXAMPLES,
    tables={"Exit codes": _EXIT_CODES},
)
@click.argument("sources", nargs=-1, required=True, metavar="LIST...", shell_complete=offered("paths"))
@click.option(
    "-o",
    "--output-file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("trainlint-sweep.jsonl"),
    show_default=True,
    help="The table with all findings: .parquet (needs pyarrow), or JSON lines.",
)
@click.option(
    "--folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the SARIF logs go, and what a sweep goes on from. [default: beside the table, NAME-sarif]",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but what went wrong.")
@click.option("--executor", metavar="ADDRESS", help="A Dask scheduler that has it done: dask://HOST:PORT.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="How many repositories are checked at once here.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    default=600.0,
    show_default=True,
    help="How long one repository may take.",
)
@click.option("--again", is_flag=True, help="Also check what an earlier sweep has checked.")
@_codes("--select", "Rules to check: codes, names, beginnings of codes (TL1), or ALL; repeatable, or with commas.")
@_codes("--ignore", "Rules not to check.")
@_codes("--extend-select", "Rules to check besides those selected.")
@_codes("--extend-ignore", "Rules not to check besides those ignored.")
@_switch("preview", "Also run rules that are not settled yet.")
@click.option("-e", "--exit-zero", is_flag=True, help="Exit with 0 even when there are findings.")
@commands.CONFIG
@commands.ISOLATED
@click.pass_context
def sweep(ctx: click.Context, /, sources: tuple[str, ...], **given: Any) -> None:
    """Check many repositories, each as a project of its own, into one table.

    LIST is a folder to check, or a file with one in each line (or a JSON object with path, and perhaps name and commit); - is
    standard input. Each repository has its own configuration. A sweep that was interrupted goes on where it stopped.
    """
    try:
        code = _swept(sources, given)
    except Failure as failure:
        note(f"Error: {failure}")
        code = USAGE_OR_INTERNAL
    ctx.exit(code)


sweep.params.append(VERSION_OPTION)


def _swept(sources: Sequence[str], given: dict[str, Any]) -> int:
    """Do it, and return the exit code. Raises :class:`Failure`."""
    from trainlint.app.sweep import running
    from trainlint.app.sweep import running as results

    table: Path = given["output_file"]
    if table.suffix == ".parquet":
        _needed("pyarrow", "Parquet", "parquet")
    listed = _listed(sources)
    plan = _plan(given)
    try:
        kept = results.Results(given["folder"] or table.with_name(f"{table.stem}-sarif"))
        with _executor(given["executor"], given["jobs"]) as executor, _progress(given["quiet"]) as progress:
            swept = running.sweep(listed, plan, kept, executor, about=_about(plan), again=given["again"], progress=progress)
        kept.forget_others(listed)
        results.write_table(table, (row for repository, answer in swept.answers for row in results.rows(repository, answer)))
    except OSError as error:
        raise Failure(f"{error.filename or table} cannot be written: {error.strerror or error}") from None
    return _told(swept, table, given)


def _listed(sources: Sequence[str]) -> list[Repository]:
    from trainlint.app.sweep.running import WrongList, repositories, row_of

    texts = []
    for source in sources:
        try:
            if source == _STDIN:
                texts.append(("stdin", sys.stdin.buffer.read().decode("utf-8", "surrogateescape")))
            elif Path(source).is_dir():
                texts.append((source, row_of(source)))
            else:
                texts.append((source, Path(source).read_bytes().decode("utf-8", "surrogateescape")))
        except OSError as error:
            raise Failure(f"{source} cannot be read: {error.strerror or error}") from None
    try:
        return repositories(texts)
    except WrongList as error:
        raise Failure(str(error)) from None


def _plan(given: dict[str, Any]) -> Plan:
    """How each repository is checked; a mistake in the flags is one for all of them. Raises :class:`Failure`."""
    from trainlint.app.sweep.running import Plan
    from trainlint.config import ConfigError, Overrides, find_settings
    from trainlint.config.find import is_file_argument
    from trainlint.knowledge.checking import mistakes

    flags = {}
    for name in ("select", "ignore", "extend_select", "extend_ignore"):
        if given[name] is not None:
            flags[name.replace("_", "-")] = list(given[name])
    if given["preview"] is not None:
        flags["preview"] = given["preview"]
    named = any(map(is_file_argument, given["config"]))
    config = tuple(absolute_path(each) if is_file_argument(each) else each for each in given["config"])
    try:
        find_settings(Path(), Overrides(flags, config), isolated=given["isolated"] or not named, check_knowledge=mistakes)
    except ConfigError as error:
        raise Failure(str(error)) from None
    return Plan(flags, config, given["isolated"], given["timeout"])


def _about(plan: Plan) -> list[object]:
    """What results depend on besides the repositories: the tool, Python, how they are checked (not how long that may take)."""
    from trainlint.app.engine.cached_analyses import tool

    files = [Path(each).read_text(encoding="utf-8", errors="replace") for each in plan.config if Path(each).is_file()]
    return [tool(), list(sys.version_info[:3]), dict(plan.flags), list(plan.config), files, plan.isolated]


@contextlib.contextmanager
def _executor(address: str | None, jobs: int | None) -> Iterator[Executor]:
    """Who checks: a Dask cluster, or processes here."""
    if address is None:
        from trainlint.app.sweep.running import local

        with local(jobs or os.cpu_count() or 1) as executor:
            yield executor
        return
    kind, _, place = address.partition("://")
    if kind not in ("dask", "tcp", "tls") or not place:
        raise Failure(f"--executor {address}: there is only dask://HOST:PORT (or tcp://, or tls://)")
    _needed("distributed", "A Dask cluster", "dask")
    import distributed

    try:
        client = distributed.Client(f"tcp://{place}" if kind == "dask" else address, set_as_default=False)
    except Exception as error:  # noqa: BLE001 - whatever a name, a network or another version makes of it
        raise Failure(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor(pure=False)


def _needed(module: str, what: str, extra: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise Failure(f"{what} needs {module}: pip install 'trainlint[{extra}]'")


@contextlib.contextmanager
def _progress(quiet: bool) -> Iterator[Any]:
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from trainlint.app.report.progress import ProgressBar

    with ProgressBar() as bar:
        yield bar


def _told(swept: Swept, table: Path, given: dict[str, Any]) -> int:
    """Say what came of it, on stderr, and return the exit code."""
    findings = failed = 0
    for repository, answer in swept.answers:
        findings += len(answer.get("findings") or ())
        if answer["status"] != "checked":
            failed += 1
            note(f"Error: {repository.name}: {answer.get('error')}")
    if swept.lost:
        note(f"warning: the executor lost {swept.lost} repositories; they were checked here")
    if not given["quiet"]:
        known = f", {swept.known} of them before" if swept.known else ""
        text = f"Checked {len(swept.answers) - failed} repositories{known}: {findings} findings, in {table}\n"
        write(text, err=True)
    if failed:
        return USAGE_OR_INTERNAL
    return int(bool(findings) and not given["exit_zero"])
