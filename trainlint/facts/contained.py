"""What a container holds, whatever the key: a comprehension, a display, or one of the containers of the table ``items``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Other, Value
from trainlint.ir.nodes import Attr, Call, Const, Dict, Self, SequenceDisplay, Subscript, Term, Unknown
from trainlint.ir.sketch import Keep
from trainlint.ir.walk import of_kind

if TYPE_CHECKING:
    from trainlint.facts.program import Program


def contained(program: Program, container: Value, depth: int = 0) -> Iterator[Value]:
    """The values that may be under a key of a container which is not known; nothing when the container is out of sight."""
    if isinstance(container, Other):
        for item in _written(container):
            yield from program.values(item, container.frame, depth)
    elif isinstance(container, Made) and container.call is not None and container.frame is not None and container.call.args:
        word = program.knowledge.items.get(container.name)
        if word is None:
            return
        for first in program.values(container.call.args[0], container.frame, depth):
            if word == "made":
                yield from _made(program, first, depth)
            elif isinstance(first, Other):
                for pair in _written(first):
                    if isinstance(pair, SequenceDisplay) and len(pair.items) == 2:  # noqa: PLR2004
                        yield from program.values(pair.items[1], first.frame, depth)


def put_in(program: Program, asked: Subscript, container: Value, frame: Frame) -> Iterator[Value]:
    """What is set under the keys of a dict that begins empty: where it is made, or by the methods of the object that has it.

    ``asked`` is the item as it stands at the place that asks; what is set under another written-down key is not it.
    """
    written, key = asked.base, asked.key
    target: Term
    if not isinstance(container, Other) or not isinstance(container.term, Dict) or container.term.items:
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


def _written(container: Other) -> Iterator[Term]:
    """The items of a display or a comprehension (of a dict the values)."""
    term = container.term
    drawn = container.frame.function.drawn.get(term) if isinstance(term, Unknown) else None
    if drawn is not None:
        yield drawn.item
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
