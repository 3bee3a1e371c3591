"""Which handler of a ``try`` catches an error, by its class."""

from __future__ import annotations

import builtins

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made, Value
from trainlint.ir.nodes import Term, Tuple
from trainlint.ir.sketch import Try

_BUILTIN = "builtins."


def catcher(program: Program, attempt: Try, frame: Frame, error: Term, at: Frame) -> int | None:
    """The number of the handler that catches an error raised in ``at``; -1 for none of them, None where that is not known."""
    raised = _classes(program, error, at)
    if len(raised) != 1 or len(attempt.caught) < len(attempt.handlers):
        return None
    for index, caught in enumerate(attempt.caught):
        if caught.kinds is None:
            return index
        kinds = caught.kinds.items if isinstance(caught.kinds, Tuple) else (caught.kinds,)
        for kind in kinds:
            known = _classes(program, kind, frame)
            fits = [_is_kind(program, raised[0], one) for one in known]
            if True in fits:
                return index
            if not fits or None in fits:
                return None
    return -1


def _classes(program: Program, term: Term, frame: Frame) -> list[ClassValue | Library]:
    """The classes that a term names, or is an object of."""
    found: list[ClassValue | Library] = []
    for value in program.values(term, frame):
        cls = _class_of(value)
        if cls is None:
            return []
        found.append(cls)
    return found


def _class_of(value: Value) -> ClassValue | Library | None:
    if isinstance(value, (ClassValue, Library)):
        return value
    if isinstance(value, Instance):
        return ClassValue(value.module, value.cls)
    return Library(value.name) if isinstance(value, Made) else None


def _is_kind(program: Program, raised: ClassValue | Library, kind: ClassValue | Library) -> bool | None:
    """Whether an error of one class is one of the other; None where that is not known."""
    lineage: tuple[ClassValue | Library, ...] = program.lineage(raised) if isinstance(raised, ClassValue) else (raised,)
    unknown = False
    for cls in (raised, *lineage):
        if cls == kind:
            return True
        if isinstance(cls, Library):
            derived = _is_builtin(cls, kind)
            if derived:
                return True
            unknown = unknown or derived is None
    return None if unknown else False


def _is_builtin(raised: Library, kind: ClassValue | Library) -> bool | None:
    if isinstance(kind, ClassValue):
        return False if raised.name.startswith(_BUILTIN) else None
    one, other = (getattr(builtins, name.name.removeprefix(_BUILTIN), None) for name in (raised, kind))
    if isinstance(one, type) and isinstance(other, type):
        return issubclass(one, other)
    return None
