"""The tests that lead to a call: those around it, those at which others have left before, and what they say.

Under ``isinstance(model, DataParallel)`` a model is no sharded one; nor is it after ``if engine == "fsdp": … elif``,
in the function of the call or in one that leads to it: code that treats the sharded case apart means the other cases
there. And a call that runs under a test, or in a function that is called under one and is there for nothing else, was
opted in to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.control_dependence import Failed, conditions, walk_tested
from trainlint.ir.nodes import And, Attr, Call, Compare, Element, Not, Or, Ref, Term, Tuple
from trainlint.ir.order import before, within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Loop, Try, With
from trainlint.ir.terms import is_call_of, parts_through, text_of
from trainlint.ir.walk import Around, Region, of_kind, placed, threaded, walk
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.loops import Loops
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, Library, names_class

_LEAVES_LOOP = ("break", "continue")


class Guard(NamedTuple):
    """One condition for a call to run.

    ``kind`` is ``test`` (all ``parts``, pairs of a condition and the truth it needs, must hold), ``left`` (a way out was
    passed: they must not all hold), ``with`` (an open context manager: ``parts`` hold its term), ``handler`` (an
    exception was caught), ``attempt`` (one would be). ``exit`` says of ``left`` how: ``return``, ``raise`` …
    """

    kind: str
    parts: tuple[tuple[Term, bool], ...]
    spot: Spot
    exit: str = ""


class _Leave(NamedTuple):
    """A way out of a block: how, and under which conditions."""

    kind: str
    parts: tuple[tuple[Term, bool], ...]
    spot: Spot


_Guards = tuple[Guard, ...]


class _Guarded:
    """The guards of every call of a function, and the ways out of it."""

    def __init__(self, _program: Program, function: Function) -> None:
        exits = [(node, around) for node, around in placed(function.body) if isinstance(node, Exit)]
        ways = [_way_out(node, around) for node, around in exits]
        self.left = [way for way in ways if way is not None]
        left: defaultdict[int, _Guards] = defaultdict(tuple)
        for node, around in exits:
            for depth, arm in enumerate(around):
                way = _way_out(node, around[depth:])
                if way is not None and way.parts:
                    left[id(arm.region)] += (Guard("left", way.parts, way.spot, way.kind),)  # who left is not behind it
        none: _Guards = ()
        steps = threaded(function.body, none, _inside, lambda known, node: known + left.get(id(node), ()))
        self.found: dict[Term, _Guards] = {node.term: known for node, known in steps if isinstance(node, CallStep)}


def _inside(guards: _Guards, node: Region, number: int) -> _Guards:
    """The guards of what stands in a block of a region."""
    if isinstance(node, If):
        return (*guards, Guard("test", ((node.condition, number == 0),), node.test))
    if isinstance(node, Loop) and node.kind == "while" and number == 0:
        return (*guards, Guard("test", ((node.subject, True),), node.spot))
    if isinstance(node, With):
        return (*guards, Guard("with", tuple((item, True) for item in node.items), node.spot))
    if isinstance(node, Try) and number <= len(node.handlers) > 0:
        return (*guards, Guard("handler" if number else "attempt", (), node.spot))
    return guards


def _way_out(node: Exit, around: Around) -> _Leave | None:
    """A way out of the outermost of the regions around it, if no ``try`` there fails; None where it stays within."""
    in_loop = any(arm.is_repeated for arm in around)
    if (in_loop and node.kind in _LEAVES_LOOP) or any(arm.is_handler for arm in around):
        return None
    return _Leave(
        node.kind, tuple((arm.region.condition, arm.number == 0) for arm in around if isinstance(arm.region, If)), node.spot
    )


def guards(program: Program, function: Function) -> dict[Term, _Guards]:
    """The guards of every call of a function, outermost and earliest first; by the call's term."""
    return program.ask_of(_Guarded, function).found


def tests_at(program: Program, function: Function, call: Call) -> set[tuple[Term, bool]]:
    """The conditions that hold where a call runs, as far as tests around it say."""
    return {part for guard in guards(program, function).get(call, ()) if guard.kind == "test" for part in guard.parts}


def ends_process(program: Program, function: Function, call: Call) -> bool:
    """Whether the process surely ends in the function once a call has run."""
    mine = tests_at(program, function, call)
    return any(
        leave.kind == "exit" and before(function, call, leave.spot) and mine.issuperset(leave.parts)
        for leave in program.ask_of(_Guarded, function).left
    )


_TEST = "builtins.isinstance"
#: How many arguments it has.
_PAIR = 2


class TypeGuards:
    """Answers for one program; the tests of a function are looked for once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._tests: dict[int, dict[Term, list[tuple[Term, bool]]]] = {}

    def classes(self, value: Term, call: Call, frame: Context) -> frozenset[str]:
        """The classes of libraries of one of which a value surely is where a call runs, by tests that name nothing else."""
        found: frozenset[str] = frozenset()
        for test, arm in self._around(frame.function).get(call, ()):
            asked = _asked(test) if arm else None
            if asked is not None and asked[0] is value:
                classes = asked[1]
                names = [self._name(cls, frame) for cls in (classes.items if isinstance(classes, Tuple) else (classes,))]
                known = frozenset(name for name in names if name is not None)
                found = known if len(known) == len(names) else found
        return found

    def _name(self, cls: Term, frame: Context) -> str | None:
        values = list(self.program.values(cls, frame))
        return values[0].name if len(values) == 1 and isinstance(values[0], Library) else None

    def is_apart(self, call: Call, frame: Context, kinds: frozenset[str]) -> bool:
        """Whether a call, or one that leads to it, stands in the other arm of a test that decides whether models are wrapped so.

        ``kinds`` are words of the table ``parallel``. Such a test asks for a text or a name that is asked for where a model gets
        such a wrapper, or for what a library calls it.
        """
        while True:
            for test, arm in self._around(frame.function).get(call, ()):
                if arm == (isinstance(test, Compare) and test.op == "NotEq") and self._decides(test, kinds):
                    return True
            if frame.caller is None or frame.call is None:
                return False
            call, frame = frame.call, frame.caller

    def _decides(self, test: Term, kinds: frozenset[str]) -> bool:
        words = self.program.knowledge.parallel_words
        return any(
            said in self._choosing(kinds) or (library and any(word in said.lower() for word in words))
            for said, library in _said(test)
        )

    @remembered(frozenset())
    def _choosing(self, kinds: frozenset[str]) -> frozenset[str]:
        """The names and texts in the tests that lead to a wrapper of such a kind."""
        parallel, index = self.program.knowledge.parallel, self.program.ask(CallGraph)
        found: set[str] = set()
        for name in sorted({dotted.rpartition(".")[2] for dotted, kind in parallel.items() if kind in kinds}):
            for site in index.sites.get(name, ()):
                values = self.program.values(site.call.term.callee, self.program.frame(site.module, site.function))
                if not any(isinstance(each, Library) and parallel.get(each.name) in kinds for each in values):
                    continue
                sites = [site, *index.callers(site.function)]
                tests = (test for each in sites for test, _ in self._around(each.function).get(each.call.term, ()))
                found |= {said for test in tests for said, library in _said(test) if not library}
        return frozenset(found)

    def _around(self, function: Function) -> dict[Term, list[tuple[Term, bool]]]:
        """By call the tests that lead to it, taken apart, each with its answer."""
        known = self._tests.get(id(function))
        if known is None:
            known = self._tests[id(function)] = {}
            for node, led in walk_tested(function.body):
                if isinstance(node, CallStep) and led:
                    known[node.term] = [part for test, arm in conditions(led) for part in _parts(test, arm)]
        return known


def _parts(test: Term, arm: bool) -> Iterator[tuple[Term, bool]]:
    """The parts of a test whose answers follow from that of the whole."""
    if isinstance(test, Not):
        yield from _parts(test.operand, not arm)
    elif isinstance(test, And if arm else Or):
        for part in test.operands:
            yield from _parts(part, arm)
    else:
        yield test, arm


def _asked(test: Term) -> tuple[Term, Term] | None:
    """What is asked about, and for which classes, in an ``isinstance`` test."""
    return (test.args[0], test.args[1]) if is_call_of(test, _TEST) and len(test.args) == _PAIR else None


def _said(test: Term) -> Iterator[tuple[str, bool]]:
    """The names and texts in a test, each with whether it is a library's; but for the class of an object that was called."""
    for term in parts_through(test, _said_in):
        name = text_of(term)
        if name is not None:
            yield term.name.rpartition(".")[2] if isinstance(term, Ref) else name, isinstance(term, Ref)
        if isinstance(term, Attr) and isinstance(term.base, Ref):
            yield term.name, True


def _said_in(term: Term) -> list[Term]:
    of_library = isinstance(term, Attr) and isinstance(term.base, Ref)
    if of_library or isinstance(term, Element) or (isinstance(term, Call) and isinstance(term.callee, Call)):
        return []
    callee = term.callee if isinstance(term, Call) else None
    made = isinstance(callee, Ref) and names_class(callee.name)
    return [part for part in term.subterms() if not (made and part is callee)]


def is_opted_in(
    program: Program, site: CallSite, asked: set[int] | None = None, *, trains: bool = False, alone: str = ""
) -> bool:
    """Whether a test leads to a call, or to all calls of its function.

    ``alone``: the name of what is asked about, if the test must decide about that, and not about a training as a whole. An arm
    that lets an optimizer step, where the other one does not, is a part of the program (``if warmup:``), and nobody asked for
    what is done in there; nor where both arms step and do it.

    A function that trains nothing (``trains``: the call itself makes what trains) is there for what it does: a way out
    before the call is such a test, and where nobody in sight calls it, somebody else asks for it.
    """
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    if any(_holds(program, site, test, alone=alone) for test, _ in led):
        return True
    switch = not trains and site.function.kind != "module" and not _trains(program, site)
    if switch and led:
        return True
    sites = [each for each in program.ask(CallGraph).callers(site.function) if each.function is not site.function]
    if not sites:
        return switch and not _is_called_by_a_library(program, site)
    asked = asked or set()
    asked.add(id(site.function))
    return all(id(each.function) in asked or is_opted_in(program, each, asked, trains=trains, alone=alone) for each in sites)


def _trains(program: Program, site: CallSite) -> bool:
    """Whether a function lets an optimizer step, or computes gradients again and again."""
    asked, path, function = program.ask(Loops), site.module, site.function
    if asked.function_says(path, function, program.knowledge.steps):
        return True
    return any(asked.says(path, function, loop.body, program.knowledge.training) for loop in of_kind(function, Loop))


def _is_called_by_a_library(program: Program, site: CallSite) -> bool:
    """Whether a function is a method of a class that is derived from one of a library, which may call it."""
    cls = program.modules[site.module].classes.get(site.function.cls or "")
    above = program.lineage(ClassValue(site.module, cls)) if cls is not None else ()
    return any(isinstance(each, Library) and each.name not in program.knowledge.plain_bases for each in above)


def _holds(program: Program, site: CallSite, test: Term | Failed, *, alone: str) -> bool:
    """Whether a call stands in an arm of a test, or in a handler, not only behind a way out; ``alone`` as above."""
    if isinstance(test, Failed):
        return True
    around = (node for node in walk(site.function.body) if isinstance(node, If) and node.condition is test)
    return any(
        within(site.function, node, site.call.term) and not (alone and _is_a_part(program, site, node, alone)) for node in around
    )


def _is_a_part(program: Program, site: CallSite, node: If, name: str) -> bool:
    """Whether one arm of a test lets an optimizer step, and the other one does not; or both do, and what is called so, too."""
    arms = (node.body, node.orelse)
    steps, turns = (
        [program.ask(Loops).says(site.module, site.function, arm, names) for arm in arms]
        for names in (program.knowledge.steps, frozenset((name,)))
    )
    return steps[0] != steps[1] or (all(steps) and all(turns))
