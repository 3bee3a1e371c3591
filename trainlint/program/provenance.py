"""Provenance: where a value is written down or made, for who is told of it where it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Access,
    Attr,
    BoolOp,
    Call,
    Const,
    Element,
    Entered,
    List,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    Term,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of
from trainlint.program.program import DEEPEST, WIDEST, Program
from trainlint.program.values import Context, Instance, LibraryObject, Unresolved, Value

_Answer = TypeVar("_Answer")
_About = TypeVar("_About")

#: What may give back what it was given.
_DETOURS = (Access, BoolOp, Call, Element, Entered, Select)


def written_at(program: Program, term: Term, frame: Context) -> tuple[str, Spot] | None:
    """The file and place at which the one value of a term is written, if that is in another function than the term itself."""
    values = program.values(term, frame)
    only = values[0] if len(values) == 1 else None
    if isinstance(only, (Instance, LibraryObject)) and only.call is not None and only.frame is not None:
        return (only.frame.module, only.call.site) if only.frame.function is not frame.function else None
    if not isinstance(only, Unresolved) or only.frame.function is frame.function or isinstance(term, Const):
        return None
    if isinstance(only.term, Call):
        return only.frame.module, only.term.site
    passed = next((inner.call for inner in frame.active() if inner.caller is only.frame), None)
    if passed is not None:
        return only.frame.module, passed.site
    return next(((only.frame.module, spot) for spot in _mentions(only.frame.function, only.term)), None)


class SameObjects(Program):
    """A program in which a value is the very object: what ``list(x)`` copies, or ``str(x)`` converts, is another one."""

    def __init__(self, program: Program) -> None:
        vars(self).update(program.shared())
        self._whole = program

    def ask(self, question: Callable[[Program], _Answer]) -> _Answer:
        """What an analysis says of the program as others read it."""
        return self._whole.ask(question)

    def ask_of(self, question: Callable[[Program, _About], _Answer], about: _About) -> _Answer:
        """What a question says of one thing, as others read it."""
        return self._whole.ask_of(question, about)

    def values(self, term: Term, frame: Context, depth: int = 0) -> tuple[Value, ...]:
        """The objects that a term can stand for."""
        kept = frame.answers_of("same objects")
        found: tuple[Value, ...] | None = kept.get(term)
        if found is None:
            kept[term] = (Unresolved(term, frame),)
            followed = self._follow(term, frame, depth + 1) if depth < DEEPEST else iter(kept[term])
            found = kept[term] = tuple(dict.fromkeys(followed))[:WIDEST]
        return found

    def _library_result(self, name: str, term: Call, frame: Context, depth: int) -> Iterator[Value]:
        if name in self.knowledge.transparent and name.startswith("builtins."):
            yield LibraryObject(name, term, frame)
        else:
            yield from super()._library_result(name, term, frame, depth)


def local(program: Program, term: Term, frame: Context) -> Term:
    """The term of the same activation that is the value of one that got it back: ``losses`` for ``Holder(losses).value``.

    A term that is no such detour is returned as it is; so are the attributes of the object at hand, which others may set, and
    what is taken out of a container (``d.setdefault(key, [])``), which may be there from an earlier round.
    """
    root = term
    while isinstance(root, (Access, Element)):
        root = root.stem
    taken = isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in program.propagation.takes
    if not isinstance(term, _DETOURS) or isinstance(root, Self) or taken:
        return term
    values = program.ask(SameObjects).values(term, frame)
    only = values[0] if len(values) == 1 else None
    if isinstance(only, Unresolved):
        made, where = only.term, only.frame
    elif isinstance(only, (Instance, LibraryObject)) and only.call is not None and only.frame is not None:
        made, where = only.call, only.frame
    else:
        return term
    return made if _home(made, where) is frame else term


def _home(term: Term, frame: Context) -> Context | None:
    """The activation, this one or one around it, in whose function a term stands: one inside may hand out what is there."""
    place = term
    while not isinstance(place, (Call, Unknown, List, Element, LoopPhi)):
        parts = place.subterms()
        if not parts:
            return frame.holder(place.function) if isinstance(place, Param) else frame
        place = parts[0]
    line, column = (place.site.line, place.site.column) if isinstance(place, Call) else (place.line, place.column)
    here: Context | None = frame
    while here is not None and here.function.kind != "module":
        spot = here.function.spot
        if spot[:2] <= (line, column) < spot[2:]:
            return here
        here = here.closure
    return here


def _mentions(function: Function, term: Term) -> Iterator[Spot]:
    """Where a function returns, stores or hands on a value."""
    for node in statements_of(function):
        if isinstance(node, (Exit, Store)) and node.value is not None and term in parts_of(node.value):
            yield node.spot
        elif isinstance(node, CallStep) and not isinstance(node.term.callee, Ref) and _is_given(node.term, term):
            yield node.term.site


def _is_given(call: Call, term: Term) -> bool:
    return any(given is term for given in (*call.args, *(value for _, value in call.kwargs)))
