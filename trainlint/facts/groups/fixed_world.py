"""Groups of which the program itself says, in a number, which process this is or how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.groups.started import Start, starts
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Other
from trainlint.ir.nodes import Const, Term

_RANK, _SIZE = "rank", "world_size"
#: How many processes a spawner starts; it may be the third in order.
_COUNTS = ("nprocs",)


class Fixed(NamedTuple):
    """A start of a group with a number for the rank, the size of the group, or both (None: not a number)."""

    start: Start
    rank: int | None
    size: int | None


def fixed(program: Program) -> Iterator[Fixed]:
    """Each such start of a group of more than one process."""
    own = program.knowledge.tables["groups"]["made_up"]
    found = [(start, _number(start.given(program, _RANK)), _number(start.given(program, _SIZE))) for start in program.ask(starts)]
    for start, rank, size in found:
        module = start.site.module
        if tests_software(program, module, start.function) or not (start.backends or frozenset()).isdisjoint(own):
            continue
        if size == 1 or (rank is None and size is None) or _is_one_of_several(start, rank, found):
            continue
        if rank is None and _starts_them(program, module):
            continue
        yield Fixed(start, rank, size)


def _number(term: Term | None) -> int | None:
    """A number that is written in the call; what stands for "read it from the environment" is none."""
    return term.value if term is not None and isinstance(term, Const) and type(term.value) is int and term.value >= 0 else None


def _is_one_of_several(start: Start, rank: int | None, found: list[tuple[Start, int | None, int | None]]) -> bool:
    """Whether the file starts the group with other numbers, too: each process has a part of the program of its own."""
    others = (other for each, other, _ in found if each.site.module == start.site.module and each is not start)
    return rank is not None and any(other is not None and other != rank for other in others)


def _starts_them(program: Program, module: str) -> bool:
    """Whether the files around start a number of processes that is written down: the program knows how many there are."""
    for name in sorted({name.rpartition(".")[2] for name in program.knowledge.spawners}):
        for site in program.ask(CallGraph).sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            given = [*(value for keyword, value in site.call.term.kwargs if keyword in _COUNTS), *site.call.term.args[2:3]]
            values = [value for term in given for value in program.values(term, frame)]
            if program.together(site.module, module) and any(
                isinstance(each, Other) and isinstance(each.term, Const) for each in values
            ):
                return True
    return False
