"""The options of the command line, and what they are when nobody says anything."""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.facts.calls import Calls
from trainlint.facts.program import Program
from trainlint.model.terms import Term

_ADDS = "add_argument"


def defaults_of(program: Program, name: str, module: str) -> set[object]:
    """The defaults of the options of this name in the files that belong together with a file; None for what is no constant."""
    return {default for where, default in program.ask(_declared).get(name, ()) if program.together(where, module)}


def _declared(program: Program) -> dict[str, list[tuple[str, object]]]:
    """By the names of options: the files in which they are declared, each with the default."""
    declared: dict[str, list[tuple[str, object]]] = {}
    for site in program.ask(Calls).sites.get(_ADDS, ()):
        given = dict(site.call.term[3])
        default = _constant(given.get("default"))
        for name in _names(site.call.term[2], given.get("dest")):
            declared.setdefault(name, []).append((site.module, default))
    return declared


def _names(words: Iterable[Term], destination: Term | None) -> set[str]:
    """The names that an option has once it is parsed."""
    if destination is not None and destination[0] == "c":
        return {str(destination[2])}
    return {str(each[2]).lstrip("-").replace("-", "_") for each in words if each[0] == "c" and type(each[2]) is str}


def _constant(term: Term | None) -> object:
    return term[2] if term is not None and term[0] == "c" else None
