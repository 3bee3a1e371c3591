"""Loss scaling: who takes care of the scale of a loss, and scaling that bfloat16 does not need.

Who takes care of the scale of a loss: a gradient scaler, a wrapper around one, a framework, a factor by hand.

The question is asked to keep silent, so doubt counts as yes: an unknown factor, a name that speaks of a scaler.

Loss scaling where every forward pass computes in bfloat16, which has the range of float32 and needs none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.precision.forward import Forward, Tracing
from trainlint.flow.events import Event, once
from trainlint.flow.objects import Thing, Things
from trainlint.flow.rounds import Rounds
from trainlint.ir.bindings import bindings
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Entered,
    Global,
    LoopPhi,
    Nested,
    NestedClass,
    Not,
    Param,
    Ref,
    Select,
    Term,
)
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Exit, Function, If, Statement, Store, With
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.def_use import Uses
from trainlint.program.enclosing import Around, surroundings
from trainlint.program.heap import holds_none
from trainlint.program.memo import remembered
from trainlint.program.origins import handed_in
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved

_SCALER = "scaler"
#: What somebody else scales for: objects of these kinds.
_KINDS = frozenset((_SCALER, "engine", "prepared", "accelerator", "fabric", "trainer"))
#: A constant factor up to this does not scale a loss in any sense that matters to FP16.
_PLAIN_FACTOR = 16
_DEEPEST = 3


class LeftOut(NamedTuple):
    """The plain step of an optimizer, and what scales another loss there (``scaler.scale``)."""

    step: CallStep
    scales: Term


class Scaling:
    """Questions about the scale of losses."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge

    # -- the loss itself -------------------------------------------------------------------------------------------

    def by_hand(self, loss: Term, frame: Context) -> bool:
        """Whether a loss is multiplied by something large or unknown before it is differentiated, or passed to a scaler."""
        return any(self._scales_here(each.term, each.frame) for each in reached(self.program, loss, frame, self._made_of))

    def _made_of(self, loss: Term, frame: Context) -> list[Argument] | None:
        """What an operation scales or only shares out, if it may have been scaled before."""
        if isinstance(loss, BinOp):
            return [Argument(part, frame) for part in self._unscaled(loss, frame)]
        if isinstance(loss, Call) and isinstance(loss.callee, Attr) and loss.callee.name in self.knowledge.tensor_methods:
            return [Argument(loss.callee.base, frame)]
        far = isinstance(loss, Call) and frame.depth >= _DEEPEST  # what weights the pixels in a helper far away is no scale
        return [] if far else None

    def _unscaled(self, loss: BinOp, frame: Context) -> list[Term]:
        """What is divided, or multiplied by a small number."""
        if loss.op in ("Div", "FloorDiv"):
            return [loss.left]
        small = [other for factor, other in (loss.sides[::-1], loss.sides) if self._plain(factor, frame)]
        return small[:1] if loss.op == "Mult" else []

    def _scales_here(self, loss: Term, frame: Context) -> bool:
        """Whether one operation scales."""
        if isinstance(loss, BinOp):
            return loss.op == "Mult" and not self._unscaled(loss, frame)
        if isinstance(loss, Call):
            name = last_name(loss.callee) or ""
            multiplies = isinstance(loss.callee, Attr) and name == "mul"  # ``loss.mul(scale)``
            return multiplies or name in self.knowledge.loss_scaling or self._speaks(name)
        return isinstance(loss, Entered) and handed_in(self.program, loss, frame) is None

    def _plain(self, factor: Term, frame: Context) -> bool:
        """Whether a factor is a number that is certainly small (a share of the loss, a sign)."""
        values = self.program.values(factor, frame)
        constants = [v.term.value for v in values if isinstance(v, Unresolved) and isinstance(v.term, Const)]
        numbers = [constant for constant in constants if isinstance(constant, (int, float))]
        return len(numbers) == len(values) > 0 and all(abs(number) <= _PLAIN_FACTOR for number in numbers)

    # -- the code around -------------------------------------------------------------------------------------------

    def around(self, chain: Iterator[Context]) -> bool:
        """Whether something scales in these activations (a backward pass and its callers).

        What the first of them calls is looked into, and the classes they belong to are. A scaler that is made, saved or passed
        to where nobody asks for it scales nothing.
        """
        for index, frame in enumerate(chain):
            if self.in_function(frame.module, frame.function, calls=index == 0) or self._handed_in(frame):
                return True
            if self._in_class(frame):
                return True
            closure = frame.closure
            while closure is not None:
                if self.in_function(closure.module, closure.function):
                    return True
                closure = closure.closure
        return False

    def _handed_in(self, frame: Context) -> bool:
        """Whether a caller passes something that speaks of a scaler under a parameter that this function uses."""
        passed = [(name, bound) for name, bound in frame.arguments.items() if isinstance(bound, Argument)]
        speaking = {name for name, bound in passed if self._names(bound.term, bound.frame.module, set())}
        if any(self._names(bound.term, bound.frame.module, set()) for bound in frame.surplus.values()):
            return True
        return bool(speaking) and not speaking.isdisjoint(_used(frame.function))

    def in_function(self, module: str, function: Function, *, calls: bool = False) -> bool:
        """Whether a function takes care of a scale, itself or (``calls``) in what it calls."""
        return self._mentions(module, function) or (calls and self._runs_such(module, function))

    @remembered(False)
    def _runs_such(self, module: str, function: Function) -> bool:
        frame, index = self.program.frame(module, function), self.program.ask(CallGraph)
        targets = (target for node in of_kind(function, CallStep) for target in index.targets(node.term, frame))
        return any(isinstance(target, FunctionValue) and self._acts(target.module, target.function) for target in targets)

    @remembered(False)
    def _acts(self, module: str, function: Function) -> bool:
        """Whether a function that is called scales something; a helper that saves a scaler's state, if there is one, does not."""
        frame = self.program.frame(module, function)
        for node in of_kind(function, CallStep):
            speaks = self._speaks(last_name(node.term.callee) or "")
            if self._scaling_call(node.term, frame) or (speaks and not self._scales_data(node.term, module)):
                return True
        return self._runs_such(module, function)

    def _in_class(self, frame: Context) -> bool:
        """Whether a method of the object's class, or of a class it derives from or that derives from it, does."""
        owner = frame.owner()
        if not isinstance(owner, (Instance, ClassValue)):
            return False
        cls = ClassValue(owner.module, owner.cls)
        for base in self.program.lineage(cls):
            if isinstance(base, Library):
                if self._kind(base.name):
                    return True
            elif self._class_mentions(base):
                return True
        methods = self.program.overriding(cls, frame.function.name)
        derived = {(path, method.cls) for path, method in methods if method.cls is not None}
        return any(self._class_mentions(ClassValue(path, self.program.modules[path].classes[name])) for path, name in derived)

    def _class_mentions(self, cls: ClassValue) -> bool:
        functions = self.program.modules[cls.module].functions
        return any(self.in_function(cls.module, functions[method]) for method in cls.cls.methods.values())

    @remembered(False)
    def _mentions(self, module: str, function: Function) -> bool:
        """Whether something in a function speaks of a scaler, or scales, other than making one and passing it on."""
        frame = self.program.frame(module, function)
        seen: set[Term] = set()
        for node in statements_of(function):
            if isinstance(node, CallStep):
                if self._fresh(node.term, frame) or self._passes(node.term, frame) or self._idle(node.term):
                    continue
                if self._scaling_call(node.term, frame) or self._names(node.term, module, seen):
                    return True
            elif isinstance(node, Store):
                if not self._fresh(node.value, frame) and (
                    self._names(node.target, module, seen) or self._names(node.value, module, seen)
                ):
                    return True
            elif isinstance(node, If):
                if self._names(node.condition, module, seen):
                    return True
            elif isinstance(node, With):
                if any(self._names(item, module, seen) for item in node.items):
                    return True
            elif isinstance(node, Exit) and node.value is not None and self._names(node.value, module, seen):
                return True
        held = bindings(function)
        speaking = [term for name, term in held if self._speaks(name) and not isinstance(term, Param)]
        return any(not self._fresh(term, frame) and not self._scales_data(term, module) for term in speaking)

    def _fresh(self, term: Term, frame: Context) -> bool:
        """Whether a term is no more than a library's scaler that is made here (or None)."""
        if not isinstance(term, (Call, Select)):
            return False
        values = self.program.values(term, frame)
        made = [
            v for v in values if isinstance(v, LibraryObject) and self.knowledge.kinds.get(v.name) == _SCALER and v.frame is frame
        ]
        empty = [v for v in values if holds_none(v)]
        return bool(made) and len(made) + len(empty) == len(values)

    def _idle(self, call: Call) -> bool:
        return isinstance(call.callee, Attr) and call.callee.name in self.knowledge.idle_scaling

    def _passes(self, call: Call, frame: Context) -> bool:
        """Whether a call only hands things to a function of the project that scales nothing."""
        if self._speaks(last_name(call.callee) or "") or (
            isinstance(call.callee, Attr) and self._names(call.callee.base, frame.module, set())
        ):
            return False
        targets = self.program.values(call.callee, frame)
        functions = [target for target in targets if isinstance(target, FunctionValue)]
        if not functions or len(functions) < len(targets):
            return False
        return not any(self._acts(target.module, target.function) for target in functions)

    def _scaling_call(self, call: Call, frame: Context) -> bool:
        name = last_name(call.callee)
        if isinstance(call.callee, Attr) and name in self.knowledge.loss_scaling:
            return True
        for value in self.program.values(call, frame):
            if isinstance(value, LibraryObject) and self._kind(value.name):
                return True
        called = self.program.values(call.callee, frame)
        return any(isinstance(value, Library) and value.name in self.knowledge.loss_scaling for value in called)

    def _kind(self, name: str) -> bool:
        while name:
            if self.knowledge.kinds.get(name) in _KINDS:
                return True
            name = name.rpartition(".")[0]
        return False

    def _names(self, term: Term, module: str, seen: set[Term]) -> bool:
        """Whether a name in a term speaks of a scaler, and not of one that scales data."""
        if term in seen:
            return False
        seen.add(term)
        if isinstance(term, Call) and self._idle(term):
            return False
        if isinstance(term, (Param, Attr, Ref, Global, LoopPhi, Nested, NestedClass)):
            name = term.name if isinstance(term, (Param, Attr)) else term.name.rpartition(".")[2]
            if self._speaks(name):
                return not self._scales_data(term, module)
        elif isinstance(term, Call) and any(keyword is not None and self._speaks(keyword) for keyword, _ in term.kwargs):
            return True
        return any(self._names(part, module, seen) for part in term.subterms())

    @remembered(False)
    def _scales_data(self, term: Term, module: str) -> bool:
        """Whether all that a file does with something is what one does with a scaler of data: ``scaler.inverse_transform(x)``."""
        parents = self.program.ask(Uses).parents(module).of.get(term, ())
        said = [self._is_of_data(term, parent, module) for parent, _ in parents]
        return True in said and False not in said

    def _is_of_data(self, term: Term, parent: Statement | Term, module: str) -> bool | None:
        """Whether something is done with a term that only scalers of data allow; None where it says nothing."""
        if isinstance(parent, Store):
            return self._scales_data(parent.target, module) if parent.value is term else None
        if not isinstance(parent, Term):
            return None if isinstance(parent, (CallStep, If)) else False
        if isinstance(parent, Attr):
            return parent.name in self.program.knowledge.tables["loss_scaling.of_data"]["names"]
        if isinstance(parent, Call) and parent.callee is term and isinstance(term, Ref):
            return self._scales_data(parent, module)  # its class
        return None if isinstance(parent, (Compare, Not, BoolOp)) else False

    @remembered()
    def _speaks(self, name: str) -> bool:
        bare = name.lower().replace("_", "")
        return any(word in bare for word in self.knowledge.scaling_words)

    # -- beside ----------------------------------------------------------------------------------------------------

    def left_out(self, plain: Call, loss: Term, frame: Context) -> LeftOut | None:
        """The plain step behind a plain backward pass where another loss is scaled (of two networks, one), and that scaler.

        Both backward passes run in the same rounds under the same tests, the other loss is another one, and no scaler steps
        this optimizer. None when that is not so.
        """
        if not isinstance(plain.callee, Attr):
            return None
        asked = self.program.ask_of(surroundings, frame.function)
        here = asked.of(plain)
        near = [node for node, around in asked.places if _together(here, around) and isinstance(node.term.callee, Attr)]
        scalings = [scaling for node in near if (scaling := self._scaled(node.term, plain.callee.name)) is not None]
        losses = [scaling.args[0] for scaling in scalings]
        if not scalings or any(mentions(other, loss) for other in losses):
            return None
        steps = [
            node
            for node, _ in asked.places
            if isinstance(node.term.callee, Attr) and node.term.callee.name in self.knowledge.steps
        ]
        taken = {argument for node in steps for argument in node.term.args}
        after = [node for node in steps if node in near and before(frame.function, plain, node)]
        first = after[0] if after else None
        if first is None or first.term.args or not isinstance(first.term.callee, Attr) or first.term.callee.base in taken:
            return None
        return LeftOut(first, scalings[0].callee)

    def _scaled(self, call: Call, method: str) -> Call | None:
        """The call ``scaler.scale(loss)`` in ``scaler.scale(loss).backward()``."""
        scaled = call.callee.base if isinstance(call.callee, Attr) and call.callee.name == method else None
        if not isinstance(scaled, Call) or last_name(scaled.callee) not in self.knowledge.loss_scaling:
            return None
        return scaled if isinstance(scaled.callee, Attr) and scaled.args else None


def _used(function: Function) -> set[str]:
    """The parameters that something in a function mentions."""
    terms = [part for node in statements_of(function) for part in node if isinstance(part, Term)]
    terms += [item for node in statements_of(function) if isinstance(node, With) for item in node.items]
    return {part.name for part in parts_of(*terms) if isinstance(part, Param) and part.function == function.qualname}


def _together(one: Around, other: Around) -> bool:
    return one.tests == other.tests and one.loops == other.loops


class Needless(NamedTuple):
    """A scaled backward pass of a loss that was computed in bfloat16; ``maker`` is the call that makes the scaler."""

    backward: Event
    forward: Forward
    maker: tuple[str, Call] | None


@once("backward.place")
def needless(program: Program) -> Iterator[Needless]:
    """The backward passes that a scaler scales though all their forward passes ran in bfloat16."""
    for found in program.ask(Rounds).around("scale", "backward"):
        for backward in found.of_kind("backward"):
            if backward.way != "scaled" or program.ask(Things).is_on(backward.scaler) is not True:
                continue
            if tests_software(program, backward.frame.module, backward.frame.function):
                continue
            forwards = _wide(program, backward)
            if forwards:
                yield Needless(backward, forwards[0], _maker(backward.scaler))


def _wide(program: Program, backward: Event) -> tuple[Forward, ...]:
    """The forward passes in bfloat16 behind a scaled loss, if there are no others."""
    call, frame = backward.call, backward.frame
    scaled = call.callee.base if isinstance(call.callee, Attr) else None
    if not isinstance(scaled, Call) or not scaled.args:
        return ()
    if Tracing(program, program.knowledge.narrow, call, frame).flow(scaled.args[0], frame).forwards:
        return ()  # a part of the model computes in float16
    flow = Tracing(program, program.knowledge.tables["narrow.wide"]["names"], call, frame).flow(scaled.args[0], frame)
    return flow.forwards if flow.certain and not flow.other else ()


def _maker(scaler: Thing | None) -> tuple[str, Call] | None:
    made = scaler.made if scaler is not None else None
    if made is None or len(made) != 1 or made[0].call is None or made[0].frame is None:
        return None
    return made[0].frame.module, made[0].call
