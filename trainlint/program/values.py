"""Abstract values: what a term can stand for once imports, calls and attributes have been followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from sys import getrefcount
from typing import Any, NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Param, Term, Unknown
from trainlint.ir.order import written_in
from trainlint.ir.sketch import Class, Function


class FunctionValue(NamedTuple):
    """A function of the project; ``receiver`` is bound for methods, ``closure`` is the frame it was made in.

    ``given`` are the calls ``partial(function, ...)`` that hand it its first arguments, where it was not called directly.
    """

    module: str
    function: Function
    receiver: Value | None = None
    closure: Context | None = None
    given: tuple[Argument, ...] = ()


class ClassValue(NamedTuple):
    """A class of the project."""

    module: str
    cls: Class


class Instance(NamedTuple):
    """An object of a project class, with the call that made it when that is known."""

    module: str
    cls: Class
    call: Call | None = None
    frame: Context | None = None

    @property
    def of_class(self) -> ClassValue:
        """Its class."""
        return ClassValue(self.module, self.cls)


class ModuleValue(NamedTuple):
    """A file of the project, as a name for its contents."""

    module: str


class Library(NamedTuple):
    """Something of a library, by canonical dotted name: a module, function, class, or attribute of an instance."""

    name: str


class LibraryObject(NamedTuple):
    """What a library call returned: the canonical name of the callee, and the call (None when assumed by a name)."""

    name: str
    call: Call | None
    frame: Context | None


class Unresolved(NamedTuple):
    """Anything else: a constant, a container, an unknown."""

    term: Term
    frame: Context


class Argument(NamedTuple):
    """What a caller passes for a parameter: its term, in the caller's frame."""

    term: Term
    frame: Context


class Cut(NamedTuple):
    """What was not followed to its end in a function: what a call in it comes to (None: what a value is), and why."""

    module: str
    function: Function
    call: Call | None
    why: str


#: How many callers up it is asked who calls. Each way from a caller to a callee is an activation of its own: their number
#: multiplies with each call on the way.
HIGHEST = 4
#: How many calls lie within each other where what they run is entered.
DEEPEST_CALL = 8
#: How many alternatives a value may have; of more the first ones are kept.
WIDEST = 8
#: How many are looked at for that: some are the same.
MOST = 4 * WIDEST

Value = FunctionValue | ClassValue | Instance | ModuleValue | Library | LibraryObject | Unresolved


def names_class(name: str) -> bool:
    """Whether a name, or the last part of a dotted one, is written as those of classes are (PEP 8): nobody has read libraries."""
    return name.rpartition(".")[2][:1].isupper()


def is_class(value: Value) -> bool:
    """Whether a value is a class; of a library by its name."""
    return isinstance(value, ClassValue) or (isinstance(value, Library) and names_class(value.name))


#: Nobody asks in most activations, and most are given nothing that they do not name: one table, never written in, is for all.
_NOTHING: dict[Any, Any] = {}


def _nothing() -> dict[Any, Any]:
    return _NOTHING


@dataclass(eq=False, repr=False, slots=True)
class Context:
    """One activation of a function: where its parameters came from.

    ``caller`` is the activation that called this one, ``call`` the very call (None: an object's method, nobody knows when).
    ``surplus`` are the keyword arguments that end up in ``**kwargs``; ``open`` says that there may be others. ``rest`` are those
    that end up in ``*args`` (None: not known).

    ``arguments`` map a parameter to what the caller passes, or directly to a value. A frame without arguments is
    the function on its own, as any caller might run it.

    ``alone`` is the function on its own, where this is an activation: what needs nothing of the activation is asked there, once
    for all of them. ``drawn`` is what a loop binds in this turn of it, where somebody looks at one turn. ``cuts``, kept with a
    function on its own, takes note of what is not followed to its end.

    ``values`` and ``answers`` (by who asks) remember what was found out about terms here. It is asked for a million times,
    and a small table for each activation is faster than a large one for all.
    """

    module: str
    function: Function
    arguments: dict[str, Argument | Value] = field(default_factory=dict)
    receiver: Value | None = None
    closure: Context | None = None
    depth: int = 0
    caller: Context | None = None
    surplus: Mapping[str, Argument] = field(default_factory=_nothing)
    open: bool = True
    call: Call | None = None
    rest: tuple[Argument, ...] | None = None
    alone: Context | None = None
    cuts: dict[Cut, None] | None = None
    drawn: Mapping[Term, Argument] | None = None
    values: dict[Term, tuple[Value, ...]] = field(default_factory=_nothing)
    answers: dict[str, dict[Term, Any]] = field(default_factory=_nothing)

    def __repr__(self) -> str:
        """Short: a frame reaches the whole program."""
        return f"<Context {self.function.qualname} depth={self.depth}>"

    def answers_of(self, who: str) -> dict[Term, Any]:
        """The table of one who asks, to be written in."""
        known = self.answers.get(who)
        if known is None:
            if self.answers is _NOTHING:
                self.answers = {}
            known = self.answers[who] = {}
        return known

    def turn(self, bound: Mapping[Term, Argument]) -> Context:
        """The same activation in that turn of a loop in which it binds this: an item, or what it carries into the first one."""
        cuts = (self.alone or self).cuts
        drawn = {**(self.drawn or {}), **bound}
        return replace(self, drawn=drawn, alone=None, cuts=cuts, values=_NOTHING, answers=_NOTHING)

    def empty(self) -> None:
        """Forget what was found out about terms here; most of it holds this activation, which would never be freed."""
        self.values = _NOTHING
        self.answers = _NOTHING

    def active(self) -> Iterator[Context]:
        """The activation itself, and those that called it, inner ones first."""
        frame: Context | None = self
        while frame is not None:
            yield frame
            frame = frame.caller

    def runs(self, function: Function) -> bool:
        """Whether the function is active here: this frame or a caller of it runs it."""
        frame: Context | None = self
        while frame is not None:
            if frame.function is function:
                return True
            frame = frame.caller
        return False

    def follows(self, function: Function) -> bool:
        """Whether a call of a function is followed from here: not if it runs already, nor if too many calls lie within one.

        The latter is noted, in this function and in those that led here.
        """
        if self.runs(function):
            return False
        if self.depth >= DEEPEST_CALL:
            self.cut(f"`{function.name}` is {self.depth + 1} calls away")
        return self.depth < DEEPEST_CALL

    def cut(self, why: str, call: Call | None = None) -> None:
        """Note that something, of a call here or of anything, was not followed to its end."""
        for frame in self.active():
            cuts = (frame.alone or frame).cuts
            if cuts is not None:
                cuts[Cut(frame.module, frame.function, call, why)] = None
            call = frame.call

    def holder(self, qualname: str) -> Context | None:
        """The frame, this one or one around it, that runs the function ``qualname``."""
        frame: Context | None = self
        while frame is not None:
            if frame.function.qualname == qualname:
                return frame
            frame = frame.closure
        return None

    def home(self, term: Unknown) -> Context | None:
        """The frame, this one or one around it, in whose function an unknown value stands."""
        frame: Context | None = self
        while frame is not None:
            if frame.function.kind == "module" or written_in(frame.function.spot, term):
                return frame
            frame = frame.closure
        return None

    def around(self, site: Spot) -> Context:
        """The frame, this one or one around it, whose function a call stands in: what it gives is one thing for all in there."""
        frame: Context | None = self
        while frame is not None and not written_in(frame.function.spot, site):
            frame = frame.closure
        return frame or self

    def given(self, parameter: Param) -> Argument | Value | None:
        """What a parameter (its ``Param``) is bound to in this activation, or in one around it; None when nobody knows."""
        holder = self.holder(parameter.function)
        return holder.arguments.get(parameter.name) if holder is not None else None

    def lacks(self) -> bool:
        """Whether the call of this activation surely leaves out what the function must be given: it runs something else."""
        if self.open or self.rest is None:
            return False
        function = self.function
        first = 1 if self.receiver is not None and function.kind in ("method", "classmethod") else 0
        needed = function.parameters[first:]
        return any(name not in self.arguments and name not in function.defaults for name in needed)

    def hands_on_nothing(self, argument: Term) -> bool:
        """Whether an argument in a call is ``*args``, and nothing was given for them in this activation."""
        return self.function.is_rest(argument) and self.rest == ()

    def owner(self) -> Value | None:
        """What ``self`` is here (in nested functions: what it is around them)."""
        frame: Context | None = self
        while frame is not None:
            if frame.receiver is not None:
                return frame.receiver
            frame = frame.closure
        return None


def _own_count() -> int:
    """How often something counts as held that one variable alone holds, taken out of a list: this differs between Pythons."""
    items = [("", object())]
    _, alone = items.pop()
    return getrefcount(alone)


_UNHELD = _own_count()


def leave_unheld(entered: dict[tuple[FunctionValue, Term, Context], Context]) -> None:
    """Forget the activations that nothing else holds, callees before their callers: who enters one again gets an equal one."""
    items = list(entered.items())
    entered.clear()
    held: list[tuple[tuple[FunctionValue, Term, Context], Context]] = []
    while items:
        key, frame = items.pop()
        if getrefcount(frame) > _UNHELD:
            held.append((key, frame))
    entered.update(reversed(held))
