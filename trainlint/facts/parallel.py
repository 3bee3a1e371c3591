"""The calls that communicate because ranks train a model together, though they name no collective.

A forward pass of a sharded model gathers its shards, a backward pass reduces gradients, ``state_dict`` of a sharded model
gathers again. Which models these are says :mod:`~trainlint.facts.wrapped`.

What communicates was run or read in torch 2.13 (gloo, two processes; ``torch/nn/parallel/distributed.py``):

* FSDP gathers parameters in every forward pass, evaluation or not, and reduces in every backward pass;
* DDP reduces in a backward pass outside of ``no_sync``. Its forward pass sends buffers, if the model has any and gradients are
  recorded. Without gradients the first pass sends them as well, but then the next pass leaves it out: nothing hangs if that is
  the next thing that all ranks do together, and everything if it is something else, such as a barrier;
* what accelerate or DeepSpeed do in a forward pass depends on their configuration, so only their backward passes count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.buffers import Buffers
from trainlint.facts.call_graph import last_name
from trainlint.facts.contexts import activations
from trainlint.facts.gradients.collected import collected
from trainlint.facts.gradients.grad_mode import ON, GradMode
from trainlint.facts.layers import model_of
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.type_guards import Narrowed
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library
from trainlint.facts.wrapped import SHARDED, Condition, Wrapped
from trainlint.ir.nodes import (
    Access,
    Attr,
    BoolOp,
    Call,
    Const,
    Element,
    Global,
    LoopPhi,
    Nested,
    NestedClass,
    Param,
    Ref,
    Select,
    Self,
    Term,
    Unknown,
)
from trainlint.ir.terms import parts_through

_BACKWARD = "backward"
#: How many parts of a loss are looked at.
_MOST = 80
#: Steps from an item to the model that it was taken out of.
_LONGEST = 8
_IMPORTED = (Ref, Nested, NestedClass)
#: The names of passes, as messages call them.
FORWARD, BACKWARD, EVALUATION = "forward pass", "backward pass", "forward pass without gradients"
STEPS = (FORWARD, BACKWARD, EVALUATION)


class Met(NamedTuple):
    """What a call runs on all ranks together: its name, and the tests that must come out so."""

    name: str
    conditions: tuple[Condition, ...] = ()


class Parallel(Wrapped):
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._trained: dict[tuple[Term, Frame], bool] = {}
        self._met: dict[tuple[Term, Frame], Met | None] = {}

    def step(self, call: Call, frame: Frame) -> str | None:
        """``forward`` or ``backward`` for a call that communicates because a parallel model runs in it, else None.

        A pass that only takes the place of a later one (:data:`EVALUATION`) is none.
        """
        met = self.met(call, frame)
        return {FORWARD: "forward", BACKWARD: "backward"}.get(met.name) if met is not None else None

    def met(self, call: Call, frame: Frame) -> Met | None:
        """What a call runs on all ranks together because of a parallel model: a pass (see :data:`STEPS`) or a method of its."""
        if not self.active:
            return None
        key = (call, frame)
        if key not in self._met:
            self._met[key] = None
            self._met[key] = self._of(call, frame)
        return self._met[key]

    def _of(self, call: Call, frame: Frame) -> Met | None:
        callee = call.callee
        if self._runs_backward(call, frame):
            return None if self._unsynced(call, frame) else Met(BACKWARD)
        model = callee
        if isinstance(callee, Attr):
            method = self._method(callee, call, frame)
            if method is not None:
                return method
            if callee.name in self.knowledge.runs_model:
                model = callee.base
        elif isinstance(callee, _IMPORTED):
            return self._given(call, frame)
        kinds = self.kinds(model, frame)
        if kinds & SHARDED:
            conditions = self.sharded_when(model, frame)
            if conditions is not None:
                return Met(FORWARD, conditions)
        if "ddp" in kinds and self.program.ask(Buffers).held(model, frame):
            return Met(FORWARD if self.records(call, frame) else EVALUATION)
        return None

    def _method(self, callee: Attr, call: Call, frame: Frame) -> Met | None:
        """A method of a sharded model that needs all ranks, by table ``parallel.methods``."""
        known = self.knowledge.parallel_distinct.get(callee.name)
        if known is not None and self._part_of_sharded(callee.base, frame):
            return Met(known)
        if callee.name not in self.knowledge.parallel_method_names:
            return None
        for kind in sorted(self.kinds(callee.base, frame) & SHARDED):
            name = self.knowledge.parallel_methods.get(f"{kind}.{callee.name}")
            conditions = self.sharded_when(callee.base, frame) if name is not None else None
            if name is not None and conditions is not None and not self.is_another(callee.base, call, frame):
                return Met(name, conditions)
        return None

    def is_another(self, model: Term, call: Call, frame: Frame) -> bool:
        """Whether tests around a call say that a model, or the wrapper around it, is none that is sharded."""
        asked = self.program.ask(Narrowed)
        wrapper = model.base if self._unwraps(model) and isinstance(model, Attr) else model
        classes = asked.classes(wrapper, call, frame)
        if classes:
            return not any(self.knowledge.parallel.get(name) in SHARDED for name in classes)
        return asked.is_apart(call, frame, SHARDED)

    def _part_of_sharded(self, term: Term, frame: Frame) -> bool:
        """Whether a value was taken out of a model that is sharded in place: a parameter, an item of its state."""
        for _ in range(_LONGEST):
            if isinstance(term, Param):
                bound = frame.given(term)
                if not isinstance(bound, Bound):
                    return False
                term, frame = bound.term, bound.frame
            elif isinstance(term, (Access, Element)):
                term = term.stem
            elif isinstance(term, Call):
                term = term.callee.base if isinstance(term.callee, Attr) else term.args[0] if term.args else term.callee
            else:
                return False
            if "fsdp2" in self.kinds(term, frame):
                return True
        return False

    def _given(self, call: Call, frame: Frame) -> Met | None:
        """A function that needs all ranks when it is given a sharded model, or its parameters (table ``parallel.given``)."""
        if not call.args:
            return None
        model = call.args[0]
        if isinstance(model, Call) and isinstance(model.callee, Attr):
            model = model.callee.base
        for value in self.program.values(call.callee, frame):
            kind = self.knowledge.parallel_given.get(value.name) if isinstance(value, Library) else None
            if kind is not None and kind in self.kinds(model, frame):
                conditions = self.sharded_when(model, frame)
                return Met(value.name, conditions) if isinstance(value, Library) and conditions is not None else None
        return None

    def _runs_backward(self, call: Call, frame: Frame) -> bool:
        callee = call.callee
        name = last_name(callee)
        if isinstance(callee, Attr) and name in self.knowledge.parallel_steps:
            for target in self.program.values(callee, frame):
                if isinstance(target, Library) and self.knowledge.parallel.get(target.name) == _BACKWARD:
                    return True
        how = self.knowledge.backward.get(name or "")
        if how is None:
            return False
        roots = [callee.base] if isinstance(callee, Attr) and how == "receiver" else []
        return any(self.trained(root, frame) for root in (*roots, *call.args[:1]))

    def trained(self, loss: Term, frame: Frame) -> bool:
        """Whether a value was computed, with gradients, from the forward pass of a parallel model."""
        key = (loss, frame)
        known = self._trained.get(key)
        if known is None:
            self._trained[key] = False
            known = self._trained[key] = self._computed_from(loss, frame)
        return known

    def _computed_from(self, loss: Term, frame: Frame) -> bool:
        queue: list[tuple[Term, Frame]] = [(loss, frame)]
        seen = set(queue)
        while queue and len(seen) < _MOST:
            term, where = queue.pop(0)
            if isinstance(term, Call) and self._is_forward(term, where):
                return self.records(term, where)
            for part in self.parts_of(term, where):
                if part not in seen:
                    seen.add(part)
                    queue.append(part)
        return False

    def _is_forward(self, call: Call, frame: Frame) -> bool:
        callee = model_of(self.program, call)
        return not isinstance(callee, _IMPORTED) and bool(self.kinds(callee, frame))

    def parts_of(self, term: Term, frame: Frame) -> Iterator[tuple[Term, Frame]]:
        """What a value was computed from, as far as gradients flow."""
        if isinstance(term, Call):
            callee = term.callee
            if isinstance(callee, Attr) and callee.name in self.knowledge.cuts_graph:
                return
            if isinstance(callee, Attr):
                yield callee.base, frame
            for target in self.index.targets(term, frame):
                if isinstance(target, FunctionValue):
                    yield from self._returned(target, term, frame)
            yield from ((argument, frame) for argument in (*term.args, *(value for _, value in term.kwargs)))
        elif isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Bound):
                yield bound.term, bound.frame
        elif isinstance(term, LoopPhi):
            yield from ((part, frame) for part in collected(self.program, term, frame))
        elif isinstance(term, Attr) and isinstance(term.base, Self):
            owner = frame.owner()
            if isinstance(owner, Instance):
                for module, function, value in self.program.stores(ClassValue(owner.module, owner.cls), term.name):
                    inner = frame if function is frame.function else self.program.instance_frame(owner, module, function)
                    yield value, inner
        elif not isinstance(term, (Const, Ref, Global, Self, Unknown)):
            yield from ((part, frame) for part in term.subterms())

    def records(self, call: Call, frame: Frame) -> bool:
        """Whether gradients are recorded at a call, in this activation or, for a function on its own, in all of them."""
        mode = self.program.ask(GradMode)
        frames = [frame] if frame.caller is not None else activations(self.program, frame.module, frame.function)
        return all(mode.at(each, call.site) == ON for each in frames)

    def _unsynced(self, call: Call, frame: Frame) -> bool:
        """Whether a backward pass stands in a context that keeps gradients where they are (``no_sync``)."""
        managers = self.program.ask_of(surroundings, frame.function).of(call).managers
        return any(_names(manager, self.knowledge.unsynced) for manager in managers)


def _names(term: Term, names: frozenset[str]) -> bool:
    """Whether one of these names is called in a manager, however it is chosen."""
    parts = parts_through(term, lambda each: each.subterms() if isinstance(each, (Select, BoolOp, Call)) else [])
    return any(isinstance(part, (Call, Attr)) and last_name(part) in names for part in parts)
