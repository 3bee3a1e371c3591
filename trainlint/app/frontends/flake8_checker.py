"""trainlint inside flake8 (entry point group ``flake8.extension``): the codes are ours, ``TL101`` and so on.

Every rule is on that is on in trainlint, by default or by its configuration. The others (advice, preview) are off until they are
asked for more exactly than by all of our codes: ``--select TL8`` does, ``--select TL``, which is how flake8's users turn a plugin
on, does not.

flake8 asks file by file and starts a process for each processor. The project is checked before that, so that with the
start method ``fork`` (the default on Linux before Python 3.14) all processes have the answers. Elsewhere the first one that
needs them works them out, and the others read them from the project's cache.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from trainlint import __version__
from trainlint.codes import CODES, DEFAULT

if TYPE_CHECKING:
    import argparse

    from trainlint.app.frontends.session import Session

#: No rule has it: something is wrong with the configuration, or with rules of other packages.
_CONFIGURATION = "TL000"

Report = tuple[int, int, str, type]


class Checker:
    """One file, as flake8 makes it: its name (that of standard input, too) and its lines with their ends."""

    name = "trainlint"
    version = __version__
    _wanted: ClassVar[frozenset[str] | None] = None
    _asked: ClassVar[frozenset[str]] = frozenset()
    _ignore_noqa: ClassVar[bool] = False
    _session: ClassVar[Session | None] = None

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        del tree  # that it is asked for makes flake8 run this once for each file that can be parsed
        self.path = Path(filename)
        self.lines = lines

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Take over which rules are wanted; check the project while there is only one process."""
        selectors = [*(options.select or ()), *(options.extend_select or ())]
        cls._wanted = frozenset(code for code in CODES if not options.select or code.startswith(tuple(selectors)))
        cls._asked = frozenset(code for code in CODES.keys() - DEFAULT if _is_asked_for(code, selectors))
        cls._ignore_noqa = bool(options.disable_noqa)
        cls._session = None
        if _will_fork(options):
            from trainlint.config import ConfigError

            for name in options.filenames or ["."]:
                try:
                    cls.session().prepare(Path(name))
                except ConfigError:
                    return  # said when a file is asked for

    @classmethod
    def session(cls) -> Session:
        """The one of this process."""
        from trainlint.app.frontends.session import Session

        if cls._session is None:
            wanted = cls._wanted if cls._wanted is not None else frozenset(CODES)
            cls._session = Session(wanted, asked=cls._asked, ignore_noqa=cls._ignore_noqa, kept_for="")
        return cls._session

    def run(self) -> Iterator[Report]:
        """The findings that stand in this file: line, 0-based column, text."""
        from trainlint.app.report.places import headline
        from trainlint.config import ConfigError

        if self._wanted is not None and not self._wanted:
            return
        try:
            found = self.session().findings(self.path, self._unsaved())
        except ConfigError as error:
            yield 1, 0, f"{_CONFIGURATION} {_one_line(str(error))}", type(self)
            return
        for problem in self.session().problems():
            yield 1, 0, f"{_CONFIGURATION} {_one_line(problem)}", type(self)
        for finding in found:
            yield finding.span.line, finding.span.column - 1, f"{finding.code} {headline(finding)}", type(self)

    def _unsaved(self) -> bytes | None:
        """What the file holds, when that is not what is on the disk: an editor's text comes by standard input."""
        try:
            with tokenize.open(self.path) as opened:
                if opened.read() == "".join(self.lines):
                    return None
        except (OSError, SyntaxError, UnicodeDecodeError):
            pass  # read in another way by flake8; it is as it says
        return _as_bytes(self.lines)


def _as_bytes(lines: Sequence[str]) -> bytes:
    """The text in UTF-8, whatever encoding its first lines declare: they were decoded already, so what they say is blanked."""
    head = [f"# {' ' * (len(line) - 3)}\n" if _declares(line) else line for line in lines[:2]]
    return "".join([*head, *lines[2:]]).encode("utf-8", "surrogatepass")


def _declares(line: str) -> bool:
    return line.lstrip().startswith("#") and "coding" in line


def _is_asked_for(code: str, selectors: Sequence[str]) -> bool:
    """Whether a selector means this rule more exactly than by the letters of all; what flake8 ignores it leaves out by itself."""
    return any(code.startswith(selector) and len(selector) > len(code[:-3]) for selector in selectors)


def _will_fork(options: Any) -> bool:
    """Whether flake8 is about to make copies of this process."""
    from trainlint.app.engine.workers import will_be_copied

    jobs, names = options.jobs, options.filenames or []
    return (jobs.is_auto or jobs.n_jobs > 1) and "-" not in names and will_be_copied()


def _one_line(text: str) -> str:
    from trainlint.app.report.printable import escape

    return escape(" ".join(text.split()))
