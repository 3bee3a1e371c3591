"""Objects that a class of the project takes up by name, and saves or loads in a loop over all of them.

``checkpointer.add("optimizer", optimizer)`` says more of a checkpoint than the loop does: there stands only ``obj.state_dict()``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.facts.calls import last_name
from trainlint.facts.program import calls_of
from trainlint.facts.uses import is_comprehension
from trainlint.facts.values import Instance, Library, Made
from trainlint.model.sketch import Call, Function, Keep, Loop, Store
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import conditions, walk_tested
from trainlint.model.walk import of_kind
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Place

#: What functions are called that save and that load.
SAVES = frozenset(("save", "saves", "saver", "saving", "store", "dump", "write", "state_dict"))
LOADS = frozenset(("load", "loads", "loader", "loading", "restore", "recover", "resume", "load_state_dict", "read"))
#: Methods that put something into a dict or a list.
_ADDING = frozenset(("append", "update", "setdefault"))
#: What is called so is a model, or a part of one.
_MODELS = frozenset(
    (
        *(
            "model",
            "models",
            "net",
            "network",
            "module",
            "encoder",
            "decoder",
            "generator",
            "discriminator",
            "teacher",
            "student",
        ),
        *("backbone", "ema", "unet", "vae", "critic", "actor", "policy", "transformer", "lora", "classifier", "head", "gan"),
        *("weights", "unwrap_model", "netg", "netd", "resnet", "bert", "gpt", "layer", "layers", "modules", "nets"),
    )
)


class _Shelf(NamedTuple):
    """An attribute over which a method loops, and where it saves or loads what it finds there."""

    module: str
    cls: str
    name: str
    place: Place


def registered(job: Job, words: Iterable[str], doing: frozenset[str]) -> list[tuple[Place, Place]]:
    """Where something that has one of some words is taken up by what saves (or loads: ``doing``) it; and where that is done."""
    wanted = frozenset(words)
    found = []
    for shelf in _shelves(job, doing):
        for place, given in _filled(job, shelf):
            kept = [each for each in given if not (each[0] == "c" and each[2] is None)]
            if len(kept) == len(given) and not wanted.isdisjoint(words_of(job.program, place.module, *kept)):
                found.append((place, shelf.place))
    return found


def is_of_unknown(job: Job, place: Place) -> bool:
    """Whether a state goes to an object, or is one's, that neither name nor class tells: an optimizer as well as a model."""
    if place.term[0] != "call" or last_name(place.term[1]) not in ("load_state_dict", "state_dict") or place.term[1][0] != "a":
        return False
    taker: Term = place.term[1][1]
    named = taker[0] == "call" and last_name(taker[1]) != "getattr"
    if (
        named
        or taker[0] in ("self", "cls")
        or any(part[0] == "kw" for part in parts_of(taker))
        or _is_told(job, place.module, place.function, taker)
    ):
        return False
    given = job.options.origins.every(taker, place.module) if taker[0] == "p" else ()
    return not given or any(
        each.value is None or not _is_told(job, each.module, each.function or place.function, each.value) for each in given
    )


def _is_told(job: Job, module: str, function: Function, taker: Term) -> bool:
    if taker[0] == "self" or not _MODELS.isdisjoint(words_of(job.program, module, taker)):
        return True
    values = job.program.values(taker, job.program.frame(module, function))
    return any(isinstance(each, (Instance, Library, Made)) for each in values)


# -- what is looped over -----------------------------------------------------------------------------------------------


def _shelves(job: Job, doing: frozenset[str]) -> Iterator[_Shelf]:
    """The attributes whose items a method that runs saves (or loads) one by one."""
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            if function.cls is None or id(function) not in job.trail.run:
                continue
            loops = [each for each in of_kind(function, Loop) if each.kind == "for" and not is_comprehension(each)]
            for loop in loops:
                name = _attribute(loop.subject)
                done = None if name is None else _done(job, path, function, loop, doing)
                if name is not None and done is not None:
                    yield _Shelf(path, function.cls, name, done)


def _attribute(subject: Term) -> str | None:
    """The attribute of the object itself that a loop goes over: ``self.states``, ``self.states.items()``."""
    if subject[0] == "call" and subject[1][0] == "a" and subject[1][2] in ("items", "values") and not subject[2]:
        subject = subject[1][1]
    return str(subject[2]) if subject[0] == "a" and subject[1][0] == "self" else None


def _done(job: Job, path: str, function: Function, loop: Loop, doing: frozenset[str]) -> Place | None:
    """The call in a loop that is handed an item, or is a method of it, by a name that speaks of saving (or of loading).

    What first asks which class an item is of may leave out just those that are asked about.
    """
    for node, led in walk_tested(loop.body):
        if not isinstance(node, Call) or any(_asks_class(test, loop) for test, _ in conditions(led)):
            continue
        callee = node.term[1]
        given = [*handed(node.term), *((callee[1],) if callee[0] == "a" else ())]
        words = frozenset(_called(job, path, callee))
        if doing.isdisjoint(words) or (doing is SAVES and not LOADS.isdisjoint(words)):
            continue
        if not any(_is_item(each, loop) for each in given):
            continue
        place = next((each for each in job.trail.places if each.term is node.term and each.function is function), None)
        if place is not None and place.way is not None:
            return place
    return None


def _called(job: Job, path: str, callee: Term) -> Iterator[str]:
    """The words of what is called: its name, or what the function is found by: ``hook_for(obj, SAVE_HOOKS)(obj, path)``."""
    if callee[0] == "call":
        yield from words_of(job.program, path, callee[1], *handed(callee))
    elif callee[0] in ("sub", "if", "or"):
        yield from words_of(job.program, path, callee)
    else:
        yield from split(last_name(callee) or "")


def _is_item(term: Term, loop: Loop) -> bool:
    """Whether a term is what stands in an item, and not its name alone: ``for name, obj in self.states.items()``."""
    if term[0] == "sub" and term[1][0] == "elem" and term[1][1] is loop.subject:
        return bool(term[2][0] == "c" and term[2][2] == 1)
    return bool(term[0] == "elem" and term[1] is loop.subject)


def _asks_class(test: Term, loop: Loop) -> bool:
    return any(
        part[0] == "call" and last_name(part[1]) == "isinstance" and any(_is_item(each, loop) for each in part[2])
        for part in parts_of(test)
    )


# -- what is put there -------------------------------------------------------------------------------------------------


def _filled(job: Job, shelf: _Shelf) -> Iterator[tuple[Place, tuple[Term, ...]]]:
    """Where something is put on a shelf, and what: under which name, and the thing itself."""
    for function in job.program.modules[shelf.module].functions.values():
        way = job.trail.run.get(id(function))
        if function.cls != shelf.cls or way is None:
            continue
        stored: list[Store | Keep] = [*of_kind(function, Store), *of_kind(function, Keep)]
        for node in stored:
            here = Place(shelf.module, function, node.target, node.spot, way)
            if _is_shelf(node.target, shelf) and node.value[0] == "dict":
                yield from ((here, (key, value)) for key, value in node.value[1] if value is not None)
            elif node.target[0] == "sub" and _is_shelf(node.target[1], shelf):
                yield from _given(job, function, here, (node.target[2], node.value))
        for call in calls_of(function):
            callee = call.term[1]
            if callee[0] == "a" and callee[2] in _ADDING and _is_shelf(callee[1], shelf):
                yield from _given(job, function, Place(shelf.module, function, call.term, call.term[4], way), call.term[2])


def _is_shelf(term: Term, shelf: _Shelf) -> bool:
    return bool(term[0] == "a" and term[1][0] == "self" and term[2] == shelf.name)


def _given(job: Job, function: Function, here: Place, given: tuple[Term, ...]) -> Iterator[tuple[Place, tuple[Term, ...]]]:
    """What is put somewhere, by the calls of the method that does it where that is handed it."""
    if not any(each[0] == "p" for each in given):
        yield here, given
        return
    for place in job.trail.calls([f".{function.name}"]):
        if place.way is None or place.term[0] != "call" or place.term[1][0] != "a":
            continue
        if any(each.function is function for each in job.trail.method(place.term[1])):
            yield place, tuple(handed(place.term))
