"""Losses that a model reaches only through copies which the ranks have sent each other: no gradient comes back to it.

From what a backward pass starts from all is read backwards that it is computed of, through the functions and modules of the
project. Where that leads to what an ``all_gather`` has filled, the way ends: these are copies. If what was sent gets into the
loss in no other way, its gradient is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.backward import Backward, Root
from trainlint.domains.autograd.escape import collected
from trainlint.domains.device import Device
from trainlint.domains.grad_mode import OFF, GradMode
from trainlint.finding import Spot
from trainlint.ir.bindings import carried_by, held_behind
from trainlint.ir.nodes import (
    Access,
    Attr,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    Kwargs,
    List,
    LoopPhi,
    MatMul,
    Nested,
    NestedClass,
    Not,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Function, Keep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.inlining import calls_named
from trainlint.program.naming import reference
from trainlint.program.origins import elsewhere, same_object
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, FunctionValue, Library

#: Steps backwards in a whole program, choices among them: a library with a gather in everything has millions of ways to it.
_STEPS = 100_000
#: Attributes that are no result of a computation.
_DATA = "data"

Node = tuple[Term, Context]


class Lost(NamedTuple):
    """A gather whose copies get into a loss; ``loss`` is where its backward pass starts.

    ``put_back`` is the statement that puts this rank's own tensor in the place of its copy, where it can be written.
    """

    site: CallSite
    loss: tuple[str, Spot]
    put_back: str | None


class _Gather(NamedTuple):
    site: CallSite
    filled: Term
    sent: Term


class _Slice:
    """All that a value is computed of, as far as gradients go; ``met`` are the gathers at which the way ends."""

    def __init__(self, reader: _Reader, start: Node) -> None:
        self.reader = reader
        self.seen: dict[Node, None] = {}
        self.met: dict[tuple[int, Context], _Gather] = {}
        self.whole = True
        pending = [start]
        while pending:
            node = pending.pop()
            if node in self.seen:
                continue
            reader.left -= 1
            if reader.left < 0:
                self.whole = False
                node[1].cut(f"a loss is made of more than {_STEPS} values")
                break
            self.seen[node] = None
            gather = reader.filled(*node)
            if gather is not None:
                self.met[id(gather.site.call), node[1]] = gather
            else:
                pending += reader.parts(*node)


class _Reader:
    """Reads values backwards."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.mode = program.ask(GradMode)
        self.ends = program.knowledge.cuts_graph.union(program.knowledge.tables["gathers_copies.ends"]["names"])
        self.gathers: dict[int, list[_Gather]] = {}
        self.meets: dict[Node, bool] = {}
        self.left = _STEPS
        table = program.knowledge.tables["gathers_copies"]
        for whole, node in calls_named(program, table):
            values = program.values(node.term.callee, whole.frame)
            name = values[0].name if len(values) == 1 and isinstance(values[0], Library) else ""
            found = _arguments(node.term, str(table[name])) if name in table else None
            filled, sent = (same_object(program, each, whole.frame) for each in found) if found is not None else (None, None)
            if filled is not None and sent is not None and not self._is_put_back(whole.function, filled, sent):
                place = node.term.site
                site = CallSite(whole.path(place), whole.home(place), node)
                self.gathers.setdefault(id(whole.written), []).append(_Gather(site, filled, sent))

    def _is_put_back(self, function: Function, filled: Term, sent: Term) -> bool:
        """Whether the function sets an item of the copies, or of what it makes of them, to what was sent."""
        names = {part for part in parts_of(sent) if isinstance(part, (Param, Call, Access, LoopPhi, Element))}
        for node in of_kind(function, Keep):
            if isinstance(node.target, Subscript) and any(part in names for part in parts_of(node.value)):
                return True
        callees = (call.term.callee for call in calls_of(function))
        handled = (callee for callee in callees if isinstance(callee, Attr) and callee.base is filled)
        return any(callee.name in ("insert", "pop", "append", "copy_") for callee in handled)

    def filled(self, term: Term, frame: Context) -> _Gather | None:
        """The gather that has filled a term of a function."""
        return next((each for each in self.gathers.get(id(frame.function), ()) if each.filled is term), None)

    def chain(self, term: Term, frame: Context) -> list[Argument]:
        """A value, what it is a part or a view of, and what the callers call it."""
        return [*reached(self.program, term, frame, self._viewed)]

    def _viewed(self, term: Term, frame: Context) -> list[Argument]:
        if isinstance(term, Param):
            given = frame.given(term)
            return [given] if isinstance(given, Argument) else []
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.program.knowledge.keeps:
            return [Argument(term.callee.base, frame)]
        return [Argument(term.base, frame)] if isinstance(term, Attr) and term.name == _DATA else []

    # -- one step backwards --------------------------------------------------------------------------------------------

    def parts(self, term: Term, frame: Context) -> list[Node]:
        """What a value is computed of, where gradients go."""
        if isinstance(term, (Const, Ref, Global, Nested, NestedClass, Self, Kwargs, Compare, Not)):
            return []
        if isinstance(term, Call):
            return self._call(term, frame)
        if isinstance(term, Param):
            bound = frame.given(term)
            return [(bound.term, bound.frame)] if isinstance(bound, Argument) else []
        if isinstance(term, Unknown):
            made = (term.item,) if isinstance(term, Comprehension) else term.factors if isinstance(term, MatMul) else ()
            return [(part, frame) for part in made]
        if isinstance(term, LoopPhi):
            carried, behind = carried_by(frame.function, term), held_behind(frame.function, term)
            ends = (carried.entry, carried.back) if carried is not None else ()
            return [(end, frame) for end in (*ends, behind) if end is not None]
        if isinstance(term, Select):
            return [(arm, frame) for arm in self._arms(term, frame)]
        if isinstance(term, Attr):
            held = elsewhere(self.program, term, frame) if term.name not in self.ends else []
            if held or term.name in self.ends or isinstance(term.base, Self):
                return [(each.term, each.frame) for each in held]
            return [(term.base, frame)]
        if isinstance(term, Subscript):
            return [(term.base, frame)]
        inside = [(part, frame) for part in term.subterms()]
        return (
            inside + [(part, frame) for part in collected(self.program, term, frame)]
            if isinstance(term, (List, Dict))
            else inside
        )

    def _arms(self, term: Select, frame: Context) -> list[Term]:
        """The arms of a choice, without the one that is taken where there is nobody to gather from."""
        left, right = term.arms
        if self._is_gathered(left, right, frame):
            return [left]
        if self._is_gathered(right, left, frame):
            return [right]
        return [arm for arm, _ in self._gathering([(left, frame), (right, frame)])]

    def _gathering(self, nodes: list[Node]) -> list[Node]:
        """Those of several values that are computed of copies, if any are: the others are for a single process."""
        if len(nodes) > 1:
            for node in nodes:
                if node not in self.meets:
                    self.meets[node] = False  # ends recursion
                    self.meets[node] = bool(_Slice(self, node).met)
            found = [node for node in nodes if self.meets[node]]
            return found or nodes
        return nodes

    def _is_gathered(self, gathered: Term, plain: Term, frame: Context) -> bool:
        """Whether one value is what a function makes of the other, or of the copies of it."""
        own = [each for each in self.gathers.get(id(frame.function), ()) if each.sent is plain]
        if any(part is each.filled for each in own for part in parts_of(gathered)):
            return True
        if not isinstance(gathered, Call) or plain not in gathered.args:
            return False
        targets = self.index.targets(gathered, frame)
        return any(isinstance(each, FunctionValue) and id(each.function) in self.gathers for each in targets)

    def _call(self, call: Call, frame: Context) -> list[Node]:
        name = last_name(call.callee)
        if name in self.ends or self.mode.at(frame, call.site) == OFF:
            return []
        targets = [each for each in self.index.targets(call, frame) if isinstance(each, FunctionValue)]
        found: list[Node] = []
        for target in targets:
            if frame.follows(target.function):
                inner = self.program.enter(target, call, frame)
                found += self._gathering([(value, inner) for value in self._results(target.function)])
        if found:
            return found
        given = [*call.args, *(value for _, value in call.kwargs)]
        if isinstance(call.callee, Attr) and not isinstance(call.callee.base, (Ref, Self)):
            given.append(call.callee.base)
        return [(part, frame) for part in given]

    def _results(self, function: Function) -> list[Term]:
        """What a function returns; where it gathers, not what it was handed, as it is: that is for a single process."""
        results = list(self.program.returns(function))
        sent = {each.sent for each in self.gathers.get(id(function), ())}
        gathered = [value for value in results if value not in sent]
        return gathered or results


def lost(program: Program) -> Iterator[Lost]:
    """Each gather through which alone a model gets into a loss."""
    reader = _Reader(program)
    if not reader.gathers:
        return
    roots = [(root.term, root.frame, root.spot) for root in _roots(program, reader)]
    told: dict[int, Lost | None] = {}
    for term, frame, spot in roots:
        made = _Slice(reader, (term, frame))
        for (key, where), gather in made.met.items():
            if key in told and told[key] is None:
                continue
            harm = made.whole and _is_lost(program, reader, made, gather, where)
            told[key] = Lost(gather.site, (frame.module, spot), _put_back(program, gather)) if harm else None
    yield from (found for found in told.values() if found is not None)


def _roots(program: Program, reader: _Reader) -> Iterator[Root]:
    asked = program.ask(Backward)
    paths = {each.site.module for gathers in reader.gathers.values() for each in gathers}
    seen: set[int] = set()
    sites = [(site.module, site.function) for name in asked.names for site in reader.index.sites_named(name)]
    for path, function in (*sites, *asked.steps.found.values()):
        if id(function) in seen or tests_software(program, path, function):
            continue
        seen.add(id(function))
        if any(program.together(path, other) for other in paths):
            yield from asked.roots(program.frame(path, function))


def _is_lost(program: Program, reader: _Reader, made: _Slice, gather: _Gather, frame: Context) -> bool:
    """Whether what was sent is computed by a model, with gradients, and is in the loss nowhere else."""
    chain = reader.chain(gather.sent, frame)
    if any(node in made.seen for node in chain):
        return False
    behind = _Slice(reader, chain[-1])
    asked = program.ask(Device)
    models = [(term, where) for term, where in behind.seen if isinstance(term, Call) and asked.computes(term, where)]
    return bool(models) and not behind.met


def _put_back(program: Program, gather: _Gather) -> str | None:
    """The statement by which a list of copies, one of each rank of the whole job, holds this rank's own tensor again."""
    module, function, call = program.modules[gather.site.module], gather.site.function, gather.site.call.term
    groups = program.knowledge.group_keywords
    if not isinstance(gather.filled, (Unknown, List)) or len(call.args) > 2 or any(name in groups for name, _ in call.kwargs):  # noqa: PLR2004
        return None
    filled, sent = name_in(gather.filled, function), name_in(gather.sent, function)
    rank = reference(program.knowledge.written["rank"], module)
    return f"{filled}[{rank}()] = {sent}" if None not in (filled, sent, rank) else None


def _arguments(call: Call, said: str) -> tuple[Term, Term] | None:
    """What is filled and what is sent."""
    words = said.split()
    found = []
    for position, name in ((words[0], words[1]), (words[2], words[3])):
        given = next((value for keyword, value in call.kwargs if keyword == name), None)
        if given is None and len(call.args) > int(position):
            given = call.args[int(position)]
        if given is None:
            return None
        found.append(given)
    return found[0], found[1]
