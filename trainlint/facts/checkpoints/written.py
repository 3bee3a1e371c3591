"""What a program writes into checkpoints: each save, with what is in it.

A save is a call that writes an object (``torch.save``), in one activation of the function around it: a helper that is handed a
dict is as many saves as there are calls of it. What is in the dict is read from where it is written down, what ``**`` and
``update`` bring along, and the items that are set on its way to the save. Where a part cannot be read the contents are not
``whole``, and nobody may say that something is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.def_use import Uses
from trainlint.facts.files.operations import Operations, argument
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, FunctionValue, Library, Made, Other
from trainlint.ir.nodes import Attr, BoolOp, Call, Const, Dict, Global, LoopPhi, Param, Select, Subscript, Term, Unknown
from trainlint.ir.sketch import Exit, Function, If, Keep

_DEEPEST = 8
_MOST_FRAMES = 8
_DICT = ("dict", "OrderedDict")
_UPDATE = "update"
#: Methods of a dict that change nothing, or take something out.
_ASKS = frozenset(("get", "pop", "keys", "values", "items", "copy"))


class Contents(NamedTuple):
    """What is in a dict: for each key what was put under it. ``whole``: nothing else is in it. ``made``: its display."""

    items: dict[str, tuple[Bound, ...]]
    whole: bool
    made: Bound


class Save(NamedTuple):
    """One save in one activation; ``given`` is what is saved, ``path`` where (a term of the activation)."""

    site: CallSite
    frame: Frame
    given: Term
    path: Term | None

    def leading(self) -> Iterator[tuple[Frame, Call]]:
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
                for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
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

    def of(self, term: Term, frame: Frame, depth: int = 0) -> Iterator[Contents]:
        """What is in the dicts that a term may be."""
        if depth > _DEEPEST:
            return
        for found in self._of(term, frame, depth):
            added, whole = self._added(term, frame, depth)
            items = dict(found.items)
            for key, values in added.items():
                items[key] = (*items.get(key, ()), *values)
            yield Contents(items, found.whole and whole, found.made)

    def _of(self, term: Term, frame: Frame, depth: int) -> Iterator[Contents]:
        if isinstance(term, Dict):
            yield self._display(term, frame, depth)
        elif isinstance(term, (Select, BoolOp)):
            for part in term.arms if isinstance(term, Select) else term.operands:
                yield from self.of(part, frame, depth + 1)
        elif isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Bound):
                yield from self.of(bound.term, bound.frame, depth + 1)
        elif isinstance(term, Call):
            yield from self._called(term, frame, depth)
        else:
            for value in self.program.values(term, frame):
                if isinstance(value, Other) and value.term is not term:
                    yield from self.of(value.term, value.frame, depth + 1)
                elif isinstance(value, Made) and value.call is not None and value.frame is not None and value.call is not term:
                    yield from self.of(value.call, value.frame, depth + 1)

    def _called(self, term: Call, frame: Frame, depth: int) -> Iterator[Contents]:
        for target in self.program.ask(CallGraph).targets(term, frame):
            if isinstance(target, FunctionValue):
                if target.function.generator or frame.runs(target.function):
                    continue
                inner = self.program.enter(target, term, frame)
                for returned in self.program.returns(target.function):
                    yield from self.of(returned, inner, depth + 1)
            elif target.name.rpartition(".")[2] in _DICT:
                yield self._made(term, frame, depth)

    def _display(self, term: Dict, frame: Frame, depth: int) -> Contents:
        items: dict[str, tuple[Bound, ...]] = {}
        whole = True
        for key, value in term.items:
            if isinstance(key, Const) and isinstance(key.value, str):
                items[key.value] = (Bound(value, frame),)
            elif isinstance(key, Unknown):
                whole = self._merge(items, value, frame, depth) and whole
            else:
                whole = False
        return Contents(items, whole, Bound(term, frame))

    def _made(self, term: Call, frame: Frame, depth: int) -> Contents:
        """``dict(base, key=value, **more)``."""
        items: dict[str, tuple[Bound, ...]] = {}
        known = [self._merge(items, given, frame, depth) for given in term.args]
        whole = all(known)
        for name, value in term.kwargs:
            if name is not None:
                items[name] = (Bound(value, frame),)
            else:
                whole = self._merge(items, value, frame, depth) and whole
        return Contents(items, whole, Bound(term, frame))

    def _merge(self, items: dict[str, tuple[Bound, ...]], other: Term, frame: Frame, depth: int) -> bool:
        """Put what another dict has into ``items``; whether all of that is known."""
        whole, seen = True, False
        for found in self.of(other, frame, depth + 1):
            seen = True
            whole = whole and found.whole
            for key, values in found.items.items():
                items[key] = (*items.get(key, ()), *values)
        return whole and seen

    # -- what is added on the way ----------------------------------------------------------------------------------

    def _added(self, term: Term, frame: Frame, depth: int) -> tuple[dict[str, tuple[Bound, ...]], bool]:
        """What a function puts into a dict that it holds; and whether that is all that is done to it."""
        items: dict[str, tuple[Bound, ...]] = {}
        whole = True
        if not isinstance(term, (Dict, Call, Param, Attr, Global, LoopPhi)):
            return items, whole
        for parent, function in self.program.ask(Uses).parents(frame.module).of.get(term, ()):
            if function.qualname != frame.function.qualname:
                continue
            if isinstance(parent, Keep):
                key = parent.target.key if isinstance(parent.target, Subscript) and parent.target.base is term else None
                if key is not None and isinstance(key, Const) and isinstance(key.value, str):
                    items[key.value] = (*items.get(key.value, ()), Bound(parent.value, frame))
                elif key is not None:
                    whole = False
            elif isinstance(parent, Term):
                whole = self._in_expression(items, term, parent, frame, depth) and whole
            elif not isinstance(parent, (Exit, If)) and depth == 0:
                continue
        return items, whole

    def _in_expression(self, items: dict[str, tuple[Bound, ...]], term: Term, parent: Term, frame: Frame, depth: int) -> bool:
        if isinstance(parent, Attr) and parent.base is term:
            known = [self._method(items, parent.name, call, frame, depth) for call in self._calls_of(parent, frame)]
            return all(known)
        if isinstance(parent, Call) and parent.callee is not term:
            return self._handed(items, term, parent, frame, depth)
        return True

    def _calls_of(self, method: Attr, frame: Frame) -> list[Call]:
        found = self.program.ask(Uses).parents(frame.module).of.get(method, ())
        return [parent for parent, _ in found if isinstance(parent, Call) and parent.callee is method]

    def _method(self, items: dict[str, tuple[Bound, ...]], name: str, call: Call, frame: Frame, depth: int) -> bool:
        if name == "setdefault" and len(call.args) > 1 and isinstance(call.args[0], Const):
            items[call.args[0].value] = (*items.get(call.args[0].value, ()), Bound(call.args[1], frame))
            return True
        if name != _UPDATE:
            return name in _ASKS
        added = self._made(call, frame, depth)
        for key, values in added.items.items():
            items[key] = (*items.get(key, ()), *values)
        return added.whole

    def _handed(self, items: dict[str, tuple[Bound, ...]], term: Term, call: Call, frame: Frame, depth: int) -> bool:
        """What a function of the project that is handed the dict puts into it; one out of sight may put in anything."""
        if (
            last_name(call.callee) in _DICT
            or last_name(call.callee) in self.program.knowledge.tables["checkpoints.helpers"]["names"]
        ):
            return True
        targets = self.program.ask(CallGraph).targets(call, frame)
        whole = bool(targets)
        for target in targets:
            if isinstance(target, Library) or frame.runs(target.function) or depth > _DEEPEST:
                continue
            inner = self.program.enter(target, call, frame)
            for name, bound in inner.arguments.items():
                if isinstance(bound, Bound) and bound.term is term:
                    for parameter in self._parameters(target.module, target.function, name):
                        added, known = self._added(parameter, inner, depth + 1)
                        whole = whole and known
                        for key, values in added.items():
                            items[key] = (*items.get(key, ()), *values)
        return whole

    def _parameters(self, module: str, function: Function, name: str) -> list[Term]:
        of = self.program.ask(Uses).parents(module).of
        return [term for term in of if isinstance(term, Param) and term.function == function.qualname and term.name == name]
