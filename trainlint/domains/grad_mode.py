"""Grad mode: whether operations are recorded for a backward pass at a place of the program.

PyTorch (2.13, ``torch.autograd.grad_mode``): the mode is the thread's, so it holds in everything that is called; the
innermost block, decorator or call that sets it decides. Everything is asked in a frame, so callers count.
"""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.finding import Spot
from trainlint.ir.nodes import And, Call, Const, Select, Term
from trainlint.ir.order import leading_to
from trainlint.ir.sketch import Block, CallStep, Function, With, Yield
from trainlint.ir.walk import statements_of, walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.enclosing import opened_by
from trainlint.program.library_uses import Hooks
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject, Unresolved, Value

ON, OFF, UNKNOWN = "on", "off", "unknown"


class GradMode:
    """Answers for one program. The answers are "on", "off" and "unknown" (a flag that nobody can be seen to pass)."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._names = frozenset(name.rpartition(".")[2] for name in program.knowledge.grad_modes)

    def at(self, frame: Context, spot: Spot) -> str:
        """The mode at a place of the function that a frame runs; with nothing that sets it, gradients are recorded."""
        return self.own(frame, spot) or self._outside(frame)

    def always_off(self, frame: Context, spot: Spot) -> bool:
        """Whether nothing is recorded at a place of a function, whoever calls it as far as can be seen (``frame``: its own).

        What runs when an object is called is called by whoever has the object, too: of that, only what it says itself counts.
        """
        if self.at(frame, spot) == OFF:
            return True
        if frame.function.cls is not None and frame.function.name in self.program.knowledge.runs_model:
            return False
        entered = [each for each in calling_contexts(self.program, frame.module, frame.function) if each is not frame]
        return bool(entered) and all(self.at(each, spot) == OFF for each in entered)

    def _outside(self, frame: Context) -> str:
        """The mode in which the callers run a function."""
        if frame.caller is None:
            return ON
        if frame.call is not None:
            return self.own(frame.caller, frame.call.site) or self._outside(frame.caller)
        # Of an object's method nobody knows which call runs it: those in the caller must agree.
        sites = [site for site in self.program.ask(CallGraph).callers(frame.function) if site.function is frame.caller.function]
        said = {self.own(frame.caller, site.call.term.site) for site in sites}
        words = {word or self._outside(frame.caller) for word in said}
        return words.pop() if len(words) == 1 else UNKNOWN if words else ON

    @remembered()
    def own(self, frame: Context, spot: Spot) -> str | None:
        """What the function itself says of the mode at a place: its blocks, its calls, its decorators; None when nothing."""
        return self._inside(frame, spot) or self.of_function(frame.module, frame.function)

    def alike(self, frame: Context, spot: Spot, other: Spot) -> bool:
        """Whether the same block or call of a function sets the mode at both places, whichever mode that is."""
        one, two = self._set_by(frame, spot), self._set_by(frame, other)
        return one is not None and two is not None and one[1] is two[1]

    def blocks(self, frame: Context, block: Block) -> bool:
        """Whether a block holds a ``with`` that turns recording off (or may)."""
        return any(isinstance(node, With) and self.turns_off(node, frame) for node in walk(block))

    def off_in(self, targets: Iterable[FunctionValue | Library]) -> bool:
        """Whether one of these functions turns recording off itself (or may): by a decorator, or by a block of its own."""
        return any(
            self.of_function(each.module, each.function) == OFF
            or self.blocks(self.program.frame(each.module, each.function), each.function.body)
            for each in targets
            if isinstance(each, FunctionValue)
        )

    def turns_off(self, node: With, frame: Context) -> bool:
        """Whether a ``with`` turns recording off (or may)."""
        return any(self._manager(item, frame) in (OFF, UNKNOWN) for item in node.items)

    @remembered(None)
    def of_function(self, module: str, function: Function) -> str | None:
        """What a function's decorators say, or the framework that calls it; nested functions ask those around."""
        frame = self.program.frame(module, function)
        words = (self._decorator(decorator, frame) for decorator in function.decorators)
        return next((word for word in words if word is not None), None) or self._framework(module, function)

    # -- in the function -------------------------------------------------------------------------------------------

    def _inside(self, frame: Context, spot: Spot) -> str | None:
        """The innermost block around the place, or the last call before it, that sets the mode."""
        found = self._set_by(frame, spot)
        return found[0] if found is not None else None

    def _set_by(self, frame: Context, spot: Spot) -> tuple[str, With | CallStep] | None:
        found: tuple[str, With | CallStep] | None = None
        for node in leading_to(frame.function, spot):
            if isinstance(node, With):
                for item in node.items:
                    if (word := self._manager(item, frame)) is not None:
                        found = word, node
            elif (
                # As a statement of its own: from here on. (As a context manager it is made in the same line as its block.)
                isinstance(node, CallStep)
                and node.statement[:2] == node.term.site[:2]
                and (word := self._called(node.term, frame, flags_only=True)) is not None
            ):
                found = word, node
        return found

    # -- what sets the mode ----------------------------------------------------------------------------------------

    def _manager(self, item: Term, frame: Context) -> str | None:
        """A context manager: of the tables, or a generator of the project that yields inside one."""
        if isinstance(item, Select):
            one, other = self._manager(item.then, frame), self._manager(item.other, frame)
            return one if one == other else UNKNOWN
        if isinstance(item, And):  # what is entered can only be the last one: all others count as true
            return self._manager(item.operands[-1], frame)
        word = self._called(item, frame)
        for value in self.program.values(item, frame) if word is None else ():
            for opened in opened_by(self.program, value):
                inside = self._manager(opened.manager, opened.frame)
                word = word if inside is None else inside if opened.surely else UNKNOWN
        if word is not None or not isinstance(item, Call):
            return word
        for target in self.program.ask(CallGraph).targets(item, frame):
            if isinstance(target, FunctionValue):
                word = self._yields_inside(target)
                if word is not None:
                    return word
        return UNKNOWN if self._is_namesake(item, frame) else None

    def _is_namesake(self, item: Call, frame: Context) -> bool:
        """Whether something out of sight is called as what turns recording off: ``no_grad`` of whatever ``torch`` is here."""
        name = last_name(item.callee) or ""
        values = self.program.values(item.callee, frame)
        return name in self._names and all(
            isinstance(value, Unresolved) or (isinstance(value, Library) and value.name.startswith("<project>."))
            for value in values
        )

    def _called(self, term: Term, frame: Context, *, flags_only: bool = False) -> str | None:
        for value in self.program.values(term, frame):
            word = self._word(value)
            if word is None or (flags_only and word != "flag"):
                continue
            if word != "flag":
                return word
            assert isinstance(value, LibraryObject)
            return self._flag(value)
        return None

    def _word(self, value: Value) -> str | None:
        return self.program.knowledge.grad_modes.get(value.name) if isinstance(value, (LibraryObject, Library)) else None

    def _flag(self, made: LibraryObject) -> str:
        """``set_grad_enabled(flag)``: what the flag is here."""
        if made.call is None or made.frame is None:
            return UNKNOWN
        given = [*made.call.args, *(value for _, value in made.call.kwargs)]
        values = self.program.values(given[0], made.frame) if given else ()
        truths = {bool(v.term.value) if isinstance(v, Unresolved) and isinstance(v.term, Const) else None for v in values}
        return UNKNOWN if len(truths) != 1 or None in truths else (ON if True in truths else OFF)

    def _yields_inside(self, target: FunctionValue) -> str | None:
        """A context manager of the project: the mode at its ``yield``."""
        frame = self.program.frame(target.module, target.function)
        for node in statements_of(target.function):
            if isinstance(node, Yield):
                return self._inside(frame, node.spot)
        return None

    def _decorator(self, decorator: Term, frame: Context) -> str | None:
        """A decorator of the tables, called or not, or one of the project that wraps what it is given in one."""
        for value in self.program.values(decorator, frame):
            word = self._word(value)
            if word in (ON, OFF):
                return word
            if isinstance(value, FunctionValue) and self._wraps(value.module, value.function):
                return OFF
        if isinstance(decorator, Call):
            for target in self.program.ask(CallGraph).targets(decorator, frame):
                if isinstance(target, FunctionValue) and self._wraps(target.module, target.function):
                    return OFF
        return None

    def _wraps(self, module: str, function: Function) -> bool:
        """Whether a home-made decorator turns recording off somewhere: in it, or in the functions that it makes."""
        frame = self.program.frame(module, function)
        for node in statements_of(function):
            if isinstance(node, CallStep) and self._sets_off(node.term, frame):
                return True
            if isinstance(node, With) and any(self._sets_off(item, frame) for item in node.items):
                return True
        inner = [f for f in self.program.modules[module].functions.values() if f.outer == function.qualname]
        return any(self._wraps(module, f) for f in inner)

    def _sets_off(self, term: Term, frame: Context) -> bool:
        """``no_grad()``, or ``no_grad()(fn)``; also where a condition chooses between it and another one."""
        callee = term.callee if isinstance(term, Call) else term
        found = (*self.program.values(term, frame), *self.program.values(callee, frame))
        return any(self._word(value) == OFF for value in found)

    def _framework(self, module: str, function: Function) -> str | None:
        """A method that a framework calls with recording off."""
        return OFF if "no-grad" in self.program.ask(Hooks).of(module, function) else None
