"""How a checkpoint is loaded: leniently, onto which device, and under which keys."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice
from typing import NamedTuple

from trainlint.domains.checkpoints.reads import Origins, Read, Reads
from trainlint.domains.checkpoints.resume import Resumption, Resumptions
from trainlint.domains.checkpoints.saves import Contents, Save, States, Written
from trainlint.domains.files import argument
from trainlint.finding import Spot
from trainlint.flow.objects import Things
from trainlint.flow.roles import name_of, named
from trainlint.ir.nodes import (
    VARIABLES,
    Attr,
    Call,
    Collected,
    Const,
    Dict,
    Element,
    Global,
    LoopPhi,
    Param,
    Ref,
    Select,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import within
from trainlint.ir.sketch import Function, Keep, Loop
from trainlint.ir.terms import all_parts, dotted_name, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import constant_everywhere
from trainlint.program.contexts import handed_down, own_then_called
from trainlint.program.def_use import Uses
from trainlint.program.guards import guards
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, LibraryObject

_STATE, _STRICT = "state_dict", "strict"
#: A key of the state of every optimizer.
_GROUPS = "param_groups"
#: What stands in the name of what reads a file.
_LOADS = "load"
#: Methods by which the keys of a state are gone over, to choose or to rename them.
_GOES_OVER = frozenset(("items", "keys", "pop"))


class Lenient(NamedTuple):
    """A call that takes what fits and throws away its answer; ``sorted`` is where the function goes over the keys of some dict.

    That may be where it chooses the keys, and knows what it leaves out.
    """

    site: CallSite
    sorted: Spot | None


def lenient(program: Program) -> Iterator[Lenient]:
    """Each such call, in a function that does not choose the keys itself."""
    for name in sorted(program.knowledge.takes_weights):
        for site in program.ask(CallGraph).sites.get(name, ()):
            call = site.call.term
            given = argument(call, "1", _STRICT)
            strict = constant_everywhere(program, site, given) if given is not None else None
            if not isinstance(call.callee, Attr) or strict is None or strict.value is not False:
                continue
            if site.call.statement != call.site:
                continue
            if tests_software(program, site.module, site.function):
                continue
            frame = next((each for each in own_then_called(program, site) if _is_from_file(program, site, each)), None)
            state = argument(call, "0", _STATE)
            if frame is None or state is None or _is_chosen(program, state, frame, call):
                continue
            going_over = (_going_over(each.function) for each in frame.active() if each.module == site.module)
            yield Lenient(site, next((each for each in going_over if each is not None), None))


def _is_from_file(program: Program, site: CallSite, frame: Context) -> bool:
    """Whether a state surely is what was loaded in an activation of this function, or an item of it."""
    given = argument(site.call.term, "0", _STATE)
    return given is not None and all(_is_loaded(program, each, frame) for each in _wholes(given))


def _wholes(given: Term) -> Iterator[Term]:
    """What a state is an item of, in each case: ``state["model"] if "model" in state else state``."""
    if isinstance(given, Select):
        yield from _wholes(given.then)
        yield from _wholes(given.other)
    elif isinstance(given, Subscript):
        yield from _wholes(given.base)
    else:
        yield given


def _is_loaded(program: Program, whole: Term, frame: Context) -> bool:
    if isinstance(whole, Call) and _LOADS in (last_name(whole.callee) or ""):
        return True
    words = program.knowledge.tables["checkpoints"]
    values = program.values(whole, frame)
    return bool(values) and all(isinstance(value, LibraryObject) and words.get(value.name) == "load" for value in values)


def _is_chosen(program: Program, state: Term, frame: Context, call: Call) -> bool:
    """Whether one of the functions that hand a state down to where it is used chooses the keys itself."""
    above = [each for whole in _wholes(state) for each in islice(handed_down(whole, frame, call), 1, None)]
    return any(_chooses(program, *each) for each in ((frame, call, state), *above))


def _chooses(program: Program, frame: Context, call: Call | None, given: Term) -> bool:
    """Whether a function that calls with some state goes over the keys of it: then it knows what it leaves out."""
    if isinstance(given, (Dict, Collected)) or _is_copied(program, given):
        return True
    if call is not None and any(guard.kind == "handler" for guard in guards(program, frame.function).get(call, ())):
        return True  # somebody has tried to load all of it
    wholes = list(_wholes(given))
    for loop in of_kind(frame.function, Loop):
        if loop.kind != "for":
            continue
        parts = list(parts_of(loop.subject))
        if any(part is given for part in parts):
            return True
        if _is_going_over(loop.subject) and (
            _is_copied(program, loop.subject) or any(part is whole for part in parts for whole in wholes)
        ):
            return True
    parents = program.ask(Uses).parents(frame.module).of.get(given, ())
    return any(isinstance(parent, Attr) and parent.name in _GOES_OVER for parent, _ in parents)


def _going_over(function: Function) -> Spot | None:
    return next((loop.spot for loop in of_kind(function, Loop) if loop.kind == "for" and _is_going_over(loop.subject)), None)


def _is_copied(program: Program, given: Term) -> bool:
    """Whether a state is that of a model that lives: what of it fits is known to who made both."""
    return any(isinstance(part, Call) and last_name(part.callee) in program.knowledge.copies_weights for part in parts_of(given))


def _is_going_over(subject: Term) -> bool:
    return (
        isinstance(subject, Call)
        and bool(subject.args or isinstance(subject.callee, Attr))
        and (
            (isinstance(subject.callee, Attr) and subject.callee.name in _GOES_OVER)
            or any(_is_going_over(part) for part in subject.args)
        )
    )


_MAP = "map_location"


class Unmapped(NamedTuple):
    """A load without a place for the tensors; ``restored`` what it is given to, and where a process joins the job.

    ``near``: the load is a part of that job. Else it is of an optimizer's state, in a program that somewhere joins one.
    """

    site: CallSite
    restored: Call
    joined: CallSite
    near: bool


def unmapped(program: Program) -> Iterator[Unmapped]:
    """Each such load of a state that a model or an optimizer is given."""
    joins = list(_joins(program))
    if not joins:
        return
    words = program.knowledge.tables["checkpoints"]
    for name in sorted({name.rpartition(".")[2] for name, word in words.items() if word == "load"}):
        for site in program.ask(CallGraph).sites_named(name):
            call = site.call.term
            dotted = dotted_name(call.callee)
            if (
                dotted is None
                or words.get(program.knowledge.canonical(dotted)) != "load"
                or tests_software(program, site.module, site.function)
            ):
                continue
            if len(call.args) != 1 or any(name in (None, _MAP, "mmap") for name, _ in call.kwargs):
                continue
            if _is_for_one(program, site) or _is_mapped_beside(program, site) or _is_own(program, site):
                continue
            near = _job_of(program, site, joins)
            joined = near or next((each for each in joins if program.together(each.module, site.module)), None)
            restored = _restored(program, site) if joined is not None else None
            if joined is None or restored is None:
                continue
            if _loads_for_training(program, site, restored) if near is not None else _is_optimizer(program, restored):
                yield Unmapped(site, restored.call.term, joined, near is not None)


def _joins(program: Program) -> Iterator[CallSite]:
    """Where a process joins a job whose ranks may have a GPU each."""
    knowledge = program.knowledge
    names = knowledge.jobs | knowledge.job_wrappers
    found: list[CallSite] = []
    without: set[str] = set()
    for name in sorted({name.rpartition(".")[2] for name in names}):
        for site in program.ask(CallGraph).sites_named(name):
            dotted = dotted_name(site.call.term.callee)
            if dotted is None or knowledge.canonical(dotted) not in names or tests_software(program, site.module, site.function):
                continue
            backend = argument(site.call.term, "0", "backend")
            if (
                backend is not None
                and isinstance(backend, Const)
                and backend.value in knowledge.tables["checkpoints.on_cpu"]["names"]
            ):
                without.add(site.module)
            found.append(site)
    yield from (site for site in found if site.module not in without)


def _job_of(program: Program, site: CallSite, joins: list[CallSite]) -> CallSite | None:
    """The job of which a load is a part: its file or a caller's joins it, or its function knows its rank, and others join."""
    files = {site.module, *(each.module for each in program.ask(CallGraph).callers(site.function))}
    near = next((each for each in joins if each.module in files), None)
    if near is not None:
        return near
    if not any(name.lower() in program.knowledge.conventions for name in site.function.parameters):
        return None
    return next((each for each in joins if program.together(each.module, site.module)), None)


def _is_own(program: Program, site: CallSite) -> bool:
    """Whether each rank has a file of its own: then it is that of its own device."""
    return any(tells_rank(program, part) for part in all_parts(*site.call.term.args))


def tells_rank(program: Program, term: Term) -> bool:
    """Whether something says which process this is: a library's function, a variable, what goes by a name for that."""
    if isinstance(term, Const):
        return term.value in program.knowledge.environment
    if not isinstance(term, (Param, Attr, Global, LoopPhi, Call, Ref)):
        return False
    name = name_of(term)
    return name.lower() in program.knowledge.conventions or any(each.endswith(f".{name}") for each in program.knowledge.ranks)


def _loads_for_training(program: Program, site: CallSite, restored: CallSite) -> bool:
    """Whether a file holds more than weights that somebody may have published: an optimizer's state, or several keys."""
    keys = {read.key for read in program.ask(Reads).all if read.load.call is site.call.term}
    if len(keys) > 1:
        return True
    return _is_optimizer(program, restored)


def _is_optimizer(program: Program, site: CallSite) -> bool:
    """Whether what is given a state is an optimizer, or is taken from what is called as these are."""
    callee = site.call.term.callee
    if not isinstance(callee, Attr):
        return False  # a function of that name
    receiver = callee.base
    if program.ask(Things).of(receiver, program.frame(site.module, site.function)).kind == "optimizer":
        return True
    return any(named(program.knowledge, part) == "optimizer" for part in parts_of(receiver) if isinstance(part, VARIABLES))


def _is_for_one(program: Program, site: CallSite) -> bool:
    """Whether a test that asks which process this is stands around a load."""
    asked = guards(program, site.function).get(site.call.term, ())
    tests = (condition for guard in asked for condition, _ in guard.parts)
    return any(tells_rank(program, part) for test in tests for part in parts_of(test))


def _is_mapped_beside(program: Program, site: CallSite) -> bool:
    """Whether the same file is loaded with a place in the other arm of a test."""
    for each in program.ask(CallGraph).sites.get(last_name(site.call.term.callee) or "", ()):
        call = each.call.term
        if each.function is not site.function or not call.args or all(name != _MAP for name, _ in call.kwargs):
            continue
        if program.sayings.of(call.args[0]) == program.sayings.of(site.call.term.args[0]):
            return True
    return False


def _restored(program: Program, site: CallSite) -> CallSite | None:
    """The calls that give a state out of the load to something: one to an optimizer, or else the first; and its file."""
    found = list(_all_restored(program, site))
    return next((each for each in found if _is_optimizer(program, each)), found[0] if found else None)


def _all_restored(program: Program, site: CallSite) -> Iterator[CallSite]:
    asked = program.ask(Origins)
    for name in sorted(program.knowledge.takes_weights):
        for each in program.ask(CallGraph).sites.get(name, ()):
            if not program.together(each.module, site.module):
                continue
            frame = program.frame(each.module, each.function)
            for given in each.call.term.args[:1]:
                read = asked.read_key(given, frame)
                for whole in (given, *((read[0],) if read is not None else ())):
                    load = next(
                        (v for v in program.values(whole, frame) if isinstance(v, LibraryObject) and v.call is site.call.term),
                        None,
                    )
                    if load is not None or any(part is site.call.term for part in parts_of(given)):
                        yield each


#: How many of the keys that a load reads a save must have to be the one that is meant.
_ENOUGH = 2
_STATEFUL = ("optimizer", "scheduler", "plateau", "scaler")


class Missing(NamedTuple):
    """A key that is read from what one of a program's own saves wrote, and that none of them has; ``like``: a key it has.

    ``sure``: all that these saves write is known; if not, one writes a key that is spelt nearly so, and nobody reads that.
    """

    read: Read
    save: Save
    contents: Contents
    like: str | None
    sure: bool

    @property
    def is_whole(self) -> bool:
        """Whether an optimizer is given all of the file, and looks for its own key there."""
        return isinstance(self.read.term, Call) and self.read.base in self.read.term.args

    @property
    def is_only_argument(self) -> bool:
        """Whether the item is all that the call is given in which it is first used."""
        found = [node.term for node in calls_of(self.read.function) if node.term.site == self.read.spot]
        return bool(found) and found[0].args == (self.read.term,) and not found[0].kwargs


class Unrestored(NamedTuple):
    """A state that is saved under a key that nobody reads, though training goes on from the file."""

    save: Save
    key: str
    kind: str
    bound: Argument
    spot: Spot
    resumption: Resumption


def missing(program: Program) -> Iterator[Missing]:
    """Each such key, where it is read without asking for it."""
    if not program.ask(Reads).all:
        return
    by_load: dict[LibraryObject, list[Read]] = {}
    for read in program.ask(Reads).all:
        by_load.setdefault(read.load, []).append(read)
    for whole in _whole_given(program, by_load):
        by_load[whole.load].append(whole)
    seen: set[Term] = set()
    for load, own in by_load.items():
        alone = load.frame.alone if load.frame is not None else None
        found = [*own, *by_load.get(load._replace(frame=alone), ())]  # with what the function that loads it reads itself
        saves = _meant(program, found)
        if not saves or _converts(program, found[0], saves):
            continue
        for read in own:
            if not read.sure or read.term in seen or tests_software(program, read.module, read.function):
                continue
            if all(read.key not in contents.items for _, contents in saves) and not _is_written(program, read):
                sure = all(contents.whole for _, contents in saves)
                like = _nearest(read.key, saves[0][1])
                if sure or (like is not None and all(other.key != like for other in found)):
                    seen.add(read.term)
                    yield Missing(read, *saves[0], like, sure)


def _whole_given(program: Program, loads: Container[LibraryObject]) -> Iterator[Read]:
    """Optimizers that are given all of a file of which items are read elsewhere: as their state, of which this is a key."""
    for name in sorted(program.knowledge.takes_weights):
        for site in program.ask(CallGraph).sites.get(name, ()):
            call, frame = site.call.term, program.frame(site.module, site.function)
            given = argument(call, "0", _STATE)
            if given is None or not isinstance(call.callee, Attr):
                continue
            found = [load for load in program.ask(Origins).loads(given, frame) if load in loads]
            if found and program.ask(Things).of(call.callee.base, frame).kind == "optimizer":
                for load in found:
                    yield Read(site.module, site.function, _GROUPS, call, load, True, call.site, "Call", given)


def _converts(program: Program, read: Read, saves: list[tuple[Save, Contents]]) -> bool:
    """Whether what reads a file writes another one itself: it makes checkpoints of its own of those of another program."""
    own = [save for save in program.ask(Written).saves if save.site.function is read.function]
    return bool(own) and all(save.site.function is not read.function for save, _ in saves)


def _meant(program: Program, found: list[Read]) -> list[tuple[Save, Contents]]:
    """The saves that a load may read."""
    keys = {read.key for read in found}
    meant: list[tuple[Save, Contents]] = []
    for save in program.ask(Written).saves:
        if not program.together(save.site.module, found[0].module):
            continue
        for contents in program.ask(Written).contents(save):
            shared = keys & contents.items.keys()
            if len(shared) < _ENOUGH or not any(_is_of_training(program, contents, key) for key in shared):
                continue
            meant.append((save, contents))
    return meant


def _is_of_training(program: Program, contents: Contents, key: str) -> bool:
    """Whether what is under a key is of a training that goes on: a number, the state of an optimizer."""
    for bound in contents.items[key]:
        receiver = _state_of(program, bound.term)
        if receiver is None or program.ask(Things).of(receiver, bound.frame).kind in _STATEFUL:
            return True
    return False


def _state_of(program: Program, term: Term) -> Term | None:
    """What a state is taken of."""
    taking = program.ask(States).taking
    for part in parts_of(term):
        if isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in taking:
            return part.callee.base
    return None


def _is_written(program: Program, read: Read) -> bool:
    """Whether anybody around puts something under the key, whatever into."""
    return read.key in program.ask_of(_written_in, program.component(read.module))


def _written_in(program: Program, component: str) -> frozenset[str]:
    """The keys under which the files of a component put something."""
    return frozenset(key for path in program.modules if program.component(path) == component for key in _keys(program, path))


def _keys(program: Program, path: str) -> Iterator[str]:
    for term in program.ask(Uses).glance(path).of:
        if isinstance(term, Dict):
            yield from (key.value for key, _ in term.items if isinstance(key, Const) and isinstance(key.value, str))
        elif isinstance(term, Call):
            yield from (name for name, _ in term.kwargs if name is not None)
            if last_name(term.callee) in ("setdefault", "setattr") and term.args:
                yield from (each.value for each in term.args if isinstance(each, Const) and isinstance(each.value, str))
    for function in program.modules[path].functions.values():
        for node in of_kind(function, Keep):
            if (
                isinstance(node.target, Subscript)
                and isinstance(node.target.key, Const)
                and isinstance(node.target.key.value, str)
            ):
                yield node.target.key.value


def _nearest(key: str, contents: Contents) -> str | None:
    """The key that was probably meant."""
    import difflib

    return next(iter(difflib.get_close_matches(key, contents.items, 1, 0.7)), None)


def unrestored(program: Program) -> Iterator[Unrestored]:
    """Each such state, once."""
    seen: set[Spot] = set()
    for resumption in program.ask(Resumptions).found:
        if program.ask(Reads).is_open(resumption.load):
            continue
        for save in program.ask(Written).saves:
            if not any(
                frame.function is resumption.function and within(frame.function, resumption.loop, call)
                for frame, call in save.leading()
            ):
                continue
            for contents in program.ask(Written).contents(save):
                if resumption.key not in contents.items:
                    continue
                for found in _unread(program, save, contents, resumption):
                    if found.spot not in seen:
                        seen.add(found.spot)
                        yield found


def _unread(program: Program, save: Save, contents: Contents, resumption: Resumption) -> Iterator[Unrestored]:
    asked = {key for path, keys in program.ask(Reads).keys.items() if program.together(path, resumption.module) for key in keys}
    for key, values in contents.items.items():
        if key in asked or len(values) != 1:
            continue
        bound = values[0]
        receiver = _state_of(program, bound.term)
        if receiver is None or not isinstance(bound.term, Call):
            continue
        kind = program.ask(Things).of(receiver, bound.frame).kind
        if kind in _STATEFUL and not _is_restored(program, resumption, kind):
            yield Unrestored(save, key, "scheduler" if kind == "plateau" else kind, bound, bound.term.site, resumption)


def _is_restored(program: Program, resumption: Resumption, kind: str) -> bool:
    """Whether something of a kind, or something of which nobody knows the kind, is given a state somewhere around."""
    like = ("scheduler", "plateau") if kind in ("scheduler", "plateau") else (kind,)
    for name in program.knowledge.takes_weights:
        for site in program.ask(CallGraph).sites.get(name, ()):
            callee = site.call.term.callee
            if not isinstance(callee, Attr) or not program.together(site.module, resumption.module):
                continue
            thing = program.ask(Things).of(callee.base, program.frame(site.module, site.function))
            if thing.kind in like or named(program.knowledge, callee.base) in like:
                return True
            if thing.kind == "unknown" and _is_anything(callee.base):
                return True
    return False


def _is_anything(receiver: Term) -> bool:
    """Whether a receiver is one of several things: what a loop hands out, or is taken from a container."""
    return isinstance(receiver, (Element, Subscript, Unknown)) or (
        isinstance(receiver, Call) and isinstance(receiver.callee, Ref)
    )
