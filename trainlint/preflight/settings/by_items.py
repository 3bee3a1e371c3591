"""Options that a loop declares from the items of a dict: their names and defaults stand there, and not at the parser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.calls import Calls, CallSite, last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, FunctionValue, Instance
from trainlint.finding import Spot
from trainlint.model.sketch import Function, Keep
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind

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
    key = _key(program, site)
    if key is None:
        return
    whole = key[1] if key[0] == "sub" and key[2][0] == "c" and key[2][2] == 0 else key
    if whole[0] != "elem":
        return
    holder = _holder(whole[1])
    if holder[0] == "bin" and holder[1] == "BitAnd":
        yield from _in_both(program, site, _holder(holder[2]), _holder(holder[3]))
    elif holder[0] != "p":
        for name, value in _pairs(program, holder, site.module, site.function, 0).items():
            yield Item(name, value, site.module, site.call.term[4])
    else:
        for other in program.ask(Calls).callers(site.function):
            given = _given(site.function, holder[2], other.call.term)
            if given is not None:
                for name, value in _pairs(program, given, other.module, other.function, 0).items():
                    yield Item(name, value, other.module, other.call.term[4])


def _holder(term: Term) -> Term:
    """The dict that a loop goes over: the dict itself, or one of which it takes the items or the keys."""
    if term[0] == "call" and term[1][0] == "a" and term[1][2] in ("items", "keys") and not term[2]:
        inner: Term = term[1][1]
        return inner
    return term


def _in_both(program: Program, site: CallSite, *holders: Term) -> Iterator[Item]:
    """The items of the keys that two dicts have, with the values of that one from which the default is taken.

    ``for name in HELP.keys() & defaults.keys(): parser.add_argument(f"--{name}", default=defaults[name])``
    """
    key, default = _key(program, site), default_of(site)
    if default is None or default[0] != "sub" or default[2] is not key or not any(each is default[1] for each in holders):
        return
    values, other = (_pairs(program, each, site.module, site.function, 0) for each in sorted(holders, key=default[1].__ne__))
    for name, value in values.items():
        if name in other:
            yield Item(name, value, site.module, site.call.term[4])


def default_of(site: CallSite) -> Term | None:
    """What an option is told that it is: by the keyword, or by an item of a dict of keywords: ``kwargs["default"] = value``."""
    return dict(site.call.term[3]).get("default") or kept_of(site, "default")


def kept_of(site: CallSite, name: str) -> Term | None:
    """What is put under a name into the dict of keywords that a call is handed last."""
    spread = dict(site.call.term[3]).get(None)
    found = (
        node.value
        for node in of_kind(site.function, Keep)
        if node.target[0] == "sub" and node.target[1] is spread and node.target[2][0] == "c" and node.target[2][2] == name
    )
    return next(found, None) if spread is not None else None


def takes_key(program: Program, site: CallSite, value: Term | None) -> bool:
    """Whether a value is that which stands beside the key: ``value`` of ``for key, value in defaults.items()``.

    Or ``defaults[key]``, where the loop goes over the keys.
    """
    key = _key(program, site)
    if value is not None and value[0] == "sub" and value[2] is key and key is not None and key[0] == "elem":
        return True
    return bool(
        value is not None
        and key is not None
        and value[0] == key[0] == "sub"
        and value[1] is key[1]
        and value[2][0] == "c"
        and value[2][2] == 1
    )


def _key(program: Program, site: CallSite) -> Term | None:
    """What stands behind the hyphens of an option's name, where that is no constant."""
    if not site.call.term[2]:
        return None
    text: Term = site.call.term[2][0]
    parts = program.modules[site.module].texts.get(text, ()) if text[0] == "v" else ()
    if text[0] == "bin" and text[1] in ("Add", "Mod"):
        parts = text[2:4]
    elif text[0] == "call" and text[1][0] == "a" and text[1][2] == "format" and len(text[2]) == 1:
        parts = (text[1][1], text[2][0])
    if len(parts) != 2 or parts[0][0] != "c" or parts[0][2] not in ("--", "--%s", "--{}"):  # noqa: PLR2004
        return None
    return parts[1]


def _given(function: Function, name: str, call: Term) -> Term | None:
    """What a call passes for a parameter of a plain function."""
    keywords: Mapping[str | None, Term] = dict(call[3])
    if name in keywords:
        return keywords[name]
    index = function.parameters.index(name) if name in function.parameters and function.cls is None else -1
    given: Term | None = call[2][index] if 0 <= index < len(call[2]) else function.defaults.get(name)
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
        callee = call.term[1]
        if callee[0] == "a" and callee[1] is term and callee[2] == "update":
            for given in (*call.term[2][:1], *(value for name, value in call.term[3] if name is None)):
                found.update(_pairs(program, given, module, function, depth + 1))
            found.update({name: value for name, value in call.term[3] if name is not None})
    for node in of_kind(function, Keep):
        if node.target[0] == "sub" and node.target[1] is term and node.target[2][0] == "c":
            found[str(node.target[2][2])] = node.value
    return found


def _made_of(
    program: Program, term: Term, module: str, function: Function
) -> Iterator[tuple[tuple[Term, str, Function] | None, dict[str, Term]]]:
    """The dicts that a dict begins with, each with the items that stand behind it."""
    if term[0] == "dict":
        for key, value in term[1]:
            if key[0] == "v":  # ``**others``
                yield (value, module, function), {}
            elif key[0] == "c":
                yield None, {str(key[2]): value}
    elif term[0] == "g":
        top = program.modules[module].functions.get("<module>")
        named = program.modules[module].names.get(term[1])
        if top is not None and named is not None and named is not term:
            yield (named, module, top), {}
    elif term[0] == "call" and term[1][0] == "r" and term[1][1] == "builtins.dict":
        for given in (*term[2][:1], *(value for name, value in term[3] if name is None)):
            yield (given, module, function), {}
        yield None, {name: value for name, value in term[3] if name is not None}
    elif term[0] == "call" and last_name(term[1]) in ("copy", "deepcopy"):
        inner = term[2][0] if term[2] else term[1][1] if term[1][0] == "a" else None
        if inner is not None:
            yield (inner, module, function), {}
    elif term[0] == "call" and last_name(term[1]) in _FIELDS_OF and len(term[2]) == 1:
        yield None, _fields(program, program.values(term[2][0], program.frame(module, function)))
    elif term[0] == "call":
        yield from _returned(program, term, module, function)


def _returned(
    program: Program, call: Term, module: str, function: Function
) -> Iterator[tuple[tuple[Term, str, Function] | None, dict[str, Term]]]:
    """The dicts that a function returns, or the fields of the object whose method it is."""
    frame = program.frame(module, function)
    for value in program.values(call[1], frame):
        for returned in program.returns(value.function) if isinstance(value, FunctionValue) else ():
            if _is_whole(returned) and call[1][0] == "a":
                yield None, _fields(program, program.values(call[1][1], frame))
            elif isinstance(value, FunctionValue):
                yield (returned, value.module, value.function), {}


def _is_whole(returned: Term) -> bool:
    """Whether a method returns the fields of its object: ``return asdict(self)``."""
    return bool(
        returned[0] == "call" and last_name(returned[1]) in _FIELDS_OF and len(returned[2]) == 1 and returned[2][0][0] == "self"
    )


def _fields(program: Program, values: Iterable[object]) -> dict[str, Term]:
    """The fields of the object of a dataclass that is made without arguments, each with its default."""
    found: dict[str, Term] = {}
    for value in values:
        if not isinstance(value, Instance) or value.call is None or value.call[2] or value.call[3]:
            continue
        for each in reversed(program.lineage(ClassValue(value.module, value.cls))):
            if isinstance(each, ClassValue):
                found.update({name: each.cls.attributes[name] for name in each.cls.fields if name in each.cls.attributes})
    return found
