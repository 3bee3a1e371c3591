"""What a run is given from outside: options of the command line, and variables that a program sets for its own process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, Ref, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep
from trainlint.ir.terms import dotted_name
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.consteval import constant
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context


def declarations(program: Program) -> Iterator[CallSite]:
    """The calls that declare an option of a command line."""
    for name in program.knowledge.tables["options"]["declares"]:
        yield from program.ask(CallGraph).sites.get(name, ())


def defaults_of(program: Program, name: str, module: str) -> set[object]:
    """The defaults of the options of this name in the files that belong together with a file; None for what is no constant."""
    return {None if given is None else _constant(given.term) for given in declared(program, name, module)}


def declared(program: Program, name: str, module: str) -> list[Argument | None]:
    """What is written as the default of each option of this name, in the files that belong together with a file."""
    return [given for where, given in program.ask(_declared).get(name, ()) if program.together(where, module)]


def _declared(program: Program) -> dict[str, list[tuple[str, Argument | None]]]:
    """By the names of options: the files in which they are declared, each with the default."""
    found: dict[str, list[tuple[str, Argument | None]]] = {}
    for site in declarations(program):
        given = dict(site.call.term.kwargs)
        term = given.get("default")
        default = None if term is None else Argument(term, program.frame(site.module, site.function))
        for name in names_of(site.call.term.args, given.get("dest")):
            found.setdefault(name, []).append((site.module, default))
    return found


def names_of(words: Iterable[Term], destination: Term | None) -> set[str]:
    """The names that an option has once it is parsed."""
    if destination is not None and isinstance(destination, Const):
        return {str(destination.value)}
    return {
        str(each.value).lstrip("-").replace("-", "_") for each in words if isinstance(each, Const) and type(each.value) is str
    }


def _constant(term: Term) -> object:
    return term.value if isinstance(term, Const) else None


class Write(NamedTuple):
    """A statement that sets a variable; ``led`` are the tests that lead to it, ``by_call`` says that it is no assignment.

    ``optional``: what stands in the environment already is left as it is. ``alone``: the statement sets nothing else.
    """

    module: str
    function: Function
    name: str
    value: Term
    spot: Spot
    led: Led
    by_call: bool
    optional: bool
    alone: bool = True


def writes(program: Program) -> tuple[Write, ...]:
    """All such statements of a program."""
    return tuple(write for path, function in program.functions() for write in _writes(program, path, function))


def _writes(program: Program, path: str, function: Function) -> Iterator[Write]:
    frame = program.frame(path, function)
    for node, led in walk_tested(function.body) if _may(program, function) else ():
        if isinstance(node, Keep) and node.kind == "Assign":
            target = node.target
            sets = isinstance(target, Subscript) and _is_environment(program, target.base)
            name = _text(program, target.key, frame) if isinstance(target, Subscript) and sets else None
            if name is not None:
                value = constant(program, node.value, frame) or node.value
                yield Write(path, function, name, value, node.spot, led, by_call=False, optional=False)
        elif isinstance(node, CallStep):
            found = [
                (name, constant(program, each, frame) or each, more) for name, each, more in _set_by(program, node.term, frame)
            ]
            alone = len(found) == 1 and node.statement == node.term.site
            for name, value, optional in found:
                yield Write(path, function, name, value, node.statement, led, by_call=True, optional=optional, alone=alone)


def _may(program: Program, function: Function) -> bool:
    """Whether a function names the environment at all: most do not, and are not gone through."""
    keeps = any(
        isinstance(node.target, Subscript) and isinstance(node.target.base, (Ref, Attr)) for node in of_kind(function, Keep)
    )
    return keeps or any(
        isinstance(node.term.callee, (Ref, Attr)) and _dotted(program, node.term.callee) for node in of_kind(function, CallStep)
    )


def _is_environment(program: Program, term: Term) -> bool:
    words = program.knowledge.tables["variables"]["environment"]
    return isinstance(term, Ref) and program.knowledge.canonical(term.name) in words


def _dotted(program: Program, callee: Term) -> str | None:
    """The dotted name of a callee that may set a variable."""
    words = program.knowledge.tables["variables"]
    name = dotted_name(callee)
    return name if name in words["sets"] or name in words["updates"] else None


def _set_by(program: Program, call: Call, frame: Context) -> Iterator[tuple[str, Term, bool]]:
    name = _dotted(program, call.callee)
    if name is None:
        return
    words = program.knowledge.tables["variables"]
    if name in words["sets"]:
        text = _text(program, call.args[0], frame) if len(call.args) > 1 else None
        if text is not None:
            yield text, call.args[1], name == words["sets"][0]
        return
    for key, value in call.kwargs:
        if key is not None:
            yield key, value, False
    for given in call.args[:1]:
        for item, value in given.items if isinstance(given, Dict) else ():
            text = _text(program, item, frame) if item is not None else None
            if text is not None:
                yield text, value, False


def _text(program: Program, term: Term, frame: Context) -> str | None:
    said = constant(program, term, frame)
    return said.value if said is not None and isinstance(said.value, str) else None
