"""PRNG keys that are never read: parts that a function splits off, and parameters that are handed one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.jax.async_dispatch import Dispatch
from trainlint.domains.jax.prng_keys import (
    SPLITS,
    Keys,
)
from trainlint.finding import Spot
from trainlint.ir.bindings import bindings, carried_names, carried_values, held_at_end, values_of
from trainlint.ir.nodes import (
    Attr,
    Call,
    Collected,
    Comprehension,
    Const,
    Global,
    LoopPhi,
    Nested,
    Param,
    Ref,
    Select,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import within
from trainlint.ir.sketch import CallStep, Exit, Function, Module, Try
from trainlint.ir.terms import closure, parts_of
from trainlint.ir.walk import effects, of_kind, roots, statements_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.def_use import made_in
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, ClassValue, FunctionValue


class Unread(NamedTuple):
    """Keys that nobody reads, by their names.

    ``node`` is the call that splits them off; for a parameter that is a call which hands it over, and ``function`` takes it.
    """

    module: str
    node: CallStep
    names: tuple[str, ...]
    function: Function | None = None
    place: tuple[str, Spot] | None = None


def unread(program: Program) -> Iterator[Unread]:
    """Each such key, once."""
    asked = program.ask(Keys)
    library = program.ask(Dispatch)
    for module, function in program.functions():
        if not library.used(module) or tests_software(program, module, function):
            continue
        yield from _parts(program, asked, module, function)
        yield from _parameters(program, asked, module, function)


# -- parts of a key ------------------------------------------------------------------------------------------------------


def _parts(program: Program, asked: Keys, module: str, function: Function) -> Iterator[Unread]:
    """Names that hold parts which a function splits off and never reads."""
    if function.kind == "module":
        return
    frame = program.frame(module, function)
    named = {name: held for name, held in bindings(function) if isinstance(held, Subscript) and _is_part(held)}
    named = {name: held for name, held in named.items() if asked.word(held.base, frame) == SPLITS}
    if not named or _has_several(function):
        return
    found: dict[Term, list[str]] = {}
    for name, held in sorted(named.items()):
        node = next((node for node in calls_of(function) if node.term is held.base), None)
        if node is None or _is_rest(asked, name) or _is_left(held, function) or _in_attempt(function, node):
            continue
        if not _reads(program.modules[module], function, held, name):
            found.setdefault(node.term, []).append(name)
    for node in calls_of(function):
        if node.term in found:
            yield Unread(module, node, tuple(found.pop(node.term)))


def _is_part(held: Term) -> bool:
    return bool(
        isinstance(held, Subscript)
        and isinstance(held.base, Call)
        and isinstance(held.key, Const)
        and type(held.key.value) is int
    )


def _is_rest(asked: Keys, name: str) -> bool:
    """Whether a name is that of what a split leaves for later: one that says so, or says no more than that it is a key."""
    words = name.lower().split("_")
    return name.startswith("_") or all(word in asked.names for word in words) or any(word in name.lower() for word in asked.rests)


def _is_left(held: Subscript, function: Function) -> bool:
    """Whether a part is the first or the last of those that a key was split into which goes by a name that nobody knows any more.

    The part has that name, often: what is left of the key.
    """
    split, key = held.base, held.key
    if not isinstance(split, Call) or not isinstance(key, Const):
        return False
    others = [
        each.key.value
        for each in values_of(function)
        if isinstance(each, Subscript) and isinstance(each.key, Const) and _is_part(each) and each.base is split
    ]
    given = split.args[0] if split.args else None
    ends = key.value in (0, max(others))
    return given is not None and isinstance(given, (Subscript, Select, Unknown)) and ends


def _in_attempt(function: Function, node: CallStep) -> bool:
    return any(within(function, each, node) for each in of_kind(function, Try))


def _reads(sketch: Module, function: Function, held: Term, name: str) -> bool:
    """Whether a value that goes by a name is read in a function, or in one defined there."""
    for each in sketch.functions.values():
        inner = each.qualname.startswith(f"{function.qualname}.")
        if each is not function and not inner:
            continue
        for term in _terms(each):
            for part in parts_of(term):
                if part is held or (isinstance(part, LoopPhi) and part.name == name):
                    return True
        others = [value for other, value in held_at_end(each).items() if other != name or inner]
        others += [value for other, *values in carried_names(each) if other.name != name for value in values]
        if any(part is held for value in others for part in parts_of(value)):
            return True
    return False


def _has_several(function: Function) -> bool:
    """Whether a comprehension goes over several things: what it makes is not known."""
    return any(type(each) is Collected for each in made_in(function, Collected))


def _terms(function: Function) -> Iterator[Term]:
    """All that a function works out, as far as its model knows, texts and comprehensions included."""
    terms = [term for node in statements_of(function) for term in roots(node)]
    terms += [term for drawn in made_in(function, Comprehension) for term in drawn.made_of()]
    terms += [*function.defaults.values(), *function.decorators]
    terms += [value for value in carried_values(function) if not _is_part(value)]
    return closure(terms, lambda term: [made for part in parts_of(term) if isinstance(part, Unknown) for made in part.made_of()])


# -- parameters ------------------------------------------------------------------------------------------------------------


def _parameters(program: Program, asked: Keys, module: str, function: Function) -> Iterator[Unread]:
    """Parameters that are surely handed a key, and that the function never reads."""
    wanted = [name for name in function.parameters if _is_key_name(asked, name) and _is_kept(function, name)]
    if not wanted or function.decorators or _has_several(function) or not _does_something(function):
        return
    sketch = program.modules[module]
    for name in wanted:
        if _mentions(sketch, function, name):
            continue
        found = _handed_on(program, asked, function, name)
        if found is not None and not _has_interface(program, module, function):
            yield Unread(module, found[1], (name,), function, (found[0], found[1].term.site))


def _is_key_name(asked: Keys, name: str) -> bool:
    return not name.startswith("_") and any(word in name.lower().split("_") for word in asked.names)


def _is_kept(function: Function, name: str) -> bool:
    """Whether a parameter is neither bound anew nor deleted, which is how people say that they know."""
    held = held_at_end(function).get(name)
    return held is not None and isinstance(held, Param) and held.function == function.qualname and held.name == name


def _mentions(sketch: Module, function: Function, name: str) -> bool:
    """Whether a parameter is part of anything in its function or in those defined there (terms are interned by their file)."""
    for each in sketch.functions.values():
        if each is function or each.qualname.startswith(f"{function.qualname}."):
            held = [value for other, value in held_at_end(each).items() if other != name or each is not function]
            parts = (part for term in (*_terms(each), *held) for part in parts_of(term))
            if any(isinstance(part, Param) and (part.function, part.name) == (function.qualname, name) for part in parts):
                return True
    return False


def _does_something(function: Function) -> bool:
    """Whether a function is more than a stub."""
    body = [node for node in effects(function.body) if not (isinstance(node, Exit) and node.kind == "raise")]
    return len(body) > 1 and bool(calls_of(function))


def _has_interface(program: Program, module: str, function: Function) -> bool:
    """Whether others may ask for these parameters: of a method that a base or derived class has; of a function handed on."""
    cls = program.modules[module].classes.get(function.cls or "")
    if cls is not None:
        value = ClassValue(module, cls)
        if len(program.lineage(value)) > 1 or program.overriding(value, function.name):
            return True
    return (function.outer is not None and cls is None) or function.name in program.ask(_named_as_values)


def _named_as_values(program: Program) -> frozenset[str]:
    """The names of functions and methods that stand somewhere without being called."""
    return frozenset(_find_values(program))


def _find_values(program: Program) -> Iterator[str]:
    for sketch in program.modules.values():
        terms = [root for each in sketch.functions.values() for node in statements_of(each) for root in roots(node)]
        held = (
            *(held_at_end(each) for each in sketch.functions.values()),
            *(each.attributes for each in sketch.classes.values()),
        )
        terms += [
            term for names in (sketch.names, *held) for term in names.values() if not isinstance(term, (Global, Nested, Ref))
        ]
        for term in parts_of(*terms):
            for part in term.subterms():
                called = isinstance(term, Call) and part is term.callee
                if not called and isinstance(part, (Global, Nested, Ref)):
                    yield part.name.rpartition(".")[2]
                elif not called and isinstance(part, Attr):
                    yield part.name


def _handed_on(program: Program, asked: Keys, function: Function, name: str) -> tuple[str, CallStep] | None:
    """A call that hands a parameter a key."""
    for site in program.ask(CallGraph).callers(function):
        frame = program.frame(site.module, site.function)
        for target in program.ask(CallGraph).targets(site.call.term, frame):
            if isinstance(target, FunctionValue) and target.function is function:
                given = program.enter(target, site.call.term, frame).arguments.get(name)
                if isinstance(given, Argument) and asked.is_key(given.term, given.frame):
                    return site.module, site.call
    return None
