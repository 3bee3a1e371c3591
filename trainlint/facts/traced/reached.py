"""Every function that runs in a trace: those that are traced, and what they call, in any file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.program import Program, calls_of
from trainlint.facts.traced.module_list_calls import model_runs
from trainlint.facts.traced.roots import Root, Roots
from trainlint.facts.values import Frame, FunctionValue, Library
from trainlint.ir.nodes import Nested
from trainlint.ir.sketch import Function

_DEEPEST = 8


class Reached(NamedTuple):
    """A function that runs in a trace, in one activation; ``by`` is the call in ``before`` that runs it, None for the root."""

    module: str
    function: Function
    frame: Frame
    root: Root
    by: CallSite | None = None
    before: Reached | None = None

    def way(self) -> list[CallSite]:
        """The calls from the function that is traced to this one."""
        found: list[CallSite] = []
        step: Reached | None = self
        while step is not None and step.by is not None:
            found.append(step.by)
            step = step.before
        return found[::-1]


def reached(program: Program, words: frozenset[str]) -> dict[int, Reached]:
    """The functions (by id) that something with one of these words traces, each by the shortest way to it."""
    found: dict[int, Reached] = {}
    queue: deque[tuple[Reached, int]] = deque()
    for each in program.ask(Roots).all().values():
        root = next((root for root in each if root.word in words), None)
        if root is not None:
            queue.append((_begin(program, root), 0))
    while queue:
        step, depth = queue.popleft()
        if id(step.function) in found:
            continue
        found[id(step.function)] = step
        if depth < _DEEPEST:
            queue.extend((after, depth + 1) for after in _called(program, step) if id(after.function) not in found)
    return found


def _begin(program: Program, root: Root) -> Reached:
    target = root.target
    alone = program.frame(target.module, target.function)
    frame = alone
    if target.receiver is not None or target.closure is not None:
        receiver = target.receiver if target.receiver is not None else alone.receiver
        frame = Frame(target.module, target.function, receiver=receiver, closure=target.closure or alone.closure, alone=alone)
    return Reached(target.module, target.function, frame, root)


def _called(program: Program, step: Reached) -> Iterator[Reached]:
    """What a function calls, and the functions defined in it that it hands to a library (not those that then run outside)."""
    index = program.ask(CallGraph)
    outside: list[str] = program.knowledge.tables["tracing.outside"]["names"]
    for call in calls_of(step.function):
        site = CallSite(step.module, step.function, call)
        targets = index.targets(call.term, step.frame) or model_runs(program, call.term, step.frame)
        for target in targets:
            if isinstance(target, FunctionValue):
                frame = program.enter(target, call.term, step.frame)
                yield Reached(target.module, target.function, frame, step.root, site, step)
        if any(isinstance(target, Library) and target.name not in outside for target in targets):
            for given in (*call.term.args, *(value for _, value in call.term.kwargs)):
                if isinstance(given, Nested):
                    for value in program.values(given, step.frame):
                        if isinstance(value, FunctionValue):
                            frame = Frame(value.module, value.function, receiver=step.frame.receiver, closure=step.frame)
                            yield Reached(value.module, value.function, frame, step.root, site, step)


__all__ = ["Reached", "reached"]
