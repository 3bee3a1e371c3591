"""Libraries that are the project itself: its examples are read as any code that uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.program.values import ClassValue, Library, Value

if TYPE_CHECKING:
    from trainlint.program.program import Program


def described(program: Program, importer: str, value: Value, name: str) -> Value:
    """What a file of the project gets by an absolute name: the library's class, if the tables describe it, else ``value``."""
    return Library(program.knowledge.canonical(name)) if _is_described(program, importer, value, name) else value


def _is_described(program: Program, importer: str, value: Value, name: str) -> bool:
    """Whether a class of the project is one that the tables describe, imported under that name from outside of its package.

    It is that class if it has most of what the tables say of it, and the tables say much of it: what else it does its code
    tells better.
    """
    known = program.knowledge.methods.get(program.knowledge.canonical(name))
    if known is None or not isinstance(value, ClassValue):
        return False
    top = program.finder.find(importer, name.partition(".")[0])
    if top is None or importer.startswith(top.removesuffix("__init__.py")):
        return False
    own = {name for each in program.lineage(value) if isinstance(each, ClassValue) for name in each.cls.methods}
    public = [name for name in own if not name.startswith("_")]
    return len(known & own) > max(len(known) // 2, len(public) // 3)
