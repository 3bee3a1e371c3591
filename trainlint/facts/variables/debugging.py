"""Variables that show what a program does and make it slow, set whatever happens."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program
from trainlint.facts.software_tests import in_tests, tests_software
from trainlint.facts.variables.written import Write, writes
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Const
from trainlint.ir.sketch import Function

_HIGHEST = 3


def left_on(program: Program) -> Iterator[Write]:
    """Each statement that sets such a variable under no test, in no function whose name asks for it."""
    words = program.knowledge.tables["variables"]
    for write in program.ask(writes):
        value = str(write.value.value).upper() if isinstance(write.value, Const) else None
        if f"{write.name}={value}" not in words["slow"] or write.led or write.optional:
            continue
        if tests_software(program, write.module, write.function) or _is_for_tests(write.module, words["asked"]):
            continue
        if any(each.function is write.function and each.name in words["repeats"] for each in program.ask(writes)):
            continue
        if not _is_undone(program, write) and not _is_asked_for(program, write.function, words["asked"], _HIGHEST):
            yield write


def cost(program: Program, write: Write) -> str:
    """What such a variable costs a run, as a sentence."""
    return str(program.knowledge.tables["variables.costs"].get(write.name, ""))


def _is_for_tests(module: str, asked: list[str]) -> bool:
    """Whether the path of a file says that it is no program of its own."""
    name = module.lower().replace("-", "_").rpartition("/")[2]
    return any(word in name for word in asked) or in_tests(module)


def _is_undone(program: Program, write: Write) -> bool:
    """Whether the file sets the variable to something else as well: it is turned on for a while."""
    same = (each for each in program.ask(writes) if each.module == write.module and each.name == write.name)
    return any(each.value.parts != write.value.parts for each in same)


def _is_asked_for(program: Program, function: Function, asked: list[str], depth: int) -> bool:
    """Whether a name, or a test that leads to all calls of the function, says that somebody wants to know."""
    if function.kind == "module":
        return False
    if any(word in function.qualname.lower() for word in asked):
        return True
    sites = [site for site in program.ask(CallGraph).callers(function) if site.function is not function]
    if not sites or depth == 0:
        return not sites
    for site in sites:
        led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
        if not led and not _is_asked_for(program, site.function, asked, depth - 1):
            return False
    return True
