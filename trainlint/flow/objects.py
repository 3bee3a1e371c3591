"""Tracked objects: which optimizer, scheduler, scaler or model a term stands for, and which are the same."""

from __future__ import annotations

from typing import Any, NamedTuple

from trainlint.flow.path_condition import key_of
from trainlint.flow.roles import SCHEDULERS, Roles, named, shown_by
from trainlint.ir.nodes import (
    Attr,
    Call,
    Comprehension,
    Const,
    Element,
    Param,
    Ref,
    Self,
    Subscript,
    Term,
)
from trainlint.program.call_graph import last_name
from trainlint.program.heap import holds_none
from trainlint.program.memo import remembered
from trainlint.program.origins import expression_of, reaching_definition
from trainlint.program.program import Program
from trainlint.program.sources import handed_over
from trainlint.program.values import Argument, ClassValue, Context, Instance, Library, LibraryObject, Unresolved, Value


class Thing(NamedTuple):
    """What a part of a step is done to: ``kind`` as in the table ``optimizers``, or "scaler", "module", "unknown".

    ``sure``: its class says so, not only what is done with it, or its name. ``key`` is equal for two terms that say the same in
    one round, ``origin`` for two that stand for what one expression made, wherever that is.
    """

    kind: str
    term: Term
    frame: Context
    key: Any
    values: tuple[Value, ...]
    sure: bool
    origin: Any

    @property
    def made(self) -> tuple[LibraryObject | Instance, ...] | None:
        """The calls that may have made it; None when that is not known of each."""
        known = [value for value in self.values if isinstance(value, (LibraryObject, Instance)) and value.call is not None]
        return tuple(known) if known and len(known) == len(self.values) else None


class Things:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.roles = program.ask(Roles)

    @remembered()
    def of(self, term: Term, frame: Context) -> Thing:
        """What a term stands for."""
        whole = _drawn(term)
        term_now, frame_now, values = self._prepared(whole, frame)
        kinds = self._kinds_of_items(whole, frame) or {self._kind(value) for value in values}
        kind = kinds.pop() if len(kinds) == 1 else "plateau" if kinds == SCHEDULERS else "unknown"
        sure = kind != "unknown"
        made = (expression_of(values[0]) if len(values) == 1 else None) or Argument(term_now, frame_now)
        if not sure:
            kind = self._role(whole, frame, made, kind)
            if kind == "unknown" and all(isinstance(value, Unresolved) for value in values):
                kind = "optimizer" if self.roles.is_stepped_alone(*_places(whole, frame)) else kind
        key, origin = key_of(self.program, term_now, frame_now), key_of(self.program, *made)
        return Thing(kind, term, frame, key, values, sure, origin)

    def _role(self, term: Term, frame: Context, made: Argument, kind: str) -> str:
        """What is done with a thing says what it is, then what it is called."""
        shown = self.roles.shown(*_places(term, frame), (made.frame.module, made.term))
        if shown != "unknown":
            return shown
        return next((word for each in (term, made.term) if (word := named(self.knowledge, each)) != "unknown"), kind)

    def is_called_model(self, term: Term, frame: Context) -> bool:
        """Whether what is called as a function is a model, by what else is done with it."""
        return self.roles.is_model(*_places(term, frame))

    def _prepared(self, term: Term, frame: Context, around: tuple[Call, ...] = ()) -> tuple[Term, Context, tuple[Value, ...]]:
        """A thing before a library wrapped it: an item of what ``prepare(…)`` returned, the first argument of a wrapper."""
        values = tuple(v for v in self.program.values(term, frame) if not holds_none(v))
        key: int | None = None
        whole = values
        if isinstance(term, Subscript) and isinstance(term.key, Const) and type(term.key.value) is int:
            key, whole = term.key.value, self.program.values(term.base, frame)
        made = whole[0] if len(whole) == 1 else None
        if (
            not isinstance(made, LibraryObject)
            or made.call is None
            or made.frame is None
            or not made.call.args
            or made.call in around
        ):
            return term, frame, values
        arguments, word = made.call.args, self.knowledge.optimizer_kind(made.name)
        prepared = "prepared" in (word, self.knowledge.kinds.get(made.name))
        if not prepared and word != "wrapper":
            return term, frame, values
        position = key if prepared and len(arguments) > 1 else 0
        if position is None or not 0 <= position < len(arguments):
            return term, frame, values
        return self._prepared(arguments[position], made.frame, (*around, made.call))

    def _kinds_of_items(self, term: Term, frame: Context) -> set[str]:
        """The kinds of what a comprehension makes, for an item of it: which of them is meant, nobody knows."""
        drawn = term.stem if isinstance(term, (Element, Subscript)) else None
        values = self.program.values(drawn.item, frame) if isinstance(drawn, Comprehension) else ()
        return {self._kind(value) for value in values}

    def _kind(self, value: Value) -> str:
        """What a value is by its class."""
        if isinstance(value, LibraryObject):
            return self._library(value.name)
        if isinstance(value, Instance):
            for cls in self.program.lineage(ClassValue(value.module, value.cls)):
                kind = self._library(cls.name) if isinstance(cls, Library) else "unknown"
                if kind != "unknown":
                    return kind
            return "optimizer" if self._steps(ClassValue(value.module, value.cls)) else "object"
        if (
            isinstance(value, Unresolved)
            and isinstance(value.term, Call)
            and last_name(value.term.callee) in self.knowledge.makes_optimizers
        ):
            return "optimizer"
        return "unknown"

    def _steps(self, cls: ClassValue) -> bool:
        """Whether a class of the project does what optimizers do, and computes no gradients."""
        telling = {name for methods in self.knowledge.shown_roles for name in methods.split()}
        return shown_by(self.knowledge, {name for name in telling if self.program.method(cls, name) is not None}) == "optimizer"

    def _library(self, name: str) -> str:
        kind = self.knowledge.kinds.get(name)
        if kind in ("scaler", "engine", "accelerator", "fabric"):
            return kind
        if kind in ("module", "layers", "ddp", "wrapper"):
            return "module"
        return self.knowledge.optimizer_kind(name) or "unknown"

    # -- which is which --------------------------------------------------------------------------------------------

    def same(self, one: Thing, other: Thing) -> bool | None:
        """Whether two things are one; None when that cannot be said."""
        if one.term is other.term and one.frame is other.frame:
            return True
        made, others = one.made, other.made
        if made is not None and others is not None:
            calls, other_calls = {id(each.call) for each in made}, {id(each.call) for each in others}
            if calls.isdisjoint(other_calls):
                # An optimizer of the project may be one around the other.
                return None if any(isinstance(each, Instance) for each in (*made, *others)) else False
            if len({(each.call, each.frame) for each in made}) > 1 or len({(each.call, each.frame) for each in others}) > 1:
                return None
            if made[0].call is others[0].call and made[0].frame is others[0].frame:
                keys = self._number(one), self._number(other)
                return None in keys or keys[0] == keys[1]
            return False if _called_apart(made[0].frame, others[0].frame) else None
        if one.key is other.key or one.origin is other.origin:
            return True
        if (_apart(one.key, other.key) or _apart(one.origin, other.origin)) and one.kind == other.kind:
            return False
        return None

    def apart(self, one: Thing | None, other: Thing | None) -> bool:
        """Whether two things are surely not one; of what is None nobody knows."""
        return one is not None and other is not None and self.same(one, other) is False

    def _number(self, thing: Thing) -> Const | None:
        """The key of an item that a comprehension made, one for each key; None where there is no such key."""
        for given in handed_over(thing.term, thing.frame):
            if isinstance(given.term, Subscript) and isinstance(given.term.key, Const):
                values = self.program.values(given.term.base, given.frame)
                if len(values) == 1 and isinstance(values[0], Unresolved) and isinstance(values[0].term, Comprehension):
                    return given.term.key
        return None

    def is_on(self, scaler: Thing | None) -> bool | None:
        """Whether a scaler is switched on: True or False where the call that makes it says so, None where nobody knows."""
        made = scaler.made if scaler is not None else None
        if made is None or len(made) != 1 or made[0].call is None or made[0].frame is None:
            return None
        given = [value for name, value in made[0].call.kwargs if name == "enabled"]
        if not given:
            return all(name is not None for name, _ in made[0].call.kwargs) or None
        values = self.program.values(given[0], made[0].frame)
        known = {
            bool(value.term.value) if isinstance(value, Unresolved) and isinstance(value.term, Const) else None
            for value in values
        }
        return known.pop() if len(known) == 1 else None

    def is_model_of(self, model: Thing, optimizer: Thing) -> bool:
        """Whether an optimizer was made with the parameters of a model: ``SGD(model.parameters(), …)``."""
        made = optimizer.made
        if made is None or len(made) != 1 or made[0].frame is None or made[0].call is None or not made[0].call.args:
            return False
        first, frame = made[0].call.args[0], made[0].frame
        if isinstance(first, Param):
            first, frame = reaching_definition(self.program, first, frame)
        if (
            not isinstance(first, Call)
            or not isinstance(first.callee, Attr)
            or first.callee.name not in self.knowledge.hands_parameters
        ):
            return False
        whole = self.of(first.callee.base, frame)
        return self.same(whole, model) is True or (len(whole.values) == 1 and whole.values == model.values)


def _places(term: Term, frame: Context) -> list[tuple[str, Term]]:
    """Where a thing stands, and where it was handed over from: terms for it, each with its file."""
    return [(each.frame.module, each.term) for each in handed_over(term, frame)]


def _drawn(term: Term) -> Term:
    """Of what a loop takes out of several things side by side (``zip``, ``enumerate``), an item of the one that is meant."""
    if (
        not isinstance(term, Subscript)
        or not isinstance(term.base, Element)
        or not isinstance(term.base.of, Call)
        or not isinstance(term.key, Const)
    ):
        return term
    each, position = term.base, term.key.value
    callee, given = term.base.of.callee, term.base.of.args
    first = {"builtins.zip": 0, "builtins.enumerate": 1}.get(callee.name) if isinstance(callee, Ref) else None
    if first is None or type(position) is not int or not first <= position < first + len(given):
        return term
    return Element.new(given[position - first], each.line, each.column)


def _called_apart(one: Context | None, other: Context | None) -> bool:
    """Whether two activations are of two calls in one: what both make is made twice."""
    while one is not None and other is not None and one.call is other.call is not None:
        one, other = one.caller, other.caller
    calls = one is not None and other is not None and one.call is not None and other.call is not None
    return calls and one.caller is other.caller  # type: ignore[union-attr]  # both are there


def _apart(one: Any, other: Any) -> bool:
    """Whether two keys are those of two parameters of one activation, or of two attributes of one object."""
    if isinstance(one, Param) and isinstance(other, Param):
        return bool(one.function == other.function and one.parts[2] == other.parts[2])
    return isinstance(one, Attr) and isinstance(other, Attr) and one.base == other.base and isinstance(one.base, Self)
