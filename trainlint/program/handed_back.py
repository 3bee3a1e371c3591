"""What somebody out of sight hands back: ``x = prepare(x)`` under a test, where ``x`` was constructed before.

The name then holds the object, or whatever an unknown function made of it. Such a function is taken to prepare or to wrap the
object: as far as anybody sees, it is that object still. An unknown that takes its place without being handed it stays one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.ir.nodes import Attr, Call, Param, Select, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import Function, If
from trainlint.ir.walk import statements_of
from trainlint.program.values import Argument, ClassValue, Context, Instance, LibraryObject, Unresolved, Value, names_class

if TYPE_CHECKING:
    from trainlint.program.program import Program


def likely(program: Program, values: list[Value], depth: int) -> list[Value]:
    """Of what a term may stand for, all but what somebody unknown made of one of the objects among the others."""
    objects = [value for value in values if _is_constructed(value)]
    if not objects or len(objects) == len(values):
        return values
    return [value for value in values if not _handed_back(program, value, objects, depth)]


def likely_arms(program: Program, choice: Select, frame: Context) -> tuple[Term, ...]:
    """The arms of a choice, but for what somebody unknown makes of the other one."""
    for arm, other in (choice.arms, choice.arms[::-1]):
        if isinstance(arm, Call) and other in _given(arm) and is_unknown(program, arm, frame):
            return (other,)
    return choice.arms


def is_likely(program: Program, term: Term, frame: Context) -> bool:
    """Whether what a term stands for may also be what somebody unknown made of it: who asks whether nobody did must be silent."""
    pending, seen = [(term, frame)], {(term, frame)}
    while pending:
        current, where = pending.pop()
        held = list(_held(program, current, where))
        if held[1:] and any(isinstance(each, Call) and is_unknown(program, each, at) for each, at in held):
            return True
        fresh = [each for each in held if each not in seen]
        seen.update(fresh)
        pending += fresh
    return False


def _held(program: Program, term: Term, frame: Context) -> Iterator[tuple[Term, Context]]:
    """What a choice, a parameter or an attribute may hold, each where it stands."""
    if isinstance(term, Select):
        yield from ((arm, frame) for arm in term.arms)
    elif isinstance(term, Param):
        given = frame.given(term)
        if isinstance(given, Argument):
            yield given
    elif isinstance(term, Attr):
        for owner in program.values(term.base, frame):
            if isinstance(owner, Instance):
                for module, function, value in program.stores(ClassValue(owner.module, owner.cls), term.name):
                    yield value, program.instance_frame(owner, module, function)


def is_unknown(program: Program, call: Call, frame: Context) -> bool:
    """Whether nobody knows what a call makes of what it is given."""
    made = program.values(call, frame)
    return len(made) == 1 and _unknown_call(program, made[0]) is call


def _given(call: Call) -> tuple[Term, ...]:
    return (*call.args, *(value for _, value in call.kwargs))


def _is_constructed(value: Value) -> bool:
    """Whether a value is an object that a call of a class makes."""
    if isinstance(value, LibraryObject):
        return value.call is not None and names_class(value.name)
    return isinstance(value, Instance) and value.call is not None


def _unknown_call(program: Program, value: Value) -> Call | None:
    """The call that gives a value, if nobody knows what it does."""
    if isinstance(value, Unresolved):
        return value.term if isinstance(value.term, Call) else None
    if isinstance(value, LibraryObject) and value.name.partition(".")[0] not in program.ask(known_packages):
        return value.call
    return None


def _handed_back(program: Program, value: Value, objects: list[Value], depth: int) -> bool:
    """Whether a value is what a call gives of which nobody knows what it does, but that it is handed one of these objects."""
    call = _unknown_call(program, value)
    frame = value.frame if isinstance(value, (Unresolved, LibraryObject)) else None
    if call is None or frame is None:
        return False
    for given in _given(call):
        values = program.values(given, frame, depth)
        if values and all(each in objects for each in values):
            return any(_is_chosen(frame.function, call, each) for each in values)
    return False


def _is_chosen(function: Function, call: Call, made: Value) -> bool:
    """Whether a test that does not stand around the making of an object stands around a call that is handed it."""
    making = made.call if isinstance(made, (Instance, LibraryObject)) else None
    return any(
        isinstance(node, If) and within(function, node.spot, call) and (making is None or not within(function, node.spot, making))
        for node in statements_of(function)
    )


def known_packages(program: Program) -> frozenset[str]:
    """The packages of which the tables say what their calls make."""
    known = program.knowledge
    names = (*known.optimizers, *known.kinds, *known.parallel, *known.tables["aliases"], "builtins")
    return frozenset(name.partition(".")[0] for name in names)
