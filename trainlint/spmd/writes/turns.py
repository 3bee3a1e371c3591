"""Who comes first: whether something was done by some ranks alone before all of them come to a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.communication import Communication
from trainlint.facts.files.operations import Operations
from trainlint.facts.program import calls_of
from trainlint.facts.values import Frame, FunctionValue, Library
from trainlint.ir.nodes import Call
from trainlint.ir.order import before
from trainlint.spmd.writes.reach import Reaching

if TYPE_CHECKING:
    from trainlint.facts.program import Program


def prepared(program: Program, call: Call, frame: Frame) -> bool:
    """Whether some ranks alone wait, write or run a function of the project before a call, in its function or its callers.

    ``if rank != 0: barrier()`` lets rank 0 in first; and what rank 0 has fetched before, the others find there.
    """
    current: Frame | None = frame
    asked: Call | None = call
    while current is not None and asked is not None:
        for node in calls_of(current.function):
            if (
                before(current.function, node, asked)
                and not all(program.ask(Reaching).reach(node.term, current).ranks)
                and _matters(program, node.term, current)
            ):
                return True
        asked, current = current.call, current.caller
    return False


def _matters(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a call lets the others wait, does something with files, or may do either out of sight."""
    if program.ask(Operations).of(call, frame) is not None:
        return True
    talks = program.ask(Communication)
    return any(
        isinstance(target, FunctionValue) or (isinstance(target, Library) and talks.collective(target))
        for target in program.ask(CallGraph).targets(call, frame)
    )
