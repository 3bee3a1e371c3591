"""The forward pass that a loss was computed by, and the precision in which that ran."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from trainlint.domains.autograd.escape import collected, viewed
from trainlint.domains.precision.autocast import Autocast, Regime, Regimes
from trainlint.flow.path_condition import answer_of, assumed_by
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Dict,
    Element,
    List,
    LoopPhi,
    Or,
    Select,
    Self,
    Set,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import is_own_call, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.enclosing import surroundings
from trainlint.program.memo import remembered
from trainlint.program.origins import origins
from trainlint.program.program import Program
from trainlint.program.sources import innermost
from trainlint.program.values import (
    WIDEST,
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

#: Terms that hold what all their parts hold.
_OPERATORS = frozenset((BinOp, And, Or, Tuple, List, Set))


class Forward(NamedTuple):
    """The call that begins the graph, in which activation, and the autocast it runs under."""

    call: Call
    frame: Context
    autocast: Autocast


class Flow(NamedTuple):
    """What a value holds of a graph.

    ``forwards`` ran in the precision asked for; ``other`` says that something else may have begun a graph; ``heads`` counts
    the unknown objects that were applied to the forward's result outside of that precision, ``losses`` the library's losses.
    """

    forwards: tuple[Forward, ...] = ()
    other: bool = False
    heads: int = 0
    losses: int = 0

    @property
    def certain(self) -> bool:
        """Whether the forward is what is trained: behind it comes at most a loss, not a trained head on frozen features."""
        return bool(self.forwards) and self.heads + min(self.losses, 1) <= 1


NOTHING = Flow()


def chain_of(call: Call, frame: Context) -> dict[Context, Call]:
    """An activation and its callers, each with the call in it that leads to a call of the first; nearest first."""
    return {
        frame: call,
        **{each.caller: each.call for each in frame.active() if each.caller is not None and each.call is not None},
    }


def _tests(program: Program, call: Call, frame: Context) -> tuple[tuple[Term, bool], ...]:
    """The tests around a call, and their answers."""
    return program.ask_of(surroundings, frame.function).of(call).tests


def joined(flows: Iterable[Flow]) -> Flow:
    """A value computed from several."""
    whole = NOTHING
    for flow in flows:
        if whole is NOTHING:
            whole = flow
        elif flow is not NOTHING:
            whole = Flow(
                (*whole.forwards, *(one for one in flow.forwards if one not in whole.forwards))[:WIDEST],
                whole.other or flow.other,
                max(whole.heads, flow.heads),
                max(whole.losses, flow.losses),
            )
    return whole


class Tracing:
    """Follows the values of one backward pass.

    ``dtypes`` are the precisions asked for; ``call`` is the backward pass: what the tests that lead there answer is known.
    """

    def __init__(self, program: Program, dtypes: Collection[str], call: Call, frame: Context) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.dtypes = dtypes
        self.chain = chain = chain_of(call, frame)
        self.assumed = assumed_by(
            program, ((*test, at) for at, leading in chain.items() for test in _tests(program, leading, at))
        )
        self.regimes = program.ask(Regimes)

    @remembered(NOTHING)
    def flow(self, term: Term, frame: Context) -> Flow:
        """What a term holds of a graph, in an activation: as it is written there, or else what made it, wherever that is."""
        found = self._written(term, frame)
        if found.forwards:
            return found
        made = joined(self.flow(*each) for each in origins(self.program, term, frame) if each != (term, frame))
        return made if made.forwards or found is NOTHING else joined((found, made))

    def _written(self, term: Term, frame: Context) -> Flow:
        if isinstance(term, Call):
            return self._call(term, frame)
        if isinstance(term, Select):
            return self._choice(term, frame)
        if isinstance(term, Attr):
            return self._attribute(term, frame)
        if isinstance(term, (Subscript, Element)):
            return self.flow(term.stem, frame)
        if isinstance(term, Dict):
            written = joined(self.flow(value, frame) for _, value in term.items)
            return joined((written, self._collected(term, frame)))
        if isinstance(term, Unknown):
            return self._place(term, frame)
        if isinstance(term, LoopPhi) or (isinstance(term, List) and not term.items):
            return self._collected(term, frame)
        if type(term) in _OPERATORS:
            return joined(self.flow(part, frame) for part in term.subterms())
        return NOTHING

    def _collected(self, term: Term, frame: Context) -> Flow:
        """What a loop added to a total, what was put into a container."""
        return joined(self.flow(part, frame) for part in collected(self.program, term, frame))

    def _choice(self, term: Select, frame: Context) -> Flow:
        known = answer_of(self.program, self.assumed, term.test, frame)
        if known is not None:
            return self.flow(term.then if known else term.other, frame)
        return joined((self.flow(term.then, frame), self.flow(term.other, frame)))

    def _attribute(self, term: Attr, frame: Context) -> Flow:
        """``outputs.loss`` is a part of ``outputs``; ``self.loss`` is what methods store there, each in its own activations."""
        if not isinstance(term.base, Self):
            return self.flow(term.base, frame)
        owner = frame.owner()
        if not isinstance(owner, Instance):
            return NOTHING
        flows = []
        for module, function, value in self.program.stores(ClassValue(owner.module, owner.cls), term.name):
            flows += [self.flow(value, inner) for inner in self._when(owner, frame, module, function)]
        return joined(flows)

    def _when(self, owner: Instance, frame: Context, module: str, function: Function) -> list[Context]:
        """The activations in which a method stores what is read in an activation of another method."""
        if function is frame.function:
            return [frame]
        if function.name == "__init__":
            return [self.program.instance_frame(owner, module, function)]
        return calling_contexts(self.program, module, function)

    def _place(self, term: Unknown, frame: Context) -> Flow:
        """An unknown value holds what the calls of its expression give: those behind its place in the same statement."""
        place = (term.line, term.column)
        found = []
        for call, _ in self.program.ask_of(surroundings, frame.function).places:
            whole = call.statement
            if whole[:2] <= place <= whole[2:] and call.term.site[:2] >= place and call.term.site.end_line <= whole.end_line:
                found.append(self.flow(call.term, frame))
        return joined(found)

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, call: Call, frame: Context) -> Flow:
        frame = frame.around(call.site)
        regime = self.regimes.of(call, frame)
        if not regime.grad or (isinstance(call.callee, Attr) and call.callee.name in self.knowledge.cuts_graph):
            return NOTHING
        if (
            isinstance(call.callee, Attr)
            and call.callee.name in self.knowledge.tensor_methods
            and not is_own_call(self.program, call, frame)
        ):
            return joined((self.flow(call.callee.base, frame), self._given(call, frame)))
        container = viewed(self.program, call)
        if container is not None and not is_own_call(self.program, call, frame):
            held = self.flow(container, frame)
            if held.forwards or held.other:
                return held
        return joined(self._of_callee(value, call, frame, regime) for value in self._values(call.callee, frame))

    def _values(self, term: Term, frame: Context) -> Iterator[Value]:
        """What a term stands for; ``model.to(device)`` is ``model``."""
        return innermost(self.program, self.program.values(term, frame), self._same)

    def _same(self, value: Value) -> list[Argument] | None:
        if not isinstance(value, Unresolved) or not isinstance(value.term, Call):
            return None
        method = value.term.callee
        if not isinstance(method, Attr) or method.name not in self.knowledge.fluent:
            return None
        return [Argument(method.base, value.frame)]

    def _of_callee(self, callee: Value, call: Call, frame: Context, regime: Regime) -> Flow:
        if isinstance(callee, FunctionValue):
            return self._function(callee, call, frame, regime)
        if isinstance(callee, ClassValue):
            return self._given(call, frame)
        if isinstance(callee, Library):
            return self._library(callee.name, call, frame, regime)
        if isinstance(callee, LibraryObject):
            return self._made(callee, call, frame, regime)
        if isinstance(callee, Instance):
            return self._object(callee, call, frame, regime)
        return self._unknown(call, frame, regime)

    def _function(self, callee: FunctionValue, call: Call, frame: Context, regime: Regime) -> Flow:
        if callee.function.generator or not frame.follows(callee.function):
            return self._unknown(call, frame, regime)
        inner = self.program.enter(callee, call, frame)
        found = joined(self.flow(value, inner) for value in self.program.returns(callee.function))
        if found.forwards or found.other or regime.within(self.dtypes) is None:
            return found
        return self._unknown(call, frame, regime)

    def _object(self, callee: Instance, call: Call, frame: Context, regime: Regime) -> Flow:
        """An object that is called: what its method returns, where that says more than that a model is called."""
        methods = (self.program.method(ClassValue(callee.module, callee.cls), name) for name in ("__call__", "forward"))
        method = next((found for found in methods if found is not None), None)
        if method is not None and regime.within(self.dtypes) is None:
            found = self._function(FunctionValue(method[0], method[1], callee), call, frame, regime)
            if found.forwards:
                return found
        return self._unknown(call, frame, regime)

    def _made(self, callee: LibraryObject, call: Call, frame: Context, regime: Regime) -> Flow:
        """An object of a library that is called: a loss, a wrapper around a model, a model."""
        kind = self._kind(callee.name)
        if kind == "loss":
            return self._loss(call, frame)
        if kind in ("wrapper", "ddp") and callee.call is not None and callee.frame is not None and callee.call.args:
            wrapped = self._values(callee.call.args[0], callee.frame)
            objects = [value for value in wrapped if isinstance(value, Instance)]
            if objects:
                return joined(self._object(value, call, frame, regime) for value in objects)
        return self._unknown(call, frame, regime)

    def _kind(self, name: str) -> str | None:
        """The kind of an object; methods that return the object itself (``.to(device)``) are looked through."""
        while name:
            kind = self.knowledge.kinds.get(name)
            if kind is not None:
                return kind
            name, _, method = name.rpartition(".")
            if method not in self.knowledge.tensor_methods:
                return None
        return None

    def _library(self, name: str, call: Call, frame: Context, regime: Regime) -> Flow:
        if self.knowledge.kinds.get(name) == "loss":
            return self._loss(call, frame)
        if name in self.knowledge.forwards or self._method_of_object(call, frame):
            return self._unknown(call, frame, regime)
        given = self._given(call, frame)
        return joined((given, self.flow(call.callee.base, frame))) if isinstance(call.callee, Attr) else given

    def _method_of_object(self, call: Call, frame: Context) -> bool:
        """``model.forward(x)`` of an object that a library made: not a function, and no tensor's method."""
        if not isinstance(call.callee, Attr):
            return False
        return any(
            isinstance(v, LibraryObject) and not v.name.startswith("torch.") for v in self.program.values(call.callee.base, frame)
        )

    def _given(self, call: Call, frame: Context) -> Flow:
        """What the arguments hold."""
        return joined(self.flow(argument, frame) for argument in (*call.args, *(value for _, value in call.kwargs)))

    def _loss(self, call: Call, frame: Context) -> Flow:
        given = self._given(call, frame)
        return given._replace(losses=given.losses + 1) if given.forwards else given

    def _unknown(self, call: Call, frame: Context, regime: Regime) -> Flow:
        """A call of an object that may hold parameters."""
        given = self._given(call, frame)
        if isinstance(call.callee, Attr):
            receiver = self.flow(call.callee.base, frame)
            given = joined((given, receiver._replace(other=False)))
        autocast = regime.within(self.dtypes)
        if given.forwards:
            return given if autocast is not None else given._replace(heads=given.heads + 1)
        if autocast is not None and self._on(autocast, frame) and not (given.other and self._names_loss(call)):
            return Flow((Forward(call, frame, autocast),))
        return given._replace(other=True) if self._recomputed(call, frame) else given

    def _on(self, autocast: Autocast, frame: Context) -> bool:
        """Whether the autocast around an activation may be on, and have been made, where the backward pass runs."""
        maker = autocast.frame.function
        at = next((each for each in frame.active() if each.function is maker), autocast.frame)
        tests = [*_tests(self.program, autocast.call, at), *([(autocast.switch, True)] if autocast.switch is not None else ())]
        return all(answer_of(self.program, self.assumed, test, at) in (None, holds) for test, holds in tests)

    def _names_loss(self, call: Call) -> bool:
        """Whether what is called bears the name of a loss: only asked to tell a loss from a model, both out of sight."""
        name = (last_name(call.callee) or "").lower()
        return any(word in name for word in self.knowledge.loss_words)

    def _recomputed(self, call: Call, frame: Context) -> bool:
        """Whether a call runs anew for each backward pass: a model is built once, its output is computed each time."""
        point, here = call, frame
        while here not in self.chain:
            if here.call is None or here.caller is None:
                return True
            point, here = here.call, here.caller
        asked = self.program.ask_of(surroundings, here.function)
        around = asked.of(self.chain[here]).loops
        return not around or around[-1] in asked.of(point).loops
