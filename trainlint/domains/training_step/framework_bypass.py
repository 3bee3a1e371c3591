"""Backward passes and clips that pass by the framework that has prepared the optimizer and the model.

A framework that wraps an optimizer expects to run the backward pass itself: it scales the loss, divides it by the number of
batches that make a step, shards or averages gradients. What tells that it is in charge is the optimizer that steps: it is what
the framework handed back. DeepSpeed is not among them: its newer engines see a plain `backward`, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.training_step.clipping import called
from trainlint.flow.events import Event
from trainlint.flow.objects import Things
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.nodes import Attr, Const, Subscript, Term
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, LibraryObject, Unresolved, Value

_PRECISION, _WHOLE = "mixed_precision", ("no", "bf16")
_WINDOW = "gradient_accumulation_steps"


class Bypassed(NamedTuple):
    """A call that passes the framework by: a backward pass or a clip (``what``); ``manager`` is its name there, if it has one.

    ``made`` is the call that put the framework in charge, ``method`` the one of its methods that is to be called.
    """

    event: Event
    what: str
    made: LibraryObject
    manager: str | None
    method: str


def bypassed(program: Program) -> Iterator[Bypassed]:
    """The backward passes and clips that a framework should have run."""
    seen: set[tuple[str, Term]] = set()
    for answer in _of_optimizers(program):
        key = (answer.event.frame.module, answer.event.term)
        if key not in seen:
            seen.add(key)
            yield answer


def _of_optimizers(program: Program) -> Iterator[Bypassed]:
    for found in program.ask(Rounds).around("step", "backward", "step"):
        if tests_software(program, found.frame.module, found.frame.function):
            continue
        passes = found.of_kind("backward")
        made = next((made for step in found.own_steps() if (made := _preparer(program, step)) is not None), None)
        if made is None or not all(_preparer(program, step) is not None for step in found.own_steps()):
            continue
        if all(event.way == "plain" for event in passes) and not (_is_whole(program, made) and not _says(program, made, _WINDOW)):
            for event in passes:
                yield Bypassed(event, "backward", made, _manager(program, made, event.frame), "backward")
        yield from _clips(program, found, made)


def _clips(program: Program, found: Round, made: LibraryObject) -> Iterator[Bypassed]:
    """Clips of gradients that may be scaled still, or sharded, where the framework has a method for it."""
    method = program.knowledge.managed_clips.get(made.name)
    if method is None or found.of_kind("unscale", "touch") or _is_whole(program, made):
        return
    for event in found.of_kind("clip"):
        values = program.values(event.call.callee, event.frame)
        libraries = [value for value in values if isinstance(value, Library) and not _is_own(value.name, made.name)]
        if libraries and last_name(event.call.callee) == method and not found.may_be_changed(program, *found.parts()):
            yield Bypassed(event, "clip", made, _manager(program, made, event.frame), method)


def _is_own(name: str, framework: str) -> bool:
    """Whether a function is of the framework itself."""
    return name.partition(".")[0] == framework.partition(".")[0]


def _preparer(program: Program, step: Event) -> LibraryObject | None:
    """The call by which a framework prepared the optimizer of a step; None where it did not, or may not have."""
    if step.thing is None:
        return None
    values = list(_whole(program, step.thing.term, step.thing.frame))
    prepared = [value for value in values if isinstance(value, LibraryObject) and value.name in program.knowledge.managed_by]
    made = prepared[0] if len(prepared) == 1 else None
    if made is None or made.call is None:
        return None
    # An attribute may have held the optimizer as it was, before it was handed over.
    given = [part for argument in made.call.args for part in parts_of(argument)]
    return made if all(value is made or (isinstance(value, LibraryObject) and value.call in given) for value in values) else None


def _whole(program: Program, term: Term, frame: Context) -> Iterator[Value]:
    """What a term stands for; of an item of what a call returns, the call."""
    for value in program.values(term, frame):
        if isinstance(value, Unresolved) and isinstance(value.term, Subscript):
            yield from program.values(value.term.base, value.frame)
        else:
            yield value


def _manager(program: Program, made: LibraryObject, frame: Context) -> str | None:
    """What the framework's object is called in a function."""
    assert made.call is not None
    if made.frame is None or not isinstance(made.call.callee, Attr):
        return None
    return called(program, program.ask(Things).of(made.call.callee.base, made.frame), frame)


def _is_whole(program: Program, made: LibraryObject) -> bool:
    """Whether a framework is told not to scale gradients."""
    told = list(_said(program, made, _PRECISION))
    return bool(told) and all(
        isinstance(each, Unresolved) and isinstance(each.term, Const) and each.term.value in _WHOLE for each in told
    )


def _says(program: Program, made: LibraryObject, keyword: str) -> bool:
    """Whether the framework's object is made with an argument."""
    return any(True for _ in _said(program, made, keyword))


def _said(program: Program, made: LibraryObject, keyword: str) -> Iterator[Value]:
    """What the object that prepared something was given for an argument."""
    assert made.call is not None
    if made.frame is None or not isinstance(made.call.callee, Attr):
        return
    for value in program.values(made.call.callee.base, made.frame):
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            for name, term in value.call.kwargs:
                if name == keyword:
                    yield from program.values(term, value.frame)
