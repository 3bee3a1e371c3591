"""Groups of which nobody sees who is in them, and that every rank uses in a function: one that leaves out a collective is missed.

``dist.barrier(group=group)``, behind no test on the rank, says that each rank is in its group. If then rank 0 alone runs another
collective of that group, the others of it do not join, whoever they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trainlint.facts.call_graph import last_name
from trainlint.facts.files.guards import guards
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, Library
from trainlint.ir.nodes import Call, Term
from trainlint.spmd.symbols import Something, Sym

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Ways in which it is not known who comes to a call.
_UNSURE = ("handler", "attempt")


def group_of(call: Call, position: int, program: Program) -> Term | None:
    """What a collective is given as its group, by its keyword or by its position; None where it is given none."""
    for keyword, value in call.kwargs:
        if keyword in program.knowledge.group_keywords:
            return value
    return call.args[position] if -1 < position < len(call.args) else None


class CommonGroups:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._names = frozenset(name.rpartition(".")[2] for name in program.knowledge.collectives)
        self._known: dict[Frame, tuple[Any, ...]] = {}

    def of(self, group: Term, frame: Frame, evaluator: Evaluator) -> Sym | Something | None:
        """What stands for a group, if every rank that runs the function uses it there; else None."""
        if frame not in self._known:
            self._known[frame] = ()  # ends recursion
            self._known[frame] = tuple(self._used(frame, evaluator))
        if not self._known[frame]:
            return None
        found = evaluator.value(group, frame)
        return found if isinstance(found, (Sym, Something)) and found in self._known[frame] else None

    def _used(self, frame: Frame, evaluator: Evaluator) -> Iterator[Any]:
        """What the collectives of a function are given as groups, of those that no test on the rank stands before."""
        for node in calls_of(frame.function):
            call = node.term
            if last_name(call.callee) not in self._names:
                continue
            for value in self.program.values(call.callee, frame):
                position = self.program.knowledge.collectives.get(value.name) if isinstance(value, Library) else None
                group = None if position is None else group_of(call, position, self.program)
                if group is not None and self._all_come_to(call, frame, evaluator):
                    yield evaluator.value(group, frame)

    def _all_come_to(self, call: Call, frame: Frame, evaluator: Evaluator) -> bool:
        """Whether no test on the rank decides who comes to a call in its function."""
        way = guards(self.program, frame.function).get(call)
        if way is None or any(guard.kind in _UNSURE for guard in way):
            return False
        conditions = (condition for guard in way if guard.kind in ("test", "left") for condition, _ in guard.parts)
        return not any(evaluator.evaluate(condition, frame)[1] for condition in conditions)
