"""Graphs that go on from call to call: what is stored in an attribute or a global was computed from what was there before.

A recurrent layer is given the state that the last call left, and its new state is stored: the graph of all calls since the
beginning hangs on it. Where somebody empties, replaces or detaches it between the calls, there is no such chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.gradients.grad_mode import ON, GradMode
from trainlint.facts.layers import is_module
from trainlint.facts.lazy_init import makes_missing
from trainlint.facts.modes.evidence import is_trained
from trainlint.facts.modes.identity import Identities
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, Instance, Made
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Global, LoopPhi, Self, SequenceDisplay, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, If, Keep, Store
from trainlint.ir.terms import parts_of, parts_through
from trainlint.ir.walk import of_kind, walk

_DEEPEST = 12
#: How far callers are followed up.
_FARTHEST = 3


class Chained(NamedTuple):
    """A store that extends the graph of the value it replaces: ``layer`` is the call that computes the new one from it.

    ``kind``: the layer hands out its state as "one" tensor or as a "pair"; "cell" and "other" are all that is not known.
    ``ends``: a method of the object that sets the state anew, and is not seen to be called where the chain grows; what else goes
    out has no graph.
    """

    module: str
    function: Function
    store: Store
    layer: Call
    kind: str
    ends: Function | None = None


class Chains:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: CallGraph = program.ask(CallGraph)
        self.mode = program.ask(GradMode)

    def found(self) -> Iterator[Chained]:
        """Every such store in a program that computes gradients."""
        program = self.program
        seen: set[Term] = set()
        for path, function in list(program.functions()):
            for store in of_kind(function, Store):
                if not isinstance(store.target, (Attr, Global)) or store.kind != "Assign":
                    continue
                name = store.target.name
                frame = program.frame(path, function)
                layer = self._through(store.value, store.target, frame, _DEEPEST)
                if layer is None or layer in seen or not self._trains(path):
                    continue
                ends = None
                if self._is_ended(path, str(name), store, function):
                    ends = self._seldom_ended(path, store, function) if self._is_cut_off(layer, store, function) else None
                    if ends is None:
                        continue
                if all(self.mode.at(each, Spot(*layer.site)) == ON for each in activations(program, path, function)):
                    seen.add(layer)  # `self.h, self.c = …` are two stores of one result
                    yield Chained(path, function, store, layer, self._kind(layer, frame), ends)

    def _through(self, value: Term, old: Term, frame: Frame, depth: int) -> Call | None:
        """The call of a layer with weights that gets the old value and whose result, or a part of it, the new one is."""
        if depth == 0:
            return None
        if isinstance(value, Subscript):
            return self._through(value.base, old, frame, depth - 1)
        if isinstance(value, SequenceDisplay) and type(value.items) is tuple:
            return next(
                (found for item in value.items if (found := self._through(item, old, frame, depth - 1)) is not None), None
            )
        if isinstance(value, BinOp):
            return self._through(value.left, old, frame, depth - 1) or self._through(value.right, old, frame, depth - 1)
        if not isinstance(value, Call):
            return None
        callee = value.callee
        if isinstance(callee, Attr) and callee.name in self.program.knowledge.keeps:
            return self._through(callee.base, old, frame, depth - 1)
        given = (*value.args, *(each for _, each in value.kwargs))
        if any(self._is_old(each, old) for each in given) and self._has_weights(callee, frame):
            return value
        return None

    def _is_old(self, term: Term, old: Term) -> bool:
        """Whether a term is the old value or a part of it, with its graph."""
        if term is old:
            return True
        if isinstance(term, Subscript):
            return self._is_old(term.base, old)
        if isinstance(term, SequenceDisplay) and type(term.items) is tuple:
            return any(self._is_old(item, old) for item in term.items)
        if isinstance(term, Call) and isinstance(term.callee, Attr):
            return term.callee.name in self.program.knowledge.keeps and self._is_old(term.callee.base, old)
        return False

    def _has_weights(self, callee: Term, frame: Frame) -> bool:
        """Whether a call runs layers with weights."""
        values = self.program.values(callee, frame)
        if any(isinstance(value, Made) and value.name in self.program.knowledge.recurrent for value in values):
            return True
        if any(isinstance(value, Instance) and is_module(self.program, value) for value in values):
            return True
        return any(is_trained(self.program, key) for key in self.program.ask(Identities).of(callee, frame))

    def _kind(self, layer: Call, frame: Frame) -> str:
        words = self.program.knowledge.recurrent
        kinds = {words.get(v.name, "other") if isinstance(v, Made) else "other" for v in self.program.values(layer.callee, frame)}
        return kinds.pop() if len(kinds) == 1 else "other"

    def _trains(self, path: str) -> bool:
        """Whether something around the file computes gradients."""
        names = self.program.knowledge.backward
        return any(self.program.together(site.module, path) for name in names for site in self.index.sites.get(name, ()))

    def _is_ended(self, path: str, name: str, store: Store, inside: Function) -> bool:
        """Whether anybody else sets what is stored, or cuts its graph off, or speaks of it outside of its class."""
        for module, function in self.program.functions():
            if not self.program.together(module, path):
                continue
            for other in of_kind(function, Store):
                target = other.target
                if other is store or not isinstance(target, (Attr, Global, LoopPhi)) or target.name != name:
                    continue
                begins = function.cls == inside.cls and (function.name == "__init__" or self._is_first(module, function, other))
                if not begins:
                    return True
            ends = self.program.knowledge.ends_in_place
            if any(
                _ends(node, name, ends) or (function.cls != inside.cls and _mentions(node, name)) for node in calls_of(function)
            ):
                return True
        return False

    def _seldom_ended(self, path: str, store: Store, inside: Function) -> Function | None:
        """A method that sets the state of its object anew, if nobody is seen to call it beside the one that goes on from it.

        None where there is no such method, or somebody else speaks of the state.
        """
        if not isinstance(store.target, Attr) or not isinstance(store.target.base, Self):
            return None
        name, own, found = store.target.name, {id(each) for each in self._methods(path, inside)}, list[Function]()
        for module, function in self.program.functions():
            if not self.program.together(module, path):
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

    def _is_cut_off(self, layer: Term, store: Store, inside: Function) -> bool:
        """Whether a function hands on what else a layer gives without its graph only: no backward pass will go through it."""
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

    def _methods(self, path: str, function: Function) -> Iterator[Function]:
        """The methods of the object whose method a function is."""
        cls = self.program.modules[path].classes.get(function.cls or "")
        for each in self.program.lineage(ClassValue(path, cls)) if cls is not None else ():
            if isinstance(each, ClassValue):
                functions = self.program.modules[each.module].functions
                yield from (functions[name] for name in each.cls.methods.values())

    def _is_namesake(self, module: str, function: Function, name: str) -> bool:
        """Whether the object of a method has an attribute of that name itself."""
        return any(
            isinstance(node.target, Attr) and node.target.name == name and isinstance(node.target.base, Self)
            for each in self._methods(module, function)
            for node in of_kind(each, Store)
        )

    def _leading_to(self, function: Function) -> frozenset[int]:
        """A function and those that are seen to lead to it."""
        found, fresh = {id(function)}, [function]
        for _ in range(_FARTHEST):
            sites = [site for each in fresh for site in self.index.callers(each)]
            fresh = [site.function for site in sites if site.function.kind != "module" and id(site.function) not in found]
            found.update(id(each) for each in fresh)
        return frozenset(found)

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
