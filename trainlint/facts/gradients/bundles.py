"""Bundles: objects that hold what they are made of and nothing else, such as dataclasses and named tuples.

``rows.append(Row(step, loss))`` keeps the loss; ``result.loss`` of ``Result(loss=loss)`` is the loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, Made
from trainlint.model.terms import Term


def bundled(program: Program, call: Term, frame: Frame) -> tuple[Term, ...]:
    """What a call puts into the bundle that it makes; nothing when it makes none."""
    if not (call[2] or call[3]) or not any(True for _ in _bundles(program, call, frame)):
        return ()
    return (*call[2], *(value for name, value in call[3] if name is not None))


def field(program: Program, call: Term, name: str, frame: Frame) -> Term | None:
    """What a bundle was given for a field."""
    given: Term | None = next((value for keyword, value in call[3] if keyword == name), None)
    if given is not None:
        return given
    for fields in _bundles(program, call, frame):
        if name in fields and fields.index(name) < len(call[2]):
            return call[2][fields.index(name)]  # type: ignore[no-any-return]
    return None


def _bundles(program: Program, call: Term, frame: Frame) -> Iterator[tuple[str, ...]]:
    """The fields of the bundles that a call may make, in order."""
    for value in program.values(call[1], frame):
        if isinstance(value, Made) and value.call is not None and value.name in program.knowledge.bundles:
            yield _named(value.call)
        elif isinstance(value, ClassValue) and program.method(value, "__init__") is None:
            fields = fields_of(program, value)
            if fields:
                yield fields


def fields_of(program: Program, value: ClassValue) -> tuple[str, ...]:
    """The fields that a class and its bases declare, in the order in which a dataclass takes them."""
    lineage = [each for each in program.lineage(value) if isinstance(each, ClassValue)]
    return tuple(dict.fromkeys(name for each in reversed(lineage) for name in each.cls.fields))


def _named(call: Term) -> tuple[str, ...]:
    """The fields of ``namedtuple("Row", ["step", "loss"])``; none where they are not written down."""
    if len(call[2]) <= 1:
        return ()
    given = call[2][1]
    if given[0] == "c" and isinstance(given[2], str):
        return tuple(given[2].replace(",", " ").split())
    if given[0] in ("list", "tuple"):
        return tuple([str(part[2]) if part[0] == "c" else "" for part in given[1]])
    return ()
