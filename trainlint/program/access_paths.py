"""Access paths: which part of a value is meant, and what the table ``propagation`` says of the parts of what a call returns.

An entry, ``n[i] -> result[i][n]``, says where a value comes from and where in the result, or in the object whose method is
called, it then is. It speaks of a path if its target is the beginning of that; what is left of the path is asked of its source.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Comprehension,
    Const,
    Element,
    Format,
    ItemDisplay,
    SequenceDisplay,
    Star,
    Subscript,
    Term,
)
from trainlint.ir.operators import computed
from trainlint.ir.sketch import Function, Yield
from trainlint.ir.terms import is_super
from trainlint.ir.walk import of_kind
from trainlint.knowledge.checking import FLOW, STEP
from trainlint.program.heap import position
from trainlint.program.values import ClassValue, FunctionValue, Unresolved

if TYPE_CHECKING:
    from trainlint.knowledge import Knowledge
    from trainlint.program.program import Program
    from trainlint.program.values import Context


class Selector(NamedTuple):
    """One step of a path: ``each`` (what iteration gives), ``any`` (whatever key), ``at`` a key, or a ``field``.

    ``key`` is the constant key (None: not known), or the text that names the field.
    """

    kind: str
    key: Const | str | None = None


EACH = Selector("each")
ANY = Selector("any")
SOMEWHERE = Selector("at")
#: Part of a sequence, in order: what is selected of it is so of the sequence, under another key.
PART = Selector("part")
Path = tuple[Selector, ...]
#: A term, where it stands, and what of it is meant.
Source: TypeAlias = "tuple[Term, Context, Path]"


class Flow(NamedTuple):
    """One entry of the table: where a value comes from, and where in the result (or ``self``) it is; see knowledge/README.md."""

    source: str
    taken: tuple[str, ...]
    target: str
    put: tuple[str, ...]
    otherwise: bool


@cache
def parsed(text: str) -> Flow:
    """An entry of the table; the tables are checked when they are read."""
    match = FLOW.fullmatch(text)
    assert match is not None, text
    otherwise, source, taken, target, put = match.groups()
    return Flow(source, tuple(STEP.findall(taken)), target, tuple(STEP.findall(put)), otherwise is not None)


#: What the words of other tables say: ``iterates``, ``views``, ``gathers``.
_SHAPES = {
    "same": ("0[*] -> result[*]",),
    "indexed": ("0[i] -> result[i][1]",),
    "zipped": ("n[i] -> result[i][n]",),
    "item": ("0[*] -> result",),
}
_VIEWS = {
    "value": ("self[?] -> result[*]",),
    "key": ("self[*] -> result[*]",),
    "pair": ("self[*] -> result[*][0]", "self[?] -> result[*][1]"),
}


class Flows(NamedTuple):
    """What is known of each function (by its dotted name) and method (by its bare name)."""

    of: dict[str, tuple[Flow, ...]]
    #: Methods that put something into their object; functions and methods that return a part of what they are given.
    fill: frozenset[str]
    #: Functions that put something into an argument, with its number.
    into: dict[str, int]
    take: frozenset[str]
    longest: int


@lru_cache(maxsize=2)
def flows_of(knowledge: Knowledge) -> Flows:
    """The entries of the tables."""
    texts: dict[str, tuple[str, ...]] = {name: _SHAPES.get(shape, ()) for name, shape in knowledge.iterates.items()}
    texts |= {name: _VIEWS[word] for name, word in knowledge.views.items()}
    texts |= dict.fromkeys(knowledge.hands_out, ("self[=0] -> result", "else 1 -> result"))
    for name, where in knowledge.gathers.items():
        texts[name] = ("0[*] -> self[*]" if where == "all" else f"{where.rstrip('?')} -> self[*]",)
    texts |= {name: tuple(flows) for name, flows in knowledge.propagation.items()}
    known = [(name, flows) for name, flows in texts.items() if flows or name in knowledge.propagation]
    of = {name: tuple([parsed(flow) for flow in flows]) for name, flows in known}
    fill, into, take, longest = set(), {}, set(), 0
    for name, flows in of.items():
        for flow in flows:
            longest = max(longest, len(flow.put))
            if flow.target == "self":
                fill.add(name)
            elif flow.target.isdigit():
                into[name] = int(flow.target)
            elif not flow.put:
                take.add(name)
    return Flows(of, frozenset(fill), into, frozenset(take), longest)


class Match(NamedTuple):
    """What the letters of a target stand for, where it is the beginning of a path: and what is left of the path."""

    same: Selector
    number: int | None
    name: str | None
    rest: Path


def matched(flow: Flow, path: Path) -> Match | None:
    """How the target of a flow begins a path; None where it does not (whoever asks compares the keys of ``[=0]``)."""
    if len(flow.put) > len(path):
        return None
    same, number, name = ANY, None, None
    for step, asked in zip(flow.put, path, strict=False):
        key = asked.key.value if isinstance(asked.key, Const) else None
        if step[0] == ".":
            if asked.kind != "field":
                return None
            name = asked.key if step == ".name" and isinstance(asked.key, str) else None
            continue
        if asked.kind == "field" or (asked.kind == "each" and (step in ("[?]", "[name]") or step[1] == "=")):
            return None
        if step == "[k]":
            same = asked
        elif step in ("[*]", "[i]") and isinstance(key, str):
            return None
        elif step == "[i]":
            same = asked
        elif step == "[name]":
            if key is not None and not isinstance(key, str):
                return None
            name = key
        elif step == "[n]":
            if key is not None and type(key) is not int:
                return None
            number = key
        elif step[1:-1].isdigit() and key is not None and (type(key) is not int or key != int(step[1:-1])):
            return None
    return Match(same, number, name, path[len(flow.put) :])


NO_MATCH = Match(ANY, None, None, ())


def arguments(call: Call, flow: Flow, match: Match) -> Iterator[tuple[Term, Path, str | None]]:
    """The arguments that a flow begins at, what of each is meant (of ``*items`` one), and by which keyword it is given."""
    if flow.source == "self":
        if isinstance(call.callee, Attr):
            yield call.callee.base, (), match.name
    elif flow.source == "name":
        for name, value in call.kwargs:
            wanted = match.name in (None, name)
            if name is not None and wanted:
                yield value, (), name
            elif name is None:
                yield value, ((at("str", match.name) if match.name is not None else ANY),), match.name
    else:
        number = int(flow.source) if flow.source != "n" else match.number
        spread = next((place for place, each in enumerate(call.args) if isinstance(each, Star)), len(call.args))
        for place, each in enumerate(call.args):
            if isinstance(each, Star):
                if number is None or number >= place:
                    alone = number is not None and place == spread
                    yield each.of, ((at("int", number - place) if alone and number is not None else ANY),), match.name
            elif number is None or (number == place < spread) or (spread < place <= number):
                yield each, (), match.name


@cache
def _constant(kind: str, value: object) -> Const:
    return Const.new(kind, value)


def at(kind: str, value: object) -> Selector:
    """The part under a constant key."""
    return Selector("at", _constant(kind, value))


#: What has a name of its own.
_DEFINED = (ClassValue, FunctionValue)


def worked_out(program: Program, key: Term, frame: Context, depth: int, inside: tuple[Term, ...] = ()) -> Const | None:
    """The constant that a key is: written down, what a name stands for, or a text that is put together of such.

    None for what is put together of itself (``name = name + "_"`` in a loop): ``inside`` is what is being put together.
    """
    if isinstance(key, Const):
        return key
    if key in inside:
        return None
    parts: tuple[Term, ...] = ()
    if isinstance(key, Attr) and key.name == "__name__":
        named = program.values(key.base, frame, depth)
        defined = [each.cls if isinstance(each, ClassValue) else each.function for each in named if isinstance(each, _DEFINED)]
        return program.terms.const(defined[0].name) if len(defined) == len(named) == 1 else None
    if isinstance(key, Format):
        parts = key.pieces
    elif isinstance(key, BinOp) and key.op in ("Add", "Mod"):
        parts = key.sides
    elif isinstance(key, Call) and isinstance(key.callee, Attr) and key.callee.name == "format" and not key.kwargs:
        parts = (key.callee.base, *key.args)
    if not parts:
        values = program.values(key, frame, depth)
        alone = values[0] if len(values) == 1 else None
        if not isinstance(alone, Unresolved) or alone.term is key:
            return None
        return worked_out(program, alone.term, alone.frame, depth + 1, inside)
    inside = (*inside, key)
    known = [worked_out(program, part, frame, depth + 1, inside) for part in parts]
    made = [each.value for each in known if each is not None]
    if len(made) < len(known):
        return None
    whole = "".join(map(str, made)) if isinstance(key, Format) else _put_together(key, made)
    return program.terms.const(whole) if isinstance(whole, (str, int)) else None


def _put_together(key: Term, made: list[object]) -> object:
    if isinstance(key, BinOp):
        return computed(key.op, *made)
    try:
        return made[0].format(*made[1:]) if isinstance(made[0], str) else None
    except (IndexError, KeyError, ValueError, AttributeError):
        return None


def may_be(key: Term, asked: Selector) -> bool:
    """Whether a key may be the one that is asked for: not when both are written down and differ."""
    return not isinstance(key, Const) or not isinstance(asked.key, Const) or bool(key.value == asked.key.value)


def filtered_from(made: Comprehension) -> Term | None:
    """The dict of which a comprehension takes some items as they are: ``{name: each for name, each in d.items() if …}``."""
    key, item = made.key, made.item
    if not isinstance(key, Subscript) or not isinstance(item, Subscript) or not isinstance(key.base, Element):
        return None
    views: Term = key.base.stem
    whole = views.callee.base if isinstance(views, Call) and isinstance(views.callee, Attr) and not views.args else None
    places = [each.key.value if isinstance(each.key, Const) else None for each in (key, item)]
    items = isinstance(views, Call) and isinstance(views.callee, Attr) and views.callee.name == "items"
    return whole if items and item.base is key.base and places == [0, 1] else None


def asks_above(term: Term) -> bool:
    """Whether a term is what a method of the same name gives of a class above (``super().__getattr__(name)``)."""
    return isinstance(term, Call) and isinstance(term.callee, Attr) and is_super(term.callee.base)


def yields(function: Function, frame: Context, path: Path) -> Iterator[Source]:
    """From where what a generator yields comes, or a part of it."""
    nodes = of_kind(function, Yield)
    key = path[0].key
    if isinstance(key, Const) and type(key.value) is int and not any(node.whole for node in nodes):
        inside = {id(node) for node in function.body}
        if all(id(node) in inside for node in nodes):  # one after the other
            nodes = nodes[key.value :][:1]
    for node in nodes:
        if node.value is not None:
            yield node.value, frame, path if node.whole else path[1:]


def at_key(display: ItemDisplay, selector: Selector) -> tuple[Term, ...]:
    """The items that may be under a key; ``*items`` before it may be any number."""
    items = display.items
    if selector.kind == "field":
        return ()
    if not isinstance(selector.key, Const) or not isinstance(display, SequenceDisplay):
        return items
    number = selector.key.value
    found = position(display, number)
    stars = [place for place, item in enumerate(items) if isinstance(item, Star)]
    if found is not None:
        return (items[found],)
    if not stars or not isinstance(number, int):
        return ()
    return items[stars[0] :] if number >= 0 else items[: stars[-1] + 1]
