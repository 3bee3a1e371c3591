"""Keys that an object keeps from its constructor on, and that its compiled methods use up: the same numbers at every call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.jax.keys import NEW, Keys, uses_in
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import ClassValue
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Self
from trainlint.ir.sketch import CallStep, Class, Function, Store
from trainlint.ir.walk import of_kind

_CONSTRUCTOR = "__init__"
_COMPILES = ("jit", "pmap")


class Stored(NamedTuple):
    """The call that makes such a key, the attribute that holds it, and where methods use it up."""

    module: str
    node: CallStep
    name: str
    uses: tuple[Spot, ...]


def stored(program: Program) -> Iterator[Stored]:
    """Each such key, once."""
    asked = program.ask(Keys)
    makers = {name.rpartition(".")[2] for name, word in asked.words.items() if word == NEW}
    for module, sketch in program.modules.items():
        for cls in sketch.classes.values():
            made = sketch.functions.get(cls.methods.get(_CONSTRUCTOR, ""))
            if made is None or tests_software(program, module, made):
                continue
            frame = program.frame(module, made)
            for store in of_kind(made, Store):
                if not isinstance(store.target, Attr) or not isinstance(store.target.base, Self):
                    continue
                if not isinstance(store.value, Call) or last_name(store.value.callee) not in makers:
                    continue
                if asked.word(store.value, frame) != NEW:
                    continue
                name = store.target.name
                node = next((node for node in calls_of(made) if node.term is store.value), None)
                if node is None or _is_renewed(program, ClassValue(module, cls), name, store):
                    continue
                uses = tuple(_uses(program, module, cls, name))
                if uses:
                    yield Stored(module, node, name, uses)


def _is_renewed(program: Program, cls: ClassValue, name: str, made: Store) -> bool:
    """Whether the attribute is set anywhere else: on an object by that name, or by a method of the class or of a derived one."""
    for module, function in program.functions():
        for store in of_kind(function, Store):
            if store is made or not isinstance(store.target, Attr) or store.target.name != name:
                continue
            owner = program.modules[module].classes.get(function.cls or "")
            if not isinstance(store.target.base, Self) or owner is None or cls in program.lineage(ClassValue(module, owner)):
                return True
    return False


def _uses(program: Program, module: str, cls: Class, name: str) -> Iterator[Spot]:
    """Where compiled methods of a class use the attribute up."""
    sketch = program.modules[module]
    for qualname in cls.methods.values():
        method = sketch.functions[qualname]
        if _is_compiled(program, method) and not _repeats_on_purpose(program, method):
            for use in uses_in(program, module, method):
                key = use.used.key
                if isinstance(key, Attr) and isinstance(key.base, Self) and key.name == name:
                    yield use.node.term.site


def _is_compiled(program: Program, method: Function) -> bool:
    return any(root.word in _COMPILES for root in program.ask(Roots).of(method))


def _repeats_on_purpose(program: Program, method: Function) -> bool:
    """Whether a method is called after what runs once, or is to give the same answer each time."""
    return any(word in method.name.lower() for word in program.knowledge.tables["keys.starts"]["names"])


__all__ = ["Stored", "stored"]
