"""What a traced function does beside computing: it happens once, while JAX traces, and never again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.domains.asynchronous.clocks import Clocks
from trainlint.domains.jax.calling_contexts import STATIC_FOR, Activation, Activations, is_made_in, reasons
from trainlint.domains.traced.functions import Reached, reached
from trainlint.edits.changes import Change, Rewrite
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import Attr, Call, Composite, Dict, Global, List, Param, Ref, Self, Set, Subscript, Term
from trainlint.ir.order import made_in
from trainlint.ir.sketch import CallStep, Function, Keep, Statement, Store
from trainlint.program.contexts import calling_contexts
from trainlint.program.naming import reference
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, Unresolved

Kind = Literal["print", "keep", "draw", "clock"]
_CONTAINERS = (List, Dict, Set)
Places = tuple[tuple[str, Spot, str], ...]


class Impure(NamedTuple):
    """A place that is run while tracing only; ``kind`` "keep": a traced value is put where it outlives the trace.

    ``alone``: what is printed is one value and no text.
    """

    module: str
    kind: Kind
    spot: Spot
    node: str
    statement: Spot
    places: Places
    alone: bool = False


def impure(program: Program) -> Iterator[Impure]:
    """Each such place, once."""
    seen: set[tuple[str, Spot]] = set()
    for found in (*_of_values(program), *_of_calls(program)):
        if (found.module, found.spot) not in seen:
            seen.add((found.module, found.spot))
            yield found


def _of_values(program: Program) -> Iterator[Impure]:
    known = program.ask(Activations)
    asked = _Effects(program)
    for activation in known.all():
        if not activation.branches:
            continue
        for node in known.running(activation.frame).statements:
            kind = asked.of(activation, node)
            if kind is not None:
                spot, name = (node.term.site, "Call") if isinstance(node, CallStep) else (node.spot, getattr(node, "kind", ""))
                statement = node.statement if isinstance(node, CallStep) else node.spot
                alone = isinstance(node, CallStep) and asked.prints_one(node.term, activation)
                yield Impure(activation.module, kind, spot, name, statement, tuple(reasons(activation)), alone)


class _Effects:
    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._prints = frozenset(tables["tracers.prints"]["names"])
        self._plain_bases = program.knowledge.plain_bases
        self._puts = frozenset(tables["tracers.puts"]["names"])

    def of(self, activation: Activation, node: Statement) -> Kind | None:
        """What a statement does beside computing."""
        if isinstance(node, CallStep):
            callee = node.term.callee
            given = activation.tracers.given(node.term)
            if isinstance(callee, Attr) and callee.name in self._puts and self._is_container(callee.base, activation):
                traced = any(activation.tracers.is_traced(each, activation.frame) for each in given)
                return "keep" if traced and self._outlives(callee.base, activation) else None
            if not any(self._shows(each, activation) for each in given):
                return None
            values = self.program.values(callee, activation.frame)
            return "print" if any(isinstance(value, Library) and value.name in self._prints for value in values) else None
        if isinstance(node, (Store, Keep)) and activation.tracers.is_traced(node.value, activation.frame):
            target = node.target.base if isinstance(node, Keep) and isinstance(node.target, Subscript) else node.target
            return "keep" if self._outlives(target, activation) else None
        return None

    def _is_container(self, term: Term, activation: Activation) -> bool:
        """Whether something is a list, a dict or a set, for all that is seen of it."""
        frames = [activation.frame]
        outer = self._given_around(term, activation) if isinstance(term, Param) else None
        if outer is not None and outer.caller is None:
            frames = calling_contexts(self.program, outer.module, outer.function)
        values = [value for frame in frames for value in self.program.values(term, frame)]
        return bool(values) and all(isinstance(value, Unresolved) and isinstance(value.term, _CONTAINERS) for value in values)

    def _given_around(self, term: Param, activation: Activation) -> Context | None:
        """The activation that was given a parameter, where that is one around the function that is traced."""
        around = activation.frame.closure
        return around.holder(term.function) if around is not None else None

    def prints_one(self, call: Call, activation: Activation) -> bool:
        """Whether a call prints one traced value, as it is."""
        return len(call.args) == 1 and not call.kwargs and activation.tracers.is_traced(call.args[0], activation.frame)

    def _shows(self, given: Term, activation: Activation) -> bool:
        """Whether what is printed is traced, or a text with a traced value in it."""
        if isinstance(given, Composite):
            return any(self._shows(part, activation) for part in given.pieces)
        return activation.tracers.is_traced(given, activation.frame)

    def _outlives(self, target: Term, activation: Activation) -> bool:
        """Whether something is there before the trace and after it: an attribute of an object, a name or list from outside."""
        while isinstance(target, Attr):
            if isinstance(target.base, Self):
                return self._is_plain(activation)
            target = target.base
        if isinstance(target, Global):
            return True
        if isinstance(target, Param):  # of a function around those that run in the trace
            given = self._given_around(target, activation)
            return given is not None and given.caller is None and self._is_untraced(given.function, activation)
        if isinstance(target, List) and len(target.parts) == len(List.fields):
            return self._is_outside(target, activation)
        return False

    def _is_outside(self, made: List, activation: Activation) -> bool:
        """Whether a list is made in a function around those that run in the trace."""
        if any(step.module == activation.module and made_in(step.function, made) for step in _steps(activation)):
            return False
        frame: Context | None = activation.frame.closure
        while frame is not None:
            if made_in(frame.function, made) and frame.function.kind != "module":
                return frame.caller is None and self._is_untraced(frame.function, activation)
            frame = frame.closure
        return False

    def _is_untraced(self, function: Function, activation: Activation) -> bool:
        """Whether a function has returned before the trace begins, which is not one of `grad` alone."""
        root = activation.way_root()
        return all(step.function is not function for step in _steps(activation)) and (root is None or root.word != "grad")

    def _is_plain(self, activation: Activation) -> bool:
        """Whether a method belongs to a class of plain objects, of which JAX takes none apart, and is traced by ``jit``."""
        root = activation.way_root()
        function = activation.function
        cls = self.program.modules[activation.module].classes.get(function.cls or "")
        if is_made_in(activation.frame.receiver, activation.frame):
            return False  # it ends with the trace
        if cls is None or root is None or root.word not in STATIC_FOR or function.name.startswith("__"):
            return False
        bases = [value for each in cls.bases for value in self.program.values(each, activation.frame)]
        plain = all(isinstance(value, Library) and value.name in self._plain_bases for value in bases)
        return plain and not cls.decorators


def _steps(activation: Activation) -> Iterator[Activation]:
    """An activation and those that led to it, in the trace."""
    step: Activation | None = activation
    while step is not None:
        yield step
        step = step.before


def _of_calls(program: Program) -> Iterator[Impure]:
    """Numbers that are drawn from a generator of the process, and readings of the clock."""
    read, known = program.ask(Clocks), program.ask(Activations)
    tables = program.knowledge.tables
    starts: list[str] = tables["traced.starts"]["names"]
    for step in program.ask_of(reached, frozenset(STATIC_FOR)).values():
        place = step.root.frame.module, step.root.frame.function
        if tests_software(program, step.module, step.function) or tests_software(program, *place):
            continue
        if any(part.startswith(tuple(starts)) for each in step.chain() for part in each.function.name.lower().split("_")):
            continue
        for node in known.running(step.frame).statements:
            if not isinstance(node, CallStep):
                continue
            kind: Kind | None = "clock" if read.is_library(node.term) else None
            if kind is None and _draws(program, node.term, step.frame):
                kind = "draw"
            if kind is not None:
                yield Impure(step.module, kind, node.term.site, "Call", node.statement, tuple(_way(step)))


def _draws(program: Program, call: Call, frame: Context) -> bool:
    if not isinstance(call.callee, Ref):
        return False
    families = [name for name in program.knowledge.tables["draws"] if name.endswith(".")]
    for value in program.values(call.callee, frame):
        if isinstance(value, Library) and value.name.startswith(tuple(families)):
            return value.name.rpartition(".")[2] not in program.knowledge.tables["draws.no"]["names"]
    return False


def _way(step: Reached) -> Iterator[tuple[str, Spot, str]]:
    yield step.root.frame.module, step.root.spot, "this traces the function"
    for site in step.way():
        yield site.module, site.call.term.site, "through this call"


def printed(program: Program, found: Impure) -> Change | None:
    """``print(x)`` as JAX prints values, where it is nothing but that."""
    new = reference(program.knowledge.written["prints"], program.modules[found.module])
    if found.kind != "print" or new is None or not found.alone:
        return None
    paths = ((("argument", 0),),)
    code = f'{new}("{{}}", {{0}})'
    return Rewrite(Applicability.DISPLAY, "Print the value at each call", spot=found.spot, code=code, paths=paths)


__all__ = ["Impure", "Kind", "impure", "printed"]
