"""trainlint inside pylint: each rule is a message, each family of rules a checker.

What astroid knows of installed packages: it reads their source, and runs none of it.

The numbers are stable: the family's digit after 6 (checkers outside of pylint have 51 to 99), then the last two digits
of the code. TL101 is E6101 ``rank-conditional-collective``, TL103 is W6103. The letter is the level that the rule has
in the catalogue; advice is R, and off by default as it is in trainlint. Rules of other installed packages have numbers from
7000 on: two digits by what their codes begin with (and their first digit), then the last two of the code.
"""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import astroid
from astroid import bases, nodes, util
from pylint.checkers import BaseChecker
from pylint.interfaces import HIGH, INFERENCE, Confidence

from trainlint.app.engine.project import is_project, project_root
from trainlint.app.engine.workers import will_be_copied
from trainlint.app.frontends.session import Session
from trainlint.app.report.places import headline
from trainlint.codes import CODES, DEFAULT, INSTALLED
from trainlint.config import ConfigError, Overrides, find_settings
from trainlint.finding import Finding
from trainlint.regular import absolute_path
from trainlint.rules import registry

if TYPE_CHECKING:
    from pylint.lint import PyLinter


class AstroidClasses:
    """Answers :class:`trainlint.program.library_types.ExternalTypes` for pylint, with the packages that pylint sees."""

    def classes(self, holder: str, attribute: str) -> Sequence[str]:
        """The class of what ``holder`` is or returns, and those above it, up to the one that defines the attribute."""
        try:
            cls = _class(holder)
            if cls is None:
                return ()
            line = [cls, *cls.ancestors()]
        except (astroid.AstroidError, RecursionError):
            return ()
        defining = (index for index, one in enumerate(line) if attribute in one.locals or attribute in one.instance_attrs)
        last = next(defining, None)
        return [] if last is None else [name for one in line[: last + 1] for name in _names(one)]


def _names(cls: nodes.ClassDef) -> Iterator[str]:
    """The dotted names of a class: where it is defined, and where a package may hand it on (``a.b.C``, ``a.C``)."""
    parts = cls.root().name.split(".")
    for count in range(len(parts), 0, -1):
        yield ".".join((*parts[:count], cls.name))


def _class(dotted: str) -> nodes.ClassDef | None:
    """The class that a dotted name means, or of which the function of that name returns an object, when it is a single one."""
    found = _named(dotted)
    if isinstance(found, nodes.ClassDef):
        return found
    if not isinstance(found, nodes.FunctionDef):
        return None
    results = [each for each in found.infer_call_result(None) if not (isinstance(each, nodes.Const) and each.value is None)]
    classes = {each._proxied if isinstance(each, bases.Instance) else None for each in results}  # noqa: SLF001 - it has no other name
    only = classes.pop() if len(classes) == 1 else None
    return only if isinstance(only, nodes.ClassDef) else None


def _named(dotted: str) -> nodes.NodeNG | None:
    """What a dotted name stands for, in the package that has it."""
    parts = dotted.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            current: nodes.NodeNG = astroid.MANAGER.ast_from_module_name(".".join(parts[:count]))
        except astroid.AstroidError:
            continue
        for part in parts[count:]:
            following = [] if not hasattr(current, "igetattr") else list(current.igetattr(part))
            if len(following) != 1 or following[0] is util.Uninferable:
                return None
            current = following[0]
        return current
    return None


_LETTERS = {"E": "E", "W": "W", "A": "R"}
_CONFIDENCE: Mapping[str, Confidence] = {"syntax": HIGH, "flow": INFERENCE, "heuristic": INFERENCE}
_LINTER = "trainlint-linter"
#: What is wrong with the configuration is said under the linter's own family, with a number that no rule has.
_CONFIGURATION = ("E6099", "trainlint-configuration", "Emitted when the configuration of trainlint cannot be used.")

#: The numbers of checkers that are neither pylint's nor ours; 99 is what people use for checkers of their own project.
_FREE = [str(number) for number in range(70, 99)]

Messages = dict[str, Any]


class FamilyChecker(BaseChecker):
    """The rules of one family (of another package: those whose codes begin alike, see :func:`_group`).

    All checkers of a process share one :class:`Session`, so the project is checked once.
    """

    def __init__(self, linter: PyLinter, group: str) -> None:
        self.group = self.name = group
        self.msgs = dict(_messages(group))
        super().__init__(linter)

    def visit_module(self, node: nodes.Module) -> None:
        """Report what stands in this file. The text is the one that pylint was given, also when the file on disk differs."""
        if node.file is None or node.file == "<?>":
            return
        session = _session(self.linter)
        with node.stream() as stream:
            given = stream.read()
        try:
            findings = session.findings(Path(node.file), given)
        except ConfigError as error:
            if self.group == _LINTER:
                self.add_message(_CONFIGURATION[1], node=node, line=1, args=(str(error),))
            return
        if self.group == _LINTER:
            for problem in session.problems():
                self.add_message(_CONFIGURATION[1], node=node, line=1, args=(problem,))
        for finding in findings:
            if _group(finding.code) == self.group:
                self._report(finding, node)

    def _report(self, finding: Finding, module: nodes.Module) -> None:
        span = finding.span
        rule = registry.load([finding.code])[0]
        self.add_message(
            finding.name,
            node=_node_at(module, span.line),  # of which pylint's comments for blocks are honoured
            line=span.line,
            col_offset=span.column - 1,
            end_lineno=span.end_line,
            end_col_offset=span.end_column - 1,
            args=(headline(finding),),
            confidence=_CONFIDENCE[rule.certainty],
        )


class LinterChecker(FamilyChecker):
    """What keeps the tool honest (TL0): files that cannot be read, comments that suppress nothing."""


class DistributedChecker(FamilyChecker):
    """Communication between ranks (TL1)."""


class DataChecker(FamilyChecker):
    """Samplers, loaders and shards (TL2)."""


class MemoryChecker(FamilyChecker):
    """Graphs and tensors that are kept (TL3)."""


class PrecisionChecker(FamilyChecker):
    """Mixed precision and numerics (TL4)."""


class CompilersChecker(FamilyChecker):
    """Accelerators that compile (TL5)."""


#: Of each family. Named ones: pylint sends checkers to its processes, by the names of their classes.
_CLASSES: Mapping[str, type[FamilyChecker]] = {
    _LINTER: LinterChecker,
    "trainlint-distributed": DistributedChecker,
    "trainlint-data": DataChecker,
    "trainlint-memory": MemoryChecker,
    "trainlint-precision": PrecisionChecker,
    "trainlint-compilers": CompilersChecker,
}


def register(linter: PyLinter) -> None:
    """Add a checker for each group of rules. Called twice (as pylint 3 does), it does nothing the second time."""
    there = {checker.name for checker in linter.get_checkers()}
    for group in dict.fromkeys(map(_group, registry.built())):
        if group not in there:
            linter.register_checker(_CLASSES.get(group, FamilyChecker)(linter, group))


def load_configuration(linter: PyLinter) -> None:
    """Check the project around the working folder before pylint copies this process, which it does for ``-j``.

    Which files it will be asked about pylint does not say here. Where they belong to another project each finds out what it is
    asked. Where the processes are no copies they share the project's cache.
    """
    if linter.config.jobs == 1 or linter.config.from_stdin or multiprocessing.parent_process() is not None:
        return
    here = Path.cwd()
    if will_be_copied() and is_project(project_root(here)):
        with contextlib.suppress(ConfigError):  # said when a file is asked for
            _session(linter).prepare(here)


def _group(code: str) -> str:
    """The checker of a rule: pylint wants all messages of one to have a number that begins alike."""
    family = f"trainlint-{CODES[code].family.removeprefix('trainlint-')}"
    return f"{family}-{code[:-2].lower()}" if code in INSTALLED.rows else family


_sessions: dict[frozenset[str], Session] = {}


def _session(linter: PyLinter) -> Session:
    """The session for the rules that pylint has on (its switches for single lines do not count here)."""
    wanted = frozenset(where.code for where in registry.built().values() if linter.is_message_enabled(where.name))
    if wanted not in _sessions:
        _sessions[wanted] = Session(wanted, asked=wanted - _on_here(), outside=AstroidClasses(), kept_for=_installed())
    return _sessions[wanted]


def _installed() -> str:
    """What changes when a package is installed, upgraded or removed where astroid looks for them.

    Folders of the project are not among them: what its files hold is known of each, and an editor may write beside them.
    """
    here = os.getcwd()  # noqa: PTH109 - as it is spelled on the path
    folders = [each for each in sys.path if each.endswith("-packages") or not f"{absolute_path(each)}/".startswith(f"{here}/")]
    stamps = [os.stat(each).st_mtime_ns for each in folders if os.path.exists(each)]  # noqa: PTH110, PTH116 - in every run
    return hashlib.sha256(repr([astroid.__version__, folders, stamps]).encode()).hexdigest()


def _messages(group: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    if group == _LINTER:
        number, symbol, description = _CONFIGURATION
        yield number, ("%s", symbol, description)
    on = _on_here()
    for rule in registry.load(registry.built()):
        if _group(rule.code) == group:
            yield (
                number_of(rule.code),
                ("%s", rule.name, _description(rule.code, rule.summary), {"default_enabled": rule.code in on}),
            )


@cache
def _on_here() -> frozenset[str]:
    """What is on by default, or by the configuration of the working folder: so are the messages, but for pylint's own options."""
    try:
        return DEFAULT | find_settings(Path.cwd(), Overrides()).codes
    except ConfigError:  # said when a file is asked for
        return DEFAULT


def number_of(code: str) -> str:
    """The number of a rule inside pylint."""
    beginning = f"6{code[2]}" if code not in INSTALLED.rows else _beginnings()[code[:-2]]
    return f"{_LETTERS[CODES[code].level]}{beginning}{code[-2:]}"


@cache
def _beginnings() -> Mapping[str, str]:
    """Of the codes of other packages (all but two digits) → the two digits that their numbers begin with.

    They follow from the code alone, unless two packages come to the same ones: then the later one takes the next.
    """
    taken: dict[str, str] = {}
    for begin in sorted({code[:-2] for code in INSTALLED.rows}):
        start = zlib.crc32(begin.encode()) % len(_FREE)
        order = [*_FREE[start:], *_FREE[:start]]
        taken[begin] = next((number for number in order if number not in taken.values()), order[0])
    return taken


def _description(code: str, summary: str) -> str:
    return f"{code}: {summary} `trainlint rule {code}` shows the whole page."


def _node_at(module: nodes.Module, line: int) -> nodes.NodeNG:
    """The innermost node that holds the line."""
    node: nodes.NodeNG = module
    while True:
        inner = next((child for child in node.get_children() if _holds(child, line)), None)
        if inner is None:
            return node
        node = inner


def _holds(node: nodes.NodeNG, line: int) -> bool:
    first, last = node.fromlineno, node.tolineno
    return first is not None and last is not None and first <= line <= last
