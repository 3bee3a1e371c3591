"""Numbers and tests on one rank, computed from example values where the program leaves them open."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Global,
    List,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.walk import of_kind
from trainlint.spmd.shards.questions import Amount, Questions
from trainlint.spmd.symbols import Choice, PerRank, Something, Sym

_OPERATE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "Eq": lambda a, b: a == b,
    "NotEq": lambda a, b: a != b,
    "Lt": lambda a, b: a < b,
    "LtE": lambda a, b: a <= b,
    "Gt": lambda a, b: a > b,
    "GtE": lambda a, b: a >= b,
}
_ROUND: dict[str, Callable[..., Amount]] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "round": round,
    "abs": abs,
    "min": min,
    "max": max,
}
_DIVIDED = ("FloorDiv", "Mod")
#: Numbers that a library's attribute is taken to be (one worker loads a rank's data).
_KNOWN = {"zero": 0, "one": 1}
_MOST = 1e15
_DEEPEST = 30


class Amounts(Questions):
    """The numbers of a measurement."""

    def number(self, term: Term, frame: Frame) -> Amount:
        """A number on this rank; an unknown one that is the same everywhere is a small example, others are None.

        So is one that is not finite: what never ends (``len`` of an endless sampler) has a length only where that is asked for.
        """
        found = self._number(term, frame)
        return found if found is None or math.isfinite(found) else None

    def _number(self, term: Term, frame: Frame) -> Amount:
        self.frames.add(frame)
        if term in self.held:
            return self.held[term]
        if self.agreed(term, frame):
            return None
        value, asked = self.peer.evaluate(term, frame)
        plain = self._plain(value)
        if plain is not None:
            self.ranked = self.ranked or asked
            return plain
        if isinstance(value, PerRank) and isinstance(term, (Param, Attr, Global)):
            self.ranked = True
            return self.peer.rank
        self.depth += 1
        try:
            if asked and isinstance(term, Call) and type(value) is Sym and _is_elsewhere(value.key, term):
                self.ranked = True  # what a function returns on this rank
                return self.number(*value.key) if self.depth < _DEEPEST else None
            return self._computed(term, frame) if self.depth < _DEEPEST else None
        finally:
            self.depth -= 1

    def _plain(self, value: Any) -> Amount:
        """A value that is a number; of two, by an unknown condition, the one that is known."""
        if isinstance(value, Choice):
            then, other = self._plain(value.then), self._plain(value.other)
            if then is None or other is None:
                return then if other is None else other
            return other if self.example.pick(value.condition.key, 2) else then
        if isinstance(value, (int, float)):
            return int(value) if isinstance(value, int) else value
        return int(value) if isinstance(value, str) and value.isdigit() else None

    def _computed(self, term: Term, frame: Frame) -> Amount:
        if isinstance(term, BinOp):
            left, right = self.number(term.left, frame), self.number(term.right, frame)
            return _operated(term.op, left, right)
        if isinstance(term, (Compare, Not)):
            return self.truth(term, frame)
        if isinstance(term, Select):
            truth = self.truth(term.test, frame)
            return None if truth is None else self.number(term.then if truth else term.other, frame)
        if (
            isinstance(term, Subscript)
            and isinstance(term.key, Const)
            and term.key.value == 0
            and isinstance(term.base, Attr)
            and self._measures(term.base.name)
        ):
            return self.length(term.base.base, frame)
        if isinstance(term, Subscript) and isinstance(term.base, Call) and isinstance(term.key, Const):
            divided = self._divided(term.base, term.key.value, frame)
            if divided is not None:
                return divided
        if isinstance(term, Call):
            return self._called(term, frame)
        if isinstance(term, Attr) and self._inherited(term, frame):
            return None
        found = self.program.values(term, frame)
        if not found:
            return None
        return self._followed(found[self.example.pick((term, frame), len(found))], term, frame)

    def _divided(self, call: Call, item: object, frame: Frame) -> Amount:
        """An item of ``divmod(a, b)``."""
        rounding = self.program.knowledge.rounding
        named = (v.name for v in self.program.values(call.callee, frame) if isinstance(v, Library))
        if len(call.args) < len(_DIVIDED) or not any(rounding.get(name) == "divmod" for name in named):
            return None
        operation = _DIVIDED[item == 1]
        return _operated(operation, self.number(call.args[0], frame), self.number(call.args[1], frame))

    def _inherited(self, term: Attr, frame: Frame) -> bool:
        """Whether an attribute may be one of a library's sampler, which keeps the numbers of its even parts in attributes."""
        sizes = self.program.knowledge.sizes
        for base in self.program.values(term.base, frame):
            if isinstance(base, Instance):
                lineage = self.program.lineage(ClassValue(base.module, base.cls))
                if any(isinstance(above, Library) and sizes.get(above.name) == "even" for above in lineage):
                    return True
        return False

    def _measures(self, name: str) -> bool:
        return name in self.program.knowledge.measures

    def _followed(self, value: Value, term: Term, frame: Frame) -> Amount:
        """The number behind one of the values of a term."""
        if isinstance(value, Made) and value.call is not None and value.frame is not None and value.call is not term:
            return self.number(value.call, value.frame)
        if isinstance(value, Other) and (value.term is not term or value.frame is not frame):
            return self.number(value.term, value.frame)
        if isinstance(value, Library):
            return _KNOWN.get(self.program.knowledge.sizes.get(value.name, ""))
        return self._open(term, frame) if isinstance(value, Other) else None

    def _called(self, term: Call, frame: Frame) -> Amount:
        knowledge = self.program.knowledge
        for target in self.program.values(term.callee, frame):
            name = target.name if isinstance(target, Library) else ""
            arguments = term.args
            if name in knowledge.measures and arguments:
                return self.length(arguments[0], frame)
            word = knowledge.rounding.get(name)
            if word in _ROUND and arguments:
                return _rounded(word, [self.number(argument, frame) for argument in arguments])
        if isinstance(term.callee, Attr) and self._measures(term.callee.name) and not term.kwargs:
            return self.length(term.callee.base, frame)
        for value in self.program.values(term, frame):
            if isinstance(value, Other) and value.term is not term:
                return self.number(value.term, value.frame)
            if isinstance(value, Made) and value.call is not term and value.call is not None and value.frame is not None:
                return self.number(value.call, value.frame)
        return None

    def _open(self, term: Term, frame: Frame) -> Amount:
        """What nobody sets here: an argument, an option. What the object keeps, or a call returns, may be anything."""
        root = term
        while isinstance(root, (Attr, Subscript)):
            root = root.base
        if not isinstance(term, (Param, Attr, Global, Subscript)) or not isinstance(root, (Param, Global, Attr, Ref, Call)):
            return None
        if isinstance(term, Subscript) and isinstance(term.key, Slice):
            return None  # a part of a list is no number
        if isinstance(term, Attr):
            for base in self.program.values(term.base, frame):
                if isinstance(base, Instance) and self._hidden(base):
                    return None
        return self.example.number(self.key(term, frame))

    def _hidden(self, instance: Instance) -> bool:
        """Whether a class has parts that are out of sight, which may set its attributes."""
        lineage = list(self.program.lineage(ClassValue(instance.module, instance.cls)))
        return any(isinstance(cls, Library) for cls in lineage) or any(
            last_name(base) is None for cls in lineage if isinstance(cls, ClassValue) for base in cls.cls.bases
        )

    def key(self, term: Term, frame: Frame) -> Hashable:
        """What makes two unknowns the same: the symbol that the evaluation of ranks has for them."""
        value = self.peer.value(term, frame)
        key: Hashable = value.key if isinstance(value, (Sym, Something)) else (term, frame)
        return key

    # -- tests -----------------------------------------------------------------------------------------------------

    def truth(self, term: Term, frame: Frame) -> bool | None:
        """Whether a condition holds on this rank; an unknown one that is the same everywhere holds in some examples."""
        value, asked = self.peer.evaluate(term, frame)
        if isinstance(value, Something) or value is None or isinstance(value, (bool, int, str)):
            self.ranked = self.ranked or asked
            return isinstance(value, Something) or bool(value)
        if isinstance(term, Not):
            inner = self.truth(term.operand, frame)
            return None if inner is None else not inner
        if isinstance(term, (And, Or)):
            parts = [self.truth(part, frame) for part in term.operands]
            settling = isinstance(term, Or)
            if settling in parts:
                return settling
            return None if None in parts else not settling
        if (
            isinstance(term, Compare)
            and term.op in ("Is", "IsNot")
            and isinstance(term.right, Const)
            and term.right.value is None
        ):
            found = self.program.values(term.left, frame)
            if found and all(_is_object(each) for each in found):
                return bool(term.op == "IsNot")
        if isinstance(term, Compare) and term.op in _COMPARE and self._numeric(term.left) and self._numeric(term.right):
            left, right = self.number(term.left, frame), self.number(term.right, frame)
            if left is not None and right is not None:
                return _COMPARE[term.op](left, right)
        if isinstance(term, BinOp) and term.op in _OPERATE:
            number = self.number(term, frame)
            return None if number is None else number != 0
        if isinstance(value, PerRank):
            return None
        return bool(self.example.pick(("holds", value.key if isinstance(value, Sym) else (term, frame)), 2))

    def _numeric(self, term: Term) -> bool:
        return not isinstance(term, Const) or isinstance(term.value, (int, float))

    def agreed(self, term: Term, frame: Frame) -> bool:
        """Whether the ranks exchange what a term holds, or an item of it: it is then no longer this rank's."""
        if not isinstance(term, (Subscript, Call, List, BinOp, Select, Param, Unknown)):
            return False
        known = self.program.ask_of(_exchanged, frame.function)
        return term in known or (isinstance(term, Subscript) and term.base in known)

    def differs(self, term: Term, frame: Frame) -> bool:
        """Whether a term has different values on the ranks."""
        _, asked = self.peer.evaluate(term, frame)
        return asked and self.peer.differs(term, frame)


def _exchanged(program: Program, function: Function) -> frozenset[Term]:
    """What a function hands to collectives."""
    names = program.ask(_exchanging)
    calls = [node.term for node in of_kind(function, CallStep)]
    return frozenset(call.args[0] for call in calls if call.args and last_name(call.callee) in names)


def _exchanging(program: Program) -> frozenset[str]:
    """The last names of collectives."""
    return frozenset(name.rpartition(".")[2] for name in program.knowledge.collectives)


def _is_elsewhere(key: object, term: Term) -> bool:
    """Whether the key of something unknown says of which other term it is the value, and in which activation."""
    match key:
        case (Term() as other, Frame()):
            return other is not term
        case _:
            return False


def _is_object(value: Value) -> bool:
    """Whether a value is certainly not None: an object, a display."""
    if isinstance(value, Other):
        return isinstance(value.term, (List, Tuple, Dict, Set)) or (
            isinstance(value.term, Const) and value.term.value is not None
        )
    return isinstance(value, Instance)


def _operated(name: str, left: Amount, right: Amount) -> Amount:
    if left is None or right is None or name not in _OPERATE:
        return None
    try:
        result: Amount = _OPERATE[name](left, right)
    except (ArithmeticError, ValueError):
        return None
    return result if result is not None and abs(result) < _MOST else None


def _rounded(word: str, numbers: list[Amount]) -> Amount:
    known = [number for number in numbers if number is not None]
    if len(known) != len(numbers):
        return None
    if word in ("min", "max"):
        return _ROUND[word](known) if len(known) > 1 else None
    return _ROUND[word](known[0])
