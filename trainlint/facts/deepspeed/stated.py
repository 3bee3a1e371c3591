"""The batch sizes and precisions that a configuration states, in a file or in a dict of the code, each with its place."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Plain, Scalar
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.literals import made_with
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, FunctionValue, Other
from trainlint.finding import Spot
from trainlint.ir.nodes import Access, Attr, Call, Const, Dict, Global, Ref, Term
from trainlint.ir.sketch import Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.knowledge import Knowledge

WHOLE, MICRO, STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
SIZES = (WHOLE, MICRO, STEPS)
#: What stands for a value that is there, and not known.
UNKNOWN = "?"
#: The name for a statement that processes share a model.
DIVIDED = "divided"
#: Methods of a dict that leave it as it is.
_READS = ("get", "items", "keys", "values", "copy")


class Stated(NamedTuple):
    """What is said under a name (``written``), and where; ``auto``, and what is not known, are texts."""

    written: str
    value: Plain
    path: str
    spot: Spot

    @property
    def number(self) -> int | None:
        """The value, where it is a number of things."""
        return self.value if isinstance(self.value, int) and not isinstance(self.value, bool) else None


#: By size, by precision (``fp16``: whether it is enabled), or :data:`DIVIDED`.
Statements: TypeAlias = "dict[str, Stated]"


def of_mapping(document: Document, mapping: Mapping, knowledge: Knowledge) -> Statements:
    """What a mapping in a file states."""
    found: Statements = {}
    for key in SIZES:
        item = mapping.item(key)
        if item is not None and not (isinstance(item.value, Scalar) and item.value.value is None):
            value = item.value.value if isinstance(item.value, Scalar) else UNKNOWN
            found[key] = Stated(key, value, document.path, item.key.spot)
    for name, keys in knowledge.tables["deepspeed.precision"].items():
        item = next((item for item in map(mapping.item, keys) if item is not None and isinstance(item.value, Mapping)), None)
        if item is not None and isinstance(item.value, Mapping) and "enabled" in item.value:
            found[name] = Stated(str(item.key.value), item.value.value("enabled"), document.path, item.key.spot)
    for key in knowledge.tables["deepspeed.divided"]["names"]:
        if (item := mapping.item(key)) is not None:
            found[DIVIDED] = Stated(key, UNKNOWN, document.path, item.key.spot)
    return found


def of_dict(program: Program, value: Other, path: str, spot: Spot) -> Statements | None:
    """What a dict in the code states, all at one place, where it is used; None when it is changed, or a key is not known."""
    items = items_of(value.term)
    if items is None or any(key is None for key, _ in items) or is_changed(program, value):
        return None
    found: Statements = {}
    by_key = {str(key): term for key, term in items}
    for key in SIZES:
        if key in by_key and (stated := constant(program, by_key[key], value.frame)) is not None:
            found[key] = Stated(key, stated, path, spot)
    for name, keys in program.knowledge.tables["deepspeed.precision"].items():
        chosen = next((key for key in keys if key in by_key), None)  # DeepSpeed reads no other one then
        inside = dict(items_of(by_key[chosen]) or ()) if chosen is not None else {}
        if chosen is not None and "enabled" in inside:
            stated = constant(program, inside["enabled"], value.frame)
            found[name] = Stated(chosen, UNKNOWN if stated is None else stated, path, spot)
    for key in program.knowledge.tables["deepspeed.divided"]["names"]:
        if key in by_key:
            found[DIVIDED] = Stated(key, UNKNOWN, path, spot)
    return found


def constant(program: Program, term: Term, frame: Frame) -> Plain:
    """The one constant that a term stands for; :data:`UNKNOWN` when there is none, None when that is ``None``."""
    values = program.values(term, frame)
    if len(values) == 1 and isinstance(values[0], Other) and isinstance(values[0].term, Const):
        value = values[0].term.value
        return value if isinstance(value, (str, int, float, bool)) or value is None else UNKNOWN
    return UNKNOWN


def is_dict(term: Term) -> bool:
    """Whether a term is a dict that is written down."""
    return items_of(term) is not None


def items_of(term: Term) -> list[tuple[str | None, Term]] | None:
    """The items of a dict that is written down; a key that is no text is None."""
    if isinstance(term, Dict):
        return [
            (key.value if key is not None and isinstance(key, Const) and type(key.value) is str else None, value)
            for key, value in term.items
        ]
    if isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name == "builtins.dict":
        if term.args or any(name is None for name, _ in term.kwargs):
            return None
        return [(str(where[1]), value) for where, value in made_with(term)]
    return None


def is_changed(program: Program, value: Other) -> bool:
    """Whether somebody in its file sets an item of a dict, calls a method of it that may, or hands it on to one who may."""
    module = program.modules[value.frame.module]
    names = {name for name, term in module.names.items() if term is value.term}
    for function in module.functions.values():
        targets = [keep.target for keep in of_kind(function, Keep)] + [store.target for store in of_kind(function, Store)]
        if any(_is_in(target, value.term, names) for target in targets):
            return True
        for call in calls_of(function):
            if _is_handed_on(program, CallSite(value.frame.module, function, call), value.term, names):
                return True
            callee = call.term.callee
            if isinstance(callee, Attr) and callee.name not in _READS and _is_in(callee, value.term, names):
                return True
    return False


def _is_handed_on(program: Program, site: CallSite, whole: Term, names: Collection[str]) -> bool:
    """Whether a call runs a function of the project with it, which may change it."""
    given = (*site.call.term.args, *(term for _, term in site.call.term.kwargs))
    if not any(term == whole or (isinstance(term, Global) and term.name in names) for term in given):
        return False
    targets = program.ask(CallGraph).targets(site.call.term, program.frame(site.module, site.function))
    return not targets or any(isinstance(each, FunctionValue) for each in targets)


def _is_in(term: Term, whole: Term, names: Collection[str]) -> bool:
    """Whether a term is an item or an attribute of another, which the top level knows by some names."""
    while isinstance(term, Access):
        term = term.base
        if term == whole or (isinstance(term, Global) and term.name in names):
            return True
    return False
