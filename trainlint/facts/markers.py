"""Files that are looked for and never read: they are there to tell a job something while it runs.

``os.path.exists("STOP")``: somebody makes the file at some moment, and ranks look for it at different ones. A file that is read
afterwards is another matter: it was there before the job, on a file system that all ranks share.
"""

from __future__ import annotations

from trainlint.facts.call_graph import last_name
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Access, Attr, BinOp, Call, Const, Dict, Global, Param, Ref, SequenceDisplay, Term
from trainlint.ir.printer import show


class Markers:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._used: dict[str, dict[str, int]] = {}
        tests = (name for name, word in program.knowledge.data.items() if word == "file")
        self._joins = frozenset(name.rpartition(".")[2] for name in program.knowledge.joins_paths)
        self._tests = frozenset(name.rpartition(".")[2] for name in tests)

    def is_marker(self, asked: Term, frame: Frame) -> bool:
        """Whether the file that a test looks for is used by nothing else in its file of the project."""
        if not isinstance(asked, Call):
            return False
        path = asked.args[0] if asked.args else asked.callee.base if isinstance(asked.callee, Attr) else None
        if path is None:
            return False
        parts = _parts(path, self._joins)
        named = bool(parts) and (parts[-1] or "").startswith(("'", '"'))
        if not parts or not (named or self.program.ask_of(surroundings, frame.function).of(asked).loops):
            return False  # a setting names the file: one that is looked for once is read by whatever else has that setting
        return None not in parts and not any(self._uses(frame.module).get(part or "", 0) for part in parts)

    def _uses(self, module: str) -> dict[str, int]:
        """How often each constant, attribute and path is given to a call that is no test for a file, in one file."""
        known = self._used.get(module)
        if known is None:
            known = self._used[module] = {}
            for function in self.program.modules[module].functions.values():
                for node in calls_of(function):
                    call = node.term
                    name = last_name(call.callee)
                    if name in self._tests or name in self._joins:
                        continue
                    for given in (*call.args, *(value for _, value in call.kwargs)):
                        for part in _named_in(given, self._joins):
                            known[part or ""] = known.get(part or "", 0) + 1
        return known


def _parts(path: Term, joins: frozenset[str]) -> list[str | None]:
    """The folders and names that a path is made of, as they are written down; None for one that nobody can name."""
    if isinstance(path, Call) and isinstance(path.callee, (Attr, Ref)):
        if last_name(path.callee) not in joins:
            return [None]
        first = [path.callee.base] if isinstance(path.callee, Attr) else []
        return [part for given in (*first, *path.args) for part in _parts(given, joins)]
    if isinstance(path, BinOp) and path.op == "Div":
        return [*_parts(path.left, joins), *_parts(path.right, joins)]
    if isinstance(path, Const):
        return [show(path)] if isinstance(path.value, str) else [None]
    return [show(path)] if isinstance(path, (Access, Param, Global)) else [None]


def _named_in(given: Term, joins: frozenset[str]) -> list[str | None]:
    """The same of what a call is given, and of what is in its dicts and lists."""
    if isinstance(given, Dict):
        return [part for _, value in given.items if value is not None for part in _named_in(value, joins)]
    if isinstance(given, SequenceDisplay):
        return [part for item in given.items for part in _named_in(item, joins)]
    return _parts(given, joins)
