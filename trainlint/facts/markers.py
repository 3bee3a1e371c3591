"""Files that are looked for and never read: they are there to tell a job something while it runs.

``os.path.exists("STOP")``: somebody makes the file at some moment, and ranks look for it at different ones. A file that is read
afterwards is another matter: it was there before the job, on a file system that all ranks share.
"""

from __future__ import annotations

from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame
from trainlint.model.terms import Term, show

#: What joins the parts of a path.
_JOINS = ("join", "joinpath")


class Markers:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._used: dict[str, dict[str, int]] = {}
        tests = (name for name, word in program.knowledge.data.items() if word == "file")
        self._tests = frozenset(name.rpartition(".")[2] for name in tests)

    def is_marker(self, asked: Term, frame: Frame) -> bool:
        """Whether the file that a test looks for is used by nothing else in its file of the project."""
        if asked[0] != "call":
            return False
        path = asked[2][0] if asked[2] else asked[1][1] if asked[1][0] == "a" else None
        if path is None:
            return False
        own = _own_part(path)
        return own is not None and self._uses(frame.module).get(own, 0) == 0

    def _uses(self, module: str) -> dict[str, int]:
        """How often each constant, attribute and path is given to a call that is no test for a file, in one file."""
        known = self._used.get(module)
        if known is None:
            known = self._used[module] = {}
            for function in self.program.modules[module].functions.values():
                for node in calls_of(function):
                    call = node.term
                    name = str(call[1][-1]).rpartition(".")[2] if call[1][0] in ("a", "r", "g") else ""
                    if name in self._tests or name in _JOINS:
                        continue
                    for given in (*call[2], *(value for _, value in call[3])):
                        own = _own_part(given)
                        if own is not None:
                            known[own] = known.get(own, 0) + 1
        return known


def _own_part(path: Term) -> str | None:
    """What of a path is written down for it alone: the constant, or the last part of what is joined; None if nothing is."""
    while path[0] == "call" and path[1][0] in ("a", "r") and path[2]:
        name = str(path[1][-1]).rpartition(".")[2]
        if name not in (*_JOINS, "Path"):
            return None
        path = path[2][-1]
    if path[0] == "bin" and path[1] == "Div":
        return _own_part(path[3])
    if path[0] == "c" and isinstance(path[2], str):
        return show(path)
    return show(path) if path[0] == "a" else None


def markers(program: Program) -> Markers:
    """The markers of a program."""
    known = program.analyses.get("markers")
    if known is None:
        known = program.analyses["markers"] = Markers(program)
    assert isinstance(known, Markers)
    return known
