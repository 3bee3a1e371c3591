"""What one call has to do with the current GPU of its process: it chooses one, or works on whichever that is."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from trainlint.facts.calls import Calls, last_name
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other, Value
from trainlint.model.sketch import Call, Function, Keep
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import Failed, Led
from trainlint.model.walk import of_kind


class Touch(Enum):
    """What a call does: it chooses a GPU, it puts something on the current one, the group meets on the current one."""

    CHOOSES = "chooses"
    PUTS = "puts"
    MEETS = "meets"


def touches(program: Program, call: Call, frame: Frame, led: Led) -> Touch | None:
    """What a call has to do with the current GPU; ``led`` are the tests that lead to it."""
    words = program.knowledge.tables["groups"]
    term = call.term
    name = (last_name(term[1]) or "").lower()
    targets = program.ask(Calls).targets(term, frame)
    libraries = {target.name for target in targets if isinstance(target, Library)}
    if not libraries.isdisjoint(words["chooses"]) or _sees(term, words["visible"]):
        return Touch.CHOOSES
    if any(word in name for word in words["choosing"]) and not any(isinstance(target, FunctionValue) for target in targets):
        return Touch.CHOOSES
    if not libraries.isdisjoint(words["meets_on_current"]) and words["told"][0] not in dict(term[3]):
        return Touch.MEETS
    if _is_bare(program, term, frame, libraries) and not apart(program, led):
        return Touch.PUTS
    return None


def sees(program: Program, function: Function) -> bool:
    """Whether a function says which GPUs a process sees."""
    variables = program.knowledge.tables["groups"]["visible"]
    return any(_sees(node.target, variables) for node in of_kind(function, Keep))


def _sees(term: Term, variables: Iterable[str]) -> bool:
    return any(part[0] == "c" and part[2] in variables for part in parts_of(term))


def _is_bare(program: Program, term: Term, frame: Frame, libraries: set[str]) -> bool:
    """Whether a call means the current GPU: ``x.cuda()``, ``x.to("cuda")``, ``device="cuda"``, ``x.pin_memory()``."""
    words = program.knowledge.tables["groups"]
    if not libraries.isdisjoint(words["asks_current"]):
        return not term[2] and not term[3]
    named = dict(term[3])
    if _loads(program, libraries) and any(
        name in named and named[name][0] == "c" and named[name][2] is True for name in words["pins"]
    ):
        return True
    name = term[1][2] if term[1][0] == "a" else None
    if name in words["puts_itself"] or name in words["pins"]:
        return not term[2] and not named
    devices = [named[each] for each in words["device_parameters"] if each in named]
    if name in words["puts"]:
        devices += term[2][:1]
    return any(_stands_for_current(program, device, frame) for device in devices)


def _stands_for_current(program: Program, term: Term, frame: Frame) -> bool:
    """Whether a device is the current GPU, or the host where there is none; whatever the tests say that choose it."""
    words = program.knowledge.tables["groups"]
    found = {_device(program, value) for leaf in _leaves(term) for value in program.values(leaf, frame)}
    return not found.isdisjoint(words["bare"]) and found <= {*words["bare"], *words["beside"]}


def _leaves(term: Term) -> Iterable[Term]:
    if term[0] == "if":
        return (*_leaves(term[2]), *_leaves(term[3]))
    if term[0] == "and":  # ``available and "cuda"``: the other parts are tests
        return _leaves(term[1][-1])
    if term[0] == "or":
        return tuple(leaf for part in term[1] for leaf in _leaves(part))
    return (term,)


def _loads(program: Program, libraries: set[str]) -> bool:
    return any(program.knowledge.kinds.get(name) == "loader" for name in libraries)


def _device(program: Program, value: Value) -> str | None:
    """How a device is written; None for one that is computed."""
    words = program.knowledge.tables["groups"]
    if isinstance(value, Other) and value.term[0] == "c" and isinstance(value.term[2], str):
        return value.term[2]
    makes = isinstance(value, Made) and value.name in words["device_makers"]
    if makes and isinstance(value, Made) and value.call and value.frame and len(value.call[2]) == 1 and not value.call[3]:
        inner = {_device(program, each) for each in program.values(value.call[2][0], value.frame)}
        if inner and inner <= {*words["bare"], *words["beside"]}:
            return next((each for each in words["bare"] if each in inner), next(iter(inner)))
    return None


def apart(program: Program, led: Led) -> bool:
    """Whether a test may let in one process only, or the processes of runs that have only one."""
    groups = program.knowledge.tables["groups"]
    return any(isinstance(test, Failed) or _tells(test, arm, set(groups["apart"]), set(groups["together"])) for test, arm in led)


def _tells(test: Term, arm: bool, apart: set[str], together: set[str]) -> bool:
    if test[0] in ("not", "and", "or"):
        inner = (test[1],) if test[0] == "not" else test[1]
        return any(_tells(each, arm is (test[0] != "not"), apart, together) for each in inner)
    named = {word for part in parts_of(test) for word in _words(part)}
    return not named.isdisjoint(apart) or (not arm and not named.isdisjoint(together))


def _words(part: Term) -> Iterable[str]:
    if part[0] in ("p", "a"):
        return str(part[2]).lower().split("_")
    if part[0] in ("g", "r", "lv"):
        return str(part[1]).lower().replace(".", "_").split("_")
    return ()
