"""Models that are saved as objects, and states of wrappers: files that only the code of that day can read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.checkpoints.origins import origins
from trainlint.facts.checkpoints.states import states
from trainlint.facts.checkpoints.written import Save, written
from trainlint.facts.layers import is_module
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.uses import uses
from trainlint.facts.values import Frame, Instance, Library, Made, Value
from trainlint.model.terms import Term, parts_of

_MODULES = ("module", "layers")
#: Methods that only modules have, or that one which has several of them is.
_OF_MODULES = frozenset(("parameters", "named_parameters", "state_dict", "load_state_dict", "eval", "zero_grad", "modules"))
_ENOUGH = 1
_PREFIX = "module."


class Pickled(NamedTuple):
    """A save of a whole module; ``direct``: it is the argument itself."""

    save: Save


class WrappedState(NamedTuple):
    """A state that is taken of a wrapper and saved, and where such a state is put into a model without one."""

    site: CallSite
    saved: Save
    restored: CallSite


def pickled(program: Program) -> Iterator[Pickled]:
    """Each save of a module as it is."""
    seen: set[Term] = set()
    for save in written(program).saves:
        call = save.site.call.term
        if call in seen or tests_software(program, save.site.module, save.site.function):
            continue
        if _is_module(program, save.given, save.frame) and not _is_copied(program, save):
            seen.add(call)
            yield Pickled(save)


def _is_copied(program: Program, save: Save) -> bool:
    """Whether a save goes to a buffer in memory that the same function reads again: a copy, which no other code has to read."""
    memory = program.knowledge.tables["checkpoints.memory"]["names"]
    path = save.path
    if path is None or not any(isinstance(each, Made) and each.name in memory for each in program.values(path, save.frame)):
        return False
    words = program.knowledge.tables["checkpoints"]
    return any(
        node.term[2]
        and node.term[2][0] is path
        and any(isinstance(each, Library) and words.get(each.name) == "load" for each in program.values(node.term[1], save.frame))
        for node in calls_of(save.frame.function)
    )


def _is_module(program: Program, term: Term, frame: Frame) -> bool:
    """Whether a term surely is a module that is no compiled program."""
    values = program.values(term, frame)
    if values and all(_value_is_module(program, value) for value in values):
        return True
    if term[0] not in ("p", "a", "g", "lv") or any(isinstance(value, (Made, Instance)) for value in values):
        return False
    parents = uses(program).parents(frame.module).of.get(term, ())
    methods = {parent[2] for parent, _ in parents if isinstance(parent, Term) and parent[0] == "a" and parent[1] is term}
    return len(methods & _OF_MODULES) >= _ENOUGH and not methods & {"step", "scale"}


def _value_is_module(program: Program, value: Value) -> bool:
    knowledge = program.knowledge
    if isinstance(value, Made):
        if value.name.startswith(tuple(knowledge.tables["checkpoints.compiled"]["names"])):
            return False
        return knowledge.kinds.get(value.name) in _MODULES or value.name in knowledge.weights or value.name in _wrappers(program)
    return isinstance(value, Instance) and is_module(program, value)


def _wrappers(program: Program) -> list[str]:
    names: list[str] = program.knowledge.tables["checkpoints.wrappers"]["names"]
    return names


def wrapped_states(program: Program) -> Iterator[WrappedState]:
    """Each state of a wrapper that is saved, where a model without a wrapper is given one from a file."""
    bare: list[CallSite] | None = None
    for name in sorted(states(program).taking):
        for site in calls(program).sites.get(name, ()):
            callee = site.call.term[1]
            frame = program.frame(site.module, site.function)
            if (
                callee[0] != "a"
                or not _is_wrapper(program, callee[1], frame)
                or tests_software(program, site.module, site.function)
            ):
                continue
            save = next((each for each in written(program).saves if _holds(program, each, site.call.term)), None)
            if save is None:
                continue
            if bare is None:
                bare = list(_bare(program))
            restored = next((each for each in bare if program.together(each.module, site.module)), None)
            if restored is not None and not _is_stripped(program, site.module):
                yield WrappedState(site, save, restored)


def _is_wrapper(program: Program, term: Term, frame: Frame) -> bool:
    values = program.values(term, frame)
    return bool(values) and all(isinstance(value, Made) and value.name in _wrappers(program) for value in values)


def _holds(program: Program, save: Save, state: Term) -> bool:
    if any(part is state for part in parts_of(save.given)):
        return True
    return any(
        any(part is state for part in parts_of(bound.term))
        for contents in written(program).contents(save)
        for values in contents.items.values()
        for bound in values
    )


def _bare(program: Program) -> Iterator[CallSite]:
    """Where a model that surely is in no wrapper is given a state from a file; nothing where one in a wrapper is, too."""
    found: list[CallSite] = []
    for name in sorted(program.knowledge.takes_weights):
        for site in calls(program).sites.get(name, ()):
            callee = site.call.term[1]
            if callee[0] != "a" or not site.call.term[2]:
                continue
            frame = program.frame(site.module, site.function)
            if any(isinstance(value, Made) and value.name in _wrappers(program) for value in program.values(callee[1], frame)):
                return
            read = origins(program).read_key(site.call.term[2][0])
            whole = read[0] if read is not None else site.call.term[2][0]
            if origins(program).loaded(whole, frame) is None:
                continue
            values = program.values(callee[1], frame)
            if values and all(_value_is_module(program, value) for value in values):
                found.append(site)
    yield from found


def _is_stripped(program: Program, module: str) -> bool:
    """Whether somebody around knows of the prefix."""
    return any(
        term[0] == "c" and isinstance(term[2], str) and term[2].startswith(_PREFIX)
        for path in program.modules
        if program.together(path, module)
        for term in uses(program).parents(path).of
    )
