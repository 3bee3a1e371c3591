"""A check from its options to its exit code: settings, engine, report. Imports wait until there is work.

From the command line to the settings in force: only what was given overrides what the configuration says.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from trainlint.app.cli.main import USAGE_OR_INTERNAL
from trainlint.app.cli.output import Failure, note, style_for, write
from trainlint.app.engine.result import FixMode, Result
from trainlint.app.engine.timing import Deadline, measure, phase
from trainlint.app.report import ALL_PASSED, NOTHING_IN_TIME
from trainlint.codes import CODES, INSTALLED
from trainlint.config import ConfigError, Overrides, Settings, common_start, find_settings
from trainlint.config.find import speaking_of_us
from trainlint.config.settings import FOR_PEOPLE
from trainlint.regular import absolute_path

if TYPE_CHECKING:
    from trainlint.app.cli.known_findings import Known
    from trainlint.app.engine.session import Staying
    from trainlint.app.report.style import ColourChoice, Style
    from trainlint.finding import Finding

_LISTS = ("select", "ignore", "extend_select", "extend_ignore", "exclude", "extend_exclude")
_PLAIN = (
    "fix",
    "unsafe_fixes",
    "show_fixes",
    "ignore_noqa",
    "preview",
    "advice",
    "force_exclude",
    "respect_gitignore",
    "output_format",
    "jobs",
    "max_seconds",
)


def settings_for(request: Request) -> Settings:
    """The settings of a run. Raises :class:`trainlint.config.ConfigError` for any mistake, also in the flags themselves."""
    flags: dict[str, Any] = {}
    for name in (*_LISTS, *_PLAIN):
        value = getattr(request, name)
        if value is not None:
            flags[name.replace("_", "-")] = list(value) if name in _LISTS else value
    if request.baseline is not None:
        flags["baseline"] = absolute_path(request.baseline)  # it counts from here, not from the configuration
    if request.cache_dir is not None:
        flags["cache-dir"] = absolute_path(request.cache_dir)
    start = common_start(request.files)
    overrides = Overrides(flags, request.config)
    return find_settings(start, overrides, isolated=request.isolated, check_knowledge=_mistakes)


def _mistakes(tables: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    from trainlint.knowledge.checking import mistakes

    return mistakes(tables)


_STDIN = "-"
#: So many seconds somebody waits who commits.
_HOOK_SECONDS = 10.0
#: Nothing was found, but not everything was judged in time.
NOT_IN_TIME = 3


class Request(NamedTuple):
    """What was written on the command line; None (or an empty list) where nothing was, so that the configuration decides."""

    paths: tuple[str, ...]
    fix: bool | None = None
    unsafe_fixes: bool | None = None
    diff: bool = False
    add_ignore: bool = False
    show_fixes: bool | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] | None = None
    extend_ignore: tuple[str, ...] | None = None
    ignore_noqa: bool | None = None
    preview: bool | None = None
    advice: bool | None = None
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] | None = None
    force_exclude: bool | None = None
    respect_gitignore: bool | None = None
    stdin_filename: str | None = None
    output_format: str | None = None
    output_file: Path | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    prune_baseline: bool = False
    diff_base: str | None = None
    statistics: bool = False
    show_settings: bool = False
    colour: ColourChoice = "auto"
    quiet: bool = False
    verbose: bool = False
    watch: bool = False
    exit_zero: bool = False
    exit_non_zero_on_fix: bool = False
    config: tuple[str, ...] = ()
    isolated: bool = False
    no_cache: bool = False
    cache_dir: Path | None = None
    jobs: int | None = None
    max_seconds: float | None = None
    profile: bool = False

    @property
    def from_stdin(self) -> bool:
        """Whether the code to check comes from standard input."""
        return self.paths == (_STDIN,)

    @property
    def files(self) -> tuple[Path, ...]:
        """The paths to check; for standard input the name it was given, or ``-``."""
        return (Path(self.stdin_filename or _STDIN),) if self.from_stdin else tuple(map(Path, self.paths))


def run(request: Request, stdin: bytes | None) -> int:
    """Do what was asked and return the exit code. ``stdin`` is what came from there, when that is to be checked."""
    try:
        settings = settings_for(request)
    except ConfigError as error:
        note(f"Error: {error}")
        return USAGE_OR_INTERNAL
    if not (request.quiet or request.isolated):
        _warn_of_unread(request, settings)
    measured = measure() if request.profile else None
    if request.show_settings:
        from trainlint.config.options import show

        write(show(settings) + "\n")
        for problem in INSTALLED.problems:
            note(f"Error: {problem}")
        return USAGE_OR_INTERNAL if INSTALLED.problems else 0
    try:
        if request.watch:
            from trainlint.app.cli.watch import watch

            return watch(request, settings)
        result = checked(request, settings, stdin)
        mode = _mode(request, settings)
        with phase("reporting"):
            written = _report(_Report(request, settings, mode, result))
    except Failure as failure:
        note(f"Error: {failure}")
        return USAGE_OR_INTERNAL
    if measured is not None:
        from trainlint.app.report import summary

        write(summary.profile(measured.end(), as_json=settings.output_format in ("json", "json-lines")), err=True)
    return exit_code(request, settings, mode, result) if written else USAGE_OR_INTERNAL


def _warn_of_unread(request: Request, settings: Settings) -> None:
    """Say of sections for trainlint in files of other tools that they are not read."""
    for path in speaking_of_us(common_start(request.files), settings.file.parent if settings.file else None):
        from trainlint.config.merge import unread_sections

        for warning in unread_sections(path):
            note(warning)


def checked(request: Request, settings: Settings, stdin: bytes | None, staying: Staying | None = None) -> Result:
    """Check once, and say what could not be done; the result has the findings to report. Raises :class:`Failure`.

    ``staying`` is what the check before this one has left behind.
    """
    mode = _mode(request, settings)
    known = _known(request, settings)
    started = time.perf_counter()
    deadline = _deadline(request, settings, mode)
    running = _with_advice(request, settings) if _is_to_count_advice(request, settings, mode) else settings
    result = _run_engine(request, running, mode, stdin, known, staying, deadline)
    result.findings.sort(key=lambda finding: finding.sort_key)
    if deadline is not None and result.unjudged:
        from trainlint.app.report import summary

        sentence = summary.unjudged(result.unjudged, running.codes, deadline.seconds, goes_on=result.goes_on)
        note(f"warning: {sentence}")
        if settings.output_format not in FOR_PEOPLE:
            result.notes.append(_without_place(sentence, result))
    if request.verbose:
        _say_what_was_done(settings, result, time.perf_counter() - started)
    for problem in result.errors:
        note(f"Error: {problem}")
    if request.write_baseline is not None:
        from trainlint.app.cli.known_findings import write_baseline

        write_baseline(request.write_baseline, result)
    if known is not None:
        if request.prune_baseline:
            known.prune(result)
        result.findings = known.new(result.findings, result.lines_of)
    if _is_of_a_commit(request, mode) and {each.path for each in result.findings} - set(result.checked):
        from trainlint.app.cli.known_findings import Known, as_note

        older = (known or Known(request, settings)).older(result.findings, result.checked, result.lines_of)
        result.notes += [as_note(finding, result.checked) for finding in older]
        result.findings = [finding for finding in result.findings if not any(finding is each for each in older)]
    if running is not settings:
        reported = [finding for finding in result.findings if not running.only_counted(finding.code, finding.path)]
        result.advice = len(result.findings) - len(reported)
        result.findings = reported
    return result


def _deadline(request: Request, settings: Settings, mode: FixMode) -> Deadline | None:
    """When a check has to end; None where it has to be whole: what it writes down would be wrong."""
    seconds = settings.max_seconds or (_HOOK_SECONDS if _is_hook() else None)
    writes = request.write_baseline is not None or request.prune_baseline or request.watch or mode is not FixMode.NONE
    return None if seconds is None or writes else Deadline(seconds)


def _is_hook() -> bool:
    """Whether pre-commit runs us while somebody waits for a commit (it says so; what runs all its hooks in CI sets ``CI``)."""
    return os.environ.get("PRE_COMMIT") == "1" and not os.environ.get("CI")


def _without_place(sentence: str, result: Result) -> Finding:
    """What is to be said of a whole run, where only findings are read: in the first file."""
    from trainlint.finding import Finding, Level, Span

    path, code = result.checked[0], CODES["TL004"]
    return Finding(code.code, code.name, Level.ADVICE, path, Span(1, 1, 1, 1), sentence)


def _is_of_a_commit(request: Request, mode: FixMode) -> bool:
    """Whether files are named, as commit hooks name those of a commit: what was wrong before in other files is not its doing."""
    plain = request.diff_base is None and request.write_baseline is None and not request.watch and not request.from_stdin
    return plain and mode in (FixMode.NONE, FixMode.APPLY) and all(path.is_file() for path in request.files)


def _is_to_count_advice(request: Request, settings: Settings, mode: FixMode) -> bool:
    """Whether somebody at a terminal is to be told how much advice there is: to find that out costs a third more time."""
    if settings.advice or settings.select is not None or mode is not FixMode.NONE or request.write_baseline is not None:
        return False
    plain = not (request.quiet or request.watch or request.statistics or request.diff_base) and request.output_file is None
    return plain and settings.output_format in FOR_PEOPLE and _is_terminal()


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _with_advice(request: Request, settings: Settings) -> Settings:
    """The settings with which that is found out."""
    wider = settings_for(request._replace(advice=True))
    return replace(wider, counted=wider.codes - settings.codes)


def report_quietly(request: Request, settings: Settings, result: Result) -> bool:
    """Print the findings and nothing else; False when the output file could not be written."""
    return _report(_Report(request._replace(quiet=True), settings, _mode(request, settings), result))


def _mode(request: Request, settings: Settings) -> FixMode:
    if request.add_ignore:
        if settings.ignore_noqa:
            raise Failure("--add-ignore makes no sense with ignore-noqa: the comments would not be read")
        return FixMode.IGNORE
    return FixMode.DIFF if request.diff else FixMode.APPLY if settings.fix else FixMode.NONE


def _known(request: Request, settings: Settings) -> Known | None:
    """What is known already: of a baseline, of another revision; None when neither is there."""
    if (settings.baseline is None or request.write_baseline is not None) and request.diff_base is None:
        return None
    from trainlint.app.cli.known_findings import Known

    return Known(request, settings)


def _run_engine(
    request: Request,
    settings: Settings,
    mode: FixMode,
    stdin: bytes | None,
    known: Known | None,
    staying: Staying | None,
    deadline: Deadline | None,
) -> Result:
    from trainlint.app.engine import driver

    files = request.files
    options: dict[str, Any] = {
        "fix": mode,
        "unsafe": settings.unsafe_fixes,
        "kept_for": None if request.no_cache else "",
        "stdin": None if stdin is None else (stdin, files[0]),
        "staying": staying,
        "deadline": deadline,
    }
    if known is not None:
        options["new"] = known.new
    paths = [] if stdin is not None else list(files)
    if request.quiet or not sys.stderr.isatty():
        return driver.check(paths, settings, **options, progress=None)
    from trainlint.app.report.progress import ProgressBar

    with ProgressBar() as bar:
        return driver.check(paths, settings, **options, progress=bar)


def exit_code(request: Request, settings: Settings, mode: FixMode, result: Result) -> int:
    """0 clean, 1 findings (with ``--diff``: something to repair), 2 when the run itself went wrong.

    3 when nothing was found in the time that somebody has set; a commit hook lets the commit pass after its own time.
    """
    if result.errors or result.internal_errors:
        return USAGE_OR_INTERNAL
    if request.exit_zero:
        return 0
    if mode is FixMode.DIFF:
        return int(bool(result.diffs))
    if result.findings or (request.exit_non_zero_on_fix and result.fixed):
        return 1
    return NOT_IN_TIME if result.unjudged and settings.max_seconds is not None else 0


def _say_what_was_done(settings: Settings, result: Result, seconds: float) -> None:
    note(f"configuration: {' extends '.join(map(str, [settings.file or 'none', *settings.bases]))}")
    note(f"files checked: {result.files_checked}")
    for name, value in result.statistics.items():
        note(f"{name}: {value}")
    note(f"seconds: {seconds:.3f}")


class _Report(NamedTuple):
    """A finished run and how it is to be shown."""

    request: Request
    settings: Settings
    mode: FixMode
    result: Result

    @property
    def form(self) -> str:
        """The output format: the one asked for, else annotations where GitHub shows them, else the full one."""
        chosen = "output-format" in self.settings.origins
        annotated = os.environ.get("GITHUB_ACTIONS") == "true" and self.request.output_file is None
        return "github" if annotated and not chosen else self.settings.output_format

    @property
    def repaired_stdin(self) -> bool:
        """Whether stdout belongs to the repaired code, so that findings must go to stderr."""
        return self.mode is FixMode.APPLY and self.result.stdin_output is not None

    @property
    def style(self) -> Style:
        """How the findings may look where they go."""
        to_file = self.request.output_file is not None
        return style_for(self.request.colour, to_file=to_file, to_stderr=self.repaired_stdin)


def _report(report: _Report) -> bool:
    """Print everything; False when the output file could not be written."""
    request, result = report.request, report.result
    if not result.files_checked and not result.errors and not request.quiet:
        note("warning: No Python files found under the given path(s)")
    if report.repaired_stdin:
        sys.stdout.buffer.write(result.stdin_output or b"")
    if report.mode is FixMode.DIFF:
        text = _diff(report)
    else:
        text = _findings(report)
        if report.form in FOR_PEOPLE and not request.quiet:
            text += _summary(report)
    written = _deliver(text, report)
    if not request.quiet:
        _say_what_was_changed(report)
    return written


def _say_what_was_changed(report: _Report) -> None:
    """What repairs and comments came to, where the summary after the findings does not say it."""
    result, mode = report.result, report.mode
    if mode not in (FixMode.DIFF, FixMode.IGNORE) and not result.spared:
        return
    from trainlint.app.report import summary

    if mode is FixMode.DIFF:
        fixed = summary.total_fixed(result.fixed)
        write(summary.after_diff(result.findings, fixed, unsafe=report.settings.unsafe_fixes), err=True)
    if mode is FixMode.IGNORE:
        write(summary.comments_added(*result.comments), err=True)
        if result.findings:
            write(summary.comments_refused(len(result.findings)), err=True)
    if result.spared:
        write(summary.spared(result.spared), err=True)


def _diff(report: _Report) -> str:
    if not report.result.diffs:
        return ""
    from trainlint.app.report import diff

    for_terminal = report.request.output_file is None and sys.stdout.isatty()
    for_build = report.request.output_file is None and _is_read_by_build()
    return diff.render(report.result.diffs, style=report.style, for_terminal=for_terminal, for_build=for_build)


def _is_read_by_build() -> bool:
    """Whether what is printed is the log of a build, in which GitHub and Azure look for commands."""
    in_build = os.environ.get("GITHUB_ACTIONS") == "true" or bool(os.environ.get("TF_BUILD"))
    return in_build and not _is_file(sys.stdout)


def _is_file(stream: IO[str]) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # a stream of a test, or of another program, is no file
        return False


def _findings(report: _Report) -> str:
    """The findings, or with ``--statistics`` their numbers, in the format asked for."""
    findings, form, unsafe = [*report.result.findings, *report.result.notes], report.form, report.settings.unsafe_fixes
    if form in FOR_PEOPLE and not findings:
        return ""  # the usual end of a clean run: nothing more is imported
    if report.request.statistics:
        from trainlint.app.report import summary

        if form == "json":
            return summary.by_rule_as_json(findings, unsafe=unsafe)
        return summary.by_rule(findings, style=report.style, unsafe=unsafe)
    from trainlint.app.report.formats import Look, render

    return render(form, findings, Look(report.style, unsafe, report.result.lines_of, report.result.in_file))


def _summary(report: _Report) -> str:
    result = report.result
    if not (result.findings or result.fixed or result.notes or result.advice):
        if result.unjudged:
            return NOTHING_IN_TIME
        return "" if result.errors or report.mode is FixMode.IGNORE else ALL_PASSED
    from trainlint.app.report import summary

    style = report.style
    shown = summary.fixed_list(result.fixed, style=style) if report.settings.show_fixes else ""
    fixed = summary.total_fixed(result.fixed)
    text = summary.after_check(result.findings, fixed, style=style, unsafe=report.settings.unsafe_fixes)
    text += summary.older(len(result.notes)) + summary.more_advice(result.advice)
    return f"{shown}\n{text}" if shown else text


def _deliver(text: str, report: _Report) -> bool:
    """Write the text to the output file, or print it; False when the file could not be written."""
    target = report.request.output_file
    if target is None:
        write(text, err=report.repaired_stdin)
        return True
    try:
        target.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        note(f"Error: {target} cannot be written: {error.strerror or error}")
        return False
    return True
