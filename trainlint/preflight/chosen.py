"""Training steps of what a script makes by a name, and backward passes that train nothing."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.calls import calls, last_name
from trainlint.facts.program import calls_of
from trainlint.facts.software_tests import in_tests
from trainlint.facts.values import ClassValue, FunctionValue, Library
from trainlint.model.sketch import Function, Loop
from trainlint.model.walk import of_kind
from trainlint.preflight.known import known
from trainlint.preflight.methods import stands_for_others
from trainlint.preflight.trail import Trail
from trainlint.preflight.ways import Place

#: Functions that one method is followed through.
_MOST = 300
#: What finds modules and classes by names; of what these return nothing is known.
_BY_NAME = ("importlib.", "builtins.getattr", "builtins.__import__", "pydoc.locate", "hydra.utils.")
_BACKWARD, _UPDATE, _LOOP = "backward", "update", "loop"


def step_by_name(trail: Trail) -> Place | None:
    """The call that trains, of a method of an object whose class is chosen by a name: ``model.optimize_parameters()``.

    Such a method of a class that the name may mean has a backward pass in it or in what it calls, and is called again and
    again; the weights are updated there, or by the script. What only evaluates calls no such method.
    """
    files = trail.by_name
    if not files or in_tests(trail.path):
        return None
    methods: dict[str, list[tuple[str, Function]]] = {}
    for path in sorted(files):
        for function in trail.program.modules[path].functions.values():
            if function.cls is not None and not function.name.startswith("__") and not stands_for_others(function):
                methods.setdefault(function.name, []).append((path, function))
    updates = any(place.way is not None for place in trail.calls(_evidence(trail, "updates")))
    for place in trail.places:
        if place.way is None or place.term[0] != "call" or place.term[1][0] != "a":
            continue
        for path, function in methods.get(place.term[1][2], ()):
            if not _may_be(trail, place, path, function):
                continue
            does = _does(trail, path, function)
            if _BACKWARD in does and (updates or _UPDATE in does) and (place.way.looped or _LOOP in does):
                return place
    return None


def _may_be(trail: Trail, place: Place, path: str, function: Function) -> bool:
    """Whether a call may be one of a method: nothing else is known to be called."""
    program = trail.program
    cls = program.modules[path].classes.get(function.cls or "")
    above = program.lineage(ClassValue(path, cls)) if cls is not None else ()
    own = {(each.module, each.cls.qualname) for each in above if isinstance(each, ClassValue)}
    for value in program.values(place.term[1], program.frame(place.module, place.function)):
        if isinstance(value, Library) and not value.name.startswith(_BY_NAME):
            return False
        if isinstance(value, FunctionValue) and (value.module, value.function.cls) not in own:
            return False
    return True


def _does(trail: Trail, path: str, function: Function) -> set[str]:
    """What is done in a method, and in what it calls."""
    index = calls(trail.program)
    backward = {name.removeprefix(".") for name in _evidence(trail, "backward")}
    updates = {name.removeprefix(".") for name in _evidence(trail, "updates")}
    found: set[str] = set()
    waiting, seen = [(path, function)], {id(function)}
    while waiting and len(seen) < _MOST:
        here, current = waiting.pop()
        if of_kind(current, Loop):
            found.add(_LOOP)
        frame = trail.program.frame(here, current)
        for call in calls_of(current):
            name = last_name(call.term[1])
            found.update(what for what, names in ((_BACKWARD, backward), (_UPDATE, updates)) if name in names)
            for target in index.targets(call.term, frame):
                if isinstance(target, FunctionValue) and target.module in trail.files and id(target.function) not in seen:
                    seen.add(id(target.function))
                    waiting.append((target.module, target.function))
    return found


def never_repeats(trail: Trail) -> bool:
    """Whether a script is seen to run each of its backward passes once: it compares or measures something, and trains nothing.

    They stand outside of all loops, on the script's top level or in a function that it calls there itself. What is handed to
    somebody else may be run again and again.
    """
    places = trail.calls(_evidence(trail, "backward"))
    if not places or any(place.way is None or place.way.looped for place in places):
        return False
    direct = {id(function) for function in _called(trail)}
    return all(place.module == trail.path and id(place.function) in direct for place in places)


def _called(trail: Trail) -> Iterator[Function]:
    """The top level of a script, and the functions that it calls there itself."""
    top = trail.program.modules[trail.path].functions["<module>"]
    frame = trail.program.frame(trail.path, top)
    yield top
    for call in calls_of(top):
        for target in trail.program.values(call.term[1], frame):
            if isinstance(target, FunctionValue):
                yield target.function


def _evidence(trail: Trail, key: str) -> list[str]:
    return known(trail.program, key)
