"""The options of functions and classes that are bound to the command line: ``@bind()`` makes options of their parameters.

``Net = bind(Net)`` makes ``--Net.width``, ``@bind(without_prefix=True)`` makes ``--width``, ``bind(Loader, "train")`` makes
``--train/Loader.workers``, too. Only what has a default is an option; a file that the line names may say it as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Library
from trainlint.ir.nodes import Call, Const, Term
from trainlint.preflight.known import known

#: What says that options are called as the parameters are.
_BARE = "without_prefix"
_START = "__init__"


def bound(program: Program) -> Iterator[tuple[str, FunctionValue]]:
    """What options begin with (``""``, or ``Net.``), and the function whose parameters they are."""
    wanted = known(program, "binds-parameters")
    index = program.ask(CallGraph)
    for last in sorted({each.rpartition(".")[2] for each in wanted}):
        for site in index.sites.get(last, ()):  # of a decorator, the first thing that it is handed is a text, if any
            frame = program.frame(site.module, site.function)
            if _binds(program, site.call.term.callee, frame, wanted):
                for value in program.values(site.call.term.args[0], frame) if site.call.term.args else ():
                    found = _function(program, value)
                    if found is not None:
                        name = value.cls.name if isinstance(value, ClassValue) else found.function.name
                        yield _before(site.call.term, name), found
    for path, function in program.functions():
        for decorator in function.decorators:
            callee = decorator.callee if isinstance(decorator, Call) else decorator
            top = program.frame(path, program.modules[path].functions["<module>"])
            if function.cls is None and _binds(program, callee, top, wanted):
                yield _before(decorator, function.name), FunctionValue(path, function)


def _binds(program: Program, callee: Term, frame: Frame, wanted: Iterable[str]) -> bool:
    """Whether a callee binds what it is handed."""
    return any(isinstance(each, Library) and each.name in wanted for each in program.values(callee, frame))


def _function(program: Program, value: object) -> FunctionValue | None:
    """The function that a bound value runs: of a class, what makes an object of it."""
    if isinstance(value, ClassValue):
        found = program.method(value, _START)
        return None if found is None else FunctionValue(*found)
    return value if isinstance(value, FunctionValue) else None


def _before(call: Term, name: str) -> str:
    """What stands before the names of the parameters."""
    given = dict(call.kwargs).get(_BARE) if isinstance(call, Call) else None
    return "" if given is not None and isinstance(given, Const) and given.value else f"{name}."
