"""Evaluation of items: of lists, dicts and tuples, of what a function returns; and of what loops leave behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainlint.ir.bindings import carried_by, carried_names
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Collected,
    Const,
    Dict,
    Element,
    Format,
    Global,
    Kwargs,
    List,
    LoopPhi,
    Param,
    Ref,
    Self,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Keep
from trainlint.ir.walk import statements_of
from trainlint.program.arguments import kwargs_item
from trainlint.program.heap import item_of
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject, Unresolved
from trainlint.spmd.heap_state import UNSET
from trainlint.spmd.loop_rounds import left_behind
from trainlint.spmd.questions import ANY, DEEPEST
from trainlint.spmd.symbols import UNKNOWN, Choice, Present, Something, Text, Uniform, Varying, World

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Words that a loop draws, each of which is told.
_LITERALS = (List, Tuple, Set)
#: How table ``gathers`` says that a method puts its first argument into a list, as one item.
_FIRST = "0"


class Items:
    """The terms that stand for a part of something, each by the method of its tag."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.heap = evaluator.heap
        self.runs = evaluator.runs
        self.stores = evaluator.stores
        self.consteval = evaluator.consteval
        self._following: set[tuple[Term, Context]] = set()

    def of_item(self, term: Subscript, frame: Context) -> Any:
        base, key = term.base, term.key
        if base in self.evaluator.loops and isinstance(key, Const) and type(self.evaluator.loops[base]) is tuple:
            return _part(self.evaluator.loops[base], key.value, Uniform((term, frame)))
        handed = kwargs_item(base, key, frame) if isinstance(base, Kwargs) else None
        if handed is not None:
            self.evaluator.consulted(ANY)
            return self.evaluator.value(handed.term, handed.frame)
        for value in self.program.values(base, frame):
            if isinstance(value, Library) and value.name == "os.environ":
                return self.variable(key, term, frame)
        written = item_of(base, key) if isinstance(base, Tuple) else None
        if written is not None:
            return self.evaluator.value(written, frame)
        if isinstance(base, Element) and isinstance(key, Const):
            word = self.word_drawn(base, key, frame)
            if word is not None:
                return word
        held = self.item_under(base, key, frame)
        if held is not UNSET:
            return held
        if isinstance(key, Slice):
            length = self.own_length(term, frame)
            return Uniform((term, frame)) if length is None else Something((term, frame)) if length else 0
        item = self.consteval.item_by_rank(base, key, None, frame)
        if item is not None:
            return item
        item = self._of_known(term, frame)
        if item is not None:
            return item
        if isinstance(base, Call):
            whole, asked = self.evaluator.evaluate(base, frame)
            if type(whole) is tuple and isinstance(key, Const):
                self.evaluator.rank_dependent = self.evaluator.rank_dependent or asked
                return _part(whole, key.value, Uniform((term, frame)))
        return self._tuple_result(term, frame)

    def _of_known(self, term: Subscript, frame: Context) -> Any:
        """An item of a container that is known, by a key of the rank, or of one that was computed with the rank; else None."""
        base, key = term.base, term.key
        if isinstance(key, Const):
            return self.consteval.item_of_rank(base, key, frame) if isinstance(base, (Unknown, Call, Subscript)) else None
        if isinstance(key, (Slice, Unknown)) or not isinstance(base, (Unknown, Global, Call, Subscript)):
            return None
        wanted, asked = self.evaluator.evaluate(key, frame)
        whole = self.consteval.container(base, frame) if asked and not isinstance(wanted, UNKNOWN) else None
        if whole is None:
            return None
        self.evaluator.rank_dependent = True
        return _part(whole, wanted, Uniform((term, frame)))

    def item_under(self, base: Term, key: Term, frame: Context) -> Any:
        """What something holds under a key, as far as ranks may differ in it; ``UNSET`` otherwise."""
        held = self.heap.held(base, key, frame)
        if held is UNSET and isinstance(base, (Global, Attr, Ref, Dict, Param, Self, BinOp)) and isinstance(key, Const):
            found, asked = self._kept_under(base, key, frame)
            if asked:
                self.evaluator.rank_dependent = True
                return found
        return held

    def _kept_under(self, base: Term, key: Const, frame: Context) -> tuple[Any, bool]:
        """An item of a list or dict that is written down, or set, elsewhere, and whether it depends on the rank."""
        set_there = self.stores.item_set(base, key, frame)
        if set_there is not UNSET:
            return set_there, True
        for value in self.program.values(base, frame):
            item = item_of(value.term, key) if isinstance(value, Unresolved) else None
            if item is not None and isinstance(value, Unresolved):
                return self.evaluator.evaluate(item, value.frame)
        asked = self.program.terms.make(Subscript, base, key)
        found = self.program.values(asked, frame)  # wherever it was put: ``d.update(rank=…)``, ``a | b``
        alone = found[0] if len(found) == 1 else None
        if not isinstance(alone, Unresolved) or alone.term is asked:
            return None, False
        return self.evaluator.evaluate(alone.term, alone.frame)

    def of_unknown(self, term: Unknown, frame: Context) -> Any:
        """What a comprehension makes is never None; a text that is put together is known if all that it is made of is."""
        if isinstance(term, Collected):
            return Present((term, frame))
        if not isinstance(term, Format):
            return Uniform((term, frame))
        values = [self.evaluator.value(part, frame) for part in term.pieces]
        if any(isinstance(value, (*UNKNOWN, World)) or type(value) not in (str, int, bool) for value in values):
            return Uniform((term, frame))
        return "".join(map(str, values))

    def _tuple_result(self, term: Subscript, frame: Context) -> Any:
        """``rank, world = setup()``: the item of the tuple that a function of the project returns."""
        base, key = term.base, term.key
        values = self.program.values(term, frame) if isinstance(base, Call) else ()
        for value in values:
            if isinstance(value, LibraryObject) and value.name in self.program.knowledge.ranks:
                return self.evaluator.word(self.program.knowledge.ranks[value.name], value.name)
        if len(values) == 1 and isinstance(values[0], Unresolved) and values[0].term is not term:
            return self.evaluator.value(values[0].term, values[0].frame)
        if isinstance(base, Call) and isinstance(key, Const) and type(key.value) is int:
            found = [v for v in self.program.values(base.callee, frame) if isinstance(v, FunctionValue)]
            if len(found) == 1 and not found[0].function.generator and frame.depth < DEEPEST:
                inner = self.runs.activation(found[0], base, frame)
                if not frame.runs(found[0].function):
                    item = self.runs.run(found[0].function, inner, key)
                    if not isinstance(item, UNKNOWN) or (isinstance(item, Choice) and not _open(item)):
                        return item
                returned = [
                    t for t in self.program.returns(found[0].function) if isinstance(t, Tuple) and len(t.items) > key.value
                ]
                answers = [self.evaluator.value(t.items[key.value], inner) for t in returned]
                concrete = [a for a in answers if not isinstance(a, UNKNOWN)]
                if len(concrete) == 1 or (concrete and all(a == concrete[0] for a in concrete)):
                    return concrete[0]
        if isinstance(base, Call) and isinstance(self.evaluator.value(base, frame), Varying):
            return Varying((term, frame))
        return Uniform((term, frame))

    def own_length(self, term: Term, frame: Context) -> int | None:
        """How many items are in a part of a list, if ranks have parts of different lengths."""
        if not isinstance(term, Subscript):
            return None
        before, self.evaluator.rank_dependent = self.evaluator.rank_dependent, False
        length = self.consteval.length(term, frame)
        asked = self.evaluator.rank_dependent and length is not None
        self.evaluator.rank_dependent = before or asked
        return length if asked else None

    def variable(self, key: Term, term: Term, frame: Context) -> Any:
        """An environment variable that launchers set."""
        name = (
            key.value
            if isinstance(key, Const)
            else self.evaluator.value(key, frame)
            if isinstance(key, (Param, Global, Attr))
            else None
        )
        word = self.program.knowledge.environment.get(name) if type(name) is str else None
        value = self.evaluator.word(word, name) if word is not None else Uniform((term, frame))
        return Text(value) if type(value) is int else value

    def of_element(self, term: Element, frame: Context) -> Any:
        if term in self.evaluator.loops:
            return self.evaluator.loops[term]
        word = self.word_drawn(term, None, frame)
        return Uniform((term, frame)) if word is None else word

    def word_drawn(self, item: Element, index: Const | None, frame: Context) -> Any:
        """One of the words that a loop draws (the part of its items at ``index``); None when it may be anything else."""
        terms = self._items(item.of, frame)
        if not terms:
            return None
        if index is not None:
            place = index.value
            parts = [term.items for term in terms if isinstance(term, (List, Tuple))]
            if type(place) is not int or len(parts) < len(terms) or any(not 0 <= place < len(items) for items in parts):
                return None
            terms = [items[place] for items in parts]
        words = [self.evaluator.value(term, frame) for term in terms]
        if any(isinstance(word, UNKNOWN) or type(word) is not str for word in words):
            return None
        drawn = words[-1]
        for turn, word in enumerate(words[:-1]):
            drawn = Choice(Uniform(("drawn", item, index, frame, turn)), word, drawn)
        return drawn

    def _items(self, subject: Term, frame: Context) -> list[Term]:
        """The items of a list, as they are written, or as the function puts them in; none when anything else happens to it."""
        if not isinstance(subject, _LITERALS):
            return []
        if subject.items or not isinstance(subject, List):
            return list(subject.items)
        items = []
        for node in statements_of(frame.function):
            if type(node) is Keep and isinstance(node.target, (Subscript, Attr)) and node.target.base is subject:
                return []
            if type(node) is not CallStep:
                continue
            callee, arguments = node.term.callee, node.term.args
            if isinstance(callee, Attr) and callee.base is subject:
                if self.program.knowledge.gathers.get(callee.name) != _FIRST or len(arguments) != 1:
                    return []
                items.append(arguments[0])
            elif any(argument is subject for argument in (*arguments, *(value for _, value in node.term.kwargs))):
                return []
        return items

    def of_carried(self, term: LoopPhi, frame: Context) -> Any:
        """What a loop leaves behind: a matter of the rank, if a round sets it by the rank."""
        if term in self.evaluator.loops:
            return self.evaluator.loops[term]
        key = (term, frame)
        if key in self._following or not any(carried_names(frame.function)):
            return Uniform(key)
        self._following.add(key)
        try:
            left = left_behind(self.evaluator, term, frame) if term.at == "exit" and not self.evaluator.loops else None
            if left is not None:
                return left
            asked = self.evaluator.tracing and any(self._is_of_rank(held, frame) for held in self._held_by(term, frame))
        finally:
            self._following.discard(key)
        self.evaluator.rank_dependent = asked
        return Varying(key) if asked else Uniform(key)

    def _is_of_rank(self, held: Term, frame: Context) -> bool:
        """Whether a value is another one on other ranks, and they did not meet over it."""
        asked = self.evaluator.evaluate(held, frame)[1] and self.evaluator.differs(held, frame)
        return asked and not self.evaluator.is_uniform_by_collective(held, frame)

    def _held_by(self, term: LoopPhi, frame: Context) -> tuple[Term, ...]:
        """What a name of a loop (its ``LoopPhi``, "head" or "exit") may hold: at the end of a round, and in the loop at first."""
        held = carried_by(frame.function, term)
        if held is None:
            return ()
        return (held.back, held.entry) if held.name is term else (held.back,)


def _part(whole: Any, key: Any, unknown: Uniform) -> Any:
    """An item of a container that is known."""
    try:
        return whole[key]
    except (LookupError, TypeError):
        return unknown


def _open(value: Any) -> bool:
    """Whether something unknown is among the values that the conditions leave."""
    if isinstance(value, Choice):
        return _open(value.then) or _open(value.other)
    return isinstance(value, UNKNOWN)
