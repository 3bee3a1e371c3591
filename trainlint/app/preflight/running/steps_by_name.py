"""Training steps of what a script makes by a name, or whose class nobody says, and backward passes that train nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from trainlint.app.preflight.line import Place
from trainlint.app.preflight.running.trail import Trail
from trainlint.app.preflight.values.methods import stands_for_others
from trainlint.app.preflight.values.words import functions_of, known, split
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Call, Param, Term
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.leading import Leading, Leads
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import in_tests
from trainlint.program.values import ClassValue, FunctionValue, Library, LibraryObject, Value

#: What finds modules and classes by names; of what these return nothing is known.
_BY_NAME = ("importlib.", "builtins.getattr", "builtins.__import__", "pydoc.locate", "hydra.utils.")
#: Letters of a word that says what an object is.
_LEAST = 4
#: What an object is called that runs a loop; and words of the methods by which it does.
_RUNNERS = frozenset(
    (
        "trainer", "runner", "engine", "solver", "learner", "agent", "experiment", "algorithm", "algo", "task", "workflow",
        "worker", "session", "loop", "pipeline",
    )
)  # fmt: skip
_TRAINS = frozenset(("train", "training", "fit", "learn", "finetune", "pretrain"))


def step_by_name(trail: Trail) -> Place | None:
    """The call that trains, of a method of an object whose class is chosen by a name: ``model.optimize_parameters()``.

    Such a method of a class that the name may mean has a backward pass in it or in what it calls, and is called again and
    again; the weights are updated there, or by the script. What only evaluates calls no such method.
    """
    if in_tests(trail.path):
        return None
    named, every = _methods(trail, trail.by_name), _methods(trail, trail.files)
    run = [each for each in trail.ran if each.way is not None and isinstance(each.term, Call)]
    updating = _evidence(trail, "updates")
    updates = any(isinstance(place.term, Call) and f".{last_name(place.term.callee)}" in updating for place in run)

    backward = _lead(trail, "backward")
    round_trips = [each.function for each in backward.values() if of_kind(each.function, Loop)]
    loops = trail.program.ask(Leading).to(*round_trips, loosely=True)
    steps: Leads = {} if updates else _lead(trail, "updates")

    def trains(place: Place, _: str, function: Function) -> bool:
        again = (place.way is not None and place.way.looped) or id(function) in loops
        return again and id(function) in backward and (updates or id(function) in steps)

    methods = [(each, each.term.callee) for each in run if isinstance(each.term, Call) and isinstance(each.term.callee, Attr)]
    for place, callee in methods:
        for path, function in named.get(callee.name, ()):
            if _may_be(trail, place, callee, path, function) and trains(place, path, function):
                return place
    for place, callee in methods:
        found = _of_unknown(trail, place, callee, every)
        asks = not _TRAINS.isdisjoint(split(callee.name))
        if found and (any if asks else all)(trains(place, *each) for each in found):
            return place
        if asks and not found and any(id(each[1]) in backward for each in _filled_in(trail, place, callee, every)):
            return place
    return None


_Methods = Mapping[str, Sequence[tuple[str, Function]]]


def _methods(trail: Trail, files: Iterable[str]) -> _Methods:
    """The methods in some files by their names, each with its file; not those that only say that others have one."""
    methods: dict[str, list[tuple[str, Function]]] = {}
    for path, function in functions_of(trail.program, files):
        if function.cls is not None and not function.name.startswith("__") and not stands_for_others(function):
            methods.setdefault(function.name, []).append((path, function))
    return methods


def _of_unknown(trail: Trail, place: Place, callee: Attr, every: _Methods) -> list[tuple[str, Function]]:
    """The methods that a call may mean of an object whose class nobody says: it came out of a registry, a configuration.

    They are of classes that are called what the object is called (``trainer.train()``: ``GanTrainer``), or override one method.
    A name that anything may have counts only where the object is called something that runs a loop.
    """
    program, holder, name = trail.program, callee.base, callee.name
    candidates = every.get(name, ())
    frame = program.frame(place.module, place.function)
    values = program.values(callee, frame)
    if not candidates or any(map(_is_settled, (*values, *program.values(holder, frame)))):
        return []
    called = {word for each in _names_of(place, holder, program) for word in split(each) if len(word) >= _LEAST}
    common = name in _evidence(trail, "common-methods")
    if common:
        called &= _RUNNERS
    of_name = [each for each in candidates if any(word in _class_of(each[1]) for word in called)]
    if of_name or common:
        return of_name
    above = [{*_lineage(trail, *each)} for each in candidates]
    return list(candidates) if set.intersection(*above) else []


def _filled_in(trail: Trail, place: Place, callee: Attr, every: _Methods) -> Iterator[tuple[str, Function]]:
    """The methods that a library's loop may run of an object which the library makes by a name: ``build_trainer(cfg).train()``.

    They are of classes of the project that are derived from one of the library which is called what the object is called.
    """
    program, frame = trail.program, trail.program.frame(place.module, place.function)
    makers = {value.name.partition(".")[0] for value in program.values(callee.base, frame) if _is_made_by_name(value)}
    called = {word for each in _names_of(place, callee.base, program) for word in split(each)} & _RUNNERS if makers else ()
    for path, function in (each for some in every.values() for each in some) if called else ():
        cls = program.modules[path].classes.get(function.cls or "")
        for above in program.lineage(ClassValue(path, cls)) if cls is not None else ():
            package, _, name = above.name.partition(".") if isinstance(above, Library) else ("", "", "")
            if package in makers and any(word in name.rpartition(".")[2].lower() for word in called):
                yield path, function


def _is_made_by_name(value: Value) -> TypeGuard[Library | LibraryObject]:
    return isinstance(value, (Library, LibraryObject)) and not value.name.startswith(_BY_NAME) and not _is_settled(value)


def _is_settled(value: Value) -> bool:
    """Whether it is known what is called: a function with a body, something of a class of a library.

    What a library's function returns may be anything: ``from_dict(Settings, found).engine``.
    """
    if isinstance(value, FunctionValue):
        return not stands_for_others(value.function)
    return (
        isinstance(value, Library)
        and not value.name.startswith(_BY_NAME)
        and any(part[:1].isupper() for part in value.name.split("."))
    )


def _class_of(function: Function) -> str:
    return (function.cls or "").rpartition(".")[2].lower()


def _names_of(place: Place, holder: Term, program: Program) -> Iterator[str]:
    """What an object is called where a method of it is called."""
    names = (held_at_end(place.function), *((program.modules[place.module].names,) if place.function.name == "<module>" else ()))
    yield from (name for each in names for name, value in each.items() if value == holder)
    yield last_name(holder) or ""
    if isinstance(holder, (Param, Attr)):
        yield holder.name


def _lineage(trail: Trail, path: str, function: Function) -> Iterator[tuple[str, str]]:
    """The class of a method and those above it that have a method of that name."""
    cls = trail.program.modules[path].classes.get(function.cls or "")
    for each in trail.program.lineage(ClassValue(path, cls)) if cls is not None else ():
        if isinstance(each, ClassValue) and function.name in each.cls.methods:
            yield each.module, each.cls.qualname


def _may_be(trail: Trail, place: Place, callee: Attr, path: str, function: Function) -> bool:
    """Whether a call may be one of a method: nothing else is known to be called."""
    program = trail.program
    cls = program.modules[path].classes.get(function.cls or "")
    above = program.lineage(ClassValue(path, cls)) if cls is not None else ()
    own = {(each.module, each.cls.qualname) for each in above if isinstance(each, ClassValue)}
    for value in program.values(callee, program.frame(place.module, place.function)):
        if isinstance(value, Library) and not value.name.startswith(_BY_NAME):
            return False
        if isinstance(value, FunctionValue) and (value.module, value.function.cls) not in own:
            return False
    return True


def _lead(trail: Trail, key: str) -> Leads:
    """What leads, however many calls lie between, to a function of the job which makes a call that a key of the table names."""
    names = {name.removeprefix(".") for name in _evidence(trail, key)}
    own = (each for _, each in functions_of(trail.program, trail.files))
    made = [each for each in own if any(last_name(call.term.callee) in names for call in calls_of(each))]
    return trail.program.ask(Leading).to(*made, loosely=True)


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
        for target in trail.program.values(call.term.callee, frame):
            if isinstance(target, FunctionValue):
                yield target.function


def _evidence(trail: Trail, key: str) -> list[str]:
    return known(trail.program, key)
