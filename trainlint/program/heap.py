"""What containers hold where they are constructed: literals, comprehensions, dispatch tables, library containers.

An item is looked up by its key, where that is a constant; else it may be any of them (``contained``).
``HANDLERS[mode](args)`` calls one of the functions of a dict. What is stored in a container later is in
:mod:`trainlint.program.stores`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trainlint.ir.nodes import (
    Attr,
    Call,
    Comprehension,
    Const,
    Dict,
    Global,
    Nested,
    NestedClass,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import Keep
from trainlint.ir.terms import is_none
from trainlint.ir.walk import of_kind
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, LibraryObject, Unresolved, Value

if TYPE_CHECKING:
    from trainlint.program.program import Program


def position(display: SequenceDisplay | Dict, key: Any) -> int | None:
    """Where the item under a key stands in a list, tuple or dict that is written down; None where there is no such item."""
    if isinstance(display, Dict):
        return next((at for at, (name, _) in enumerate(display.items) if isinstance(name, Const) and name.value == key), None)
    items = display.items
    if not isinstance(key, int) or type(items) is not tuple or not -len(items) <= key < len(items):
        return None
    return key % len(items)


def at(display: SequenceDisplay | Dict, position: int) -> Term:
    """The item that stands at a position."""
    return display.items[position][1] if isinstance(display, Dict) else display.items[position]


def item_of(container: Term, key: Term) -> Term | None:
    """The item of a literal container under a constant key."""
    if not isinstance(key, Const) or not isinstance(container, (SequenceDisplay, Dict)):
        return None
    found = position(container, key.value)
    return None if found is None else at(container, found)


def dict_viewed(views: Mapping[str, str], term: Term, *words: str) -> Term | None:
    """The dict of which a call hands out all values, keys or pairs (table ``views``): as one of ``words`` says, or in any way."""
    if not isinstance(term, Call) or not isinstance(term.callee, Attr) or term.args:
        return None
    word = views.get(term.callee.name)
    fits = word is not None and (not words or word in words)
    return term.callee.base if fits else None


def made_with(term: Term) -> tuple[tuple[tuple[str, int | str], Term], ...]:
    """What ``dict(base, name=value)`` puts into the dict that it makes, each with where it stands; nothing for other terms."""
    if not isinstance(term, Call) or not isinstance(term.callee, Ref) or term.callee.name != "builtins.dict":
        return ()
    given = [(("argument", index), value) for index, value in enumerate(term.args[:1])]
    return (*given, *((("keyword", name), value) for name, value in term.kwargs if name is not None))


def one_of_two(container: Unresolved) -> Term | None:
    """What the items of a comprehension are, one thing or the other, as a tuple (``[a if test(x) else b for x in xs]``)."""
    drawn = container.term if isinstance(container.term, Comprehension) else None
    return Tuple.new(drawn.item.arms) if drawn is not None and isinstance(drawn.item, Select) else None


def contained(program: Program, container: Value, depth: int = 0) -> Iterator[Value]:
    """The values that may be under a key of a container which is not known; nothing when the container is out of sight."""
    if isinstance(container, Unresolved):
        for item in _written(container):
            yield from program.values(item, container.frame, depth)
    elif (
        isinstance(container, LibraryObject)
        and container.call is not None
        and container.frame is not None
        and container.call.args
    ):
        word = program.knowledge.items.get(container.name)
        if word is None:
            return
        for first in program.values(container.call.args[0], container.frame, depth):
            if word == "made":
                yield from _made(program, first, depth)
            elif isinstance(first, Unresolved):
                for pair in _written(first):
                    if isinstance(pair, SequenceDisplay) and len(pair.items) == 2:  # noqa: PLR2004
                        yield from program.values(pair.items[1], first.frame, depth)


def put_in(program: Program, asked: Subscript, container: Value, frame: Context) -> Iterator[Value]:
    """What is set under the keys of a dict that begins empty: where it is made, or by the methods of the object that has it.

    ``asked`` is the item as it stands at the place that asks; what is set under another written-down key is not it.
    """
    written, key = asked.base, asked.key
    target: Term
    if not isinstance(container, Unresolved) or not isinstance(container.term, Dict) or container.term.items:
        return
    if isinstance(written, Attr) and isinstance(written.base, Self):
        module = program.modules[frame.module]
        cls = module.classes.get(written.base.cls or "")
        places = [program.frame(frame.module, module.functions[name]) for name in cls.methods.values()] if cls is not None else []
        target = written
    else:
        places, target = [container.frame], container.term
    for place in places:
        for node in of_kind(place.function, Keep):
            if (
                isinstance(node.target, Subscript)
                and node.target.base is target
                and isinstance(node.value, Call)
                and _may_be(node.target.key, key)
            ):
                yield from program.values(node.value, place)


def _may_be(key: Term, asked: Term) -> bool:
    """Whether two keys may be one: they are not when both are written down and differ."""
    return not isinstance(key, Const) or not isinstance(asked, Const) or bool(key.value == asked.value)


def _written(container: Unresolved) -> Iterator[Term]:
    """The items of a display or a comprehension (of a dict the values)."""
    term = container.term
    if isinstance(term, Comprehension):
        yield term.item
    elif isinstance(term, Dict):
        yield from (value for _, value in term.items)
    elif isinstance(term, SequenceDisplay):
        yield from term.items


def _made(program: Program, maker: Value, depth: int) -> Iterator[Value]:
    """What calling something without arguments makes."""
    if isinstance(maker, ClassValue):
        yield Instance(maker.module, maker.cls)
    elif isinstance(maker, FunctionValue):
        frame = program.frame(maker.module, maker.function)
        for value in program.returns(maker.function):
            yield from program.values(value, frame, depth)


#: How many functions a display may have that are looked at.
_WIDEST = 8
#: Terms that name a function or class.
_NAMES = (Global, Nested, NestedClass, Ref)


def callable_items(program: Program, base: Unresolved, key: Term) -> tuple[Term, ...]:
    """The items of a literal container under a key that is not known, if they name functions, methods or classes."""
    container = one_of_two(base) or base.term
    if (
        isinstance(key, (Const, Slice, Unknown))
        or not isinstance(container, (SequenceDisplay, Dict))
        or type(container.items) is not tuple
    ):
        return ()
    items = container.values
    if len(items) > _WIDEST or not all(_is_name(program, item, base.frame) for item in items):
        return ()
    known = program.knowledge
    return items if any(not isinstance(i, Ref) or known.canonical(i.name) in known.collectives for i in items) else ()


def _is_name(program: Program, item: Term, frame: Context) -> bool:
    """Whether an item names a function or class, or a method of the object whose method writes it down."""
    if not isinstance(item, Attr) or not isinstance(item.base, Self):
        return isinstance(item, _NAMES)
    cls = program.modules[frame.module].classes.get(item.base.cls or "")
    found = program.method(ClassValue(frame.module, cls), item.name) if cls is not None else None
    return found is not None and found[1].kind == "method"


def handed_out(program: Program, call: Call, frame: Context) -> list[tuple[Term, Context]]:
    """The functions that ``HANDLERS.get(mode, otherwise)`` may give, each with where it stands; nothing for other calls."""
    holder = held_by(program.knowledge.hands_out, call)
    if holder is None:
        return []
    key = call.args[0]
    found: list[tuple[Term, Context]] = []
    for base in program.values(holder, frame):
        if not isinstance(base, Unresolved) or not isinstance(base.term, Dict):
            return []
        item = item_of(base.term, key)
        items = callable_items(program, base, key) if item is None else (item,) if _is_name(program, item, base.frame) else ()
        found += [(each, base.frame) for each in items]
    if found and call.args[1:] and isinstance(call.args[1], (*_NAMES, Attr)):
        found.append((call.args[1], frame))
    return found


def held_by(hands_out: Container[str], call: Call) -> Term | None:
    """What holds the thing that ``things.get(key)`` gives, or with a second argument that stands for what is missing."""
    callee = call.callee
    if not 0 < len(call.args) <= 2 or call.kwargs:  # noqa: PLR2004
        return None
    if isinstance(callee, Attr):
        return callee.base if callee.name in hands_out else None
    if not isinstance(callee, Ref):
        return None
    whole, _, last = callee.name.rpartition(".")
    return Ref.new(whole) if whole and last in hands_out else None


def holds_none(value: Value | None) -> bool:
    """Whether a name is bound to None."""
    return isinstance(value, Unresolved) and is_none(value.term)
