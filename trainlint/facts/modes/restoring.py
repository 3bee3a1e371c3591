"""Where a call could put a model back into training mode, so that a repair can write it there."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.modes.left import Left
from trainlint.facts.program import Program, calls_of
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Ref
from trainlint.ir.order import before, in_block, within
from trainlint.ir.printer import model_in
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop, Statement, Try, With
from trainlint.ir.walk import effects, of_kind

#: Methods of numbers, tensors and texts.
_NUMBERS = frozenset(("item", "mean", "sum", "tolist", "cpu", "numpy", "format"))


class Place(NamedTuple):
    """``where`` is "first" in the block at ``spot``, or "before" or "after" that statement; ``model`` is its name there."""

    where: str
    spot: Spot
    model: str


def place_of(left: Left) -> Place | None:
    """Where the mode could be set back, in the file of the call that set it; None where that is not one simple place."""
    call, frame = left.setting.call, left.setting.frame
    assert call is not None
    assert frame is not None
    assert isinstance(call.term.callee, Attr)
    given = call.term.callee.base
    model = model_in(given, frame.function)
    if model is None:
        return None
    if frame.function is not left.frame.function:
        return _at_end(frame.function, model)
    trains = _holding(frame.function, left.loop.body, _in_function(left, frame.function))
    if trains is None or not within(frame.function, left.loop, call):
        return None
    in_round = isinstance(given, Call) and within(frame.function, left.loop, given)  # the round has the model first
    if before(frame.function, trains, call) and not in_round:
        return Place("first", left.loop.spot, model)
    return Place("before", trains, model)


def model_run(program: Program, call: CallStep, function: Function) -> str | None:
    """The model that a call runs, as it is written there: of ``model.generate(ids)`` its receiver."""
    callee = call.term.callee
    if isinstance(callee, Attr) and callee.name in program.knowledge.runs_model:
        callee = callee.base
    return model_in(callee, function)


def _in_function(left: Left, function: Function) -> Spot:
    """The training pass, or the call in the loop's function that leads to it."""
    frame, spot = left.trains.frame, left.trains.call.term.site
    while frame.function is not function and frame.call is not None and frame.caller is not None:
        spot, frame = frame.call.site, frame.caller
    return Spot(*spot)


def _holding(function: Function, block: Block, spot: Spot) -> Spot | None:
    """The statement of a block that holds a place."""
    return next((_spot(node) for node in block if in_block(function, (node,), spot)), None)


def _spot(node: Statement) -> Spot | None:
    if isinstance(node, CallStep):
        return node.statement
    return node.spot if isinstance(node, (If, Loop, With, Try, Exit)) else None


def _at_end(function: Function, model: str) -> Place | None:
    """The end of a function that has one."""
    exits = [node for node in of_kind(function, Exit) if node.kind == "return"]
    body = effects(function.body)
    if not body or len(exits) > 1 or function.generator:
        return None
    last = body[-1]
    if isinstance(last, Exit):
        runs = any(call.statement == last.spot and _computes(call) for call in calls_of(function))
        return Place("before", last.spot, model) if last.kind == "return" and not runs else None
    spot = _spot(last) if not exits else None
    return Place("after", spot, model) if spot is not None else None


def _computes(call: CallStep) -> bool:
    """Whether a call may run a model."""
    return not isinstance(call.term.callee, Ref) and last_name(call.term.callee) not in _NUMBERS
