"""The options that a library adds to a command line: ``Trainer.add_argparse_args(parser)`` of Lightning, until 2.0.

They count where a trainer is made of them, ``from_argparse_args(args)`` or ``Trainer(**vars(args))``: it reads them itself then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.finding import Spot
from trainlint.ir.nodes import Call
from trainlint.preflight.known import known
from trainlint.preflight.settings.declared import Declared


def lent(program: Program) -> Iterator[Declared]:
    """Those of a program."""
    table: Mapping[str, list[str]] = program.knowledge.tables["preflight.lent-options"]
    for site in _of_library(program, known(program, "lends-options")):
        if any(program.together(site.module, each.module) for each in _readers(program)):
            for name in table:
                yield Declared(name, (f"--{name}",), site.module, site.call.term.site, _default(table[name][0]))


def reading(program: Program, files: Iterable[str], line: str) -> tuple[str, str, Spot] | None:
    """The option that speaks for a line, and where a trainer in some files is made of such options: file, place."""
    table: Mapping[str, list[str]] = program.knowledge.tables["preflight.lent-options"]
    own = frozenset(files)
    name = next((each for each, (_, *lines) in table.items() if line in lines), None)
    if name is None or not any(each.module in own for each in _of_library(program, known(program, "lends-options"))):
        return None
    where = next((each for each in _readers(program) if each.module in own), None)
    return None if where is None else (name, where.module, where.call.term.site)


def _default(text: str) -> tuple[object]:
    return ({"off": False, "none": None}.get(text) if text in ("off", "none") else int(text),)


def _of_library(program: Program, names: Iterable[str]) -> Iterator[CallSite]:
    """The calls of some functions of libraries."""
    wanted = frozenset(names)
    for last in sorted({name.rpartition(".")[2] for name in wanted}):
        for site in program.ask(CallGraph).sites.get(last, ()):
            values = program.values(site.call.term.callee, program.frame(site.module, site.function))
            if any(isinstance(each, Library) and each.name in wanted for each in values):
                yield site


def _readers(program: Program) -> Iterator[CallSite]:
    """The calls that make a trainer of options."""
    yield from program.ask(CallGraph).sites.get("from_argparse_args", ())
    for site in _of_library(program, known(program, "trainers-with-arguments")):
        spread = [value for keyword, value in site.call.term.kwargs if keyword is None]
        if any(
            (isinstance(value, Call) and last_name(value.callee) == "vars") or last_name(value) == "__dict__" for value in spread
        ):
            yield site
