"""Which classes of the project make modules: layers and models, whose objects have weights and a training mode."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Instance, Library
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import Function


def is_module(program: Program, value: ClassValue | Instance) -> bool:
    """Whether a class is derived from a module of a library (table ``modules``), as far as its bases are in sight."""
    cls = ClassValue(value.module, value.cls)
    return any(isinstance(each, Library) and each.name in program.knowledge.module_bases for each in program.lineage(cls))


def is_no_module(program: Program, value: ClassValue | Instance) -> bool:
    """Whether a class surely makes no modules: all it is derived from is in sight, or nothing of the kind (``plain_bases``)."""
    for each in program.lineage(ClassValue(value.module, value.cls)):
        if isinstance(each, Library):
            if each.name not in program.knowledge.plain_bases:
                return False
        elif len(program.bases(each)) < len(each.cls.bases):
            return False
    return True


def of_module(program: Program, path: str, function: Function) -> bool:
    """Whether a function is a method of such a class."""
    cls = program.modules[path].classes.get(function.cls or "")
    return cls is not None and is_module(program, ClassValue(path, cls))


def model_of(program: Program, call: Call) -> Term:
    """What runs in a call of a model: ``net`` in ``net(x)`` and in ``net.forward(x)``."""
    callee: Term = call.callee
    return callee.base if isinstance(callee, Attr) and callee.name in program.knowledge.runs_model else callee
