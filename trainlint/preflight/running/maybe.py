"""Which functions of a job's files may run, though nothing is seen to come to them: asked by their names alone."""

from __future__ import annotations

from collections.abc import Callable, Container

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program, calls_of
from trainlint.ir.nodes import Attr, Call, Global, Nested, NestedClass, Ref
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.preflight.known import known
from trainlint.preflight.running.named import names
from trainlint.preflight.running.spoken import is_hook
from trainlint.preflight.values.words import handed


def may_run(
    program: Program, files: frozenset[str], run: Container[int], is_used: Callable[[str, Function], bool]
) -> frozenset[int]:
    """The functions (by id) that may run: by their names, from what does ``run``, from hooks, and from what decorators take up.

    ``is_used`` says of a function within another one whether that speaks of it.
    """
    by_name: dict[str, list[tuple[str, Function]]] = {}
    waiting: list[tuple[str, Function]] = []
    for path in sorted(files):
        for function in program.modules[path].functions.values():
            if id(function) in run or function.decorators or is_hook(program, path, function):
                waiting.append((path, function))
            by_name.setdefault(_called(function), []).append((path, function))
    found = {id(function) for _, function in waiting}
    while waiting:
        path, function = waiting.pop()
        if any(_is_by_name(program, path, function, call.term) for call in calls_of(function)):
            return frozenset(id(each) for path in files for each in program.modules[path].functions.values())
        mentioned = {
            (last_name(part), isinstance(part, Attr) and not isinstance(part.base, (Ref, Global)))
            for call in calls_of(function)
            for part in (call.term.callee, *parts_of(*handed(call.term)))
            if isinstance(part, (Global, Ref, Nested, NestedClass, Attr))
        }
        for inner in program.modules[path].functions.values():
            if inner.outer == function.qualname and is_used(path, inner):
                mentioned.add((inner.name, False))
        for called, of_something in mentioned:
            for other in by_name.get(called or "", ()):
                if id(other[1]) not in found and (other[1].cls is not None or not of_something):
                    found.add(id(other[1]))
                    waiting.append(other)
    return frozenset(found)


def _called(function: Function) -> str:
    """The name by which a function is called: a constructor by that of its class."""
    return function.cls.rpartition(".")[2] if function.name == "__init__" and function.cls is not None else function.name


def _is_by_name(program: Program, path: str, function: Function, call: Call) -> bool:
    """Whether a call finds something by a name that stands elsewhere."""
    return last_name(call.callee) in known(program, "finds-by-name") and not program.ask(names).is_settled(path, function, call)
