"""Which of two places runs first, as far as the functions around both say so.

A place is a spot in an activation. The calls that lead there are places of the callers; the two are compared in the innermost
function that leads to both.
"""

from __future__ import annotations

from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.order import before, in_block, is_step, within
from trainlint.ir.sketch import Function, If
from trainlint.ir.walk import ends_early, of_kind
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, Instance


class At(NamedTuple):
    """A place: a spot in an activation."""

    frame: Context
    spot: Spot


def runs_before(program: Program, one: At, other: At) -> bool | None:
    """Whether one place runs before another (in the first round of the loops around both); None when nobody can say.

    False as well if they stand in two arms of a test, or if the way from the one never comes to the other.
    """
    paths, others = path(one), path(other)
    for here in paths:
        for there in others:
            if here.frame.function is there.frame.function:
                return _in_order(here.frame.function, here.spot, there.spot)
    return _made_first(program, paths[-1].frame, others[-1].frame)


def path(place: At) -> list[At]:
    """A place as its function sees it, and as each of the functions that lead there does; innermost first."""
    found = [place]
    frame = place.frame
    while (caller := frame.caller) is not None and (call := frame.call) is not None:
        found.append(At(caller, call.site))
        frame = caller
    return found


def _in_order(function: Function, one: Spot, other: Spot) -> bool | None:
    if one == other or not (is_step(function, one) and is_step(function, other)):
        return None
    if not before(function, one, other):
        return False
    for node in of_kind(function, If):
        for arm in (node.body, node.orelse):
            parts = in_block(function, arm, one) and not in_block(function, arm, other)
            if parts and (within(function, node, other) or ends_early(arm)):
                return False
    return True


def _made_first(program: Program, one: Context, other: Context) -> bool | None:
    """An object's ``__init__`` runs before its other methods, be they of its class or inherited."""
    owners = [frame.receiver for frame in (one, other)]
    names = one.function.name, other.function.name
    if names.count("__init__") != 1 or not all(isinstance(owner, Instance) for owner in owners):
        return None
    first, second = (ClassValue(owner.module, owner.cls) for owner in owners if isinstance(owner, Instance))
    if first not in program.lineage(second) and second not in program.lineage(first):
        return None
    return names[0] == "__init__"
