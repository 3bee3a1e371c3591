"""Functions under tf.function: what is called and runs in a trace; effects, variables and state of Python there.

Calls of what ``tf.function`` traces, and all that runs in such a trace.

What a function that TensorFlow traces does in Python beside computing: it happens while tracing, and never again.

Variables that a traced function makes whenever it is traced: TensorFlow allows that at the first call only.

State of Python that is frozen in a trace of TensorFlow and changed between calls, not before the first one.

``domains/traced/frozen_state.py`` finds what a trace looks at and somebody changes. An object is often set up that way
before anything is traced; that a loop both calls the function and changes the state shows that the change comes too
late.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.tensorflow.training_flag import Moded
from trainlint.domains.traced.frozen_state import Frozen, frozen
from trainlint.domains.traced.functions import Reached, Roots, reached
from trainlint.edits.changes import Change, Rewrite
from trainlint.finding import Applicability, Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, BinOp, Call, Composite, Const, Element, Global, List, Ref, Self, Subscript, Term
from trainlint.ir.order import is_step, made_in, within
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Statement, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph
from trainlint.program.leading import Leading
from trainlint.program.memo import remembered
from trainlint.program.naming import reference
from trainlint.program.origins import origins
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved, names_class

#: What the tables say of ``tf.function``.
WORDS = frozenset(("function",))


class Traced(NamedTuple):
    """What a call runs: a function that is traced. ``options`` is the call that says so, None for a bare decorator."""

    target: FunctionValue
    options: Call | None

    def has(self, *names: str) -> bool:
        """Whether one of these options is given; a signature is so by position, too."""
        if self.options is None:
            return False
        return len(self.options.args) > 1 or any(name is None or name in names for name, _ in self.options.kwargs)


def called(program: Program, call: Call, frame: Context) -> Traced | None:
    """The traced function that a call runs."""
    known = program.ask(Roots)
    for value in program.values(call.callee, frame):
        if isinstance(value, FunctionValue):
            for root in known.of(value.function):
                if root.word in WORDS and root.spot in value.function.decorator_spots:
                    decorator = value.function.decorators[value.function.decorator_spots.index(root.spot)]
                    return Traced(value, decorator if isinstance(decorator, Call) else None)
        elif isinstance(value, LibraryObject) and known.word(value) in WORDS:
            inner = next(known.inner(value), None)
            if inner is not None:
                return Traced(inner, value.call)
    return None


def in_traces(program: Program) -> Iterator[Reached]:
    """The functions that run in a trace, software tests left out."""
    for step in program.ask_of(reached, WORDS).values():
        root = step.root.target
        if not tests_software(program, step.module, step.function) and not tests_software(program, root.module, root.function):
            yield step


def runs_in_trace(program: Program, function: Function) -> bool:
    """Whether a function is known to run in some trace."""
    return id(function) in program.ask_of(reached, WORDS)


def is_lifted(program: Program, function: Function, node: Statement) -> bool:
    """Whether a statement stands under a context manager that leaves the trace: it is run at once, and once."""
    lifts = program.knowledge.tables["tensorflow"]["lifts"]
    for each in of_kind(function, With):
        names = {part.name.rpartition(".")[2] for item in each.items for part in parts_of(item) if isinstance(part, (Ref, Attr))}
        if not names.isdisjoint(lifts) and any(inner is node for inner in walk(each.body)):
            return True
    return False


Kind = Literal["print", "append", "count"]
_ARITHMETIC = (BinOp, Subscript, Element)


class Effect(NamedTuple):
    """A place that runs while tracing only; ``node`` is the parser's class of what stands there."""

    step: Reached
    kind: Kind
    spot: Spot
    node: str
    statement: Spot
    change: Change | None


def effects(program: Program) -> Iterator[Effect]:
    """Each such place, once."""
    asked = _Effects(program)
    seen: set[tuple[str, Spot]] = set()
    for step in in_traces(program):
        for node, led in walk_tested(step.function.body):
            found = asked.of(step, node) if not asked.asks_for_trace(led) else None
            if found is not None and (step.module, found.spot) not in seen and not is_lifted(program, step.function, node):
                seen.add((step.module, found.spot))
                yield found


class _Effects:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.table = program.knowledge.tables["tensorflow"]

    def asks_for_trace(self, led: Led) -> bool:
        """Whether a test around something asks whether it is traced, or has somebody else's word for it."""
        parts = [part for test, _ in led if isinstance(test, Term) for part in parts_of(test)]
        names = {part.name.rpartition(".")[2] for part in parts if isinstance(part, (Ref, Attr))}
        return not names.isdisjoint(self.table["asks_for_trace"])

    def of(self, step: Reached, node: Statement) -> Effect | None:
        """What a statement does beside computing."""
        if isinstance(node, CallStep):
            callee, given = node.term.callee, node.term.args
            if isinstance(callee, Attr) and callee.name in self.table["puts"] and given and self._outlives(callee.base, step):
                if self.is_tensor(given[0], step.frame):
                    return Effect(step, "append", node.term.site, "Call", node.statement, None)
            elif (
                isinstance(callee, Ref) and callee.name in self.table["prints"] and any(self._shows(each, step) for each in given)
            ):
                return Effect(step, "print", node.term.site, "Call", node.statement, self._printed(step, node))
        elif isinstance(node, Keep) and node.kind == "AugAssign" and self._counts(node, step):
            return Effect(step, "count", node.spot, "AugAssign", node.spot, None)
        return None

    def _shows(self, given: Term, step: Reached) -> bool:
        """Whether what is printed is a tensor, or a text with one in it."""
        if isinstance(given, Composite):
            return any(self._shows(part, step) for part in given.pieces)
        return self.is_tensor(given, step.frame)

    @remembered(False)
    def is_tensor(self, term: Term, frame: Context) -> bool:
        """Whether a term surely is a tensor of the trace: what TensorFlow, a layer or a model computes, or is computed of it."""
        return all(self._is_computed(made, home) for made, home in origins(self.program, term, frame))

    def _is_computed(self, term: Term, frame: Context) -> bool:
        if isinstance(term, _ARITHMETIC):
            parts = term.sides if isinstance(term, BinOp) else (term.stem,)
            return any(self.is_tensor(part, frame) for part in parts)
        if not isinstance(term, Call):
            return False
        for value in self.program.values(term.callee, frame):
            if isinstance(value, Library):
                named = value.name.startswith(tuple(self.table["computes"])) and value.name not in self.table["computes_not"]
                return named and not names_class(value.name)
            if isinstance(value, LibraryObject):
                return value.name.startswith((*self.table["layers"], *self.table["makes_model"], "keras.losses."))
            if isinstance(value, Instance):
                return self.program.ask(Moded).is_of_keras(ClassValue(value.module, value.cls))
        return False

    def _outlives(self, container: Term, step: Reached) -> bool:
        """Whether a list is there before the trace and after it: an attribute of an object, or a name from outside."""
        if isinstance(container, Attr) and isinstance(container.base, Self):
            owner = step.frame.owner()
            if not isinstance(owner, Instance):
                return False
            stored = self.program.stores(ClassValue(owner.module, owner.cls), container.name)
            return bool(stored) and all(isinstance(term, List) and function.name == "__init__" for _, function, term in stored)
        values = self.program.values(container, step.frame) if isinstance(container, Global) else ()
        if any(isinstance(value, Unresolved) and isinstance(value.term, List) for value in values):
            return True
        if isinstance(container, List) and len(container.parts) == len(List.fields):
            return not any(each.module == step.module and made_in(each.function, container) for each in step.chain())
        return False

    def _counts(self, node: Keep, step: Reached) -> bool:
        """Whether ``+=`` counts with a Python number that an object keeps."""
        target, value, owner = node.target, node.value, step.frame.owner()
        if not isinstance(target, Attr) or not isinstance(target.base, Self) or not isinstance(owner, Instance):
            return False
        if not isinstance(value, BinOp) or not any(
            isinstance(part, Const) and type(part.value) in (int, float) for part in value.sides
        ):
            return False
        if any(word in target.name.lower() for word in self.table["counts_traces"]):
            return False
        stored = self.program.stores(ClassValue(owner.module, owner.cls), target.name)
        starts = [term for _, function, term in stored if function.name == "__init__"]
        return bool(starts) and all(isinstance(term, Const) and type(term.value) in (int, float) for term in starts)

    def _printed(self, step: Reached, node: CallStep) -> Change | None:
        """``print`` as TensorFlow prints at each call."""
        new = reference(self.table["prints_values"][0], self.program.modules[step.module])
        if new is None or node.term.kwargs:
            return None
        paths = ((("arguments", 0),),)
        return Rewrite(Applicability.DISPLAY, "Print at each call", spot=node.term.site, code=f"{new}({{0}})", paths=paths)


_MAKING = frozenset(("__init__", "build", "__new__"))


class InTrace(NamedTuple):
    """A call that makes a variable in a trace."""

    step: Reached
    node: CallStep


def variables(program: Program) -> Iterator[InTrace]:
    """Each call that makes a variable at each call of a traced function: under no test, and not lifted out of the trace."""
    table = program.knowledge.tables["tensorflow"]
    for step in in_traces(program):
        if step.function.name in _MAKING or any(_may_be_once(step_before, call) for step_before, call in _way(step)):
            continue
        for node, led in walk_tested(step.function.body):
            if not isinstance(node, CallStep) or led or is_lifted(program, step.function, node):
                continue
            values = program.values(node.term.callee, step.frame)
            if any(isinstance(value, Library) and value.name in table["makes_variable"] for value in values):
                yield InTrace(step, node)


def _way(step: Reached) -> Iterator[tuple[Function, Call]]:
    """The calls that lead to a function in the trace, each with the function it stands in."""
    for site in step.way():
        yield site.function, site.call.term


def _may_be_once(function: Function, call: Call) -> bool:
    """Whether a call stands under a test, or makes an object: that may happen at the first call only."""
    return function.name in _MAKING or bool(led_to(function, call))


def frozen_between_calls(program: Program) -> Iterator[Frozen]:
    """The uses of such state in what ``tf.function`` traces, where a loop changes it and calls the function."""
    for found in frozen(program, WORDS):
        module, change = found.change
        changing = next((each for each in program.modules[module].functions.values() if is_step(each, change)), None)
        if changing is not None and _alternate(program, found, changing):
            yield found


def _alternate(program: Program, found: Frozen, changing: Function) -> bool:
    """Whether some loop runs both a function that uses the state and one that changes it."""
    uses = program.ask(Leading).to(found.function, loosely=True)
    changes = program.ask(Leading).to(changing, loosely=True)
    for module, function, *_ in {**uses, **changes}.values():
        for loop in of_kind(function, Loop):
            if loop.kind not in ("for", "while"):
                continue
            here = module == found.change[0] and within(function, loop, found.change[1])
            run = set(_run(program, module, function, loop))
            if run & uses.keys() and (here or run & changes.keys()):
                return True
    return False


def _run(program: Program, module: str, function: Function, loop: Loop) -> Iterator[int]:
    """The functions (by id) that calls of a loop run, traced ones among them."""
    frame = program.frame(module, function)
    for node in walk(loop.body):
        if not isinstance(node, CallStep):
            continue
        for target in program.ask(CallGraph).targets(node.term, frame):
            if isinstance(target, FunctionValue):
                yield id(target.function)
        for value in program.values(node.term.callee, frame):
            if isinstance(value, LibraryObject):
                yield from (id(inner.function) for inner in program.ask(Roots).inner(value))
