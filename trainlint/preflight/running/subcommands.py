"""Commands: functions that a command line runs by their names, handed to it in a dict or a list, or put there by a decorator."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.components import imported
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, FunctionValue, Instance, Library, Other
from trainlint.ir.nodes import Dict, SequenceDisplay
from trainlint.preflight.known import known

Commands = dict[str, list[FunctionValue]]


def commands(program: Program) -> Commands:
    """The functions that are commands of a command line, by the file that may be started to run them.

    ``CLI({"pretrain": setup})`` runs the one that is named, ``Fire()`` any of its file, ``Fire(Trainer)`` a method.
    """
    found: Commands = {}
    makers = known(program, "commands")
    index = program.ask(CallGraph)
    for site in (
        site for name in dict.fromkeys(each.rpartition(".")[2] for each in makers) for site in index.sites.get(name, ())
    ):
        callees = program.values(site.call.term.callee, program.frame(site.module, site.function))
        if any(isinstance(value, Library) and value.name in makers for value in callees):
            for path, function in _handed(program, site):
                _add(found, path, function)
    for path, function in _decorated(program):
        _add(found, path, function)
    return found


def _add(found: Commands, path: str, value: FunctionValue) -> None:
    kept = found.setdefault(path, [])
    if all(each.function is not value.function for each in kept):
        kept.append(value)


def _handed(program: Program, site: CallSite) -> Iterator[tuple[str, FunctionValue]]:
    """What a command line is made of by a call, each with the file that it makes a script of."""
    term = site.call.term
    if not term.args:
        if not term.kwargs:
            for function in program.modules[site.module].functions.values():
                if function.cls is None and function.outer in (None, "<module>") and not function.name.startswith(("_", "<")):
                    yield site.module, FunctionValue(site.module, function, None)
        return
    for given in program.values(term.args[0], program.frame(site.module, site.function)):
        if isinstance(given, ClassValue | Instance):
            cls = given if isinstance(given, ClassValue) else ClassValue(given.module, given.cls)
            yield from ((site.module, each) for each in _methods(program, cls))
        if not isinstance(given, Other) or not isinstance(given.term, (Dict, SequenceDisplay)):
            continue
        for part in given.term.values:
            for value in program.values(part, given.frame) if part is not None else ():
                if isinstance(value, FunctionValue):
                    yield value.module, FunctionValue(value.module, value.function, None)


def _methods(program: Program, cls: ClassValue) -> Iterator[FunctionValue]:
    """The methods of a class, and of those above it, that a command line can be told to run."""
    seen = set()
    for each in program.lineage(cls):
        for name, qualname in each.cls.methods.items() if isinstance(each, ClassValue) else ():
            if isinstance(each, ClassValue) and name not in seen and (name == "__init__" or not name.startswith("_")):
                seen.add(name)
                yield FunctionValue(each.module, program.modules[each.module].functions[qualname], Instance(cls.module, cls.cls))


def _decorated(program: Program) -> Iterator[tuple[str, FunctionValue]]:
    """The functions that a decorator makes commands: ``@app.command()``, in files that import a library of such command lines."""
    decorators, libraries = known(program, "command-decorators"), known(program, "command-libraries")
    for path, module in program.modules.items():
        if not any(dotted.partition(".")[0] in libraries for dotted in imported(module)):
            continue
        for function in module.functions.values():
            if function.cls is None and any(f".{last_name(each)}" in decorators for each in function.decorators):
                yield path, FunctionValue(path, function, None)
