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

from collections.abc import Iterator
from sys import intern
from typing import Any

#: Terms larger than this (as trees; shared parts are one object) become unknown: size must stay bounded.
LARGEST = 4000
#: So do terms with more levels than this: whoever walks terms, pickle included, may do so recursively.
DEEPEST = 80

#: Parts of a chain such as ``a.b().c``; how many of them are followed. Chains grow without being measured as a whole.
LINKS = ("a", "call")
_LONGEST_CHAIN = 40

_DEPTH_BITS = 8
_DEPTH_MASK = (1 << _DEPTH_BITS) - 1
_LARGEST_MEASURE = LARGEST << _DEPTH_BITS | _DEPTH_MASK


#: Terms without parts.
_LEAVES = frozenset(("c", "r", "g", "p", "self", "kw", "v", "lv", "fn", "cls"))
_LEAF = 1 << _DEPTH_BITS | 1  #: The measure of one of these.


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
        """How many terms hang below ``term`` (shared ones counted again); too many when they hang too deep."""
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
        if depth >= DEEPEST:
            size = max(size, LARGEST + 1)
        if depth < _DEPTH_MASK:
            depth += 1
        measures[term] = found = size << _DEPTH_BITS | depth
        return found


#: What means something else in each activation of a function: what it was given, what a loop is at, what it keeps in a container.
_OPEN = frozenset(("p", "kw", "self", "v", "lv", "elem", "enter", "fn", "cls", "said", "list", "set", "dict"))


def is_super(term: Term) -> bool:
    """Whether a term is ``super()``: the object itself, as its parents see it."""
    return is_call_of(term, "builtins.super")


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


def without_spots(term: Term) -> tuple[Any, ...] | Term:
    """What an expression says, wherever it stands: two that say the same are equal by it."""
    if term[0] in _LEAVES:
        return term
    parts = term[:4] if term[0] == "call" else term
    return tuple(_without_spots(part) for part in parts)


def _without_spots(part: Any) -> Any:
    if type(part) is Term:
        return without_spots(part)
    return tuple(map(_without_spots, part)) if type(part) is tuple else part


def mentions(term: Term, part: Term) -> bool:
    """Whether a term is a part of another, or that term itself."""
    return any(each is part for each in parts_of(term))


_FIXED = {"self": "self", "kw": "kwargs"}
_MADE_FROM = {"elem": "each", "enter": "entered"}
_NAME_AT = {"r": 1, "g": 1, "p": 2}
_PREFIX = {"not": "not ", "inv": "~"}


def show(term: Any) -> str:
    """A term as readable text, for ``trainlint dev ir`` and for messages that fail."""
    if not isinstance(term, Term):
        return repr(term)
    tag = term[0]
    if tag == "c":
        return repr(term[2])
    if tag in _FIXED:
        return _FIXED[tag]
    if tag in _NAME_AT:
        return str(term[_NAME_AT[tag]])
    if tag == "a":
        return f"{show(term[1])}.{term[2]}"
    if tag == "call":
        args = [show(arg) for arg in term[2]] + [f"{k}={show(v)}" if k else f"**{show(v)}" for k, v in term[3]]
        return f"{show(term[1])}({', '.join(args)})"
    if tag in _PREFIX:
        return f"{_PREFIX[tag]}{show(term[1])}"
    if tag in ("and", "or"):
        return "(" + f" {tag} ".join(show(part) for part in term[1]) + ")"
    if tag in ("cmp", "bin"):
        return f"({show(term[2])} {term[1]} {show(term[3])})"
    if tag == "if":
        return f"({show(term[2])} if {show(term[1])} else {show(term[3])})"
    if tag in ("tuple", "list", "set"):
        return f"{tag}({', '.join(show(part) for part in term[1])})"
    if tag == "dict":
        return "{" + ", ".join(f"{show(k)}: {show(v)}" for k, v in term[1]) + "}"
    if tag == "sub":
        return f"{show(term[1])}[{show(term[2])}]"
    if tag == "slice":
        return _show_slice(*term[1:])
    if tag in _MADE_FROM:
        return f"{_MADE_FROM[tag]}({show(term[1])})"
    return f"<{' '.join(map(_plain, term))}>"


def _plain(part: Any) -> str:
    return show(part) if isinstance(part, Term) else str(part)


def _show_slice(*bounds: Term) -> str:
    lower, upper, step = ("" if bound[0] == "c" and bound[2] is None else show(bound) for bound in bounds)
    return f"{lower}:{upper}:{step}" if step else f"{lower}:{upper}"
