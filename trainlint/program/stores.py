"""What is stored in containers and global names after they were constructed, and what may be under a key because of it.

``box = [False]``, under a test ``box[0] = True``, and later ``if box[0]``: the term of the last is an item of
``[False]``. What became of it in between is a change, in one function, with the tests around it and its line.

Dicts that are passed on are often records: one kind of object under each name (``source["sampler"] = Buckets(…)``,
then ``source["sampler"]``). Where such a dict goes through a registry, nobody can follow it from the place that fills
it to the place that reads it. So an item of a container out of sight is taken to be of the one class, or made by the
one library call, that is stored under this very key anywhere around; where two kinds of objects are, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, Tests, conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, Element, Global, List, Self, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Statement, Store
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.heap import contained
from trainlint.program.program import Program
from trainlint.program.values import Context, Instance, Library, LibraryObject, Unresolved, Value


def set_from_outside(program: Program) -> dict[str, list[tuple[str, Function]]]:
    """By name: the functions, with their files, that set an attribute of an object that is not theirs (``config.rank = 0``)."""
    found: dict[str, list[tuple[str, Function]]] = {}
    for path, function in program.functions():
        for node in of_kind(function, Store):
            if isinstance(node.target, Attr) and not isinstance(node.target.base, Self):
                found.setdefault(node.target.name, []).append((path, function))
    return found


class Change(NamedTuple):
    """A change of a container or tensor.

    ``key`` is the item (None: all of it), ``value`` what it is set to; ``how``: ``set``, ``more`` (a further item), ``unknown``.
    ``tests`` lead to it: conditions, or a handler, each with the arm.
    """

    key: Term | None
    value: Term | None
    how: str
    tests: Led
    line: int


class Added(NamedTuple):
    """One item that is added, and the tests that lead there."""

    value: Term
    tests: Tests


class Changes(NamedTuple):
    """The changes in a function, by what is changed, first to last; and the loops of the function."""

    of: dict[Term, list[Change]]
    loops: tuple[Spot, ...]


class Contents:
    """The changes in the functions of a program, read on demand."""

    def __init__(self, program: Program) -> None:
        self.known = program.knowledge
        self._changes: dict[int, Changes | None] = {}

    def changes(self, function: Function) -> Changes | None:
        """What a function changes; None when it changes nothing."""
        key = id(function)
        if key not in self._changes:
            found: dict[Term, list[Change]] = {}
            if any(self._is_change(node) for node in statements_of(function)):
                for node, led in walk_tested(function.body):
                    changed = self._change(node, led)
                    if changed is not None:
                        found.setdefault(changed[0], []).append(changed[1])
            loops = tuple(node.spot for node in statements_of(function) if isinstance(node, Loop)) if found else ()
            self._changes[key] = Changes(found, loops) if found else None
        return self._changes[key]

    def added(self, display: Term, function: Function) -> list[Added] | None:
        """What a function adds to a list or set that it writes down, an item at a time; None where it does anything else to it.

        What is added in a loop, or where something fails, may be any number of items: that is None too.
        """
        known = self.changes(function)
        found: list[Added] = []
        for change in known.of.get(display, ()) if known is not None else ():
            looped = known is not None and any(spot.line <= change.line <= spot.end_line for spot in known.loops)
            tests = conditions(change.tests)
            if change.how != "more" or change.value is None or looped or len(tests) < len(change.tests):
                return None
            found.append(Added(change.value, tests))
        return found

    def is_changed(self, term: Term, function: Function) -> bool:
        """Whether a function puts something into a list, dict or tensor."""
        if not isinstance(term, (List, Dict, Call)):
            return False
        known = self.changes(function)
        return known is not None and self.storage(term) in known.of

    def storage(self, term: Term) -> Term:
        """What a view of something is a view of."""
        while True:
            viewed = term.callee if isinstance(term, Call) else term
            if not isinstance(viewed, Attr) or viewed.name not in self.known.storage:
                return term
            term = viewed.base

    def _is_change(self, node: object) -> bool:
        if isinstance(node, Keep):
            return isinstance(node.target, Subscript)
        return isinstance(node, CallStep) and self._changing(node.term) is not None

    def _changing(self, call: Call) -> str | None:
        """How a method changes its object; None for one that does not, as far as its name says."""
        callee = call.callee
        if not isinstance(callee, Attr):
            return None
        name = callee.name
        if name in self.known.changes:
            return self.known.changes[name]
        return "unknown" if name.endswith("_") and not name.startswith("_") and name != "requires_grad_" else None

    def _change(self, node: Statement, led: Led) -> tuple[Term, Change] | None:
        """What a statement changes, and how."""
        if isinstance(node, Keep) and isinstance(node.target, Subscript):
            how = "set" if node.kind != "AugAssign" else "unknown"
            return self.storage(node.target.base), Change(node.target.key, node.value, how, led, node.spot.line)
        changing = self._changing(node.term) if isinstance(node, CallStep) else None
        if changing is None or not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr):
            return None
        return self.storage(node.term.callee.base), _method(node.term, changing, led)


def _method(call: Call, how: str, tests: Led) -> Change:
    line = call.site.line
    if how == "first" and call.args:
        return Change(None, call.args[0], "set", tests, line)
    if how in ("more", "unknown"):
        return Change(None, call.args[0] if call.args else None, how, tests, line)
    value = Const.new("int", int(how)) if how.lstrip("-").isdigit() else None
    return Change(None, value, "set" if value is not None else "unknown", tests, line)


def values_under(program: Program, item: Term, frame: Context) -> Iterator[Value]:
    """The values that an item of a container may be; nothing for a term that is no item, or of a container out of sight."""
    container = _container(program, item, frame)
    if container is None:
        return
    for value in program.values(container, frame):
        yield from contained(program, value)
        if isinstance(value, Unresolved) and isinstance(value.term, (Dict, List)):
            changes = program.ask(Contents).changes(value.frame.function)
            for change in changes.of.get(value.term, ()) if changes is not None else ():
                if change.value is not None:
                    yield from program.values(change.value, value.frame)


def _container(program: Program, item: Term, frame: Context) -> Term | None:
    """The container of which a term is an item: one under a key, or one that a loop draws."""
    if not isinstance(item, (Subscript, Element)):
        return None
    base: Term = item.stem
    if isinstance(item, Subscript) and not isinstance(base, Element):
        return base
    part = item.key.value if isinstance(item, Subscript) and isinstance(item.key, Const) else None
    drawn = base.of if isinstance(item, Subscript) and isinstance(base, Element) else base
    if not isinstance(drawn, Call):
        return drawn if isinstance(item, Element) else None
    if isinstance(drawn.callee, Attr) and drawn.callee.name in program.knowledge.views:
        wanted = "value" if isinstance(item, Element) else "pair"
        return drawn.callee.base if program.knowledge.views[drawn.callee.name] == wanted and part in (None, 1) else None
    for callee in program.values(drawn.callee, frame):
        shape = program.knowledge.iterates.get(callee.name) if isinstance(callee, Library) else None
        if shape == "zipped" and type(part) is int and 0 <= part < len(drawn.args):
            return drawn.args[part]
        if drawn.args and ((shape == "indexed" and part == 1) or (shape == "same" and isinstance(item, Element))):
            return drawn.args[0]
    return None


class KeyedStores:
    """The values under written-down keys of a program, by the key."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._stores: dict[str, list[tuple[str, Function, Term]]] = {}
        for path, function in program.functions():
            for node in of_kind(function, Keep):
                key = key_of(node.target)
                if key is not None:
                    self._stores.setdefault(key, []).append((path, function, node.value))

    def under(self, item: Term, asking: str) -> tuple[Value, ...]:
        """The objects that may be meant by an item of a container out of sight, asked for in the file ``asking``."""
        key = key_of(item)
        found: list[Value] = []
        for path, function, value in self._stores.get(key or "", ()):
            if not self.program.together(path, asking) or isinstance(value, Const):
                continue
            for each in self.program.values(value, self.program.frame(path, function)):
                if not isinstance(each, (Instance, LibraryObject)):
                    return ()
                found.append(each)
        return tuple(dict.fromkeys(found)) if len(set(_kinds(found))) == 1 else ()


def key_of(term: Term) -> str | None:
    """The key of an item, where it is written down and a text."""
    if isinstance(term, Subscript) and isinstance(term.key, Const) and isinstance(term.key.value, str):
        return term.key.value
    return None


def _kinds(found: list[Value]) -> Iterator[object]:
    for each in found:
        yield id(each.cls) if isinstance(each, Instance) else each.name if isinstance(each, LibraryObject) else None


Stores = dict[str, list[tuple[Function, Term]]]


def global_stores(program: Program, path: str) -> Stores:
    """For each name that functions of a file declare ``global`` and bind: which function, and to what."""
    found: Stores = {}
    module = program.modules[path]
    for function in module.functions.values() if module.rebound else ():
        for node in of_kind(function, Store) if function.kind != "module" else ():
            if isinstance(node.target, Global) and node.target.name in module.rebound:
                found.setdefault(node.target.name, []).append((function, node.value))
    return found
