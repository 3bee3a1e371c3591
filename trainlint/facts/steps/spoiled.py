"""What a callee out of sight may change in a training step: what it is handed, and what its object was handed before.

``timer.step()`` changes nothing of a step, whatever a timer is: nobody gave it the optimizer. ``helper.step()`` may, if it was
made with the optimizer, was given the trainer in another method, or holds them itself (``trainer.step()`` beside
``trainer.optimizer``). A name alone says nothing either way; one that speaks of a step, of gradients or of hooks tells only
that what the callee got hold of may be used for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.effect_summary import words_of
from trainlint.facts.steps.objects import Thing, Things, whole_of
from trainlint.facts.steps.path_condition import key_of
from trainlint.facts.values import Frame, FunctionValue, Instance, Library, Made, Other
from trainlint.ir.nodes import OBJECTS, Access, Attr, BoolOp, Call, Display, Element, Ref, Select, Self, Subscript, Term
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.walk import of_kind

#: What takes part in a step: whoever gets one may do a part of it, whatever it is called.
_PARTS = ("optimizer", "scaler", "engine")
_DEEPEST = 4


class Handed(NamedTuple):
    """What somebody out of sight got hold of.

    ``things`` are optimizers, scalers and engines, ``objects`` what may hold others (a term, in an activation). ``whole``:
    gradients of whatever optimizer may be meant: it got the object whose step this is, a model, or a loss.
    """

    things: tuple[Thing, ...] = ()
    objects: tuple[tuple[Term, Frame], ...] = ()
    whole: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether it got nothing that takes part in a step, as far as anybody can see."""
        return not (self.things or self.objects or self.whole)


#: Nobody can say what it got.
EVERYTHING = Handed(whole=True)


class Spoiled:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.things = program.ask(Things)
        self.index = program.ask(CallGraph)
        self._met: dict[str, dict[Term, list[tuple[Function, Term]]]] = {}
        self._graphs: dict[str, frozenset[Term]] = {}
        self._objects: dict[tuple[Term, Frame], _Found] = {}
        self._by: dict[tuple[Term, Frame], Handed | None] = {}

    def by(self, call: Call, frame: Frame) -> Handed | None:
        """What a call of something out of sight may change of a step; None where it changes nothing of one."""
        key = (call, frame)
        if key not in self._by:
            self._by[key] = self._by_now(call, frame)
        return self._by[key]

    def _by_now(self, call: Call, frame: Frame) -> Handed | None:
        targets = self.index.targets(call, frame)
        if any(isinstance(target, FunctionValue) for target in targets):
            return None
        libraries = [target.name for target in targets if isinstance(target, Library)]
        if libraries and {library.partition(".")[0] for library in libraries} <= self.knowledge.harmless_packages:
            return None
        arguments = (*call.args, *(value for _, value in call.kwargs))
        found = _Found()
        for given in arguments:
            self._parts(given, frame, found)
        asked = (
            call.callee.base if isinstance(call.callee, Attr) and not isinstance(call.callee.base, Ref) else None
        )  # the object whose method is called
        if not (found.whole or found.things or self._speaks(call.callee)):
            return None
        if libraries and found.is_nothing and (asked is None or self.things.of(asked, frame).sure):
            return None
        for given in arguments:
            self._opaque(given, frame, found)
        if asked is not None and not found.whole:
            found.whole = self._is_callback(asked, frame)
            found.take(self._held_by(asked, frame))
        return None if found.is_nothing else found.all()

    def _is_callback(self, term: Term, frame: Frame) -> bool:
        """Whether an object is one of many that came from outside: whoever made those gave them what they need."""
        return isinstance(term, Element) and all(
            isinstance(value, Other) and value.term is term for value in self.program.values(term, frame)
        )

    def _speaks(self, callee: Term) -> bool:
        return not self.knowledge.step_hooks.isdisjoint(words_of(callee))

    # -- what is handed over ---------------------------------------------------------------------------------------

    def _parts(self, term: Term, frame: Frame, found: _Found) -> None:
        """The parts of a step that an argument is, or has in it as it is written."""
        if isinstance(term, Display):
            for part in term.subterms():
                self._parts(part, frame, found)
        elif isinstance(term, Self):
            found.whole = True
        elif isinstance(term, (*OBJECTS, Element, Subscript)):
            thing = self.things.of(term, frame)
            if thing.kind in _PARTS:
                found.things.append(thing)

    def _opaque(self, term: Term, frame: Frame, found: _Found) -> None:
        """What else an argument may bring along: a model, a loss, an object that holds an optimizer."""
        term = whole_of(term)
        if isinstance(term, Display):
            for part in term.subterms():
                self._opaque(part, frame, found)
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.knowledge.hands_parameters:
            found.whole = True
        elif isinstance(term, OBJECTS):
            if term in self._with_graphs(frame.module) or self.things.of(term, frame).kind == "module":
                found.whole = True
            found.objects.append((term, frame))

    def _held_by(self, term: Term, frame: Frame) -> _Found:
        """What an object holds (each is asked once)."""
        known = self._objects.get((term, frame))
        if known is None:
            known = self._objects[term, frame] = _Found()
            self._held(term, frame, known, _DEEPEST)
        return known

    def _held(self, term: Term, frame: Frame, found: _Found, depth: int) -> None:
        """What an object holds: what it was made with, and what its methods were given in sight."""
        term = whole_of(term)
        if found.whole or depth <= found.met.get((term, frame), 0):
            return  # more than all there is nothing
        found.met[term, frame] = depth
        if isinstance(term, (Select, BoolOp, Display)):
            for part in term.arms if isinstance(term, Select) else term.subterms():
                self._held(part, frame, found, depth - 1)
            return
        self._parts(term, frame, found)
        if not isinstance(term, OBJECTS):
            return
        self._opaque(term, frame, found)
        for value in self.program.values(term, frame):
            if isinstance(value, (Made, Instance)) and value.call is not None and value.frame is not None:
                self._made_with(value.call, value.frame, found, depth)
            elif isinstance(value, Other) and value.term is not term:
                self._held(value.term, value.frame, found, depth - 1)
            elif isinstance(value, Other) and isinstance(term, Call):
                self._made_with(term, frame, found, depth)
        self._met_with(term, frame, found, depth)

    def _made_with(self, call: Call, frame: Frame, found: _Found, depth: int) -> None:
        """What an object was made with, and what it was given where it was made, before anybody had a name for it."""
        for given in (*call.args, *(value for _, value in call.kwargs)):
            self._held(given, frame, found, depth - 1)
        self._met_with(call, frame, found, depth)

    def _met_with(self, term: Term, frame: Frame, found: _Found, depth: int) -> None:
        for function, given in self._given_to(term, frame.module):
            where = frame if function is frame.function else self.program.frame(frame.module, function)
            self._held(given, where, found, depth - 1)

    # -- what a file does with its objects -------------------------------------------------------------------------

    def _given_to(self, term: Term, module: str) -> list[tuple[Function, Term]]:
        """What the functions of a file hand to the methods of an object, or put into its attributes."""
        known = self._met.get(module)
        if known is None:
            known = self._met[module] = {}
            for function in self.program.modules[module].functions.values():
                for receiver, given in _meetings(function):
                    known.setdefault(whole_of(receiver), []).append((function, given))
        return known.get(term, [])

    def _with_graphs(self, module: str) -> frozenset[Term]:
        """What a file calls as one calls a model, asks for parameters, or computes gradients of."""
        known = self._graphs.get(module)
        if known is None:
            functions = self.program.modules[module].functions.values()
            known = self._graphs[module] = frozenset(whole_of(term) for each in functions for term in self._of_graphs(each))
        return known

    def _of_graphs(self, function: Function) -> Iterator[Term]:
        for node in calls_of(function):
            callee = node.term.callee
            if not isinstance(callee, Attr):
                yield callee
                continue
            yield callee  # ``self.model(x)``
            if callee.name in self.knowledge.hands_parameters or callee.name in self.knowledge.backward:
                yield callee.base
            if callee.name in self.knowledge.scales:
                yield from node.term.args[:1]


class _Found:
    """What is found on the way."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.objects: list[tuple[Term, Frame]] = []
        self.whole = False
        #: What was looked into, and how deep.
        self.met: dict[tuple[Term, Frame], int] = {}

    def take(self, other: _Found) -> None:
        """Add what was found elsewhere."""
        self.things += other.things
        self.objects += other.objects
        self.whole = self.whole or other.whole

    @property
    def is_nothing(self) -> bool:
        return not (self.things or self.objects or self.whole)

    def all(self) -> Handed:
        return Handed(tuple({id(each): each for each in self.things}.values()), tuple(dict.fromkeys(self.objects)), self.whole)


def _meetings(function: Function) -> Iterator[tuple[Term, Term]]:
    """An object, and what a function gives to one of its methods or puts into one of its attributes."""
    for node in calls_of(function):
        if isinstance(node.term.callee, Attr):
            for given in (*node.term.args, *(value for _, value in node.term.kwargs)):
                yield node.term.callee.base, given
    stored: tuple[Store | Keep, ...] = (*of_kind(function, Store), *of_kind(function, Keep))
    for put in stored:
        if isinstance(put.target, Attr):
            yield put.target.base, put.value


def concerns(program: Program, handed: Handed, *parts: Thing | None) -> bool:
    """Whether somebody who got hold of something may have changed one of these parts of a step (None: nobody knows which)."""
    if handed.whole:
        return True
    asked = program.ask(Things)
    for part in parts:
        if part is None:
            if handed.things:
                return True
            continue
        for each in handed.things:
            if each.kind == "engine" or (each.kind == part.kind and asked.same(each, part) is not False):
                return True
    if handed.objects:
        got = {key_of(program, term, frame) for term, frame in handed.objects}
        return any(part is not None and not got.isdisjoint(_around(program, part)) for part in parts)
    return False


def _around(program: Program, part: Thing) -> Iterator[Any]:
    """The keys of what a thing may be reached by: itself, the objects whose attribute it is, what it was made with."""
    key = part.key
    while isinstance(key, Term):
        yield key
        key = key.base if isinstance(key, Access) else None
    for made in part.made or ():
        if made.call is not None and made.frame is not None:
            given = (*made.call.args, *(value for _, value in made.call.kwargs))
            yield from (key_of(program, each, made.frame) for each in given)
