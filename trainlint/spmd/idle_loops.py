"""Loops over what an object gathers, where the object was given nothing: they have no rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.literals import dict_viewed
from trainlint.facts.program import calls_of
from trainlint.facts.values import ClassValue, Frame, Instance
from trainlint.ir.nodes import Attr, Call, Dict, Entered, List, Self, Set, Subscript, Term
from trainlint.ir.sketch import Class, Exit, Function, Keep, Loop, Store
from trainlint.ir.walk import of_kind
from trainlint.spmd.questions import ANY

if TYPE_CHECKING:
    from trainlint.spmd.uniform_check import Agreement


class IdleLoops:
    """Answers for the functions of a program."""

    def __init__(self, analysis: Agreement) -> None:
        self.analysis = analysis
        self.program = analysis.program
        #: The methods that fill what an object gathers, by its class and the attribute; None for what does not begin empty.
        self._known: dict[tuple[int, str], frozenset[str] | None] = {}

    def gathers(self, cls: Class) -> bool:
        """Whether objects of a class gather something, as far as it was asked."""
        return any(known == id(cls) and fillers is not None for (known, _), fillers in self._known.items())

    def is_idle(self, loop: Loop, frame: Frame) -> bool:
        """Whether a loop goes over what its object gathers, and the object was given nothing."""
        name = self._gathers(loop.subject)
        owner = frame.receiver
        if name is None or not isinstance(owner, Instance):
            return False
        fillers = self._fillers(ClassValue(owner.module, owner.cls), name)
        if fillers is None or frame.function.name in fillers or "__init__" in fillers:
            return False
        self.analysis.consult(ANY)  # another object may have been given something
        if owner.call is None or owner.frame is None:
            return False
        return not any(self._gives(owner.call, fillers, owner.frame.function))

    def _gathers(self, subject: Term) -> str | None:
        """The attribute of ``self`` that is looped over, as it is or by a view of it."""
        subject = dict_viewed(self.program.knowledge.views, subject) or subject
        return subject.name if isinstance(subject, Attr) and isinstance(subject.base, Self) else None

    def _fillers(self, cls: ClassValue, name: str) -> frozenset[str] | None:
        """The methods that put something into an attribute; None when it does not begin empty."""
        known = self._known
        key = (id(cls.cls), name)
        if key not in known:
            known[key] = self._found(cls, name)
        return known[key]

    def _found(self, cls: ClassValue, name: str) -> frozenset[str] | None:
        stores = self.program.stores(cls, name)
        if not stores or not all(isinstance(value, (Dict, List, Set)) and not value.items for _, _, value in stores):
            return None
        own = [
            self.program.modules[base.module].functions[method]
            for base in self.program.lineage(cls)
            if isinstance(base, ClassValue)
            for method in base.cls.methods.values()
        ]
        fillers = {function.name for function in own if self._fills(function, name)}
        while True:
            more = {function.name for function in own if any(_asks_itself(function, each) for each in fillers)} - fillers
            if not more:
                return frozenset(fillers)
            fillers |= more

    @property
    def _harmless(self) -> frozenset[str]:
        """The methods of a container that only ask it, or take things out."""
        knowledge = self.program.knowledge
        return frozenset((*knowledge.only_asks, *knowledge.empties, *knowledge.views))

    def _fills(self, function: Function, name: str) -> bool:
        """Whether a method may put something into an attribute of its object."""
        if any(_is_own(_changed(node.target), name) for node in of_kind(function, Keep)):
            return True
        harmless = self._harmless
        for call in calls_of(function):
            callee = call.term.callee
            if any(_is_own(value, name) for value in _given(call.term)):
                return True
            if isinstance(callee, Attr) and _is_own(callee.base, name) and callee.name not in harmless:
                return True
        return False

    def _gives(self, made: Term, fillers: frozenset[str], function: Function) -> Iterator[bool]:
        """Whether a function gives something to an object that it makes, or the object to somebody else: for each statement."""
        for call in calls_of(function):
            callee = call.term.callee
            yield isinstance(callee, Attr) and _is_it(callee.base, made) and callee.name in fillers
            yield any(_is_it(value, made) for value in _given(call.term))
        for store in of_kind(function, Store):
            yield _is_it(store.value, made)
        for left in of_kind(function, Exit):
            yield left.value is not None and _is_it(left.value, made)


def _given(call: Call) -> Iterator[Term]:
    """What a call is given."""
    yield from call.args
    for _, value in call.kwargs:
        yield value


def _changed(target: Term) -> Term:
    """What an item that is set is an item of."""
    while isinstance(target, Subscript):
        target = target.base
    return target


def _is_own(term: Term, name: str) -> bool:
    return bool(isinstance(term, Attr) and isinstance(term.base, Self) and term.name == name)


def _is_it(term: Term, made: Term) -> bool:
    """Whether a term is an object by the call that makes it, or what ``with`` binds of that."""
    return term is made or (isinstance(term, Entered) and term.manager is made)


def _asks_itself(function: Function, method: str) -> bool:
    """Whether a method calls another one of its object."""
    return any(_is_own(call.term.callee, method) for call in calls_of(function))
