"""Layers that a module keeps in lists and dicts: which of them run where an item of such a one is called.

``self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])`` makes blocks of one class, and ``for block in self.blocks:
x = block(x)`` runs them. Which of several, nobody needs to know here: all that was put under the attribute are meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.layers import is_no_module
from trainlint.facts.modes.identity import Identities
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.ir.nodes import Access, Attr, Call, Element, Global, LoopPhi, Param, Ref, Select, Self, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of

_FORWARD = "forward"
_ADDS = ("append", "add_module", "extend", "insert")
_MOST = 8


def model_runs(program: Program, call: Call, frame: Frame) -> list[FunctionValue]:
    """What runs in a call of a model that only its making tells of: an item of a list, one that was moved, or is in a wrapper."""
    return held_layers(program, call, frame) or list(wrapped(program, call.callee, frame))


def wrapped(program: Program, term: Term, frame: Frame) -> Iterator[FunctionValue]:
    """What runs when a model is called that was moved to a device, or is in a wrapper: ``DDP(Net().to(device))``."""
    if not isinstance(term, (Call, Access, Param, Global, Select, LoopPhi)):
        return
    models = program.ask(Identities)
    for key in sorted(models.of(term, frame), key=str):
        maker = models.makers.get(key)
        if isinstance(maker, Instance) and not is_no_module(program, maker):
            method = program.method(ClassValue(maker.module, maker.cls), _FORWARD)
            if method is not None:
                yield FunctionValue(method[0], method[1], maker)


def held_layers(program: Program, call: Call, frame: Frame) -> list[FunctionValue]:
    """What runs in a call of an item of something that a module keeps."""
    if not isinstance(call.callee, (Element, Access, LoopPhi)):
        return []
    name = _kept_under(call.callee)
    owner = frame.owner()
    if name is None or not isinstance(owner, Instance):
        return []
    found: list[FunctionValue] = []
    for value in _layers(program, owner, name):
        method = program.method(ClassValue(value.module, value.cls), _FORWARD)
        if method is not None:
            found.append(FunctionValue(method[0], method[1], value))
    return list(dict.fromkeys(found))[:_MOST]


def _kept_under(callee: Term) -> str | None:
    """The attribute of the object under which the container is kept that the callee was taken out of, at any depth."""
    term, depth = callee, 0
    while isinstance(term, (Element, Access, Call)):
        if isinstance(term, Attr) and isinstance(term.base, Self):
            return term.name if depth else None
        if isinstance(term, Call):
            given = term.args[0] if term.args and isinstance(term.callee, Ref) else None  # ``enumerate(self.blocks)``
            term = given if given is not None else term.callee
        else:
            term = term.stem
        depth += 1
    return None


def _layers(program: Program, owner: Instance, name: str) -> Iterator[Instance]:
    cls = ClassValue(owner.module, owner.cls)
    for path, function, value in program.stores(cls, name):
        frame = program.instance_frame(owner, path, function)
        for term in _made(value, function):
            yield from _modules(program, term, frame)
        for node in calls_of(function):
            callee = node.term.callee
            if isinstance(callee, Attr) and callee.name in _ADDS and (callee.base is value or _is_kept(callee.base, name)):
                for given in node.term.args:
                    for term in _made(given, function):
                        yield from _modules(program, term, frame)


def _is_kept(term: Term, name: str) -> bool:
    return bool(isinstance(term, Attr) and isinstance(term.base, Self) and term.name == name)


def _made(value: Term, function: Function) -> Iterator[Call]:
    """The calls in what is stored, also those that a comprehension makes in each round."""
    pending, seen = [value], set[Term]()
    while pending:
        for part in parts_of(pending.pop()):
            if part in seen:
                continue
            seen.add(part)
            if isinstance(part, Call):
                yield part
            drawn = function.drawn.get(part)
            if drawn is not None:
                pending.append(drawn.item)


def _modules(program: Program, call: Call, frame: Frame) -> Iterator[Instance]:
    for value in program.values(call, frame):
        if isinstance(value, Instance) and not is_no_module(program, value):
            yield value


__all__ = ["held_layers", "model_runs", "wrapped"]
