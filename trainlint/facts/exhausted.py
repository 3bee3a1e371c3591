"""Parameters that were handed out once and are asked for twice: the second time there are none.

``model.parameters()`` is a generator. What goes through it (an optimizer, a norm, a loop) leaves it empty, without an error.
Two uses count if both run in one go: one behind the other, one in a loop that does not make the generator anew, or one in
``__init__`` and one in another method of the object that keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import FunctionValue, Library
from trainlint.finding import Spot
from trainlint.ir.control_dependence import positive
from trainlint.ir.nodes import Attr, Call, Dict, List, Self, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import Block, CallStep, Function, If, Loop, Store, Try, With
from trainlint.ir.walk import ends_early, of_kind

#: Tests, and whether they hold.
Tests = tuple[tuple[Term, bool], ...]


class Use(NamedTuple):
    """What goes through a generator: where, under which tests, in which loops; ``last``: behind it the function may end."""

    spot: Spot
    tests: Tests
    loops: tuple[Spot, ...]
    last: bool


class Exhausted(NamedTuple):
    """A generator (the call that makes it), and the two uses of it; one that is in a loop is both."""

    module: str
    made: Call
    first: Spot
    second: Spot
    second_in: str
    statement: Spot


class _Uses:
    """The uses of one value in a function, in the order in which they run."""

    def __init__(self, program: Program, module: str, function: Function, wanted: Term) -> None:
        self.program = program
        self.frame = program.frame(module, function)
        self.wanted = wanted
        self.found: list[Use] = []
        self.made_in: tuple[Spot, ...] = ()
        self._block(function.body, (), (), last=False)

    def _block(self, block: Block, tests: Tests, loops: tuple[Spot, ...], *, last: bool) -> None:
        for node in block:
            if isinstance(node, CallStep):
                if node.term is self.wanted:
                    self.made_in = loops
                elif self._goes_through(node.term):
                    self.found.append(Use(node.term.site, tests, loops, last))
            elif isinstance(node, If):
                self._block(node.body, (*tests, positive(node.condition, holds=True)), loops, last=last or ends_early(node.body))
                self._block(
                    node.orelse, (*tests, positive(node.condition, holds=False)), loops, last=last or ends_early(node.orelse)
                )
            elif isinstance(node, Loop):
                if node.subject is self.wanted:
                    self.found.append(Use(node.spot, tests, loops, last))
                self._block(node.body, tests, (*loops, node.spot), last=last)
                self._block(node.orelse, tests, loops, last=last)
            elif isinstance(node, With):
                self._block(node.body, tests, loops, last=last)
            elif isinstance(node, Try):
                for inner in (node.body, *node.handlers, node.orelse, node.final):
                    self._block(inner, tests, loops, last=True)

    def _goes_through(self, call: Call) -> bool:
        """Whether a call of a library is handed the value, and goes through it."""
        given = [*call.args, *(value for _, value in call.kwargs)]
        groups = [item for term in given if isinstance(term, List) and type(term.items) is tuple for item in term.items]
        given += [value for term in (*given, *groups) if isinstance(term, Dict) for _, value in term.items]
        if not any(term is self.wanted for term in given):
            return False
        values = self.program.values(call.callee, self.frame)
        named = [value.name for value in values if isinstance(value, Library)]
        return bool(named) and len(named) == len(values) and not any(name in self.program.knowledge.looks_at for name in named)


def exhausted(program: Program) -> Iterator[Exhausted]:
    """Each generator of parameters that is gone through twice."""
    index = program.ask(CallGraph)
    for name in sorted(program.knowledge.handed_out_once):
        for site in index.sites_named(name.rpartition(".")[2]):
            if _is_generator(program, site.module, site.function, site.call.term, name):
                found = _twice(program, site.module, site.function, site.call)
                if found is not None:
                    yield found


def _is_generator(program: Program, module: str, function: Function, call: Call, name: str) -> bool:
    """Whether a call makes a generator, or an iterator over one (``filter``)."""
    values = program.values(call.callee, program.frame(module, function))
    if "." in name:
        makers = program.knowledge.handed_out_once
        inner = any(isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in makers for part in call.args)
        return inner and bool(values) and all(isinstance(value, Library) and value.name == name for value in values)
    if not isinstance(call.callee, Attr):
        return False
    methods = [value.function for value in values if isinstance(value, FunctionValue)]
    methods = methods or [method for _, method in program.methods_named(name, module)]
    return all(method.generator for method in methods)


def _twice(program: Program, module: str, function: Function, call: CallStep) -> Exhausted | None:
    made = call.term
    uses = _Uses(program, module, function, made)
    for number, use in enumerate(uses.found):
        if len(use.loops) > len(uses.made_in) and use.loops[: len(uses.made_in)] == uses.made_in and not use.last:
            return Exhausted(module, made, use.spot, use.spot, "in the next round of the loop", call.statement)
        for later in uses.found[number + 1 :]:
            if _both(function, use, later):
                return Exhausted(module, made, use.spot, later.spot, "here", call.statement)
    return _in_another_method(program, module, function, call, uses) if function.name == "__init__" else None


def _both(function: Function, use: Use, later: Use) -> bool:
    """Whether two uses run in one go: not in two arms of a test, and not behind a way out."""
    if use.last or within(function, use.spot, later.spot):
        return False
    return not any(test is other and holds != held for test, holds in use.tests for other, held in later.tests)


def _in_another_method(program: Program, module: str, function: Function, call: CallStep, uses: _Uses) -> Exhausted | None:
    """A use in another method of the object, behind one in ``__init__``."""
    stores = (node.target for node in of_kind(function, Store) if node.value is call.term)
    target = next((place for place in stores if isinstance(place, Attr)), None)
    cls = program.modules[module].classes.get(function.cls or "")
    sure = next((use for use in uses.found if not use.tests and not use.loops), None)
    if sure is None or cls is None or target is None or not isinstance(target.base, Self):
        return None
    name = target.name
    methods = [program.modules[module].functions[method] for method in cls.methods.values()]
    kept = [
        store
        for method in methods
        for store in of_kind(method, Store)
        if isinstance(store.target, Attr) and store.target.name == name
    ]
    if len(kept) != 1:
        return None
    for method in methods:
        own = next((part for part in _attributes(method, name)), None)
        if method is not function and own is not None:
            later = _Uses(program, module, method, own)
            if later.found:
                return Exhausted(module, call.term, sure.spot, later.found[0].spot, "here", call.statement)
    return None


def _attributes(function: Function, name: str) -> Iterator[Term]:
    """The attribute of the object with a name, where something is handed it or goes over it."""
    given = [term for call in calls_of(function) for term in (*call.term.args, *(value for _, value in call.term.kwargs))]
    for term in (*given, *(loop.subject for loop in of_kind(function, Loop))):
        if isinstance(term, Attr) and term.name == name and isinstance(term.base, Self):
            yield term
