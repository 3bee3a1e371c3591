"""Escape: where a value is put so that it outlives a round of a loop or a call, and what a container was filled with.

Sinks: statements that put a value where it stays, beyond a round of a loop or beyond a call.

Found here by their form alone: ``total += x``, ``table[k] = x``, ``xs.append(x)``, ``meter.update(x)``. Whether the
place really outlives the round, and whether anything takes the value out again, is asked in ``lifetime.py``.

What is behind a container or a total: what a function put into the one, what its loop added to the other.

``sum(losses.values())`` and ``for part in losses.values(): loss = loss + part`` are made of what ``losses`` was
filled with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.bindings import gathered
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Display,
    Global,
    ItemDisplay,
    Kwargs,
    LoopPhi,
    Nested,
    Or,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Store
from trainlint.ir.terms import container_of, parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph
from trainlint.program.heap import dict_viewed, made_with
from trainlint.program.memo import remembered
from trainlint.program.origins import same_object
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, Context, FunctionValue, Instance

_SUMS = ("Add", "Sub")
_FACTORS = ("Mult", "Div")

#: From the value of a statement (or from a call) to a part of it: see ``sites.changes.AppendCall``.
Path = tuple[tuple[str, int | str], ...]


#: By container: the keys of items that are set anew or taken out (None: any).
Replaced = Mapping[Term, Sequence[Term | None]]
_NOTHING: Replaced = {}

#: In place of a parameter: the keyword arguments that have none (``**kwargs``).
SURPLUS = "**"
#: Parameters of a function that puts one into another.
_FEWEST = 2
#: In place of the parser's class: a sum that a function returns.
RETURNED = "Return"
#: The method that ``thing[key] = value`` calls, where the thing is an object of the project.
_SETS = "__setitem__"


class Part(NamedTuple):
    """A value that goes into a sink, and where it is written.

    ``cut``: only an item of it goes in; ``inner``: the term is an item of what is written there.
    """

    term: Term
    path: Path
    cut: bool = False
    inner: bool = False


class Sink(NamedTuple):
    """A statement that keeps values.

    ``kind``: "sum" (added to what was there), "join" (one tensor made of both), "store" (put beside it), "item" (set under a
    key) or "hand" (given to a method, perhaps one that keeps it). ``holder`` is what it goes into: a carried name
    (``LoopPhi``), an item, an attribute, a global, a container or an object with a method that keeps its argument. ``node`` is
    the parser's class of what stands at ``spot``. ``doubtful``: only if the holder is seen to be a container.
    """

    kind: str
    module: str
    function: Function
    holder: Term
    parts: tuple[Part, ...]
    spot: Spot
    statement: Spot
    node: str
    doubtful: bool = False


class Keeper(NamedTuple):
    """A function that keeps what it is given: the sink in it, and the parameter that goes into it (or ``SURPLUS``).

    ``into``: the parameter that keeps it, or that is returned with it added; None for the object whose method this is. The sink
    of a function that only hands its parameters on is a "hand".
    """

    parameter: str
    sink: Sink
    into: str | None = None


class _Run(NamedTuple):
    """A call in a function, and the function of the project that it runs."""

    module: str
    function: Function
    call: CallStep
    target: FunctionValue


class _Kept(NamedTuple):
    """The sinks of a function, as far as they have been asked for.

    ``own``: all but the methods that are handed something; ``handing``: of these methods, those that keep it themselves by their
    name; ``every``: all, with what is handed on from there and what is put into something else.
    """

    own: tuple[Sink, ...] | None = None
    handing: tuple[Sink, ...] | None = None
    every: tuple[Sink, ...] | None = None


#: Of a function that was not asked about.
_UNREAD = _Kept()
#: What is known of most functions: one of each for all of them.
_NOTHING_KEPT = {each: each for each in (_UNREAD, _Kept(()), _Kept((), ()), _Kept((), (), ()))}


class Sinks:
    """The sinks of a program and the methods that keep a parameter: each function is read where somebody asks about it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[Function, _Kept] = {}
        #: The function that was asked about last, and the calls of methods in it: several questions about one follow each other.
        self._called: tuple[Function, dict[str, list[tuple[CallStep, Attr]]]] | None = None
        #: The methods of the project, by their names.
        self._methods: dict[str, list[tuple[str, Function]]] = {}
        for path, function in program.functions():
            if function.kind == "method":
                self._methods.setdefault(function.name, []).append((path, function))
        #: Functions that put one parameter into another.
        self._putting: dict[Function, Sequence[Keeper]] = {}

    def of(self, path: str, function: Function) -> tuple[Sink, ...]:
        """The sinks of a function: those that keep something themselves first, then what it hands to methods that may keep it."""
        known = self._known.get(function, _UNREAD).every
        if known is None:
            known = (*self._sinks(path, function), *self._put(path, function))
            self._note(function, self._known[function]._replace(every=known))
        return known

    def _note(self, function: Function, kept: _Kept) -> None:
        self._known[function] = _NOTHING_KEPT.get(kept, kept) if not any(kept) else kept

    def _sinks(self, path: str, function: Function) -> tuple[Sink, ...]:
        further = self._handed(path, function, self._passes_on)
        return (*self._itself(path, function), *self._handing(path, function), *further)

    def keepers(self, path: str, function: Function) -> Iterator[Keeper]:
        """The sinks in a method into which its own parameters go."""
        for sink in (*self._itself(path, function), *self._handing(path, function)):
            yield from _keepers(sink)

    def _itself(self, path: str, function: Function) -> tuple[Sink, ...]:
        """The sinks of a function but the methods that are handed something."""
        kept = self._known.get(function, _UNREAD)
        if kept.own is None:
            found = [sink._replace(holder=self._holder(sink)) for sink in self._read(path, function) if sink and sink.parts]
            kept = kept._replace(own=tuple(found))
            self._note(function, kept)
        return kept.own or ()

    def _read(self, path: str, function: Function) -> Iterator[Sink | None]:
        every, anew = of_kind(function, Keep), self._anew(function)
        for kept in every:
            before = frozenset(each.value for each in every if each.target is kept.target)
            yield _kept(path, function, kept, before, anew) or self._joined(path, function, kept)
        for stored in of_kind(function, Store):
            if isinstance(stored.target, LoopPhi) and not self._is_handed_out(path, function):
                continue  # a name of a function around this one, which ends with it
            if isinstance(stored.value, (BinOp, Select)):
                yield _stored(path, function, stored)
            elif isinstance(stored.value, Call):
                yield self._joined(path, function, stored)
        for made, step in gathered(function):
            yield Sink("store", path, function, made, (Part(made.item, (), inner=True),), step.term.site, step.statement, "Call")
        calls, knowledge = self._methods_called(function), self.program.knowledge
        for name in (*knowledge.gathers, *knowledge.adds) if calls else ():
            for call, callee in calls.get(name, ()):
                yield self._gathered(path, function, call, callee, anew)

    def _is_handed_out(self, path: str, function: Function) -> bool:
        """Whether a function is only made by the one around it, for others to call: what both share lives on."""
        outer = self.program.modules[path].functions.get(function.outer or "")
        calls = of_kind(outer, CallStep) if outer is not None else ()
        named = (part for call in calls for part in parts_of(call.term))
        return outer is not None and not any(isinstance(part, Nested) and part.name == function.qualname for part in named)

    def _handing(self, path: str, function: Function) -> tuple[Sink, ...]:
        """What a function hands to methods of which one by that name keeps it itself."""
        known = self._known.get(function, _UNREAD).handing
        if known is None:
            known = self._handed(path, function, self._keeps)
            self._note(function, self._known.get(function, _UNREAD)._replace(handing=known))
        return known

    def _handed(self, path: str, function: Function, may_keep: Callable[[str], bool]) -> tuple[Sink, ...]:
        calls = self._methods_called(function)
        names = sorted(filter(may_keep, calls.keys() & self._methods.keys()))
        handed = [_handed(path, function, *each) for name in names for each in calls[name]]
        return tuple([sink._replace(holder=self._holder(sink)) for sink in handed if sink.parts])

    def _methods_called(self, function: Function) -> dict[str, list[tuple[CallStep, Attr]]]:
        """The calls of methods in a function, by the name of the method."""
        if self._called is None or self._called[0] is not function:
            found: dict[str, list[tuple[CallStep, Attr]]] = {}
            for call in calls_of(function):
                if isinstance(call.term.callee, Attr):
                    found.setdefault(call.term.callee.name, []).append((call, call.term.callee))
            for setting in _settings(function) if _SETS in self._methods else ():
                assert isinstance(setting.term.callee, Attr)
                found.setdefault(_SETS, []).append((setting, setting.term.callee))
            self._called = (function, found)
        return self._called[1]

    @remembered()
    def _keeps(self, name: str) -> bool:
        """Whether a method of this name keeps a parameter itself."""
        found = (
            keeper for path, each in self._methods.get(name, ()) for sink in self._itself(path, each) for keeper in _keepers(sink)
        )
        return any(True for _ in found)

    @remembered()
    def _passes_on(self, name: str) -> bool:
        """Whether none does, but one hands a parameter on to one that does."""
        return not self._keeps(name) and any(True for path, each in self._methods.get(name, ()) for _ in self.keepers(path, each))

    def kept_by(self, target: FunctionValue, sink: Sink, frame: Context) -> Iterator[Keeper]:
        """The ways in which a function keeps what a sink hands it in the sink's holder: in its object, or in a parameter."""
        if isinstance(target.receiver, Instance):
            yield from self.keepers(target.module, target.function)
        putting, call = self.putting(target.module, target.function), call_of(sink)
        given = self.program.enter(target, call, frame).arguments if putting and call is not None else {}
        for keeper in putting:
            holder = given.get(keeper.into or "")
            if isinstance(holder, Argument) and same_object(self.program, holder.term, frame) is sink.holder:
                yield keeper

    def sums(self, sink: Sink, frame: Context, above: tuple[Function, ...] = ()) -> Iterator[Sink]:
        """The statements by which a sink adds to its holder: it does itself, or the functions that it hands both to do."""
        if sink.kind == "sum":
            yield sink
        call = call_of(sink) if sink.kind == "hand" else None
        for target in self.program.ask(CallGraph).targets(call, frame) if call is not None else ():
            if isinstance(target, FunctionValue) and target.function not in above:
                own = self.program.frame(target.module, target.function)
                for keeper in self.kept_by(target, sink, frame):
                    yield from self.sums(keeper.sink, own, (*above, target.function))

    def putting(self, path: str, function: Function) -> Sequence[Keeper]:
        """The sinks in a function by which it puts one of its parameters into another, or returns their sum.

        Found at once for all to which it hands a parameter: they may call each other.
        """
        if function not in self._putting:
            self._read_putting(path, function)
        return self._putting[function]

    def _read_putting(self, path: str, function: Function) -> None:
        called: dict[int, list[_Run]] = {}
        reached: list[tuple[str, Function]] = [(path, function)]
        pending: list[Sink] = []
        for module, each in reached:  # grows while it is read
            if each in self._putting:
                continue
            self._putting[each] = ()
            if len(each.parameters) < _FEWEST:
                continue
            pending += self._sinks(module, each)
            for returned in of_kind(each, Exit):
                pending += _returned_sums(module, each, returned)
            for run in self._runs(module, each, partial(_is_parameter, each)):
                called.setdefault(id(run.target.function), []).append(run)
                known = self._putting.get(run.target.function, ())
                pending += (sink for sink, _ in self._put_at(run, known))
                reached.append((run.target.module, run.target.function))
        seen: set[tuple[int, Spot, Term, tuple[Part, ...]]] = set()
        while pending:
            sink = pending.pop()
            into, key = sink.holder, (id(sink.function), sink.spot, sink.holder, sink.parts)
            if not isinstance(into, Param) or into.function != sink.function.qualname or sink.kind == "item" or key in seen:
                continue
            seen.add(key)  # ends recursion
            others = [name for name in sink.function.parameters if name != into.name]
            keepers = [Keeper(name, sink, into.name) for name in others if _is_put(sink, name)]
            self._putting[sink.function] = (*self._putting[sink.function], *keepers)
            for run in called.get(id(sink.function), ()) if keepers else ():
                pending += (handed for handed, _ in self._put_at(run, keepers))

    def _runs(self, path: str, function: Function, is_asked: Callable[[Term], bool]) -> Iterator[_Run]:
        """The functions of the project that a function calls with something that is asked about, and with something else."""
        own, index = self.program.frame(path, function), self.program.ask(CallGraph)
        for call in of_kind(function, CallStep):
            if any(map(is_asked, (*call.term.args, *(term for _, term in call.term.kwargs)))):
                targets = index.targets(call.term, own)
                target = next((each for each in targets if isinstance(each, FunctionValue)), None)
                if target is not None and len(target.function.parameters) >= _FEWEST:
                    yield _Run(path, function, call, target)

    def _put(self, path: str, function: Function) -> Iterator[Sink]:
        """The calls of a function that run one that puts what it is given into something else that it is given."""
        for run in self._runs(path, function, lambda _: True):
            for sink, is_put in self._put_at(run, self.putting(run.target.module, run.target.function)):
                if is_put:
                    yield sink._replace(holder=self._holder(sink))

    def _put_at(self, run: _Run, keepers: Sequence[Keeper]) -> Iterator[tuple[Sink, bool]]:
        """What such a call puts into what it is given; and whether it does so there: a sum comes back to be bound or returned."""
        if not keepers:
            return
        call, function, own = run.call.term, run.function, self.program.frame(run.module, run.function)
        given = self.program.enter(run.target, call, own).arguments
        stores: list[Keep | Store] = [*of_kind(function, Keep), *of_kind(function, Store)]
        for keeper in keepers:
            holder, value = given.get(keeper.into or ""), given.get(keeper.parameter)
            if not isinstance(holder, Argument) or holder.frame is not own or not isinstance(value, Argument):
                continue
            parts = (_given(call, value.term),)
            sink = Sink("hand", run.module, function, holder.term, parts, call.site, run.call.statement, "Call")
            if keeper.sink.node == RETURNED and any(node.value is call for node in of_kind(function, Exit)):
                yield sink._replace(node=RETURNED), False
            elif keeper.sink.node != RETURNED or any(node.value is call and is_old(holder.term, node.target) for node in stores):
                yield sink, True

    def _anew(self, function: Function) -> Replaced:
        """Items of what is written out in a function that something else may take the place of, or that are taken out again."""
        found: dict[Term, list[Term | None]] = {}
        for node in of_kind(function, Keep):
            if isinstance(node.target, Subscript) and node.kind != "AugAssign":
                found.setdefault(node.target.base, []).append(node.target.key)
        for call in of_kind(function, CallStep):
            callee, given = call.term.callee, call.term.args
            if isinstance(callee, Attr) and callee.name in self.program.knowledge.empties:
                found.setdefault(callee.base, []).append(given[0] if given else None)
        return found

    def _holder(self, sink: Sink) -> Term:
        """What a sink puts values into, whatever that came back from; of an item that is set, the container around it."""
        holder, frame = sink.holder, self.program.frame(sink.module, sink.function)
        root = holder
        while isinstance(root, Subscript):
            root = root.base
        if isinstance(root, (Dict, LoopPhi)):
            return holder  # it has a name there
        if not isinstance(holder, Subscript) or sink.node == "Call":
            return same_object(self.program, holder, frame)
        base = same_object(self.program, holder.base, frame)
        return holder if base is holder.base else Subscript.new(base, holder.key)

    def _joined(self, path: str, function: Function, node: Keep | Store) -> Sink | None:
        """``total = torch.cat([total, x])``: one tensor made of the old one and more."""
        parts = self._more(node.value, node.target, ())
        return Sink("join", path, function, node.target, parts, node.spot, node.spot, node.kind) if parts else None

    def _more(self, value: Term, target: Term, path: Path) -> tuple[Part, ...]:
        """What is joined to the old value; nothing when the value is not made so."""
        if isinstance(value, Select):
            arms = [(value.then, (*path, ("then", 0))), (value.other, (*path, ("else", 0)))]
            grown = [self._more(arm, target, way) for arm, way in arms]
            first = [
                Part(arm, way) for (arm, way), more in zip(arms, grown, strict=True) if not more and not isinstance(arm, Const)
            ]
            return (*first, *grown[0], *grown[1]) if any(grown) else ()
        if (
            not isinstance(value, Call)
            or not isinstance(value.callee, Ref)
            or not value.args
            or not isinstance(value.args[0], SequenceDisplay)
        ):
            return ()
        items = value.args[0].items
        known = self.program.knowledge
        if not any(is_old(item, target) for item in items) or known.canonical(value.callee.name) not in known.keeps_first:
            return ()
        inside = (*path, ("argument", 0))
        return tuple([Part(item, (*inside, ("item", i))) for i, item in enumerate(items) if not is_old(item, target)])

    def _gathered(self, path: str, function: Function, call: CallStep, method: Attr, anew: Replaced) -> Sink | None:
        """``xs.append(x)``, ``total.add_(x)``."""
        term = call.term
        shape = self.program.knowledge.gathers.get(method.name)
        digits = (shape or "").rstrip("?")
        position = int(digits) if digits.isdigit() else 0
        if len(term.args) <= position:
            return None
        part = Part(term.args[position], (("argument", position),))
        parts = _written(part, anew) if shape is not None else (part,)
        if shape == "all" and parts == (part,):
            parts = ()
        kind = "store" if shape is not None else "sum"
        doubtful = shape is not None and shape.endswith("?")
        return Sink(kind, path, function, method.base, parts, term.site, call.statement, "Call", doubtful)


def _keepers(sink: Sink) -> Iterator[Keeper]:
    """How a method keeps its parameters in its object by a sink."""
    function = sink.function
    base = sink.holder
    while isinstance(base, (Access, Call)):
        base = base.stem
    called = function.name[:2] != "__" or function.name == _SETS
    if function.kind == "method" and isinstance(base, Self) and base is not sink.holder and called:
        for parameter in function.parameters[1:]:
            if any(mentions_parameter(part.term, function.qualname, parameter) for part in sink.parts):
                yield Keeper(parameter, sink)
        if any(_mentions_surplus(part.term) for part in sink.parts):
            yield Keeper(SURPLUS, sink)


def _returned_sums(path: str, function: Function, node: Exit) -> Iterator[Sink]:
    """What is returned, where that is a parameter to which something is added."""
    if not isinstance(node.value, (BinOp, Select)):
        return
    for part in dict.fromkeys(parts_of(node.value)):
        if isinstance(part, Param) and part.function == function.qualname:
            added = _added(node.value, part, ())
            if added:
                yield Sink("sum", path, function, part, added, node.spot, node.spot, RETURNED)


def _is_parameter(function: Function, term: Term) -> bool:
    return isinstance(term, Param) and term.function == function.qualname


def _is_put(sink: Sink, name: str) -> bool:
    """Whether a parameter of its function goes into a sink."""
    return any(mentions_parameter(part.term, sink.function.qualname, name) for part in sink.parts)


def _given(call: Call, term: Term) -> Part:
    """A value that a call hands over; one that a partial was given before stands nowhere in the call."""
    positions: list[tuple[str, int | str]] = [("argument", index) for index, each in enumerate(call.args) if each is term]
    positions += [("keyword", name) for name, each in call.kwargs if each is term and name is not None]
    return Part(term, tuple(positions[:1]))


def _handed(path: str, function: Function, call: CallStep, method: Attr) -> Sink:
    """``meter.update(x)``: whether the method keeps its argument is asked when the receiver is known."""
    parts = [Part(value, (("argument", index),)) for index, value in enumerate(call.term.args)]
    parts += [Part(value, (("keyword", name),)) for name, value in call.term.kwargs if name is not None]
    if method.name == _SETS and call.term.site == call.statement:
        return Sink("hand", path, function, method.base, (Part(call.term.args[1], ()),), call.term.site, call.statement, "Assign")
    return Sink("hand", path, function, method.base, tuple(parts), call.term.site, call.statement, "Call")


def _settings(function: Function) -> list[CallStep]:
    """The statements that set an item, as the calls that they are where an object of the project has it."""
    set_here = [node for node in of_kind(function, Keep) if isinstance(node.target, Subscript) and node.kind == "Assign"]
    return [CallStep(_setting(node.target, node), node.spot) for node in set_here if isinstance(node.target, Subscript)]


def _setting(target: Subscript, node: Keep) -> Call:
    return Call.new(Attr.new(target.base, _SETS), (target.key, node.value), (), node.spot)


def _kept(path: str, function: Function, node: Keep, before: frozenset[Term], anew: Replaced) -> Sink | None:
    """What a ``keep`` statement adds to its target, or puts into it; ``before``: what statements bind the target to.

    Behind ``total += loss``, nothing is added by ``total = total / 2``.
    """
    target, value = node.target, node.value
    if node.kind == "AugAssign":
        if not isinstance(value, BinOp) or value.op not in _SUMS:
            return None
        return _sink(path, function, node, Part(value.right, ()))
    added = _added(value, target, (), before)
    if added is not None:
        return _sink(path, function, node, *added)
    if isinstance(target, Subscript):
        return Sink("item", path, function, target, _written(Part(value, ()), anew), node.spot, node.spot, node.kind)
    return None


def _stored(path: str, function: Function, node: Store) -> Sink | None:
    """``self.total = self.total + x``, ``global total; total += x``."""
    value = node.value
    if node.kind == "AugAssign":
        if not isinstance(value, BinOp) or value.op not in _SUMS or not isinstance(node.target, (Global, LoopPhi)):
            return None
        return _sink(path, function, node, Part(value.right, ()))
    added = _added(value, node.target, ())
    return None if added is None else _sink(path, function, node, *added)


def _sink(path: str, function: Function, node: Keep | Store, *parts: Part) -> Sink:
    """A sum, unless what is added is a written-out list: ``losses += [x]``."""
    if any(isinstance(part.term, Display) for part in parts):
        inside = tuple([deeper for part in parts if isinstance(part.term, Display) for deeper in _written(part)])
        return Sink("store", path, function, node.target, inside, node.spot, node.spot, node.kind)
    return Sink("sum", path, function, node.target, parts, node.spot, node.spot, node.kind)


def _written(part: Part, anew: Replaced = _NOTHING) -> tuple[Part, ...]:
    """The values in a container that is written out there: each item of a list, each value of a dict; but what is replaced."""
    term, path = part.term, part.path
    if isinstance(term, ItemDisplay) and term.items:
        if term in anew:
            return ()
        return tuple([deeper for i, item in enumerate(term.items) for deeper in _written(Part(item, (*path, ("item", i))), anew)])
    if isinstance(term, Dict) and term.items:
        pairs = [(i, value) for i, (key, value) in enumerate(term.items) if not _is_replaced(key, anew.get(term, ()))]
        return tuple([deeper for i, value in pairs for deeper in _written(Part(value, (*path, ("value", i))), anew)])
    made = made_with(term)
    kept = [(step, value) for step, value in made if not _is_replaced_name(step[1], anew.get(term, ()))]
    inside = tuple([deeper for step, value in kept for deeper in _written(Part(value, (*path, step)), anew)])
    return inside if made else (part,)


def _is_replaced(key: Term, others: Sequence[Term | None]) -> bool:
    """Whether something may take the place of the item under a key: all is known to be put under other keys, or it may."""
    return any(
        other is None or not isinstance(other, Const) or not isinstance(key, Const) or other.value == key.value
        for other in others
    )


def _is_replaced_name(name: int | str, others: Sequence[Term | None]) -> bool:
    return any(
        other is None or not isinstance(other, Const) or not isinstance(name, str) or other.value == name for other in others
    )


def _added(value: Term, target: Term, path: Path, before: frozenset[Term] = frozenset()) -> tuple[Part, ...] | None:
    """What a new value adds to the old one; None when the old one is not in it, or not as a sum."""
    if is_old(value, target) or (path and path[-1][0] in ("left", "right") and value in before):
        return ()
    if isinstance(value, Or) and any(is_old(part, target) for part in value.operands):
        return ()
    if isinstance(value, Select):
        arms = [(value.then, "then"), (value.other, "else")]
        grown = [_added(arm, target, (*path, (side, 0)), before) for arm, side in arms]
        if all(arm is None for arm in grown):
            return None
        if any(
            arm is None and isinstance(term, Const) and term.value is not None for (term, _), arm in zip(arms, grown, strict=True)
        ):
            return None  # it starts anew
        first = [Part(term, (*path, (side, 0))) for (term, side), arm in zip(arms, grown, strict=True) if arm is None]
        return (*first, *(part for arm in grown if arm is not None for part in arm))
    if not isinstance(value, BinOp) or value.op not in (*_SUMS, *_FACTORS):
        return None
    sides = [(value.left, "left"), (value.right, "right")]
    if not holds_old(sides[0][0], target):
        sides.reverse()
    (old, side), (other, other_side) = sides
    if not holds_old(old, target) or holds_old(other, target):
        return None
    found = _added(old, target, (*path, (side, 0)), before)
    if found is None or value.op in _FACTORS:
        return found
    return (*found, Part(other, (*path, (other_side, 0))))


def is_old(term: Term, target: Term) -> bool:
    """Whether a term is what the target held before: itself, or ``table.get(key, 0)`` for ``table[key]``."""
    if term is target:
        return True
    if isinstance(target, Subscript) and isinstance(term, Call) and isinstance(term.callee, Attr) and len(term.args) in (1, 2):
        # ``get``, ``setdefault``, ``pop``: what else takes the key of a container and may be the old item?
        return term.callee.base is target.base and term.args[0] is target.key
    return False


def holds_old(term: Term, target: Term) -> bool:
    """Whether what the target held before is part of a term."""
    return any(is_old(part, target) for part in parts_through(term, _holding))


def _holding(term: Term) -> list[Term]:
    return term.subterms() if isinstance(term, (BinOp, Select, Or, Call, Access)) else []


def mentions_parameter(term: Term, function: str, name: str) -> bool:
    """Whether a parameter of a function stands anywhere in a term."""
    return any(isinstance(part, Param) and part.function == function and part.name == name for part in parts_of(term))


def _mentions_surplus(term: Term) -> bool:
    return any(isinstance(part, Kwargs) for part in parts_of(term))


def call_of(sink: Sink) -> Call | None:
    """The call that a sink is, where it is one."""
    calls = of_kind(sink.function, CallStep) if sink.node != "Assign" else _settings(sink.function) if sink.kind == "hand" else ()
    return next((node.term for node in calls if node.term.site == sink.spot), None)


def collected(program: Program, holder: Term, frame: Context) -> list[Term]:
    """What the function of an activation adds to ``holder``, or puts into it, in the order of its statements.

    A holder is a name that a loop carries (a ``LoopPhi``, its value in the loop or behind it), or a list or dict where it is
    made.
    """
    found = []
    for sink in program.ask(Sinks).of(frame.module, frame.function):
        if sink.kind != "hand" and not sink.doubtful and is_same(container_of(sink.holder), holder):
            found += [part.term for part in sink.parts]
    return found


def is_same(holder: Term, asked: Term) -> bool:
    """Whether two holders are one; a name is the same in its loop and behind it."""
    return holder is asked or (isinstance(holder, LoopPhi) and isinstance(asked, LoopPhi) and holder.place == asked.place)


def viewed(program: Program, term: Term) -> Term | None:
    """The dict whose values a call hands out (``losses.values()``), by the name of its method (table ``views``)."""
    return dict_viewed(program.knowledge.views, term, "value", "pair")
