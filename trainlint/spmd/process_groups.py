"""Process groups: what an unknown number of a process stands for on a rank, and which ranks are in a group.

``init_process_group(rank=cfg.worker)`` says that ``cfg.worker`` is the rank. Of ``rank=args.node * args.gpus + gpu`` it is the
whole; ``args.node`` is the number of the machine and ``gpu`` that of the process on it, wherever they are asked for.

The ranks of a group are those that are written down. Where nobody sees who is in it, the function that uses it may tell:
``dist.barrier(group=group)``, behind no test on the rank, says that each rank is in its group. If then rank 0 alone runs another
collective of that group, the others of it do not join, whoever they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.domains.process_groups.lifecycle import starts
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Collected,
    Comprehension,
    Const,
    Global,
    List,
    Param,
    Set,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.terms import is_none
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.guards import guards
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Context, Library, LibraryObject, Unresolved
from trainlint.spmd.symbols import WORLD, Something, Uniform

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
        self._names = program.knowledge.collective_names
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


#: What ``new_group`` is given where it is given no ranks.
_NONE = Const.new("NoneType", None)


class GroupMembers:
    """Answers for one rank."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self.program = program
        self.evaluator = evaluator

    def of(self, group: Term, frame: Context) -> tuple[Any, ...] | None:
        """The ranks of a group: those that are written down, or all of them, where every one uses it; else None."""
        return self._written(group, frame) or self.common(group, frame)

    def common(self, group: Term, frame: Context) -> tuple[Any, ...] | None:
        """All ranks, and what stands for a group that every one of them uses in the function: each is in its own; else None."""
        found = self.program.ask(CommonGroups).of(group, frame, self.evaluator)
        return None if found is None else (*range(WORLD), found)

    def _written(self, group: Term, frame: Context) -> tuple[int, ...] | None:
        """The ranks of a group that is made of numbers written down in the program, all of them example ranks; else None."""
        if isinstance(group, Subscript) and isinstance(group.base, Collected):
            return self._own_group(group, frame)
        knowledge = self.program.knowledge
        groups = [
            value for value in self.program.values(group, frame) if isinstance(value, LibraryObject) and value.call is not None
        ]
        groups = [value for value in groups if knowledge.collective_kinds.get(value.name) == "new-group"]
        if len(groups) > 1:  # which of them may be a matter of the rank
            chosen = getattr(self.evaluator.value(group, frame), "key", None)
            groups = [value for value in groups if type(chosen) is tuple and chosen[0] is value.call]
        if len(groups) != 1 or groups[0].call is None or groups[0].frame is None:
            return None
        call = groups[0].call
        if groups[0].name.endswith(".new_group") and not any(name is None for name, _ in call.kwargs):
            ranks = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "ranks"), _NONE)
            if is_none(ranks):
                return tuple(range(WORLD))
        return self._made_of(groups[0].call, groups[0].frame)

    def _made_of(self, call: Call, made_in: Context) -> tuple[int, ...] | None:
        """The ranks for which a call makes a group, if all of them are example ranks."""
        given = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "ranks"), None)
        if given is None:
            return None
        numbers = self._numbers(given, made_in)
        if numbers is None or any(type(number) is not int or asked or not 0 <= number < WORLD for number, asked in numbers):
            return None
        return tuple(sorted(number for number, _ in numbers))

    def _numbers(self, given: Term, frame: Context) -> list[tuple[Any, bool]] | None:
        """The numbers of a list or range that is written down, here or elsewhere, each with whether it is the rank's own."""
        for value in self.program.values(given, frame):
            if isinstance(value, Unresolved) and isinstance(value.term, (List, Tuple, Set)) and type(value.term.items) is tuple:
                return [self.evaluator.evaluate(item, value.frame) for item in value.term.items]
        numbers = self.evaluator.consteval.range_of(given, frame)
        if numbers is None or len(numbers) > WORLD or not isinstance(given, Call):
            return None
        if any(self.evaluator.evaluate(bound, frame)[1] for bound in given.args):
            return None
        return [(number, False) for number in numbers]

    def whole_world(self, group: Term, frame: Context) -> bool:
        """Whether a group is that of all ranks."""
        return self.evaluator.value(group, frame) is None or self.evaluator.origins.is_world(group, frame)

    def _own_group(self, group: Subscript, frame: Context) -> tuple[int, ...] | None:
        """The ranks of a group that the rank chooses among those that a comprehension makes."""
        drawn = group.base if isinstance(group.base, Comprehension) else None
        if (
            drawn is None
            or drawn.key is not None
            or drawn.tests
            or not isinstance(drawn.item, Call)
            or drawn.target in self.evaluator.loops
        ):
            return None
        source, number = self.evaluator.consteval.container(drawn.of, frame), self.evaluator.value(group.key, frame)
        if source is None or type(number) is not int or not 0 <= number < len(source):
            return None
        kinds = self.program.knowledge.collective_kinds
        values = self.program.values(drawn.item.callee, frame)
        if not any(isinstance(value, Library) and kinds.get(value.name) == "new-group" for value in values):
            return None
        self.evaluator.loops[drawn.target] = list(source)[number]
        try:
            return self._made_of(drawn.item, frame)
        finally:
            del self.evaluator.loops[drawn.target]
