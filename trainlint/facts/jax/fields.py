"""Objects that are handed through a trace: which classes JAX takes apart, what is in them, and what a call of a model runs."""

from __future__ import annotations

from typing import Literal

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Value
from trainlint.ir.nodes import Attr, Call, Const, Param, Term


class Fields:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._pytrees = frozenset(tables["tracers.pytrees"]["names"])
        self._kept: list[str] = tables["tracers.kept"]["names"]
        self._models = frozenset(tables["traced.bases"]["names"])

    def of(self, term: Attr, frame: Frame) -> Literal["tree", "static"] | None:
        """What an attribute is of an object that is traced, where its class says so; None where it does not."""
        values = self.program.values(term.base, frame)
        if not any(isinstance(value, (Instance, Made)) for value in values):
            values = self._annotated(term.base, frame)
        found = {self._field(value, term.name) for value in values}
        return found.pop() if len(found) == 1 else None

    def _annotated(self, term: Term, frame: Frame) -> tuple[Value, ...]:
        """An object of the class that a parameter's annotation names."""
        if not isinstance(term, Param):
            return ()
        holder = frame.holder(term.function)
        annotation = holder.function.annotations.get(term.name) if holder is not None else None
        if holder is None or annotation is None:
            return ()
        named = self.program.values(annotation, self.program.frame(holder.module, holder.function))
        return tuple(Instance(value.module, value.cls) for value in named if isinstance(value, ClassValue))

    def _field(self, value: Value, name: str) -> Literal["tree", "static"] | None:
        if not isinstance(value, Instance):
            return None
        lineage = list(self.program.lineage(ClassValue(value.module, value.cls)))
        if not any(self._is_pytree(each) for each in lineage):
            return None
        for each in lineage:
            if isinstance(each, ClassValue) and name in each.cls.fields:
                default = each.cls.attributes.get(name)
                options = default.kwargs if default is not None and isinstance(default, Call) else ()
                kept = any(option in self._kept and isinstance(said, Const) and said.value is False for option, said in options)
                return "static" if kept else "tree"
        return None

    def _is_pytree(self, each: ClassValue | Library) -> bool:
        if isinstance(each, Library):
            return each.name in self._pytrees
        functions = self.program.modules[each.module].functions
        frame = self.program.frame(each.module, functions["<module>"])
        values = [value for decorator in each.cls.decorators for value in self.program.values(decorator, frame)]
        return any(isinstance(value, (Library, Made)) and value.name in self._pytrees for value in values)

    def is_model(self, value: ClassValue | Instance) -> bool:
        """Whether a class makes models, whose methods run in traces."""
        above = self.program.lineage(ClassValue(value.module, value.cls))
        return any(isinstance(each, Library) and each.name in self._models for each in above)

    def called(self, value: Value) -> list[FunctionValue]:
        """What a call of an object runs."""
        if not isinstance(value, Instance):
            return []
        method = self.program.method(ClassValue(value.module, value.cls), "__call__")
        return [FunctionValue(method[0], method[1], value)] if method is not None else []


__all__ = ["Fields"]
