"""Tests of software: what they do is there to be compared, not to train anything."""

from __future__ import annotations

from trainlint.ir.nodes import Global, Ref
from trainlint.ir.sketch import Exit, Function
from trainlint.ir.walk import statements_of
from trainlint.program.imports import imported
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Library

#: How pytest finds tests, by the names of files and of functions; a method that is all there is; files of Google's naming;
#: what several files of tests share.
_TEST, _ALONE, _BEHIND, _SHARED = "test_", "test", "_test.py", "/conftest.py"


_FAILS = "builtins.AssertionError"
#: Folders of tests, and how far up they are looked for.
_FOLDERS = frozenset(("tests", "test", "testing", "unit_tests"))
_ABOVE = 7


def in_tests(module: str) -> bool:
    """Whether a file lies in a folder of tests: also what it does when it is imported is for these."""
    return any(part.strip("_") in _FOLDERS for part in module.lower().replace("-", "_").split("/")[-_ABOVE:-1])


def is_called_so(name: str) -> bool:
    """Whether a function has the name of a test: ``test_sums``, ``testSums``."""
    return name.startswith(_TEST) or (name.startswith(_ALONE) and name[len(_ALONE) :][:1].isupper())


def tests_software(program: Program, module: str, function: Function) -> bool:
    """Whether a function belongs to tests: a method of a class of tests, a test by its name, or anything beside such in a file.

    In a folder of tests all of a file counts that imports what tests are written with.

    Evaluation scripts are called ``test_net.py``, too, and so are their functions: a file of tests has a class of tests, or
    functions that are called so and end in a check, or that nobody calls there, since that is done by what runs tests.
    """
    sketch = program.modules[module]
    if module.endswith(_SHARED) or (in_tests(module) and _imports_tests(program, module)):
        return True
    whole: Function | None = function
    while whole is not None:
        if _compares(program, module, whole.cls):
            return True
        whole = sketch.functions.get(whole.outer or "")
    begins = module.rpartition("/")[2].startswith(_TEST)
    outermost = function.qualname.partition(".")[0]
    if not begins and not (module.endswith(_BEHIND) and (_imports_tests(program, module) or _checks(program, module, outermost))):
        return False
    if is_called_so(outermost.lstrip("_")) and _is_run(program, module, outermost):
        return True
    cls = sketch.classes.get(function.cls or "")
    if cls is not None and any(name == _ALONE or is_called_so(name) for name in cls.methods):
        return True
    return _imports_tests(program, module) and any(
        each.name == _ALONE or is_called_so(each.name) or _compares(program, module, each.cls)
        for each in sketch.functions.values()
    )


def _checks(program: Program, module: str, name: str) -> bool:
    """Whether something called like a test ends in a check."""
    function = program.modules[module].functions.get(name)
    return function is not None and is_called_so(name) and _ends_in_a_check(function)


def _is_run(program: Program, module: str, name: str) -> bool:
    """Whether something called like a test is run as one: nobody calls it in its file, or it ends in a check."""
    function = program.modules[module].functions.get(name)
    if name not in program.ask_of(_called, module) or _imports_tests(program, module):
        return True
    return function is None or _ends_in_a_check(function)


def _ends_in_a_check(function: Function) -> bool:
    """Whether the last thing that is done is an ``assert``."""
    last = next(reversed(statements_of(function)), None)
    return isinstance(last, Exit) and isinstance(last.error, Ref) and last.error.name == _FAILS


def _called(program: Program, module: str) -> frozenset[str]:
    """The names by which a file calls something of its own top level."""
    functions = program.modules[module].functions.values()
    return frozenset(
        call.term.callee.name for each in functions for call in calls_of(each) if isinstance(call.term.callee, Global)
    )


def _imports_tests(program: Program, module: str) -> bool:
    """Whether a file imports what tests are written with, or has a class of tests (``tf.test.TestCase`` needs no import)."""
    if any(_compares(program, module, cls.qualname) for cls in program.modules[module].classes.values()):
        return True
    return any(not program.knowledge.test_packages.isdisjoint(dotted.split(".")) for dotted in imported(program.modules[module]))


def _compares(program: Program, module: str, name: str | None) -> bool:
    cls = program.modules[module].classes.get(name or "")
    above = program.lineage(ClassValue(module, cls)) if cls is not None else ()
    return any(
        (each.name if isinstance(each, Library) else each.cls.qualname).endswith(tuple(program.knowledge.comparing))
        for each in above
    )
