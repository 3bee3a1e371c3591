"""Small functions of the language that are computed where what they are given is known: ``min``, ``divmod``, ``any``, ..."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from trainlint.facts.literals import at, position
from trainlint.facts.values import Frame, Made, Other
from trainlint.ir.nodes import Attr, Call, Const, Dict, Global, List, Param, Set, Slice, Subscript, Term, Tuple, Unknown
from trainlint.spmd.concrete import Concrete
from trainlint.spmd.symbols import UNKNOWN, Choice, PerRank, Sym, Text, World, joined, until

#: Numbers that a comprehension is gone through for.
_FEW = 8
#: Functions of numbers that are computed.
COMPUTED: dict[str, Callable[..., Any]] = {
    "builtins.min": min,
    "builtins.max": max,
    "builtins.abs": abs,
    "builtins.divmod": divmod,
    "builtins.pow": pow,
}
#: Functions that return None.
ANSWER_NOTHING = ("builtins.print",)
#: Types of the bounds of a slice.
_BOUNDS = (int, World, type(None))
#: Methods of texts and lists that are computed.
_METHODS = frozenset(("startswith", "endswith", "index"))
#: Methods that give a text in another spelling; an unknown one is taken to be spelled like that already.
_RESPELLED = frozenset(("lower", "casefold", "strip", "lstrip", "rstrip"))
_QUANTIFIERS = ("builtins.any", "builtins.all")


class Worked(Concrete):
    """The part of the evaluator that computes them."""

    def worked_out(self, name: str, term: Call, frame: Frame) -> Any:
        """What a call of such a function gives; None where it is none, or nothing can be said."""
        arguments = term.args
        if name in _QUANTIFIERS and len(arguments) == 1:
            if isinstance(arguments[0], (List, Tuple, Set)):
                return self._among(arguments[0].items, name == "builtins.any", term, frame)
            return self._among_drawn(arguments[0], name == "builtins.any", frame)
        if name in COMPUTED and len(arguments) > 1:
            return self._computed_by(name, term, frame)
        found = self.computed_from_rank(name, term, frame)
        return self._computed_by(name, term, frame) if found is None and name in COMPUTED else found

    def of_method(self, callee: Attr, call: Call, frame: Frame) -> Any:
        """What a method of a text or list gives that is told, or asked about, something of the rank; None for all else."""
        name, arguments = callee.name, call.args
        if name in _RESPELLED and not arguments and not call.kwargs:
            return _respelled(self.value(callee.base, frame), name)
        if name not in _METHODS or len(arguments) != 1 or call.kwargs:
            return self.method_of_rank(callee, call, frame)
        if name == "index":
            wanted, asked = self.evaluate(arguments[0], frame)
            whole = self.container(callee.base, frame) if asked and not isinstance(wanted, UNKNOWN) else None
            if whole is None or wanted not in list(whole):
                return None
            self.asked = True
            return list(whole).index(wanted)
        text, asked = self.evaluate(callee.base, frame)
        part = self.value(arguments[0], frame)
        if not asked or type(text) not in (str, int, Text) or type(part) is not str:
            return None
        self.asked = True
        return bool(getattr(str(text), name)(part))

    def item_by_rank(self, base: Term, key: Term, default: Term | None, frame: Frame) -> Any:
        """An item of a list or dict that is written down, by a key that the rank decides; None where that is not so.

        ``default``: the term of what it is where there is no such key (None: that is an error).
        """
        if isinstance(key, (Const, Slice, Unknown)):
            return None
        wanted, asked = self.evaluate(key, frame)
        if not asked or isinstance(wanted, UNKNOWN):
            return None
        whole = self.container(base, frame) if isinstance(base, Unknown) else None
        if isinstance(whole, dict):
            self.asked = True
            return whole[wanted] if wanted in whole else None if default is None else self.value(default, frame)
        for value in self.program.values(base, frame):
            if not isinstance(value, Other) or not isinstance(value.term, (List, Tuple, Dict)):
                continue
            found = position(value.term, wanted)
            if found is None and default is None:
                return None
            self.asked = True
            if found is not None:
                return self.value(at(value.term, found), value.frame)
            return self.value(default, frame) if default is not None else None
        return None

    def length(self, term: Term, frame: Frame) -> int | None:
        """How many items are in a list that is written down, or in a slice of one; None where that is not known."""
        if isinstance(term, Subscript) and isinstance(term.key, Slice):
            whole = self.length(term.base, frame)
            bounds = [self.value(bound, frame) for bound in term.key.bounds]
            if whole is None or any(type(bound) not in _BOUNDS for bound in bounds):
                return None
            return len(range(*slice(*(None if bound is None else int(bound) for bound in bounds)).indices(whole)))
        numbers = self.range_of(term, frame) if isinstance(term, Call) else None
        if numbers is not None:
            return len(numbers)
        if isinstance(term, (List, Tuple, Global, Param)):
            for value in self.program.values(term, frame):
                if isinstance(value, Other) and isinstance(value.term, (List, Tuple)) and value.term.items:
                    return len(value.term.items)
                made = value.call if isinstance(value, Made) else None
                return self.length(made, value.frame) if made is not None and isinstance(value, Made) and value.frame else None
        return None

    def _among(self, items: tuple[Term, ...], stop: bool, key: Term, frame: Frame) -> Any:
        """``any`` of literal items (``stop`` True), or ``all`` of them."""
        value: Any = not stop
        for item in reversed(items):
            value = until(self.value(item, frame), stop, partial(_same, value), (key, frame))
        return value

    def _among_drawn(self, drawn: Term, stop: bool, frame: Frame) -> Any:
        """``any`` (``stop`` True) or ``all`` over a comprehension that goes over numbers, when the answer is the rank's."""
        made = frame.function.drawn.get(drawn)
        numbers = self.container(made.subject, frame) if made is not None else None
        if made is None or numbers is None or len(numbers) > _FEW or made.target in self.loops:
            return None
        values = []
        try:
            for number in numbers:
                self.loops[made.target] = number
                if all(self.value(test, frame) is True for test in made.tests):
                    values.append(self.value(made.item, frame))
        finally:
            self.loops.pop(made.target, None)
        if any(isinstance(value, UNKNOWN) for value in values):
            return None
        return any(values) if stop else all(values)

    def _computed_by(self, name: str, term: Call, frame: Frame) -> Any:
        """A small function of numbers, where they are known."""
        given = [self.evaluate(argument, frame) for argument in term.args]
        if any(isinstance(value, (*UNKNOWN, World)) for value, _ in given):
            told = zip(term.args, given, strict=True)
            if any(isinstance(value, PerRank) or (asked and self.differs(argument, frame)) for argument, (value, asked) in told):
                self.asked = True
                return PerRank((term, frame))
            return Sym((term, frame))
        try:
            return COMPUTED[name](*(value for value, _ in given))
        except (TypeError, ValueError, ArithmeticError):
            return Sym((term, frame))


def _same(value: Any) -> Any:
    return value


def _respelled(text: Any, name: str) -> Any:
    """A text after one of its methods; None where it is no text."""
    if isinstance(text, Choice):
        arms = [_respelled(arm, name) for arm in (text.then, text.other)]
        return None if None in arms else joined(text.condition, *arms)
    if isinstance(text, Sym) or type(text) in (int, Text):
        return text  # a number stands for its text (see ``builtins.str`` in the tables)
    return getattr(text, name)() if type(text) is str else None
