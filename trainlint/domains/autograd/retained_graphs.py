"""Graphs that outlive their iteration: kept by ``retain_graph`` or ``create_graph``, or carried on in a state or a buffer."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.domains.autograd.backward import CUTS_OFF
from trainlint.domains.autograd.graphs import Graphs
from trainlint.domains.constructor_arguments import Options
from trainlint.domains.grad_mode import ON, GradMode
from trainlint.domains.lazy_init import makes_missing
from trainlint.domains.nn.modules import is_module, of_module
from trainlint.domains.train_mode.evidence import is_trained
from trainlint.finding import Spot
from trainlint.flow.events import Event
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Const,
    Element,
    Global,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import loops_around, within
from trainlint.ir.sketch import Block, CallStep, Function, If, Keep, Store
from trainlint.ir.terms import parts_of, parts_through, root_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, last_name, methods_of
from trainlint.program.contexts import calling_contexts
from trainlint.program.leading import Leading
from trainlint.program.loops import Loops, stream_of
from trainlint.program.memo import remembered
from trainlint.program.object_identity import Identities
from trainlint.program.origins import origins, reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import passed, reached
from trainlint.program.values import Argument, ClassValue, Context, Instance, Library, LibraryObject

_RETAIN, _CREATE = "retain_graph", "create_graph"


class Said(NamedTuple):
    """A backward pass that is told to keep its graph, or to record itself.

    ``here``: by what stands in the call; ``place`` is where it is written, if that is elsewhere and known.
    """

    event: Event
    here: bool
    place: tuple[str, Spot] | None


def _told(program: Program, event: Event, keyword: str) -> Said:
    here = isinstance(dict(event.call.kwargs).get(keyword), Const)
    return Said(event, here, program.ask(Options).written_at(event.call, event.frame, keyword))


def retained(program: Program) -> Iterator[Said]:
    """The backward passes that keep a graph nobody uses again."""
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("backward"):
        passes = found.of_kind("backward")
        if found.loop is None or len(passes) != 1 or passes[0].term in seen or _is_out_of_sight(found):
            continue
        event, call = passes[0], passes[0].term
        if not isinstance(call, Call) or not isinstance(call.callee, Attr) or call.args or event.inner:
            continue
        if not _says(program, event, _RETAIN) or _says(program, event, _CREATE):
            continue
        loss = call.callee.base
        if tests_software(program, event.frame.module, event.frame.function) or _uses_again(program, found, event, loss):
            continue
        own = _Own(program, found)
        if own.is_made_of(loss, event.frame) or own.is_one_of_several(loss, event.frame):
            seen.add(event.term)
            yield _told(program, event, _RETAIN)


def recorded(program: Program) -> Iterator[Said]:
    """The backward passes in loops that record themselves, where no gradient is let go."""
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("backward"):
        if found.loop is None or found.may_be_changed(program, *found.parts(), None):
            continue
        if tests_software(program, found.frame.module, found.frame.function) or any(map(_breaks, found.of_kind("clear"))):
            continue
        for event in found.of_kind("backward"):
            if _says(program, event, _CREATE) and event.term not in seen:
                seen.add(event.term)
                yield _told(program, event, _CREATE)


def _is_out_of_sight(found: Round) -> bool:
    """Whether somebody out of sight got hold of a loss, a model, or the object whose step this is."""
    return any(event.kind == "unknown" and event.handed.whole for event in found.all)


def _says(program: Program, event: Event, keyword: str) -> bool:
    """Whether an argument is true, wherever that is written down."""
    said = program.ask(Options).constant_in(event.term, event.frame, keyword) if isinstance(event.term, Call) else None
    return said is not None and said.value is True


def _breaks(clear: Event) -> bool:
    """Whether gradients are set to None, or cut off, as every ``zero_grad`` does: to set them to 0 in place is not enough."""
    name = last_name(clear.term.callee) or "" if isinstance(clear.term, Call) else ""
    return not name.endswith("_") or name == CUTS_OFF


def _uses_again(program: Program, found: Round, event: Event, loss: Term) -> bool:
    """Whether something in a round, in its function or in what is called there, may go through the graph once more."""
    assert found.loop is not None
    asked, again = program.ask(Loops), frozenset(program.knowledge.tables["retained"]["again"])
    for call in _calls_in(found.loop.body):
        if asked.call_says(call, found.frame, again) and not (found.frame is event.frame and _is_of_another(call, loss, again)):
            return True
    return any(
        asked.call_says(call, event.frame, again) and not _is_of_another(call, loss, again)
        for call in _calls_in(event.frame.function.body)
    )


def _calls_in(block: Block) -> Iterator[Call]:
    return (node.term for node in walk(block) if isinstance(node, CallStep))


def _is_of_another(call: Call, loss: Term, again: Collection[str]) -> bool:
    """Whether what a call goes through is surely another graph than that of a loss: nothing that was computed is in both."""
    name, callee = last_name(call.callee), call.callee
    given = callee.base if isinstance(callee, Attr) and isinstance(callee.base, Call) else call.args[0] if call.args else None
    if name not in again or given is None or not isinstance(given, (Call, BinOp)):
        return False
    parts = set(parts_of(given))
    if any(isinstance(part, (Unknown, LoopPhi)) for part in parts):
        return False
    return all(not isinstance(part, (Call, BinOp)) or _is_data(part) for part in parts.intersection(parts_of(loss)))


def _is_data(term: Term) -> bool:
    """Whether something is what a loop hands out, perhaps on a device: ``x.cuda()``."""
    while isinstance(term, (Access, Call)):
        if isinstance(term, Call):
            if not isinstance(term.callee, Attr):
                return False
            term = term.callee.base
        else:
            term = term.base
    return isinstance(term, Element)


class _Own:
    """Whether what a loss is made of is made in its own round; doubt counts as no."""

    def __init__(self, program: Program, found: Round) -> None:
        self.program = program
        self.found = found
        self.known = tuple(program.knowledge.keeps_nothing)

    @remembered(False)
    def is_made_of(self, term: Term, frame: Context, given: bool = False) -> bool:
        """Whether a value has no graph from before the round; what the loop hands out, where it is ``given`` to a model."""
        if isinstance(term, (Param, Call)):
            made = reaching_definition(self.program, term, frame)
            given = given or (isinstance(term, Call) and made.term is not term)  # to a function of the project
            term, frame = made
        if not self.found.runs(frame):
            return False
        if isinstance(term, Const):
            return True
        if isinstance(term, Element):
            assert self.found.loop is not None
            return given and frame is self.found.frame and term.of is self.found.loop.subject
        if isinstance(term, Access):
            plain = not isinstance(term.base, (Self, Param, Global, Ref))
            return plain and self.is_made_of(term.base, frame, given)
        if isinstance(term, BinOp):
            return all(self.is_made_of(part, frame, given) for part in term.sides)
        if isinstance(term, Call):
            return stream_of(term) is not None or self._is_fresh(term, frame, given)
        return False

    def is_one_of_several(self, loss: Term, frame: Context) -> bool:
        """Whether a loop hands out losses that are written down, and have no graph in common."""
        subject = self.found.loop.subject if self.found.loop is not None else None
        if not isinstance(loss, Element) or loss.of is not subject or frame is not self.found.frame:
            return False
        losses = subject.items if isinstance(subject, SequenceDisplay) else ()
        several = [[part for part in parts_of(each) if not _is_data(part)] for each in losses]
        parts = [part for each in several for part in set(each)]
        if not parts or any(isinstance(part, (Unknown, LoopPhi)) for part in parts):
            return False
        computed = [part for part in parts if isinstance(part, (Call, BinOp))]
        calls = [part for part in computed if isinstance(part, Call)]
        return len(computed) == len(set(computed)) and all(self._keeps_nothing(call.callee, frame) for call in calls)

    def _is_fresh(self, call: Call, frame: Context, data: bool) -> bool:
        """A call in the round, of something that keeps nothing, of what was made in the round."""
        assert self.found.loop is not None
        if frame is self.found.frame and not within(frame.function, self.found.loop, call):
            return False
        callee = call.callee
        given = (*call.args, *(value for _, value in call.kwargs))
        if isinstance(callee, Attr) and callee.name in self.program.knowledge.keeps:
            plain = all(self._is_plain(part, frame) for part in given)
            return plain and self.is_made_of(callee.base, frame, data)
        return self._keeps_nothing(callee, frame) and all(self._is_plain(part, frame) for part in given)

    def _is_plain(self, term: Term, frame: Context) -> bool:
        """An argument: made in the round, or a thing without a graph (a device, a number of the settings)."""
        values = self.program.values(term, frame)
        if values and all(
            isinstance(value, Library) or (isinstance(value, LibraryObject) and value.name == "torch.device") for value in values
        ):
            return True
        return self.is_made_of(term, frame, True)

    def _keeps_nothing(self, callee: Term, frame: Context) -> bool:
        """Whether what is called is a library's function or layer, or a module of the project that stores nothing."""
        values = self.program.values(callee, frame)
        return bool(values) and all(self._is_stateless(value) for value in values)

    def _is_stateless(self, value: object) -> bool:
        if isinstance(value, (Library, LibraryObject)):
            return value.name.startswith(self.known)
        if not isinstance(value, Instance):
            return False
        keeps = self.program.knowledge.tables["retained"]["keeps"]
        cls, registers = ClassValue(value.module, value.cls), self.program.knowledge.registers
        if any(isinstance(each, Library) and each.name not in registers for each in self.program.lineage(cls)):
            return False
        return not any(_stores(method, keeps) for _, method in methods_of(self.program, cls))


def _stores(method: Function, keeps: Collection[str]) -> bool:
    """Whether a method of a module may keep something of what it is given: any but the one that sets it up."""
    if method.name == "__init__":
        return False
    kept = bool(of_kind(method, Store)) or bool(of_kind(method, Keep))
    return kept or any((last_name(node.term.callee) or "") in keeps for node in calls_of(method))


class Chained(NamedTuple):
    """A store that extends the graph of the value it replaces: ``layer`` is the call that computes the new one from it.

    ``kind``: the layer hands out its state as "one" tensor or as a "pair"; "cell" and "other" are all that is not known.
    ``ends``: a method of the object that sets the state anew, and is not seen to be called where the chain grows; what else goes
    out has no graph.
    """

    module: str
    function: Function
    store: Store
    layer: Argument
    kind: str
    ends: Function | None = None

    @property
    def computed(self) -> tuple[str, Spot]:
        """The file and place of the layer's call."""
        assert isinstance(self.layer.term, Call)
        return self.layer.frame.module, self.layer.term.site


#: An assignment, and a call of ``setattr``.
_REPLACES = ("Assign", "Call")


class Chains:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: CallGraph = program.ask(CallGraph)
        self.mode = program.ask(GradMode)
        self.identities = program.ask(Identities)

    def found(self) -> Iterator[Chained]:
        """Every such store in a program that computes gradients."""
        program = self.program
        seen: set[Term] = set()
        chains = [each for path, function in list(program.functions()) for each in self._chains(path, function)]
        stores = {id(each.store) for each, _ in chains}
        for each, layers in chains:
            if each.layer.term in seen:
                continue
            ends = None
            if self._is_ended(each, stores):
                ends = self._seldom_ended(each) if self._is_cut_off(each) else None
                if ends is None:
                    continue
            if all(self.mode.at(layer.frame, Spot(*layer.term.site)) == ON for layer in layers if isinstance(layer.term, Call)):
                seen.add(each.layer.term)  # `self.h, self.c = …` are two stores of one result
                yield each._replace(ends=ends)

    def _chains(self, path: str, function: Function) -> Iterator[tuple[Chained, list[Argument]]]:
        """The stores of a function that go on from what they replace, with the layer's calls in all activations."""
        program = self.program
        for store in of_kind(function, Store):
            if not isinstance(store.target, (Attr, Global)) or store.kind not in _REPLACES or not self._trains(path):
                continue
            own = program.frame(path, function)
            layers = self._layers(store, own)
            if layers:
                layers += [found for each in calling_contexts(program, path, function) for found in self._layers(store, each)]
            elif any(isinstance(part, Param) for part in parts_of(store.value)):
                layers = [found for each in calling_contexts(program, path, function) for found in self._layers(store, each)]
            if layers:
                yield Chained(path, function, store, layers[0], self._kind(layers[0])), layers

    def _layers(self, store: Store, frame: Context) -> list[Argument]:
        """The calls of layers with weights that get the old value and whose result, or a part of it, the new one is."""
        old = Argument(store.target, frame)
        found = reached(self.program, store.value, frame, self._made_of)
        calls = ((each, each.term) for each in found if isinstance(each.term, Call) and not self._keeps(each.term))
        return [each for each, call in calls if self._goes_on(call, each.frame, old)]

    def _made_of(self, term: Term, frame: Context) -> list[Argument] | None:
        """What a value has its graph from."""
        if isinstance(term, Subscript):
            whole = Argument(term.base, frame)
            if self._is_of_object(*whole):
                return [whole]
            return [each for each in origins(self.program, term, frame) if each.term is not term] or [whole]
        if isinstance(term, SequenceDisplay):
            return [Argument(item, frame) for item in term.items]
        if isinstance(term, BinOp):
            return [Argument(side, frame) for side in term.sides]
        if isinstance(term, Call) and self._keeps(term):
            assert isinstance(term.callee, Attr)
            return [Argument(term.callee.base, frame)]
        return (
            [] if self._is_of_object(term, frame) or (isinstance(term, Call) and self._has_weights(term.callee, frame)) else None
        )

    def _is_of_object(self, term: Term, frame: Context) -> bool:
        """Whether a term is an attribute of the object at hand, or an item of one: what it holds is asked by identity."""
        while isinstance(term, Subscript):
            term = term.base
        return isinstance(term, Attr) and isinstance(passed(root_of(term), frame).term, Self)

    def _keeps(self, call: Call) -> bool:
        """Whether a method hands on the graph of what it is called on, and no more."""
        return isinstance(call.callee, Attr) and call.callee.name in self.program.knowledge.keeps

    def _goes_on(self, call: Call, frame: Context, old: Argument) -> bool:
        given = (*call.args, *(each for _, each in call.kwargs))
        return any(self._is_old(each, frame, old) for each in given) and self._has_weights(call.callee, frame)

    def _is_old(self, term: Term, frame: Context, old: Argument) -> bool:
        """Whether a term is the old value or a part of it, with its graph."""
        parts = list(reached(self.program, term, frame, self._made_of))
        return any(self._is_same(each, old) for each in parts)

    def _is_same(self, one: Argument, old: Argument) -> bool:
        """Whether two terms mean one attribute of one object, or one global."""
        if isinstance(one.term, Attr) and isinstance(old.term, Attr) and one.term.name == old.term.name:
            owners = [self.identities.of(each.term.base, each.frame) for each in (one, old) if isinstance(each.term, Attr)]
            if owners[0] & owners[1]:
                return True
        if one.term is old.term and (one.frame is old.frame or isinstance(one.term, Global)):
            return one.frame.module == old.frame.module
        values = self.program.values(*one) if isinstance(one.term, (Attr, BoolOp, Call, Element, Select)) else ()
        return bool(values) and values == self.program.values(*old)

    def _has_weights(self, callee: Term, frame: Context) -> bool:
        """Whether a call runs layers with weights."""
        values = self.program.values(callee, frame)
        if any(isinstance(value, LibraryObject) and value.name in self.program.knowledge.recurrent for value in values):
            return True
        if any(isinstance(value, Instance) and is_module(self.program, value) for value in values):
            return True
        return any(is_trained(self.program, key) for key in self.identities.of(callee, frame))

    def _kind(self, layer: Argument) -> str:
        words = self.program.knowledge.recurrent
        values = self.program.values(layer.term.callee, layer.frame) if isinstance(layer.term, Call) else ()
        kinds = {words.get(v.name, "other") if isinstance(v, LibraryObject) else "other" for v in values}
        return kinds.pop() if len(kinds) == 1 else "other"

    def _trains(self, path: str) -> bool:
        """Whether something around the file computes gradients."""
        names = self.program.knowledge.backward
        return any(self.program.together(site.module, path) for name in names for site in self.index.sites.get(name, ()))

    def _is_ended(self, chain: Chained, chained: set[int]) -> bool:
        """Whether anybody else sets what is stored, or cuts its graph off, or speaks of it outside of its class.

        What goes on from it as well (``chained``) ends nothing.
        """
        assert isinstance(chain.store.target, (Attr, Global))
        name, own = chain.store.target.name, {id(each) for each in self._methods(chain)}
        inside = own | {id(chain.function), id(chain.layer.frame.function)}
        for module, function in self.program.functions():
            if not self.program.together(module, chain.module):
                continue
            for other in of_kind(function, Store):
                target = other.target
                if id(other) in chained or not isinstance(target, (Attr, Global, LoopPhi)) or target.name != name:
                    continue
                begins = id(function) in own and (function.name == "__init__" or self._is_first(module, function, other))
                if not begins and not self._is_before_rounds(chain, function, other):
                    return True
            ends = self.program.knowledge.ends_in_place
            if any(
                _ends(node, name, ends) or (id(function) not in inside and _mentions(node, name)) for node in calls_of(function)
            ):
                return True
        return False

    def _is_before_rounds(self, chain: Chained, function: Function, store: Store) -> bool:
        """Whether a store stands before a loop whose rounds each go on from the last one, with a backward pass of their own."""
        loops = loops_around(function, chain.store) if function is chain.function else ()
        if not loops or within(function, loops[-1], store):
            return False
        names = frozenset(self.program.knowledge.backward)
        return self.program.ask(Loops).says(chain.module, function, loops[-1].body, names)

    def _seldom_ended(self, chain: Chained) -> Function | None:
        """A method that sets the state of its object anew, if nobody is seen to call it beside the one that goes on from it.

        None where there is no such method, or somebody else speaks of the state.
        """
        store, inside = chain.store, chain.function
        if not isinstance(store.target, Attr) or not isinstance(store.target.base, Self):
            return None
        name, own, found = store.target.name, {id(each) for each in self._methods(chain)}, list[Function]()
        for module, function in self.program.functions():
            if not self.program.together(module, chain.module):
                continue
            targets = [each.target for each in of_kind(function, Store)]
            others = [target for target in targets if isinstance(target, Attr) and target.name == name]
            if any(not isinstance(target.base, Self) for target in others):
                return None
            if id(function) in own:
                if any(_ends(node, name, self.program.knowledge.ends_in_place) for node in calls_of(function)):
                    return None
                if function is not inside and function.name != "__init__" and others:
                    found.append(function)
            elif any(_mentions(node, name) for node in calls_of(function)) and not self._is_namesake(module, function, name):
                return None
        around = self._leading_to(inside)
        return found[0] if found and not any(around & self._leading_to(each) for each in found) else None

    def _is_cut_off(self, chain: Chained) -> bool:
        """Whether a function hands on what else a layer gives without its graph only: no backward pass will go through it."""
        layer, store, inside = chain.layer.term, chain.store, chain.layer.frame.function
        out = list(self.program.returns(inside))
        out += [node.value for node in of_kind(inside, Store) if node.spot != store.spot]
        out += [node.value for node in of_kind(inside, Keep)]
        out += [given for node in calls_of(inside) for given in (*node.term.args, *(value for _, value in node.term.kwargs))]
        return any(layer in parts_of(each) for each in out) and not any(self._reaches(each, layer) for each in out)

    def _reaches(self, term: Term, layer: Term) -> bool:
        """Whether a value may hold the graph of what a layer gives."""
        return not self._cuts(term) and any(
            part is layer for part in parts_through(term, lambda each: [part for part in each.subterms() if not self._cuts(part)])
        )

    def _cuts(self, term: Term) -> bool:
        return bool(
            isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.program.knowledge.cuts_graph
        )

    def _methods(self, chain: Chained) -> Iterator[Function]:
        """The methods of the object in which a chain stores; for a global those of the class whose method does so."""
        target, frames = chain.store.target, [self.program.frame(chain.module, chain.function)]
        frames += calling_contexts(self.program, chain.module, chain.function)
        bases = [(target.base, frame) for frame in frames] if isinstance(target, Attr) else []
        owners = {(v.module, v.cls) for base in bases for v in self.program.values(*base) if isinstance(v, Instance)}
        cls = self.program.modules[chain.module].classes.get(chain.function.cls or "")
        if cls is not None:
            owners.add((chain.module, cls))
        for owner in owners:
            yield from (method for _, method in methods_of(self.program, ClassValue(*owner)))

    def _is_namesake(self, module: str, function: Function, name: str) -> bool:
        """Whether the object of a method has an attribute of that name itself."""
        return any(
            isinstance(node.target, Attr) and node.target.name == name and isinstance(node.target.base, Self)
            for cls in [self.program.modules[module].classes.get(function.cls or "")]
            if cls is not None
            for _, each in methods_of(self.program, ClassValue(module, cls))
            for node in of_kind(each, Store)
        )

    def _leading_to(self, function: Function) -> set[int]:
        """A function and those that lead to it; a script that runs all there is says nothing."""
        leading = self.program.ask(Leading).to(function)
        return {each for each, lead in leading.items() if lead.function.kind != "module"}

    def _is_first(self, module: str, function: Function, store: Store) -> bool:
        """Whether a store only makes what is not there yet: ``if self.h is None: self.h, self.c = zeros(), zeros()``."""
        around = [node for node in of_kind(function, If) if any(each is store for each in walk(node.body))]
        return any(makes_missing(self.program, node, self.program.frame(module, function)) for node in around)


def _mentions(node: CallStep, name: str) -> bool:
    parts = (node.term.callee, *node.term.args, *(value for _, value in node.term.kwargs))
    return any(isinstance(part, Attr) and part.name == name for each in parts for part in parts_of(each))


def _ends(node: CallStep, name: str, methods: frozenset[str]) -> bool:
    """``self.state.detach_()``, also of its parts."""
    return last_name(node.term.callee) in methods and _mentions(node, name)


class Recorded(NamedTuple):
    """A write to a buffer of a module, of something that holds the graph of this call.

    ``node``: the parser's class at ``spot``; ``sure``: what has the graph has weights of the module, and is not just what it
    was given.
    """

    module: str
    function: Function
    target: Attr
    spot: Spot
    statement: Spot
    node: str
    sure: bool


class Statistics:
    """Running statistics of modules that are recorded: each forward pass adds its graph to that of the pass before.

    A buffer is what a module keeps beside its weights. No gradient is wanted of it, so what is written to it has to be detached.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.mode = program.ask(GradMode)
        self.graphs: Graphs = program.ask(Graphs)

    def found(self) -> Iterator[Recorded]:
        """Every such write, once for each statement."""
        for path, function in self.program.functions():
            if function.cls is None or function.name == "__init__" or not of_module(self.program, path, function):
                continue
            names = self._buffers(path, function)
            for each, values in self._writes(path, function, names) if names else ():
                own = self.program.frame(path, function)
                if self.mode.always_off(own, each.spot) or self._is_detached(own, each.target):
                    continue
                sure = [found for value in values if (found := self._records(value, own)) is not None]
                if sure:
                    yield each._replace(sure=any(sure))

    def _buffers(self, path: str, function: Function) -> set[object]:
        """The names under which the class of a method registers its buffers."""
        return {
            node.term.args[0].value
            for method in self._methods(path, function)
            for node in calls_of(method)
            if last_name(node.term.callee) in self.program.knowledge.buffer_makers
            and node.term.args
            and isinstance(node.term.args[0], Const)
        }

    def _methods(self, path: str, function: Function) -> Iterator[Function]:
        cls = self.program.modules[path].classes[function.cls or ""]
        return (method for _, method in methods_of(self.program, ClassValue(path, cls)))

    def _writes(self, path: str, function: Function, names: set[object]) -> Iterator[tuple[Recorded, list[Term]]]:
        """The statements that write to a buffer, and what they write; a value that replaces the old one holds one graph only."""
        for store in of_kind(function, Store):
            target = _own_attribute(store.target)
            if target is not None and target.name in names and target in parts_of(store.value):
                yield Recorded(path, function, target, store.spot, store.spot, store.kind, True), _operands(store.value)
        for kept in of_kind(function, Keep):
            target = _own_attribute(kept.target)
            if target is not None and target.name in names:
                yield Recorded(path, function, target, kept.spot, kept.spot, kept.kind, True), [kept.value]
        writes = self.program.knowledge.tables["retained"]["writes"]
        for call in calls_of(function):
            callee = call.term.callee
            target = _own_attribute(callee.base) if isinstance(callee, Attr) and callee.name in writes else None
            if target is not None and target.name in names:
                written = [*call.term.args, *(value for name, value in call.term.kwargs if name != "alpha")]
                yield Recorded(path, function, target, call.term.site, call.statement, "Call", True), written

    def _is_detached(self, frame: Context, target: Attr) -> bool:
        """Whether a method of the class cuts the graph off what the buffer holds, or sets it anew."""
        knowledge = self.program.knowledge
        for method in self._methods(frame.module, frame.function):
            for node in calls_of(method):
                name = last_name(node.term.callee)
                if (name in knowledge.ends_in_place or name in knowledge.cuts_graph) and isinstance(node.term.callee, Attr):
                    own = _own_attribute(node.term.callee.base)
                    if own is not None and own.name == target.name and (method is frame.function or name in knowledge.cuts_graph):
                        return True
        return False

    def _records(self, value: Term, own: Context) -> bool | None:
        """Whether a value surely holds a graph, of a weight or a layer; False: likely, of what the module is given; None: no."""
        if any(isinstance(part, Call) and self.mode.at(own, part.site) != ON for part in parts_of(value)):
            return None
        likely = None
        for part, frame in self.graphs.held(value, own):
            if isinstance(part, Attr) and isinstance(part.base, Self) and self._is_weight(part, frame):
                return True
            if isinstance(part, Call) and self._is_layer(part.callee, frame) and self.mode.at(frame, part.site) == ON:
                return True
            if frame is own and isinstance(part, Param) and self._is_input(part, own):
                likely = False
        return likely

    def _is_weight(self, term: Attr, frame: Context) -> bool:
        parameter = self.program.knowledge.written["parameter"]
        return any(isinstance(value, LibraryObject) and value.name == parameter for value in self.program.values(term, frame))

    def _is_layer(self, callee: Term, frame: Context) -> bool:
        """Whether what is called is a layer with weights, or a module of the project."""
        knowledge = self.program.knowledge
        for value in self.program.values(callee, frame):
            if isinstance(value, LibraryObject):
                package = value.name.rpartition(".")[0]
                if package in knowledge.layers and value.name not in knowledge.keeps_first and value.name not in knowledge.losses:
                    return True
            elif isinstance(value, Instance) and is_module(self.program, value):
                return True
        return False

    def _is_input(self, term: Param, own: Context) -> bool:
        """Whether a parameter is what a module with weights is given first: a layer in front of it may have computed that."""
        function = own.function
        given = function.parameters[1:2]
        if function.name not in self.program.knowledge.runs_model or list(given) != [term.name]:
            return False
        stores = (store for method in self._methods(own.module, function) for store in of_kind(method, Store))
        return any(
            isinstance(store.target, Attr) and isinstance(store.target.base, Self) and self._is_weight(store.target, own)
            for store in stores
        )


def _operands(value: Term) -> list[Term]:
    """A value, and what a function puts together to it: ``torch.maximum(a, b)``."""
    return [value, *value.args] if isinstance(value, Call) and isinstance(value.callee, Ref) else [value]


def _own_attribute(term: Term | None) -> Attr | None:
    """The attribute of the object that something is, or a part of, or what a method that changes it in place gave back."""
    while term is not None and not (isinstance(term, Attr) and isinstance(term.base, Self)):
        if isinstance(term, Subscript):
            term = term.base
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name.endswith("_"):
            term = term.callee.base
        else:
            return None
    return term
