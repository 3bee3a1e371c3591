"""Escape: where a value is put so that it outlives a round of a loop or a call, and what a container was filled with.

Sinks: statements that put a value where it stays, beyond a round of a loop or beyond a call.

Found here by their form alone: ``total += x``, ``table[k] = x``, ``xs.append(x)``, ``meter.update(x)``. Whether the
place really outlives the round, and whether anything takes the value out again, is asked in ``lifetime.py``.

What is behind a container or a total: what a function put into the one, what its loop added to the other.

``sum(losses.values())`` and ``for part in losses.values(): loss = loss + part`` are made of what ``losses`` was
filled with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trainlint.finding import Spot
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
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.heap import dict_viewed, made_with
from trainlint.program.origins import same_object
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, FunctionValue

_SUMS = ("Add", "Sub")
_FACTORS = ("Mult", "Div")

#: From the value of a statement (or from a call) to a part of it: see ``sites.changes.AppendCall``.
Path = tuple[tuple[str, int | str], ...]


#: By container: the keys of items that are set anew or taken out (None: any).
Replaced = Mapping[Term, Sequence[Term | None]]
_NOTHING: Replaced = {}

#: In place of a parameter: the keyword arguments that have none (``**kwargs``).
SURPLUS = "**"
#: In place of the parser's class: a sum that a function returns.
RETURNED = "Return"


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


class Sinks:
    """The sinks of a program by function, and the methods that keep a parameter, by name."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found: dict[tuple[str, str], list[Sink]] = {}
        self.keepers: dict[str, list[Keeper]] = {}
        self._replaced: dict[int, dict[Term, list[Term | None]]] = {}
        for path, function in program.functions():
            every = of_kind(function, Keep)
            for kept in every:
                before = frozenset(each.value for each in every if each.target is kept.target)
                self._note(_kept(path, function, kept, before, self._anew(function)) or self._joined(path, function, kept))
            for stored in of_kind(function, Store):
                if isinstance(stored.target, LoopPhi):
                    continue  # a name of a function around this one, which ends with it
                if isinstance(stored.value, (BinOp, Select)):
                    self._note(_stored(path, function, stored))
                elif isinstance(stored.value, Call):
                    self._note(self._joined(path, function, stored))
        index, knowledge = program.ask(CallGraph), program.knowledge
        for name in (*knowledge.gathers, *knowledge.adds):
            for site in index.sites.get(name, ()):
                callee = site.call.term.callee
                if isinstance(callee, Attr) and callee.name == name:
                    self._note(self._gathered(site.module, site.function, site.call, callee))
        self._hand(self.keepers)
        passing = [sink for here in self.found.values() for sink in here if sink.kind == "hand"]
        known = frozenset(self.keepers)
        for sink in passing:
            self._note_keeper(sink)
        self._hand(self.keepers.keys() - known)
        #: Functions that put one parameter into another.
        self.putting: dict[int, list[Keeper]] = {}
        self._put_by_functions(index)

    def _put_by_functions(self, index: CallGraph) -> None:
        """Note the calls of functions that put one parameter into another, or return their sum; also through each other."""
        pending = [sink for here in self.found.values() for sink in here]
        for path, function in self.program.functions():
            for returned in of_kind(function, Exit):
                pending += _returned_sums(path, function, returned)
        seen: set[tuple[int, Spot, Term, tuple[Part, ...]]] = set()
        while pending:
            sink = pending.pop()
            into, key = sink.holder, (id(sink.function), sink.spot, sink.holder, sink.parts)
            if not isinstance(into, Param) or into.function != sink.function.qualname or sink.kind == "item" or key in seen:
                continue
            seen.add(key)  # ends recursion
            others = [name for name in sink.function.parameters if name != into.name]
            keepers = [Keeper(name, sink, into.name) for name in others if _is_put(sink, name)]
            self.putting.setdefault(id(sink.function), []).extend(keepers)
            for site in index.callers(sink.function) if keepers else ():
                pending += self._put_at(site, sink.function, keepers, index)

    def _put_at(self, site: CallSite, function: Function, keepers: list[Keeper], index: CallGraph) -> Iterator[Sink]:
        """A call of such a function, for what it puts something into; a sum comes back to be bound to its name, or returned."""
        call, own = site.call.term, self.program.frame(site.module, site.function)
        targets = [each for each in index.targets(call, own) if isinstance(each, FunctionValue) and each.function is function]
        given = self.program.enter(targets[0], call, own).arguments if targets else {}
        stores: list[Keep | Store] = [*of_kind(site.function, Keep), *of_kind(site.function, Store)]
        for keeper in keepers:
            holder, value = given.get(keeper.into or ""), given.get(keeper.parameter)
            if not isinstance(holder, Argument) or holder.frame is not own or not isinstance(value, Argument):
                continue
            parts = (_given(call, value.term),)
            sink = Sink("hand", site.module, site.function, holder.term, parts, call.site, site.call.statement, "Call")
            if keeper.sink.node == RETURNED and any(node.value is call for node in of_kind(site.function, Exit)):
                yield sink._replace(node=RETURNED)
            elif keeper.sink.node != RETURNED or any(node.value is call and is_old(holder.term, node.target) for node in stores):
                self._note(sink)
                yield sink

    def _anew(self, function: Function) -> Replaced:
        """Items of what is written out in a function that something else may take the place of, or that are taken out again."""
        found: dict[Term, list[Term | None]] | None = self._replaced.get(id(function))
        if found is not None:
            return found
        found = self._replaced[id(function)] = {}
        for node in of_kind(function, Keep):
            if isinstance(node.target, Subscript) and node.kind != "AugAssign":
                found.setdefault(node.target.base, []).append(node.target.key)
        for call in of_kind(function, CallStep):
            callee, given = call.term.callee, call.term.args
            if isinstance(callee, Attr) and callee.name in self.program.knowledge.empties:
                found.setdefault(callee.base, []).append(given[0] if given else None)
        return found

    def _hand(self, names: Iterable[str]) -> None:
        """Note the calls of methods that may keep what they are given."""
        sites = self.program.ask(CallGraph).sites
        for name in sorted(names):
            for site in sites.get(name, ()):
                callee = site.call.term.callee
                if isinstance(callee, Attr) and callee.name == name:
                    self._note(_handed(site.module, site.function, site.call, callee))

    def _note(self, sink: Sink | None) -> None:
        if sink is None or not sink.parts:
            return
        function = sink.function
        sink = sink._replace(holder=self._holder(sink))
        self.found.setdefault((sink.module, function.qualname), []).append(sink)
        if sink.kind != "hand":
            self._note_keeper(sink)

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

    def _note_keeper(self, sink: Sink) -> None:
        """A sink of a method by which its object keeps a parameter."""
        function = sink.function
        base = sink.holder
        while isinstance(base, (Access, Call)):
            base = base.stem
        if function.kind == "method" and isinstance(base, Self) and base is not sink.holder and function.name[:2] != "__":
            for parameter in function.parameters[1:]:
                term = next((p.term for p in sink.parts if mentions_parameter(p.term, function.qualname, parameter)), None)
                if term is not None:
                    self.keepers.setdefault(function.name, []).append(Keeper(parameter, sink))
            if any(_mentions_surplus(part.term) for part in sink.parts):
                self.keepers.setdefault(function.name, []).append(Keeper(SURPLUS, sink))

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

    def _gathered(self, path: str, function: Function, call: CallStep, method: Attr) -> Sink | None:
        """``xs.append(x)``, ``total.add_(x)``."""
        term = call.term
        shape = self.program.knowledge.gathers.get(method.name)
        digits = (shape or "").rstrip("?")
        position = int(digits) if digits.isdigit() else 0
        if len(term.args) <= position:
            return None
        part = Part(term.args[position], (("argument", position),))
        parts = _written(part, self._anew(function)) if shape is not None else (part,)
        if shape == "all" and parts == (part,):
            parts = ()
        kind = "store" if shape is not None else "sum"
        doubtful = shape is not None and shape.endswith("?")
        return Sink(kind, path, function, method.base, parts, term.site, call.statement, "Call", doubtful)


def _returned_sums(path: str, function: Function, node: Exit) -> Iterator[Sink]:
    """What is returned, where that is a parameter to which something is added."""
    if not isinstance(node.value, (BinOp, Select)):
        return
    for part in dict.fromkeys(parts_of(node.value)):
        if isinstance(part, Param) and part.function == function.qualname:
            added = _added(node.value, part, ())
            if added:
                yield Sink("sum", path, function, part, added, node.spot, node.spot, RETURNED)


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
    return Sink("hand", path, function, method.base, tuple(parts), call.term.site, call.statement, "Call")


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
        if not isinstance(value, BinOp) or value.op not in _SUMS or not isinstance(node.target, Global):
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
    return next((node.term for node in of_kind(sink.function, CallStep) if node.term.site == sink.spot), None)


def keepers_of(sinks: Sinks, module: str, function: Function) -> Iterator[Keeper]:
    """The sinks in a method into which its own parameters go."""
    for keeper in sinks.keepers.get(function.name, ()):
        if keeper.sink.module == module and keeper.sink.function is function:
            yield keeper


def collected(program: Program, holder: Term, frame: Context) -> list[Term]:
    """What the function of an activation adds to ``holder``, or puts into it, in the order of its statements.

    A holder is a name that a loop carries (a ``LoopPhi``, its value in the loop or behind it), or a list or dict where it is
    made.
    """
    found = []
    for sink in program.ask(Sinks).found.get((frame.module, frame.function.qualname), ()):
        if sink.kind != "hand" and not sink.doubtful and _same(container_of(sink.holder), holder):
            found += [part.term for part in sink.parts]
    return found


def _same(holder: Term, asked: Term) -> bool:
    """Whether two holders are one; a name is the same in its loop and behind it."""
    return holder is asked or (isinstance(holder, LoopPhi) and isinstance(asked, LoopPhi) and holder.place == asked.place)


def viewed(program: Program, term: Term) -> Term | None:
    """The dict whose values a call hands out (``losses.values()``), by the name of its method (table ``views``)."""
    return dict_viewed(program.knowledge.views, term, "value", "pair")
