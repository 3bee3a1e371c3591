"""The options of the command line, and what they are when nobody says anything."""

from __future__ import annotations

from trainlint.facts.calls import calls
from trainlint.facts.program import Program
from trainlint.model.terms import Term

_ADDS = "add_argument"


def defaults_of(program: Program, name: str, module: str) -> set[object]:
    """The defaults of the options of this name in the files that belong together with a file; None for what is no constant."""
    found: set[object] = set()
    for site in calls(program).sites.get(_ADDS, ()):
        if not program.together(site.module, module):
            continue
        call = site.call.term
        flags = [str(each[2]).lstrip("-").replace("-", "_") for each in call[2] if each[0] == "c" and type(each[2]) is str]
        destination = next((value for keyword, value in call[3] if keyword == "dest"), None)
        if destination is not None and destination[0] == "c":
            flags = [str(destination[2])]
        if name in flags:
            found.add(_constant(next((value for keyword, value in call[3] if keyword == "default"), None)))
    return found


def _constant(term: Term | None) -> object:
    return term[2] if term is not None and term[0] == "c" else None
