"""Tests of software: what they do is there to be compared, not to train anything."""

from __future__ import annotations

from trainlint.facts.components import imported
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Library
from trainlint.model.sketch import Function

#: How pytest finds tests, by the names of files and of functions.
_TEST = "test_"


def tests_software(program: Program, module: str, function: Function) -> bool:
    """Whether a function belongs to tests: a method of a class of tests, a test by its name, or anything beside such in a file.

    Evaluation scripts are called ``test_net.py``, too: a file of tests has a class of tests, or functions that are called so.
    """
    if _compares(program, module, function.cls):
        return True
    if not module.rpartition("/")[2].startswith(_TEST):
        return False
    if function.qualname.partition(".")[0].lstrip("_").startswith(_TEST):
        return True
    sketch = program.modules[module]
    cls = sketch.classes.get(function.cls or "")
    if cls is not None and any(name.startswith(_TEST) for name in cls.methods):
        return True
    named = any(dotted.partition(".")[0] in program.knowledge.test_packages for dotted in imported(sketch))
    return named and any(
        each.name.startswith(_TEST) or _compares(program, module, each.cls) for each in sketch.functions.values()
    )


def _compares(program: Program, module: str, name: str | None) -> bool:
    cls = program.modules[module].classes.get(name or "")
    above = program.lineage(ClassValue(module, cls)) if cls is not None else ()
    return any(isinstance(each, Library) and each.name.rpartition(".")[2] in program.knowledge.comparing for each in above)
