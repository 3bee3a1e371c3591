"""Saves: whose state a program takes and puts back, and what each of its checkpoints contains.

Whose state a program takes to save it, and whose it puts back: ``x.state_dict()`` and ``x.load_state_dict(…)``.

A save is a call that writes an object (``torch.save``), in one activation of the function around it: a helper that
is handed a dict is as many saves as there are calls of it. What is in the dict is read from where it is written
down, what ``**`` and ``update`` bring along, and the items that are set on its way to the save. Where a part cannot
be read the contents are not ``whole``, and nobody may say that something is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.files import Operations, argument
from trainlint.flow.objects import Thing, Things
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    BoolOp,
    Call,
    Comprehension,
    Const,
    Dict,
    Global,
    List,
    LoopPhi,
    Param,
    Select,
    Self,
    Star,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Exit, Function, Keep, Store
from trainlint.ir.terms import parts_of
from trainlint.program.arguments import gathered
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.container_parts import turns
from trainlint.program.contexts import contexts_at, own_then_called
from trainlint.program.def_use import Uses, is_comprehension
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject, Unresolved

_SAVES = "save"
#: What may hold a state on its way into a file.
_CONTAINERS = frozenset((Dict, List, Tuple, Select))


class StateCall(NamedTuple):
    """A call that takes the state of a thing, or puts one back."""

    site: CallSite
    thing: Thing


class States:
    """The states of optimizers that a program saves, and those that it restores."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.taking = frozenset(program.knowledge.tables["checkpoints.taken"]["names"])
        self.saved = [each for each in self._calls(self.taking) if self._is_kept(each.site)]
        self.restored = [each for each in self._calls(program.knowledge.takes_weights) if self.is_from_outside(each.site)]

    def _calls(self, names: frozenset[str]) -> list[StateCall]:
        found = []
        for name in sorted(names):
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                if not isinstance(site.call.term.callee, Attr) or tests_software(self.program, site.module, site.function):
                    continue
                if (
                    site.function.name == name
                    and isinstance(site.call.term.callee.base, Attr)
                    and isinstance(site.call.term.callee.base.base, Self)
                ):
                    continue  # an optimizer around another one hands on what it is asked
                thing = self._thing(site, site.call.term.callee.base)
                if thing is not None:
                    found.append(StateCall(site, thing))
        return found

    def _thing(self, site: CallSite, term: Term) -> Thing | None:
        """The optimizer that a term is; of one that a loop binds, the first that is known to be one."""
        asked = self.program.ask(Things)
        for frame in own_then_called(self.program, site):
            thing = asked.of(term, frame)
            if thing.kind != "unknown":
                return thing if thing.kind == "optimizer" else None
            things = (asked.of(term, turn) for turn in turns(self.program, term, frame))
            thing = next((each for each in things if each.kind == "optimizer"), thing)
            if thing.kind == "optimizer":
                return thing
        return None

    def _is_kept(self, site: CallSite) -> bool:
        """Whether a state goes into a container or into a call that saves: a copy for later in the same run does neither."""
        if any(is_comprehension(each) for each in loops_around(site.function, site.call.term)):
            return True
        for parent, _ in self.program.ask(Uses).parents(site.module).of.get(site.call.term, ()):
            if isinstance(parent, (Keep, Exit)):
                return True
            if isinstance(parent, Term) and (type(parent) in _CONTAINERS or (isinstance(parent, Call) and _is_saving(parent))):
                return True
            if isinstance(parent, Store) and isinstance(parent.target, Subscript):
                return True
        return False

    def is_from_outside(self, site: CallSite) -> bool:
        """Whether a state that is put back is not one that was taken a moment ago."""
        given = site.call.term.args or tuple(value for _, value in site.call.term.kwargs)
        return bool(given) and not any(
            isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in self.taking
            for each in given
            for part in parts_of(each)
        )


def _is_saving(call: Call) -> bool:
    """Whether a call, by its name, saves what it is given, or puts it into a dict."""
    name = (last_name(call.callee) or "").lower()
    return _SAVES in name or name in ("dict", "update", "ordereddict")


_DICT = ("dict", "OrderedDict")
_UPDATE = "update"
#: Methods of a dict that change nothing, or take something out.
_ASKS = frozenset(("get", "pop", "keys", "values", "items", "copy"))


class Contents(NamedTuple):
    """What is in a dict: for each key what was put under it. ``whole``: nothing else is in it. ``made``: its display."""

    items: dict[str, tuple[Argument, ...]]
    whole: bool
    made: Argument


class Save(NamedTuple):
    """One save in one activation; ``given`` is what is saved, ``path`` where (a term of the activation)."""

    site: CallSite
    frame: Context
    given: Term
    path: Term | None

    def leading(self) -> Iterator[tuple[Context, Call]]:
        """The call itself and those that lead to it, each with the activation in which it stands."""
        frame = self.frame
        call: Call = self.site.call.term
        yield frame, call
        while frame.caller is not None and frame.call is not None:
            call = frame.call
            frame = frame.caller
            yield frame, call


class Written:
    """The saves of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words = program.knowledge.tables["checkpoints"]
        #: The dicts that are looked into: what one is made of may lead back to it.
        self._within: set[tuple[Term, Context]] = set()
        self.saves = list(self._saves())

    def _saves(self) -> Iterator[Save]:
        index, program = self.program.ask(CallGraph), self.program
        names = {name.rpartition(".")[2] for name, word in self.words.items() if word == "save"}
        for name in sorted(names):
            for site in index.sites_named(name):
                alone = program.frame(site.module, site.function)
                if not any(
                    isinstance(value, Library) and self.words.get(value.name) == "save"
                    for value in program.values(site.call.term.callee, alone)
                ):
                    continue
                given = argument(site.call.term, "0", "obj")
                if given is None:
                    continue
                operation = program.ask(Operations).of(site.call.term, alone)
                path = operation.path if operation is not None else argument(site.call.term, "1", "f")
                for frame in contexts_at(program, site):
                    yield Save(site, frame, given, path)
        for name in program.knowledge.tables["checkpoints.helpers"]["names"]:
            for site in index.sites.get(name, ()):
                frame = program.frame(site.module, site.function)
                given = next((each for each in site.call.term.args if isinstance(each, Dict)), None)
                if given is not None and not any(
                    isinstance(each, FunctionValue) for each in index.targets(site.call.term, frame)
                ):
                    yield Save(site, frame, given, None)

    def contents(self, save: Save) -> list[Contents]:
        """What may be in the file: one for each dict that it may be. Empty where it is no dict, or nobody knows."""
        return list(self.of(save.given, save.frame))

    def of(self, term: Term, frame: Context) -> Iterator[Contents]:
        """What is in the dicts that a term may be."""
        if (term, frame) in self._within:
            return
        self._within.add((term, frame))
        held = [self._with_added(each, term, frame) for each in self._of(term, frame)]
        self._within.discard((term, frame))
        yield from held

    def _with_added(self, found: Contents, term: Term, frame: Context) -> Contents:
        added, whole = self._added(term, frame)
        items = dict(found.items)
        for key, values in added.items():
            items[key] = (*items.get(key, ()), *values)
        return Contents(items, found.whole and whole, found.made)

    def _of(self, term: Term, frame: Context) -> Iterator[Contents]:
        if isinstance(term, Dict):
            yield self._display(term, frame)
        elif isinstance(term, (Select, BoolOp)):
            for part in term.arms if isinstance(term, Select) else term.operands:
                yield from self.of(part, frame)
        elif isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Argument):
                yield from self.of(bound.term, bound.frame)
        elif isinstance(term, Call):
            yield from self._called(term, frame)
        elif isinstance(term, Comprehension) and term.key is not None:
            yield self._collected(term, frame)
        elif isinstance(term, BinOp) and term.op == "BitOr":
            items: dict[str, tuple[Argument, ...]] = {}
            known = [self._merge(items, side, frame) for side in term.sides]
            yield Contents(items, all(known), Argument(term, frame))
        elif isinstance(term, Star):  # ``torch.save(*args)`` in a helper that hands on what it is given
            rest = gathered(self.program, term.of, frame)
            if rest is not None and isinstance(rest.term, Tuple) and rest.term.items:
                yield from self.of(rest.term.items[0], rest.frame)
        else:
            for value in self.program.values(term, frame):
                if isinstance(value, Unresolved) and value.term is not term:
                    yield from self.of(value.term, value.frame)
                elif (
                    isinstance(value, LibraryObject)
                    and value.call is not None
                    and value.frame is not None
                    and value.call is not term
                ):
                    yield from self.of(value.call, value.frame)

    def _called(self, term: Call, frame: Context) -> Iterator[Contents]:
        for target in self.program.ask(CallGraph).targets(term, frame):
            if isinstance(target, FunctionValue):
                if target.function.generator or not frame.follows(target.function):
                    continue
                inner = self.program.enter(target, term, frame)
                for returned in self.program.returns(target.function):
                    yield from self.of(returned, inner)
            elif target.name.rpartition(".")[2] in _DICT:
                yield self._made(term, frame)

    def _display(self, term: Dict, frame: Context) -> Contents:
        items: dict[str, tuple[Argument, ...]] = {}
        whole = True
        for key, value in term.items:
            named = reaching_definition(self.program, key, frame).term
            if isinstance(named, Const) and isinstance(named.value, str):
                items[named.value] = (Argument(value, frame),)
            elif isinstance(key, Unknown):
                whole = self._merge(items, value, frame) and whole
            else:
                whole = False
        return Contents(items, whole, Argument(term, frame))

    def _collected(self, term: Comprehension, frame: Context) -> Contents:
        """``{name: part.state_dict() for name, part in parts.items()}``."""
        items: dict[str, tuple[Argument, ...]] = {}
        found = turns(self.program, term.item, frame)
        for turn in found:
            key = reaching_definition(self.program, term.key, turn).term if term.key is not None else None
            if isinstance(key, Const) and isinstance(key.value, str):
                items[key.value] = (Argument(term.item, turn),)
        return Contents(items, bool(items) and len(items) == len(found) and not term.tests, Argument(term, frame))

    def _made(self, term: Call, frame: Context) -> Contents:
        """``dict(base, key=value, **more)``."""
        items: dict[str, tuple[Argument, ...]] = {}
        known = [self._merge(items, given, frame) for given in term.args]
        whole = all(known)
        for name, value in term.kwargs:
            if name is not None:
                items[name] = (Argument(value, frame),)
            else:
                whole = self._merge(items, value, frame) and whole
        return Contents(items, whole, Argument(term, frame))

    def _merge(self, items: dict[str, tuple[Argument, ...]], other: Term, frame: Context) -> bool:
        """Put what another dict has into ``items``; whether all of that is known."""
        whole, seen = True, False
        for found in self.of(other, frame):
            seen = True
            whole = whole and found.whole
            for key, values in found.items.items():
                items[key] = (*items.get(key, ()), *values)
        return whole and seen

    # -- what is added on the way ----------------------------------------------------------------------------------

    def _added(self, term: Term, frame: Context) -> tuple[dict[str, tuple[Argument, ...]], bool]:
        """What a function puts into a dict that it holds; and whether that is all that is done to it."""
        items: dict[str, tuple[Argument, ...]] = {}
        whole = True
        if not isinstance(term, (Dict, Call, Param, Attr, Global, LoopPhi)):
            return items, whole
        for parent, function in self.program.ask(Uses).parents(frame.module).of.get(term, ()):
            if function.qualname != frame.function.qualname:
                continue
            if isinstance(parent, Keep):
                if not isinstance(parent.target, Subscript) or parent.target.base is not term:
                    continue
                key = reaching_definition(self.program, parent.target.key, frame).term
                if isinstance(key, Const) and isinstance(key.value, str):
                    items[key.value] = (*items.get(key.value, ()), Argument(parent.value, frame))
                else:
                    whole = False
            elif isinstance(parent, Term):
                whole = self._in_expression(items, term, parent, frame) and whole
        return items, whole

    def _in_expression(self, items: dict[str, tuple[Argument, ...]], term: Term, parent: Term, frame: Context) -> bool:
        if isinstance(parent, Attr) and parent.base is term:
            known = [self._method(items, parent.name, call, frame) for call in self._calls_of(parent, frame)]
            return all(known)
        if isinstance(parent, Call) and parent.callee is not term:
            return self._handed(items, term, parent, frame)
        return True

    def _calls_of(self, method: Attr, frame: Context) -> list[Call]:
        found = self.program.ask(Uses).parents(frame.module).of.get(method, ())
        return [parent for parent, _ in found if isinstance(parent, Call) and parent.callee is method]

    def _method(self, items: dict[str, tuple[Argument, ...]], name: str, call: Call, frame: Context) -> bool:
        if name == "setdefault" and len(call.args) > 1 and isinstance(call.args[0], Const):
            items[call.args[0].value] = (*items.get(call.args[0].value, ()), Argument(call.args[1], frame))
            return True
        if name != _UPDATE:
            return name in _ASKS
        added = self._made(call, frame)
        for key, values in added.items.items():
            items[key] = (*items.get(key, ()), *values)
        return added.whole

    def _handed(self, items: dict[str, tuple[Argument, ...]], term: Term, call: Call, frame: Context) -> bool:
        """What a function of the project that is handed the dict puts into it; one out of sight may put in anything."""
        if (
            last_name(call.callee) in _DICT
            or last_name(call.callee) in self.program.knowledge.tables["checkpoints.helpers"]["names"]
        ):
            return True
        targets = self.program.ask(CallGraph).targets(call, frame)
        whole = bool(targets)
        for target in targets:
            if isinstance(target, Library) or not frame.follows(target.function):
                continue
            inner = self.program.enter(target, call, frame)
            for name, bound in inner.arguments.items():
                if isinstance(bound, Argument) and bound.term is term:
                    for parameter in self._parameters(target.module, target.function, name):
                        added, known = self._added(parameter, inner)
                        whole = whole and known
                        for key, values in added.items():
                            items[key] = (*items.get(key, ()), *values)
        return whole

    def _parameters(self, module: str, function: Function, name: str) -> list[Term]:
        of = self.program.ask(Uses).parents(module).of
        return [term for term in of if isinstance(term, Param) and term.function == function.qualname and term.name == name]
