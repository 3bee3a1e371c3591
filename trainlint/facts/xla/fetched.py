"""Values that the host fetches from an XLA device in every step: each cuts the step's program in two, and waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.dynamo.breaks import cut_at
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.timing.reads import is_handed_on
from trainlint.facts.traced.consteval import running
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library
from trainlint.facts.xla.hosts import to_host
from trainlint.facts.xla.phases import repeats_steps, trains
from trainlint.facts.xla.registered import Supposed, registered_losses
from trainlint.facts.xla.running import Xla, XlaLoop
from trainlint.facts.xla.tensors import Tensors
from trainlint.finding import Spot
from trainlint.ir.nodes import Access, Attr, BinOp, Call, Const, Element, Global, Not, Param, Self, Term, Tuple, Unknown
from trainlint.ir.sketch import Block, CallStep, Exit, If, Loop, Statement, Try, With
from trainlint.ir.walk import of_kind, walk

_DEEPEST = 6


class Fetch(NamedTuple):
    """The first value that a function fetches in each step of a loop on XLA; ``more`` are the others.

    ``shown`` says that the value is only kept: then it can stay on the device as it is.
    """

    loop: XlaLoop
    module: str
    call: CallStep
    more: tuple[Spot, ...]
    shown: bool
    trained: bool
    registered: tuple[str, Spot] | None = None
    """Where the loss is put into a table from which the loop may get it; None when the loop is seen to run it."""


class _Computed(Tensors):
    """Tensors on the device; whatever is called like a module and given one returns one, too.

    Only of what is then read as a tensor is this asked: a model that is handed in from out of sight is no reason for silence.
    """

    def _result(self, call: Call, frame: Frame, depth: int) -> bool:
        if super()._result(call, frame, depth):
            return True
        if not self._is_handed_in(call.callee, frame):
            return False
        return any(self.on_device(given, frame, depth) for given in (*call.args, *(value for _, value in call.kwargs)))

    def _is_handed_in(self, callee: Term, frame: Frame) -> bool:
        """``model(x)``, ``self.criterion(x, y)``: something that is held, of which nothing else is known."""
        if isinstance(callee, Attr) and not isinstance(callee.base, Self):
            return False
        if not isinstance(callee, (Param, Access, Global, Unknown, Call)):
            return False
        known = (FunctionValue, ClassValue, Library, Instance)
        return not any(isinstance(value, known) for value in self.program.values(callee, frame))

    def is_computed(self, term: Term, frame: Frame) -> bool:
        """Whether a term is a tensor on the device and not a part of the batch as it was loaded."""
        if not self.on_device(term, frame):
            return False
        while True:
            if isinstance(term, Param):
                bound = frame.given(term)
                if not isinstance(bound, Bound):
                    return False
                term, frame = bound.term, bound.frame
            elif isinstance(term, Access):
                term = term.base
            else:
                return bool(not isinstance(term, (Element, Unknown)))


class _Walk:
    """What one loop runs in every one of its rounds."""

    def __init__(self, program: Program, loop: XlaLoop) -> None:
        self.program = program
        self.tensors = _Computed(program)
        self.xla = program.ask(Xla)
        self.marks = frozenset(program.knowledge.tables["xla.marks"]["names"])
        self.reads = program.knowledge.tables["xla.reads"]
        self.names = frozenset(name.rpartition(".")[2] for name in self.reads)
        self.loop = loop
        self.seen: set[int] = set()
        self.marked = False

    def block(self, block: Block, frame: Frame) -> Iterator[tuple[Frame, CallStep]]:
        """The calls that fetch something, before the step is marked; what stands under a test is not in every step."""
        for node in running(self.program, block, frame):
            if self.marked or (isinstance(node, If) and self._leaves(node, frame)):
                return
            yield from self._statement(node, frame)

    def _statement(self, node: Statement, frame: Frame) -> Iterator[tuple[Frame, CallStep]]:
        if isinstance(node, Loop):
            yield from self.block(node.body, frame)
        elif isinstance(node, With):
            yield from self.block(node.body, frame)
            if any(self._marks(item, frame) for item in node.items):
                self.marked = True
        elif isinstance(node, Try):
            yield from self.block(node.body, frame)
            yield from self.block(node.final, frame)
        elif isinstance(node, CallStep):
            if self._fetches(node.term, frame) and not cut_at(self.program, frame.module, node.term.site):
                yield frame, node
            yield from self._callees(node.term, frame)
            self.marked = self.marked or self.program.ask(Loops).call_says(node.term, frame, self.marks)

    def _marks(self, item: Term, frame: Frame) -> bool:
        callees = self.program.values(item.callee, frame) if isinstance(item, Call) else ()
        return any(self.xla.role(value) == "step" for value in callees)

    def _leaves(self, node: If, frame: Frame) -> bool:
        """Whether what follows a test does not run in every step: an arm goes on with the next one, or leaves a function."""
        ends = ("continue",) if frame is self.loop.frame else ("continue", "return")
        return any(isinstance(each, Exit) and each.kind in ends for each in (*walk(node.body), *walk(node.orelse)))

    def _callees(self, call: Call, frame: Frame) -> Iterator[tuple[Frame, CallStep]]:
        if frame.depth >= _DEEPEST + self.loop.frame.depth:
            return
        for target in self.tensors.targets(call, frame):
            inner = self.program.enter(target, call, frame)
            called = target.function.qualname
            if id(target.function) in self.seen or target.function.generator:
                continue
            if any(self.tensors.on_device(Param.new(called, name), inner) for name in inner.arguments):
                self.seen.add(id(target.function))
                yield from self.block(target.function.body, inner)

    def _fetches(self, call: Call, frame: Frame) -> bool:
        name = last_name(call.callee)
        if isinstance(call.callee, Attr) and to_host(self.program, call):
            return self.tensors.is_computed(call.callee.base, frame)
        if name not in self.names:
            return False
        if isinstance(call.callee, Attr) and not call.args and self.reads.get(name) == "method":
            return self.tensors.is_computed(call.callee.base, frame)
        if not any(
            isinstance(value, Library) and self.reads.get(value.name) == "function"
            for value in self.program.values(call.callee, frame)
        ):
            return False
        texts = self.program.modules[frame.module].texts
        parts = [part for each in call.args for part in self._said(each, texts)]
        return any(self.tensors.is_computed(part, frame) for part in parts)

    def _said(self, term: Term, texts: dict[Term, tuple[Term, ...]]) -> Iterator[Term]:
        """What is printed: a term itself, the parts of a text, what ``"…".format(…)`` and ``%`` put into one."""
        if term in texts:
            yield from texts[term]
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == "format":
            yield from term.args
        elif isinstance(term, BinOp) and term.op == "Mod" and isinstance(term.left, Const):
            yield from term.right.items if isinstance(term.right, Tuple) else (term.right,)
        else:
            yield term


class _OfLoss(_Computed, Supposed):
    """Tensors of a loss whose ``forward`` is supposed to run on the device."""


class _Loss(_Walk):
    """What a loss of a table runs in every step; what its settings decide is the same in each."""

    def __init__(self, program: Program, loop: XlaLoop, forward: Frame) -> None:
        super().__init__(program, loop)
        self.tensors = _OfLoss(program, forward)
        self.quiet = frozenset(program.knowledge.tables["xla.seldom"]["names"]) | program.knowledge.phases

    def _statement(self, node: Statement, frame: Frame) -> Iterator[tuple[Frame, CallStep]]:
        yield from super()._statement(node, frame)
        if isinstance(node, If) and self._is_setting(node.condition, frame):
            yield from self.block(node.body, frame)
            yield from self.block(node.orelse, frame)

    def _is_setting(self, condition: Term, frame: Frame) -> bool:
        """``self.weighted``, ``not reduce`` with a default: not whether it is time to log, or which mode the module is in."""
        term = condition.operand if isinstance(condition, Not) else condition
        name = term.name if isinstance(term, (Attr, Param)) else ""
        if any(word in name.lower() for word in self.quiet):
            return False
        if isinstance(term, Attr):
            return isinstance(term.base, Self)
        return isinstance(term, Param) and term.function == frame.function.qualname and name in frame.function.defaults


def _of_tables(program: Program, certain: list[XlaLoop], seen: set[tuple[str, str]]) -> Iterator[Fetch]:
    """What losses fetch that a loop on XLA may get out of a table."""
    for loss in registered_losses(program) if certain else ():
        frame = loss.forward
        key = (frame.module, frame.function.qualname)
        trained = [loop for loop in certain if program.together(loop.frame.module, frame.module)]
        if not trained or key in seen:
            continue
        read = [call for home, call in _Loss(program, trained[0], frame).block(frame.function.body, frame) if home is frame]
        if read:
            seen.add(key)
            more = tuple(dict.fromkeys(call.term.site for call in read[1:]))
            yield Fetch(trained[0], frame.module, read[0], more, False, True, (frame.module, loss.spot))


def fetched_every_step(program: Program) -> Iterator[Fetch]:
    """One for each function that fetches values in every step of a loop on XLA."""
    seen: set[tuple[str, str]] = set()
    trains_on = [loop for loop in program.ask(Xla).training() if loop.evidence.certain]
    certain = [(loop, True) for loop in trains_on if not repeats_steps(program, loop.body, loop.frame)]
    for loop, trained in (*certain, *((loop, False) for loop in _evaluating(program))):
        found: dict[tuple[str, str], list[CallStep]] = {}
        where: dict[tuple[str, str], Frame] = {}
        for frame, call in _Walk(program, loop).block(loop.body, loop.frame):
            key = (frame.module, frame.function.qualname)
            if all(call.term.site != other.term.site for other in found.setdefault(key, [])):
                found[key].append(call)
            where[key] = frame
        for key, read in found.items():
            frame = where[key]
            if key in seen or tests_software(program, frame.module, frame.function):
                continue
            seen.add(key)
            shown = last_name(read[0].term.callee) == "item" and not is_handed_on(frame.function, read[0].term)
            yield Fetch(loop, frame.module, read[0], tuple(call.term.site for call in read[1:]), shown, trained)
    yield from _of_tables(program, trains_on, seen)


def _evaluating(program: Program) -> Iterator[XlaLoop]:
    """The loops over batches on the device that train nothing, in whose own function something is read."""
    asked, index, on = program.ask(Loops), program.ask(CallGraph), program.ask(Xla)
    projects = on.projects()
    names = [name for name, word in program.knowledge.tables["xla.reads"].items() if word == "method"] if projects else []
    seen: set[int] = set()
    for site in (site for name in sorted(names) for site in index.sites.get(name, ())):
        function = site.function
        if id(function) in seen or program.component(site.module) not in projects or not of_kind(function, Loop):
            continue
        seen.add(id(function))
        for subject, spot, _, body in asked.passes(function):
            for frame in activations(program, site.module, function):
                evidence = on.loader(subject, frame)
                if evidence is not None and not trains(program, body, frame):
                    yield XlaLoop(frame, subject, spot, body, (), evidence)
                    break
