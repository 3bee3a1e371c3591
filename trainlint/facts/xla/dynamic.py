"""Shapes that depend on values, in what a training step on XLA runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.traced.consteval import choices, deep
from trainlint.facts.values import Frame
from trainlint.facts.xla.bounds import Bounds
from trainlint.facts.xla.registered import Supposed, registered_modules
from trainlint.facts.xla.running import Xla, XlaLoop
from trainlint.facts.xla.tensors import Tensors
from trainlint.finding import Spot
from trainlint.ir.nodes import BoolOp, Call, Element, Nested, Not, Param, Subscript, Term, Tuple
from trainlint.ir.sketch import Block, CallStep, Exit, If, Keep
from trainlint.ir.walk import statements_of

_DEEPEST = 6


class Dynamic(NamedTuple):
    """A place of a training step on XLA where a shape, or the program itself, depends on a tensor's values.

    ``what`` is "shape" (a call whose result has as many items as the values say), "mask" (items picked by a boolean
    mask, used in this call), "store" (items that a mask picks are set in this statement), "bound" (a call whose value
    bounds a slice), "slice" (a slice with such a bound is used in this call) or "branch" (a test of a tensor's values).
    """

    what: str
    loop: XlaLoop
    frame: Frame
    spot: Spot
    node: str
    statement: Spot
    origin: tuple[str, Spot] | None = None
    """For a "slice": the file and the call, in a caller, that the bound comes from."""
    registered: tuple[str, Spot] | None = None
    """Where the model is put into a table from which the loop may get it; None when the loop is seen to train it."""


class _Walk:
    """One training loop: what it runs, function by function."""

    def __init__(self, program: Program, loop: XlaLoop, tensors: Tensors) -> None:
        self.program = program
        self.loop = loop
        self.xla = program.ask(Xla)
        self.tensors = tensors
        self.bounds = Bounds(self.tensors)
        self.seen: set[tuple[int, tuple[str, ...]]] = set()
        self.picked: set[Term] = set()

    def block(self, block: Block, frame: Frame) -> Iterator[Dynamic]:
        """What depends on values in a block and in what it calls, in every step and whatever it runs on."""
        for node in deep(self.program, block, frame, self.xla.not_in_each_step):
            if isinstance(node, CallStep):
                yield from self._call(node, frame)
            elif isinstance(node, Keep):
                yield from self._stored(node, frame)
            elif isinstance(node, Exit) and node.kind == "return" and "lambda" not in frame.function.name:
                # A lambda has no statement to point at.
                yield from self._used((node.value,) if node.value is not None else (), frame, node.spot, "Return", node.spot)

    def _call(self, node: CallStep, frame: Frame) -> Iterator[Dynamic]:
        term = node.term
        word = self.tensors.word(term, frame)
        operand = self.tensors.operand(term)
        if word is not None and operand is not None and self.tensors.on_device(operand, frame):
            alone = len(term.args) == 1 and not term.kwargs
            if word == "data" or (word == "one-argument" and alone):
                yield Dynamic("shape", self.loop, frame, term.site, "Call", node.statement)
            elif word == "truth" and self._decides(term, frame):
                yield Dynamic("branch", self.loop, frame, term.site, "Call", node.statement)
        parts = [term.callee, *term.args, *(value for _, value in term.kwargs)]
        yield from self._used(parts, frame, term.site, "Call", node.statement)
        yield from self._callees(term, frame)

    def _stored(self, node: Keep, frame: Frame) -> Iterator[Dynamic]:
        """``x[mask] = value``, ``x[mask] += value``: the mask becomes the places of what is true in it."""
        if isinstance(node.target, Subscript):
            for found in self._used((node.target, node.value), frame, node.spot, node.kind, node.spot):
                yield found._replace(what="store") if found.what == "mask" else found

    def _used(self, parts: Iterable[Term], frame: Frame, spot: Spot, node: str, statement: Spot) -> Iterator[Dynamic]:
        """What is picked or cut in the terms that are used at a place: a mask once, each bound of a slice at its own call."""
        found = [picked for part in parts for picked in self._picked(part, frame)]
        if any(bound is None for bound in found):
            yield Dynamic("mask", self.loop, frame, spot, node, statement)
        for bound in found:
            if bound is not None:
                source, home = self.bounds.source(bound, frame)
                call = self._first_call(source, home)
                if call is not None and home is frame:
                    yield Dynamic("bound", self.loop, frame, call.term.site, "Call", call.statement)
                else:
                    origin = (home.module, call.term.site) if call is not None else None
                    yield Dynamic("slice", self.loop, frame, spot, node, statement, origin)

    def _first_call(self, bound: Term, frame: Frame) -> CallStep | None:
        """The call in the function of an activation that a bound comes from."""
        asked = self.program.ask_of(surroundings, frame.function)
        waiting, seen = [bound], {bound}
        while waiting:
            term = waiting.pop(0)  # the nearest
            if term in asked.calls and self.bounds.read(term, frame):
                return next(node for node, _ in asked.places if node.term is term)
            fresh = [part for part in term.subterms() if part not in seen]
            seen.update(fresh)
            waiting += fresh
        return None

    def _callees(self, call: Call, frame: Frame) -> Iterator[Dynamic]:
        if frame.depth >= _DEEPEST + self.loop.frame.depth:
            return
        for target in self.tensors.targets(call, frame):
            inner = self.program.enter(target, call, frame)
            called = target.function.qualname
            bound = [name for name in inner.arguments if self.tensors.on_device(Param.new(called, name), inner)]
            key = (id(target.function), tuple(bound))
            if bound and key not in self.seen:
                self.seen.add(key)
                yield from self.block(target.function.body, inner)

    def _picked(self, term: Term, frame: Frame) -> Iterator[Term | None]:
        """What of a term is as large as values say, for the first time (other calls are their own places).

        None for items that a boolean mask picks, the bound for a slice.
        """
        if isinstance(term, Subscript) and term not in self.picked and self.tensors.on_device(term.base, frame):
            keys = term.key.items if isinstance(term.key, Tuple) else (term.key,)
            bound = self.bounds.of_slice(term.key, frame)
            if bound is not None or any(self.tensors.is_mask(key, frame) for key in keys):
                self.picked.add(term)
                yield bound
        if not isinstance(term, (Call, Nested, Param, Element)):
            for part in term.subterms():
                yield from self._picked(part, frame)

    def _decides(self, call: Call, frame: Frame) -> bool:
        """Whether a branch of a module's method depends on this very call, and both ways go on."""
        if not self.tensors.of_module(frame):
            return False
        for node in statements_of(frame.function):
            if isinstance(node, If) and _holds(node.condition, call):
                return not any(isinstance(inner, Exit) and inner.kind == "raise" for inner in (*node.body, *node.orelse))
        return any(_holds(condition, call) for node in statements_of(frame.function) for condition in choices(node))


def _holds(condition: Term, call: Call) -> bool:
    """Whether a condition is a call, or says something about it with ``not``, ``and``, ``or``."""
    return condition is call or (isinstance(condition, (Not, BoolOp)) and any(_holds(p, call) for p in condition.subterms()))


def dynamic_shapes(program: Program) -> Iterator[Dynamic]:
    """Every place of a training step on XLA where a shape depends on values, once."""
    seen: set[tuple[str, Spot]] = set()
    for found in _everywhere(program):
        key = (found.frame.module, found.spot)
        if key not in seen:
            seen.add(key)
            yield found


def _everywhere(program: Program) -> Iterator[Dynamic]:
    certain = [loop for loop in program.ask(Xla).training() if loop.evidence.certain]
    run: set[int] = set()
    for loop in certain:
        walked = _Walk(program, loop, Tensors(program))
        yield from walked.block(loop.body, loop.frame)
        run.update(function for function, _ in walked.seen)
    for model in registered_modules(program) if certain else ():
        frame = model.forward
        trained = [loop for loop in certain if program.together(loop.frame.module, frame.module)]
        if trained and id(frame.function) not in run:
            for found in _Walk(program, trained[0], Supposed(program, frame)).block(frame.function.body, frame):
                yield found._replace(registered=(frame.module, model.spot))
