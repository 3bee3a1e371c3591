"""``trainlint check --watch``: check, wait until a file changes, check again, until Ctrl-C."""

from __future__ import annotations

import gc
import queue
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from trainlint.app.cli.main import USAGE_OR_INTERNAL
from trainlint.app.cli.output import Failure, note, style_for, write
from trainlint.app.cli.run import checked, report_quietly, settings_for
from trainlint.app.engine.project import options_of, project_root
from trainlint.app.engine.session import Staying
from trainlint.app.report.summary import by_level
from trainlint.config import ConfigError, Settings
from trainlint.config.find import OWN_NAMES
from trainlint.regular import absolute_path

if TYPE_CHECKING:
    from watchfiles import Change

    from trainlint.app.cli.run import Request

_CONFIGURATION = frozenset({*OWN_NAMES, "pyproject.toml"})
_SUFFIXES = (".py", ".ipynb")
#: Clears the screen and what was scrolled out of it, and goes to its top.
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
#: Seconds: where waiting cannot be interrupted (Windows), so long does Ctrl-C take.
_PATIENCE = 1.0
#: Milliseconds within which changes that follow each other count as one.
_TOGETHER = 400


def watch(request: Request, settings: Settings) -> int:
    """Check now and after every change of a file or of the configuration. Ends with 0 on Ctrl-C, with 2 if it cannot begin."""
    try:
        import watchfiles  # noqa: F401 - whether it is there is asked before anything is printed
    except ImportError:
        note("Error: --watch needs the package watchfiles. The extra `watch` of trainlint brings it.")
        return USAGE_OR_INTERNAL
    gc.enable()  # other commands end before it would pay
    changes = _Changes(request, settings)
    staying = Staying()
    try:
        _check(request, settings, staying, "Starting linter in watch mode...")
        for names in changes:
            if changes.touch_configuration(names):
                settings = _anew(request, settings)
            _check(request, settings, staying, "File change detected...")
    except KeyboardInterrupt:
        return 0
    except (OSError, RuntimeError) as error:  # no more files can be watched: the system has a limit
        note(f"Error: files cannot be watched: {error}")
        return USAGE_OR_INTERNAL
    finally:
        changes.stop()
    return 0


def _anew(request: Request, before: Settings) -> Settings:
    """The settings after a configuration file has changed; those from before while it has mistakes, which are told."""
    try:
        return settings_for(request)
    except ConfigError as error:
        note(f"Error: {error}")
        return before


def _check(request: Request, settings: Settings, staying: Staying, reason: str) -> None:
    if request.output_file is None and sys.stdout.isatty():
        write(_CLEAR)
    _say(request, reason)
    try:
        result = checked(request, settings, None, staying)
    except Failure as failure:  # a baseline that cannot be read, say: it may be mended meanwhile
        note(f"Error: {failure}")
        _say(request, "Watching for file changes.")
    else:
        found = by_level(result.findings) if result.findings else "0 errors"
        _say(request, f"Found {found}. Watching for file changes.")
        if result.findings and not request.quiet:
            write("\n")
        report_quietly(request, settings, result)
        del result
    sys.stdout.flush()
    gc.collect()


def _say(request: Request, text: str) -> None:
    if not request.quiet:
        now = time.strftime("%H:%M:%S")
        dim = style_for(request.colour).colour
        write(f"[\x1b[2m{now}\x1b[0m] {text}\n" if dim else f"[{now}] {text}\n")
        sys.stdout.flush()


class _Changes:
    """The names of changed files, a set for each time that something changed; changes during a check are kept for after it."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self._stop = threading.Event()
        self._seen: queue.SimpleQueue[set[str] | Exception] = queue.SimpleQueue()
        self._excluded = frozenset(name for name in options_of(settings).exclude if "/" not in name)
        folders = self._folders = _outermost(_folders(request.files))
        configurations = [*filter(None, [settings.file]), *settings.bases]
        self._configurations = _CONFIGURATION.union(file.name for file in configurations)
        outside = {file.parent for file in configurations if not any(file.is_relative_to(folder) for folder in folders)}
        self._start(folders, recursive=True)
        if outside:
            self._start(sorted(outside), recursive=False)

    def touch_configuration(self, names: set[str]) -> bool:
        """Whether one of the changed files may be a configuration."""
        return not names.isdisjoint(self._configurations)

    def stop(self) -> None:
        """Watch no longer."""
        self._stop.set()

    def __iter__(self) -> Iterator[set[str]]:
        while True:
            try:
                seen = self._seen.get(timeout=_PATIENCE)
            except queue.Empty:
                continue
            if isinstance(seen, Exception):
                raise seen
            yield seen

    def _start(self, folders: Sequence[Path], *, recursive: bool) -> None:
        threading.Thread(target=self._watch, args=(folders, recursive), name="trainlint-watch", daemon=True).start()

    def _watch(self, folders: Sequence[Path], recursive: bool) -> None:
        from watchfiles import watch as changes_in

        try:
            for changes in changes_in(
                *folders,
                watch_filter=self._matters,
                debounce=_TOGETHER,
                stop_event=self._stop,
                raise_interrupt=False,
                recursive=recursive,
                ignore_permission_denied=True,
            ):
                self._seen.put({PurePath(path).name for _, path in changes})
        except Exception as error:  # noqa: BLE001 - whatever ends the thread is said by the one who waits for it
            self._seen.put(error)

    def _matters(self, _change: Change, path: str) -> bool:
        changed = Path(path)
        top = next((folder for folder in self._folders if changed.is_relative_to(folder)), changed.parent)
        if not self._excluded.isdisjoint(changed.parent.relative_to(top).parts):
            return False
        name = changed.name
        return name.endswith(_SUFFIXES) or name in self._configurations or name == ".gitignore"


def _folders(files: Sequence[Path]) -> list[Path]:
    """What is to be watched: the given paths, and the projects around them, since facts come from there."""
    found = []
    for path in files:
        absolute = Path(absolute_path(path))
        found += [absolute if absolute.is_dir() else absolute.parent, project_root(absolute)]
    return [folder for folder in found if folder.is_dir()]


def _outermost(folders: Sequence[Path]) -> list[Path]:
    """The folders that lie in none of the others."""
    found: list[Path] = []
    for folder in sorted(set(folders), key=lambda one: len(one.parts)):
        if not any(folder.is_relative_to(outer) for outer in found):
            found.append(folder)
    return found
