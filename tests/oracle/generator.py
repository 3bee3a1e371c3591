"""Random SPMD programs: idioms put into one another, in one or several files. The same seed gives the same program."""

from __future__ import annotations

from tests.oracle import idioms_calls, idioms_data, idioms_exits, idioms_guards, idioms_loops, idioms_objects
from tests.oracle.idioms import IDIOMS, write
from tests.oracle.maker import Maker, Scope
from tests.oracle.program import Program
from tests.oracle.writing import Lines, indent

__all__ = ["generate"]

FAMILIES = (idioms_calls, idioms_data, idioms_exits, idioms_guards, idioms_loops, idioms_objects)
#: Idioms that each program contains at least (those that fit somewhere), beside what chance adds.
_WANTED = (2, 4)


def generate(seed: int) -> Program:
    """The program of this number."""
    maker = Maker(seed, write)
    rng = maker.rng
    count = rng.randint(*_WANTED)
    names = sorted(name for name in IDIOMS if not name.startswith("plain"))
    maker.pending = rng.sample(names, count)
    main = maker.project.modules[0]
    scope, before = _start(maker)
    body: Lines = []
    size = rng.choice((1, 2))
    while maker.pending or size > 0:
        body += maker.block(scope, 1)
        size -= 1
        if len(body) > 120:
            break
    dist = maker.dist(scope)
    end = [f"{dist}.destroy_process_group()"] if maker.chance(0.3) else []
    main.need("import argparse")
    main.definitions.append(["def main():", *indent([*_parser(maker), *before, *body, *end])])
    main.ending = ['if __name__ == "__main__":', "    main()"]
    return Program(maker.project.files(), maker.project.entry, frozenset(maker.constructs), tuple(maker.slips), seed)


def _start(maker: Maker) -> tuple[Scope, Lines]:
    """How the program begins, and what can be named then."""
    main = maker.project.modules[0]
    scope = Scope(main)
    dist = maker.dist(scope)
    lines = [f'{dist}.init_process_group("{maker.pick("nccl", "gloo")}")']
    rank: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    if maker.chance(0.7):
        name = maker.pick("rank", "rank", "me", maker.name())
        lines.append(f"{name} = {maker.rank(scope)}")
        rank = (name,)
        if maker.chance(0.4):
            said = maker.pick("main_process", "master_process", maker.name())
            lines.append(f"{said} = {name} == 0")
            known = (said,)
    return Scope(main, rank=rank, main=known), lines


def _parser(maker: Maker) -> Lines:
    """The arguments that the program has asked for."""
    lines = ["parser = argparse.ArgumentParser()"]
    for name, kind in maker.project.arguments.items():
        how = 'action="store_true"' if kind == "flag" else "type=int, default=2"
        lines.append(f'parser.add_argument("--{name}", {how})')
    return [*lines, "args = parser.parse_args()"]
