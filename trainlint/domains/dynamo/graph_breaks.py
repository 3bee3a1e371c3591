"""Graph breaks: what torch.compile cannot take into a graph, in the functions it compiles and in all that they call.

Branches on the values of tensors in compiled functions, and where to point at: tests, loops, conditional
expressions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.dynamo.tensors import TracedTensors
from trainlint.domains.nn.modules import of_module
from trainlint.domains.traced.functions import Reached, Root, Surely, reached
from trainlint.edits.changes import Change, RemoveStatement, Rewrite
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    LoopPhi,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Statement, Store
from trainlint.ir.terms import dotted_name, mentions, parts_of, whole_number
from trainlint.ir.walk import is_assertion, of_kind, roots
from trainlint.program.call_graph import CallSite, last_name
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import in_tests, tests_software
from trainlint.program.values import ClassValue, Context, Library

_KINDS: dict[type[Term], str] = {
    Compare: "Compare",
    Not: "UnaryOp",
    And: "BoolOp",
    Or: "BoolOp",
    Param: "Name",
    LoopPhi: "Name",
    Attr: "Attribute",
}


#: Conditions that are no assertion of one tensor any more (run in torch 2.13: these break the graph).
_SPLIT = (Not, BoolOp)


class Place(NamedTuple):
    """Where something is that no graph can hold: a word for it, its spot and the parser's class there, the statement around."""

    what: str
    spot: Spot
    node: str
    statement: Spot


class Branches:
    """The branches of one function in one activation."""

    def __init__(self, surely: Surely, tensors: TracedTensors, function: Function, frame: Context) -> None:
        self.tensors = tensors
        self.function = function
        self.frame = frame
        self._tested = {node.condition for node in of_kind(function, If)}
        self._tested |= {node.subject for node in of_kind(function, Loop) if node.kind == "while"}
        #: The conditions that are no test of a statement, by the call that each is about.
        self._about: dict[Term, list[Term]] = {}
        for condition in surely.conditions(function):
            largest = _largest(condition) if condition not in self._tested else None
            if largest is not None:
                self._about.setdefault(largest, []).append(condition)
        self._seen: set[Term] = set()

    def at(self, node: Statement) -> Place | None:
        """The branch that a statement is, or in which what it uses was chosen."""
        if isinstance(node, If):
            return self._test(node)
        if isinstance(node, Loop):
            return self._loop(node)
        return (self._call(node) if isinstance(node, CallStep) else None) or self._chosen(node)

    def _is_new(self, condition: Term) -> bool:
        """Whether a condition is about the values of a tensor, and was not found before."""
        if condition in self._seen or not self._is_branch(condition):
            return False
        self._seen.add(condition)
        return True

    def _is_branch(self, condition: Term) -> bool:
        return self.tensors.is_tensor(_first(condition), self.frame)

    def _test(self, node: If) -> Place | None:
        if is_assertion(node) and not isinstance(node.condition, _SPLIT):
            return None  # the compiler takes it in
        if not self._is_new(node.condition):
            return None
        inside = self._call_in(node.condition, node.test)
        if inside is not None:
            return Place("branch", inside, "Call", node.spot)
        kind = _KINDS.get(type(node.condition))
        return Place("branch", node.test, kind, node.spot) if kind is not None else None

    def _loop(self, node: Loop) -> Place | None:
        if node.kind != "while" or not self._is_new(node.subject):
            return None
        inside = self._call_in(node.subject, node.spot)
        if inside is not None:
            return Place("branch", inside, "Call", node.spot)
        return Place("branch", node.spot, "While", node.spot)

    def _call_in(self, condition: Term, within: Spot) -> Spot | None:
        """The call in a condition, the largest of those that stand there."""
        spots = [part.site for part in parts_of(condition) if isinstance(part, Call) and within.holds(part.site)]
        return max(spots, key=lambda spot: (spot.end_line - spot.line, spot.end_column - spot.column), default=None)

    def _call(self, node: CallStep) -> Place | None:
        """A call that computes what a branch or conditional expression is about of which nothing else is left."""
        found = any(self._is_new(condition) for condition in self._about.get(node.term, ()))
        return Place("branch", node.term.site, "Call", node.statement) if found else None

    def _chosen(self, node: Statement) -> Place | None:
        """A statement that uses what a conditional expression chose by a tensor that was given."""
        for root in roots(node):
            for part in parts_of(root):
                if (
                    not isinstance(part, Select)
                    or part.test in self._tested
                    or _largest(part.test) is not None
                    or not self._is_new(part.test)
                ):
                    continue
                if isinstance(node, CallStep):
                    return Place("branch", node.term.site, "Call", node.statement)
                if isinstance(node, Exit) and node.kind == "return":
                    return Place("branch", node.spot, "Return", node.spot)
                if isinstance(node, (Store, Keep)):
                    return Place("branch", node.spot, node.kind, node.spot)
        return None


def _largest(condition: Term) -> Term | None:
    """The call in a condition that stands in none of the others."""
    found = [part for part in parts_of(condition) if isinstance(part, Call)]
    return next((one for one in found if not any(one is not other and mentions(other, one) for other in found)), None)


def _first(condition: Term) -> Term:
    """What a condition is about, without ``not`` and further operands."""
    while isinstance(condition, (Not, BoolOp)):
        condition = condition.operand if isinstance(condition, Not) else condition.operands[0]
    return condition


DYNAMO = frozenset(("dynamo",))
_FULL, _OFF = "fullgraph", "disable"
#: What a setting may let the compiler take in: words of the table ``dynamo``.
_NUMBERS, _SHAPES, _SAYS = "number", "shape", "says"
#: Functions of the language that make a number of a tensor.
_TO_NUMBERS = ("builtins.float", "builtins.int")


class Break(NamedTuple):
    """One place where the graph breaks; ``what``: "branch", "number", "shape", "says", "clock", "random", "file", "counter".

    ``way`` are the calls that lead there from the function that ``root`` compiles.
    """

    module: str
    what: str
    spot: Spot
    node: str
    statement: Spot
    root: Root
    way: tuple[CallSite, ...]
    change: Change | None = None


class _Search:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.tables = program.knowledge.tables
        self.tensors: TracedTensors = program.ask(TracedTensors)
        self.surely = Surely(program)
        self.words: Mapping[str, str] = self.tables["dynamo.breaks"]
        self.settings = {name: word for name, word in self.tables["dynamo"].items() if word in (_NUMBERS, _SHAPES, _SAYS)}
        self._taken_in: dict[str, frozenset[str]] = {}

    def all(self) -> Iterator[Break]:
        for step in self.program.ask_of(reached, DYNAMO).values():
            root = step.root
            if in_tests(root.frame.module) or tests_software(self.program, root.frame.module, root.frame.function):
                continue
            if _is(root, _FULL, True) or _may_be(root, _OFF) or not self.surely.reaches(step):
                continue
            left_out = self._left_out(step.module)
            if _may_be(root, _FULL):
                left_out |= {_NUMBERS, _SHAPES}
            seen: set[Spot] = set()
            for found in self._in(step):
                if found.what not in left_out and found.statement not in seen:
                    seen.add(found.statement)
                    yield found

    def _left_out(self, module: str) -> frozenset[str]:
        """What settings of the project let the compiler take in."""
        component = self.program.component(module)
        known = self._taken_in.get(component)
        if known is None:
            known = self._taken_in[component] = frozenset(self._set_in(component))
        return known

    def _set_in(self, component: str) -> Iterator[str]:
        for path, function in self.program.functions():
            if self.program.component(path) != component:
                continue
            targets: list[Term] = [node.target for node in of_kind(function, Store) if isinstance(node.target, (Attr, Ref))]
            targets += [node.term.callee.base for node in calls_of(function) if isinstance(node.term.callee, Attr)]
            for target in targets:
                dotted = dotted_name(target)
                word = self.settings.get(self.program.knowledge.canonical(dotted)) if dotted is not None else None
                if word is not None:
                    yield word

    # -- one function ----------------------------------------------------------------------------------------------

    def _in(self, step: Reached) -> Iterator[Break]:
        frame, function = step.frame, step.function
        way = tuple(step.way())
        branches = Branches(self.surely, self.tensors, function, frame)
        for node, led in self.surely.statements(function):
            if self.surely.runs(led, frame):
                for found in (self._of(node, function, frame), branches.at(node)):
                    rare = found is not None and found.what == _SAYS and not self.surely.runs(led, frame, given=False)
                    if found is not None and not rare:
                        yield Break(step.module, *found, step.root, way, _change(found, node))

    def _of(self, node: Statement, function: Function, frame: Context) -> Place | None:
        if isinstance(node, CallStep):
            what = self._call(node.term, frame) or self._picked(node, frame)
            return Place(what, node.term.site, "Call", node.statement) if what is not None else None
        if isinstance(node, (Keep, Store)) and self._counts(node, function, frame):
            return Place("counter", node.spot, node.kind, node.spot)
        return None

    def _call(self, call: Call, frame: Context) -> str | None:
        callee, given = call.callee, call.args
        if isinstance(callee, Attr) and not given and callee.name in self.tables["dynamo.fetches"]["names"]:
            return _NUMBERS if self.tensors.is_tensor(callee.base, frame) else None
        names = [value.name for value in self.program.values(callee, frame) if isinstance(value, Library)]
        for name in names:
            word = self.words.get(name)
            if word is not None:
                return word
            if name in _TO_NUMBERS and len(given) == 1 and self.tensors.is_tensor(given[0], frame):
                return _NUMBERS
        return self._shape(call, frame, names)

    def _shape(self, call: Call, frame: Context, names: list[str]) -> str | None:
        """A call whose result has as many items as values say."""
        shapes = self.program.knowledge.shapes
        alone = len(call.args) == 1 and not call.kwargs
        for name in names:
            if shapes.get(name) == "data" or (shapes.get(name) == "one-argument" and alone):
                return _SHAPES
        callee = call.callee
        method = last_name(callee) if isinstance(callee, Attr) else None
        if isinstance(callee, Attr) and any(word == "data" and name.endswith(f".{method}") for name, word in shapes.items()):
            return _SHAPES if self.tensors.is_tensor(callee.base, frame) else None
        return None

    def _picked(self, node: CallStep, frame: Context) -> str | None:
        """A call that is given, or is made on, items picked by a mask."""
        parts = (node.term.callee, *node.term.args, *(value for _, value in node.term.kwargs))
        for part in parts:
            inner = part.base if isinstance(part, Attr) else part
            if (
                isinstance(inner, Subscript)
                and self.tensors.is_tensor(inner.base, frame)
                and self.tensors.is_mask(inner.key, frame)
            ):
                return _SHAPES
        return None

    # -- counters --------------------------------------------------------------------------------------------------

    def _counts(self, node: Keep | Store, function: Function, frame: Context) -> bool:
        """Whether a number that a module keeps is another one after each call."""
        target, value = node.target, node.value
        if (
            not isinstance(target, Attr)
            or not isinstance(target.base, Self)
            or not isinstance(value, BinOp)
            or value.op not in ("Add", "Sub", "Mult")
        ):
            return False
        if value.left is not target or not isinstance(value.right, Const) or type(value.right.value) is not int:
            return False
        if not of_module(self.program, frame.module, function):
            return False
        cls = self.program.modules[frame.module].classes[function.cls or ""]
        own = (node.spot.line, node.spot.column)  # what `+=` leaves there, which nobody follows
        stored = [each for _, _, each in self.program.stores(ClassValue(frame.module, cls), target.name) if each is not value]
        stored = [each for each in stored if not isinstance(each, Unknown) or (each.line, each.column) != own]
        return bool(stored) and all(whole_number(each) is not None for each in stored)


def _change(found: Place, node: Statement) -> Change | None:
    """A number that stays a tensor; a line that nobody prints."""
    if found.what == _NUMBERS and isinstance(node, CallStep) and last_name(node.term.callee) != "tolist":
        step = ("receiver", 0) if isinstance(node.term.callee, Attr) else ("argument", 0)
        return Rewrite(Applicability.DISPLAY, "Keep it a tensor", spot=found.spot, code="{0}", paths=((step,),))
    if found.what == _SAYS and found.spot == found.statement:
        return RemoveStatement(Applicability.DISPLAY, "Leave it to the caller", statement=found.statement)
    return None


def _option(root: Root, name: str) -> Term | None:
    given = dict(root.call.kwargs) if root.call is not None else {}
    option: Term | None = given.get(name)
    return option


def _is(root: Root, name: str, value: bool) -> bool:
    option = _option(root, name)
    return option is not None and isinstance(option, Const) and option.value is value


def _may_be(root: Root, name: str) -> bool:
    """Whether an option may be on: it is given, and not written down as off."""
    if root.call is not None and any(key is None for key, _ in root.call.kwargs):
        return True
    return _option(root, name) is not None and not _is(root, name, False)


def breaks(program: Program) -> Iterator[Break]:
    """Each place in a compiled function where the graph breaks whenever it runs."""
    yield from _Search(program).all()


def cut_at(program: Program, module: str, spot: Spot) -> bool:
    """Whether the graph of a compiled function breaks at a place: that says more of it than that the host waits there."""
    return (module, spot) in program.ask(_places)


def _places(program: Program) -> frozenset[tuple[str, Spot]]:
    return frozenset((each.module, each.spot) for each in breaks(program))
