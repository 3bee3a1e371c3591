"""Tests of software: what they do is there to be compared, not to train anything."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Library
from trainlint.model.sketch import Function

#: How pytest finds tests, by the names of files and of functions.
_TEST = "test_"


def tests_software(program: Program, module: str, function: Function) -> bool:
    """Whether a function is a test: a method of a class of tests, or what is called like one in a file of tests."""
    outer = function.qualname.partition(".")[0].lstrip("_")
    if outer.startswith(_TEST) and module.rpartition("/")[2].startswith(_TEST):
        return True
    cls = program.modules[module].classes.get(function.cls or "")
    above = program.lineage(ClassValue(module, cls)) if cls is not None else ()
    return any(isinstance(each, Library) and each.name.rpartition(".")[2] in program.knowledge.comparing for each in above)
