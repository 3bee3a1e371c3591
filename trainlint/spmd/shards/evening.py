"""How unequal parts can be evened out, in the words of the program: what a repair shows."""

from __future__ import annotations

from trainlint.facts.numbers import is_range
from trainlint.facts.parallel import Parallel
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.ir.nodes import Call, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import walk
from trainlint.spmd.shards.uneven import Uneven


def joining(program: Program, found: Uneven) -> str | None:
    """The ``with`` in which the ranks that are done shadow the others: of a DDP model that the loop calls by name."""
    for node in walk(found.loop.body):
        if isinstance(node, CallStep) and program.ask(Parallel).kinds(node.term.callee, found.frame) == {"ddp"}:
            name = name_in(node.term.callee, found.function)
            if name is not None:
                return f"with {name}.join():"
    return None


def shortened(program: Program, found: Uneven) -> tuple[Term, str] | None:
    """For a loop over ``range(rank, n, world)``: the call, and one that stops where every rank has had its last item."""
    call = found.loop.subject
    if not isinstance(call, Call) or not call.args[2:]:
        return None
    if not is_range(program, call, found.frame):
        return None
    start, stop, step = (_text(part, program, found) for part in call.args)
    if start is None or stop is None or step is None:
        return None
    return call, f"range({start}, {stop} // {step} * {step}, {step})"


def _text(term: Term, program: Program, found: Uneven) -> str | None:
    """A name, an attribute or the length of one."""
    if isinstance(term, Call) and len(term.args) <= 1 and not term.kwargs:
        measures = program.knowledge.measures
        for value in program.values(term.callee, found.frame):
            if isinstance(value, Library) and value.name in measures and term.args:
                inner = name_in(term.args[0], found.function)
                return f"len({inner})" if inner is not None else None
    return name_in(term, found.function)
