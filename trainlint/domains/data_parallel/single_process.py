"""The models that one process copies to several GPUs in every step of a training."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.device import Device
from trainlint.edits.changes import Rewrite
from trainlint.finding import Applicability
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import Attr, Call, Global, Ref, SequenceDisplay, Term
from trainlint.ir.order import before, loops_around
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.terms import parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph
from trainlint.program.library_uses import Use, Uses
from trainlint.program.loops import Loops
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import is_called_so, tests_software
from trainlint.program.values import FunctionValue, names_class

#: How tests are called.
_TEST = "test_"
_DEVICES, _POSITION = "device_ids", 1


class Replicated(NamedTuple):
    """A call that makes such a model, and how it would be made for one process on each GPU."""

    use: Use
    change: Rewrite | None


def replicated(program: Program) -> Iterator[Replicated]:
    """Each such call in a project that trains, unless the same function can also wrap the model for many processes."""
    for use in program.ask(Uses).calls(program.knowledge.replicates):
        if use.site is None or _is_test(program, use):
            continue
        call = use.site.call.term
        if (
            _on_one(call)
            or _without_gpu(program, use, call)
            or _offers_more(program, use)
            or not _trains(program, use)
            or _only_evaluates(program, use, call)
        ):
            continue
        yield Replicated(use, _change(program, use, call))


def _is_test(program: Program, use: Use) -> bool:
    """Whether a use is in a test of software: what is called so as a whole, or a method that is, in a file that is."""
    named = use.module.rpartition("/")[2].startswith(_TEST) and is_called_so(use.function.name)
    return named or tests_software(program, use.module, use.function)


def _on_one(call: Call) -> bool:
    """Whether the model goes to one device: nothing is copied then, and only the names of its parameters change."""
    given = dict(call.kwargs).get(_DEVICES, call.args[_POSITION] if len(call.args) > _POSITION else None)
    return given is not None and isinstance(given, SequenceDisplay) and type(given.items) is tuple and len(given.items) <= 1


def _without_gpu(program: Program, use: Use, call: Call) -> bool:
    """Whether a test that leads to the call says that there is no GPU: nothing is copied then."""
    return any(program.ask(Device).excludes(*each) for each in conditions(led_to(use.function, call)))


def _offers_more(program: Program, use: Use) -> bool:
    """Whether the function, or its class, also wraps a model for one process on each GPU."""
    module = program.modules[use.module]
    functions = [use.function]
    if use.function.cls is not None:
        functions += [each for each in module.functions.values() if each.cls == use.function.cls]
    return any(_wraps(program, use.module, function, deeper=True) for function in functions)


def _wraps(program: Program, module: str, function: Function, *, deeper: bool) -> bool:
    """Whether a function wraps something for many processes, itself or in a function of the project that it calls."""
    known = program.knowledge.parallel
    frame = program.frame(module, function)
    for call in calls_of(function):
        if deeper and isinstance(call.term.callee, (Ref, Global)):
            for value in program.values(call.term.callee, frame):
                if isinstance(value, FunctionValue) and _wraps(program, value.module, value.function, deeper=False):
                    return True
        for part in (*parts_of(call.term.callee), *call.term.args):
            if isinstance(part, Ref) and program.knowledge.canonical(part.name) in known:
                return True
    return False


def _trains(program: Program, use: Use) -> bool:
    """Whether the function of a use trains, or one that calls it: there is a backward pass in its file, or it runs one."""
    files = program.ask(_files_that_train)
    callers = ((site.module, site.function) for site in program.ask(CallGraph).callers(use.function))
    around = ((use.module, use.function), *callers)
    return any(module in files for module, _ in around) or any(_runs_training(program, *each) for each in around)


def _runs_training(program: Program, module: str, function: Function) -> bool:
    """Whether a function runs one of the project, in whatever file, that trains: ``Solver(model).train()``."""
    asked, frame, names = program.ask(Loops), program.frame(module, function), program.knowledge.training
    run = (target for call in calls_of(function) for target in asked.index.targets(call.term, frame))
    return any(isinstance(each, FunctionValue) and asked.function_says(each.module, each.function, names) for each in run)


def _only_evaluates(program: Program, use: Use, wrap: Call) -> bool:
    """Whether nothing is trained from a wrap on, in the function that keeps the wrapped model to itself.

    What only runs a model once (``data_parallel``) gives its output, which may be trained on wherever it goes.
    """
    function = use.function
    if not names_class(use.name):
        return False
    bound: tuple[Store | Keep, ...] = (*of_kind(function, Store), *of_kind(function, Keep))
    kept = (*program.returns(function), *(node.value for node in bound))
    fluent = program.knowledge.fluent
    if function.kind == "module" or any(part is wrap for each in kept for part in parts_through(each, partial(_held, fluent))):
        return False
    asked, frame, names = program.ask(Loops), program.frame(use.module, function), program.knowledge.training
    around = {id(loop) for loop in loops_around(function, wrap)}
    return not any(
        asked.call_says(node.term, frame, names)
        for node in calls_of(function)
        if before(function, wrap, node) or not around.isdisjoint(id(loop) for loop in loops_around(function, node))
    )


def _held(fluent: Container[str], term: Term) -> Sequence[Term]:
    """What a value holds: what a model is given, and what it returns, does not hold the model."""
    if not isinstance(term, Call):
        return tuple(term.subterms())
    itself = (term.callee.base,) if isinstance(term.callee, Attr) and term.callee.name in fluent else ()
    return (*itself, *term.args, *(value for _, value in term.kwargs))


def _files_that_train(program: Program) -> frozenset[str]:
    """The files with a backward pass."""
    sites = program.ask(CallGraph).sites
    return frozenset(site.module for name in program.knowledge.backward for site in sites.get(name, ()))


def _change(program: Program, use: Use, call: Call) -> Rewrite | None:
    """What it looks like in a process that has one GPU; shown only, since the script must be started once for each."""
    if not call.args or not isinstance(call.callee, Ref) or not names_class(use.name):
        return None
    instead = program.knowledge.written["wraps"]
    name = reference(instead, program.modules[use.module]) or instead.rpartition(".")[2]
    code = f"{name}({{0}}, {_DEVICES}=[local_rank])"
    message = "Use `DistributedDataParallel` with one process per GPU"
    return Rewrite(Applicability.DISPLAY, message, spot=use.spot, code=code, paths=((("argument", 0),),))
