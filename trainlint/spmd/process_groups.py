"""Numbers of processes and groups of them that nobody sees: what each stands for on a rank.

Which unknown things number the processes: what is handed to the call that starts their group, and what that is
computed from.

``init_process_group(rank=cfg.worker)`` says that ``cfg.worker`` is the rank. Of ``rank=args.node * args.gpus + gpu`` it is the
whole; ``args.node`` is the number of the machine and ``gpu`` that of the process on it, wherever they are asked for.

Groups of which nobody sees who is in them, and that every rank uses in a function: one that leaves out a collective
is missed.

``dist.barrier(group=group)``, behind no test on the rank, says that each rank is in its group. If then rank 0 alone runs another
collective of that group, the others of it do not join, whoever they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.domains.process_groups.lifecycle import starts
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Global, Param, Term
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.guards import guards
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Context, Library, LibraryObject
from trainlint.spmd.symbols import Something, Uniform

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

_RANK, _NODE, _LOCAL = "rank", "node_rank", "local_rank"


class Numbered(NamedTuple):
    """What unknown things are, by their symbol, and what computed ones are, by their term: words of the table ``ranks``."""

    things: dict[Uniform, str]
    terms: dict[Term, str]


#: What there is where nothing is said.
NOTHING = Numbered({}, {})


def numbered(program: Program, asked: Evaluator) -> Numbered:
    """What numbers the processes of a program (found once); ``asked`` answers without it."""
    found = Numbered({}, {})
    for term, frame in _handed(program):
        factors = _factors(program, term, frame)
        parts = {term: _RANK} if factors is None else dict(zip(factors, (_NODE, _LOCAL), strict=True))
        if factors is not None:
            found.terms[term] = _RANK
        for part, word in parts.items():
            value = asked.value(part, frame)
            if type(value) is Uniform:
                found.things.setdefault(value, word)
    return found if found.things else NOTHING


def _handed(program: Program) -> Iterator[tuple[Term, Context]]:
    """What is said to be the rank where the group is started, in each activation."""
    for start in program.ask(starts):
        given = start.given(program, _RANK)
        if given is not None and not isinstance(given, Const):
            alone = program.frame(start.site.module, start.function)
            for frame in dict.fromkeys((alone, *calling_contexts(program, start.site.module, start.function))):
                yield given, frame


def _factors(program: Program, term: Term, frame: Context) -> tuple[Term, Term] | None:
    """The numbers of the machine and of the process on it, in ``node * size + local``; None for all else."""
    if not isinstance(term, BinOp) or term.op != "Add":
        return None
    for product, local in (term.sides, (term.right, term.left)):
        if isinstance(product, BinOp) and product.op == "Mult" and not isinstance(local, BinOp):
            node, size = product.sides
            return (size, local) if _is_size(program, node, frame) and not _is_size(program, size, frame) else (node, local)
    return None


def _is_size(program: Program, term: Term, frame: Context) -> bool:
    """Whether a factor is how many processes a machine has: a number, its devices, or as many as are started on one."""
    if isinstance(term, Const):
        return True
    if any(isinstance(value, LibraryObject) and value.name in _per_machine(program) for value in program.values(term, frame)):
        return True
    return isinstance(term, (Attr, Param, Global)) and term.name in _started(program)


def _per_machine(program: Program) -> frozenset[str]:
    names: frozenset[str] = program.knowledge.tables["ranks.per_machine"]["names"]
    return names


def _started(program: Program) -> set[object]:
    """The names of attributes and variables that say how many processes are started on a machine."""
    found: set[object] = set()
    for last in {name.rpartition(".")[2] for name in program.knowledge.spawners}:
        for site in program.ask(CallGraph).sites_named(last):
            said = (value for name, value in site.call.term.kwargs if name in _per_machine(program))
            found |= {value.name for value in said if isinstance(value, (Attr, Param, Global))}
    return found


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
        self._known: dict[Context, tuple[Any, ...]] = {}

    def of(self, group: Term, frame: Context, evaluator: Evaluator) -> Uniform | Something | None:
        """What stands for a group, if every rank that runs the function uses it there; else None."""
        if frame not in self._known:
            self._known[frame] = ()  # ends recursion
            self._known[frame] = tuple(self._used(frame, evaluator))
        if not self._known[frame]:
            return None
        found = evaluator.value(group, frame)
        return found if isinstance(found, (Uniform, Something)) and found in self._known[frame] else None

    def _used(self, frame: Context, evaluator: Evaluator) -> Iterator[Any]:
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

    def _all_come_to(self, call: Call, frame: Context, evaluator: Evaluator) -> bool:
        """Whether no test on the rank decides who comes to a call in its function."""
        way = guards(self.program, frame.function).get(call)
        if way is None or any(guard.kind in _UNSURE for guard in way):
            return False
        conditions = (condition for guard in way if guard.kind in ("test", "left") for condition, _ in guard.parts)
        return not any(evaluator.evaluate(condition, frame)[1] for condition in conditions)
