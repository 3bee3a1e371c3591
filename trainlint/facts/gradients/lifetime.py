"""Lifetimes: how long a container, a name or an attribute keeps what is put into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import site_of
from trainlint.facts.gradients.frameworks import Steps
from trainlint.facts.gradients.graphs import mentions
from trainlint.facts.gradients.initializers import beginnings
from trainlint.facts.gradients.sinks import Sink, holds_old, is_old
from trainlint.facts.loops import Loops, nested_loops
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, Instance, Made, Other
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Global,
    List,
    LoopPhi,
    Nested,
    Param,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import in_block, loops_around, made_in, made_within, within
from trainlint.ir.sketch import CallStep, Function, If, Keep, Loop, Statement, Store
from trainlint.ir.terms import is_call_of
from trainlint.ir.walk import statements_of, walk

_DEEPEST = 4
#: Rounds of a loop that are too few for a leak.
_FEW = 10


class Origin(NamedTuple):
    """Where a holder comes from.

    ``kind``: "made" (in this function, at ``spot``), "carried" (by a loop, at ``spot``), "attribute", "global",
    "parameter" (of this function).
    """

    kind: str
    spot: Spot | None = None


class Lifetimes:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.loops = program.ask(Loops)
        self.steps = program.ask(Steps)

    def root_of(self, term: Term) -> Term:
        """The container around an item: ``table`` for ``table["a"]`` and for ``table.setdefault("a", [])``."""
        while True:
            if isinstance(term, Subscript):
                term = term.base
            elif (
                isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.program.knowledge.hands_out
            ):
                term = term.callee.base
            elif isinstance(term, BinOp) and term.op == "Add":
                term = term.left
            else:
                return term

    # -- where it comes from ---------------------------------------------------------------------------------------

    def origin(self, holder: Term, frame: Frame, depth: int = 0) -> Origin | None:
        """Where the holder of a sink comes from; None when that cannot be said."""
        term = self.root_of(holder)
        if (isinstance(term, List) and not term.items) or isinstance(term, Dict):
            return Origin("made", Spot(term.line, term.column, term.line, term.column + 1))
        if isinstance(term, Unknown) and term in frame.function.drawn:
            return Origin("made", Spot(term.line, term.column, term.line, term.column + 1))
        if isinstance(term, LoopPhi) and term.at == "in":
            return Origin("carried", Spot(term.line, term.column, term.line, term.column + 1))
        if isinstance(term, Attr):
            inner = self.origin(term.base, frame, depth) if not isinstance(term.base, Self) else None
            return inner or (Origin("attribute") if isinstance(term.base, (Self, Param, Attr, Global)) else None)
        if isinstance(term, Global):
            return Origin("global")
        if isinstance(term, Param):
            return Origin("parameter") if term.function == frame.function.qualname else None
        if isinstance(term, Self):
            return Origin("attribute")
        if isinstance(term, Call):
            return self._returned(term, frame, depth)
        if isinstance(term, Select) and depth < _DEEPEST:
            return self.origin(term.then, frame, depth + 1) or self.origin(term.other, frame, depth + 1)
        return None

    def _returned(self, call: Call, frame: Frame, depth: int) -> Origin | None:
        """What a call made is as old as the call; what a method hands out of its object is as old as that."""
        for value in self.program.values(call, frame):
            if isinstance(value, (Made, Instance)) and value.call is call:
                return Origin("made", call.site)
            if isinstance(value, Other) and value.frame is not frame and depth < _DEEPEST and isinstance(call.callee, Attr):
                inner = self.origin(value.term, value.frame, depth + 1)
                if inner is not None and inner.kind == "attribute":
                    return self.origin(call.callee.base, frame, depth + 1)
        return None

    def grows(self, holder: Term, frame: Frame) -> bool:
        """Whether a holder is something that can hold more and more: no ``deque(maxlen=…)``, no object of a library."""
        for value in self.program.values(self.root_of(holder), frame):
            if isinstance(value, Made) and not value.name.startswith(("builtins.", "collections.")):
                return False
            if isinstance(value, Made) and value.call is not None and value.name in self.program.knowledge.limited_by:
                limit = self.loops.argument(value, self.program.knowledge.limited_by[value.name])
                if limit is not None and not (isinstance(limit, Const) and limit.value is None):
                    return False
            if isinstance(value, Instance):
                return False
        return True

    # -- loops -----------------------------------------------------------------------------------------------------

    def rounds(self, sink: Sink, origin: Origin) -> Iterator[Loop]:
        """The loops, innermost first, that run the sink again and again while the holder stays the same."""
        for loop in reversed(loops_around(sink.function, sink.spot)):
            if origin.kind == "made" and origin.spot is not None and made_within(sink.function, loop, origin.spot):
                return
            if origin.kind == "carried" and origin.spot is not None and isinstance(sink.holder, LoopPhi):
                if loop.spot[:2] == origin.spot[:2]:
                    if not has_few_rounds(loop):
                        yield loop
                    return
                continue
            if origin.kind == "carried" and origin.spot is not None and loop.spot[:2] == origin.spot[:2]:
                return
            if not has_few_rounds(loop):
                yield loop

    def one_step(self, sink: Sink, loop: Loop, origin: Origin, *, direct: bool) -> bool:
        """Whether a loop runs the parts of one optimizer step, and what it fills is gone when the step is done."""
        if origin.kind not in ("made", "carried"):
            return False
        names = self.program.knowledge.updates
        if origin.kind == "made" and _goes_over_optimizers(loop, names):
            return True
        if self.loops.says(sink.module, sink.function, loop.body, names):
            return False
        if direct or _counts(loop):  # a backward pass written out here, or for each of a number of parts: and no step after it
            return True
        # A function in a function may be the closure that an optimizer calls.
        return sink.function.outer is not None or self.loops.says(sink.module, sink.function, sink.function.body, names)

    def once(self, sink: Sink, loop: Loop) -> bool:
        """Whether the sink runs in one certain round of the loop only: under ``if step == 0``."""
        if loop.target is None:
            return False
        for node in walk(loop.body):
            if isinstance(node, If) and in_block(sink.function, node.body, sink.spot):
                test = node.condition
                if (
                    isinstance(test, Compare)
                    and test.op == "Eq"
                    and isinstance(test.right, Const)
                    and not isinstance(test.left, BinOp)
                    and mentions(test.left, frozenset((loop.target,)))
                ):
                    return True
        return False

    # -- what takes values out again -------------------------------------------------------------------------------

    def bounded(self, sink: Sink, loop: Loop | None, by: Sink | None = None) -> bool:
        """Whether a round of the loop (or a call of the function) can empty the holder, or bind it anew.

        ``by``: the call that runs the sink's method; else any of its callers may be the one that empties.
        """
        block = loop.body if loop is not None else sink.function.body
        root = self.root_of(sink.holder)
        first = beginnings(block, sink.holder, loop)
        for node in walk(block):
            if (
                isinstance(node, Keep)
                and node.spot not in first
                and node.spot != sink.spot
                and self._anew(node, sink.holder, root)
            ):
                return True
            if (
                isinstance(node, Store)
                and node.spot not in first
                and node.spot != sink.spot
                and node.target is root
                and node.kind != "AugAssign"
                and not holds_old(node.value, root)
            ):
                return True
            if isinstance(node, CallStep) and self._empties(node.term, sink.holder, root):
                return True
        return isinstance(root, Attr) and self._elsewhere(sink, root, loop, by)

    def _anew(self, node: Keep, holder: Term, root: Term) -> bool:
        """The name is bound to something else, or to a part of what it was."""
        if isinstance(node.target, LoopPhi) and isinstance(root, LoopPhi) and node.target.place == root.place:
            return not _grows(node.value, node.target)
        if node.target is holder and isinstance(holder, Subscript):
            return not holds_old(node.value, holder)
        return False

    def _empties(self, call: Call, holder: Term, root: Term) -> bool:
        names = self.program.knowledge.empties
        callee = call.callee
        if not isinstance(callee, Attr) or callee.name not in names | self.program.knowledge.ends_in_place:
            return False
        same = (
            callee.base is holder
            or self.root_of(callee.base) is root
            or (isinstance(root, LoopPhi) and isinstance(callee.base, LoopPhi) and callee.base.place == root.place)
        )
        return same or (isinstance(holder, LoopPhi) and holds_old(callee.base, holder))

    def _elsewhere(self, sink: Sink, root: Attr, loop: Loop | None, by: Sink | None) -> bool:
        """Another method binds the attribute anew, or empties it, in every round."""
        if not isinstance(root.base, Self):
            return False
        cls = self.program.modules[sink.module].classes.get(root.base.cls)
        if cls is None:
            return False
        resetting = [f for f in self._methods(sink.module, cls.qualname) if self._resets(f, root) and f is not sink.function]
        seldom = self.program.knowledge.seldom if self.steps.of_class(sink.module, sink.function.cls) else ()
        resetting = [f for f in resetting if f.name != "__init__" and f.name not in seldom]
        names = frozenset(f.name for f in resetting)
        if not names:
            return False
        if loop is not None:
            return self.loops.says(sink.module, sink.function, loop.body, names, old=True)
        if self.loops.says(sink.module, sink.function, sink.function.body, names, old=True):
            return True
        if by is not None:
            loops = loops_around(by.function, by.spot)
            body = loops[-1].body if loops else by.function.body
            if self.loops.says(by.module, by.function, body, names, old=True):
                return True
            return not loops and any(self._says_around(site, names) for site in self.index.callers(by.function))
        callers = self.index.callers(sink.function)
        # Nobody in sight: who knows when they are called.
        return not callers or any(self._says_around(site, names) for site in callers)

    def _says_around(self, site: CallSite, names: frozenset[str]) -> bool:
        """Whether one of these methods may run in the innermost loop around a call, or in its function."""
        outer = loops_around(site.function, site.call)
        body = outer[-1].body if outer else site.function.body
        return self.loops.says(site.module, site.function, body, names, old=True)

    def _methods(self, module: str, qualname: str) -> Iterator[Function]:
        cls = self.program.modules[module].classes[qualname]
        for path_cls in self.program.lineage(ClassValue(module, cls)):
            if isinstance(path_cls, ClassValue):
                functions = self.program.modules[path_cls.module].functions
                yield from (functions[name] for name in path_cls.cls.methods.values())

    def _resets(self, function: Function, root: Attr) -> bool:
        name = root.name
        for node in statements_of(function):
            if (
                isinstance(node, Store)
                and isinstance(node.target, Attr)
                and node.target.name == name
                and isinstance(node.target.base, Self)
            ):
                if node.kind != "AugAssign" and not holds_old(node.value, node.target):
                    return True
            elif (
                isinstance(node, CallStep)
                and isinstance(node.term.callee, Attr)
                and node.term.callee.name in self.program.knowledge.empties
            ):
                receiver = self.root_of(node.term.callee.base)
                if isinstance(receiver, Attr) and receiver.name == name and isinstance(receiver.base, Self):
                    return True
        return False

    def passed_again(self, sink: Sink, frame: Frame) -> bool:
        """Whether the caller of this activation hands the same container to it in every round of a loop, and never empties it."""
        root = self.root_of(sink.holder)
        while isinstance(root, (Attr, Call)):
            root = (
                self.root_of(root.base)
                if isinstance(root, Attr)
                else self.root_of(root.callee.base)
                if isinstance(root.callee, Attr)
                else self.root_of(root.callee)
            )
        bound = frame.arguments.get(root.name) if isinstance(root, Param) else None
        site = site_of(self.program, frame)
        if not isinstance(bound, Bound) or site is None or frame.caller is not bound.frame:
            return False
        origin = self.origin(bound.term, bound.frame)
        if origin is None or origin.kind == "carried":
            return False
        for loop in reversed(loops_around(site.function, site.call.term)):
            if origin.kind == "made" and origin.spot is not None and made_within(site.function, loop, origin.spot):
                return False
            calls_in = [node.term for node in walk(loop.body) if isinstance(node, CallStep)]
            return not any(self._empties(call, bound.term, self.root_of(bound.term)) for call in calls_in)
        return False

    def handed_in_rounds(self, sink: Sink, origin: Origin) -> bool:
        """Whether the function around this one makes the holder once, and in each round of a loop calls it or hands it to a call.

        That is the closure of an optimizer. The loop must not empty what the closure fills.
        """
        function = sink.function
        outer = self.program.modules[sink.module].functions.get(function.outer or "")
        if outer is None or outer.kind == "module" or origin.spot is None or made_in(function, origin.spot):
            return False
        for loop, _ in nested_loops(outer.body):
            inside = [node.term for node in walk(loop.body) if isinstance(node, CallStep)]
            runs = any(
                isinstance(term, Nested) and term.name == function.qualname
                for call in inside
                for term in (call.callee, *call.args)
            )
            if runs and not made_within(outer, loop, origin.spot):
                return not any(self._empties(call, sink.holder, self.root_of(sink.holder)) for call in inside)
        return False

    def outlives(self, frame: Frame) -> bool:
        """Whether the object whose method runs may be there when the method runs again: not made anew for each call."""
        made, caller = frame.receiver, frame.caller
        if not isinstance(made, Instance) or made.call is None or made.frame is None or caller is None or frame.call is None:
            return True
        if made.frame.function is not caller.function:
            return True
        return any(not within(caller.function, loop, made.call) for loop in loops_around(caller.function, frame.call))

    def repeated(self, frame: Frame) -> bool:
        """Whether a function is run again and again, as far as can be seen: from a loop, or by nobody in sight."""
        current: Frame | None = frame
        for _ in range(_DEEPEST):
            if current is None:
                return False
            sites = self.index.callers(current.function)
            if not sites and (current.call is None or current.caller is None):
                return True
            if current.call is not None and current.caller is not None and loops_around(current.caller.function, current.call):
                return True
            if any(loops_around(site.function, site.call) for site in sites):
                return True
            current = current.caller
        return False


def _grows(value: Term, target: Term) -> bool:
    """Whether a name is bound to its old value and more, nothing taken away."""
    if is_old(value, target):
        return True
    if isinstance(value, BinOp):
        return _grows(value.left, target) or _grows(value.right, target)
    return isinstance(value, Select) and _grows(value.then, target) and _grows(value.other, target)


def _counts(loop: Loop) -> bool:
    """Whether a loop runs a number of times, and draws no batches from a loader itself."""
    return is_call_of(loop.subject, "builtins.range")


def has_few_rounds(loop: Loop) -> bool:
    """Whether a loop says that it runs a handful of times: what that keeps is no leak."""
    subject = loop.subject
    bounds = subject.args if loop.kind == "for" and _counts(loop) and isinstance(subject, Call) else ()
    numbers = [bound.value for bound in bounds if isinstance(bound, Const) and type(bound.value) is int]
    if not numbers or len(numbers) < len(bounds) or not all(numbers[2:]):
        return False
    return len(range(*numbers)) <= _FEW


def _goes_over_optimizers(loop: Loop, names: frozenset[str]) -> bool:
    """Whether each round is the step of another optimizer: one that the loop draws (``for part in optimizers.values():``)."""
    if loop.kind != "for" or loop.target is None or _counts(loop):
        return False
    drawn = frozenset((loop.target,))
    callees = (node.term.callee for node in walk(loop.body) if isinstance(node, CallStep))
    return any(isinstance(callee, Attr) and callee.name in names and mentions(callee.base, drawn) for callee in callees)


def _place(node: Statement) -> Spot:
    """The spot of a statement of a sketch."""
    return node.statement if isinstance(node, CallStep) else node.spot
