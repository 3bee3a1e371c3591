"""Bundles: objects that hold what they are made of and nothing else, such as dataclasses and named tuples.

``rows.append(Row(step, loss))`` keeps the loss; ``result.loss`` of ``Result(loss=loss)`` is the loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, Made
from trainlint.ir.nodes import Call, Const, SequenceDisplay, Term


def bundled(program: Program, call: Call, frame: Frame) -> tuple[Term, ...]:
    """What a call puts into the bundle that it makes; nothing when it makes none."""
    if not (call.args or call.kwargs) or not any(True for _ in _bundles(program, call, frame)):
        return ()
    return (*call.args, *(value for name, value in call.kwargs if name is not None))


def field(program: Program, call: Call, name: str, frame: Frame) -> Term | None:
    """What a bundle was given for a field."""
    given: Term | None = next((value for keyword, value in call.kwargs if keyword == name), None)
    if given is not None:
        return given
    for fields in _bundles(program, call, frame):
        if name in fields and fields.index(name) < len(call.args):
            return call.args[fields.index(name)]
    return None


def _bundles(program: Program, call: Call, frame: Frame) -> Iterator[tuple[str, ...]]:
    """The fields of the bundles that a call may make, in order."""
    for value in program.values(call.callee, frame):
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


def _named(call: Call) -> tuple[str, ...]:
    """The fields of ``namedtuple("Row", ["step", "loss"])``; none where they are not written down."""
    if len(call.args) <= 1:
        return ()
    given = call.args[1]
    if isinstance(given, Const) and isinstance(given.value, str):
        return tuple(given.value.replace(",", " ").split())
    if isinstance(given, SequenceDisplay):
        return tuple([str(part.value) if isinstance(part, Const) else "" for part in given.items])
    return ()
