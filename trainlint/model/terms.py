"""Terms: small immutable descriptions of where a value comes from.

A term is what remains of an expression when its file has been lowered: names are already followed to what they were
bound to on the way there, so ``main`` in ``if main:`` is the term of ``dist.get_rank() == 0`` when that was assigned
before. A term never holds an ``ast`` node. Within one file equal terms are one object (see :class:`Terms`), so they are
compared and hashed by identity.

Kinds of term, by their first element:

========  =======================================================================================
``c``     constant: type, value
``r``     something imported: dotted name (leading dots: relative to the file's package)
``g``     name of the file's own top level: name
``p``     parameter of a function: qualified name of the function, name of the parameter
``kw``    the ``**kwargs`` of a function: qualified name of the function
``self``  the instance a method runs on: qualified name of the class
``a``     attribute: base, name
``call``  call: callee, positional arguments, keyword arguments ((name or None, term) pairs), spot
``not``   negation: operand
``inv``   ``~x``, item by item: operand
``and``, ``or``  operands
``cmp``   comparison: operator class name, left, right
``bin``   arithmetic: operator class name, left, right
``if``    one of two values: condition, value if true, value otherwise
``tuple``, ``list``, ``set``  items (an empty list: line, column)
``dict``  (key, value) pairs, line, column
``sub``   item of a container: container, key
``slice`` a key ``a:b:c``: lower, upper, step (the constant ``None`` for what is not written); one whose
          bounds are constants, or unknown, is unknown itself
``elem``  what a loop or comprehension binds: iterated term, line, column of the loop
``enter`` what ``with … as`` binds: context manager
``fn``    a nested function or a lambda: qualified name
``cls``   a nested class: qualified name
``lv``    a name whose value changes in a loop: name, line, column, "in" or "after"
``said``  a value of which a comment says something: word (``uniform``, ``per-rank``), the value
``v``     unknown value: line, column (one symbol for each place)
========  =======================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from sys import intern
from typing import Any

#: Terms larger than this become unknown. What operators make is measured as a tree, since that is how it is read; what a call
#: gives is one part of that, whatever the call was made with: a training step of a hundred lines is one expression, in which each
#: line is used by many others.
LARGEST = 4000
#: So do terms with more levels than this: whoever walks terms, pickle included, may do so recursively. A call with more than a
#: hundred parts counts as more levels: what many calls in calls were made with must stay bounded, too.
DEEPEST = 80

#: Parts of a chain such as ``a.b().c``; how many of them are followed. Chains grow without being measured as a whole.
LINKS = ("a", "call")
_LONGEST_CHAIN = 40

#: Two numbers in one: how deep a term is, in hundredths of a level (no more than the bits say), and in the higher bits how large.
_DEPTH_BITS, _LEVEL = 16, 100
_DEPTH_MASK = (1 << _DEPTH_BITS) - 1
_TOO_DEEP = DEEPEST * _LEVEL
_LARGEST_MEASURE = LARGEST << _DEPTH_BITS | _DEPTH_MASK


#: Terms without parts.
_LEAVES = frozenset(("c", "r", "g", "p", "self", "kw", "v", "lv", "fn", "cls"))
_LEAF = 1 << _DEPTH_BITS | _LEVEL  #: The measure of one of these.


#: The names of the types of constants: asking such a type makes a new text each time, and there are more of these than of names.
_TYPES = {kind: kind.__name__ for kind in (bool, int, float, complex, str, bytes, type(None), type(...))}


class Term(tuple[Any, ...]):
    """An interned tuple; hashed and compared by identity."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __reduce__(self) -> tuple[Any, ...]:
        # Identity is lost on the way to another process; within one module's pickle it is kept by the memo.
        return (Term, (tuple(self),))


class Terms:
    """The table that makes equal terms of one file one object."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Term] = {}
        self._measures: dict[Term, int] = {}
        self._weights: dict[Term, int] = {}

    def make(self, *parts: Any) -> Term:
        """The term with these parts (tag first)."""
        found = self._known.get(parts)
        if found is None:
            found = self._known[parts] = Term(parts)
        return found

    def const(self, value: Any) -> Term:
        """A constant; the type is part of it because ``1 == True``."""
        return self.make("c", _TYPES.get(type(value)) or type(value).__name__, value)

    def imported(self, dotted: str) -> Term:
        """Something imported; its name is one text in all files, since most names are in many."""
        return self.make("r", intern(dotted))

    def size(self, term: Term) -> int:
        """How many terms hang below ``term``, down to calls (shared ones counted again); too many when they hang too deep."""
        return (self._measures.get(term) or self._measured(term)) >> _DEPTH_BITS

    def bounded(self, term: Term, line: int, column: int) -> Term:
        """``term`` itself, or an unknown value of that place when it has grown too large."""
        if term[0] in _LEAVES:
            return term
        if (self._measures.get(term) or self._measured(term)) > _LARGEST_MEASURE:
            return self.make("v", line, column)
        return term

    def write_down(self, texts: dict[Term, tuple[Term, ...]], text: Term, parts: tuple[Term, ...]) -> None:
        """Write in ``texts`` what a text is made of; of parts that are too much, with all texts in them, that they are there.

        A text is a leaf, however many others it holds: ``name = f"{name}{name}"``, thirty times, is a thousand million parts for
        who goes through them.
        """
        weights = [self._weight(part) for part in parts]
        room = LARGEST - 1
        kept = list(parts)
        for weight, number in sorted((weight, number) for number, weight in enumerate(weights)):
            if weight <= room - len(parts):
                room -= weight
            else:
                kept[number] = self.make("v", text[1], text[2], number)
        self._weights[text] = min(LARGEST - room + len(parts), LARGEST)
        texts[text] = tuple(kept)

    def _weight(self, term: Term) -> int:
        known = self._weights.get(term)
        if known is None:
            known = 1
            if term[0] not in _LEAVES:
                known = self._weights[term] = min(1 + sum(map(self._weight, subterms(term))), LARGEST)
        return known

    def _measured(self, term: Term) -> int:
        """Size and depth in one number: the size is in the higher bits."""
        size, depth = 1, 0
        measures = self._measures
        for part in term:
            kind = type(part)
            if kind is Term:
                measure = _LEAF if part[0] in _LEAVES else measures.get(part) or self._measured(part)
                size += measure >> _DEPTH_BITS
                if depth < measure & _DEPTH_MASK:  # noqa: PLR1730 - a call of max() costs more than all the rest
                    depth = measure & _DEPTH_MASK
            elif kind is tuple:
                for below in _inside(part):
                    measure = _LEAF if below[0] in _LEAVES else measures.get(below) or self._measured(below)
                    size += measure >> _DEPTH_BITS
                    if depth < measure & _DEPTH_MASK:  # noqa: PLR1730
                        depth = measure & _DEPTH_MASK
        level = _LEVEL
        if term[0] == "call":
            level, size = max(level, size), 1
        if depth >= _TOO_DEEP and size <= LARGEST:
            size = LARGEST + 1
        depth += level
        if depth > _DEPTH_MASK:  # noqa: PLR1730
            depth = _DEPTH_MASK
        measures[term] = found = size << _DEPTH_BITS | depth
        return found


#: What means something else in each activation of a function: what it was given, what a loop is at, what it keeps in a container.
_OPEN = frozenset(("p", "kw", "self", "v", "lv", "elem", "enter", "fn", "cls", "said", "list", "set", "dict"))


def is_super(term: Term) -> bool:
    """Whether a term is ``super()``: the object itself, as its parents see it."""
    return is_call_of(term, "builtins.super")


def is_true(term: Term) -> bool:
    """Whether a term is the constant ``True``."""
    return bool(term[0] == "c" and term[2] is True)


def is_call_of(term: Term, name: str) -> bool:
    """Whether a term is a call of what this dotted name means."""
    return bool(term[0] == "call" and term[1][0] == "r" and term[1][1] == name)


def is_closed(term: Term, known: dict[Term, bool]) -> bool:
    """Whether a term says the same in every activation of its function; ``known`` remembers it of all that was asked about."""
    found = known.get(term)
    if found is None:
        tag = term[0]
        if tag in _OPEN or (tag == "r" and term[1] == "builtins.super"):
            found = False
        else:
            found = tag in _LEAVES or all(is_closed(part, known) for part in subterms(term))
        known[term] = found
    return found


def is_long(term: Term) -> bool:
    """Whether a chain of attributes and calls has too many parts."""
    length = 0
    while term[0] in LINKS:
        term = term[1]
        length += 1
    return length > _LONGEST_CHAIN


def _inside(part: tuple[Any, ...]) -> list[Term]:
    """The terms in a part that is a plain tuple: items, or pairs with terms in them."""
    found: list[Term] = []
    for item in part:
        if type(item) is Term:
            found.append(item)
        elif type(item) is tuple:
            found.extend([deeper for deeper in item if type(deeper) is Term])
    return found


def subterms(term: Term) -> list[Term]:
    """The direct parts of a term that are terms themselves, in order."""
    found: list[Term] = []
    for part in term:
        if type(part) is Term:
            found.append(part)
        elif type(part) is tuple:
            found += _inside(part)
    return found


def parts_of(*terms: Term) -> Iterator[Term]:
    """Some terms and all terms in them, each once however often it is shared."""
    pending = list(dict.fromkeys(terms))
    seen = set(pending)
    while pending:
        current = pending.pop()
        yield current
        if current[0] not in _LEAVES:
            fresh = [part for part in subterms(current) if part not in seen]
            seen.update(fresh)
            pending += fresh


def parts_through(term: Term, opened: Callable[[Term], Sequence[Term]]) -> Iterator[Term]:
    """A term, and of what is reached the parts that ``opened`` gives, each once however often it is shared."""
    pending, seen = [term], {term}
    while pending:
        current = pending.pop()
        yield current
        fresh = [part for part in opened(current) if part not in seen]
        seen.update(fresh)
        pending += fresh


class Sayings:
    """What expressions say, wherever they stand: terms that say the same have one number, however much they share."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._of: dict[Term, int] = {}

    def of(self, term: Term) -> int:
        """The number of what a term says."""
        known = self._of.get(term)
        if known is None:
            said = tuple([self._part(part) for part in (term[:4] if term[0] == "call" else term)])
            known = self._of[term] = self._numbers.setdefault(said, len(self._numbers))
        return known

    def _part(self, part: Any) -> Any:
        if type(part) is Term:
            return (Term, self.of(part))
        return tuple([self._part(each) for each in part]) if type(part) is tuple else (type(part), part)


def mentions(term: Term, part: Term) -> bool:
    """Whether a term is a part of another, or that term itself."""
    return any(each is part for each in parts_of(term))


_FIXED = {"self": "self", "kw": "kwargs"}
_MADE_FROM = {"elem": "each", "enter": "entered"}
_NAME_AT = {"r": 1, "g": 1, "p": 2}
_PREFIX = {"not": "not ", "inv": "~"}
#: How many parts of a term are shown (shared ones again and again).
_SHOWN = 4000


def show(term: Any) -> str:
    """A term as readable text, for ``trainlint dev ir`` and for messages that fail; of a very large one the beginning."""
    return _Showing().text(term)


class _Showing:
    """Writes one term down."""

    def __init__(self) -> None:
        self.left = _SHOWN

    def text(self, term: Any) -> str:
        """A term, or a part of one, as far as there is room."""
        if not isinstance(term, Term):
            return repr(term)
        self.left -= 1
        if self.left < 0:
            return "…"
        tag = term[0]
        if tag == "c":
            return repr(term[2])
        if tag in _FIXED:
            return _FIXED[tag]
        if tag in _NAME_AT:
            return str(term[_NAME_AT[tag]])
        if tag == "a":
            return f"{self.text(term[1])}.{term[2]}"
        if tag == "call":
            return f"{self.text(term[1])}({', '.join((*map(self.text, term[2]), *(self._keyword(k, v) for k, v in term[3])))})"
        if tag in _PREFIX:
            return f"{_PREFIX[tag]}{self.text(term[1])}"
        if tag in ("and", "or"):
            return "(" + f" {tag} ".join(map(self.text, term[1])) + ")"
        if tag in ("cmp", "bin"):
            return f"({self.text(term[2])} {term[1]} {self.text(term[3])})"
        if tag == "if":
            return f"({self.text(term[2])} if {self.text(term[1])} else {self.text(term[3])})"
        return self._container(tag, term)

    def _container(self, tag: str, term: Term) -> str:
        if tag in ("tuple", "list", "set"):
            return f"{tag}({', '.join(map(self.text, term[1]))})"
        if tag == "dict":
            return "{" + ", ".join(f"{self.text(k)}: {self.text(v)}" for k, v in term[1]) + "}"
        if tag == "sub":
            return f"{self.text(term[1])}[{self.text(term[2])}]"
        if tag == "slice":
            return self._slice(*term[1:])
        if tag in _MADE_FROM:
            return f"{_MADE_FROM[tag]}({self.text(term[1])})"
        return f"<{' '.join(map(self._plain, term))}>"

    def _keyword(self, name: str | None, value: Term) -> str:
        return f"{name}={self.text(value)}" if name else f"**{self.text(value)}"

    def _plain(self, part: Any) -> str:
        return self.text(part) if isinstance(part, Term) else str(part)

    def _slice(self, *bounds: Term) -> str:
        lower, upper, step = ("" if bound[0] == "c" and bound[2] is None else self.text(bound) for bound in bounds)
        return f"{lower}:{upper}:{step}" if step else f"{lower}:{upper}"
