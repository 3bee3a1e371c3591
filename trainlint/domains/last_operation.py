"""The last thing that was computed of a value: a softmax, a sigmoid, a logarithm, wherever that happened.

``F.softmax(x)``, ``x.softmax(-1)``, an ``nn.Softmax()`` that is called, that stands last in an ``nn.Sequential``, or with which
the ``forward`` of a model ends, are one and the same. A value is followed through names, attributes, arguments, the returns of
functions and the ``forward`` of models, wrappers around these, and through what only changes a shape. What is not one of the
functions of the table ``numerics`` is a head as well, without a word: nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.bindings import held_behind
from trainlint.ir.nodes import (
    Asserted,
    Attr,
    BoolOp,
    Call,
    Const,
    Dict,
    Display,
    LoopPhi,
    Param,
    Select,
    SequenceDisplay,
    Star,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import walk
from trainlint.program.call_graph import chained
from trainlint.program.callables import bound
from trainlint.program.constant_branch import alternatives
from trainlint.program.container_parts import turns_in_order
from trainlint.program.heap import field, item_of
from trainlint.program.memo import remembered
from trainlint.program.origins import put_in
from trainlint.program.program import Program
from trainlint.program.values import (
    WIDEST,
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    ModuleValue,
    Unresolved,
    Value,
)

#: How a list is given one more item, at its end.
_APPEND = "append"
#: How a function is given what it computes of, beside its first position.
GIVEN = "input"
_TENSOR = "torch.Tensor."
#: The word of an exponential, and how the words of functions begin that are the logarithm of another one.
_EXP, _LOG_OF = "exp", "log-"
_SECOND = Const.new("int", 1)
#: Where a function stands that is a method of tensors, too.
_SPACES = ("torch.", "torch.special.")


class Head(NamedTuple):
    """What was computed last.

    ``word`` is the table's word, None where nobody knows. ``term`` computes it, or makes the layer that does (``layer``), in the
    activation ``frame``; ``given`` is what it is computed of, where that can be said. ``way`` are the calls that lead there, file
    and place, outermost first. ``undone``: it is the exponential of its logarithm, of which ``given`` is that.
    """

    word: str | None
    term: Term
    frame: Context
    given: Term | None = None
    layer: bool = False
    way: tuple[tuple[str, Spot], ...] = ()
    undone: bool = False

    @property
    def call(self) -> Call:
        """The call that it is where the word is known."""
        assert isinstance(self.term, Call)
        return self.term

    @property
    def place(self) -> tuple[str, Spot]:
        """The file and the place of the call."""
        return self.frame.module, self.call.site


def argument(call: Call, position: int, name: str) -> Term | None:
    """What a call passes in a position, or under that name."""
    if len(call.args) > position:
        return call.args[position]
    return next((value for key, value in call.kwargs if key == name), None)


class Heads:
    """Answers for the values of a program; each is followed once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._runs = frozenset(program.knowledge.tables["numerics.runs"]["names"])

    @remembered(())
    def of(self, term: Term, frame: Context) -> tuple[Head, ...]:
        """Everything that a value may have been computed with last: one of these. Nothing where it leads back to itself."""
        found = dict.fromkeys(self._of(term, frame))
        return tuple(found) if len(found) <= WIDEST else (Head(None, term, frame),)

    def agreed(self, term: Term, frame: Context, word: str) -> tuple[Head, ...]:
        """The heads of a value, if every one of them is the ``word``; else nothing."""
        found = self.of(term, frame)
        return found if all(head.word == word for head in found) else ()

    def _of(self, term: Term, frame: Context) -> Iterator[Head]:
        carried = put_in(self.program, term, frame)
        if carried:
            for whence, where in carried:
                yield from self.of(whence, where)
        elif isinstance(term, Call):
            yield from self._call(term, frame)
        elif isinstance(term, (Select, BoolOp)):
            for part in alternatives(term, frame, self.program):
                if not isinstance(part, Const) or part.value is not None:  # None is "not yet"
                    yield from self.of(part, frame)
        elif isinstance(term, Subscript):
            yield from self._item(term, frame)
        elif isinstance(term, Attr) and (parts := self._fields(term, frame)):
            for part, where in parts:
                yield from self.of(part, where)
        elif isinstance(term, Param) and isinstance(bound := frame.given(term), Argument):
            yield from self.of(bound.term, bound.frame)
        elif isinstance(term, Asserted):
            yield from self.of(term.value, frame)
        elif isinstance(term, LoopPhi):
            yield from self._left_by_loop(term, frame)
        else:
            yield from self._named(term, frame)

    def _left_by_loop(self, name: LoopPhi, frame: Context) -> Iterator[Head]:
        """Where a loop applies one thing after the other (``for step in self.steps: x = step(x)``): what the last computes."""
        behind = held_behind(frame.function, name)
        last = turns_in_order(self.program, behind.callee, frame)[-1:] if isinstance(behind, Call) else []
        if last and isinstance(behind, Call):
            yield from self._call(behind, last[0])
        else:
            yield from self._named(name, frame)

    def _named(self, term: Term, frame: Context) -> Iterator[Head]:
        for value in self.program.values(term, frame):
            if isinstance(value, LibraryObject) and value.call is not None and value.call is not term and value.frame is not None:
                yield from self.of(value.call, value.frame)
            elif isinstance(value, Unresolved) and value.term is not term:
                yield from self.of(value.term, value.frame)
            else:
                yield Head(None, term, frame)

    def _item(self, term: Subscript, frame: Context) -> Iterator[Head]:
        """An item of what a function returns; rows of a tensor are numbers of the same kind."""
        base, key = term.base, term.key
        for display, holder in self._displays(base, frame):
            part = item_of(display, key)
            if part is not None:
                yield from self.of(part, holder)
            elif isinstance(key, (Const, Tuple)) or isinstance(display, (SequenceDisplay, Dict)):
                yield from self._named(term, frame)
            else:
                yield from self.of(display, holder)

    def _fields(self, term: Attr, frame: Context) -> list[tuple[Term, Context]]:
        """What a bundle that a function or model returns was given for a field; empty where that is not known of each."""
        if not isinstance(term.base, (Call, Param)):
            return []
        made = list(self._displays(term.base, frame))
        given = [(field(self.program, call, term.name, at), at) for call, at in made if isinstance(call, Call)]
        found = [(part, at) for part, at in given if part is not None]
        return found if len(found) == len(made) else []

    def _displays(
        self, term: Term, frame: Context, seen: frozenset[tuple[Term, Context]] = frozenset()
    ) -> Iterator[tuple[Term, Context]]:
        """The tuples and lists that a value may be, as they are written down; what is none, as it is."""
        if (term, frame) in seen:
            return
        seen |= {(term, frame)}
        inner: list[tuple[Term, Context]] = []
        if isinstance(term, Call):
            for callee in self.callees(term.callee, frame):
                ran = self._ran(callee)
                if ran is not None and self._enters(ran, frame):
                    activation = self.program.enter(ran, term, frame)
                    inner += [(value, activation) for value in self.program.returns(ran.function)]
        elif isinstance(term, Select):
            inner = [(part, frame) for part in alternatives(term, frame, self.program)]
        elif isinstance(term, Param) and isinstance(bound := frame.given(term), Argument):
            inner = [(bound.term, bound.frame)]
        elif not isinstance(term, Display):
            values = self.program.values(term, frame)
            inner = [(value.term, value.frame) for value in values if isinstance(value, Unresolved) and value.term is not term]
            inner += [
                (value.call, value.frame) for value in values if isinstance(value, LibraryObject) and value.call and value.frame
            ]
        for part, holder in inner:
            yield from self._displays(part, holder, seen)
        if not inner:
            yield term, frame

    # -- calls -----------------------------------------------------------------------------------------------------

    @remembered()
    def callees(self, term: Term, frame: Context) -> tuple[Value, ...]:
        """What is called; ``model.to(device)`` is ``model``, and so is what a wrapper was made of."""
        found: dict[Value, None] = {}
        seen: set[tuple[Term, Context]] = set()
        pending = [(term, frame)]
        while pending:
            at = pending.pop(0)
            if at in seen:
                continue
            seen.add(at)
            for value in self.program.values(*at):
                behind = self._behind(value, at[0])
                if behind is not None:
                    pending.append(behind)
                else:
                    found.update(dict.fromkeys(self._applied_to(value)))
        return tuple(found)

    def _applied_to(self, value: Value) -> Iterator[Value]:
        """What is called in the end, where a partial gives it nothing but options."""
        for callee, given in bound(self.program, value):
            if any(isinstance(each.term, Call) and each.term.args[1:] for each in given):
                yield value
            else:
                yield callee._replace(given=(*callee.given, *given)) if isinstance(callee, FunctionValue) else callee

    def _behind(self, value: Value, term: Term) -> tuple[Term, Context] | None:
        """The module in a wrapper; for ``nn.Softmax().cuda()`` the layer. None for what is the thing itself."""
        if isinstance(value, Unresolved):
            moved = chained(self.program, value.term)
            return (moved, value.frame) if moved is not None else None
        if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
            return None
        call, kind = value.call, self.knowledge.kinds.get(value.name)
        moved = chained(self.program, call)
        if moved is not None:
            return moved, value.frame
        position = 0 if kind in ("wrapper", "ddp") or (kind == "prepared" and len(call.args) == 1) else None
        if kind == "prepared" and isinstance(term, Subscript) and isinstance(term.key, Const) and type(term.key.value) is int:
            position = term.key.value
        return (call.args[position], value.frame) if position is not None and 0 <= position < len(call.args) else None

    def _call(self, call: Call, frame: Context) -> Iterator[Head]:
        for callee in self.callees(call.callee, frame):
            ran = self._ran(callee)
            if ran is not None:
                yield from self._returned(ran, call, frame)
            elif isinstance(callee, Library) and callee.name in self._runs and len(call.args) > 1:
                yield from self.of(Call.new(call.args[0], call.args[1:2], (), call.site), frame)
            elif isinstance(callee, (Library, LibraryObject)) and self.knows(callee.name):
                yield from self._applied(callee.name, call, argument(call, 0, GIVEN), frame)
            elif isinstance(callee, LibraryObject) and self.knowledge.kinds.get(callee.name) == "layers":
                yield from self._last_layer(callee)
            elif isinstance(call.callee, Attr) and (method := self.method(call, frame)) is not None:
                yield from self._applied(method, call, call.callee.base, frame)
            else:
                yield from self._named(call, frame)

    def knows(self, name: str) -> bool:
        """Whether the tables know a function or a layer."""
        return name in self.knowledge.numerics or name in self.knowledge.rearranges

    def method(self, call: Call, frame: Context) -> str | None:
        """The function that a tensor's method computes (``x.softmax(-1)``: ``torch.softmax``), if the tables know it."""
        if not isinstance(call.callee, Attr):
            return None
        called = call.callee.name
        names = (*(space + called for space in _SPACES), _TENSOR + called)
        name = next((one for one in names if self.knows(one)), None)
        known = (Library, ModuleValue, ClassValue, Instance, FunctionValue)
        if name is None or any(isinstance(value, known) for value in self.program.values(call.callee.base, frame)):
            return None
        return name

    def _ran(self, callee: Value) -> FunctionValue | None:
        """The function of the project that a call runs, for a model its ``forward``."""
        if isinstance(callee, Instance):
            cls = ClassValue(callee.module, callee.cls)
            method = self.program.method(cls, "__call__") or self.program.method(cls, "forward")
            return FunctionValue(method[0], method[1], callee) if method is not None else None
        return callee if isinstance(callee, FunctionValue) else None

    def _enters(self, ran: FunctionValue, frame: Context) -> bool:
        return not ran.function.generator and frame.follows(ran.function)

    def _returned(self, ran: FunctionValue, call: Call, frame: Context) -> Iterator[Head]:
        results = self.program.returns(ran.function)
        if not results or not self._enters(ran, frame):
            yield Head(None, call, frame)
            return
        inner = self.program.enter(ran, call, frame)
        here = (frame.module, call.site)
        for value in results:
            for head in self.of(value, inner):
                yield head._replace(way=(here, *head.way))

    def _applied(self, name: str, call: Call, given: Term | None, frame: Context) -> Iterator[Head]:
        word = self.knowledge.numerics.get(name)
        undone = self._undone(given, frame) if word == _EXP and given is not None else None
        if undone is not None:
            yield Head(undone, call, frame, given, undone=True)
        elif word is not None or given is None:
            yield Head(word, call, frame, given)
        else:
            yield from self.of(given, frame)

    def _undone(self, given: Term, frame: Context) -> str | None:
        """What an exponential computes of a logarithm: of a log-softmax the softmax."""
        words = {head.word or "" for head in self.of(given, frame)}
        word = words.pop() if len(words) == 1 else ""
        return word.removeprefix(_LOG_OF) if word.startswith(_LOG_OF) else None

    # -- layers that run one after another ---------------------------------------------------------------------------

    def _last_layer(self, made: LibraryObject, around: tuple[Call, ...] = ()) -> Iterator[Head]:
        """What the last of several layers computes, looking through those that only rearrange."""
        if made.call is None or made.frame is None or made.call in around:
            return
        around = (*around, made.call)
        for term, frame in reversed(self.layers(made.call, made.frame) or []):
            heads = list(self._of_layer(term, frame, around))
            if heads:
                yield from heads
                return
        for term, frame in self._perhaps_last(made.call, made.frame):
            yield from self._of_layer(term, frame, around)
        yield Head(None, made.call, made.frame)

    def _perhaps_last(self, call: Call, frame: Context) -> Iterator[tuple[Term, Context]]:
        """What is added at the end of a list of layers by its last change, where a test decides about that."""
        display = call.args[-1].of if call.args and isinstance(call.args[-1], Star) else None
        changes = [node for node in walk(frame.function.body) if isinstance(node, CallStep) and _changes(node.term, display)]
        last = changes[-1].term if changes and changes[-1] not in frame.function.body else None
        if last is not None and _appends(last):
            yield last.args[0], frame

    def layers(self, call: Call, frame: Context) -> list[tuple[Term, Context]] | None:
        """The layers that a container is made of, in order; None where they are not all written down."""
        given = call.args
        if len(given) == 1:
            display = next((value for value in self.program.values(given[0], frame) if isinstance(value, LibraryObject)), None)
            if display is not None and display.name == "collections.OrderedDict" and display.call and display.frame:
                return self._named_layers(display.call, display.frame)
        found: list[tuple[Term, Context]] = []
        for term in given:
            inner = self._unpacked_layers(term, frame) if isinstance(term, Unknown) else [term]
            if inner is None:
                return None
            found += [(layer, frame) for layer in inner]
        return found

    def _unpacked_layers(self, term: Term, frame: Context) -> list[Term] | None:
        """What stands last behind a star: of a list that is filled in this function, what is added at its end in any case."""
        display = term.of if isinstance(term, Star) else None
        if display is None or not isinstance(display, SequenceDisplay) or (display.items and type(display.items) is not tuple):
            return None
        last: Term | None = None
        changed = False
        for node in frame.function.body:
            for each in walk((node,)):
                if isinstance(each, CallStep) and _changes(each.term, display):
                    changed = True
                    last = each.term.args[0] if each is node and _appends(each.term) else None
        if changed:
            return [last] if last is not None else None
        return list(display.items) if type(display.items) is tuple and display.items else None

    def _named_layers(self, call: Call, frame: Context) -> list[tuple[Term, Context]] | None:
        """``OrderedDict([("name", layer), …])``."""
        pairs = next((term for term, _ in self._displays(call.args[0], frame)), None) if call.args else None
        if pairs is None:
            return None
        if isinstance(pairs, Dict):
            return [(value, frame) for _, value in pairs.items]
        if not isinstance(pairs, SequenceDisplay) or type(pairs.items) is not tuple:
            return None
        items = [item_of(pair, _SECOND) for pair in pairs.items]
        return None if None in items else [(item, frame) for item in items if item is not None]

    def _of_layer(self, term: Term, frame: Context, around: tuple[Call, ...]) -> Iterator[Head]:
        """What a layer computes; nothing if it only rearranges."""
        for value in self.callees(term, frame):
            ran = self._ran(value)
            if ran is not None and isinstance(value, Instance):
                inner = self.program.instance_frame(value, ran.module, ran.function)
                results = self.program.returns(ran.function)
                for result in results:
                    yield from self.of(result, inner)
                if not results:
                    yield Head(None, term, frame)
            elif (
                isinstance(value, LibraryObject) and value.call is not None and value.frame is not None and self.knows(value.name)
            ):
                word = self.knowledge.numerics.get(value.name)
                if word is not None:
                    yield Head(word, value.call, value.frame, layer=True)
            elif isinstance(value, LibraryObject) and self.knowledge.kinds.get(value.name) == "layers":
                yield from self._last_layer(value, around)
            else:
                yield Head(None, term, frame)


def _changes(call: Call, display: Term | None) -> bool:
    """Whether a call is of a method of a list."""
    return bool(isinstance(call.callee, Attr) and call.callee.base is display)


def _appends(call: Call) -> bool:
    """Whether a call adds one thing at the end."""
    return isinstance(call.callee, Attr) and call.callee.name == _APPEND and len(call.args) == 1
