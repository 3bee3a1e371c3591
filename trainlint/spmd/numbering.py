"""Which unknown things number the processes: what is handed to the call that starts their group, and what that is computed from.

``init_process_group(rank=cfg.worker)`` says that ``cfg.worker`` is the rank. Of ``rank=args.node * args.gpus + gpu`` it is the
whole; ``args.node`` is the number of the machine and ``gpu`` that of the process on it, wherever they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.groups.started import starts
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Made
from trainlint.ir.nodes import Attr, BinOp, Const, Global, Param, Term
from trainlint.spmd.symbols import Sym

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

_RANK, _NODE, _LOCAL = "rank", "node_rank", "local_rank"


class Numbered(NamedTuple):
    """What unknown things are, by their symbol, and what computed ones are, by their term: words of the table ``ranks``."""

    things: dict[Sym, str]
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
            if type(value) is Sym:
                found.things.setdefault(value, word)
    return found if found.things else NOTHING


def _handed(program: Program) -> Iterator[tuple[Term, Frame]]:
    """What is said to be the rank where the group is started, in each activation."""
    for start in program.ask(starts):
        given = start.given(program, _RANK)
        if given is not None and not isinstance(given, Const):
            alone = program.frame(start.site.module, start.function)
            for frame in dict.fromkeys((alone, *activations(program, start.site.module, start.function))):
                yield given, frame


def _factors(program: Program, term: Term, frame: Frame) -> tuple[Term, Term] | None:
    """The numbers of the machine and of the process on it, in ``node * size + local``; None for all else."""
    if not isinstance(term, BinOp) or term.op != "Add":
        return None
    for product, local in (term.sides, (term.right, term.left)):
        if isinstance(product, BinOp) and product.op == "Mult" and not isinstance(local, BinOp):
            node, size = product.sides
            return (size, local) if _is_size(program, node, frame) and not _is_size(program, size, frame) else (node, local)
    return None


def _is_size(program: Program, term: Term, frame: Frame) -> bool:
    """Whether a factor is how many processes a machine has: a number, its devices, or as many as are started on one."""
    if isinstance(term, Const):
        return True
    if any(isinstance(value, Made) and value.name in _per_machine(program) for value in program.values(term, frame)):
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
