"""How the number of a process on its machine can be written where it starts the group."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.groups.started import Start
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.spawned import Spawned
from trainlint.facts.values import Bound, FunctionValue
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Const, Param, Ref, Subscript, Term
from trainlint.ir.sketch import Module
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of


def choice(program: Program, start: Start) -> str | None:
    """A statement that chooses the GPU of the process; None where nothing is known to say which that is."""
    module = program.modules[start.site.module]
    words = program.knowledge.tables["groups"]
    call = reference(words["choice"][0], module)
    number = _parameter(program, start) or _variable(program, start, module)
    return f"{call}({number})" if call is not None and number is not None else None


def _parameter(program: Program, start: Start) -> str | None:
    """The parameter that numbers the processes of one machine: what starts them hands it on, and it is the rank."""
    given = start.given(program, "rank")
    function = start.function
    if given is None or not isinstance(given, Param) or given.function != function.qualname:
        return None
    name = given.name
    numbers = program.ask(Spawned)
    if name in numbers.numbers(function):
        return name
    sites = program.ask(CallGraph).callers(function)
    return name if sites and all(_hands_on(program, site, start, name) for site in sites) else None


def _hands_on(program: Program, site: CallSite, start: Start, name: str) -> bool:
    """Whether a call hands on the number that its own process was started with."""
    frame = program.frame(site.module, site.function)
    for target in program.ask(CallGraph).targets(site.call.term, frame):
        if isinstance(target, FunctionValue) and target.function is start.function:
            bound = program.enter(target, site.call.term, frame).arguments.get(name)
            if not isinstance(bound, Bound) or not isinstance(bound.term, Param) or bound.term.function != site.function.qualname:
                return False
            if bound.term.name not in program.ask(Spawned).numbers(site.function):
                return False
    return True


def _variable(program: Program, start: Start, module: Module) -> str | None:
    """The variable that launchers set, where the file counts on it or the framework asks for such a launcher."""
    words = program.knowledge.tables["groups"]
    variables = program.knowledge.tables["variables"]["environment"]
    environment = reference(variables[0], module)
    name = words["number"][0]
    if environment is None or not (start.name in words["on_gpus_by_default"] or _reads(module, variables[0], name)):
        return None
    return f'int({environment}["{name}"])'


def _reads(module: Module, variables: str, name: str) -> bool:
    """Whether a file takes a variable of the environment for granted: it asks for it by its key."""
    for function in module.functions.values():
        for node in statements_of(function):
            for root in (getattr(node, "term", None), getattr(node, "value", None), getattr(node, "condition", None)):
                if isinstance(root, Term) and any(_is_item(part, variables, name) for part in parts_of(root)):
                    return True
        for held in held_at_end(function).values():
            if any(_is_item(part, variables, name) for part in parts_of(held)):
                return True
    return any(_is_item(part, variables, name) for held in module.names.values() for part in parts_of(held))


def _is_item(part: Term, variables: str, name: str) -> bool:
    return bool(
        isinstance(part, Subscript)
        and isinstance(part.base, Ref)
        and part.base.name == variables
        and isinstance(part.key, Const)
        and part.key.value == name
    )
