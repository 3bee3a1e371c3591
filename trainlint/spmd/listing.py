"""Loops over lists that hold other things on some ranks than on others: unrolled, item by item.

``hooks = [log]`` and, on rank 0 only, ``hooks.append(sync)``: the loop ``for hook in hooks: hook()`` has another round there. The
items are read where the list is written down and where the function that has it puts something in, each under its tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainlint.facts.callback_lists import Registered, kept_under, registered
from trainlint.facts.contents import Contents
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Dict,
    Global,
    List,
    Nested,
    Or,
    Param,
    Ref,
    Select,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Loop
from trainlint.ir.walk import walk
from trainlint.spmd.settings import Settings
from trainlint.spmd.symbols import UNKNOWN, Something

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.spmd.ranks import Evaluator

#: Items that are gone through; functions that are followed for the list that they return.
_MOST, _DEEPEST = 8, 4


class Item(NamedTuple):
    """One item, as it is written where it is put in."""

    term: Term
    frame: Frame


class Unknown(Exception):
    """Not all items are known."""


def items_by_rank(program: Program, own: Evaluator, loop: Loop, frame: Frame) -> list[list[Item]] | None:
    """The items that a loop goes over on each example rank; None where nobody knows, or where it does not matter.

    It matters if ranks differ in them, or if the body calls them (or a method of each) and they run different things.
    """
    if not isinstance(loop.subject, (List, Tuple, Param, Select, Global, Call, Subscript, Attr, BinOp)):
        return None
    before = own.asked
    try:
        found = [_items(program, peer, loop.subject, frame, 0) for peer in own.peers()]
    except Unknown:
        return None
    finally:
        own.asked = before
    if max(map(len, found)) > _MOST or (all(items == found[0] for items in found) and not _run_apart(program, loop, found[0])):
        return None
    return found


def _run_apart(program: Program, loop: Loop, items: list[Item]) -> bool:
    """Whether the body of a loop calls its items, or a method of each, and these are different functions."""
    target = loop.target
    if target is None or len(items) <= 1:
        return False
    for node in walk(loop.body):
        callee = node.term.callee if isinstance(node, CallStep) else target
        if callee is not target and not (isinstance(callee, Attr) and callee.base is target):
            continue
        runs = {tuple(map(_which, called(program, callee, item))) for item in items} if isinstance(node, CallStep) else ()
        if len(runs) > 1:
            return True
    return False


def _which(target: Library | FunctionValue) -> object:
    return id(target.function) if isinstance(target, FunctionValue) else target.name


def _items(program: Program, rank: Evaluator, subject: Term, frame: Frame, depth: int) -> list[Item]:
    if depth > _DEEPEST:
        raise Unknown
    if isinstance(subject, Or) and len(subject.operands) == 2 and isinstance(subject.operands[1], (List, Tuple)):  # noqa: PLR2004
        return _items(program, rank, subject.operands[0], frame, depth + 1) or _items(
            program, rank, subject.operands[1], frame, depth + 1
        )
    if isinstance(subject, Select):
        value = rank.value(subject.test, frame)
        if isinstance(value, UNKNOWN) and not isinstance(value, Something):
            raise Unknown
        return _items(program, rank, subject.then if value else subject.other, frame, depth + 1)
    if isinstance(subject, Param):
        bound = frame.given(subject)
        if not isinstance(bound, Bound) or program.ask(Contents).is_changed(subject, frame.function):
            raise Unknown
        return _items(program, rank, bound.term, bound.frame, depth + 1)
    if isinstance(subject, (List, Tuple)):
        return _written(program, rank, subject, frame)
    if isinstance(subject, (Subscript, Call)) and kept_under(program.knowledge.hands_out, subject) is not None:
        return _of_object(program, rank, subject, frame, depth)
    if isinstance(subject, Subscript) and isinstance(subject.key, Slice):
        return _sliced(program, rank, subject.base, subject.key, frame, depth)
    if isinstance(subject, Call):
        return _returned(program, rank, subject, frame, depth)
    if isinstance(subject, BinOp) and subject.op == "Add":
        return [each for part in subject.sides for each in _items(program, rank, part, frame, depth + 1)]
    if isinstance(subject, Attr):
        return _of_object(program, rank, subject, frame, depth)
    if isinstance(subject, Global):
        for value in program.values(subject, frame):
            if isinstance(value, Other) and isinstance(value.term, (List, Tuple)):
                return _written(program, rank, value.term, value.frame)
    raise Unknown


def _of_object(program: Program, rank: Evaluator, subject: Attr | Subscript | Call, frame: Frame, depth: int) -> list[Item]:
    """The items of a list that an object keeps, by itself or in a dict: those it begins with, and those that its methods add."""
    place = kept_under(program.knowledge.hands_out, subject)
    owners: tuple[Value | None, ...] = (frame.owner(),)
    if place is None:
        if not isinstance(subject, Attr):
            raise Unknown
        place, owners = (subject.name, None), program.values(subject.base, frame)
    name, key = place
    for value in owners:
        if not isinstance(value, Instance):
            continue
        cls = ClassValue(value.module, value.cls)
        stores = program.stores(cls, name)
        added = registered(program, cls, name)
        if len(stores) != 1 or added is None or depth > _DEEPEST:
            raise Unknown
        module, function, display = stores[0]
        found: list[Item] = []
        if key is None:
            found += _items(program, rank, display, program.instance_frame(value, module, function), depth + 1)
        elif not _begins_empty(program, display, program.instance_frame(value, module, function)):
            raise Unknown
        return found + [Item(each.term, each.frame) for each in added if _is_added(program, rank, each, key, frame)]
    raise Unknown


def _begins_empty(program: Program, display: Term, frame: Frame) -> bool:
    """Whether a dict of lists has nothing in it when it is made."""
    if isinstance(display, Dict):
        return not display.items
    items = program.knowledge.items
    made = (value for value in program.values(display, frame) if isinstance(value, Made))
    return any(value.name in items and value.call is not None and len(value.call.args) <= 1 for value in made)


def _is_added(program: Program, rank: Evaluator, each: Registered, key: Term | None, frame: Frame) -> bool:
    """Whether this rank puts something into the list that is asked for."""
    if (key is None) != (each.key is None):
        raise Unknown
    if key is not None and each.key is not None:
        wanted, under = rank.value(key, frame), rank.value(*each.key)
        if isinstance(wanted, UNKNOWN) or isinstance(under, UNKNOWN):
            if wanted != under:
                raise Unknown
        elif wanted != under:
            return False
    tests = program.ask(Settings)
    inside = tests.tests_of(each.method.function).get(id(each.call.term), ())
    ways = [(inside, program.frame(each.method.module, each.method.function))]
    if each.site is not None:
        outside = tests.tests_of(each.site.function).get(id(each.site.call.term), ())
        ways.append((outside, program.frame(each.site.module, each.site.function)))
    passed = [rank.stores.passes(tests_, at)[0] for tests_, at in ways]
    if None in passed:
        raise Unknown
    return all(passed)


def _returned(program: Program, rank: Evaluator, call: Call, frame: Frame, depth: int) -> list[Item]:
    """The items of what a function of the project returns."""
    functions = [value for value in program.values(call.callee, frame) if isinstance(value, FunctionValue)]
    if len(functions) != 1 or functions[0].function.generator or frame.runs(functions[0].function):
        raise Unknown
    results = program.returns(functions[0].function)
    if len(results) != 1:
        raise Unknown
    return _items(program, rank, results[0], program.enter(functions[0], call, frame), depth + 1)


def _sliced(program: Program, rank: Evaluator, base: Term, key: Slice, frame: Frame, depth: int) -> list[Item]:
    bounds = [rank.evaluate(bound, frame) for bound in key.bounds]
    if any(bound is not None and not isinstance(bound, int) for bound, _ in bounds):
        raise Unknown
    items = _items(program, rank, base, frame, depth + 1)
    if any(asked for _, asked in bounds) and not any(_is_function(program, item) for item in items):
        raise Unknown  # shares of the ranks are counted elsewhere (`shards`)
    return items[slice(*(bound for bound, _ in bounds))]


def _is_function(program: Program, item: Item) -> bool:
    """Whether an item is something to be called: then it matters which ones a rank has, beside how many."""
    values = program.values(item.term, item.frame) if isinstance(item.term, (Global, Ref, Nested)) else ()
    return any(isinstance(value, (FunctionValue, Library)) for value in values)


def _written(program: Program, rank: Evaluator, display: List | Tuple, frame: Frame) -> list[Item]:
    """The items of a display, and what is added to it on this rank."""
    if type(display.items) is not tuple:
        raise Unknown
    found = [Item(term, frame) for term in display.items]
    added = program.ask(Contents).added(display, frame.function)
    if added is None:
        raise Unknown
    for value, tests in added:
        taken = rank.consteval.takes(tests, frame, supposing=True)
        if taken is None:
            raise Unknown
        if taken:
            found.append(Item(value, frame))
    return found


def called(program: Program, callee: Term, item: Item) -> list[Library | FunctionValue]:
    """What a call of an item, or of a method of it, runs."""
    found: list[Library | FunctionValue] = []
    for value in program.values(item.term, item.frame):
        if not isinstance(callee, Attr):
            found += [value] if isinstance(value, (Library, FunctionValue)) else []
        elif isinstance(value, Instance):
            method = program.method(ClassValue(value.module, value.cls), callee.name)
            found += [FunctionValue(method[0], method[1], value)] if method is not None else []
    return found
