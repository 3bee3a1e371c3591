"""Sharded models as a whole: models that are sharded as one unit, and clips that see only a part of the gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.domains.data_parallel.models import Parallel
from trainlint.domains.optimizer_parameters import Takers
from trainlint.domains.sharding.wrapping import Models, Sharding, Shardings, agree, covers, related, same, tests_around
from trainlint.ir.nodes import Attr, Call, Const, Self, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Class, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import At, contexts_at, path, runs_before
from trainlint.program.naming import reference
from trainlint.program.object_identity import Part
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, Instance, Library, LibraryObject

_WRAPPER = "fsdp"
_STRATEGY, _WHOLE = "sharding_strategy", "NO_SHARD"
#: What the method takes besides the model itself.
_TAKES = frozenset(("max_norm", "norm_type"))


class Clip(NamedTuple):
    """A clip of a part; ``method`` is the wrapper's own, where it can be called in the place of the function."""

    site: CallSite
    sharding: Sharding
    method: str | None


def clips(program: Program) -> Iterator[Clip]:
    """The clips by the norm of one rank's pieces, one for each call."""
    methods = program.knowledge.tables["parallel.clips"]
    sharded = [
        each for each in program.ask(Shardings).all() if each.name in methods and each.keys and not keeps_whole(program, each)
    ]
    functions = program.knowledge.tables["parallel.plain_clips"]["names"] if sharded else ()
    for name in sorted({name.rpartition(".")[2] for name in functions}):
        for site in program.ask(CallGraph).sites_named(name):
            alone = program.frame(site.module, site.function)
            found = [value.name for value in program.values(site.call.term.callee, alone) if isinstance(value, Library)]
            if len(found) != 1 or found[0] not in functions or tests_software(program, site.module, site.function):
                continue
            for frame in contexts_at(program, site):
                clip = _at(program, site, frame, sharded)
                if clip is not None:
                    yield clip
                    break


def keeps_whole(program: Program, sharding: Sharding, *, ever: bool = False) -> bool:
    """Whether a wrapper is told to leave the parameters whole on each rank, in all runs or ``ever``."""
    given = program.ask(Options).given(sharding.site.call.term, sharding.frame, _STRATEGY, sharding.name)
    values = (*given.values, *given.sometimes)
    whole = [isinstance(value, Library) and value.name.endswith(_WHOLE) for value in values]
    return any(whole) if ever else bool(whole) and all(whole)


def _at(program: Program, site: CallSite, frame: Context, sharded: list[Sharding]) -> Clip | None:
    call = site.call.term
    place = At(frame, call.site)
    method = {name.rpartition(".")[2] for name in program.knowledge.tables["parallel.clips"].values()}
    for base, where in program.ask(Takers).given(site.call, frame) if call.args else ():
        keys = program.ask(Models).meant(base, where)
        sharding = next(
            (each for each in sharded if covers(keys, each.keys) and runs_before(program, each.at, place) is True), None
        )
        if sharding is None or not agree(program, sharding.at, place) or program.ask(Parallel).is_another(base, call, frame):
            continue
        if _asks_for(place, method):
            continue
        own = program.knowledge.tables["parallel.clips"][sharding.name]
        direct = where is frame and any(same(key, each) for key in keys for each in sharding.keys)
        return Clip(site, sharding, own if direct and _can_call(program, base, call, frame) else None)
    return None


def _asks_for(place: At, methods: set[str]) -> bool:
    """Whether a test around it asks for the method: who does so means a model without it here."""
    tests = (test for here in path(place) for test, _ in tests_around(here))
    return any(isinstance(part, Const) and part.value in methods for test in tests for part in parts_of(test))


def _can_call(program: Program, base: Term, call: Call, frame: Context) -> bool:
    """Whether the model that is written there is the wrapper in every run, and the method takes what is given."""
    if isinstance(base, Attr) and base.name in program.knowledge.unwraps:
        return False
    if program.ask(Parallel).kinds(base, frame) != {_WRAPPER} or program.ask(Parallel).sharded_when(base, frame) != ():
        return False
    return len(call.args) <= 1 + len(_TAKES) and all(name in _TAKES for name, _ in call.kwargs)


class Unit(NamedTuple):
    """A model in one unit: the call, the option that would divide it, and code that shards its layers first, where known."""

    sharding: Sharding
    option: str | None
    code: str | None


def single_units(program: Program) -> Iterator[Unit]:
    """The calls that shard a model which is seen to have a stack of layers, and nothing else that shards any of them."""
    policies = program.knowledge.tables["parallel.policies"]
    found = program.ask(Shardings).all()
    seen: set[int] = set()
    for each in found:
        if id(each.site.call) in seen or each.name not in policies or not _is_root(each):
            continue
        if _is_divided(program, each, policies[each.name]):
            continue
        stacks = _stacks(program, each)
        if stacks is None or not all(_is_apart(program, each, other) for other in found if other.site.call is not each.site.call):
            continue
        seen.add(id(each.site.call))
        option = next(iter(policies[each.name].split()), None)
        yield Unit(each, option, None if option or len(stacks) != 1 else _layer_by_layer(program, each, *stacks))


def _is_root(sharding: Sharding) -> bool:
    return bool(sharding.keys) and not any(isinstance(key, Part) for key in sharding.keys)


def _is_divided(program: Program, sharding: Sharding, wanted: str) -> bool:
    """Whether the call may be told how to divide the model, or the model may divide itself, or stays whole anyway."""
    call, frame = sharding.site.call.term, sharding.frame
    if any(not program.ask(Options).given(call, frame, option, sharding.name).absent for option in wanted.split()):
        return True
    if keeps_whole(program, sharding, ever=True):
        return True
    helpers = program.knowledge.tables["parallel.dividers"]["names"]
    return any(
        isinstance(value, Library) and value.name in helpers
        for name in sorted({name.rpartition(".")[2] for name in helpers})
        for site in program.ask(CallGraph).sites_named(name)
        for value in program.values(site.call.term.callee, program.frame(site.module, site.function))
    )


def _is_apart(program: Program, sharding: Sharding, other: Sharding) -> bool:
    """Whether another call that shards has certainly nothing to do with the layers of this model."""
    if not program.together(sharding.site.module, other.site.module):
        return True
    around = program.ask(Shardings).around(other.base, other.frame)  # ``for block in model.blocks: fully_shard(block)``
    if not other.keys or related(sharding.keys, other.keys) or any(related(sharding.keys, each) for each in around):
        return False
    return other.site.function is sharding.site.function or _stacks(program, other) is not None


def _stacks(program: Program, sharding: Sharding) -> set[str] | None:
    """The attributes that hold a model's stacks of layers, where they are in sight; None where it is not seen to have any."""
    found: set[str] = set()
    for key in sharding.keys:
        maker = program.ask(Models).makers.get(key)
        stacks = _of_maker(program, maker) if maker is not None else None
        if stacks is None:
            return None
        found |= stacks
    return found


def _of_maker(program: Program, maker: Instance | LibraryObject, around: tuple[Class, ...] = ()) -> set[str] | None:
    tables = program.knowledge.tables
    if isinstance(maker, LibraryObject):
        known = maker.name in tables["parallel.stacks"]["names"]
        pretrained = maker.name.rpartition(".")[2] in tables["parallel.pretrained"]["names"]
        return set() if known or pretrained else None
    if maker.cls in around:
        return None
    found: set[str] = set()
    held = False
    for cls in program.lineage(ClassValue(maker.module, maker.cls)):
        methods = program.modules[cls.module].functions.values() if isinstance(cls, ClassValue) else ()
        for method in methods:
            if isinstance(cls, ClassValue) and method.cls == cls.cls.qualname:
                frame = program.instance_frame(maker, cls.module, method)
                for store in of_kind(method, Store):
                    stacked = _stacked(program, store, frame, (*around, maker.cls))
                    held = held or stacked is not None
                    found |= {stacked} if stacked else set()
    return found if held else None


def _stacked(program: Program, store: Store, frame: Context, around: tuple[Class, ...]) -> str | None:
    """The attribute that a stack of layers is stored in; empty when it is deeper inside; None for anything else."""
    if not isinstance(store.target, Attr) or not isinstance(store.target.base, Self):
        return None
    lists = program.knowledge.tables["parallel.lists"]["names"]
    for value in program.values(store.value, frame):
        if isinstance(value, LibraryObject) and value.name in lists:
            return store.target.name
        if isinstance(value, (Instance, LibraryObject)) and _of_maker(program, value, around) is not None:
            return ""
    inner = (part for part in parts_of(store.value) if isinstance(part, Call) and part is not store.value)
    made = (value for part in inner for value in program.values(part, frame) if isinstance(value, LibraryObject))
    return "" if any(value.name in lists for value in made) else None


def _layer_by_layer(program: Program, sharding: Sharding, attribute: str) -> str | None:
    """Code that shards the layers as the model is sharded."""
    call, function = sharding.site.call.term, sharding.site.function
    name = name_in(sharding.base, function)
    own = reference(sharding.name, program.modules[sharding.site.module])
    options_of = [(keyword, name_in(value, function)) for keyword, value in call.kwargs]
    if name is None or own is None or len(call.args) > 1 or any(None in pair for pair in options_of):
        return None
    given = "".join(f", {keyword}={value}" for keyword, value in options_of)
    return f"for layer in {name}.{attribute}:\n    {own}(layer{given})"
