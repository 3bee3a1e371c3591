"""Models that are sharded as one unit: all of their parameters are gathered at once, in each forward and backward pass.

What sharding saves is that only one unit's parameters are whole at a time. Without units below the root that is all of them, and
nothing is communicated while something is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.loaders.options import Options
from trainlint.facts.modes.identity import Part
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.sharding.clips import keeps_whole
from trainlint.facts.sharding.models import Models, related
from trainlint.facts.sharding.shardings import Sharding, Shardings
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made
from trainlint.ir.nodes import Attr, Call, Self
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_DEEPEST = 3


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
    if not other.keys or related(sharding.keys, other.keys):
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


def _of_maker(program: Program, maker: Instance | Made, depth: int = _DEEPEST) -> set[str] | None:
    tables = program.knowledge.tables
    if isinstance(maker, Made):
        known = maker.name in tables["parallel.stacks"]["names"]
        pretrained = maker.name.rpartition(".")[2] in tables["parallel.pretrained"]["names"]
        return set() if known or pretrained else None
    if depth == 0:
        return None
    found: set[str] = set()
    held = False
    for cls in program.lineage(ClassValue(maker.module, maker.cls)):
        methods = program.modules[cls.module].functions.values() if isinstance(cls, ClassValue) else ()
        for method in methods:
            if isinstance(cls, ClassValue) and method.cls == cls.cls.qualname:
                frame = program.instance_frame(maker, cls.module, method)
                for store in of_kind(method, Store):
                    stacked = _stacked(program, store, frame, depth)
                    held = held or stacked is not None
                    found |= {stacked} if stacked else set()
    return found if held else None


def _stacked(program: Program, store: Store, frame: Frame, depth: int) -> str | None:
    """The attribute that a stack of layers is stored in; empty when it is deeper inside; None for anything else."""
    if not isinstance(store.target, Attr) or not isinstance(store.target.base, Self):
        return None
    lists = program.knowledge.tables["parallel.lists"]["names"]
    for value in program.values(store.value, frame):
        if isinstance(value, Made) and value.name in lists:
            return store.target.name
        if isinstance(value, (Instance, Made)) and _of_maker(program, value, depth - 1) is not None:
            return ""
    inner = (part for part in parts_of(store.value) if isinstance(part, Call) and part is not store.value)
    made = (value for part in inner for value in program.values(part, frame) if isinstance(value, Made))
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
