"""Methods that frameworks run: what classes of a project define in place of a method that a table names.

A table of ``knowledge`` names them by the framework's class: ``lightning.LightningModule.training_step``. A class may also be
derived from the framework's own source, where that is among the files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.ir.sketch import Function
from trainlint.program.naming import names_of_source
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Library


class Overriding(NamedTuple):
    """A method of a class of the project, and the canonical dotted name of the framework's that it stands for."""

    cls: ClassValue
    function: Function
    name: str


def overriding(program: Program, names: Collection[str]) -> Iterator[Overriding]:
    """The methods of the project that stand for one of these (canonical dotted names), each with all names that fit."""
    wanted = {name.rpartition(".")[2] for name in names}
    for path, module in program.modules.items():
        for cls in module.classes.values():
            for method in wanted.intersection(cls.methods):
                found = ClassValue(path, cls)
                for name in stands_for(program, found, method, names):
                    yield Overriding(found, module.functions[cls.methods[method]], name)


def stands_for(program: Program, cls: ClassValue, method: str, names: Collection[str]) -> Iterator[str]:
    """The methods among ``names`` that a class has from its bases, or would have, under the name ``method``."""
    fitting = [name for name in names if name.rpartition(".")[2] == method]
    if not fitting:
        return
    classes = {name.split(".")[-2] for name in fitting}
    roots = frozenset(name.partition(".")[0] for name in fitting)
    for base in program.lineage(cls):
        if base == cls:
            continue
        if isinstance(base, Library):
            candidates: Iterator[str] = iter((base.name,))
        elif base.cls.name in classes:
            candidates = names_of_source(program, base.module, base.cls.qualname, roots)
        else:
            continue
        yield from (f"{name}.{method}" for name in candidates if f"{name}.{method}" in fitting)
