"""Options that a loop declares from the items of a dict: their names and defaults stand there, and not at the parser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, FunctionValue, Instance
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Dict, Element, Global, Param, Ref, Self, Subscript, Term, Unknown
from trainlint.ir.sketch import Function, Keep
from trainlint.ir.walk import of_kind

#: Dicts made of dicts made of … dicts.
_DEEPEST = 6
#: What makes a dict of the fields of an object.
_FIELDS_OF = ("asdict", "vars")


class Item(NamedTuple):
    """An item of a dict whose keys become options: the name, what stands under it, and where the dict is handed over."""

    name: str
    value: Term
    module: str
    spot: Spot


def by_items(program: Program, site: CallSite) -> Iterator[Item]:
    """The items of the dict over which a loop declares options: ``parser.add_argument(f"--{key}", default=value)``."""
    key = _key(site)
    if key is None:
        return
    whole = key.base if isinstance(key, Subscript) and isinstance(key.key, Const) and key.key.value == 0 else key
    if not isinstance(whole, Element):
        return
    holder = _holder(whole.of)
    if isinstance(holder, BinOp) and holder.op == "BitAnd":
        yield from _in_both(program, site, _holder(holder.left), _holder(holder.right))
    elif not isinstance(holder, Param):
        for name, value in _pairs(program, holder, site.module, site.function, 0).items():
            yield Item(name, value, site.module, site.call.term.site)
    else:
        for other in program.ask(CallGraph).callers(site.function):
            given = _given(site.function, holder.name, other.call.term)
            if given is not None:
                for name, value in _pairs(program, given, other.module, other.function, 0).items():
                    yield Item(name, value, other.module, other.call.term.site)


def _holder(term: Term) -> Term:
    """The dict that a loop goes over: the dict itself, or one of which it takes the items or the keys."""
    if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in ("items", "keys") and not term.args:
        inner: Term = term.callee.base
        return inner
    return term


def _in_both(program: Program, site: CallSite, *holders: Term) -> Iterator[Item]:
    """The items of the keys that two dicts have, with the values of that one from which the default is taken.

    ``for name in HELP.keys() & defaults.keys(): parser.add_argument(f"--{name}", default=defaults[name])``
    """
    key, default = _key(site), default_of(site)
    if (
        default is None
        or not isinstance(default, Subscript)
        or default.key is not key
        or not any(each is default.base for each in holders)
    ):
        return
    values, other = (_pairs(program, each, site.module, site.function, 0) for each in sorted(holders, key=default.base.__ne__))
    for name, value in values.items():
        if name in other:
            yield Item(name, value, site.module, site.call.term.site)


def default_of(site: CallSite) -> Term | None:
    """What an option is told that it is: by the keyword, or by an item of a dict of keywords: ``kwargs["default"] = value``."""
    return dict(site.call.term.kwargs).get("default") or kept_of(site, "default")


def kept_of(site: CallSite, name: str) -> Term | None:
    """What is put under a name into the dict of keywords that a call is handed last."""
    spread = dict(site.call.term.kwargs).get(None)
    found = (
        node.value
        for node in of_kind(site.function, Keep)
        if isinstance(node.target, Subscript)
        and node.target.base is spread
        and isinstance(node.target.key, Const)
        and node.target.key.value == name
    )
    return next(found, None) if spread is not None else None


def takes_key(site: CallSite, value: Term | None) -> bool:
    """Whether a value is that which stands beside the key: ``value`` of ``for key, value in defaults.items()``.

    Or ``defaults[key]``, where the loop goes over the keys.
    """
    key = _key(site)
    if value is not None and isinstance(value, Subscript) and value.key is key and key is not None and isinstance(key, Element):
        return True
    return bool(
        value is not None
        and key is not None
        and isinstance(value, Subscript)
        and isinstance(key, Subscript)
        and value.base is key.base
        and isinstance(value.key, Const)
        and value.key.value == 1
    )


def _key(site: CallSite) -> Term | None:
    """What stands behind the hyphens of an option's name, where that is no constant."""
    if not site.call.term.args:
        return None
    text: Term = site.call.term.args[0]
    parts = text.pieces
    if isinstance(text, BinOp) and text.op in ("Add", "Mod"):
        parts = text.sides
    elif isinstance(text, Call) and isinstance(text.callee, Attr) and text.callee.name == "format" and len(text.args) == 1:
        parts = (text.callee.base, text.args[0])
    if len(parts) != 2 or not isinstance(parts[0], Const) or parts[0].value not in ("--", "--%s", "--{}"):  # noqa: PLR2004
        return None
    return parts[1]


def _given(function: Function, name: str, call: Call) -> Term | None:
    """What a call passes for a parameter of a plain function."""
    keywords: Mapping[str | None, Term] = dict(call.kwargs)
    if name in keywords:
        return keywords[name]
    index = function.parameters.index(name) if name in function.parameters and function.cls is None else -1
    given: Term | None = call.args[index] if 0 <= index < len(call.args) else function.defaults.get(name)
    return given


def _pairs(program: Program, term: Term, module: str, function: Function, depth: int) -> dict[str, Term]:
    """The items of a dict with constant keys: what it is made of, and what is put into it where it is made."""
    found: dict[str, Term] = {}
    if depth > _DEEPEST:
        return found
    for each, keywords in _made_of(program, term, module, function):
        if each is not None:
            found.update(_pairs(program, each[0], each[1], each[2], depth + 1))
        found.update(keywords)
    for call in calls_of(function):
        callee = call.term.callee
        if isinstance(callee, Attr) and callee.base is term and callee.name == "update":
            for given in (*call.term.args[:1], *(value for name, value in call.term.kwargs if name is None)):
                found.update(_pairs(program, given, module, function, depth + 1))
            found.update({name: value for name, value in call.term.kwargs if name is not None})
    for node in of_kind(function, Keep):
        if isinstance(node.target, Subscript) and node.target.base is term and isinstance(node.target.key, Const):
            found[str(node.target.key.value)] = node.value
    return found


def _made_of(
    program: Program, term: Term, module: str, function: Function
) -> Iterator[tuple[tuple[Term, str, Function] | None, dict[str, Term]]]:
    """The dicts that a dict begins with, each with the items that stand behind it."""
    if isinstance(term, Dict):
        for key, value in term.items:
            if isinstance(key, Unknown):  # ``**others``
                yield (value, module, function), {}
            elif isinstance(key, Const):
                yield None, {str(key.value): value}
    elif isinstance(term, Global):
        top = program.modules[module].functions.get("<module>")
        named = program.modules[module].names.get(term.name)
        if top is not None and named is not None and named is not term:
            yield (named, module, top), {}
    elif isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name == "builtins.dict":
        for given in (*term.args[:1], *(value for name, value in term.kwargs if name is None)):
            yield (given, module, function), {}
        yield None, {name: value for name, value in term.kwargs if name is not None}
    elif isinstance(term, Call) and last_name(term.callee) in ("copy", "deepcopy"):
        inner = term.args[0] if term.args else term.callee.base if isinstance(term.callee, Attr) else None
        if inner is not None:
            yield (inner, module, function), {}
    elif isinstance(term, Call) and last_name(term.callee) in _FIELDS_OF and len(term.args) == 1:
        yield None, _fields(program, program.values(term.args[0], program.frame(module, function)))
    elif isinstance(term, Call):
        yield from _returned(program, term, module, function)


def _returned(
    program: Program, call: Call, module: str, function: Function
) -> Iterator[tuple[tuple[Term, str, Function] | None, dict[str, Term]]]:
    """The dicts that a function returns, or the fields of the object whose method it is."""
    frame = program.frame(module, function)
    for value in program.values(call.callee, frame):
        for returned in program.returns(value.function) if isinstance(value, FunctionValue) else ():
            if _is_whole(returned) and isinstance(call.callee, Attr):
                yield None, _fields(program, program.values(call.callee.base, frame))
            elif isinstance(value, FunctionValue):
                yield (returned, value.module, value.function), {}


def _is_whole(returned: Term) -> bool:
    """Whether a method returns the fields of its object: ``return asdict(self)``."""
    return bool(
        isinstance(returned, Call)
        and last_name(returned.callee) in _FIELDS_OF
        and len(returned.args) == 1
        and isinstance(returned.args[0], Self)
    )


def _fields(program: Program, values: Iterable[object]) -> dict[str, Term]:
    """The fields of the object of a dataclass that is made without arguments, each with its default."""
    found: dict[str, Term] = {}
    for value in values:
        if not isinstance(value, Instance) or value.call is None or value.call.args or value.call.kwargs:
            continue
        for each in reversed(program.lineage(ClassValue(value.module, value.cls))):
            if isinstance(each, ClassValue):
                found.update({name: each.cls.attributes[name] for name in each.cls.fields if name in each.cls.attributes})
    return found
