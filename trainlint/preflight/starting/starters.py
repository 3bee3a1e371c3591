"""Scripts of the project that start another one: they submit it to a cluster, or start a process for each GPU."""

# Paths are plain strings here, as the program has them.
# ruff: noqa: PTH118, PTH119, PTH120

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.components import imported, module_of
from trainlint.facts.launching.launches import Launch
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import in_tests
from trainlint.facts.values import Library
from trainlint.finding import Spot
from trainlint.ir.bindings import values_of
from trainlint.ir.nodes import Const
from trainlint.ir.sketch import Function, Keep, Module, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.known import known
from trainlint.preflight.line import Evidence
from trainlint.preflight.values.words import handed

#: A script that a text names.
_SCRIPT = re.compile(r"(?<![\w./-])[\w./-]+\.py(?!\w)")
#: What processes are started with, before it is known what that is a function of.
_PROCESSES = frozenset(("subprocess", "os", "asyncio"))
_STARTS = re.compile(r"Popen|run|call|check_call|check_output|system|exec[vl]p?|spawnvp?|create_subprocess_exec")
#: The method that a library of submissions calls when a job is taken away.
_TAKEN_AWAY = "checkpoint"


class Starter(NamedTuple):
    """A script that starts another one, where it does; ``submits``: to a cluster, by a library.

    ``requeues`` is where it says what becomes of a job that is taken away.
    """

    path: str
    place: Spot
    submits: bool
    requeues: Evidence | None = None


def starters(program: Program, script: str) -> tuple[Starter, ...]:
    """Those of a script: the ones that submit it first."""
    found: dict[str, Starter] = {}
    for each in (*_submitting(program, script), *_spawning(program, script)):
        found.setdefault(each.path, each)
    return tuple(found.values())


def hands_over(launch: Launch, path: str) -> bool:
    """Whether a line starts a script of the project that is told to start another one: ``python spawn.py -n 8 ./train.py``."""
    folder = os.path.dirname(launch.document.path)
    before = launch.target
    for word in launch.arguments:
        name = word.text or ""
        if name.endswith(".py") and not before.start.startswith("-"):
            named = os.path.normpath(name)
            if path.endswith(f"{os.sep}{named.lstrip('./')}") or os.path.normpath(os.path.join(folder, named)) == path:
                return launch.path is not None and launch.path != path
        before = word
    return False


def _submitting(program: Program, script: str) -> Iterator[Starter]:
    """The scripts that import a library of submissions and the training, whose functions the job calls then."""
    libraries = known(program, "submits")
    for path, module in sorted(program.modules.items()):
        dotted = imported(module)
        if path == script or in_tests(path) or not any(each.partition(".")[0] in libraries for each in dotted):
            continue
        if script not in _brought(program, path, dotted):
            continue
        requeues, place = _requeues(program, path, module), Spot(1, 0, 1, 0)
        own = [call.term.site for function in module.functions.values() for call in calls_of(function)]
        submits = [
            call.term.site
            for function in module.functions.values()
            for call in calls_of(function)
            if (last_name(call.term.callee) or "").startswith("submit")
        ]
        if submits or requeues is not None:
            yield Starter(path, next(iter((*submits, *own)), place), submits=True, requeues=requeues)


def _brought(program: Program, path: str, dotted: list[str]) -> set[str]:
    """The files that a file imports, and those that a package of these hands on."""
    direct = {module_of(program.finder, path, each) for each in dotted} - {None}
    packages = [each for each in direct if each is not None and each.endswith("__init__.py") and each in program.modules]
    more = {module_of(program.finder, each, name) for each in packages for name in imported(program.modules[each])}
    return {each for each in direct | more if each is not None}


def _requeues(program: Program, path: str, module: Module) -> Evidence | None:
    """Where a class that is submitted says how its job goes on elsewhere."""
    names = {name.rpartition(".")[2] for name in known(program, "requeues")}
    for cls in module.classes.values():
        if _TAKEN_AWAY in cls.methods and "__call__" in cls.methods:
            for call in calls_of(module.functions[cls.methods[_TAKEN_AWAY]]):
                if last_name(call.term.callee) in names:
                    return Evidence(path, call.term.site, "a job that is taken away is submitted again")
    return None


def _spawning(program: Program, script: str) -> Iterator[Starter]:
    """The scripts that start another process of Python with this one, which they name."""
    spawning = known(program, "starts-processes")
    index = program.ask(CallGraph)
    name = os.path.basename(script)
    for site in (
        site for each in dict.fromkeys(one.rpartition(".")[2] for one in spawning) for site in index.sites.get(each, ())
    ):
        if site.module == script or in_tests(site.module):
            continue
        callees = program.values(site.call.term.callee, program.frame(site.module, site.function))
        if not any(isinstance(value, Library) and value.name in spawning for value in callees):
            continue
        texts = (text for text in texts_of(site.function, program.modules[site.module]) if name in text)
        if any(_names(program, site.module, each, script) for text in texts for each in _SCRIPT.findall(text)):
            yield Starter(site.module, site.call.term.site, submits=False)


def named_scripts(module: Module) -> Iterator[str]:
    """The scripts that a file which starts processes names, as dotted names: ``tools.train`` for ``"tools/train.py"``."""
    starting = [
        function
        for function in module.functions.values()
        if any(_STARTS.fullmatch(last_name(call.term.callee) or "") for call in calls_of(function))
    ]
    for function in starting if not _PROCESSES.isdisjoint(each.partition(".")[0] for each in imported(module)) else ():
        for text in texts_of(function, module):
            for written in _SCRIPT.findall(text) if text.find(".py") > 0 else ():
                parts = written.lstrip("./").removesuffix(".py").split("/")
                if all(part.isidentifier() for part in parts):
                    yield ".".join(parts)


def _names(program: Program, path: str, written: str, script: str) -> bool:
    """Whether a name is that of a script: from the folder of who writes it, or because no other one is called so."""
    named = os.path.normpath(written)
    if os.path.normpath(os.path.join(os.path.dirname(path), named)) == script:
        return True
    ending = f"{os.sep}{named.lstrip('./')}"
    return script.endswith(ending) and sum(each.endswith(ending) for each in program.modules) == 1


def texts_of(function: Function, module: Module) -> Iterator[str]:
    """The texts that stand in a function of a file, or on its top level."""
    roots = [each for call in calls_of(function) for each in handed(call.term)]
    roots += [node.value for node in of_kind(function, Store)]
    roots += [node.value for node in of_kind(function, Keep)]
    roots += values_of(function)
    roots += module.names.values() if function.name == "<module>" else ()
    for part in parts_of(*roots):
        if isinstance(part, Const) and isinstance(part.value, str):
            yield part.value
