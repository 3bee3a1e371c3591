"""Which files are training scripts: run as a program, they train a model.

A script does it at its top level, behind the test for ``__main__``, in what that calls, or in what it hands to a launcher
(``spawn``, ``fire.Fire(main)``). A library that defines how to train is none: nothing happens when it is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.reproducibility import Randomness
from trainlint.ir.nodes import Dict, List, Term, Unknown
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.terms import dotted_name
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallSite, last_name
from trainlint.program.library_uses import imports_framework
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software

_TOP = "<module>"


class Entry(NamedTuple):
    """A training script: the call of its top level that leads to the training, and the training's backward pass."""

    module: str
    start: CallSite
    backward: CallSite


def entries(program: Program) -> Iterator[Entry]:
    """The training scripts among the files of a program."""
    asked = program.ask(Randomness)
    training = _training(program)
    for path, module in program.modules.items():
        top = module.functions.get(_TOP)
        if top is None or not calls_of(top) or not program.ask_of(imports_framework, module):
            continue
        if _measures(program, path):
            continue
        found = _entry(asked, path, top, training)
        if found is not None and not _fits_data(program, found.backward):
            yield found


def _measures(program: Program, path: str) -> bool:
    """Whether a file is a benchmark or belongs to tests, by its name or that of a folder of the project."""
    words = program.knowledge.tables["entries.measures"]["names"]
    own = path.removeprefix(program.finder.top).lower().replace("-", "_").split("/")
    return any(word in part for part in own for word in words)


def _fits_data(program: Program, backward: CallSite) -> bool:
    """Whether what is optimized beside a backward pass is a tensor of its own, such as an image: ``Adam([image])``."""
    knowledge = program.knowledge
    made = []
    for call in calls_of(backward.function):
        dotted = dotted_name(call.term.callee)
        if dotted is not None and call.term.args and knowledge.optimizer_kind(knowledge.canonical(dotted)) == "optimizer":
            made.append(call.term.args[0])
    return bool(made) and all(isinstance(each, List) and each.items and all(map(_is_tensor, each.items)) for each in made)


def _is_tensor(item: Term) -> bool:
    """Whether something in a list is no group of parameters, and was not taken out of one."""
    return not isinstance(item, (Dict, Unknown)) and "parameters" not in (last_name(item) or "")


def _training(program: Program) -> dict[int, CallSite]:
    """The functions that run backward passes in a loop of their own or of a caller, each with such a pass."""
    found: dict[int, CallSite] = {}
    names = program.knowledge.backward
    for path, function in program.functions():
        for call in calls_of(function):
            if last_name(call.term.callee) in names and id(function) not in found and not tests_software(program, path, function):
                found[id(function)] = CallSite(path, function, call)
    return found


def _entry(asked: Randomness, path: str, top: Function, training: dict[int, CallSite]) -> Entry | None:
    own = training.get(id(top))
    if own is not None and loops_around(top, own.call):
        return Entry(path, own, own) if any(map(asked.updates, (top, *_run_of(asked, path, top)))) else None
    for call in calls_of(top):
        for target in asked.called(call.term, path, top):
            run = [function for _, function in asked.run(target.module, target.function)]
            found = next((training[id(each)] for each in run if id(each) in training and _loops(each, asked)), None)
            if found is not None and any(map(asked.updates, run)):
                return Entry(path, CallSite(path, top, call), found)
    return None


def _run_of(asked: Randomness, path: str, top: Function) -> Iterator[Function]:
    """What the top level of a file runs, beside itself."""
    yield from (function for _, function in asked.run(path, top)[1:])


def _loops(function: Function, asked: Randomness) -> bool:
    """Whether a backward pass runs many times: in a loop of its function, or of one that calls it."""
    if of_kind(function, Loop):
        return True
    return any(of_kind(site.function, Loop) for site in asked.index.callers(function))
