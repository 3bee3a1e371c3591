"""Backward passes: what gradients are computed of, by a call in sight or by the framework that is given a loss.

Steps of frameworks: methods whose result a framework computes gradients of, so that no backward pass is in sight.

Which ones is in the table ``hooks`` (``loss``): ``training_step`` of a Lightning module, ``compute_loss`` of a
transformers trainer. What such a method returns is the loss, a tuple that begins with it, or a dict with the loss
under a name. What others are handed (``hooks.graphs``) holds its graph as well: ``state.loss`` of Composer's callbacks.

And backward passes that go through a graph again which another one has freed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.gradient_free import Frozen
from trainlint.domains.autograd.graphs import Graphs
from trainlint.domains.expressions import terms_of
from trainlint.domains.grad_mode import OFF, ON, GradMode
from trainlint.finding import Spot
from trainlint.flow.events import Event
from trainlint.flow.objects import Thing, Things
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.bindings import carried_in, held_behind
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Global,
    LoopPhi,
    Param,
    Select,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.order import within
from trainlint.ir.sketch import Bind, Exit, Function, Store, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import is_abstract, of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.leading import Leading
from trainlint.program.library_uses import Hooks, overriding
from trainlint.program.loops import Loops, is_decided
from trainlint.program.memo import remembered
from trainlint.program.origins import origins
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.sources import returned as handed_back
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject

#: What cuts the graph off a tensor itself.
CUTS_OFF = "detach_"
#: Ways of backward passes that begin at a loss.
_OF_LOSSES = ("plain", "scaled", "framework")


class Returned(NamedTuple):
    """A value that a framework computes gradients of, and the ``return`` that hands it over."""

    term: Term
    spot: Spot


class Steps:
    """The steps that frameworks run, in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        hooks: Hooks = program.ask(Hooks)
        self.found = {
            id(each.function): (each.cls.module, each.function) for each in hooks.saying("loss") if hooks.runs(each.cls)
        }
        #: The methods that a framework hands what holds the graph of a loss, and how each gets it (``hooks.graphs``).
        self.handed: dict[int, tuple[Function, list[str]]] = {}
        for _, function, name in overriding(program, program.knowledge.hooks_graphs):
            self.handed.setdefault(id(function), (function, []))[1].extend(program.knowledge.hooks_graphs[name])

    def carried(self, function: Function) -> Iterator[Term]:
        """What in a method holds the graph of a loss because a framework hands it over like that."""
        _, paths = self.handed.get(id(function), (function, ()))
        if paths:
            parts = dict.fromkeys(part for term in terms_of(function) for part in parts_of(term))
            yield from (part for part in parts if not _paths(part, function).isdisjoint(paths))

    def losses(self, function: Function) -> Iterator[Returned]:
        """What a framework computes gradients of when it has run a function; nothing for other functions."""
        if id(function) in self.found:
            yield from returned(self.program, function)


def _paths(term: Term, function: Function) -> frozenset[str]:
    """The ways from a parameter to a term as table ``hooks.graphs`` writes them: by the parameter's name, or its number."""
    if isinstance(term, Access):
        return frozenset(f"{path}.{term.selector}" for path in _paths(term.base, function))
    if isinstance(term, Self):
        return frozenset(("0",))
    if isinstance(term, Param) and term.function == function.qualname and term.name in function.parameters:
        return frozenset((term.name, str(function.parameters.index(term.name))))
    return frozenset()


def returned(program: Program, function: Function) -> Iterator[Returned]:
    """The losses among the results of a function: the first of a tuple, of a dict what is called a loss."""
    for node in of_kind(function, Exit):
        if node.kind == "return" and node.value is not None:
            yield from (Returned(term, node.spot) for term in _losses(program, node.value))


def everything_returned(function: Function) -> Iterator[Returned]:
    """What a function returns, and each part of it that is written there: one of them may be a loss."""
    for node in of_kind(function, Exit):
        if node.kind == "return" and node.value is not None:
            value = node.value
            parts: tuple[Term, ...] = (value,)
            if isinstance(value, SequenceDisplay):
                parts = value.items
            elif isinstance(value, Dict):
                parts = tuple([item for _, item in value.items])
            yield from (Returned(part, node.spot) for part in parts if not isinstance(part, Const))


def _losses(program: Program, value: Term) -> Iterator[Term]:
    if isinstance(value, Select):
        yield from _losses(program, value.then)
        yield from _losses(program, value.other)
    elif isinstance(value, Tuple) and value.items:
        yield from _losses(program, value.items[0])
    elif isinstance(value, Dict):
        yield from (
            item for key, item in value.items if isinstance(key, Const) and key.value in program.knowledge.loss_attributes
        )
    elif not isinstance(value, Const):
        yield value


class Root(NamedTuple):
    """What a backward pass starts from, and the call that runs it or leads to it, in the function of the frame.

    ``returned``: a framework or the caller runs it, on what the function returns; ``spot`` is that of the ``return``.
    ``handed``: a framework runs it, on what it hands over; ``spot`` is where the function begins.
    """

    term: Term
    frame: Context
    spot: Spot
    returned: bool = False
    handed: bool = False


class Backward:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.graphs: Graphs = program.ask(Graphs)
        self.loops = program.ask(Loops)
        self.names = frozenset(program.knowledge.backward)
        self._handed: dict[int, list[Term]] = {}
        self._training: dict[int, str] | None = None
        self._trainers: frozenset[str] = frozenset()
        self._fed: dict[int, frozenset[str]] = {}
        self.steps: Steps = program.ask(Steps)
        self._stepping: frozenset[int] | None = None
        self._lending: dict[int, list[Context]] | None = None

    def training(self) -> dict[int, str]:
        """The functions that run a backward pass, themselves or in what they call: by identity, with their names."""
        if self._training is None:
            passes = [site.function for name in self.names for site in self.loops.index.sites_named(name)]
            passes += [function for _, function in self.steps.found.values()]
            passes += [function for function, _ in self.steps.handed.values()]
            leading = self.program.ask(Leading).to(*passes).values()
            self._training = {id(each.function): each.function.name for each in leading}
            self._trainers = frozenset(self._training.values())
        return self._training

    def handed_to_objects(self, function: Function) -> list[Term]:
        """What a function hands to what may be an object whose ``__call__`` computes gradients of it: ``scaler(loss, …)``."""
        if not self._objects_feed():
            return []
        known = self._handed.get(id(function))
        if known is None:
            calls = [node.term for node in calls_of(function)]
            known = [part for call in calls if len(call.args) > 1 and may_be_object(call.callee) for part in call.args]
            self._handed[id(function)] = known
        return known

    @remembered()
    def _objects_feed(self) -> bool:
        """Whether some class has a ``__call__`` that computes gradients of what it is given."""
        training = self.training()
        callables = [(m, f) for m, f in self.program.functions() if f.name == "__call__" and id(f) in training]
        return any(self.fed(module, function) for module, function in callables)

    @remembered([])
    def roots(self, frame: Context) -> list[Root]:
        """What backward passes in the function of a frame start from."""
        known = [Root(term, frame, call.site) for call, term in self._found(frame)]
        known += [Root(loss.term, frame, loss.spot, True) for loss in self._returned(frame)]
        known += [Root(term, frame, frame.function.spot, handed=True) for term in self.steps.carried(frame.function)]
        return known

    def _returned(self, frame: Context) -> Iterator[Returned]:
        """What a framework computes gradients of: the result of its step, and of the helpers from which the step has it."""
        yield from self.steps.losses(frame.function)
        caller = frame.caller
        if caller is None or not (id(frame.function) in self.stepping() or id(frame.function) in self.lending()):
            return
        for root in self.roots(caller):
            held = self.graphs.held(root.term, caller)
            handed = returned(self.program, frame.function) if root.returned else everything_returned(frame.function)
            for loss in handed:
                way = held.get((loss.term, frame))
                if way is not None and (root.returned or (way.sure and way.whole and way.fresh)):
                    yield loss

    def lending(self) -> dict[int, list[Context]]:
        """The functions (by identity) from which another one has a loss that it runs a backward pass on itself.

        With the activations in which they are called for it.
        """
        if self._lending is None:
            self._lending = {}
            found: dict[int, list[Context]] = {}
            index = self.loops.index
            sites = [site for name in self.names for site in index.sites_named(name)]
            for own in dict.fromkeys(self.program.frame(site.module, site.function) for site in sites):
                for root in self.roots(own):
                    for (_, where), way in self.graphs.held(root.term, root.frame).items():
                        here = found.setdefault(id(where.function), []) if way.sure and where.caller is own else [where]
                        if where not in here:
                            here.append(where)
            self._lending = found
        return self._lending

    def stepping(self) -> frozenset[int]:
        """The helpers (by identity) from which a framework's step has what it returns."""
        if self._stepping is None:
            self._stepping = frozenset()
            found: set[int] = set()
            for path, function in self.steps.found.values():
                own = self.program.frame(path, function)
                for loss in self.steps.losses(function):
                    found.update(id(where.function) for _, where in self.graphs.held(loss.term, own))
            self._stepping = frozenset(found) - frozenset(self.steps.found)
        return self._stepping

    def _found(self, frame: Context) -> Iterator[tuple[Call, Term]]:
        self.training()
        leading = self._trainers
        objects = "__call__" in leading
        for node in calls_of(frame.function):
            call = node.term
            name = last_name(call.callee)
            if name in self.names and not self._is_of_project(call, frame):
                yield from ((call, term) for term in self._of(call, str(name)))
            elif (call.args or call.kwargs) and (name in leading or (objects and may_be_object(call.callee))):
                yield from ((call, term) for term in self._handed_on(call, frame))

    def _is_of_project(self, call: Call, frame: Context) -> bool:
        """Whether a method that goes by the name is one of the project's own, written out: what it does is in there."""
        targets = self.graphs.index.targets(call, frame)
        return bool(targets) and all(isinstance(each, FunctionValue) and not is_abstract(each.function) for each in targets)

    def _of(self, call: Call, name: str) -> Iterator[Term]:
        """``loss.backward()``, ``engine.backward(loss)``, ``torch.autograd.backward(loss)``."""
        if isinstance(call.callee, Attr) and self.program.knowledge.backward[name] == "receiver":
            yield call.callee.base
        if call.args and not isinstance(call.args[0], Const):
            yield call.args[0]

    def _handed_on(self, call: Call, frame: Context) -> Iterator[Term]:
        """The arguments that a function of the project computes gradients of."""
        for target in self.graphs.index.targets(call, frame):
            if not isinstance(target, FunctionValue) or frame.runs(target.function):
                continue
            fed = self.fed(target.module, target.function)
            if fed:
                inner = self.program.enter(target, call, frame)
                for parameter in fed:
                    bound = inner.arguments.get(parameter)
                    if isinstance(bound, Argument) and bound.frame is frame:
                        yield bound.term

    def fed(self, module: str, function: Function) -> frozenset[str]:
        """The parameters of a function that it computes gradients of."""
        key = id(function)
        if key not in self._fed:
            self._fed[key] = frozenset()
            if id(function) not in self.training():
                return self._fed[key]
            frame = self.program.frame(module, function)
            found = set()
            for root in self.roots(frame):
                for (term, _), way in self.graphs.held(root.term, frame).items():
                    if way.sure and isinstance(term, Param) and term.function == function.qualname:
                        found.add(term.name)
            self._fed[key] = frozenset(found)
        return self._fed[key]


def may_be_object(callee: Term) -> bool:
    """Whether what is called may be an object with ``__call__``: a parameter, a global, an attribute, something made."""
    return isinstance(callee, (Param, Call, Global)) or (isinstance(callee, Attr) and isinstance(callee.base, Self))


class Repeated(NamedTuple):
    """A backward pass through a graph that another one has freed.

    ``layer`` is a call that made a part of it: before the loop, or in the iteration before, which hands it on in ``carried``, or
    in the same iteration, where ``first`` goes through it.
    """

    event: Event
    layer: Argument
    carried: str | None = None
    first: Event | None = None

    @property
    def computed(self) -> tuple[str, Spot]:
        """The file and place of the layer's call."""
        assert isinstance(self.layer.term, Call)
        return self.layer.frame.module, self.layer.term.site


def repeated(program: Program) -> Iterator[Repeated]:
    """The backward passes through a graph that the one of the iteration before, or one before in the iteration, has freed."""
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("backward"):
        if tests_software(program, found.frame.module, found.frame.function):
            continue
        likely = Passes(program, found, recorded=False)
        for event in found.of_kind("backward"):
            if event.term not in seen and event.way in _OF_LOSSES and not event.inner and likely.through(event) is not None:
                again = Passes(program, found).through(event)
                seen.update([event.term] if again is not None else ())
                yield from filter(None, [again])


class Passes:
    """The backward passes of a round: the layers whose graph each goes through. What is not known has none.

    Unless ``recorded`` is asked for, whatever is computed is taken to be recorded, which costs less.
    """

    def __init__(self, program: Program, found: Round, *, recorded: bool = True) -> None:
        self.recorded = recorded
        self.program = program
        self.found = found
        self.index = program.ask(CallGraph)
        self.mode = program.ask(GradMode)
        self.likely = program.ask(Graphs).likely
        self.frozen = program.ask(Frozen)

    def through(self, event: Event) -> Repeated | None:
        """A layer whose graph is gone when a pass goes through it."""
        before = dict.fromkeys(
            each
            for way in self.found.ways
            if event in way.events
            for each in way.events[: way.events.index(event)]
            if each.kind == "backward" and _frees(each) and each.arms <= event.arms
        )
        again = _frees(event) and self._goes_on(event)
        earlier = ((first, layer) for first in before for layer in self.layers(event) if layer in self.layers(first))
        found = next((Repeated(event, layer, first=first) for first, layer in earlier), None)
        found = found or (self._in_rounds(event) if again else None)
        if found is None or any(_cuts_in_place(where.function) for where in (event.frame, self.found.frame)):
            return None
        return found

    def _goes_on(self, event: Event) -> bool:
        """Whether each round makes a backward pass, and another round may follow."""
        loop, home = self.found.loop, self.found.frame
        follows = any(event in way.events and way.ended in (None, "continue") for way in self.found.ways)
        return follows and loop is not None and all(is_decided(self.program, test, at, loop, home) for test, _, at in event.tests)

    def _in_rounds(self, event: Event) -> Repeated | None:
        """A layer whose graph each round goes through, though it ran before the loop, or in the round before."""
        layers = self.layers(event)
        for layer in layers:
            if self._is_before(layer):
                return Repeated(event, layer)
        for term, frame in self._made(_loss(event), event.frame) if layers else ():
            carried = carried_in(frame.function, term) if isinstance(term, LoopPhi) and self._is_carried(term, frame) else None
            for layer in self._layers_of(carried.back, frame) if carried is not None else ():
                if carried is not None and layer in layers:
                    return Repeated(event, layer, carried.name.name)
        return None

    def layers(self, event: Event) -> list[Argument]:
        """The layers whose graph a pass goes through."""
        return self._layers_of(_loss(event), event.frame)

    def goes_through(self, event: Event, optimizer: Thing) -> bool:
        """Whether a pass computes gradients of the model whose parameters an optimizer took."""
        asked = self.program.ask(Things)
        return any(
            asked.is_model_of(asked.of(callee, frame), optimizer)
            for layer in self.layers(event)
            for callee, frame in _called_for(layer)
        )

    @remembered([])
    def _layers_of(self, term: Term, frame: Context) -> list[Argument]:
        """The calls of layers with weights, which nobody freezes, whose graph a value has."""
        found: list[Argument] = []
        for each, where in self._made(term, frame):
            if isinstance(each, Call) and self._is_layer(each, where) and self._is_recorded(each, where):
                home = _run_by(each, where)
                found += [Argument(each, home)] if self.found.leads_to(home) else []
        return found

    @remembered([])
    def _made(self, term: Term, frame: Context) -> list[Argument]:
        """All that a value surely has its graph from."""
        return [*reached(self.program, term, frame, self._made_of)]

    def _is_carried(self, term: Term, frame: Context) -> bool:
        """Whether a name holds what the round before has put into it."""
        loop = self.found.loop
        return isinstance(term, LoopPhi) and frame is self.found.frame and loop is not None and term.place[1:] == loop.spot[:2]

    def _is_before(self, layer: Argument) -> bool:
        """Whether a call is made before the loop of the round."""
        assert self.found.loop is not None
        assert isinstance(layer.term, Call)
        if layer.frame is self.found.frame:
            return not within(layer.frame.function, self.found.loop, layer.term)
        return not self.found.runs(layer.frame)

    def _made_of(self, term: Term, frame: Context) -> list[Argument] | None:
        """What a value surely has its graph from: what a choice gives may have none."""
        frame = _run_by(term, frame)
        if isinstance(term, Call):
            return self._called(term, frame) if not self.recorded or self.mode.at(frame, term.site) == ON else []
        if isinstance(term, BinOp):
            return [Argument(side, frame) for side in term.sides] if not self.recorded or self._is_kept(term, frame) else []
        if isinstance(term, Subscript):
            return [each for each in origins(self.program, term, frame) if each.term is not term] or [Argument(term.base, frame)]
        if isinstance(term, SequenceDisplay):
            return [Argument(item, frame) for item in term.items]
        if isinstance(term, LoopPhi) and not self._is_carried(term, frame):
            behind = held_behind(frame.function, term)
            return [Argument(behind, frame)] if behind is not None else []
        return None if isinstance(term, Param) else []

    def _is_kept(self, term: BinOp, frame: Context) -> bool:
        """Whether arithmetic is recorded: not where a block, or the function, turns that off around all that gives it a name."""
        function = frame.function
        if self.mode.of_function(frame.module, function) == OFF:
            return False
        named = [node.spot for node in of_kind(function, Bind) if node.value == term]
        named += [node.spot for node in of_kind(function, Store) if node.value == term]
        off = [node.spot for node in of_kind(function, With) if self.mode.turns_off(node, frame)] if named else []
        return not off or not all(any(block.holds(spot) for block in off) for spot in named)

    def _called(self, call: Call, frame: Context) -> list[Argument]:
        """What the result of a call has the graph of."""
        callee, knowledge = call.callee, self.program.knowledge
        if isinstance(callee, Attr) and callee.name in knowledge.keeps:
            return [Argument(callee.base, frame)]
        name, own = last_name(callee), [each for each in self.index.targets(call, frame) if isinstance(each, FunctionValue)]
        if own:
            return [each for each in handed_back(self.program, own, call, frame) if each is not None]
        given = [Argument(each, frame) for each in (*call.args, *(value for _, value in call.kwargs))]
        if self._is_layer(call, frame) or self._computes(call, frame):
            return given
        return given[:1] if name in knowledge.scales or self.likely.is_loss(callee, frame) else []

    def _computes(self, call: Call, frame: Context) -> bool:
        """Whether a library computes something of all that it is given."""
        values, knowledge = self.program.values(call.callee, frame), self.program.knowledge
        names = [value.name for value in values if isinstance(value, (Library, LibraryObject))]
        return any(name in knowledge.losses or name in knowledge.keeps_first for name in names)

    @remembered(False)
    def _is_layer(self, call: Call, frame: Context) -> bool:
        """Whether a layer with weights runs."""
        values, knowledge = self.program.values(call.callee, frame), self.program.knowledge
        return bool(values) and all(
            isinstance(value, LibraryObject)
            and value.name.rpartition(".")[0] in knowledge.layers
            and value.name not in knowledge.keeps_first
            and value.name not in knowledge.losses
            for value in values
        )

    def _is_recorded(self, call: Call, frame: Context) -> bool:
        """Whether a call is recorded, and nobody freezes what is called, or the model of which it is a part."""
        if not self.recorded:
            return True
        if self.mode.at(frame, call.site) != ON:
            return False
        return not any(self.frozen.perhaps(callee, where) for callee, where in _called_for(Argument(call, frame)))


def _called_for(layer: Argument) -> Iterator[tuple[Term, Context]]:
    """What is called where a layer runs, innermost first: the layer, and the models of which it is a part."""
    call, frame = layer
    while isinstance(call, Call):
        yield call.callee, frame
        if frame.call is None or frame.caller is None:
            return
        call, frame = frame.call, frame.caller


def _frees(event: Event) -> bool:
    """Whether a backward pass of one loss is told nothing of its graph."""
    return event.way in _OF_LOSSES and not event.inner and not event.call.kwargs


def _loss(event: Event) -> Term:
    """What a pass computes gradients of."""
    callee, args = event.call.callee, event.call.args
    return args[0] if args or not isinstance(callee, Attr) else callee.base


def _run_by(term: Term, frame: Context) -> Context:
    """The activation that makes a call: a function inside may hand on what one around it made."""
    return frame.around(term.site) if frame.closure is not None and isinstance(term, Call) else frame


def _cuts_in_place(function: Function) -> bool:
    """Whether a function cuts off graphs of what it has."""
    return any(last_name(node.term.callee) == CUTS_OFF for node in calls_of(function))
