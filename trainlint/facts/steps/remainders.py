"""Accumulation windows whose last, incomplete part is never applied.

A window counts if it is counted by the index of the loop itself, which begins anew in each epoch: a counter that goes on from
epoch to epoch leaves nothing behind but at the very end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.objects import Things
from trainlint.facts.steps.paths import TooMany, Ways
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.values import ClassValue, Instance, Other
from trainlint.finding import Spot
from trainlint.ir.nodes import BinOp, Call, Compare, Const, Element, Or, Ref, Subscript, Term
from trainlint.ir.order import before, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Exit, If, Loop
from trainlint.ir.terms import is_call_of, parts_of
from trainlint.ir.walk import of_kind, walk

_ENUMERATE, _LENGTH, _ZIP = "builtins.enumerate", "builtins.len", "builtins.zip"
_START, _CYCLE = "start", "cycle"


class Remainder(NamedTuple):
    """A step that is made in each full window only; ``early``: the first batch of a window makes it.

    ``test`` is the spot of its condition, ``code`` the condition as it should be. ``doubt`` is a call of somebody out of sight
    who may step as well, ``fitted`` says that the function divides a length, perhaps to make the number of batches fit.
    """

    step: Event
    test: Spot | None
    early: bool
    code: str | None
    doubt: Event | None = None
    fitted: bool = False


class _Index(NamedTuple):
    """The index of a batch in a test: where it begins, what is added to it, and the loader whose batches it counts.

    The loader is None for an index that only goes round the window (``cycle(range(window))``).
    """

    loader: Term | None
    start: int
    added: int


def remainders(program: Program) -> Iterator[Remainder]:
    """The windows whose rest is left behind."""
    seen: set[tuple[str, Term]] = set()
    for found in program.ask(Rounds).around("step", "backward", "step"):
        if found.loop is None or found.loop.kind != "for":
            continue
        passes = found.of_kind("backward")
        for step in found.own_steps():
            doubt = found.doubt(program, step.thing)
            if doubt is None and found.may_be_changed(program, step.thing):
                continue
            answer = _remainder(program, found, passes, step)
            key = (step.place.frame.module, step.place.call)
            if answer is not None and key not in seen:
                seen.add(key)
                yield answer._replace(doubt=doubt)


def _remainder(program: Program, found: Round, passes: list[Event], step: Event) -> Remainder | None:
    if step.thing is None or step.thing.kind != "optimizer" or step.way == "closure" or step.inner or not passes:
        return None
    common = {(test, arm) for backward in passes for test, arm, _ in backward.tests}
    more = [(test, arm) for test, arm, _ in step.tests if (test, arm) not in common]
    if len(more) != 1 or not more[0][1] or any(backward.inner for backward in passes):
        return None
    test = more[0][0]
    reasons = test.operands if isinstance(test, Or) else (test,)
    counted = [rest for reason in reasons if (rest := _rest(reason)) is not None]
    if len(counted) != 1 or _is_one(program, counted[0].right, step) or not _is_behind(found, step):
        return None
    number, window = counted[0].sides
    index = _index(number, found)
    if index is None:
        return None
    early = index.start + index.added == 0
    if not early and (
        len(reasons) > 1
        or index.loader is None
        or _never_ends(program, index.loader, found)
        or _is_flushed(program, found, step)
        or _is_fitted(found, index, window)
    ):
        return None
    fitted = not early and any(_lengths(found, [node.term for node in calls_of(found.frame.function)]))
    place = next((node.test for node in of_kind(found.frame.function, If) if node.condition is test), None)
    code = _code(found, index, window) if place is not None and len(reasons) == 1 else None
    return Remainder(step, place, early, code, fitted=fitted)


def _is_behind(found: Round, step: Event) -> bool:
    """Whether the step comes behind a backward pass, wherever it is made: otherwise it is that of the window before."""
    for way in found.ways:
        if step in way.events:
            before = way.events[: way.events.index(step)]
            if not any(event.kind == "backward" for event in before):
                return False
    return True


def _rest(test: Term) -> BinOp | None:
    """``(i + 1) % window`` of ``(i + 1) % window == 0``."""
    if not isinstance(test, Compare) or test.op != "Eq" or not isinstance(test.left, BinOp) or test.left.op != "Mod":
        return None
    if not isinstance(test.right, Const) or test.right.value != 0:
        return None
    return test.left


def _index(term: Term, found: Round) -> _Index | None:
    """The index of a batch, if that is what a term is."""
    added = 0
    if isinstance(term, BinOp) and term.op == "Add" and isinstance(term.right, Const) and type(term.right.value) is int:
        added, term = term.right.value, term.left
    assert found.loop is not None
    if not isinstance(term, Subscript) or not isinstance(term.base, Element) or term.base.of is not found.loop.subject:
        return None
    position = term.key.value if isinstance(term.key, Const) else None
    call = term.base.of
    while isinstance(call, Call) and isinstance(call.callee, Ref) and call.callee.name not in (_ENUMERATE, _ZIP) and call.args:
        call = call.args[0]  # ``tqdm(enumerate(loader))``
    if not isinstance(call, Call) or not isinstance(call.callee, Ref) or not call.args:
        return None
    if call.callee.name == _ZIP:
        return _going_round(call, position, added)
    if position != 0 or call.callee.name != _ENUMERATE or _is_range(call.args[0]):
        return None
    given = [*call.args[1:2], *(value for name, value in call.kwargs if name == _START)]
    start = given[0].value if given and isinstance(given[0], Const) else None if given else 0
    return _Index(call.args[0], start, added) if type(start) is int else None


def _is_range(term: Term) -> bool:
    """Whether what is numbered are numbers: how many there are was chosen with the window."""
    return bool(isinstance(term, Call) and last_name(term.callee) == "range")


def _never_ends(program: Program, loader: Term, found: Round) -> bool:
    """Whether the batches never run out, so that no window is the last: an iterator of the project that goes on for ever."""
    for value in program.values(loader, found.frame):
        if isinstance(value, Instance):
            method = program.method(ClassValue(value.module, value.cls), "__iter__")
            if method is not None and any(_is_for_ever(loop) for loop in of_kind(method[1], Loop)):
                return True
    return False


def _is_for_ever(loop: Loop) -> bool:
    """``while True``, and no way out of it."""
    ways_out = (node for node in walk(loop.body) if isinstance(node, Exit) and node.kind in ("break", "return"))
    return (
        loop.kind == "while" and isinstance(loop.subject, Const) and bool(loop.subject.value) and not any(True for _ in ways_out)
    )


def _going_round(call: Call, position: object, added: int) -> _Index | None:
    """The index in ``zip(loader, cycle(range(window)))``."""
    if type(position) is not int or not 0 <= position < len(call.args):
        return None
    part = call.args[position]
    if not isinstance(part, Call) or last_name(part.callee) != _CYCLE or not part.args or not isinstance(part.args[0], Call):
        return None
    numbers = part.args[0]
    return _Index(None, 0, added) if _is_range(numbers) and len(numbers.args) == 1 else None


def _is_one(program: Program, window: Term, step: Event) -> bool:
    """Whether a window is one batch, as far as anybody can see."""
    values = program.values(window, step.tests[-1][2] if step.tests else step.frame)
    return bool(values) and all(isinstance(v, Other) and isinstance(v.term, Const) and v.term.value in (0, 1) for v in values)


def _is_flushed(program: Program, found: Round, step: Event) -> bool:
    """Whether something behind the loop may step the optimizer once more."""
    assert found.loop is not None
    function, loop = found.frame.function, found.loop
    behind = tuple(node for node in calls_of(function) if before(function, loop, node) and not within(function, loop, node))
    walking = Ways(program, program.ask(Rounds).recognizer)
    try:
        walking.through(behind, found.frame)
    except TooMany:
        return True
    asked = program.ask(Things)
    for event in walking.all.values():
        if event.kind == "step":
            if event.thing is None or step.thing is None or asked.same(event.thing, step.thing) is not False:
                return True
        elif event.may_change(program, step.thing):
            return True
    return False


def _is_fitted(found: Round, index: _Index, window: Term) -> bool:
    """Whether the number of batches is made to fit: the loop or a test asks for the rest of a length, or numbers the windows."""
    tests = [node.condition for node in of_kind(found.frame.function, If)]
    numbered = [part for test in tests for part in parts_of(test) if isinstance(part, BinOp) and part.op == "FloorDiv"]
    if any(part.right is window and _index(part.left, found) == index._replace(added=0) for part in numbered):
        return True
    assert found.loop is not None
    return any(_lengths(found, [*tests, found.loop.subject]))


def _lengths(found: Round, terms: list[Term]) -> Iterator[bool]:
    """Of each thing that is divided in these terms, with or without a rest, whether it is made of a length."""
    rests = (part for part in parts_of(*terms) if isinstance(part, BinOp) and part.op in ("Mod", "FloorDiv"))
    # The index has a length in it where the loop goes over ``tqdm(enumerate(loader), total=len(loader))``.
    divided = (part.left for part in rests if _index(part.left, found) is None)
    return (any(is_call_of(each, _LENGTH) for each in parts_of(term)) for term in divided)


def _code(found: Round, index: _Index, window: Term) -> str | None:
    """The condition with the last batch as another reason for a step."""
    assert found.loop is not None
    if index.loader is None:
        return None
    loader = name_in(index.loader, found.frame.function)
    size = name_in(window, found.frame.function, constants=True)
    if loader is None or size is None or not found.loop.names:
        return None
    name = found.loop.names[0]
    number = name if index.start == 1 else f"{name} + 1"
    counted = name if index.start == 1 else f"({name} + 1)"
    return f"{counted} % {size} == 0 or {number} == len({loader})"
