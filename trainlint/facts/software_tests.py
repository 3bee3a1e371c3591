"""Tests of software: what they do is there to be compared, not to train anything."""

from __future__ import annotations

from trainlint.facts.components import imported
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Library
from trainlint.model.sketch import Function

#: How pytest finds tests, by the names of files and of functions.
_TEST = "test_"


def tests_software(program: Program, module: str, function: Function) -> bool:
    """Whether a function belongs to tests: a method of a class of tests, or in a file of them.

    Evaluation scripts are called ``test_net.py``, too: a file of tests says so by its imports, or by the function's name.
    """
    if module.rpartition("/")[2].startswith(_TEST):
        packages = {dotted.partition(".")[0] for dotted in imported(program.modules[module])}
        if function.qualname.partition(".")[0].lstrip("_").startswith(_TEST) or packages & program.knowledge.test_packages:
            return True
    cls = program.modules[module].classes.get(function.cls or "")
    above = program.lineage(ClassValue(module, cls)) if cls is not None else ()
    return any(isinstance(each, Library) and each.name.rpartition(".")[2] in program.knowledge.comparing for each in above)
