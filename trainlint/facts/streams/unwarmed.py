"""Captures of what has never run: the first run of a model makes things (handles, workspaces, gradients) that none may hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.streams.captured import Capture, captures
from trainlint.facts.streams.contexts import Contexts
from trainlint.facts.values import Frame, Library
from trainlint.finding import Applicability
from trainlint.ir.bindings import bindings
from trainlint.ir.nodes import Attr, Call, Const, Global, LoopPhi, Param, Ref
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import walk
from trainlint.sites.changes import Change, InsertBefore


class Unwarmed(NamedTuple):
    """A capture of something that nothing around has run before; the change shows that done."""

    capture: Capture
    change: Change | None


def unwarmed(program: Program) -> Iterator[Unwarmed]:
    """Each capture of something that nothing around has ever run before, and nobody says that it has."""
    asked = program.ask(Contexts)
    words = program.knowledge.tables["cuda_streams.warms"]["names"]
    every = list(captures(program))
    for capture in every:
        sketch = program.modules[capture.module]
        inside = [node for node in walk(capture.block.body) if isinstance(node, CallStep)]
        captured = {last_name(node.term.callee) for node in inside} - {None}
        frame = program.frame(capture.module, capture.function)
        computes = [node for node in inside if _may_compute(program, node.term, frame)]
        if not computes:
            continue
        blocks = [each.block for each in every if each.module == capture.module]
        around = list(sketch.functions.values())
        inner = {node.term.site for block in blocks for node in walk(block.body) if isinstance(node, CallStep)}
        others = [node for function in around for node in calls_of(function) if node.term.site not in inner]
        if any(last_name(node.term.callee) in captured and _may_compute(program, node.term, frame) for node in others):
            continue
        if any(asked.beside(capture.module, function) for function in around):
            continue
        callers = [site.function for site in program.ask(CallGraph).callers(capture.function)]
        if any(_speaks(function, words) for function in (*around, *callers)):
            continue
        yield Unwarmed(capture, _warmed(program, capture, computes))


def _may_compute(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a call may run a model: it is one of the project, or of something that nobody knows."""
    values = program.values(call.callee, frame)
    return not values or any(not isinstance(value, Library) for value in values) or isinstance(call.callee, Attr)


def _speaks(function: Function, words: list[str]) -> bool:
    """Whether a function, or a name in it, says that something is warmed up."""
    if any(word in function.qualname.lower() for word in words):
        return True
    for node in calls_of(function):
        for part in parts_of(node.term):
            if isinstance(part, (Attr, Param, Global, Ref, Const, LoopPhi)) and any(
                word in str(part.parts).lower() for word in words
            ):
                return True
    names = (*(name for name, _ in bindings(function)), *function.parameters)
    return any(word in name.lower() for name in names for word in words)


def _warmed(program: Program, capture: Capture, computes: list[CallStep]) -> Change | None:
    """Run before, three times, in a stream of its own: where the block does one thing that can be written once more."""
    call = computes[-1].term
    function, module = capture.function, program.modules[capture.module]
    parts = [name_in(part, function) for part in (call.callee, *call.args)]
    name = program.knowledge.tables["cuda_streams.library"]["name"]
    library = reference(name, module)
    inside = [node for node in walk(capture.block.body) if not isinstance(node, CallStep)]
    if None in parts or call.kwargs or library is None or len(computes) != 1 or inside:
        return None
    run = f"{parts[0]}({', '.join(str(part) for part in parts[1:])})"
    lines = (
        f"side_stream = {library}.Stream()",
        f"side_stream.wait_stream({library}.current_stream())",
        f"with {library}.stream(side_stream):",
        "    for _ in range(3):",
        f"        {run}",
        f"{library}.current_stream().wait_stream(side_stream)",
    )
    message = "Run it a few times before, in a stream of its own"
    return InsertBefore(Applicability.DISPLAY, message, statement=capture.block.spot, code="\n".join(lines))


__all__ = ["Unwarmed", "unwarmed"]
