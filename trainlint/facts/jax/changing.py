"""Static arguments that are another value at each call: each new value is compiled anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallSite
from trainlint.facts.jax.activations import STATIC_FOR, Activation, Activations, origin
from trainlint.facts.jax.fresh import repeats
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.traced.roots import Root, Roots
from trainlint.facts.values import Library
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Global, LoopPhi, Param, Ref, Subscript, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import CallStep, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, tests_of

How = Literal["type", "round", "number"]


class Changing(NamedTuple):
    """A static parameter (``name``) that changes; the place is what traces, or, for "round", the call that hands on the round.

    ``how`` "type": its annotation names what is another one each time; "number": a caller hands on a float that its own callers
    may choose, and nothing asks for its value while tracing.
    """

    root: Root
    name: str
    how: How
    module: str
    spot: Spot
    node: str
    statement: Spot
    loop: Spot | None = None
    caller: tuple[str, Spot] | None = None


def changing(program: Program) -> Iterator[Changing]:
    """Each such parameter, once."""
    asked = _Changes(program)
    for known in program.ask(Roots).all().values():
        for root in known:
            place = root.frame.module, root.frame.function
            if root.word in STATIC_FOR and root.call is not None and not tests_software(program, *place):
                yield from asked.of(root)


class _Changes:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.parameters = program.ask(Activations).parameters
        tables = program.knowledge.tables
        self._types = frozenset(tables["tracers.new_each_time"]["names"])
        self._rounds = frozenset(tables["tracers.rounds"]["names"])
        self._computes = tuple(tables["tracers.computes"]["names"])

    def of(self, root: Root) -> Iterator[Changing]:
        """The parameters of one traced function that change."""
        for name in self.parameters.static(root) or ():
            if self._is_new_each_time(root, name):
                yield Changing(root, name, "type", root.frame.module, root.spot, "expr", root.spot)
                continue
            for site in self.parameters.calls(root):
                given = self.parameters.given(root, site.call.term, name)
                loop = self._round(site, given) if given is not None else None
                if loop is not None:
                    call, begins = site.call, (root.frame.module, root.spot)
                    if not tests_software(self.program, site.module, site.function):
                        yield Changing(root, name, "round", site.module, call.term.site, "Call", call.statement, loop, begins)
                    continue
                if given is not None and self._is_chosen(site, given) and not self._is_asked(root, name):
                    caller = (site.module, site.call.term.site)
                    yield Changing(root, name, "number", root.frame.module, root.spot, "expr", root.spot, caller=caller)
                    break

    def _is_new_each_time(self, root: Root, name: str) -> bool:
        annotation = root.target.function.annotations.get(name)
        frame = self.program.frame(root.target.module, root.target.function)
        for part in parts_of(annotation) if annotation is not None else ():
            if isinstance(part, (Ref, Attr, Global)):
                values = self.program.values(part, frame)
                if any(isinstance(value, Library) and value.name in self._types for value in values):
                    return True
        return False

    def _round(self, site: CallSite, given: Term) -> Spot | None:
        """The loop around a call whose round is what the call is given: the number that it counts, or the time."""
        for loop in of_kind(site.function, Loop):
            if loop.kind not in ("for", "while") or not within(site.function, loop, site.call.term) or not repeats(loop):
                continue
            frame = self.program.frame(site.module, site.function)
            called = self.program.values(loop.subject.callee, frame) if isinstance(loop.subject, Call) else ()
            names = [value.name for value in called if isinstance(value, Library)]
            if given is loop.target and any(name in self._rounds for name in names):
                return loop.spot
            first = (
                isinstance(given, Subscript)
                and given.base is loop.target
                and isinstance(given.key, Const)
                and given.key.value == 0
            )
            if first and any(self.program.knowledge.iterates.get(name) == "indexed" for name in names):
                return loop.spot
            if isinstance(given, LoopPhi) and (given.line, given.column) == loop.spot[:2] and given.at == "in":
                held = site.function.carried.get(given)
                if held is not None and isinstance(held[1], BinOp) and held[1].op == "Add" and given in held[1].sides:
                    return loop.spot
        return None

    def _is_chosen(self, site: CallSite, given: Term) -> bool:
        """Whether a call hands on a parameter of its own function that is a float by default: a knob, no size of the world."""
        function = site.function
        if not isinstance(given, Param) or given.function != function.qualname:
            return False
        default = function.defaults.get(given.name)
        return default is not None and isinstance(default, Const) and default.type == "float"

    def _is_asked(self, root: Root, name: str) -> bool:
        """Whether a test in the trace asks for a parameter, which has to be static then, or whoever gets it may do so."""
        for activation in self.program.ask(Activations).all():
            if activation.way_root() != root:
                continue
            function = activation.function
            if any(self._mentions(node.condition, activation, name) for node in tests_of(function)):
                return True
            for node in of_kind(function, CallStep):
                if not self._is_followed(node.term, activation, name):
                    return True
        return False

    def _mentions(self, term: Term, activation: Activation, name: str) -> bool:
        return any(isinstance(part, Param) and origin(part, activation.frame) == name for part in parts_of(term))

    def _is_followed(self, call: Call, activation: Activation, name: str) -> bool:
        """Whether a call is not handed the parameter, or only computes with it, or hands it to a function in sight as it is."""
        tracers, frame = activation.tracers, activation.frame
        given = [part for part in tracers.given(call) if not tracers.is_traced(part, frame)]
        given = [part for part in given if self._mentions(part, activation, name)]
        values = self.program.values(call.callee, frame)
        if not given or all(isinstance(value, Library) and value.name.startswith(self._computes) for value in values):
            return True
        entered = list(tracers.entered(call, frame))
        return bool(entered) and all(isinstance(part, (Param, Call)) for part in given)


__all__ = ["Changing", "How", "changing"]
