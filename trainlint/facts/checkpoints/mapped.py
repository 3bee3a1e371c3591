"""Loads of checkpoints that put the tensors where they were when they were saved, in every process of a job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.checkpoints.origins import Origins
from trainlint.facts.checkpoints.reads import Reads
from trainlint.facts.files.guards import guards
from trainlint.facts.files.operations import argument
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.objects import Things, name_of, named
from trainlint.facts.values import Made
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import VARIABLES, Attr, Call, Const, Global, LoopPhi, Param, Ref, Term
from trainlint.ir.terms import parts_of

_MAP = "map_location"


class Unmapped(NamedTuple):
    """A load without a place for the tensors; ``restored`` what it is given to, and where a process joins the job.

    ``near``: the load is a part of that job. Else it is of an optimizer's state, in a program that somewhere joins one.
    """

    site: CallSite
    restored: Call
    joined: CallSite
    near: bool


def unmapped(program: Program) -> Iterator[Unmapped]:
    """Each such load of a state that a model or an optimizer is given."""
    joins = list(_joins(program))
    if not joins:
        return
    words = program.knowledge.tables["checkpoints"]
    for name in sorted({name.rpartition(".")[2] for name, word in words.items() if word == "load"}):
        for site in program.ask(CallGraph).sites_named(name):
            call = site.call.term
            dotted = dotted_name(call.callee)
            if (
                dotted is None
                or words.get(program.knowledge.canonical(dotted)) != "load"
                or tests_software(program, site.module, site.function)
            ):
                continue
            if len(call.args) != 1 or any(name in (None, _MAP, "mmap") for name, _ in call.kwargs):
                continue
            if _is_for_one(program, site) or _is_mapped_beside(program, site) or _is_own(program, site):
                continue
            near = _job_of(program, site, joins)
            joined = near or next((each for each in joins if program.together(each.module, site.module)), None)
            restored = _restored(program, site) if joined is not None else None
            if joined is None or restored is None:
                continue
            if _is_of_training(program, site, restored) if near is not None else _is_optimizer(program, restored):
                yield Unmapped(site, restored.call.term, joined, near is not None)


def _joins(program: Program) -> Iterator[CallSite]:
    """Where a process joins a job whose ranks may have a GPU each."""
    knowledge = program.knowledge
    names = knowledge.jobs | knowledge.job_wrappers
    found: list[CallSite] = []
    without: set[str] = set()
    for name in sorted({name.rpartition(".")[2] for name in names}):
        for site in program.ask(CallGraph).sites_named(name):
            dotted = dotted_name(site.call.term.callee)
            if dotted is None or knowledge.canonical(dotted) not in names or tests_software(program, site.module, site.function):
                continue
            backend = argument(site.call.term, "0", "backend")
            if (
                backend is not None
                and isinstance(backend, Const)
                and backend.value in knowledge.tables["checkpoints.on_cpu"]["names"]
            ):
                without.add(site.module)
            found.append(site)
    yield from (site for site in found if site.module not in without)


def _job_of(program: Program, site: CallSite, joins: list[CallSite]) -> CallSite | None:
    """The job of which a load is a part: its file or a caller's joins it, or its function knows its rank, and others join."""
    files = {site.module, *(each.module for each in program.ask(CallGraph).callers(site.function))}
    near = next((each for each in joins if each.module in files), None)
    if near is not None:
        return near
    if not any(name.lower() in program.knowledge.conventions for name in site.function.parameters):
        return None
    return next((each for each in joins if program.together(each.module, site.module)), None)


def _is_own(program: Program, site: CallSite) -> bool:
    """Whether each rank has a file of its own: then it is that of its own device."""
    texts = program.modules[site.module].texts
    pending = list(site.call.term.args)
    while pending:
        for part in parts_of(pending.pop()):
            pending += texts.get(part, ())
            if _tells_rank(program, part):
                return True
    return False


def _tells_rank(program: Program, term: Term) -> bool:
    """Whether something says which process this is: a library's function, a variable, what goes by a name for that."""
    if isinstance(term, Const):
        return term.value in program.knowledge.environment
    if not isinstance(term, (Param, Attr, Global, LoopPhi, Call, Ref)):
        return False
    name = name_of(term)
    return name.lower() in program.knowledge.conventions or any(each.endswith(f".{name}") for each in program.knowledge.ranks)


def _is_of_training(program: Program, site: CallSite, restored: CallSite) -> bool:
    """Whether a file holds more than weights that somebody may have published: an optimizer's state, or several keys."""
    keys = {read.key for read in program.ask(Reads).all if read.load.call is site.call.term}
    if len(keys) > 1:
        return True
    return _is_optimizer(program, restored)


def _is_optimizer(program: Program, site: CallSite) -> bool:
    """Whether what is given a state is an optimizer, or is taken from what is called as these are."""
    callee = site.call.term.callee
    if not isinstance(callee, Attr):
        return False  # a function of that name
    receiver = callee.base
    if program.ask(Things).of(receiver, program.frame(site.module, site.function)).kind == "optimizer":
        return True
    return any(named(program.knowledge, part) == "optimizer" for part in parts_of(receiver) if isinstance(part, VARIABLES))


def _is_for_one(program: Program, site: CallSite) -> bool:
    """Whether a test that asks which process this is stands around a load."""
    asked = guards(program, site.function).get(site.call.term, ())
    tests = (condition for guard in asked for condition, _ in guard.parts)
    return any(_tells_rank(program, part) for test in tests for part in parts_of(test))


def _is_mapped_beside(program: Program, site: CallSite) -> bool:
    """Whether the same file is loaded with a place in the other arm of a test."""
    for each in program.ask(CallGraph).sites.get(last_name(site.call.term.callee) or "", ()):
        call = each.call.term
        if each.function is not site.function or not call.args or all(name != _MAP for name, _ in call.kwargs):
            continue
        if program.sayings.of(call.args[0]) == program.sayings.of(site.call.term.args[0]):
            return True
    return False


def _restored(program: Program, site: CallSite) -> CallSite | None:
    """The calls that give a state out of the load to something: one to an optimizer, or else the first; and its file."""
    found = list(_all_restored(program, site))
    return next((each for each in found if _is_optimizer(program, each)), found[0] if found else None)


def _all_restored(program: Program, site: CallSite) -> Iterator[CallSite]:
    asked = program.ask(Origins)
    for name in sorted(program.knowledge.takes_weights):
        for each in program.ask(CallGraph).sites.get(name, ()):
            if not program.together(each.module, site.module):
                continue
            frame = program.frame(each.module, each.function)
            for given in each.call.term.args[:1]:
                read = asked.read_key(given)
                for whole in (given, *((read[0],) if read is not None else ())):
                    load = next(
                        (v for v in program.values(whole, frame) if isinstance(v, Made) and v.call is site.call.term), None
                    )
                    if load is not None or any(part is site.call.term for part in parts_of(given)):
                        yield each
