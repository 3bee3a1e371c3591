"""What the files of a job speak of, and what libraries call without being asked."""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue
from trainlint.ir.nodes import Attr, Global, Nested, Ref
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.preflight.values.methods import calls_nothing
from trainlint.preflight.values.words import handed


def spoken(program: Program, files: Iterable[str]) -> frozenset[str | None]:
    """The names of what is called or handed on anywhere in files."""
    called = [call.term for path in files for each in program.modules[path].functions.values() for call in calls_of(each)]
    return frozenset(
        last_name(part)
        for call in called
        for part in (call.callee, *parts_of(*handed(call)))
        if isinstance(part, (Global, Ref, Nested, Attr))
    )


def is_hook(program: Program, path: str, function: Function) -> bool:
    """Whether a method belongs to a class that is derived from one of a library, other than a plain module."""
    cls = program.modules[path].classes.get(function.cls) if function.cls is not None else None
    return cls is not None and not calls_nothing(program, program.lineage(ClassValue(path, cls)))
