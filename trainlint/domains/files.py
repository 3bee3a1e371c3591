"""What a program does with files: which calls write, make, delete or read one, and which argument is the path.

Marker files are looked for and never read: they are there to tell a job something while it runs.
``os.path.exists("STOP")``: somebody makes the file at some moment, and ranks look for it at different ones. A file
that is read afterwards is another matter: it was there before the job, on a file system that all ranks share.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.ir.nodes import Access, Attr, BinOp, Call, Const, Dict, Element, Global, Param, Ref, SequenceDisplay, Term
from trainlint.ir.printer import show
from trainlint.ir.terms import is_text, parts_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.enclosing import surroundings
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Context, FunctionValue, Instance, Library, LibraryObject, Unresolved, names_class

#: Letters of modes of ``open`` that write; ``r+`` is used for reading files that are there, more often than not.
_WRITING = frozenset("wax")
#: What the methods of paths are called after.
PATH = "pathlib.Path"
#: The place of a path that is given by keyword only: without one, nothing is done.
_TOLD = "99"


class Operation(NamedTuple):
    """What a call does: ``kind`` is ``write``, ``make``, ``link``, ``remove``, ``read`` or ``track``, ``path`` a term."""

    kind: str
    name: str
    path: Term | None


class Operations:
    """The calls that do something with files."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self._tables = {
            "write": knowledge.file_writes,
            "open": knowledge.file_opens,
            "make": knowledge.file_makes,
            "link": knowledge.file_links,
            "remove": knowledge.file_removes,
            "read": knowledge.file_reads,
            "download": knowledge.file_downloads,
            "track": knowledge.trackers,
        }
        self._known: dict[str, tuple[str, str]] = {}
        for kind, table in self._tables.items():
            for name, where in table.items():
                self._known[name] = (kind, where)
        self._of_paths = {name.rpartition(".")[2]: known for name, known in self._known.items() if name.startswith(PATH)}
        self._names: dict[str, set[str]] = {}
        for name, (kind, _) in self._known.items():
            self._names.setdefault(kind, set()).add(name.rpartition(".")[2])
        for name, said in knowledge.file_methods.items():
            self._names.setdefault(said.split()[0], set()).add(name)

    def names(self, *kinds: str) -> set[str]:
        """The last parts of the names of calls that may be of these kinds (``write`` includes what only may write)."""
        return set().union(*(self._names.get(kind, ()) for kind in kinds), self._names["open"], self._names["download"])

    def sites(self, *kinds: str) -> Iterator[CallSite]:
        """The calls that may be of these kinds, by their names alone."""
        index = self.program.ask(CallGraph)
        for name in sorted(index.names & self.names(*kinds)):
            yield from index.sites_named(name)

    def may_be(self, call: Call) -> bool:
        """Whether a call of which nothing is known may do something with files once its receiver is known."""
        return isinstance(call.callee, Attr) and (
            call.callee.name in self._of_paths or call.callee.name in self.program.knowledge.file_methods
        )

    def of(self, call: Call, frame: Context) -> Operation | None:
        """What a call does with a file in an activation; None when it does nothing, or nobody knows."""
        found: set[Operation | None] = set()
        for value in self.program.values(call.callee, frame):
            found.add(self._of_value(value, call, frame))
        return found.pop() if len(found) == 1 else None

    def _of_value(self, value: object, call: Call, frame: Context) -> Operation | None:
        callee = call.callee
        if isinstance(value, Library):
            known = self._known.get(value.name)
            if known is not None:
                return self._operation(value.name, *known, call)
            if isinstance(callee, Ref):
                return self._of_class(callee.name, call)
        elif not isinstance(value, Unresolved):
            return None
        if not isinstance(callee, Attr):
            return None
        if isinstance(value, FunctionValue):
            return None
        name = callee.name
        said = self.program.knowledge.file_methods.get(name)
        if said is not None and not self._is_module(callee.base, frame):
            kind, _, where = said.partition(" ")
            return self._operation(name, kind, where, call)
        known = self._of_paths.get(name)
        if known is not None and self.is_path(callee.base, frame):
            return self._operation(f"{PATH}.{name}", *known, call)
        return None

    def _of_class(self, name: str, call: Call) -> Operation | None:
        """What a method of a library does with a file, by its name, called of its class (``AutoModel.from_pretrained``)."""
        owner, _, method = name.rpartition(".")
        said = self.program.knowledge.file_methods.get(method) if names_class(owner) else None
        if said is None:
            return None
        kind, _, where = said.partition(" ")
        return self._operation(method, kind, where, call) if kind == "read" else None

    def _is_module(self, receiver: Term, frame: Context) -> bool:
        return any(isinstance(value, Instance) for value in self.program.values(receiver, frame))

    def is_path(self, term: Term, frame: Context) -> bool:
        """Whether a term surely is a ``pathlib`` path: made as one, or put together with ``/``."""
        if isinstance(term, BinOp) and term.op == "Div":
            return self.is_path(term.left, frame) or self.is_path(term.right, frame) or is_text(term.right)
        if isinstance(term, Element):
            return self._lists_paths(term.of, frame)
        for value in self.program.values(term, frame):
            if isinstance(value, LibraryObject) and (value.name == PATH or value.name.startswith(PATH + ".")):
                return True
            if isinstance(value, Unresolved) and value.term is not term and isinstance(value.term, BinOp):
                return self.is_path(value.term, value.frame)
        return False

    def _lists_paths(self, subject: Term, frame: Context) -> bool:
        """Whether a loop goes over what a path's method lists, in whatever order: then it draws paths."""
        if not isinstance(subject, Call):
            return False
        if isinstance(subject.callee, Attr):
            return f"{PATH}.{subject.callee.name}" in self.program.knowledge.listings and self.is_path(subject.callee.base, frame)
        values = self.program.values(subject.callee, frame)
        orders = any(isinstance(value, Library) and value.name in self.program.knowledge.relists for value in values)
        return orders and len(subject.args) > 0 and self._lists_paths(subject.args[0], frame)

    def _operation(self, name: str, kind: str, where: str, call: Call) -> Operation | None:
        position, _, keyword = where.partition(" ")
        path = call.callee.base if position == "self" and isinstance(call.callee, Attr) else argument(call, position, keyword)
        if kind == "open":
            after = "0" if position == "self" else str(int(position) + 1)
            mode = argument(call, after, "mode")
            if mode is None or not isinstance(mode, Const) or not isinstance(mode.value, str):
                return Operation("read", name, path) if mode is None else None
            return Operation("read" if _WRITING.isdisjoint(mode.value) else "write", name, path)
        if kind == "download":
            told = argument(call, "", "download")
            if told is not None and not isinstance(told, Const):
                return None  # perhaps one rank only is told to
            return Operation("write" if told is not None and told.value else "read", name, path)
        if kind == "track" and position == _TOLD and path is None:
            return None
        return Operation(kind, name, path)


def looked_for(program: Program, condition: Term, frame: Context) -> Iterator[Term]:
    """The paths of which a test asks whether they are there."""
    for part in parts_of(condition):
        if isinstance(part, Call):
            values = program.values(part.callee, frame)
            if part.args and any(isinstance(value, Library) and value.name in program.knowledge.asks for value in values):
                yield part.args[0]
            elif not part.args and isinstance(part.callee, Attr) and f"{PATH}.{part.callee.name}" in program.knowledge.asks:
                yield part.callee.base


def argument(call: Call, position: str, keyword: str) -> Term | None:
    """The argument at a position, or with a keyword; None when it is not passed."""
    for name, value in call.kwargs:
        if name == keyword:
            return value
    if position.isdigit() and len(call.args) > int(position):
        return call.args[int(position)]
    return None


class Markers:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        tests = (name for name, word in program.knowledge.data.items() if word == "file")
        self._joins = frozenset(name.rpartition(".")[2] for name in program.knowledge.joins_paths)
        self._tests = frozenset(name.rpartition(".")[2] for name in tests)

    def is_marker(self, asked: Term, frame: Context) -> bool:
        """Whether the file that a test looks for is used by nothing else in its file of the project."""
        if not isinstance(asked, Call):
            return False
        path = asked.args[0] if asked.args else asked.callee.base if isinstance(asked.callee, Attr) else None
        if path is None:
            return False
        parts = _parts(path, self._joins)
        named = bool(parts) and (parts[-1] or "").startswith(("'", '"'))
        if not parts or not (named or self.program.ask_of(surroundings, frame.function).of(asked).loops):
            return False  # a setting names the file: one that is looked for once is read by whatever else has that setting
        return None not in parts and not any(self._uses(frame.module).get(part or "", 0) for part in parts)

    @remembered()
    def _uses(self, module: str) -> dict[str, int]:
        """How often each constant, attribute and path is given to a call that is no test for a file, in one file."""
        known: dict[str, int] = {}
        for function in self.program.modules[module].functions.values():
            for node in calls_of(function):
                call = node.term
                name = last_name(call.callee)
                if name in self._tests or name in self._joins:
                    continue
                for given in (*call.args, *(value for _, value in call.kwargs)):
                    for part in _named_in(given, self._joins):
                        known[part or ""] = known.get(part or "", 0) + 1
        return known


def _parts(path: Term, joins: frozenset[str]) -> list[str | None]:
    """The folders and names that a path is made of, as they are written down; None for one that nobody can name."""
    if isinstance(path, Call) and isinstance(path.callee, (Attr, Ref)):
        if last_name(path.callee) not in joins:
            return [None]
        first = [path.callee.base] if isinstance(path.callee, Attr) else []
        return [part for given in (*first, *path.args) for part in _parts(given, joins)]
    if isinstance(path, BinOp) and path.op == "Div":
        return [*_parts(path.left, joins), *_parts(path.right, joins)]
    if isinstance(path, Const):
        return [show(path)] if isinstance(path.value, str) else [None]
    return [show(path)] if isinstance(path, (Access, Param, Global)) else [None]


def _named_in(given: Term, joins: frozenset[str]) -> list[str | None]:
    """The same of what a call is given, and of what is in its dicts and lists."""
    if isinstance(given, Dict):
        return [part for _, value in given.items if value is not None for part in _named_in(value, joins)]
    if isinstance(given, SequenceDisplay):
        return [part for item in given.items for part in _named_in(item, joins)]
    return _parts(given, joins)
