"""Whether a model has buffers: what it keeps beside its parameters, such as the running mean of a batch norm.

DDP sends the buffers of rank 0 to the others at the start of a forward pass (torch 2.13, ``broadcast_buffers=True``).
"""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import Attr, Call, Const, Term
from trainlint.ir.sketch import Function

#: Functions that are read for one model, and steps from a wrapper to what it wraps.
_MOST, _DEEPEST = 60, 6


class Buffers:
    """Answers for one program. "No" means that none was seen."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: CallGraph = program.ask(CallGraph)
        self._classes: dict[int, bool] = {}

    def held(self, model: Term, frame: Frame) -> bool:
        """Whether a model, or what it wraps, is seen to have buffers that are sent."""
        return self._all(model, frame, _DEEPEST)

    def _all(self, term: Term, frame: Frame, depth: int) -> bool:
        """Whether whatever a term may be has buffers: a factory of many models may make one that has none."""
        values = self.program.values(term, frame)
        return bool(values) and all(self._of_value(value, depth) for value in values)

    def _of_value(self, value: Value, depth: int) -> bool:
        if isinstance(value, Instance):
            return self._of_class(ClassValue(value.module, value.cls))
        if isinstance(value, Other):
            term = value.term
            if (
                depth == 0
                or not isinstance(term, Call)
                or not isinstance(term.callee, Attr)
                or term.callee.name not in self.program.knowledge.fluent
            ):
                return False
            return self._all(term.callee.base, value.frame, depth - 1)
        if not isinstance(value, Made) or value.call is None or value.frame is None or depth == 0:
            return False
        knowledge = self.program.knowledge
        if self._known(value.name):
            return True
        call = value.call
        switch = knowledge.without_buffers.get(value.name)
        if switch is not None and any(
            name == switch and not (isinstance(given, Const) and given.value is True) for name, given in call.kwargs
        ):
            return False
        inner = call.callee.base if isinstance(call.callee, Attr) and call.callee.name in knowledge.fluent else None
        wrapped = [inner] if inner is not None else list(call.args)
        wrapped += [given for name, given in call.kwargs if name == "module"]
        return any(self._all(part, value.frame, depth - 1) for part in wrapped)

    def _known(self, name: str) -> bool:
        return name in self.program.knowledge.buffered or name.rpartition(".")[0] in self.program.knowledge.buffered

    def _of_class(self, cls: ClassValue) -> bool:
        key = id(cls.cls)
        if key not in self._classes:
            self._classes[key] = False
            self._classes[key] = self._makes_some(cls)
        return self._classes[key]

    def _makes_some(self, cls: ClassValue) -> bool:
        """Whether the constructor of a class, or what it calls and makes, makes a buffer or a layer with one."""
        start = self.program.method(cls, "__init__")
        queue: list[tuple[str, Function]] = [start] if start is not None else []
        seen: set[int] = set()
        while queue and len(seen) < _MOST:
            module, function = queue.pop(0)
            if id(function) in seen:
                continue
            seen.add(id(function))
            frame = self.program.frame(module, function)
            for node in calls_of(function):
                callee = node.term.callee
                if isinstance(callee, Attr) and callee.name in self.program.knowledge.buffer_makers:
                    return True
                for target in self.index.targets(node.term, frame):
                    if isinstance(target, Library) and self._known(target.name):
                        return True
                    if isinstance(target, FunctionValue):
                        queue.append((target.module, target.function))
        return False
