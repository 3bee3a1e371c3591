"""Backward passes that keep their graph for a second one, or record themselves, where nothing comes of it.

A graph that a backward pass keeps can be used by another pass of the same round, or, where something with a graph goes on from
round to round, by one of the next. Only where all that a loss is made of is seen to be made in its own round is there no second
use. A recorded backward pass ties parameters and gradients into a circle, which only a gradient that is set to None or cut off
breaks.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Const,
    Element,
    Global,
    LoopPhi,
    Param,
    Ref,
    Self,
    Term,
    Unknown,
)
from trainlint.ir.order import within
from trainlint.ir.sketch import Block, CallStep, Function, Keep, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk

_RETAIN, _CREATE, _CUTS_OFF = "retain_graph", "create_graph", "detach_"
_DEEPEST = 30
#: Functions that use a graph once more.
_AGAIN = frozenset(("grad", "jacobian", "hessian", "vjp", "jvp", "hvp", "register_hook"))
#: Methods and functions by which an object keeps something.
_KEEPS = frozenset(("append", "setattr", "register_buffer", "copy_", "update"))


def retained(program: Program) -> Iterator[Event]:
    """The backward passes that keep a graph nobody uses again."""
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("backward"):
        passes = found.of_kind("backward")
        if found.loop is None or len(passes) != 1 or passes[0].term in seen or _is_out_of_sight(found):
            continue
        event, call = passes[0], passes[0].term
        if not isinstance(call, Call) or not isinstance(call.callee, Attr) or call.args or event.inner:
            continue
        if not _says(event, _RETAIN) or _says(event, _CREATE):
            continue
        loss = call.callee.base
        if tests_software(program, event.frame.module, event.frame.function) or _uses_again(program, found, event, loss):
            continue
        if _Own(program, found).is_made_of(loss, event.frame):
            seen.add(event.term)
            yield event


def recorded(program: Program) -> Iterator[Event]:
    """The backward passes in loops that record themselves, where no gradient is let go."""
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("backward"):
        if found.loop is None or found.may_be_changed(program, *found.parts(), None):
            continue
        if tests_software(program, found.frame.module, found.frame.function) or any(map(_breaks, found.of_kind("clear"))):
            continue
        for event in found.of_kind("backward"):
            if _says(event, _CREATE) and event.term not in seen:
                seen.add(event.term)
                yield event


def _is_out_of_sight(found: Round) -> bool:
    """Whether somebody out of sight got hold of a loss, a model, or the object whose step this is."""
    return any(event.kind == "unknown" and event.handed.whole for event in found.all)


def _says(event: Event, keyword: str) -> bool:
    """Whether an argument is written down as true."""
    given = event.term.kwargs if isinstance(event.term, Call) else ()
    return any(name == keyword and isinstance(value, Const) and value.value is True for name, value in given)


def _breaks(clear: Event) -> bool:
    """Whether gradients are set to None, or cut off, as every ``zero_grad`` does: to set them to 0 in place is not enough."""
    name = last_name(clear.term.callee) or "" if isinstance(clear.term, Call) else ""
    return not name.endswith("_") or name == _CUTS_OFF


def _uses_again(program: Program, found: Round, event: Event, loss: Term) -> bool:
    """Whether something in a round, in its function or in what is called there, may go through the graph once more."""
    assert found.loop is not None
    asked = program.ask(Loops)
    for call in _calls_in(found.loop.body):
        if asked.call_says(call, found.frame, _AGAIN) and not (found.frame is event.frame and _is_of_another(call, loss)):
            return True
    return any(
        asked.call_says(call, event.frame, _AGAIN) and not _is_of_another(call, loss)
        for call in _calls_in(event.frame.function.body)
    )


def _calls_in(block: Block) -> Iterator[Call]:
    return (node.term for node in walk(block) if isinstance(node, CallStep))


def _is_of_another(call: Call, loss: Term) -> bool:
    """Whether what a call goes through is surely another graph than that of a loss: nothing that was computed is in both."""
    name, callee = last_name(call.callee), call.callee
    given = callee.base if isinstance(callee, Attr) and isinstance(callee.base, Call) else call.args[0] if call.args else None
    if name not in _AGAIN or given is None or not isinstance(given, (Call, BinOp)):
        return False
    parts = set(parts_of(given))
    if any(isinstance(part, (Unknown, LoopPhi)) for part in parts):
        return False
    return all(not isinstance(part, (Call, BinOp)) or _is_data(part) for part in parts.intersection(parts_of(loss)))


def _is_data(term: Term) -> bool:
    """Whether something is what a loop hands out, perhaps on a device: ``x.cuda()``."""
    while isinstance(term, (Access, Call)):
        if isinstance(term, Call):
            if not isinstance(term.callee, Attr):
                return False
            term = term.callee.base
        else:
            term = term.base
    return isinstance(term, Element)


class _Own:
    """Whether what a loss is made of is made in its own round; doubt counts as no."""

    def __init__(self, program: Program, found: Round) -> None:
        self.program = program
        self.found = found
        self.known = tuple(program.knowledge.keeps_nothing)

    def is_made_of(self, term: Term, frame: Frame, depth: int = _DEEPEST) -> bool:
        """Whether a value has no graph from before the round."""
        if depth == 0 or frame is not self.found.frame:
            return False
        if isinstance(term, Const):
            return True
        if isinstance(term, Element):
            assert self.found.loop is not None
            return term.of is self.found.loop.subject
        if isinstance(term, Access):
            return self._is_part(term, frame, depth)
        if isinstance(term, BinOp):
            return all(self.is_made_of(part, frame, depth - 1) for part in term.sides)
        if isinstance(term, Call):
            return self._is_fresh(term, frame, depth - 1)
        return False

    def _is_part(self, term: Access, frame: Frame, depth: int) -> bool:
        return not isinstance(term.base, (Self, Param, Global, Ref)) and self.is_made_of(term.base, frame, depth - 1)

    def _is_fresh(self, call: Call, frame: Frame, depth: int) -> bool:
        """A call in the round, of something that keeps nothing, of what was made in the round."""
        assert self.found.loop is not None
        if not within(self.found.frame.function, self.found.loop, call):
            return False
        callee = call.callee
        given = (*call.args, *(value for _, value in call.kwargs))
        if isinstance(callee, Attr) and callee.name in self.program.knowledge.keeps:
            plain = all(self._is_plain(part, frame, depth) for part in given)
            return plain and self.is_made_of(callee.base, frame, depth)
        return self._keeps_nothing(callee, frame) and all(self._is_plain(part, frame, depth) for part in given)

    def _is_plain(self, term: Term, frame: Frame, depth: int) -> bool:
        """An argument: made in the round, or a thing without a graph (a device, a number of the settings)."""
        values = self.program.values(term, frame)
        if values and all(
            isinstance(value, Library) or (isinstance(value, Made) and value.name == "torch.device") for value in values
        ):
            return True
        return self.is_made_of(term, frame, depth)

    def _keeps_nothing(self, callee: Term, frame: Frame) -> bool:
        """Whether what is called is a library's function or layer, or a module of the project that stores nothing."""
        values = self.program.values(callee, frame)
        return bool(values) and all(self._is_stateless(value) for value in values)

    def _is_stateless(self, value: object) -> bool:
        if isinstance(value, (Library, Made)):
            return value.name.startswith(self.known)
        if not isinstance(value, Instance):
            return False
        for cls in self.program.lineage(ClassValue(value.module, value.cls)):
            if isinstance(cls, Library):
                if cls.name not in self.program.knowledge.registers:
                    return False
                continue
            functions = self.program.modules[cls.module].functions
            if any(_stores(functions[name]) for name in cls.cls.methods.values()):
                return False
        return True


def _stores(method: Function) -> bool:
    """Whether a method of a module may keep something of what it is given: any but the one that sets it up."""
    if method.name == "__init__":
        return False
    kept = bool(of_kind(method, Store)) or bool(of_kind(method, Keep))
    return kept or any((last_name(node.term.callee) or "") in _KEEPS for node in calls_of(method))
