"""Induction variables: numbers that count the rounds of a loop, windows of rounds, and what a loop takes its items from.

``enumerate`` adds such a number to the items, ``range`` is made of them, a name that is one more at the end of each round is one.
A loop takes its items itself, by ``next`` from an iterator that was made before it, or from a generator that only hands them on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from trainlint.ir.bindings import Carried, carried_by
from trainlint.ir.control_dependence import positive
from trainlint.ir.nodes import (
    And,
    Attr,
    Augmented,
    BinOp,
    Call,
    Compare,
    Const,
    Element,
    LoopPhi,
    Or,
    Param,
    Select,
    Subscript,
    Term,
)
from trainlint.ir.operators import OPPOSITES
from trainlint.ir.order import belongs_to, loops_around, within
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store, Yield
from trainlint.ir.terms import is_call_of, whole_number
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.origins import origin, reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, Context, FunctionValue, Library

_SHIFTS = ("Add", "Sub")
_RANGES = frozenset(("range", "trange"))
#: That of Python, whose items are numbers of Python: those of ``tf.range`` are tensors.
_RANGE = "builtins.range"


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
    seen: set[tuple[Term, Context]] = set()
    while (iterated, frame) not in seen:
        seen.add((iterated, frame))
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


def is_range(term: Term) -> TypeGuard[Call]:
    """Whether a term is a range of numbers, with or without a bar that shows its progress (``trange`` of tqdm)."""
    return isinstance(term, Call) and last_name(term.callee) in _RANGES


def is_counted(loop: Loop) -> bool:
    """Whether a loop runs a number of rounds, for which it goes over no data."""
    return loop.kind == "for" and is_range(loop.subject)


def is_counting(term: Term) -> bool:
    """Whether a term is numbers that follow each other, with an end or without."""
    return is_range(term) or is_call_of(term, "itertools.count")


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
    seen: set[tuple[Term, Context]] = set()
    while (term, frame) not in seen:
        seen.add((term, frame))
        found = _carried(program, term, frame) if isinstance(term, LoopPhi) else _numbered(program, term, frame)
        if found is not None:
            return found._replace(added=added)
        left, number = shifted(term)
        if left is not term:
            added, term = added + number, left
            continue
        given = frame.given(term) if isinstance(term, Param) else None
        made = given if isinstance(given, Argument) else reaching_definition(program, term, frame)
        if made.term is term:
            return None
        term, frame = made
    return None


def _carried(program: Program, term: LoopPhi, frame: Context, *, set_back: bool = False) -> RoundNumber | None:
    """What is more at the end of each round than at its head, and was a number before the first.

    ``set_back``: so it is in some rounds only, and a number that is written down behind the others.
    """
    carried = carried_by(frame.function, term)
    if carried is None or not isinstance(carried.entry, Const) or type(carried.entry.value) not in (int, float):
        return None
    back = carried.back
    if set_back:
        values = (node.value for node in of_kind(frame.function, Keep) if node.target is carried.name)
        kept = {arm for value in values for arm in (value.arms if isinstance(value, Select) else (value,))}
        more = [each for each in kept if not isinstance(each, Const)]
        if len(more) != 1 or len(kept) == 1:
            return None
        back = more[0]
    loop = _counting(frame.function, carried, back)
    if loop is None or not isinstance(back, BinOp):
        return None
    items = _handed_on(program, loop.subject, frame) if loop.kind == "for" else None
    start = carried.entry.value if isinstance(carried.entry.value, int) else None
    return RoundNumber(loop, frame, start, items, by=whole_number(back.right))


def _counting(function: Function, carried: Carried, back: Term) -> Loop | None:
    """The loop at the end of whose rounds a name is more than at their heads."""
    more = isinstance(back, BinOp) and back.op == "Add" and carried.name in back.sides
    return next((each for each in of_kind(function, Loop) if more and belongs_to(each, carried.name)), None)


def counted_by(program: Program, term: Term, frame: Context) -> Loop | None:
    """The loop of whose rounds a term is the number, or whatever grows in each of them from what it was before."""
    number = round_number(program, term, frame)
    carried = carried_by(frame.function, term) if number is None and isinstance(term, LoopPhi) else None
    if carried is not None:
        return _counting(frame.function, carried, carried.back)
    return number.loop if number is not None else None


class Window(NamedTuple):
    """A test that holds once in ``size`` rounds: a ``number`` with ``added`` to it is a multiple of the size.

    ``set_back``: or it has come to the size, and begins again from a number that is written down. It may have grown by something
    else than one in each round: the size is that of so many samples then, not of rounds.
    """

    number: Term
    size: Term
    added: int = 0
    set_back: bool = False

    def of_rounds(self, program: Program, frame: Context) -> bool:
        """Whether the size is a number of rounds, as far as the number shows."""
        if not self.set_back:
            return True
        if isinstance(self.number, Augmented):
            return whole_number(self.number.pieces[-1]) == 1
        counted = self.counted(program, frame)
        return counted.by == 1 if counted is not None else not isinstance(shifted(self.number)[0], BinOp)

    def counted(self, program: Program, frame: Context) -> RoundNumber | None:
        """The number, if it counts the rounds of a loop."""
        if not self.set_back:
            found = round_number(program, self.number, frame)
            return found._replace(added=found.added + self.added) if found is not None else None
        phi, added = shifted(self.number)
        found = _carried(program, phi, frame, set_back=True) if isinstance(phi, LoopPhi) else None
        return found._replace(added=added) if found is not None else None


def windows(program: Program, test: Term, frame: Context, *, holds: bool) -> Iterator[Window | None]:
    """What alone is enough for a test to hold (or not to): each the end of a window of rounds, or something else (None).

    ``(i + 1) % size == 0``, ``not (i + 1) % size``, ``i % size == size - 1``; of ``if i % size: continue`` what follows it.
    """
    test, holds = positive(test, holds=holds)
    given = frame.given(test) if isinstance(test, Param) else None
    if isinstance(given, Argument):
        yield from windows(program, *given, holds=holds)
        return
    if isinstance(test, Or if holds else And):
        for part in test.operands:
            yield from windows(program, part, frame, holds=holds)
        return
    if isinstance(test, Compare):
        compared = test.op if holds else OPPOSITES.get(test.op, "")
        yield _window(program, test, compared, frame)
    else:
        yield Window(*test.sides) if not holds and isinstance(test, BinOp) and test.op == "Mod" else None


def _window(program: Program, test: Compare, compared: str, frame: Context) -> Window | None:
    rest, last = test.left, test.right
    if isinstance(rest, BinOp) and rest.op == "Mod":
        number, size = rest.sides
        if compared in ("Eq", "LtE") and whole_number(last) == 0:
            return Window(number, size)
        before, less = shifted(last)
        ends = before is size and less == -1
        whole, end = whole_number(size), whole_number(last)
        ends = ends or (whole is not None and end == whole - 1)
        return Window(number, size, added=1) if compared in ("Eq", "GtE") and ends else None
    return Window(rest, last, set_back=True) if compared in ("Eq", "GtE") and is_set_back(program, rest, frame) else None


def is_set_back(program: Program, number: Term, frame: Context) -> bool:
    """Whether a number is counted up in some rounds of a loop, and set back in others: a name, or an attribute."""
    counter, _ = shifted(number.pieces[0] if isinstance(number, Augmented) else number)
    if isinstance(counter, BinOp) and counter.op == "Add":
        counter = next((side for side in counter.sides if isinstance(side, LoopPhi)), counter)
    if isinstance(counter, LoopPhi):
        return _carried(program, counter, frame, set_back=True) is not None
    held = [node.value for node in of_kind(frame.function, Store) if node.target is counter]
    counts = (isinstance(each, Augmented) or (isinstance(each, BinOp) and shifted(each)[0] is counter) for each in held)
    return isinstance(counter, Attr) and any(counts) and any(whole_number(each) is not None for each in held)


def shifted(term: Term) -> tuple[Term, int]:
    """A value, and the number that is added to it."""
    if isinstance(term, BinOp) and term.op in _SHIFTS and (number := whole_number(term.right)) is not None:
        return term.left, number if term.op == "Add" else -number
    return term, 0


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
        position = None if is_call_of(subject, _RANGE) else position
    if is_call_of(subject, _RANGE) and position is None:
        bounds = [whole_number(each) for each in subject.args]
        start, by = bounds[0] if len(bounds) > 1 else 0, bounds[2] if bounds[2:] else 1
        return RoundNumber(taken.loop, taken.frame, start, None, by=by)
    if not is_call_of(subject, "builtins.enumerate") or position != 0 or not subject.args:
        return None
    given = [*subject.args[1:2], *(value for name, value in subject.kwargs if name == "start")]
    items = _handed_on(program, subject.args[0], where)
    return RoundNumber(taken.loop, taken.frame, whole_number(given[0]) if given else 0, items)
