"""Models that are saved as objects, and states of wrappers: files that only the code of that day can read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.checkpoints.file_names import Names, is_fixed
from trainlint.domains.checkpoints.reads import Origins
from trainlint.domains.checkpoints.saves import Save, States, Written
from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.files import argument
from trainlint.domains.nn.modules import is_module
from trainlint.flow.objects import Things
from trainlint.flow.path_condition import Tested, exclude
from trainlint.ir.bindings import carried_by
from trainlint.ir.control_dependence import Tests, conditions, positive, walk_tested
from trainlint.ir.nodes import VARIABLES, Attr, Call, Const, LoopPhi, Param, Select, SequenceDisplay, Term
from trainlint.ir.sketch import Exit
from trainlint.ir.terms import is_call_of, parts_of
from trainlint.program.call_graph import CallGraph, CallSite, chained, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.def_use import Uses
from trainlint.program.origins import origins
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved, Value

_MODULES = ("module", "layers")
_INNER, _PREFIX = "module", "module."
_PAIR = 2


class Pickled(NamedTuple):
    """A save of a whole module, or of a dict with one under ``key``.

    ``sure`` unless it is one in some cases only, or by what is done with it under another name, or with what is loaded again:
    ``read`` says the latter.
    """

    save: Save
    sure: bool
    key: str | None = None
    read: bool = False


class WrappedState(NamedTuple):
    """A state that is taken of a wrapper and saved, and where such a state is put into a model without one.

    Or else a state of what is in a wrapper in some cases only, or of which a test has asked for another wrapper: ``wrapper`` is
    where it is put into one, and nobody reads a state into what may be one.
    """

    site: CallSite
    saved: Save
    restored: CallSite | None
    wrapper: tuple[str, Call] | None


def pickled(program: Program) -> Iterator[Pickled]:
    """Each save of a module as it is, or under a key, once: surely one in some activation, or what may be one."""
    found: dict[Term, Pickled] = {}
    for save in program.ask(Written).saves:
        call = save.site.call.term
        if (call in found and found[call].sure) or tests_software(program, save.site.module, save.site.function):
            continue
        if _is_copied(program, save):
            continue
        if _is_module(program, save.given, save.frame):
            found[call] = Pickled(save, sure=True)
        elif call not in found:
            key = _key_of_module(program, save)
            if key is not None or _may_be_module(program, save.given, save.frame):
                found[call] = Pickled(save, sure=False, key=key)
            elif _is_read_as_module(program, save):
                found[call] = Pickled(save, sure=False, read=True)
    yield from found.values()


def _key_of_module(program: Program, save: Save) -> str | None:
    """The key under which a module is saved."""
    for contents in program.ask(Written).contents(save):
        for key, values in contents.items.items():
            things = [each for each in values if not _is_spelled(program, each.term, each.frame)]
            if any(_may_be_module(program, each.term, each.frame) or _is_module(program, *each) for each in things):
                return key
    return None


def _is_spelled(program: Program, term: Term, frame: Context) -> bool:
    """Whether a term is the text of something: ``str(model)``."""
    names = program.knowledge.tables["checkpoints.spelled"]["names"]
    return any(is_call_of(made.term, *names) for made in origins(program, term, frame))


def _is_read_as_module(program: Program, save: Save) -> bool:
    """Whether what the program loads of such a file, or of its only one, is used as a module."""
    if save.path is None or program.ask(Written).contents(save):
        return False
    alone = len({each.site.call.term for each in _together(program, save)}) == 1
    shapes = program.ask(Names).shapes(save.path, save.frame)
    words = program.knowledge.tables["checkpoints"]
    for name in sorted({name.rpartition(".")[2] for name, word in words.items() if word == "load"}):
        for site in program.ask(CallGraph).sites_named(name):
            path, frame = argument(site.call.term, "0", "f"), program.frame(site.module, site.function)
            if path is None or not program.together(site.module, save.site.module):
                continue
            same = any(is_fixed(each) for each in shapes) and shapes == program.ask(Names).shapes(path, frame)
            if (alone or same) and _is_used_as_module(program, site.call.term, frame):
                return True
    return False


def _together(program: Program, save: Save) -> list[Save]:
    """The saves of the files that belong together with that of one."""
    return [each for each in program.ask(Written).saves if program.together(each.site.module, save.site.module)]


def _is_copied(program: Program, save: Save) -> bool:
    """Whether a save goes to a buffer in memory that the same function reads again: a copy, which no other code has to read."""
    memory = program.knowledge.tables["checkpoints.memory"]["names"]
    path = save.path
    if path is None or not any(
        isinstance(each, LibraryObject) and each.name in memory for each in program.values(path, save.frame)
    ):
        return False
    words = program.knowledge.tables["checkpoints"]
    return any(
        node.term.args
        and node.term.args[0] is path
        and any(
            isinstance(each, Library) and words.get(each.name) == "load" for each in program.values(node.term.callee, save.frame)
        )
        for node in calls_of(save.frame.function)
    )


def _is_module(program: Program, term: Term, frame: Context) -> bool:
    """Whether a term surely is a module that is no compiled program."""
    values = program.values(term, frame)
    if values and all(_value_is_module(program, value) for value in values):
        return True
    if not isinstance(term, VARIABLES) or any(isinstance(value, (LibraryObject, Instance)) for value in values):
        return False
    return _is_used_as_module(program, term, frame)


def _may_be_module(program: Program, term: Term, frame: Context) -> bool:
    """Whether a term is a module in some cases, or what it was before it got its name here is used as one."""
    values = program.values(term, frame)
    if any(isinstance(value, LibraryObject) and _is_compiled(program, value) for value in values):
        return False
    if any(_value_is_module(program, value) for value in values):
        return True
    bound = frame.given(term) if isinstance(term, Param) else None
    before = [(bound.term, bound.frame)] if isinstance(bound, Argument) else []
    for value in values:
        made = value.call if isinstance(value, LibraryObject) else value.term if isinstance(value, Unresolved) else None
        around = value.frame if isinstance(value, (LibraryObject, Unresolved)) else None
        if made is None or around is None:
            return False
        before += [(made, around)] if made is not term else []
    if isinstance(term, VARIABLES) and program.ask(Things).of(term, frame).kind in ("module", "object", "unknown"):
        before.append((term, frame))  # of a class out of sight
    return any(_is_used_as_module(program, *each) for each in before)


def _is_used_as_module(program: Program, term: Term, frame: Context) -> bool:
    """Whether a method is called on something that modules have, and none that optimizers have."""
    parents = program.ask(Uses).parents(frame.module).of
    methods: set[str] = set()
    pending = [term]
    while pending:
        part = pending.pop()
        for parent, _ in parents.get(part, ()):
            if isinstance(parent, Attr) and parent.base is part:
                calls = [call for call, _ in parents.get(parent, ()) if isinstance(call, Call) and call.callee is parent]
                if calls:  # ``args.eval`` is an option
                    methods.add(parent.name)
                if parent.name in program.knowledge.fluent:
                    pending += calls
    knowledge = program.knowledge
    of_modules = knowledge.evaluates.union(knowledge.hands_parameters, knowledge.tables["hands_out_parts"]["names"])
    return not methods.isdisjoint(of_modules) and methods.isdisjoint(knowledge.tables["checkpoints.no_modules"]["names"])


def _value_is_module(program: Program, value: Value) -> bool:
    knowledge = program.knowledge
    if isinstance(value, LibraryObject):
        if _is_compiled(program, value):
            return False
        name = _name_of(program, value)
        return knowledge.kinds.get(name) in _MODULES or name in knowledge.weights or name in _wrappers(program)
    fluent = chained(program, value.term) if isinstance(value, Unresolved) else None
    if isinstance(value, Unresolved) and fluent is not None:
        inner = program.values(fluent, value.frame)
        return bool(inner) and all(_value_is_module(program, each) for each in inner)
    return isinstance(value, Instance) and is_module(program, value)


def _name_of(program: Program, value: LibraryObject) -> str:
    """What made a value, or what it was made of with methods that return the object itself: ``DataParallel(model).cuda()``."""
    name = value.name
    while (parts := name.rpartition("."))[2] in program.knowledge.fluent:
        name = parts[0]
    return name


def _is_compiled(program: Program, value: LibraryObject) -> bool:
    return value.name.startswith(tuple(program.knowledge.tables["checkpoints.compiled"]["names"]))


def _wrappers(program: Program) -> list[str]:
    names: list[str] = program.knowledge.tables["checkpoints.wrappers"]["names"]
    return names


def wrapped_states(program: Program) -> Iterator[WrappedState]:
    """Each state of a wrapper that is saved, where a model without a wrapper is given one from a file, or no wrapper is."""
    bare: list[CallSite] | None = None
    for name in sorted(program.ask(States).taking):
        for site in program.ask(CallGraph).sites.get(name, ()):
            callee = site.call.term.callee
            if not isinstance(callee, Attr):
                continue
            frames = contexts_at(program, site)
            tests = conditions(led_to(site.function, site.call.term))
            excluded = [_excluded(program, tests, frame) for frame in frames]
            wrapper = next(
                (
                    found
                    for frame, each in zip(frames, excluded, strict=True)
                    for found in _left_wrapped(program, callee.base, frame, each)
                    if not _is_elsewhere(program, found, [(*test, frame) for test in tests])
                ),
                None,
            )
            if wrapper is None or tests_software(program, site.module, site.function):
                continue
            save = next((each for each in program.ask(Written).saves if _holds(program, each, site.call.term)), None)
            if save is None or _is_stripped(program, site.module):
                continue
            if bare is None:
                bare = list(_bare(program))
            restored = next((each for each in bare if program.together(each.module, site.module)), None)
            if not wrapper.asked and all(_is_wrapper(program, callee.base, frame) for frame in frames):
                if restored is not None:
                    yield WrappedState(site, save, restored, None)
            elif (wrapper.asked or not any(_is_unwrapped(program, callee.base, frame) for frame in frames)) and (
                not _is_read_into_wrapper(program, site.module)
            ):
                yield WrappedState(site, save, None, (wrapper.frame.module, wrapper.call))


def _wrapper(program: Program, term: Term, frame: Context) -> tuple[str, Call] | None:
    """Where something is put into a wrapper, in some case."""
    for value in program.values(term, frame):
        if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
            continue
        if _name_of(program, value) in _wrappers(program):
            return value.frame.module, value.call
    return None


class _Wrapped(NamedTuple):
    """A call that puts a model into a wrapper, in one activation, and the tests on the way from there.

    ``asked``: one of them asks for another wrapper.
    """

    call: Call
    frame: Context
    passed: tuple[Tested, ...]
    asked: bool


#: What a test excludes: that a term is an object of one of these classes, or has the attribute of a wrapper.
_Excluded = frozenset[tuple[Term, str]]


def _left_wrapped(
    program: Program,
    term: Term,
    frame: Context,
    excluded: _Excluded,
    names: frozenset[str] = frozenset(),
    passed: tuple[Tested, ...] = (),
) -> Iterator[_Wrapped]:
    """Where something is put into a wrapper, in some case, and neither taken out of it nor asked for by a test on the way.

    ``names`` are the classes of which it is no object, ``passed`` the tests on the way.
    """
    names |= {name for subject, name in excluded if subject is term}
    if isinstance(term, Select):
        for arm, holds in ((term.then, True), (term.other, False)):
            also = excluded | _excluded(program, ((term.test, holds),), frame)
            yield from _left_wrapped(program, arm, frame, also, names, (*passed, (term.test, holds, frame)))
        return
    if isinstance(term, Call) and chained(program, term) is None:
        for target in program.ask(CallGraph).targets(term, frame):
            if isinstance(target, FunctionValue) and frame.follows(target.function):
                inner = program.enter(target, term, frame)
                for node, led in walk_tested(target.function.body):
                    if isinstance(node, Exit) and node.kind == "return" and node.value is not None:
                        tests = conditions(led)
                        more = (*passed, *((*test, inner) for test in tests))
                        yield from _left_wrapped(program, node.value, inner, _excluded(program, tests, inner), names, more)
                return
    for value in program.values(term, frame) if _INNER not in names else ():
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            name = _name_of(program, value)
            if name not in _wrappers(program) or name in names:
                continue
            itself = chained(program, value.call)
            if itself is not None:  # it was wrapped before
                yield from _left_wrapped(program, itself, value.frame, frozenset(), names, passed)
            else:
                yield _Wrapped(value.call, value.frame, passed, bool(names))


def _is_elsewhere(program: Program, wrapped: _Wrapped, asked: list[Tested]) -> bool:
    """Whether the tests that lead to a place keep what is wrapped from it."""
    return exclude(program, wrapped.passed, asked) or exclude(program, (*wrapped.passed, *asked), _led_to_wrapper(wrapped))


def _led_to_wrapper(wrapped: _Wrapped) -> list[Tested]:
    """The tests that lead to where a model is wrapped."""
    return [(*test, wrapped.frame) for test in conditions(led_to(wrapped.frame.function, wrapped.call))]


def _excluded(program: Program, tests: Tests, frame: Context) -> _Excluded:
    """What tests say that something is not."""
    found: set[tuple[Term, str]] = set()
    for asked, holds in tests:
        test, wanted = positive(asked, holds=holds)
        if wanted or not isinstance(test, Call) or len(test.args) != _PAIR:
            continue
        subject, what = test.args
        if is_call_of(test, "builtins.hasattr") and isinstance(what, Const):
            found.add((subject, str(what.value)))
        elif is_call_of(test, "builtins.isinstance"):
            classes = what.items if isinstance(what, SequenceDisplay) else (what,)
            values = (value for each in classes for value in program.values(each, frame))
            found.update((subject, value.name) for value in values if isinstance(value, Library))
    return frozenset(found)


def _is_unwrapped(program: Program, term: Term, frame: Context) -> bool:
    """Whether something is the model in a wrapper where there is one: ``model.module if hasattr(model, "module") else model``."""
    found = [term]
    for target in program.ask(CallGraph).targets(term, frame) if isinstance(term, Call) else ():
        if isinstance(target, FunctionValue):
            found += program.returns(target.function)
    found += [value.term for value in program.values(term, frame) if isinstance(value, Unresolved)]
    return any(isinstance(part, Attr) and part.name == _INNER for each in found for part in parts_of(each))


def _is_read_into_wrapper(program: Program, module: str) -> bool:
    """Whether what may be in a wrapper is given a state that was not taken a moment ago: it may be the one that is saved."""
    for name in sorted(program.knowledge.takes_weights):
        for site in program.ask(CallGraph).sites.get(name, ()):
            callee = site.call.term.callee
            if not isinstance(callee, Attr) or not program.together(site.module, module):
                continue
            for frame in contexts_at(program, site):
                if _wrapper(program, callee.base, frame) is not None and not _is_taken(program, site, frame):
                    return True
    return False


def _is_taken(program: Program, site: CallSite, frame: Context) -> bool:
    """Whether a state is one that the program took itself, in this run: in each case in which it is anything."""
    taking = program.ask(States).taking
    pending = list(site.call.term.args[:1])
    seen: set[Term] = set()
    found = False
    while pending:
        term = pending.pop()
        if term in seen or isinstance(term, Const):
            continue
        seen.add(term)
        carried = carried_by(frame.function, term) if isinstance(term, LoopPhi) else None
        if any(isinstance(part, Call) and last_name(part.callee) in taking for part in parts_of(term)):
            found = True
        elif carried is not None:
            pending += (carried.entry, carried.back)
        elif isinstance(term, Select):
            pending += term.arms
        else:
            return False
    return found


def _is_wrapper(program: Program, term: Term, frame: Context) -> bool:
    values = program.values(term, frame)
    return bool(values) and all(
        isinstance(value, LibraryObject) and _name_of(program, value) in _wrappers(program) for value in values
    )


def _holds(program: Program, save: Save, state: Term) -> bool:
    if any(part is state for part in parts_of(save.given)):
        return True
    return any(
        any(part is state for part in parts_of(bound.term))
        for contents in program.ask(Written).contents(save)
        for values in contents.items.values()
        for bound in values
    )


def _bare(program: Program) -> Iterator[CallSite]:
    """Where a model that surely is in no wrapper is given a state from a file; nothing where one in a wrapper is, too."""
    found: list[CallSite] = []
    for name in sorted(program.knowledge.takes_weights):
        for site in program.ask(CallGraph).sites.get(name, ()):
            callee = site.call.term.callee
            if not isinstance(callee, Attr) or not site.call.term.args:
                continue
            frame = program.frame(site.module, site.function)
            if _wrapper(program, callee.base, frame) is not None:
                return
            read = program.ask(Origins).read_key(site.call.term.args[0], frame)
            whole = read[0] if read is not None else site.call.term.args[0]
            if program.ask(Origins).loaded(whole, frame) is None:
                continue
            values = program.values(callee.base, frame)
            if values and all(_value_is_module(program, value) for value in values):
                found.append(site)
    yield from found


def _is_stripped(program: Program, module: str) -> bool:
    """Whether somebody around knows of the prefix."""
    return any(
        isinstance(term, Const) and isinstance(term.value, str) and term.value.startswith(_PREFIX)
        for path in program.modules
        if program.together(path, module)
        for term in program.ask(Uses).parents(path).of
    )
