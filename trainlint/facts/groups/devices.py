"""What one call has to do with the current GPU of its process: it chooses one, or works on whichever that is."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other, Value
from trainlint.ir.control_dependence import Failed, Led
from trainlint.ir.nodes import And, Attr, BoolOp, Call, Const, Global, LoopPhi, Not, Or, Param, Ref, Select, Term
from trainlint.ir.sketch import CallStep, Function, Keep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind


class Touch(Enum):
    """What a call does: it chooses a GPU, it puts something on the current one, the group meets on the current one."""

    CHOOSES = "chooses"
    PUTS = "puts"
    MEETS = "meets"


def touches(program: Program, call: CallStep, frame: Frame, led: Led) -> Touch | None:
    """What a call has to do with the current GPU; ``led`` are the tests that lead to it."""
    words = program.knowledge.tables["groups"]
    term = call.term
    name = (last_name(term.callee) or "").lower()
    targets = program.ask(CallGraph).targets(term, frame)
    libraries = {target.name for target in targets if isinstance(target, Library)}
    if not libraries.isdisjoint(words["chooses"]) or _sees(term, words["visible"]):
        return Touch.CHOOSES
    if any(word in name for word in words["choosing"]) and not any(isinstance(target, FunctionValue) for target in targets):
        return Touch.CHOOSES
    if not libraries.isdisjoint(words["meets_on_current"]) and words["told"][0] not in dict(term.kwargs):
        return Touch.MEETS
    if _is_bare(program, term, frame, libraries) and not apart(program, led):
        return Touch.PUTS
    return None


def sees(program: Program, function: Function) -> bool:
    """Whether a function says which GPUs a process sees."""
    variables = program.knowledge.tables["groups"]["visible"]
    return any(_sees(node.target, variables) for node in of_kind(function, Keep))


def _sees(term: Term, variables: Iterable[str]) -> bool:
    return any(isinstance(part, Const) and part.value in variables for part in parts_of(term))


def _is_bare(program: Program, term: Call, frame: Frame, libraries: set[str]) -> bool:
    """Whether a call means the current GPU: ``x.cuda()``, ``x.to("cuda")``, ``device="cuda"``, ``x.pin_memory()``."""
    words = program.knowledge.tables["groups"]
    if not libraries.isdisjoint(words["asks_current"]):
        return not term.args and not term.kwargs
    named = dict(term.kwargs)
    if _loads(program, libraries) and any(
        isinstance(given := named.get(name), Const) and given.value is True for name in words["pins"]
    ):
        return True
    name = term.callee.name if isinstance(term.callee, Attr) else None
    if name in words["puts_itself"] or name in words["pins"]:
        return not term.args and not named
    devices = [named[each] for each in words["device_parameters"] if each in named]
    if name in words["puts"]:
        devices += term.args[:1]
    return any(_stands_for_current(program, device, frame) for device in devices)


def _stands_for_current(program: Program, term: Term, frame: Frame) -> bool:
    """Whether a device is the current GPU, or the host where there is none; whatever the tests say that choose it."""
    words = program.knowledge.tables["groups"]
    found = {_device(program, value) for leaf in _leaves(term) for value in program.values(leaf, frame)}
    return not found.isdisjoint(words["bare"]) and found <= {*words["bare"], *words["beside"]}


def _leaves(term: Term) -> Iterable[Term]:
    if isinstance(term, Select):
        return (*_leaves(term.then), *_leaves(term.other))
    if isinstance(term, And):  # ``available and "cuda"``: the other parts are tests
        return _leaves(term.operands[-1])
    if isinstance(term, Or):
        return tuple(leaf for part in term.operands for leaf in _leaves(part))
    return (term,)


def _loads(program: Program, libraries: set[str]) -> bool:
    return any(program.knowledge.kinds.get(name) == "loader" for name in libraries)


def _device(program: Program, value: Value) -> str | None:
    """How a device is written; None for one that is computed."""
    words = program.knowledge.tables["groups"]
    if isinstance(value, Other) and isinstance(value.term, Const) and isinstance(value.term.value, str):
        return value.term.value
    makes = isinstance(value, Made) and value.name in words["device_makers"]
    if makes and isinstance(value, Made) and value.call and value.frame and len(value.call.args) == 1 and not value.call.kwargs:
        inner = {_device(program, each) for each in program.values(value.call.args[0], value.frame)}
        if inner and inner <= {*words["bare"], *words["beside"]}:
            return next((each for each in words["bare"] if each in inner), next(iter(inner)))
    return None


def apart(program: Program, led: Led) -> bool:
    """Whether a test may let in one process only, or the processes of runs that have only one."""
    groups = program.knowledge.tables["groups"]
    return any(isinstance(test, Failed) or _tells(test, arm, set(groups["apart"]), set(groups["together"])) for test, arm in led)


def _tells(test: Term, arm: bool, apart: set[str], together: set[str]) -> bool:
    if isinstance(test, (Not, BoolOp)):
        inner = (test.operand,) if isinstance(test, Not) else test.operands
        return any(_tells(each, arm is (not isinstance(test, Not)), apart, together) for each in inner)
    named = {word for part in parts_of(test) for word in _words(part)}
    return not named.isdisjoint(apart) or (not arm and not named.isdisjoint(together))


def _words(part: Term) -> Iterable[str]:
    if isinstance(part, (Param, Attr)):
        return part.name.lower().split("_")
    if isinstance(part, (Global, Ref, LoopPhi)):
        return part.name.lower().replace(".", "_").split("_")
    return ()
