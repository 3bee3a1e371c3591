"""Terms of one file: made once each, bounded, walked, and called by their names. Their kinds are in :mod:`trainlint.ir.nodes`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from sys import intern
from typing import Any, TypeGuard, TypeVar

from trainlint.ir.nodes import (
    NAMED,
    UNKNOWNS,
    Asserted,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Composite,
    Const,
    Dict,
    Element,
    Entered,
    Global,
    Kwargs,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Not,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Set,
    Subscript,
    Term,
    Unknown,
)

_NUMBERS = re.compile(r"([0-9]+)")
_Kind = TypeVar("_Kind", bound="Term")
_Reached = TypeVar("_Reached", bound=Hashable)

#: Terms larger than this become unknown. What operators make is measured as a tree, since that is how it is read; what a call
#: gives is one part of that, whatever the call was made with: a training step of a hundred lines is one expression, in which each
#: line is used by many others.
LARGEST = 4000
#: So do terms with more levels than this: whoever walks terms, pickle included, may do so recursively. A call with more than a
#: hundred parts counts as more levels: what many calls in calls were made with must stay bounded, too.
DEEPEST = 80

#: Parts of a chain such as ``a.b().c``. Chains grow without being measured as a whole.
LINKS = (Attr, Call)
#: So many parts are written down of what grows by one at a time, and is written anew each time: a chain, the items that are put
#: into a container, the operands before a call, the tests around a place.
LONGEST = 64

#: Two numbers in one: how deep a term is, in hundredths of a level (no more than the bits say), and in the higher bits how large.
_DEPTH_BITS, _LEVEL = 16, 100
_DEPTH_MASK = (1 << _DEPTH_BITS) - 1
_TOO_DEEP = DEEPEST * _LEVEL
_LARGEST_MEASURE = LARGEST << _DEPTH_BITS | _DEPTH_MASK
#: That of a term without parts.
_LEAF = 1 << _DEPTH_BITS | _LEVEL


#: Terms without parts.
LEAVES = frozenset((Const, Ref, Global, Param, Self, Kwargs, Unknown, LoopPhi, Nested, NestedClass))
#: Terms with few parts.
_SHORT = frozenset((Attr, Compare, BinOp, Subscript, Not))


#: The names of the types of constants: asking such a type makes a new text each time, and there are more of these than of names.
_TYPES = {kind: kind.__name__ for kind in (bool, int, float, complex, str, bytes, type(None), type(...))}


class Terms:
    """The table that makes equal terms of one file one object."""

    def __init__(self) -> None:
        self._known: defaultdict[type[Term], dict[tuple[Any, ...], Term]] = defaultdict(dict)
        self._measures: dict[Term, int] = {}
        self._weights: dict[Term, int] = {}

    def make(self, kind: type[_Kind], *parts: Any) -> _Kind:
        """The term of this kind with these parts."""
        known = self._known[kind]
        found = known.get(parts)
        if found is None:
            found = known[parts] = kind(parts)
        return found  # type: ignore[return-value]  # the key has the kind

    def const(self, value: Any) -> Const:
        """A constant; the type is part of it because ``1 == True``."""
        return self.make(Const, _TYPES.get(type(value)) or type(value).__name__, value)

    def imported(self, dotted: str) -> Ref:
        """Something imported; its name is one text in all files, since most names are in many."""
        return self.make(Ref, intern(dotted))

    def size(self, term: Term) -> int:
        """How many terms hang below ``term``, down to calls (shared ones counted again); too many when they hang too deep."""
        return (self._measures.get(term) or self._measured(term)) >> _DEPTH_BITS

    def bounded(self, term: Term, line: int, column: int) -> Term:
        """``term`` itself, or an unknown value of that place when it has grown too large."""
        return term if self.fits(term) else self.make(Unknown, line, column)

    def fits(self, term: Term) -> bool:
        """Whether a term has not grown too large."""
        if type(term) in LEAVES:
            return True
        if type(term) in _SHORT:  # most are made of leaves: these are measured only where they become parts of others
            for part in term.subterms():
                if type(part) not in LEAVES:
                    break
            else:
                return True
        return (self._measures.get(term) or self._measured(term)) <= _LARGEST_MEASURE

    def composite(self, kind: type[Composite], line: int, column: int, pieces: tuple[Term, ...]) -> Term:
        """A value with these pieces; of pieces that are too much, with all texts in them, it has that they are there.

        A text is a leaf, however many others it holds: ``name = f"{name}{name}"``, thirty times, is a thousand million parts for
        who goes through them.
        """
        weights = [self._weight(piece) for piece in pieces]
        room = LARGEST - 1
        kept = list(pieces)
        for weight, number in sorted((weight, number) for number, weight in enumerate(weights)):
            if weight <= room - len(pieces):
                room -= weight
            else:
                kept[number] = self.make(Unknown, line, column, number)
        text = self.make(kind, line, column, tuple(kept))
        self._weights[text] = min(LARGEST - room + len(pieces), LARGEST)
        return self.bounded(text, line, column)

    def _weight(self, term: Term) -> int:
        known = self._weights.get(term)
        if known is None:
            known = 1
            if type(term) not in LEAVES:
                known = self._weights[term] = min(1 + sum(map(self._weight, term.subterms())), LARGEST)
        return known

    def _measured(self, term: Term) -> int:
        """Size and depth in one number: the size is in the higher bits."""
        size, depth, level = 1, 0, _LEVEL
        measures = self._measures
        unknown = isinstance(term, Unknown)
        for part in term.made_of() if unknown else term.subterms():
            measure = _LEAF if type(part) in LEAVES else measures.get(part) or self._measured(part)
            size += measure >> _DEPTH_BITS
            if depth < measure & _DEPTH_MASK:  # noqa: PLR1730 - a call of max() costs more than all the rest
                depth = measure & _DEPTH_MASK
        if type(term) is Call:
            level, size = max(level, size), 1
        elif unknown:
            size = 1
        if depth >= _TOO_DEEP and size <= LARGEST:
            size = LARGEST + 1
        depth += level
        if depth > _DEPTH_MASK:  # noqa: PLR1730
            depth = _DEPTH_MASK
        measures[term] = found = size << _DEPTH_BITS | depth
        return found


#: What means something else in each activation of a function: what it was given, what a loop is at, what it keeps in a container.
_OPEN = frozenset((Param, Kwargs, Self, *UNKNOWNS, LoopPhi, Element, Entered, Nested, NestedClass, Asserted, List, Set, Dict))


def is_super(term: Term) -> TypeGuard[Call]:
    """Whether a term is ``super()``: the object itself, as its parents see it."""
    return is_call_of(term, "builtins.super")


def is_true(term: Term) -> TypeGuard[Const]:
    """Whether a term is the constant ``True``."""
    return bool(isinstance(term, Const) and term.value is True)


def is_false(term: Term) -> bool:
    """Whether a term is a constant that counts as false."""
    return isinstance(term, Const) and not term.value


#: Functions and classes of a file, by their names.
OWN = (Global, Nested, NestedClass)


def is_call_of(term: Term, *names: str) -> TypeGuard[Call]:
    """Whether a term is a call of what one of these dotted names means."""
    return bool(isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name in names)


def applied(
    callee: Call, args: tuple[Term, ...], kwargs: tuple[tuple[str | None, Term], ...]
) -> tuple[Term, tuple[Term, ...], tuple[tuple[str | None, Term], ...]]:
    """What a call of a call runs, with what: ``partial(f, a)(b)`` is ``f(a, b)`` for a function ``f`` of this file.

    A library's function is left as it is written: repairs of its call count the arguments that stand there.
    """
    if not (is_call_of(callee, "functools.partial") and callee.args and isinstance(callee.args[0], OWN)):
        return callee, args, kwargs
    given = {name for name, _ in kwargs}
    return callee.args[0], (*callee.args[1:], *args), (*(each for each in callee.kwargs if each[0] not in given), *kwargs)


def is_closed(term: Term, known: dict[Term, bool]) -> bool:
    """Whether a term says the same in every activation of its function; ``known`` remembers it of all that was asked about."""
    found = known.get(term)
    if found is None:
        if type(term) in _OPEN or (isinstance(term, Ref) and term.name == "builtins.super"):
            found = False
        else:
            found = type(term) in LEAVES or all(is_closed(part, known) for part in term.subterms())
        known[term] = found
    return found


def is_long(term: Term) -> bool:
    """Whether a chain of attributes and calls has too many parts."""
    length = 0
    while isinstance(term, LINKS):
        term = term.stem
        length += 1
    return length > LONGEST


def is_text(term: Term) -> TypeGuard[Const]:
    """Whether a term is a text that is written down."""
    return isinstance(term, Const) and isinstance(term.value, str)


def is_own(term: Term, name: str) -> TypeGuard[Attr]:
    """Whether a term is the attribute of that name of the method's own object."""
    return isinstance(term, Attr) and isinstance(term.base, Self) and term.name == name


def whole_number(term: Term | None) -> int | None:
    """The whole number that is written there."""
    return term.value if isinstance(term, Const) and type(term.value) is int else None


def is_none(term: Term | None) -> bool:
    """Whether ``None`` is written there."""
    return isinstance(term, Const) and term.value is None


def container_of(term: Term) -> Term:
    """What an item, or an item of an item, is in."""
    while isinstance(term, Subscript):
        term = term.base
    return term


def parts_of(*terms: Term) -> Iterator[Term]:
    """Some terms and all terms in them, each once however often it is shared."""
    pending = list(dict.fromkeys(terms))
    seen = set(pending)
    while pending:
        current = pending.pop()
        yield current
        if type(current) not in LEAVES:
            fresh = [part for part in current.subterms() if part not in seen]
            seen.update(fresh)
            pending += fresh


def closure(starts: Iterable[_Reached], behind: Callable[[_Reached], Iterable[_Reached]]) -> Iterator[_Reached]:
    """These, and all that they lead to by ``behind``, each once, near ones first; a circle ends."""
    found = list(dict.fromkeys(starts))
    known = set(found)
    for current in found:  # grows meanwhile
        yield current
        fresh = dict.fromkeys(each for each in behind(current) if each not in known)
        known.update(fresh)
        found += fresh


def parts_through(term: Term, opened: Callable[[Term], Sequence[Term]]) -> Iterator[Term]:
    """A term, and of what is reached the parts that ``opened`` gives, each once however often it is shared."""
    pending, seen = [term], {term}
    while pending:
        current = pending.pop()
        yield current
        fresh = [part for part in opened(current) if part not in seen]
        seen.update(fresh)
        pending += fresh


def each_of(term: Term) -> Iterator[Term]:
    """What a term may be, one thing each: the arms of a choice, what a loop takes out of a display; else the term itself."""
    pending = [term]
    while pending:
        current = pending.pop()
        if isinstance(current, Select):
            pending += reversed(current.arms)
        elif isinstance(current, BoolOp):
            pending += reversed(current.operands)
        elif isinstance(current, Element) and isinstance(current.of, SequenceDisplay):
            pending += reversed(current.of.items)
        else:
            yield current


def all_parts(*terms: Term) -> Iterator[Term]:
    """Some terms and all that is in them, each once: what goes into texts, comprehensions and other unknown values, too."""
    return closure(terms, lambda each: (*each.subterms(), *each.pieces))


class Sayings:
    """What expressions say, wherever they stand: terms that say the same have one number, however much they share."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._of: dict[Term, int] = {}

    def of(self, term: Term) -> int:
        """The number of what a term says."""
        known = self._of.get(term)
        if known is None:
            parts = term.parts[:-1] if isinstance(term, Call) else term.parts  # where a call stands it does not say
            said = (type(term), *[self._part(part) for part in parts])
            known = self._of[term] = self._numbers.setdefault(said, len(self._numbers))
        return known

    def _part(self, part: Any) -> Any:
        if isinstance(part, Term):
            return (Term, self.of(part))
        return tuple([self._part(each) for each in part]) if type(part) is tuple else (type(part), part)


def mentions(term: Term, part: Term) -> bool:
    """Whether a term is a part of another, or that term itself."""
    return any(each is part for each in parts_of(term))


def chain_of(term: Term) -> tuple[str, ...]:
    """The names of attributes, from the outermost object on: ``config.DATA.SIZE`` is DATA, SIZE."""
    names: list[str] = []
    while isinstance(term, Attr):
        names.append(term.name)
        term = term.base
    return tuple(reversed(names))


def root_of(term: Term) -> Term:
    """What a chain of attributes begins with."""
    while isinstance(term, Attr):
        term = term.base
    return term


def dotted_name(term: Term) -> str | None:
    """The dotted name of something that is imported, or an attribute of it."""
    root = root_of(term)
    return ".".join((root.name, *chain_of(term))) if isinstance(root, Ref) else None


def in_numeric_order(text: str) -> list[str | int]:
    """What to sort a text by that has the numbers of lines in it: where they are compared, they are compared as numbers.

    As texts they would change places when a comment is written above them ("9" comes behind "10").
    """
    return [int(part) if number % 2 else part for number, part in enumerate(_NUMBERS.split(text))]


def text_of(term: Term) -> str | None:
    """A text that is written down, or the name by which a term goes."""
    said = term.value if isinstance(term, Const) else term.name if isinstance(term, NAMED) else None
    return said if isinstance(said, str) else None
