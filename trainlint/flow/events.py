"""Events: what a single call or assignment does in a training step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from operator import attrgetter, methodcaller
from typing import NamedTuple, TypeVar

from trainlint.finding import Spot
from trainlint.flow.effect_summary import EVERYTHING, Handed, Spoiled, concerns
from trainlint.flow.objects import Thing, Things
from trainlint.flow.roles import clears_gradients, is_of_gradient
from trainlint.ir.bindings import values_of
from trainlint.ir.nodes import Access, Attr, Call, Entered, Ref, Select, Self, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import closure, is_none
from trainlint.program.call_graph import last_name
from trainlint.program.contexts import opens
from trainlint.program.origins import handed_in
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject

_Found = TypeVar("_Found")
_STEP = "step"


class Place(NamedTuple):
    """A call, the statement around it, and the activation in which it stands."""

    call: Call
    statement: Spot
    frame: Context


@dataclass(eq=False)
class Event:
    """One part of a training step, in one activation.

    ``kind``: "backward", "clear" (gradients are emptied), "unscale", "clip", "step", "update" (of a scaler), "schedule", "touch"
    (gradients are changed by hand), "unknown" (any of this may happen to what the callee got hold of, ``handed``). ``way`` says
    more: a backward pass is "plain",
    "scaled", "apex" (scaled in a context), "framework" (that scales by itself, no more), "managed" (by an engine that may do
    anything else, too) or "unknown"; a step is "plain", "scaled" (a scaler runs it) or "closure".
    ``thing`` is the optimizer or scheduler that is meant, or the model that is cleared (None: all, or nobody knows), ``scaler``
    who scales. ``inner`` are the loops between the round and the call, ``tests`` the conditions.
    """

    kind: str
    way: str
    term: Term
    spot: Spot
    statement: Spot
    frame: Context
    thing: Thing | None = None
    scaler: Thing | None = None
    inner: tuple[Loop, ...] = ()
    tests: tuple[tuple[Term, bool, Context], ...] = ()
    #: The calls in the function of the round, and in those between, that lead to this one: outermost first.
    chain: tuple[tuple[CallStep, Context], ...] = field(default=())
    handed: Handed = EVERYTHING

    @property
    def arms(self) -> set[tuple[Term, bool]]:
        """The tests that lead to it, each with the arm, in whichever function they stand."""
        return {(test, arm) for test, arm, _ in self.tests}

    def may_change(self, program: Program, *parts: Thing | None) -> bool:
        """Whether this is done by somebody out of sight who may change one of these parts, or by hand (None: any part)."""
        return self.kind == "touch" or (self.kind == "unknown" and concerns(program, self.handed, *parts))

    @property
    def call(self) -> Call:
        """The call that it is: only gradients that are emptied or changed by hand may be assigned instead."""
        assert isinstance(self.term, Call)
        return self.term

    @property
    def is_part_of_call(self) -> bool:
        """Whether a backward pass stands in no call of its own: an object makes the whole step (table ``step_calls.objects``)."""
        scaled = self.call.callee.base if isinstance(self.call.callee, Attr) else None
        return isinstance(scaled, Call) and scaled.site == self.call.site

    @property
    def place(self) -> Place:
        """Where its user would look: a step that an optimizer's own `step` makes is its caller's."""
        found = Place(self.call, self.statement, self.frame)
        for node, frame in reversed(self.chain if self.kind == _STEP else ()):
            if found.frame.function.cls is None or last_name(node.term.callee) != last_name(self.call.callee):
                break
            if opens(frame.function, node.term) or len(node.term.args) + len(node.term.kwargs) > 1:
                break  # an optimizer is given a closure at most: this is the `step` of something that trains
            found = Place(node.term, node.statement, frame)
        return found

    def __repr__(self) -> str:
        """Short: a frame reaches the whole program."""
        return f"<{self.kind} {self.way} line {self.spot.line}>"


def seen_from(event: Event, frame: Context) -> Place | None:
    """An event as the function of an activation around it sees it: the event (if it is a call), or the call that leads to it.

    What a context manager does is at no one place of the function that enters it.
    """
    if event.frame is frame:
        return Place(event.term, event.statement, frame) if isinstance(event.term, Call) else None
    led = ((node, where) for node, where in event.chain if where is frame and not opens(frame.function, node.term))
    return next((Place(node.term, node.statement, where) for node, where in led), None)


def once(place: str) -> Callable[[Callable[[Program], Iterator[_Found]]], Callable[[Program], Iterator[_Found]]]:
    """Decorator: of what is found in a program, one for each place, which is the attribute ``place`` of it (``step.place``)."""
    of: Callable[[object], Place] = attrgetter(place)

    def distinct(find: Callable[[Program], Iterator[_Found]]) -> Callable[[Program], Iterator[_Found]]:
        @wraps(find)
        def found(program: Program) -> Iterator[_Found]:
            seen: set[tuple[str, Call]] = set()
            for each in find(program):
                where = of(each)
                if (where.frame.module, where.call) not in seen:
                    seen.add((where.frame.module, where.call))
                    yield each

        return found

    return distinct


class Recognizer:
    """Says which calls are parts of a training step."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.things = program.ask(Things)
        self.spoiled = Spoiled(program)
        self._last = frozenset(name.rpartition(".")[2] for name in program.knowledge.step_calls)

    def assigned(self, node: Store | Keep, frame: Context) -> Event | None:
        """``p.grad = None`` empties gradients, any other assignment to them changes them."""
        target = node.target
        if not isinstance(target, Attr) or not (
            target.name in self.knowledge.gradient_attributes or is_of_gradient(self.knowledge, target.base)
        ):
            return None
        kind = "clear" if is_none(node.value) else "touch"
        return Event(kind, "", target, node.spot, node.spot, frame)

    def called(self, node: CallStep, frame: Context) -> Iterator[Event]:
        """What a call that no function of the project answers does."""
        call = node.term
        name = last_name(call.callee) or ""
        word = self._word(call, name, frame)
        receiver = call.callee.base if isinstance(call.callee, Attr) else None
        found: Event | None = None
        if word == "clear" or clears_gradients(self.knowledge, name):
            cleared = self.things.of(receiver, frame) if receiver is not None else None
            if cleared is not None and cleared.kind in ("unknown", "module", "object"):
                cleared = cleared._replace(kind="module") if name == "zero_grad" else None
            found = self._event("clear", "", node, frame, cleared)
        elif word == "backward":
            yield from self._backward(node, frame, receiver)
        elif word == "unscale":
            scaler = self.things.of(receiver, frame) if receiver is not None else None
            thing = self.things.of(call.args[0], frame) if call.args else None
            found = self._event("unscale", "", node, frame, thing, scaler)
        elif word == "clip":
            found = self._event("clip", "", node, frame)
        elif word in ("scale", "look"):
            return
        elif word == "framework":
            found = self._event("backward", "framework", node, frame)
        elif word == "managed":
            found = self._event("unknown", "managed", node, frame)
        elif word == "step":
            found = self._step(node, frame, receiver)
        elif word == "update" and receiver is not None:
            scaler = self.things.of(receiver, frame)
            found = self._event("update", "", node, frame, None, scaler) if scaler.kind == "scaler" else None
        elif name.endswith("_") and receiver is not None and is_of_gradient(self.knowledge, receiver):
            kind = "clear" if name in self.knowledge.gradient_resets else "touch"
            found = self._event(kind, "", node, frame)
        else:
            found = self._spoiling(node, frame)
        if found is not None:
            yield found

    def is_own(self, call: Call, frame: Context) -> bool:
        """Whether a call that runs a function of the project is a part of a step as it stands: an optimizer's own method."""
        name = last_name(call.callee) or ""
        if clears_gradients(self.knowledge, name):
            return True
        return name == _STEP and isinstance(call.callee, Attr) and self.things.of(call.callee.base, frame).kind == "optimizer"

    def clips(self, call: Call, targets: list[FunctionValue], frame: Context) -> bool:
        """Whether functions of the project under the name of one that clips do that themselves: to gradients, and nothing else.

        One that is handed a scaler knows better.
        """
        if self.knowledge.step_calls.get(last_name(call.callee) or "") != "clip":
            return False
        if any(self.things.of(given, frame).kind == "scaler" for given in call.args):
            return False
        return all(self._is_about_gradients(target.function) for target in targets)

    def _is_about_gradients(self, function: Function) -> bool:
        """Whether a function asks parameters for their gradients, and does no part of a step by a name of its own."""
        calls = [node.term for node in calls_of(function)]
        if any(last_name(call.callee) in self._last for call in calls):
            return False
        parts = closure((*values_of(function), *calls), methodcaller("made_of"))
        return any(isinstance(part, Attr) and part.name in self.knowledge.gradient_attributes for part in parts)

    def _event(
        self, kind: str, way: str, node: CallStep, frame: Context, thing: Thing | None = None, scaler: Thing | None = None
    ) -> Event:
        return Event(kind, way, node.term, node.term.site, node.statement, frame, thing, scaler)

    def _word(self, call: Call, name: str, frame: Context) -> str | None:
        """What the tables say of a call: by its dotted name first."""
        known = self.knowledge.step_calls
        if name not in self._last:
            return None
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in known:
                return known[value.name]
        return known.get(name)

    # -- backward passes -------------------------------------------------------------------------------------------

    def _backward(self, node: CallStep, frame: Context, receiver: Term | None) -> Iterator[Event]:
        call = node.term
        if receiver is None or isinstance(receiver, Ref):
            if call.args:
                way, scaler = self.scaled(call.args[0], frame)
                yield self._event("backward", way, node, frame, None, scaler)
            return
        if call.args or any(keyword not in self._keywords() for keyword, _ in call.kwargs) or isinstance(receiver, Self):
            thing = self.things.of(receiver, frame)
            way = "framework" if thing.kind in ("accelerator", "fabric") else "managed"
            yield self._event("backward", way, node, frame, thing)
            return
        way, scaler = self.scaled(receiver, frame)
        yield self._event("backward", way, node, frame, None, scaler)

    def _keywords(self) -> list[str]:
        return self.knowledge.signatures["torch.Tensor.backward"]

    def scaled(self, loss: Term, frame: Context) -> tuple[str, Thing | None]:
        """Whether a loss is scaled: "plain", "scaled" and by which scaler, "apex" (by its context), or "unknown"."""
        found: set[tuple[str, Thing | None]] = set()
        if isinstance(loss, Call) and (last_name(loss.callee) or "") == "scale" and isinstance(loss.callee, Attr) and loss.args:
            scaler = self.things.of(loss.callee.base, frame)
            return ("scaled", scaler) if scaler.kind == "scaler" else ("unknown", None)
        inside = handed_in(self.program, loss, frame)
        if inside is not None:
            return self.scaled(*inside)
        if isinstance(loss, Entered):
            words = {
                self.knowledge.step_calls.get(v.name)
                for v in self.program.values(loss.manager, frame)
                if isinstance(v, LibraryObject)
            }
            return ("apex" if words == {"scale"} else "unknown", None)
        if isinstance(loss, Select):
            found = {self.scaled(part, frame) for part in loss.arms}
            return found.pop() if len(found) == 1 else ("unknown", None)
        for value in self.program.values(loss, frame):
            if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                owner = value.name.rpartition(".")
                if owner[2] == "scale" and self.knowledge.kinds.get(owner[0]) == "scaler":
                    callee = value.call.callee
                    if isinstance(callee, (Access, Call)):
                        found.add(("scaled", self.things.of(callee.stem, value.frame)))
                    else:
                        found.add(("unknown", None))
                    continue
            found.add(("plain", None))
        return found.pop() if len(found) == 1 else ("unknown", None)

    # -- steps -----------------------------------------------------------------------------------------------------

    def _step(self, node: CallStep, frame: Context, receiver: Term | None) -> Event | None:
        call = node.term
        if receiver is None or isinstance(receiver, Ref):  # ``xm.optimizer_step(optimizer)``, ``step(batch)``
            thing = self.things.of(call.args[0], frame) if call.args else None
            if thing is not None and thing.kind == "optimizer":
                return self._event("step", "plain", node, frame, thing)
            return self._spoiling(node, frame)
        thing = self.things.of(receiver, frame)
        if thing.kind == "scaler":
            stepped = self.things.of(call.args[0], frame) if call.args else None
            return self._event("step", "scaled", node, frame, stepped, thing)
        if thing.kind == "optimizer":
            way = "closure" if call.args or call.kwargs else "plain"
            return self._event("step", way, node, frame, thing)
        if thing.kind in ("scheduler", "plateau", "other"):
            told = bool(call.args or call.kwargs)  # a metric, which only the one wants
            return self._event("schedule", thing.kind if told or thing.kind == "other" else "scheduler", node, frame, thing)
        return self._spoiling(node, frame)

    def _spoiling(self, node: CallStep, frame: Context) -> Event | None:
        """A call of somebody out of sight, where he got hold of a part of the step."""
        handed = self.spoiled.by(node.term, frame)
        if handed is None:
            return None
        return Event("unknown", "", node.term, node.term.site, node.statement, frame, handed=handed)
