"""Induction variables: numbers that count the rounds of a loop, and what a loop takes its items from.

``enumerate`` adds such a number to the items, ``range`` is made of them, a name that is one more at the end of each round is one.
A loop takes its items itself, by ``next`` from an iterator that was made before it, or from a generator that only hands them on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.ir.bindings import carried_by
from trainlint.ir.nodes import BinOp, Call, Const, Element, LoopPhi, Param, Subscript, Term
from trainlint.ir.order import belongs_to, loops_around, within
from trainlint.ir.sketch import CallStep, Loop, Yield
from trainlint.ir.terms import is_call_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph
from trainlint.program.origins import origin, reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, Context, FunctionValue, Library

_DEEPEST = 8
_SHIFTS = ("Add", "Sub")


class Drawn(NamedTuple):
    """An item that a loop, in an activation, takes in each round, and what it is an item of."""

    loop: Loop
    frame: Context
    of: Argument


class RoundNumber(NamedTuple):
    """A number that grows in each round of a loop (in an activation), or that with ``added`` to it.

    It grows ``by`` so much, None where that is not written down. ``start`` is what it is in the first round, None likewise.
    ``items`` is what the loop takes its items from, None where it only counts.
    """

    loop: Loop
    frame: Context
    start: int | None
    items: Argument | None
    added: int = 0
    by: int | None = 1

    @property
    def first(self) -> int | None:
        """What it is in the first round, with what is added."""
        return None if self.start is None else self.start + self.added


def drawn(program: Program, term: Term, frame: Context) -> Drawn | None:
    """The loop that takes an item in each of its rounds, if that is what a term is."""
    if isinstance(term, Element):
        loop = next((each for each in of_kind(frame.function, Loop) if belongs_to(each, term)), None)
        return Drawn(loop, frame, _handed_on(program, term.of, frame)) if loop is not None else None
    if not is_call_of(term, "builtins.next") or not term.args:
        return None
    stream, where = origin(program, term.args[0], frame)
    node = next((each for each in calls_of(frame.function) if each.term is term), None)
    if node is None or where is not frame or not isinstance(stream, Call):
        return None
    around = [each for each in loops_around(frame.function, node) if not within(frame.function, each, stream)]
    taken = stream.args[0] if is_call_of(stream, "builtins.iter") and len(stream.args) == 1 else stream
    return Drawn(around[-1], frame, _handed_on(program, taken, frame)) if len(around) == 1 else None


def _handed_on(program: Program, iterated: Term, frame: Context) -> Argument:
    """What is gone through, whatever only shows the progress or hands the items on: ``tqdm(loader)``, a generator."""
    for _ in range(_DEEPEST):
        made, where = origin(program, iterated, frame)
        inside = _inside(program, made, where) if isinstance(made, Call) else None
        if inside is None:
            return Argument(made, where) if where is frame else Argument(iterated, frame)
        iterated, frame = inside
    return Argument(iterated, frame)


def _inside(program: Program, call: Call, frame: Context) -> Argument | None:
    """What a call hands out the items of, one after the other."""
    iterates = program.knowledge.iterates
    for target in program.ask(CallGraph).targets(call, frame):
        if isinstance(target, Library) and iterates.get(target.name) == "same" and call.args:
            return Argument(call.args[0], frame)
        if isinstance(target, FunctionValue) and target.function.generator and not frame.runs(target.function):
            yields = of_kind(target.function, Yield)
            value = yields[0].value if len(yields) == 1 else None
            loops = loops_around(target.function, yields[0]) if len(yields) == 1 else ()
            if isinstance(value, Element) and len(loops) == 1 and belongs_to(loops[0], value):
                inner = program.enter(target, call, frame)
                given = inner.given(value.of) if isinstance(value.of, Param) else None
                return given if isinstance(given, Argument) else Argument(value.of, inner)
    return None


def gone_through(program: Program, loop: Loop, frame: Context) -> Iterator[Argument]:
    """What a loop takes its items from, itself or by ``next``; of what ``enumerate`` numbers, that."""
    if loop.kind == "for":
        taken = [_handed_on(program, loop.subject, frame)]
    else:
        calls = (node.term for node in walk(loop.body) if isinstance(node, CallStep) and is_call_of(node.term, "builtins.next"))
        taken = [found.of for call in calls if (found := drawn(program, call, frame)) is not None and found.loop is loop]
    for each in taken:
        numbered = is_call_of(each.term, "builtins.enumerate") and each.term.args
        yield _handed_on(program, each.term.args[0], each.frame) if numbered and isinstance(each.term, Call) else each


def round_number(program: Program, term: Term, frame: Context) -> RoundNumber | None:
    """The number of a round, if that is what a term is: as it is counted, with a number added, handed to a function."""
    added = 0
    for _ in range(_DEEPEST):
        found = _carried(program, term, frame) if isinstance(term, LoopPhi) else _numbered(program, term, frame)
        if found is not None:
            return found._replace(added=added)
        if isinstance(term, BinOp) and term.op in _SHIFTS and (number := _constant(term.right)) is not None:
            added += number if term.op == "Add" else -number
            term = term.left
            continue
        given = frame.given(term) if isinstance(term, Param) else None
        made = given if isinstance(given, Argument) else reaching_definition(program, term, frame)
        if made.term is term:
            return None
        term, frame = made
    return None


def _carried(program: Program, term: LoopPhi, frame: Context) -> RoundNumber | None:
    """What is more at the end of each round than at its head, and was a number before the first."""
    carried = carried_by(frame.function, term)
    if carried is None or not isinstance(carried.entry, Const) or type(carried.entry.value) not in (int, float):
        return None
    back = carried.back
    loop = next((each for each in of_kind(frame.function, Loop) if belongs_to(each, carried.name)), None)
    if loop is None or not isinstance(back, BinOp) or back.op != "Add" or carried.name not in back.sides:
        return None
    items = _handed_on(program, loop.subject, frame) if loop.kind == "for" else None
    start = carried.entry.value if isinstance(carried.entry.value, int) else None
    return RoundNumber(loop, frame, start, items, by=_constant(back.right))


def _numbered(program: Program, term: Term, frame: Context) -> RoundNumber | None:
    """What `enumerate` adds to an item, or an item of `range`."""
    position: object = None
    if isinstance(term, Subscript) and isinstance(term.key, Const):
        position, term = term.key.value, term.base
        if not isinstance(term, Element):
            term, frame = reaching_definition(program, term, frame)
    taken = drawn(program, term, frame)
    if taken is None:
        return None
    subject, where = taken.of
    if is_call_of(subject, "builtins.zip") and type(position) is int and 0 <= position < len(subject.args):
        subject, where = _handed_on(program, subject.args[position], where)
        position = None
    if is_call_of(subject, "builtins.enumerate") and subject.args and position == 1:
        subject, where = _handed_on(program, subject.args[0], where)
        position = None if is_call_of(subject, "builtins.range") else position
    if is_call_of(subject, "builtins.range") and position is None:
        return RoundNumber(taken.loop, taken.frame, _constant(subject.args[0]) if len(subject.args) > 1 else 0, None)
    if not is_call_of(subject, "builtins.enumerate") or position != 0 or not subject.args:
        return None
    given = [*subject.args[1:2], *(value for name, value in subject.kwargs if name == "start")]
    items = _handed_on(program, subject.args[0], where)
    return RoundNumber(taken.loop, taken.frame, _constant(given[0]) if given else 0, items)


def _constant(term: Term) -> int | None:
    return term.value if isinstance(term, Const) and type(term.value) is int else None
