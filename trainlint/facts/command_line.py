"""The options of the command line, and what they are when nobody says anything."""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program
from trainlint.ir.nodes import Const, Term

_ADDS = "add_argument"


def defaults_of(program: Program, name: str, module: str) -> set[object]:
    """The defaults of the options of this name in the files that belong together with a file; None for what is no constant."""
    return {default for where, default in program.ask(_declared).get(name, ()) if program.together(where, module)}


def _declared(program: Program) -> dict[str, list[tuple[str, object]]]:
    """By the names of options: the files in which they are declared, each with the default."""
    declared: dict[str, list[tuple[str, object]]] = {}
    for site in program.ask(CallGraph).sites.get(_ADDS, ()):
        given = dict(site.call.term.kwargs)
        default = _constant(given.get("default"))
        for name in _names(site.call.term.args, given.get("dest")):
            declared.setdefault(name, []).append((site.module, default))
    return declared


def _names(words: Iterable[Term], destination: Term | None) -> set[str]:
    """The names that an option has once it is parsed."""
    if destination is not None and isinstance(destination, Const):
        return {str(destination.value)}
    return {
        str(each.value).lstrip("-").replace("-", "_") for each in words if isinstance(each, Const) and type(each.value) is str
    }


def _constant(term: Term | None) -> object:
    return term.value if term is not None and isinstance(term, Const) else None
