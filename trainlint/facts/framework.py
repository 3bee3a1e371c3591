"""Who uses the framework that most rules are about: its name is in the tables (``framework``)."""

from __future__ import annotations

from trainlint.facts.components import imported
from trainlint.facts.program import Program
from trainlint.ir.sketch import Module


def framework(program: Program) -> str:
    """Its name, as that of its package and of the versions that a project asks for."""
    name: str = program.knowledge.tables["framework"]["name"]
    return name


def imports_framework(program: Program, module: Module) -> bool:
    """Whether a file imports it at its top level."""
    name = framework(program)
    return any(dotted.partition(".")[0] == name for dotted in imported(module))


def uses_framework(program: Program, path: str) -> bool:
    """Whether the files around a file use it: methods named ``eval`` are others elsewhere."""
    return framework(program) in program.packages(path)
