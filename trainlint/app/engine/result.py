"""What an analysis is about, what it found, and what a run gives back: plain data, which the command line and the reports read.

Where trainlint itself failed, that is a report in a file of its own.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from trainlint.finding import Edit, Finding, Repair, Span, Suspect

if TYPE_CHECKING:
    from trainlint.app.engine.workspace import Trouble


class Group(NamedTuple):
    """Files that belong together, in order, and the rules that have something to ask about them.

    ``beside`` are the files beside the Python that some of these rules may compare them with, in order.
    """

    paths: tuple[str, ...]
    codes: tuple[str, ...]
    beside: tuple[str, ...] = ()


class Suspected(NamedTuple):
    """What the rules suspect in a group, by their codes; what is to be said of functions that were too much, by their files.

    ``left`` are the rules that have not been asked: there was no time.
    """

    suspects: list[tuple[str, Suspect]]
    troubles: list[tuple[str, Trouble]]
    left: tuple[str, ...] = ()


@dataclass
class Analysis:
    """What one pass over the workspace found, and for which rules there was no time, somewhere."""

    findings: list[Finding] = field(default_factory=list)
    #: What comments suppress, each with the 1-based line of its comment.
    silenced: list[tuple[Finding, int]] = field(default_factory=list)
    statistics: dict[str, int] = field(default_factory=dict)
    internal_errors: int = 0
    unjudged: set[str] = field(default_factory=set)


class FixMode(enum.Enum):
    """What to do with repairs: ``NONE`` leaves them alone, ``APPLY`` writes them, ``DIFF`` only works out what would change.

    ``IGNORE`` leaves them alone too, and writes comments that suppress what was found.
    """

    NONE = "none"
    APPLY = "apply"
    DIFF = "diff"
    IGNORE = "ignore"


class InFile(Protocol):
    """Where the places of a notebook's cells are in its file."""

    def span(self, path: Path, cell: int, span: Span) -> Span | None:
        """The place in the file's own lines of a place in a 1-based cell; None when it cannot be had."""

    def edits(self, path: Path, repair: Repair) -> tuple[Edit, ...] | None:
        """A repair as edits of the file's own lines; None when it cannot be had."""


def no_lines(_path: Path, _cell: int | None) -> Sequence[str]:
    """The ``lines_of`` of a result without sources: nothing is known about any file."""
    return ()


@dataclass
class Result:
    """Everything a run found out.

    ``findings``         what remains to be reported (after repairs, when they were applied or worked out).
    ``fixed``            for each changed file, how often each rule (code, name) was repaired there.
    ``notes``            findings in files that were not asked about, which stood there before (``cli.known_findings``).
    ``advice``           how many findings there are besides that are advice, where they were to be counted.
    ``checked``          the files that were looked at (also those that triage set aside).
    ``errors``           sentences about what the user asked for and could not be done (a path that does not exist …).
    ``problems``         those of ``errors`` that concern the rules of other installed packages.
    ``internal_errors``  how many times trainlint itself failed; each also has its TL005 finding.
    ``statistics``       counters for ``--verbose`` ("files parsed", "findings suppressed" …), shown in this order.
    ``diffs``            with ``FixMode.DIFF``: file, its text before and after (newlines untouched).
    ``stdin_output``     with ``FixMode.APPLY`` on standard input: the repaired bytes; nothing is written to a file then.
    ``lines_of``         the lines, without line ends, of a file, or of a 1-based cell of a notebook, as they are after
                         the repairs; empty when they cannot be had. Those of a notebook without a cell are its JSON's.
    ``in_file``          where a notebook's findings and repairs are in its JSON; None when no notebook was looked at.
    ``spared``           how many repairs were left alone because their findings are known (a baseline, another revision).
    ``comments``         how many suppression comments were written or made longer, and for how many findings.
    ``unjudged``         the rules for which there was no time somewhere, in order.
    ``goes_on``          whether the next run will have more time for them: what this one has read or judged is kept.
    """

    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    advice: int = 0
    fixed: dict[Path, dict[tuple[str, str], int]] = field(default_factory=dict)
    checked: Sequence[Path] = ()
    errors: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    internal_errors: int = 0
    statistics: dict[str, int] = field(default_factory=dict)
    diffs: list[tuple[Path, str, str]] = field(default_factory=list)
    stdin_output: bytes | None = None
    lines_of: Callable[[Path, int | None], Sequence[str]] = no_lines
    in_file: InFile | None = None
    spared: int = 0
    comments: tuple[int, int] = (0, 0)
    unjudged: Sequence[str] = ()
    goes_on: bool = False

    @property
    def files_checked(self) -> int:
        """How many files were looked at."""
        return len(self.checked)


def write_report(code: str, error: BaseException) -> Path:
    """Write what is known of a failure (no line of the checked code) to a new temporary file and return its path."""
    import platform
    import tempfile
    import traceback

    text = "".join(
        [
            f"trainlint failed in {code} under Python {platform.python_version()} on {platform.platform()}\n\n",
            *traceback.format_exception(type(error), error, error.__traceback__),
        ]
    )
    with tempfile.NamedTemporaryFile(
        "w", prefix="trainlint-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
    ) as file:
        file.write(text)
    return Path(file.name)
