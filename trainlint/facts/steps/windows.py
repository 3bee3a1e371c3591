"""Gradients that are summed over a window of batches whose loss nobody divides by the window's size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, called, last_name
from trainlint.facts.program import Program
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.objects import Things
from trainlint.facts.steps.rounds import Round, Rounds
from trainlint.facts.values import Bound, Frame, FunctionValue, Made, Other
from trainlint.ir.control_dependence import meet
from trainlint.ir.nodes import (
    NAMES,
    Access,
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Element,
    Entered,
    Global,
    Kwargs,
    LoopPhi,
    Not,
    Or,
    Param,
    Select,
    Term,
    Unknown,
)
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Loop
from trainlint.ir.terms import parts_of

_DEEPEST = 10
_DEEPEST_CALL = 3
#: Backward passes whose loss is the program's own to divide.
_OWN = ("plain", "scaled")
_SUM = "sum"
#: Parts of the names by which people call what they do here.
_WINDOW = ("accum", "micro")


class Undivided(NamedTuple):
    """A backward pass of each batch of a window, of the loss as it is; ``code`` is the call as it should be.

    ``sure``: not so where the loss is multiplied by something else under a condition.
    """

    backward: Event
    step: Event
    window: str | None
    code: str | None
    sure: bool = True


def undivided(program: Program) -> Iterator[Undivided]:
    """The backward passes in windows whose loss nobody divides."""
    seen: set[tuple[str, Term]] = set()
    for found in program.ask(Rounds).around("step", "backward", "clear", "step"):
        passes = found.of_kind("backward")
        if not all(_is_own(event) for event in passes):
            continue
        for backward in passes:
            for step in found.own_steps():
                window = window_of(program, found, backward, step)
                loss = _loss(backward)
                if window is None or loss is None or (backward.frame.module, backward.term) in seen:
                    continue
                if found.may_be_changed(program, step.thing):
                    continue
                shares = _Shares(program, window)
                if _size(program, window, backward.frame) and not shares.of(loss, backward.frame):
                    seen.add((backward.frame.module, backward.term))
                    named, code = name_in(window, backward.frame.function, constants=True), _divided(backward, loss, window)
                    yield Undivided(backward, step, named, code, not shares.weighed)


def _is_own(backward: Event) -> bool:
    """Whether the loss is the program's to divide. Fabric only runs the backward pass; the other frameworks know of windows."""
    if backward.way == "framework" and backward.thing is not None:
        return backward.thing.kind == "fabric"
    return backward.way in _OWN


def window_of(program: Program, found: Round, backward: Event, step: Event) -> Term | None:
    """How many batches make a step, where the gradients of all of them are summed; None where that is not to be seen."""
    if step.thing is None or step.thing.kind != "optimizer" or step.way == "closure":
        return None
    if not meet(tuple(_tests(step)), tuple(_tests(backward))):
        return None  # two that take turns: no round has both
    clears = [clear for clear in _own_clears(found) if clear.thing is None or _may_be(program, clear, step)]
    around = _around(program, step)
    if backward.inner == around:
        more = [(test, arm) for test, arm, _ in step.tests if (test, arm) not in _tests(backward)]
        counted = [window for test, arm in more if (window := counted_window(test, arm)) is not None]
        # Gradients are summed only if they are emptied when the step is made, and at no other time.
        if (
            len(counted) == 1
            and clears
            and all(set(more) <= _tests(clear) and _around(program, clear) == around for clear in clears)
        ):
            return counted[0]
        return None
    if backward.inner[:-1] == around and all(_around(program, clear) == around for clear in clears) and clears:
        return _of_micro_batches(backward.inner[-1])
    return None


def _own_clears(found: Round) -> list[Event]:
    """What empties gradients in a round, without what an optimizer's own `zero_grad` does for that."""
    clears = found.of_kind("clear")
    terms = {clear.term for clear in clears}
    return [clear for clear in clears if not any(node.term in terms for node, _ in clear.chain)]


def _may_be(program: Program, clear: Event, step: Event) -> bool:
    assert clear.thing is not None
    assert step.thing is not None
    return clear.thing.kind != "optimizer" or program.ask(Things).same(clear.thing, step.thing) is not False


def _tests(event: Event) -> set[tuple[Term, bool]]:
    return {(test, arm) for test, arm, _ in event.tests}


def _around(program: Program, event: Event) -> tuple[Loop, ...]:
    """The loops around a part of a step, without one that only goes over several optimizers."""
    inner = event.inner
    while inner and program.ask(Things).of(inner[-1].subject, event.frame).kind == "optimizer":
        inner = inner[:-1]
    return inner


def counted_window(test: Term, arm: bool = True) -> Term | None:
    """The window of ``(i + 1) % window == 0``, alone or as one of several reasons for a step; or of the test for the rest."""
    while isinstance(test, Not):
        test, arm = test.operand, not arm
    if isinstance(test, Or if arm else And):
        windows = [window for part in test.operands if (window := counted_window(part, arm)) is not None]
        return windows[0] if len(windows) == 1 else None
    rest = test.left if isinstance(test, Compare) and test.op == ("Eq" if arm else "NotEq") else test if not arm else None
    return rest.right if isinstance(rest, BinOp) and rest.op == "Mod" else None


def _of_micro_batches(loop: Loop) -> Term | None:
    """The number in ``for micro_step in range(accumulation)``: by a name, since loops over other things sum losses on purpose."""
    subject = loop.subject
    if not isinstance(subject, Call) or last_name(subject.callee) != "range" or len(subject.args) != 1:
        return None
    window: Term = subject.args[0]
    names = [*loop.names]
    names += [called(part) for part in parts_of(window) if isinstance(part, NAMES)]
    return window if any(word in name.lower() for name in names for word in _WINDOW) else None


def _size(program: Program, window: Term, frame: Frame) -> bool:
    """Whether a window may hold several batches."""
    values = program.values(window, frame)
    return not all(isinstance(v, Other) and isinstance(v.term, Const) and v.term.value in (0, 1) for v in values)


def _loss(backward: Event) -> Term | None:
    """What is differentiated, before it is scaled."""
    call = backward.call
    if backward.way == "framework":
        return call.args[0] if call.args else None
    loss: Term | None = call.callee.base if isinstance(call.callee, Attr) and not call.args else None
    if backward.way == "scaled":
        return loss.args[0] if isinstance(loss, Call) and loss.args else None
    return loss


class _Shares:
    """Whether a loss is a share of something; doubt counts as yes."""

    def __init__(self, program: Program, window: Term) -> None:
        self.program = program
        self.window = window
        #: Whether a loss is multiplied by something in some cases, and in others not.
        self.weighed = False

    def of(self, loss: Term, frame: Frame, depth: int = 0, calls: int = 0) -> bool:
        if depth > _DEEPEST or isinstance(loss, (LoopPhi, Unknown, Entered, Element, Kwargs, Global)):
            return True
        if isinstance(loss, BinOp):
            return loss.op not in ("Add", "Sub") or any(self.of(part, frame, depth + 1, calls) for part in loss.sides)
        if isinstance(loss, Select):
            shares = [part for part in loss.arms if self.of(part, frame, depth + 1, calls)]
            self.weighed = self.weighed or (len(shares) == 1 and self._is_weighed(shares[0]))
            return bool(shares) and not self.weighed
        if isinstance(loss, Param):
            bound = frame.given(loss)
            return not isinstance(bound, Bound) or self.of(bound.term, bound.frame, depth + 1, calls)
        if isinstance(loss, Access):
            return self.of(loss.base, frame, depth + 1, calls)
        return not isinstance(loss, Call) or self._call(loss, frame, depth, calls)

    def _is_weighed(self, share: Term) -> bool:
        """Whether a loss is multiplied, by something that has nothing to do with the window."""
        return isinstance(share, BinOp) and share.op == "Mult" and not any(part is self.window for part in parts_of(share))

    def _call(self, call: Call, frame: Frame, depth: int, calls: int) -> bool:
        """A loss that is computed: by a tensor's method, a function of the project, a criterion or a model."""
        name = last_name(call.callee) or ""
        given = (*call.args, *(value for _, value in call.kwargs))
        if name in ("div", "div_", "mul", "mul_", _SUM) or any(part is self.window for each in given for part in parts_of(each)):
            return True
        if _reduces_otherwise(call):
            return True
        if isinstance(call.callee, Attr) and name in self.program.knowledge.tensor_methods:
            return self.of(call.callee.base, frame, depth + 1, calls)
        targets = self.program.ask(CallGraph).targets(call, frame)
        for value in (*targets, *(each for each in self.program.values(call.callee, frame) if isinstance(each, Made))):
            if isinstance(value, FunctionValue):
                if calls >= _DEEPEST_CALL or value.function.generator or frame.runs(value.function):
                    return True
                inner = self.program.enter(value, call, frame)
                returned = self.program.returns(value.function)
                if not returned or any(self.of(each, inner, depth + 1, calls + 1) for each in returned):
                    return True
            elif isinstance(value, Made) and value.call is not None and _reduces_otherwise(value.call):
                return True
        return False


def _reduces_otherwise(call: Call) -> bool:
    """Whether a loss is told to reduce in another way than to the mean: ``reduction="sum"``."""
    return any(name == "reduction" and not (isinstance(value, Const) and value.value == "mean") for name, value in call.kwargs)


def _divided(backward: Event, loss: Term, window: Term) -> str | None:
    """The backward pass of a share of the loss."""
    function, call = backward.frame.function, backward.call
    name, size = name_in(loss, function), name_in(window, function, constants=True)
    if name is None or size is None or call.args or call.kwargs or not isinstance(call.callee, Attr):
        return None
    if backward.way == "scaled":
        scales = call.callee.base
        if not isinstance(scales, Call) or not isinstance(scales.callee, Attr):
            return None
        scaler = name_in(scales.callee.base, function)
        return f"{scaler}.{scales.callee.name}({name} / {size}).{call.callee.name}()" if scaler is not None else None
    return f"({name} / {size}).{call.callee.name}()"
