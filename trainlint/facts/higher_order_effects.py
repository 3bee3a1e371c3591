"""Functions that communicate because of what they are handed: as an argument, in a list, by a default, to keep, to iterate."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.callback_lists import added_to, kept_under
from trainlint.facts.implicit_calls import iterated, method_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, FunctionValue, Instance, Library, Value
from trainlint.ir.nodes import Attr, Call, Element, Param, Ref, Self, Subscript, Term
from trainlint.ir.sketch import Loop, Store
from trainlint.ir.walk import of_kind


class Step(NamedTuple):
    """One step towards a collective: the call, and what it runs."""

    site: CallSite
    target: FunctionValue | Library


class Handed:
    """The part of :class:`trainlint.facts.communication.Communication` that follows what is handed on."""

    program: Program
    index: CallGraph
    steps: dict[int, Step]
    obeying: set[int]
    kept: set[str]
    _queue: deque[FunctionValue]

    @abstractmethod
    def talks(self, target: Value) -> bool:
        """Whether what is called is a collective, or a function that can reach one."""

    @abstractmethod
    def _reach(self, site: CallSite, target: FunctionValue | Library) -> None:
        """Note that a function can reach a collective, by this call."""

    def _by_default(self, reached: FunctionValue) -> None:
        """Functions that call a parameter whose default communicates."""
        for path, function, parameter, default in self.index.defaults.get(reached.function.name, ()):
            frame = self.program.frame(path, self.program.modules[path].functions["<module>"])
            if id(function) in self.steps or reached.function not in (
                value.function for value in self.program.values(default, frame) if isinstance(value, FunctionValue)
            ):
                continue
            for call in calls_of(function):
                if isinstance(call.term.callee, Param) and call.term.callee.parts == (function.qualname, parameter):
                    self._reach(CallSite(path, function, call), reached)
                    self.obeying.add(id(function))
                    break

    def _iterated(self, reached: FunctionValue) -> None:
        """Functions that loop over an object whose iteration communicates, or over a loader that draws from one."""
        for path, function in self.program.functions():
            if id(function) in self.steps:
                continue
            frame = self.program.frame(path, function)
            for loop in of_kind(function, Loop):
                owners = iterated(self.program, loop.subject, frame) if loop.kind == "for" else ()
                methods = (method_of(self.program, owner, reached.function.name) for owner in owners)
                if any(method is not None and method.function is reached.function for method in methods):
                    step = self.steps[id(reached.function)]  # nothing is called where the loop stands
                    self.steps[id(function)] = step._replace(site=step.site._replace(function=function))
                    self._queue.append(FunctionValue(path, function))
                    break

    def _hand_over(self, site: CallSite) -> None:
        """What calls a function that it is given communicates where it is given one that does."""
        frame = self.program.frame(site.module, site.function)
        if last_name(site.call.term.callee) in self.program.knowledge.changes:
            self._add(site, frame)
        self._applied(site, frame)
        for target in self.index.targets(site.call.term, frame):
            if not isinstance(target, FunctionValue) or id(target.function) in self.steps:
                continue
            inner = self.program.enter(target, site.call.term, frame)
            if target.function.name == "__init__":
                self._keep(target, inner)
            self._register(target, inner)
            given = (call for call in calls_of(target.function) if _is_handed(call.term.callee))
            found = ((call, value) for call in given for value in self.index.targets(call.term, inner) if self.talks(value))
            for call, value in found:
                self._reach(CallSite(target.module, target.function, call), value)
                self.obeying.add(id(target.function))
                break

    def _applied(self, site: CallSite, frame: Frame) -> None:
        """A library calls a function that it is given (``map(reduce, parts)``, ``stack.callback(barrier)``)."""
        applies = self.program.knowledge.applies
        callee, arguments = site.call.term.callee, site.call.term.args
        if id(site.function) in self.steps or not arguments:
            return
        known = (isinstance(callee, Attr) and callee.name in applies) or (
            isinstance(callee, Ref)
            and any(isinstance(v, Library) and v.name in applies for v in self.program.values(callee, frame))
        )
        for value in self.program.values(arguments[0], frame) if known else ():
            if isinstance(value, (FunctionValue, Library)) and self.talks(value):
                self._reach(site, value)
                return

    def _add(self, site: CallSite, frame: Frame) -> None:
        """A function that communicates is put into a list: where that is handed on, an item of it is called."""
        callee = site.call.term.callee
        if not isinstance(callee, Attr) or not any(
            self.talks(value) for value in self.program.values(site.call.term.args[0], frame)
        ):
            return
        for call in calls_of(site.function):
            if (
                isinstance(call.term.callee, Element)
                and call.term.callee.of is callee.base
                and id(site.function) not in self.steps
            ):
                self._reach(site._replace(call=call), self._first(site, frame))
            if callee.base not in call.term.args:
                continue
            for target in self.index.targets(call.term, frame):
                if isinstance(target, FunctionValue) and id(target.function) not in self.steps:
                    items = [node for node in calls_of(target.function) if _is_handed(node.term.callee)]
                    for node in items[:1]:
                        self._reach(CallSite(target.module, target.function, node), self._first(site, frame))
                        self.obeying.add(id(target.function))

    def _register(self, target: FunctionValue, frame: Frame) -> None:
        """A method adds what it is given, and what communicates, to a list of its object: who calls the items communicates."""
        for name, node in added_to(self.program, target):
            found = [value for value in self.program.values(node.term.args[0], frame) if self.talks(value)]
            for site in self.index.items if found else ():
                callee = site.call.term.callee
                while isinstance(callee, (Subscript, Element)):
                    callee = callee.stem
                place = kept_under(self.program.knowledge.hands_out, callee)
                own = place is not None and place[0] == name and site.function.cls == target.function.cls
                if own and site.module == target.module and id(site.function) not in self.steps:
                    value = found[0]
                    assert isinstance(value, (FunctionValue, Library))
                    self._reach(site, value)
                    self.obeying.add(id(site.function))

    def _first(self, site: CallSite, frame: Frame) -> FunctionValue | Library:
        """What is put into a list, and communicates."""
        found = self.program.values(site.call.term.args[0], frame)
        return next(value for value in found if isinstance(value, (FunctionValue, Library)) and self.talks(value))

    def _keep(self, target: FunctionValue, frame: Frame) -> None:
        """An object keeps what it is given and communicates: the methods that call it communicate there."""
        owner = target.receiver
        if not isinstance(owner, Instance):
            return
        kept = {
            store.target.name
            for store in of_kind(target.function, Store)
            if isinstance(store.target, Attr)
            and isinstance(store.target.base, Self)
            and isinstance(store.value, Param)
            and any(self.talks(value) for value in self.program.values(store.value, frame))
        }
        for name in kept:
            for site in self.index.sites_named(str(name)):
                callee = site.call.term.callee
                if isinstance(callee, Attr) and isinstance(callee.base, Self) and id(site.function) not in self.steps:
                    found = self.index.targets(site.call.term, self.program.instance_frame(owner, site.module, site.function))
                    if any(map(self.talks, found)):
                        self.kept.add(str(name))
                        self._reach(site, next(value for value in found if self.talks(value)))
                        self.obeying.add(id(site.function))


def _is_handed(callee: Term) -> bool:
    """Whether what is called is a parameter, or an item of one."""
    while isinstance(callee, (Subscript, Element)):
        callee = callee.stem
        if isinstance(callee, Call) and callee.args:
            callee = callee.args[0]  # of an enumeration, say
    return isinstance(callee, Param)
