"""Where the order of a value was drawn: the shuffles that lie behind data that is then split by rank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.literals import item_of
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.traced.consteval import truth
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import And, Attr, BinOp, Call, Const, Global, Or, Param, Ref, Select, Self, Subscript, Term, Unknown
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import mentions
from trainlint.ir.walk import of_kind, statements_of

_DEEPEST = 14
_METHOD_OF_ITEMS = "__getitem__"


class Drawn(NamedTuple):
    """A call that draws an order, in an activation, and the library's name for it."""

    call: Call
    statement: Spot
    frame: Frame
    name: str


class Orders:
    """Follows data back to the calls that drew its order. What is not known ends the way."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._drawing: dict[int, tuple[CallStep, ...]] = {}
        self.names = frozenset(name.rpartition(".")[2] for name in self.knowledge.shuffles)

    def behind(self, term: Term, frame: Frame, before: Spot | None = None, depth: int = 0) -> Iterator[Drawn]:
        """The calls that drew the order of a value; ``before``: only those above this place of the function count."""
        if depth > _DEEPEST:
            return
        yield from self._in_place(term, frame, before)
        if isinstance(term, Call):
            yield from self._result(term, frame, depth + 1)
        elif isinstance(term, Subscript):
            part = item_of(term.base, term.key)
            if part is not None:
                yield from self.behind(part, frame, before, depth + 1)
            elif isinstance(term.base, Call):
                yield from self._item(term.base, term.key, frame, before, depth + 1)
            else:
                yield from self.behind(term.base, frame, before, depth + 1)
        elif isinstance(term, Param):
            holder = frame.holder(term.function)
            bound = holder.arguments.get(term.name) if holder is not None else None
            if isinstance(bound, Bound) and holder is not None:
                called = holder.call.site if holder.call is not None and bound.frame is holder.caller else None
                yield from self.behind(bound.term, bound.frame, called, depth + 1)
        elif isinstance(term, Attr):
            yield from self._attribute(term, frame, depth + 1)
        elif isinstance(term, Global):
            module = self.program.modules[frame.module]
            held = module.names.get(term.name)
            if held is not None and held is not term:
                yield from self.behind(held, self.program.frame(frame.module, module.functions["<module>"]), None, depth + 1)
        elif isinstance(term, (Select, Or, And, BinOp)):
            for part in term.subterms()[1 if isinstance(term, Select) else 0 :]:
                yield from self.behind(part, frame, before, depth + 1)

    # -- in place --------------------------------------------------------------------------------------------------

    def _in_place(self, term: Term, frame: Frame, before: Spot | None) -> Iterator[Drawn]:
        """``random.shuffle(term)`` further up in the function, and nothing in between that settles the order."""
        if isinstance(term, (Const, Ref, Unknown)):
            return
        for node in self._draws(frame.function):
            call = node.term
            if not call.args or call.args[0] is not term or (before is not None and not call.site[:2] < before[:2]):
                continue
            name = self._drawing_name(call, frame)
            if name in self.knowledge.shuffles_in_place and self.runs(call, frame) and not self._settled(term, call, frame):
                yield Drawn(call, node.statement, frame, str(name))

    def _draws(self, function: Function) -> tuple[CallStep, ...]:
        """The calls of a function that go by the name of a shuffle."""
        known = self._drawing.get(id(function))
        if known is None:
            found = (node for node in of_kind(function, CallStep))
            known = self._drawing[id(function)] = tuple(node for node in found if last_name(node.term.callee) in self.names)
        return known

    def _drawing_name(self, call: Call, frame: Frame) -> str | None:
        """The library's name of a call that shuffles; None for any other."""
        names = [t.name for t in self.index.targets(call, frame) if isinstance(t, Library)]
        if not names and isinstance(call.callee, Attr):
            names = [
                f"{value.name}.{call.callee.name}" for value in self._holder(call.callee.base, frame) if isinstance(value, Made)
            ]
        if len(names) != 1:
            return None
        maker = next((known for known in self.knowledge.shuffles_made_by if names[0].startswith(f"{known}.")), None)
        name = names[0] if maker is None else f"{self.knowledge.shuffles_made_by[maker]}.{names[0].rpartition('.')[2]}"
        return name if name in self.knowledge.shuffles else None

    def _holder(self, base: Term, frame: Frame) -> tuple[Value, ...]:
        """What something is an item of, or was made by a method of: the first thing on that way that is known."""
        for _ in range(_DEEPEST):
            values = self.program.values(base, frame)
            if not isinstance(base, (Subscript, Call)) or any(isinstance(value, Made) for value in values):
                return values
            base = (
                base.base if isinstance(base, Subscript) else base.callee.base if isinstance(base.callee, Attr) else base.callee
            )
        return ()

    def runs(self, call: Call, frame: Frame) -> bool:
        """Whether no test around a call is known to keep it from running in this activation."""
        tests = self.program.ask_of(surroundings, frame.function).of(call).tests
        return all(truth(self.program, test, frame) in (None, way) for test, way in tests)

    def _settled(self, term: Term, drawn: Call, frame: Frame) -> bool:
        """Whether the order is made the same again further down: sorted, or sent to all by a collective."""
        for node in statements_of(frame.function):
            if not isinstance(node, CallStep) or not drawn.site[:2] < node.term.site[:2]:
                continue
            callee = node.term.callee
            if isinstance(callee, Attr) and callee.base is term and callee.name in self.knowledge.settles_order:
                return True
            if any(mentions(argument, term) for argument in node.term.args) and self._communicates(node.term, frame):
                return True
        return False

    def _communicates(self, call: Call, frame: Frame) -> bool:
        """Whether a call is a collective, which may hand one rank's order to all."""
        name = last_name(call.callee)
        if name is None or not any(name == known.rpartition(".")[2] for known in self.knowledge.collectives):
            return False
        return any(not isinstance(t, Library) or t.name in self.knowledge.collectives for t in self.index.targets(call, frame))

    # -- by result -------------------------------------------------------------------------------------------------

    def _result(self, call: Call, frame: Frame, depth: int) -> Iterator[Drawn]:
        callee = call.callee
        name = self._drawing_name(call, frame) if last_name(callee) in self.names else None
        if name is not None:
            in_place = name in self.knowledge.shuffles_in_place
            if not in_place and self.runs(call, frame) and not self._settled(call, call, frame):
                yield Drawn(call, self._statement(call, frame), frame, name)
            return
        if isinstance(callee, Attr) and callee.name in self.knowledge.keeps_order:
            yield from self.behind(callee.base, frame, call.site, depth)
        for value in self.program.values(callee, frame):
            if isinstance(value, Library):
                if value.name in self.knowledge.keeps_order:
                    for argument in call.args:
                        yield from self.behind(argument, frame, call.site, depth)
            elif isinstance(value, FunctionValue):
                if value.function.generator or frame.runs(value.function):
                    continue
                inner = self.program.enter(value, call, frame)
                for returned in self.program.returns(value.function):
                    yield from self.behind(returned, inner, None, depth)
            elif isinstance(value, ClassValue):
                yield from self._inside(Instance(value.module, value.cls, call, frame), depth)

    def _item(self, call: Call, key: Term, frame: Frame, before: Spot | None, depth: int) -> Iterator[Drawn]:
        """An item of what a call returned: of a tuple, the item; of anything else, what lies behind all of it."""
        found = False
        for value in self.program.values(call.callee, frame):
            if isinstance(value, FunctionValue) and not value.function.generator and not frame.runs(value.function):
                inner = self.program.enter(value, call, frame)
                for returned in self.program.returns(value.function):
                    part = item_of(returned, key)
                    found = found or part is not None
                    if part is not None:
                        yield from self.behind(part, inner, None, depth)
        if not found:
            yield from self.behind(call, frame, before, depth)

    def _statement(self, call: Call, frame: Frame) -> Spot:
        for node in self._draws(frame.function):
            if node.term is call:
                return node.statement
        return call.site

    # -- objects ---------------------------------------------------------------------------------------------------

    def _attribute(self, term: Attr, frame: Frame, depth: int) -> Iterator[Drawn]:
        """What is stored under an attribute of an object of the project."""
        for base in self.program.values(term.base, frame):
            if isinstance(base, Instance):
                cls = ClassValue(base.module, base.cls)
                for module, function, value in self.program.stores(cls, term.name):
                    inner = self.program.instance_frame(base, module, function)
                    if not frame.runs(function) or function is frame.function:
                        yield from self.behind(value, inner, None, depth)
                method = self.program.method(cls, "__init__")
                if method is not None and method[1] is not frame.function:
                    yield from self._in_place_of(term.name, self.program.instance_frame(base, *method))

    def _in_place_of(self, attribute: str, frame: Frame) -> Iterator[Drawn]:
        """``random.shuffle(self.files)`` in a constructor."""
        for node in self._draws(frame.function):
            argument = node.term.args[0] if node.term.args else None
            if (
                argument is not None
                and isinstance(argument, Attr)
                and isinstance(argument.base, Self)
                and argument.name == attribute
            ):
                yield from self._in_place(argument, frame, None)

    def _inside(self, data: Instance, depth: int) -> Iterator[Drawn]:
        """What draws the order of a dataset of the project: that of the attributes from which it takes its items by index."""
        cls = ClassValue(data.module, data.cls)
        items = self.program.method(cls, _METHOD_OF_ITEMS)
        if items is None:
            return
        frame = self.program.instance_frame(data, *items)
        for term in _attributes(items[1]):
            yield from self._attribute(term, frame, depth)


def _attributes(function: Function) -> Iterator[Attr]:
    """The attributes of ``self`` of which a function takes an item by one of its parameters."""
    pending = [term for node in statements_of(function) for term in node if isinstance(term, Term)]
    seen: set[Term] = set()
    while pending:
        term = pending.pop()
        if term in seen:
            continue
        seen.add(term)
        if (
            isinstance(term, Subscript)
            and isinstance(term.key, Param)
            and isinstance(term.base, Attr)
            and isinstance(term.base.base, Self)
        ):
            yield term.base
        pending += term.subterms()
