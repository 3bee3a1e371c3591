"""What a container holds, whatever the key: a comprehension, a display, or one of the containers of the table ``items``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Other, Value
from trainlint.knowledge import Knowledge
from trainlint.model.sketch import Function, Keep, Module
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind


class Follows(Protocol):
    """What is asked here of the program: see :class:`trainlint.facts.following.Following`."""

    @property
    def modules(self) -> Mapping[str, Module]:
        """The files."""
        ...

    @property
    def knowledge(self) -> Knowledge:
        """The tables."""
        ...

    def values(self, term: Term, frame: Frame, depth: int = 0) -> tuple[Value, ...]:
        """What a term can stand for."""
        ...

    def returns(self, function: Function) -> list[Term]:
        """The terms a function may return."""
        ...

    def frame(self, module: str, function: Function) -> Frame:
        """The function on its own."""
        ...


def contained(program: Follows, container: Value, depth: int = 0) -> Iterator[Value]:
    """The values that may be under a key of a container which is not known; nothing when the container is out of sight."""
    if isinstance(container, Other):
        for item in _written(container):
            yield from program.values(item, container.frame, depth)
    elif isinstance(container, Made) and container.call is not None and container.frame is not None and container.call[2]:
        word = program.knowledge.items.get(container.name)
        if word is None:
            return
        for first in program.values(container.call[2][0], container.frame, depth):
            if word == "made":
                yield from _made(program, first, depth)
            elif isinstance(first, Other):
                for pair in _written(first):
                    if pair[0] in ("tuple", "list") and len(pair[1]) == 2:  # noqa: PLR2004
                        yield from program.values(pair[1][1], first.frame, depth)


def put_in(program: Follows, asked: Term, container: Value, frame: Frame) -> Iterator[Value]:
    """What is set under the keys of a dict that begins empty: where it is made, or by the methods of the object that has it.

    ``asked`` is the item as it stands at the place that asks; what is set under another written-down key is not it.
    """
    written, key = asked[1], asked[2]
    if not isinstance(container, Other) or container.term[0] != "dict" or container.term[1]:
        return
    if written[0] == "a" and written[1][0] == "self":
        module = program.modules[frame.module]
        cls = module.classes.get(written[1][1] or "")
        places = [program.frame(frame.module, module.functions[name]) for name in cls.methods.values()] if cls is not None else []
        target = written
    else:
        places, target = [container.frame], container.term
    for place in places:
        for node in of_kind(place.function, Keep):
            if node.target[0] == "sub" and node.target[1] is target and node.value[0] == "call" and _may_be(node.target[2], key):
                yield from program.values(node.value, place)


def _may_be(key: Term, asked: Term) -> bool:
    """Whether two keys may be one: they are not when both are written down and differ."""
    return key[0] != "c" or asked[0] != "c" or bool(key[2] == asked[2])


def _written(container: Other) -> Iterator[Term]:
    """The items of a display or a comprehension (of a dict the values)."""
    term = container.term
    drawn = container.frame.function.drawn.get(term) if term[0] == "v" else None
    if drawn is not None:
        yield drawn.item
    elif term[0] == "dict":
        yield from (value for _, value in term[1])
    elif term[0] in ("list", "tuple"):
        yield from term[1]


def _made(program: Follows, maker: Value, depth: int) -> Iterator[Value]:
    """What calling something without arguments makes."""
    if isinstance(maker, ClassValue):
        yield Instance(maker.module, maker.cls)
    elif isinstance(maker, FunctionValue):
        frame = program.frame(maker.module, maker.function)
        for value in program.returns(maker.function):
            yield from program.values(value, frame, depth)
