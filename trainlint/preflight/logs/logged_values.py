"""What is in the dicts and texts that a job logs.

What is in the dicts that a job logs: through what functions return (also those that are compiled), updates,
comprehensions.

Texts that grow before they are logged: ``line = "lr {}".format(rate)``, then ``line += …`` in a loop, then
``info(line)``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.ir.bindings import carried_by
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    List,
    LoopPhi,
    Or,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import Exit, Function, Keep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.evidence.answers import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Place
from trainlint.preflight.running.nearness import judges
from trainlint.preflight.values.constants import asked_for
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.memo import Memo
from trainlint.program.program import calls_of
from trainlint.program.values import FunctionValue, Library

#: Words of functions that choose, of several things, those of a name: ``meters.get_filtered_meter("loss")``.
_CHOOSES = frozenset(("filter", "filtered", "select", "selected", "choose", "pick", "matching", "subset"))
#: Methods of dicts that hand on what is in them.
_OF_ITEMS = frozenset(("items", "copy", "to_dict", "todict", "unfreeze", "block_until_ready"))


class Origin(NamedTuple):
    """A term, and whose it is; ``item`` is the part of a tuple that is asked about."""

    term: Term
    module: str
    function: Function
    item: int | None = None


class Items:
    """Looks for one thing, by its words, in what calls are handed."""

    def __init__(self, job: Job, words: frozenset[str]) -> None:
        self.job = job
        self.words = words
        self._keys = frozenset(table(job, "keeps-keys"))
        self._passes = frozenset(table(job, "passes-on"))
        self._compilers = frozenset(table(job, "compile"))
        self._known = Memo(False)

    def holds(self, term: Term, module: str, function: Function) -> bool:
        """Whether a term is a dict with such a key, or one of its items, or a text made of them."""
        return self._holds(Origin(term, module, function))

    def _holds(self, origin: Origin) -> bool:
        return self._known.ask(origin, lambda: self._is_named(origin) or any(map(self._holds, self._sources(origin))))

    def _is_named(self, origin: Origin) -> bool:
        """Whether a term is a dict one of whose keys is called so: where it stands, or where it is filled."""
        return any(not self.words.isdisjoint(split(key)) for key in self._named(origin))

    def _named(self, origin: Origin) -> Iterator[str]:
        term, program = origin.term, self.job.program
        if isinstance(term, Dict):
            for key, _ in term.items:
                yield from words_of(program, key)
        elif isinstance(term, Call) and last_name(term.callee) == "dict":
            yield from (keyword for keyword, _ in term.kwargs if keyword)
        elif isinstance(term, Call) and not _CHOOSES.isdisjoint(split(last_name(term.callee) or "")):
            yield from (str(each.value) for each in handed(term) if isinstance(each, Const))
        elif isinstance(term, Comprehension) and term.key is not None:
            yield from words_of(program, term.key)
        if isinstance(term, (Dict, Call)):
            for node, led in walk_tested(origin.function.body):
                if not isinstance(node, Keep) or not isinstance(node.target, Subscript) or node.target.base is not term:
                    continue
                if not asked_for(origin.function, conditions(led)):
                    yield from words_of(program, node.target.key)
            for call in self._fills(origin):
                yield from (keyword for keyword, _ in call.kwargs if keyword)

    def _fills(self, origin: Origin) -> Iterator[Call]:
        """The calls that put something into a dict or a list: ``logs.update(metrics)``, ``all_metrics.append(metrics)``."""
        for call in calls_of(origin.function):
            callee = call.term.callee
            if isinstance(callee, Attr) and callee.base is origin.term and callee.name in ("update", "append", "extend"):
                yield call.term

    def _sources(self, origin: Origin) -> Iterator[Origin]:
        """The terms out of which one is made, so that keys stay what they are."""
        term = origin.term
        if isinstance(term, Subscript):
            yield from self._of_item(origin, term)
        elif isinstance(term, Element):
            yield origin._replace(term=term.of, item=None)
        elif isinstance(term, SequenceDisplay):
            items = term.items if origin.item is None else term.items[origin.item : origin.item + 1]
            yield from (origin._replace(term=each, item=None) for each in items)
        elif isinstance(term, (Select, BinOp)):
            yield from (origin._replace(term=each) for each in (term.arms if isinstance(term, Select) else term.sides))
        elif isinstance(term, Or):
            yield from (origin._replace(term=each) for each in term.operands)
        elif isinstance(term, Dict):
            for key, value in term.items:
                if not isinstance(key, Const):
                    yield origin._replace(term=key, item=None)
                if isinstance(key, Unknown) and value is not None:  # ``**other``
                    yield origin._replace(term=value)
        elif isinstance(term, Unknown):
            if isinstance(term, Comprehension):
                yield origin._replace(term=term.of, item=None)
            yield from (origin._replace(term=each, item=None) for each in term.pieces)
        elif isinstance(term, Call):
            yield from self._of_call(origin, term)
        elif isinstance(term, LoopPhi):
            yield from (origin._replace(term=each, item=None) for each in carried(origin.function, term))
        if isinstance(term, (Dict, List, Call, LoopPhi)):
            for call in self._fills(origin):
                yield from (origin._replace(term=each, item=None) for each in call.args)

    def _of_item(self, origin: Origin, term: Subscript) -> Iterator[Origin]:
        """An item of a tuple, and of the pairs that ``items`` gives; one that is asked for by its key is no other."""
        base, key = term.base, term.key
        if isinstance(key, Const) and isinstance(key.value, int):
            yield origin._replace(term=base, item=None if isinstance(base, Element) else key.value)
        elif not isinstance(key, Const):
            yield origin._replace(term=base, item=None)

    def _of_call(self, origin: Origin, term: Call) -> Iterator[Origin]:
        callee, name = term.callee, last_name(term.callee)
        if isinstance(callee, Attr) and name in _OF_ITEMS:
            yield origin._replace(term=callee.base)
        found = list(self._returned(origin, term))
        yield from found
        if (
            name in self._keys
            or name in self._passes
            or (name == "dict" and isinstance(callee, (Ref, Global)))
            or self._gives_back(found)
        ):
            yield from (origin._replace(term=each, item=None) for each in handed(term))

    def _returned(self, origin: Origin, call: Call) -> Iterator[Origin]:
        """What the project's function returns that a call runs; not one that judges the model."""
        program = self.job.program
        frame = program.frame(origin.module, origin.function)
        callee = call.callee
        targets = list(program.ask(CallGraph).targets(call, frame))
        if isinstance(callee, Call) and callee.args:
            made = program.values(callee.callee, frame)
            if any(isinstance(each, Library) and each.name in self._compilers for each in made):
                compiled = callee.args[0]
                while isinstance(compiled, Call) and last_name(compiled.callee) == "partial" and compiled.args:
                    compiled = compiled.args[0]
                targets += [each for each in program.values(compiled, frame) if isinstance(each, FunctionValue)]
        for each in targets:
            if isinstance(each, FunctionValue) and not judges(each.module, each.function, self.job.path):
                for node in of_kind(each.function, Exit):
                    if node.kind == "return" and node.value is not None:
                        yield Origin(node.value, each.module, each.function, origin.item)

    def _gives_back(self, found: list[Origin]) -> bool:
        """Whether a function gives back what it is handed, or a dict with the keys of that."""
        for each in found:
            drawn = each.term if isinstance(each.term, Comprehension) else None
            parts = parts_of(*((each.term,) if drawn is None else (drawn.of,)))
            if not isinstance(each.term, Call) and any(
                isinstance(part, Param) and part.function == each.function.qualname for part in parts
            ):
                return True
        return False


def carried(function: Function, term: LoopPhi) -> Iterator[Term]:
    """What a loop makes of a name from round to round: ``message += f"{key}: {value}"``."""
    for node in of_kind(function, Keep):
        if isinstance(node.target, LoopPhi) and node.target.name == term.name:
            yield node.value


def grown(job: Job, names: Collection[str], wanted: frozenset[str]) -> Iterator[Place]:
    """The places that log a text which loops put together, where something is formatted into it of which a word speaks."""
    for place in job.trail.places:
        if place.way is None or not isinstance(place.term, Call) or last_name(place.term.callee) not in names:
            continue
        given = (part for each in handed(place.term) if isinstance(each, LoopPhi) for part in _parts(place.function, each))
        if any(_says(job, part, wanted) for part in given):
            yield place


def _parts(function: Function, name: Term) -> Iterator[Term]:
    """What the text of a name was before the loop, and what each round puts to it."""
    waiting, done = [name], set[Term]()
    while waiting:
        each = waiting.pop()
        if each in done:
            continue
        done.add(each)
        if isinstance(each, BinOp) and each.op == "Add":
            waiting += each.sides
        elif isinstance(each, LoopPhi):
            waiting += carried(function, each)
            whole = carried_by(function, each)
            waiting += (whole.entry,) if whole is not None else ()
        else:
            yield each


def _says(job: Job, text: Term, wanted: frozenset[str]) -> bool:
    """Whether a text with one of the words has something formatted into it, and is not all written down."""
    if (
        isinstance(text, Call)
        and isinstance(text.callee, Attr)
        and text.callee.name == "format"
        and isinstance(text.callee.base, Const)
    ):
        inner = tuple(handed(text))
    elif isinstance(text, BinOp) and text.op == "Mod" and isinstance(text.left, Const) and isinstance(text.left.value, str):
        inner = (text.right,)
    else:
        inner = text.pieces
    if not any(not isinstance(each, Const) for each in inner):
        return False
    return not wanted.isdisjoint(words_of(job.program, text, *inner))
