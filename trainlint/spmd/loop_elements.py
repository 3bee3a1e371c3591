"""What a loop hands out, where all that is in a list is in sight: the words that it was written with or filled with."""

from __future__ import annotations

from typing import Any

from trainlint.facts.values import Frame
from trainlint.ir.nodes import Attr, Const, Element, List, Set, Subscript, Term, Tuple
from trainlint.ir.sketch import CallStep, Keep
from trainlint.ir.walk import statements_of
from trainlint.spmd.questions import Questions
from trainlint.spmd.symbols import UNKNOWN, Choice, Sym

_MOST = 8
_LITERALS = (List, Tuple, Set)
#: How table ``gathers`` says that a method puts its first argument into a list, as one item.
_FIRST = "0"


class Drawn(Questions):
    """The part of the evaluator that knows what loops over lists of words draw.

    Words only: loops over numbers may be the ranks' way to take turns, which is for the comparison of traces.
    """

    def word_drawn(self, item: Element, index: Const | None, frame: Frame) -> Any:
        """One of the words that a loop draws (the part of its items at ``index``); None when it may be anything else."""
        terms = self._items(item.of, frame)
        if not 0 < len(terms) <= _MOST:
            return None
        if index is not None:
            place = index.value
            parts = [term.items for term in terms if isinstance(term, (List, Tuple))]
            if type(place) is not int or len(parts) < len(terms) or any(not 0 <= place < len(items) for items in parts):
                return None
            terms = [items[place] for items in parts]
        words = [self.value(term, frame) for term in terms]
        if any(isinstance(word, UNKNOWN) or type(word) is not str for word in words):
            return None
        drawn = words[-1]
        for number, word in enumerate(words[:-1]):
            drawn = Choice(Sym(("drawn", item, index, frame, number)), word, drawn)
        return drawn

    def _items(self, subject: Term, frame: Frame) -> list[Term]:
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
