"""Gradient tapes: what a program differentiates by hand, and steps of that kind which no tf.function compiles.

Gradients that a program computes by hand: what a tape differentiates, and whether an optimizer gets the result.

Training steps of TensorFlow that Python runs operation by operation, in every round of a loop.

Strategies that only open their scope, around what such a step trains: no replica but the first runs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.traced.functions import reached
from trainlint.finding import Spot
from trainlint.ir.bindings import carried_in
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import LITERALS, Attr, Comprehension, LoopPhi, Term
from trainlint.ir.order import loops_around, within
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Exit, Function, Loop, With
from trainlint.ir.terms import parts_through
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import At, own_then_called, path
from trainlint.program.def_use import Uses
from trainlint.program.imports import imported
from trainlint.program.inlining import is_handed_on, runs_of
from trainlint.program.memo import remembered
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import arguments_of, innermost
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Library, LibraryObject, Value

_GRADIENT, _TARGET, _SOURCES = "gradient", "target", "sources"


class Gradient(NamedTuple):
    """``tape.gradient(loss, variables)``: where it is, of what, and the ``with`` in which the tape watches, if that is here."""

    module: str
    function: Function
    node: CallStep
    loss: Term
    sources: Term | None
    watched: With | None


def gradients(program: Program) -> list[Gradient]:
    """All calls by which tapes differentiate (looked for once)."""
    return list(_gradients(program))


def _gradients(program: Program) -> Iterator[Gradient]:
    for site in program.ask(CallGraph).sites.get(_GRADIENT, ()):
        call = site.call.term
        if not isinstance(call.callee, Attr):
            continue
        found = ((frame, list(tapes_of(program, call.callee.base, frame))) for frame in own_then_called(program, site))
        frame, opened = next(((frame, tapes) for frame, tapes in found if tapes), (None, []))
        named = dict(call.kwargs)
        loss = call.args[0] if call.args else named.get(_TARGET)
        sources = call.args[1] if len(call.args) > 1 else named.get(_SOURCES)
        if frame is not None and loss is not None:
            entered = (node for each in frame.active() for node in of_kind(each.function, With))
            held = [node for node in entered if any(item in opened for item in node.items)]
            yield Gradient(site.module, site.function, site.call, loss, sources, held[0] if held else None)


def tapes_of(program: Program, term: Term, frame: Context) -> Iterator[Term]:
    """The calls that made the tape which a term stands for, through what wraps it for several processes."""
    table = program.knowledge.tables["tensorflow"]

    def around(value: Value) -> list[Argument] | None:
        wraps = isinstance(value, LibraryObject) and value.name.rpartition(".")[2] in table["wraps_tape"]
        return arguments_of(value)[:1] if wraps else None

    for value in innermost(program, program.values(term, frame), around):
        if isinstance(value, LibraryObject) and value.call is not None and value.name in table["makes_tape"]:
            yield value.call


def applied(program: Program, gradient: Gradient) -> list[CallStep]:
    """The calls that hand what a tape computed to an optimizer: here, or in the functions that get it returned."""
    here = _appliers(program, gradient.function)
    only = sum(each.function is gradient.function for each in program.ask(gradients)) == 1
    found = [node for node in here if only or _is_in(node, gradient.node.term, gradient.function)]
    if found or here:
        return found
    handed = [node for node in calls_of(gradient.function) if _is_in(node, gradient.node.term, gradient.function)]
    frame = program.frame(gradient.module, gradient.function)
    for node in handed:
        for target in program.ask(CallGraph).targets(node.term, frame):
            if isinstance(target, FunctionValue):
                found += _appliers(program, target.function)
    if found:
        return found
    returned = any(_holds(term, gradient.node.term, gradient.function) for term in program.returns(gradient.function))
    if not returned:
        return []
    return [node for site in program.ask(CallGraph).callers(gradient.function) for node in _appliers(program, site.function)]


def _appliers(program: Program, function: Function) -> list[CallStep]:
    names = program.knowledge.tables["tensorflow"]["applies"]
    nodes = [node for node in calls_of(function) if isinstance(node.term.callee, Attr) and node.term.callee.name in names]
    return [node for node in nodes if node.term.args or node.term.kwargs]


def _is_in(node: CallStep, made: Term, function: Function) -> bool:
    return any(_holds(each, made, function) for each in (*node.term.args, *(value for _, value in node.term.kwargs)))


def _holds(term: Term, made: Term, function: Function) -> bool:
    """Whether something is computed from what a call made, comprehensions among it."""

    def opened(part: Term) -> list[Term]:
        carried = carried_in(function, part) if isinstance(part, LoopPhi) else None
        if carried is not None:
            return [carried.entry, carried.back]
        return [part.of] if isinstance(part, Comprehension) else part.subterms()

    return any(part is made for part in parts_through(term, opened))


class Eager(NamedTuple):
    """The call that updates the weights, the loop that repeats it, and the call of the step's function in that loop.

    ``called`` is None where the step is written in the loop itself; ``traced`` is the definition of its function, and what may
    stand behind it so that it is traced. ``pure`` says that all it does is known to be done by TensorFlow.
    """

    module: str
    call: CallStep
    loop: tuple[str, Spot]
    called: tuple[str, Spot] | None
    traced: tuple[Spot, str] | None = None
    pure: bool = False


def eager_steps(program: Program) -> Iterator[Eager]:
    """The first such step of each function."""
    asked, seen = _Steps(program), set()
    for name in asked.table["applies"]:
        for site in program.ask(CallGraph).sites.get(name, ()):
            if id(site.function) not in seen and isinstance(site.call.term.callee, Attr) and asked.is_eager(site):
                found = asked.repeated(site)
                if found is not None:
                    seen.add(id(site.function))
                    yield found


class _Steps:
    """What is asked of one update of weights."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.table = program.knowledge.tables["tensorflow.steps"]
        self.traced = program.ask_of(reached, frozenset(self.table["traced"]))

    def is_eager(self, site: CallSite) -> bool:
        """Whether gradients of a tape are applied in a function that nothing traces, as far as can be seen."""
        function = site.function
        if id(function) in self.traced or function.generator or not self._is_plain(site.module):
            return False
        if tests_software(self.program, site.module, function) or self._is_of_library(site.module, function):
            return False
        return any(self._is_tape(site.module, function, node) for node in of_kind(function, With))

    def _is_tape(self, module: str, function: Function, node: With) -> bool:
        frame = self.program.frame(module, function)
        return any(True for item in node.items for _ in tapes_of(self.program, item, frame))

    @remembered()
    def _is_plain(self, path: str) -> bool:
        """Whether a file neither turns tracing off nor computes with a library that cannot be traced."""
        packages = {dotted.partition(".")[0] for dotted in imported(self.program.modules[path])}
        index = self.program.ask(CallGraph)
        off = any(site.module == path for name in self.table["debugging"] for site in index.sites.get(name, ()))
        return not off and packages.isdisjoint(self.table["untraced"])

    def _is_of_library(self, module: str, function: Function) -> bool:
        """Whether a method may be one that a library calls, and traces before."""
        cls = self.program.modules[module].classes.get(function.cls or "")
        above = self.program.lineage(ClassValue(module, cls)) if cls is not None else ()
        return any(isinstance(each, Library) and each.name.startswith(tuple(self.table["libraries"])) for each in above)

    def repeated(self, site: CallSite) -> Eager | None:
        """The loop that repeats the step: around it, or around a call of its function."""
        loop = _loop_of(site.function, site.call)
        if loop is not None:
            meant = self._is_meant(site)
            return None if meant else Eager(site.module, site.call, (site.module, loop.spot), None)
        function = site.function
        if function.decorators or is_handed_on(self.program, function) or self._asks_host(function):
            return None
        for caller in runs_of(self.program, function):
            around = _loop_of(caller.function, caller.call)
            if (
                around is None
                or id(caller.function) in self.traced
                or not self._is_plain(caller.module)
                or self._is_meant(caller)
            ):
                continue
            if not tests_software(self.program, caller.module, caller.function):
                called = (caller.module, caller.call.term.site)
                return Eager(
                    site.module, site.call, (caller.module, around.spot), called, self._traced(site), self._is_pure(site)
                )
        return None

    def _is_pure(self, site: CallSite) -> bool:
        """Whether a function only calls what TensorFlow and Keras have, and keeps nothing: traced, it does the same."""
        frame = self.program.frame(site.module, site.function)
        for node in statements_of(site.function):
            if isinstance(node, CallStep):
                values = self.program.values(node.term.callee, frame)
                if not all(
                    isinstance(each, (Library, LibraryObject)) and each.name.startswith(tuple(self.table["pure"]))
                    for each in values
                ):
                    return False
            elif not isinstance(node, (With, Exit)):
                return False
        return len(self.program.ask(CallGraph).callers(site.function)) == 1

    def _traced(self, site: CallSite) -> tuple[Spot, str] | None:
        """The definition of a function that is no method, and the statement that traces it."""
        function = site.function
        how = reference(self.table["tracers"][0], self.program.modules[site.module])
        if function.kind != "function" or function.cls is not None or how is None or not function.name.isidentifier():
            return None
        return function.spot, f"{function.name} = {how}({function.name})"

    def _is_meant(self, site: CallSite) -> bool:
        """Whether a test for a mode that is eager, or for debugging, leads to a call."""
        tests = (show(test).lower() for test, _ in conditions(led_to(site.function, site.call.term)))
        return any(word in test for test in tests for word in self.table["meant"])

    def _asks_host(self, function: Function) -> bool:
        """Whether a function does what cannot be traced: it asks for the values of tensors."""
        return any(last_name(call.term.callee) in self.table["host"] for call in calls_of(function))


def _loop_of(function: Function, call: CallStep) -> Loop | None:
    """The innermost loop around a call that goes over nothing that is written down."""
    around = [loop for loop in loops_around(function, call) if loop.kind == "while" or not isinstance(loop.subject, LITERALS)]
    return around[-1] if around else None


class Unrun(NamedTuple):
    """A strategy that runs nothing: the call that makes it, and the update of weights that stand under its scope."""

    module: str
    made: CallStep
    update: tuple[str, Spot]


def unrun_strategies(program: Program) -> Iterator[Unrun]:
    """The strategies of several devices that are used for nothing but their scope, though a tape trains what is made in it."""
    table, index = program.knowledge.tables["tensorflow.strategies"], program.ask(CallGraph)
    makers = [name for name, word in program.knowledge.tables["strategies"].items() if word in table["replicates"]]
    for site, _ in index.runs_of(makers):
        if tests_software(program, site.module, site.function):
            continue
        scopes = list(_scopes(program, site.call.term)) if _is_left_alone(program, site) else []
        update = next((each for each in _updates(program) if scopes and _stands_under(program, each, scopes)), None)
        if update is None:
            continue
        others = (each for name in table["asks"] for each in index.sites_named(name))
        used = (each for each in others if program.together(each.module, site.module) and not _is_left_alone(program, each))
        concerned = {id(function) for function, _ in scopes} | {id(each) for each in _leading(program, update)}
        if not any(_may_concern(program, each, concerned) for each in used):
            yield Unrun(site.module, site.call, (update.module, update.call.term.site))


def _leading(program: Program, site: CallSite) -> Iterator[Function]:
    """The functions through which a call is reached, its own among them; what files run when they are started is none."""
    for frame in own_then_called(program, site):
        yield from (each.frame.function for each in path(At(frame, site.call.term.site)) if each.frame.function.kind != "module")


def _may_concern(program: Program, site: CallSite, functions: set[int]) -> bool:
    """Whether what asks for the strategy that it runs under may run in one of some functions, or for who is not in sight."""
    index, leading = program.ask(CallGraph), list(_leading(program, site))
    cls = program.modules[site.module].classes.get(site.function.cls or "")
    above = program.lineage(ClassValue(site.module, cls)) if cls is not None else ()
    if any(isinstance(each, Library) for each in above):  # a layer of Keras is called by Keras
        return True
    return any(id(each) in functions or index.may_be_chosen(each) for each in leading)


_SCOPE = "scope"


def _is_left_alone(program: Program, site: CallSite) -> bool:
    """Whether a strategy, or what tells a function which one it runs under, is used for nothing that runs a function."""
    use, table = program.ask(Uses).of(site.module, site.function, site.call), program.knowledge.tables["tensorflow.strategies"]
    return not use.escapes and not use.given and use.methods <= {_SCOPE, *table["leaves_alone"]}


def _scopes(program: Program, made: Term) -> Iterator[tuple[Function, With]]:
    """The blocks that a strategy's scope is opened around."""
    for site in program.ask(CallGraph).sites_named(_SCOPE):
        callee = site.call.term.callee
        if isinstance(callee, Attr):
            values = (value for frame in own_then_called(program, site) for value in program.values(callee.base, frame))
            if any(isinstance(value, LibraryObject) and value.call is made for value in values):
                yield from ((site.function, each) for each in of_kind(site.function, With) if site.call.term in each.items)


def _updates(program: Program) -> Iterator[CallSite]:
    """The calls that apply what a tape computed, where no model of Keras trains itself and nobody runs the step on replicas."""
    index, table = program.ask(CallGraph), program.knowledge.tables["tensorflow"]
    runs = program.knowledge.tables["tensorflow.strategies"]["runs"]
    sites = {site.call.term: site for name in table["applies"] for site in index.sites.get(name, ())}
    for gradient in program.ask(gradients):
        function = gradient.function
        cls = program.modules[gradient.module].classes.get(function.cls or "")
        above = program.lineage(ClassValue(gradient.module, cls)) if cls is not None else ()
        if any(isinstance(each, Library) and each.name in table["model_bases"] for each in above):
            continue
        if not any(last_name(site.call.term.callee) in runs for site in index.handed.get(function.name, ())):
            yield from (sites[node.term] for node in applied(program, gradient) if node.term in sites)


def _stands_under(program: Program, update: CallSite, scopes: list[tuple[Function, With]]) -> bool:
    """Whether the optimizer that applies gradients is made under one of these scopes."""
    callee = update.call.term.callee
    assert isinstance(callee, Attr)
    for frame in own_then_called(program, update):
        for value in program.values(callee.base, frame):
            if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
                continue
            first = At(value.frame, value.call.site)
            ways = [
                first,
                *(At(program.frame(site.module, site.function), site.call.term.site) for site in _runs(program, first)),
            ]
            places = [place for way in ways for place in path(way)]
            if any(
                each.frame.function is function and within(function, block, each.spot)
                for each in places
                for function, block in scopes
            ):
                return True
    return False


def _runs(program: Program, place: At) -> list[CallSite]:
    """The calls that run the function in which a value is made, where its activation does not say by which that was."""
    return program.ask(CallGraph).callers(place.frame.function) if place.frame.caller is None else []
