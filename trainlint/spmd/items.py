"""Evaluation of items: of lists, dicts and tuples, of what a function returns; and of what loops leave behind."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from trainlint.facts.kwargs import passed_as
from trainlint.facts.literals import item_of
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other
from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Dict,
    Element,
    Format,
    Global,
    Kwargs,
    LoopPhi,
    Param,
    Ref,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.spmd.consteval import ConstEval
from trainlint.spmd.heap_state import UNSET
from trainlint.spmd.questions import ANY, DEEPEST
from trainlint.spmd.symbols import UNKNOWN, Choice, PerRank, Something, Sym, World
from trainlint.spmd.uniform_by_collective import settled


class Items(ConstEval):
    """The terms that stand for a part of something, each by the method of its tag."""

    following: set[tuple[Term, Frame]]
    #: Whether the question is what a rank runs next; else what is unknown is unknown, whoever changed it.
    tracing: bool

    @abstractmethod
    def _variable(self, key: Term, term: Term, frame: Frame) -> Any:
        """An environment variable that launchers set."""

    @abstractmethod
    def word_drawn(self, item: Element, index: Const | None, frame: Frame) -> Any:
        """One of the words that a loop draws."""

    @abstractmethod
    def _activation(self, value: FunctionValue, call: Call, frame: Frame) -> Frame:
        """The frame of a call."""

    def _of_item(self, term: Subscript, frame: Frame) -> Any:
        base, key = term.base, term.key
        if base in self.loops and isinstance(key, Const) and type(self.loops[base]) is tuple:
            return _part(self.loops[base], key.value, Sym((term, frame)))
        handed = passed_as(base, key, frame) if isinstance(base, Kwargs) else None
        if handed is not None:
            self.consulted(ANY)
            return self.value(handed.term, handed.frame)
        for value in self.program.values(base, frame):
            if isinstance(value, Library) and value.name == "os.environ":
                return self._variable(key, term, frame)
        if (
            isinstance(base, Tuple)
            and isinstance(key, Const)
            and type(key.value) is int
            and -len(base.items) <= key.value < len(base.items)
        ):
            return self.value(base.items[key.value], frame)
        if isinstance(base, Element) and isinstance(key, Const):
            word = self.word_drawn(base, key, frame)
            if word is not None:
                return word
        held = self.item_under(base, key, frame)
        if held is not UNSET:
            return held
        if isinstance(key, Slice):
            length = self._own_length(term, frame)
            return Sym((term, frame)) if length is None else Something((term, frame)) if length else 0
        item = self.item_by_rank(base, key, None, frame)
        if item is not None:
            return item
        item = self._of_known(term, frame)
        if item is not None:
            return item
        if isinstance(base, Call):
            whole, asked = self.evaluate(base, frame)
            if (
                type(whole) is tuple
                and isinstance(key, Const)
                and type(key.value) is int
                and -len(whole) <= key.value < len(whole)
            ):
                self.asked = self.asked or asked
                return whole[key.value]
        return self._tuple_result(term, frame)

    def _of_known(self, term: Subscript, frame: Frame) -> Any:
        """An item of a container that is known, by a key of the rank, or of one that was computed with the rank; else None."""
        base, key = term.base, term.key
        if isinstance(key, Const):
            return self.item_of_rank(base, key, frame) if isinstance(base, (Unknown, Call, Subscript)) else None
        if isinstance(key, (Slice, Unknown)) or not isinstance(base, (Unknown, Global, Call, Subscript)):
            return None
        wanted, asked = self.evaluate(key, frame)
        whole = self.container(base, frame) if asked and not isinstance(wanted, UNKNOWN) else None
        if whole is None:
            return None
        self.asked = True
        return _part(whole, wanted, Sym((term, frame)))

    def item_under(self, base: Term, key: Term, frame: Frame) -> Any:
        """What something holds under a key, as far as ranks may differ in it; ``UNSET`` otherwise."""
        held = self.held(base, key, frame)
        if held is UNSET and isinstance(base, (Global, Attr, Ref, Dict, Param)) and isinstance(key, Const):
            found, asked = self._kept_under(base, key, frame)
            if asked:
                self.asked = True
                return found
        return held

    def _kept_under(self, base: Term, key: Const, frame: Frame) -> tuple[Any, bool]:
        """An item of a list or dict that is written down, or set, elsewhere, and whether it depends on the rank."""
        set_there = self.item_set(base, key, frame)
        if set_there is not UNSET:
            return set_there, True
        for value in self.program.values(base, frame):
            item = item_of(value.term, key) if isinstance(value, Other) else None
            if item is not None and isinstance(value, Other):
                return self.evaluate(item, value.frame)
        return None, False

    def _of_unknown(self, term: Unknown, frame: Frame) -> Any:
        """A text that is put together, where all that it is made of is known on this rank."""
        if not isinstance(term, Format):
            return Sym((term, frame))
        values = [self.value(part, frame) for part in term.pieces]
        if any(isinstance(value, (*UNKNOWN, World)) or type(value) not in (str, int, bool) for value in values):
            return Sym((term, frame))
        return "".join(map(str, values))

    def _tuple_result(self, term: Subscript, frame: Frame) -> Any:
        """``rank, world = setup()``: the item of the tuple that a function of the project returns."""
        base, key = term.base, term.key
        for value in self.program.values(term, frame) if isinstance(base, Call) else ():
            if isinstance(value, Made) and value.name in self.program.knowledge.ranks:
                return self.word(self.program.knowledge.ranks[value.name], value.name)
        if isinstance(base, Call) and isinstance(key, Const) and type(key.value) is int:
            found = [v for v in self.program.values(base.callee, frame) if isinstance(v, FunctionValue)]
            if len(found) == 1 and not found[0].function.generator and frame.depth < DEEPEST:
                inner = self._activation(found[0], base, frame)
                if not frame.runs(found[0].function):
                    item = self.run(found[0].function, inner, key)
                    if not isinstance(item, UNKNOWN) or (isinstance(item, Choice) and not _open(item)):
                        return item
                returned = [
                    t for t in self.program.returns(found[0].function) if isinstance(t, Tuple) and len(t.items) > key.value
                ]
                answers = [self.value(t.items[key.value], inner) for t in returned]
                concrete = [a for a in answers if not isinstance(a, UNKNOWN)]
                if len(concrete) == 1 or (concrete and all(a == concrete[0] for a in concrete)):
                    return concrete[0]
        if isinstance(base, Call) and isinstance(self.value(base, frame), PerRank):
            return PerRank((term, frame))
        return Sym((term, frame))

    def _own_length(self, term: Term, frame: Frame) -> int | None:
        """How many items are in a part of a list, if ranks have parts of different lengths."""
        if not isinstance(term, Subscript):
            return None
        before, self.asked = self.asked, False
        length = self.length(term, frame)
        asked = self.asked and length is not None
        self.asked = before or asked
        return length if asked else None

    def _of_carried(self, term: LoopPhi, frame: Frame) -> Any:
        """What a loop leaves behind: a matter of the rank, if a round sets it by the rank."""
        if term in self.loops:
            return self.loops[term]
        key = (term, frame)
        shared = self.shared_name(term, frame)
        if shared is not UNSET:
            return shared
        if key in self.following or not frame.function.carried:
            return Sym(key)
        self.following.add(key)
        try:
            left = self.left_by_loop(term, frame) if term.at == "after" else None
            if left is not None:
                return left
            asked = self.tracing and any(self._is_of_rank(held, frame) for held in self._held_by(term, frame))
        finally:
            self.following.discard(key)
        self.asked = asked
        return PerRank(key) if asked else Sym(key)

    def item_set(self, base: Term, key: Const, frame: Frame) -> Any:
        """What functions set an item to that is not theirs, if ranks differ in it; else ``UNSET``."""
        raise NotImplementedError

    def shared_name(self, term: Term, frame: Frame) -> Any:
        """What a name holds that a nested function declares ``nonlocal``, if ranks differ in it; else ``UNSET``."""
        raise NotImplementedError

    @abstractmethod
    def left_by_loop(self, term: LoopPhi, frame: Frame) -> Any:
        """What a name holds behind a loop that can be counted; None where it cannot."""

    def _is_of_rank(self, held: Term, frame: Frame) -> bool:
        """Whether a value is another one on other ranks, and they did not meet over it."""
        asked = self.evaluate(held, frame)[1] and self.differs(held, frame)
        return asked and not settled(self, held, frame)

    def _held_by(self, term: LoopPhi, frame: Frame) -> tuple[Term, ...]:
        """What a name of a loop (its ``LoopPhi``, "in" or "after") may hold: at the end of a round, and in the loop at first."""
        for held, (first, last) in frame.function.carried.items():
            if isinstance(held, LoopPhi) and held.place == term.place:
                return (last, first) if term.at == "in" else (last,)
        return ()


def _part(whole: Any, key: Any, unknown: Sym) -> Any:
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
