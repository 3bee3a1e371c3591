"""Objects that a class of the project takes up by name, and saves or loads in a loop over all of them.

``checkpointer.add("optimizer", optimizer)`` says more of a checkpoint than the loop does: there stands only ``obj.state_dict()``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.values.words import functions_of, handed, known, split, words_of
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, Element, Kwargs, NestedClass, Or, Param, Select, Self, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.def_use import is_comprehension
from trainlint.program.program import calls_of
from trainlint.program.values import Instance, Library, LibraryObject

#: What functions are called that save and that load.
SAVES = frozenset(("save", "saves", "saver", "saving", "store", "dump", "write", "state_dict"))
LOADS = frozenset(("load", "loads", "loader", "loading", "restore", "recover", "resume", "load_state_dict", "read"))
#: All attributes of an object: ``for name, value in self.__dict__.items()``.
_EVERYTHING = "__dict__"
#: Methods that put something into a dict or a list.
_ADDING = frozenset(("append", "update", "setdefault"))


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
            kept = [each for each in given if not is_none(each)]
            if len(kept) == len(given) and not wanted.isdisjoint(words_of(job.program, *kept)):
                found.append((place, shelf.place))
    return found


def is_of_unknown(job: Job, place: Place) -> bool:
    """Whether a state goes to an object, or is one's, that neither name nor class tells: an optimizer as well as a model."""
    if (
        not isinstance(place.term, Call)
        or last_name(place.term.callee) not in ("load_state_dict", "state_dict")
        or not isinstance(place.term.callee, Attr)
    ):
        return False
    taker: Term = place.term.callee.base
    named = isinstance(taker, Call) and last_name(taker.callee) != "getattr"
    if (
        named
        or isinstance(taker, (Self, NestedClass))
        or any(isinstance(part, Kwargs) for part in parts_of(taker))
        or _is_told(job, place.module, place.function, taker)
    ):
        return False
    given = job.options.origins.passed(taker, place.module) if isinstance(taker, Param) else ()
    return not given or any(
        each.value is None or not _is_told(job, each.module, each.function or place.function, each.value) for each in given
    )


def _is_told(job: Job, module: str, function: Function, taker: Term) -> bool:
    if isinstance(taker, Self) or not frozenset(words_of(job.program, taker)).isdisjoint(known(job.program, "words-of-models")):
        return True
    values = job.program.values(taker, job.program.frame(module, function))
    return any(isinstance(each, (Instance, Library, LibraryObject)) for each in values)


# -- what is looped over -----------------------------------------------------------------------------------------------


def _shelves(job: Job, doing: frozenset[str]) -> Iterator[_Shelf]:
    """The attributes whose items a method that runs saves (or loads) one by one."""
    for path, function in functions_of(job.program, job.files):
        if function.cls is None or id(function) not in job.trail.run:
            continue
        loops = [each for each in of_kind(function, Loop) if each.kind == "for" and not is_comprehension(each)]
        for loop in loops:
            name = _attribute(loop.subject)
            done = None if name is None else _done(job, function, loop, doing)
            if name is not None and done is not None:
                yield _Shelf(path, function.cls, name, done)


def _attribute(subject: Term) -> str | None:
    """The attribute of the object itself that a loop goes over: ``self.states``, ``self.states.items()``."""
    if (
        isinstance(subject, Call)
        and isinstance(subject.callee, Attr)
        and subject.callee.name in ("items", "values")
        and not subject.args
    ):
        subject = subject.callee.base
    return subject.name if isinstance(subject, Attr) and isinstance(subject.base, Self) else None


def _done(job: Job, function: Function, loop: Loop, doing: frozenset[str]) -> Place | None:
    """The call in a loop that is handed an item, or is a method of it, by a name that speaks of saving (or of loading).

    What first asks which class an item is of may leave out just those that are asked about.
    """
    for node, led in walk_tested(loop.body):
        if not isinstance(node, CallStep) or any(_asks_class(test, loop) for test, _ in conditions(led)):
            continue
        callee = node.term.callee
        given = [*handed(node.term), *((callee.base,) if isinstance(callee, Attr) else ())]
        words = frozenset(_called(job, callee))
        if doing.isdisjoint(words) or (doing is SAVES and not LOADS.isdisjoint(words)):
            continue
        if not any(_is_item(each, loop) for each in given):
            continue
        place = next((each for each in job.trail.places if each.term is node.term and each.function is function), None)
        if place is not None and place.way is not None:
            return place
    return None


def _called(job: Job, callee: Term) -> Iterator[str]:
    """The words of what is called: its name, or what the function is found by: ``hook_for(obj, SAVE_HOOKS)(obj, path)``."""
    if isinstance(callee, Call):
        yield from words_of(job.program, callee.callee, *handed(callee))
    elif isinstance(callee, (Subscript, Select, Or)):
        yield from words_of(job.program, callee)
    else:
        yield from split(last_name(callee) or "")


def _is_item(term: Term, loop: Loop) -> bool:
    """Whether a term is what stands in an item, and not its name alone: ``for name, obj in self.states.items()``."""
    if isinstance(term, Subscript) and isinstance(term.base, Element) and term.base.of is loop.subject:
        return bool(isinstance(term.key, Const) and term.key.value == 1)
    return bool(isinstance(term, Element) and term.of is loop.subject)


def _asks_class(test: Term, loop: Loop) -> bool:
    return any(
        isinstance(part, Call) and last_name(part.callee) == "isinstance" and any(_is_item(each, loop) for each in part.args)
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
            if shelf.name == _EVERYTHING and isinstance(node.target, Attr) and isinstance(node.target.base, Self):
                yield here, (node.value,)
            elif _is_shelf(node.target, shelf) and isinstance(node.value, Dict):
                yield from ((here, (key, value)) for key, value in node.value.items if value is not None)
            elif isinstance(node.target, Subscript) and _is_shelf(node.target.base, shelf):
                yield from _given(job, function, here, (node.target.key, node.value))
        for call in calls_of(function):
            callee = call.term.callee
            if isinstance(callee, Attr) and callee.name in _ADDING and _is_shelf(callee.base, shelf):
                yield from _given(job, function, Place(shelf.module, function, call.term, call.term.site, way), call.term.args)


def _is_shelf(term: Term, shelf: _Shelf) -> bool:
    return bool(isinstance(term, Attr) and isinstance(term.base, Self) and term.name == shelf.name)


def _given(job: Job, function: Function, here: Place, given: tuple[Term, ...]) -> Iterator[tuple[Place, tuple[Term, ...]]]:
    """What is put somewhere, by the calls of the method that does it where that is handed it."""
    if not any(isinstance(each, Param) for each in given):
        yield here, given
        return
    for place in job.trail.calls([f".{function.name}"]):
        if place.way is None or not isinstance(place.term, Call) or not isinstance(place.term.callee, Attr):
            continue
        if any(each.function is function for each in job.trail.method(place.term.callee)):
            yield place, tuple(handed(place.term))
