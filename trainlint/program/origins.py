"""Reaching definitions: the expressions that made what a term stands for, and the activations in which they stand.

A rule that looks for a form (a comparison, a display, a call, an item) asks here which one a term comes to, by whatever helpers,
attributes, properties and containers; and whether two terms of one activation are two names of one value. What
:meth:`Program.values` finds is turned into expressions here alone; the questions differ in two things:

===========================  =========================  ====================================================
question                     where there are several    what ``int``, ``list`` (table ``transparent``) make
===========================  =========================  ====================================================
:func:`definitions`          each of them               is what they were given
:func:`elsewhere`            each, if all are known     is what they were given
:func:`put_in`               each, if all are known     is what they were given
:func:`reaching_definition`  the term itself            is what they were given
:func:`origins`              each of them               is a thing of its own
:func:`origin`               the term itself            is a thing of its own
:func:`local_origin`         the term itself            is a thing of its own
:func:`same_object`          the term itself            is a thing of its own, also where a helper makes it
:func:`allocation`           the term itself            the same, in whatever activation
===========================  =========================  ====================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Access,
    Attr,
    BoolOp,
    Call,
    Element,
    Entered,
    Global,
    Kwargs,
    List,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import made_in
from trainlint.ir.sketch import CallStep, Exit, Function, Store
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import statements_of
from trainlint.program.program import DEEPEST, TOO_FAR, Program
from trainlint.program.propagation import Propagation
from trainlint.program.scopes import is_set_first
from trainlint.program.values import WIDEST, Argument, Context, Instance, Library, LibraryObject, Unresolved, Value

_Answer = TypeVar("_Answer")
_About = TypeVar("_About")

#: What may give back what it was given.
_DETOURS = (Access, BoolOp, Call, Element, Entered, Global, LoopPhi, Select)


def expression_of(value: Value) -> Argument | None:
    """The expression that made a value, and the activation that found it; None for what none makes: a class, a function."""
    if isinstance(value, Unresolved):
        return Argument(value.term, value.frame)
    if isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.frame is not None:
        return Argument(value.call, value.frame)
    return None


def _made(value: Value) -> Argument | None:
    """The expression that made a value, in the activation that runs it."""
    found = expression_of(value)
    return found and Argument(found.term, _home(*found))


def _home(term: Term, frame: Context) -> Context:
    """The activation that runs what a term is made of: one around a function inside that only hands it out."""
    if frame.closure is None or frame.closure.function.kind == "module":
        return frame
    here: Context | None = frame
    while here is not None and here.function.kind != "module":
        if any(_is_of(part, here.function) for part in parts_of(term)):
            return here
        here = here.closure
    return frame


def _is_of(part: Term, function: Function) -> bool:
    """Whether a term is a function's own: what it was given, or something that happens in it."""
    if isinstance(part, (Param, Kwargs)):
        return part.function == function.qualname
    if isinstance(part, Self):
        return function.cls is not None
    return isinstance(part, (Call, Element, List, LoopPhi, Unknown)) and made_in(function, part)


# -- a copy is what it is a copy of ----------------------------------------------------------------------------------------


def definitions(program: Program, term: Term, frame: Context) -> list[Argument | None]:
    """The expressions one of which made what a term stands for; None for each value that no expression makes."""
    return [_made(value) for value in program.values(term, frame)]


def reaching_definition(program: Program, term: Term, frame: Context) -> Argument:
    """The expression that made what a term stands for; the term itself where it may be one of several, or made by none."""
    values = program.values(term, frame)
    return (_made(values[0]) if len(values) == 1 else None) or Argument(term, frame)


def elsewhere(program: Program, term: Term, frame: Context) -> list[Argument]:
    """The expressions one of which made what a term stands for; nothing if one is not known, or is the term itself."""
    found: list[Argument] = []
    for value in program.values(term, frame):
        made = expression_of(value)
        if made is None or made.term is term:
            return []
        found.append(Argument(made.term, _home(*made)))
    return found


def put_in(program: Program, term: Term, frame: Context) -> list[Argument]:
    """What an item was before it was put into a container, for who follows terms; empty if that is not known.

    What is made of the item itself (``d["loss"] = d["loss"].item()``) is what it becomes, not what it was.
    """
    if not isinstance(term, (Subscript, Element)):
        name = term.callee.name if isinstance(term, Call) and isinstance(term.callee, (Attr, Ref)) else ""
        if name not in program.propagation.takes:
            return []
    found = elsewhere(program, term, frame)
    return [] if any(mentions(made.term, term) for made in found) else found


def written_at(program: Program, term: Term, frame: Context) -> tuple[str, Spot] | None:
    """The file and place at which the one value of a term is written, if that is in another function than the term itself."""
    values = program.values(term, frame)
    found = expression_of(values[0]) if len(values) == 1 else None
    if found is None or found.frame.function is frame.function:
        return None
    made, where = found
    if isinstance(made, Call):
        return where.module, made.site
    passed = next((inner.call for inner in frame.active() if inner.caller is where), None)
    if passed is not None:
        return where.module, passed.site
    return next(((where.module, spot) for spot in _mentions(where.function, made)), None)


def _mentions(function: Function, term: Term) -> Iterator[Spot]:
    """Where a function returns, stores or hands on a value."""
    for node in statements_of(function):
        if isinstance(node, (Exit, Store)) and node.value is not None and term in parts_of(node.value):
            yield node.spot
        elif isinstance(node, CallStep) and not isinstance(node.term.callee, Ref):
            call = node.term
            if any(given is term for given in (*call.args, *(value for _, value in call.kwargs))):
                yield call.site


def handed_in(program: Program, term: Term, frame: Context) -> Argument | None:
    """What a manager of the project hands to ``with … as``; None for what a manager makes itself, and for other terms."""
    if not isinstance(term, Entered):
        return None
    found = reaching_definition(program, term, frame)
    return None if found.term in (term, term.manager) else found


# -- a copy is another thing -----------------------------------------------------------------------------------------------


def origins(program: Program, term: Term, frame: Context) -> tuple[Argument, ...]:
    """The expressions one of which made what a term stands for; the term itself where there is no other."""
    itself = Argument(term, frame)
    if isinstance(term, Call) and any(
        isinstance(callee, Library) and callee.name in program.knowledge.transparent
        for callee in program.values(term.callee, frame)
    ):
        return (itself,)
    return tuple(dict.fromkeys(made or itself for made in definitions(program, term, frame))) or (itself,)


def origin(program: Program, term: Term, frame: Context) -> Argument:
    """The expression that made what a term stands for; the term itself where it may be one of several."""
    found = origins(program, term, frame)
    return found[0] if len(found) == 1 else Argument(term, frame)


def local_origin(program: Program, term: Term, frame: Context) -> Term:
    """The same, if this activation runs that expression; else the term itself.

    Two terms with one local origin are one value for as long as the activation runs.
    """
    return _if_here(origin(program, term, frame), term, frame)


def same_object(program: Program, term: Term, frame: Context) -> Term:
    """The term of the same activation that is the value of one that got it back: ``losses`` for ``Holder(losses).value``.

    A term that is no such detour is returned as it is; so are the attributes of the object at hand, which others may set, and
    what is taken out of a container (``d.setdefault(key, [])``), which may be there from an earlier round. A name that other
    functions bind is what the last of them put there only where one is called before all that reads it.
    """
    if isinstance(term, (Global, LoopPhi)) and not program.ask_of(is_set_first, (frame.module, frame.function, term)):
        return term
    root = term
    while isinstance(root, (Access, Element)):
        root = root.stem
    taken = isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in program.propagation.takes
    if not isinstance(term, _DETOURS) or isinstance(root, Self) or taken:
        return term
    values = program.ask(SameObjects).values(term, frame)
    made = _made(values[0]) if len(values) == 1 else None
    return _if_here(made, term, frame) if made is not None else term


def allocation(program: Program, term: Term, frame: Context) -> Argument:
    """The expression that made the very object that a term is, in whatever activation; the term itself where that is not known.

    Two terms with one allocation are one object.
    """
    values = program.ask(SameObjects).values(term, frame)
    return (_made(values[0]) if len(values) == 1 else None) or Argument(term, frame)


def _if_here(made: Argument, term: Term, frame: Context) -> Term:
    """An expression that an activation runs; else the term that was asked about."""
    return made.term if made.frame in (frame, frame.alone) else term


class SameObjects(Program):
    """A program in which a value is the very object: what ``list(x)`` copies, or ``str(x)`` converts, is another one."""

    def __init__(self, program: Program) -> None:
        vars(self).update(program.shared())
        self._whole = program
        self.propagation = Propagation(self)

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
            itself = (Unresolved(term, frame),)
            if depth > DEEPEST:
                frame.cut(TOO_FAR)
                return itself
            kept[term] = itself  # ends recursion
            found = kept[term] = tuple(dict.fromkeys(self._follow(term, frame, depth + 1)))[:WIDEST]
        return found

    def library_result(self, name: str, call: Call, frame: Context, depth: int) -> Iterator[Value]:
        """What a call of something of a library gives: a copy is another object."""
        if name in self.knowledge.transparent and name.startswith("builtins."):
            yield LibraryObject(name, call, frame)
        else:
            yield from super().library_result(name, call, frame, depth)
