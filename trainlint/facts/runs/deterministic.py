"""Runs that ask for results that repeat, on a GPU, and leave out the variable that cuBLAS reads for that."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.config.exported import is_exported
from trainlint.facts import def_use as parts
from trainlint.facts.api.targets import targeted
from trainlint.facts.api.uses import CALL, Use, Uses
from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.framework import framework
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.timing.device import Device
from trainlint.facts.values import FunctionValue
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Call, Const, Term
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of


class Incomplete(NamedTuple):
    """A call that asks for such results; ``warns``: PyTorch only warns; ``code`` sets the variable."""

    use: Use
    variable: str
    until: str
    warns: bool
    code: str


def incomplete(program: Program) -> Iterator[Incomplete]:
    """The calls that ask for it where nobody sets the variable, and the version may be one that looks for it."""
    tables = program.knowledge.tables
    given, about = tables["deterministic"], tables["deterministic.variable"]
    name, value, until = (str(about[key]) for key in ("name", "value", "until"))
    for use in program.ask(Uses).of(given):
        if use.kind != CALL or use.site is None or tests_software(program, use.module, use.function):
            continue
        call = use.site.call.term
        if not _is_on(_argument(call, str(given[use.name]))) or _for_others(program, use):
            continue
        target = targeted(program, use.module, framework(program))
        if target.reaches(until) and not target.older_than(until):
            continue
        around = (program.component(use.module), os.path.dirname(use.module), name)  # noqa: PTH120 - paths are plain strings here
        if not _on_gpu(program, use.module) or program.ask_of(_is_set, around):
            continue
        warns = any(keyword in tables["deterministic.asked"]["names"] and _may_be_on(each) for keyword, each in call.kwargs)
        yield Incomplete(use, name, until, warns, _code(program, use, name, value))


def _for_others(program: Program, use: Use) -> bool:
    """Whether a test around a use asks for another kind of device: ``if device == "xpu"``."""
    others = program.knowledge.tables["accelerators.others"]["names"]
    for node, led in walk_tested(use.function.body):
        if isinstance(node, CallStep) and use.site is not None and node.term is use.site.call.term:
            return any(
                arm and isinstance(part, Const) and isinstance(part.value, str) and part.value.partition(":")[0] in others
                for test, arm in conditions(led)
                for part in parts_of(test)
            )
    return False


def _argument(call: Call, said: str) -> Term | None:
    position, _, name = said.partition(" ")
    given = next((value for keyword, value in call.kwargs if keyword == name), None)
    return call.args[int(position)] if given is None and len(call.args) > int(position) else given


def _is_on(value: Term | None) -> bool:
    return value is not None and isinstance(value, Const) and value.value is True


def _may_be_on(value: Term) -> bool:
    return not (isinstance(value, Const) and value.value is False)


def _on_gpu(program: Program, path: str) -> bool:
    """Whether a file, or one that belongs to it, puts something on a GPU."""
    asked = program.ask(Device)
    return asked.used(path) or any(asked.used(other) for other in program.modules if program.together(path, other))


def _is_set(program: Program, about: tuple[str, str, str]) -> bool:
    """Whether the files of a component, a library that they ask, or a script around a folder set a variable."""
    component, folder, variable = about
    return (
        any(_speaks(program, path, variable) for path in program.modules if program.component(path) == component)
        or _is_set_by_library(program, component)
        or (bool(program.finder.top) and is_exported(variable, folder, program.finder.top, program.ask_of(_exported, variable)))
    )


def _exported(_program: Program, _variable: str) -> dict[str, bool]:
    """By folder whether a file there speaks of a variable, as far as it was asked."""
    return {}


def _speaks(program: Program, path: str, variable: str) -> bool:
    """Whether a file mentions the variable by its name."""
    if any(
        isinstance(part, Const) and part.value == variable
        for term in program.modules[path].names.values()
        for part in parts_of(term)
    ):
        return True
    return any(isinstance(part, Const) and part.value == variable for part in program.ask(parts.Uses).parents(path).of)


def _is_set_by_library(program: Program, component: str) -> bool:
    for name, argument in program.knowledge.tables["deterministic.sets"].items():
        for site in program.ask(CallGraph).sites_named(name):
            told = not argument or any(keyword == argument for keyword, _ in site.call.term.kwargs)
            if (
                told
                and program.component(site.module) == component
                and last_name(site.call.term.callee) == name
                and not _is_own(program, site)
            ):
                return True
    return False


def _is_own(program: Program, site: CallSite) -> bool:
    """Whether a function of the project goes by that name."""
    targets = program.ask(CallGraph).targets(site.call.term, program.frame(site.module, site.function))
    return any(isinstance(target, FunctionValue) for target in targets)


def _code(program: Program, use: Use, variable: str, value: str) -> str:
    """What sets the variable above the call, unless somebody has set it."""
    own = reference("os", program.modules[use.module])
    setting = f'{own or "os"}.environ.setdefault("{variable}", "{value}")'
    return setting if own is not None else f"import os\n\n{setting}"
