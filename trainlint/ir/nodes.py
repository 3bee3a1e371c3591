"""The kinds of term: small immutable descriptions of where a value comes from.

A term is what remains of an expression when its file has been lowered: names are already followed to what they were
bound to on the way there, so ``main`` in ``if main:`` is the term of ``dist.get_rank() == 0`` when that was assigned
before. A term never holds an ``ast`` node. Within one file equal terms are one object (see
:class:`~trainlint.ir.terms.Terms`), so they are compared and hashed by identity.

Kinds are told apart by ``isinstance`` or ``type``; what a term is made of has names. Where Python's ``ast`` has the same
thing, it has the same name here.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from trainlint.finding import Spot

_Kind = TypeVar("_Kind", bound="Term")

#: What reads an item of a tuple by a name, for as many as a term has parts.
_AT = [each for name, each in vars(namedtuple("_Parts", "a b c d e f g h")).items() if len(name) == 1]  # noqa: PYI024


if TYPE_CHECKING:

    class _Parts:
        """What a term is to who reads it: no tuple, whose items would have numbers."""

        def __init__(self, parts: tuple[Any, ...]) -> None:
            """One with these parts."""

else:
    _Parts = tuple


class Term(_Parts):
    """An interned tuple whose items have names; hashed and compared by identity."""

    __slots__ = ()
    __hash__ = object.__hash__
    #: No part is read by its number.
    __getitem__: ClassVar[None] = None
    tag: ClassVar[str] = ""
    #: The names of its parts, in order.
    fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, tag: str = "", stem: bool = False) -> None:
        cls.tag = tag
        cls.fields = (*cls.fields, *(name for name in cls.__annotations__ if name != "stem"))
        for name, at in (*zip(cls.fields, _AT, strict=False), *((("stem", _AT[0]),) if stem else ())):
            setattr(cls, name, at)

    @classmethod
    def new(cls: type[_Kind], *parts: Any) -> _Kind:  # noqa: PYI019 - Python 3.10 has no Self
        """One with these parts that is in no table: no other is the same."""
        return cls(parts)

    @property
    def parts(self) -> tuple[Any, ...]:
        """All it is made of, in order."""
        return tuple(self)  # type: ignore[arg-type]

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return []

    @property
    def pieces(self) -> tuple[Term, ...]:
        """What goes into it, if it is a :class:`Composite`."""
        return ()

    def made_of(self) -> list[Term]:
        """Its direct parts, those of an :class:`Unknown` too, into which no other question about a term looks."""
        return self.subterms()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __reduce__(self) -> tuple[Any, ...]:
        # Identity is lost on the way to another process; within one module's pickle it is kept by the memo.
        return (type(self), (self.parts,))


class Const(Term, tag="c"):
    """A constant. The name of its type is part of it because ``1 == True``."""

    __slots__ = ()
    type: str
    value: Any


class Ref(Term, tag="r"):
    """Something imported, or a builtin: its dotted name (leading dots: relative to the file's package)."""

    __slots__ = ()
    name: str


class Global(Term, tag="g"):
    """A name of the file's own top level."""

    __slots__ = ()
    name: str


class Param(Term, tag="p"):
    """A parameter of a function, whose qualified name it has."""

    __slots__ = ()
    function: str
    name: str


class Kwargs(Term, tag="kw"):
    """The ``**kwargs`` of a function, whose qualified name it has."""

    __slots__ = ()
    function: str


class Self(Term, tag="self"):
    """The instance a method runs on: the qualified name of the class."""

    __slots__ = ()
    cls: str


class Access(Term, stem=True):
    """An attribute or an item of ``base``."""

    __slots__ = ()
    stem: Term
    base: Term

    @property
    def selector(self) -> object:
        """The attribute's name, or the key if that is a constant; None for other keys."""
        return None


class Attr(Access, tag="a"):
    """``base.name``."""

    __slots__ = ()
    name: str

    @property
    def selector(self) -> str:
        """Its name."""
        return self.name

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.base]


class Call(Term, tag="call", stem=True):
    """A call; arguments by keyword are pairs of a name (``None``: ``**``) and a value."""

    __slots__ = ()
    stem: Term
    callee: Term
    args: tuple[Term, ...]
    kwargs: tuple[tuple[str | None, Term], ...]
    site: Spot

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        found = [self.callee, *self.args]
        if self.kwargs:
            found += [value for _, value in self.kwargs]
        return found


class Not(Term, tag="not"):
    """``not operand``."""

    __slots__ = ()
    operand: Term

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.operand]


class Invert(Term, tag="inv"):
    """``~operand``, item by item."""

    __slots__ = ()
    operand: Term

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.operand]


class BoolOp(Term):
    """Conditions that are joined."""

    __slots__ = ()
    operands: tuple[Term, ...]

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [*self.operands]


class And(BoolOp, tag="and"):
    """``a and b and …``."""

    __slots__ = ()


class Or(BoolOp, tag="or"):
    """``a or b or …``."""

    __slots__ = ()


class BinaryOp(Term):
    """What is done with two values; the operator has the name of its class in ``ast``."""

    __slots__ = ()
    op: str
    left: Term
    right: Term

    @property
    def sides(self) -> tuple[Term, Term]:
        """Both values."""
        return self.left, self.right

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.left, self.right]


class Compare(BinaryOp, tag="cmp"):
    """A comparison."""

    __slots__ = ()


class BinOp(BinaryOp, tag="bin"):
    """Arithmetic."""

    __slots__ = ()


class Select(Term, tag="if"):
    """One of two values: ``then if test else other``, or what a name is bound to behind an ``if``."""

    __slots__ = ()
    test: Term
    then: Term
    other: Term

    @property
    def arms(self) -> tuple[Term, Term]:
        """The two values."""
        return self.then, self.other

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.test, self.then, self.other]


class Display(Term):
    """A container that is written down with what is in it."""

    __slots__ = ()

    @property
    def values(self) -> tuple[Term, ...]:
        """Its items; of a dict those under its keys."""
        return ()


class ItemDisplay(Display):
    """One of items: a tuple, a list, a set."""

    __slots__ = ()
    items: tuple[Term, ...]

    @property
    def values(self) -> tuple[Term, ...]:
        """Its items."""
        return self.items

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [*self.items]


class SequenceDisplay(ItemDisplay):
    """One of items in order: a tuple, a list."""

    __slots__ = ()


class Tuple(SequenceDisplay, tag="tuple"):
    """A tuple display."""

    __slots__ = ()


class List(SequenceDisplay, tag="list"):
    """A list display; an empty one is told apart by its place."""

    __slots__ = ()
    line: int
    column: int


class Set(ItemDisplay, tag="set"):
    """A set display."""

    __slots__ = ()


class Dict(Display, tag="dict"):
    """A dict display: pairs of key and value, and its place."""

    __slots__ = ()
    items: tuple[tuple[Term, Term], ...]
    line: int
    column: int

    @property
    def values(self) -> tuple[Term, ...]:
        """What is under its keys."""
        return tuple([value for _, value in self.items])

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [part for pair in self.items for part in pair]


class Subscript(Access, tag="sub"):
    """``base[key]``."""

    __slots__ = ()
    key: Term

    @property
    def selector(self) -> object:
        """Its key, if that is a constant."""
        return self.key.value if isinstance(self.key, Const) else None

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.base, self.key]


class Slice(Term, tag="slice"):
    """A key ``lower:upper:step``, with the constant ``None`` for what is not written.

    One whose bounds are constants, or unknown, is unknown itself.
    """

    __slots__ = ()
    lower: Term
    upper: Term
    step: Term

    @property
    def bounds(self) -> tuple[Term, Term, Term]:
        """All three."""
        return self.lower, self.upper, self.step

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.lower, self.upper, self.step]


class Element(Term, tag="elem", stem=True):
    """What a loop or a comprehension binds: an element of what is iterated, and where the loop stands."""

    __slots__ = ()
    stem: Term
    of: Term
    line: int
    column: int

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.of]


class Entered(Term, tag="enter", stem=True):
    """What ``with … as`` binds."""

    __slots__ = ()
    stem: Term
    manager: Term

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.manager]


class Nested(Term, tag="fn"):
    """A nested function or a lambda: its qualified name."""

    __slots__ = ()
    name: str


class NestedClass(Term, tag="cls"):
    """A nested class: its qualified name."""

    __slots__ = ()
    name: str


class LoopPhi(Term, tag="lv"):
    """A name whose value changes in a loop: the name, where the loop stands, and ``at`` its ``"head"`` or its ``"exit"``."""

    __slots__ = ()
    name: str
    line: int
    column: int
    at: str

    @property
    def place(self) -> tuple[str, int, int]:
        """The name and the loop."""
        return self.name, self.line, self.column


class Asserted(Term, tag="said"):
    """A value of which a comment says something: a word (``uniform``, ``per-rank``) and the value."""

    __slots__ = ()
    word: str
    value: Term

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.value]


class Unknown(Term, tag="v"):
    """A value that is not worked out: one symbol for each place, and for each of several at one place.

    Those of which more is known than the place are of a kind below. They are leaves all the same: what they are
    made of is asked for by name, or with :meth:`Term.made_of`.
    """

    __slots__ = ()
    line: int
    column: int


class Composite(Unknown, tag="made"):
    """A value of which is known what goes into it: its ``pieces``, in order."""

    __slots__ = ()
    pieces: tuple[Term, ...]

    def made_of(self) -> list[Term]:
        """Its pieces."""
        return [*self.pieces]


class Format(Composite, tag="text"):
    """An f-string. A piece with a written format is as in ``"%04d" % value``."""

    __slots__ = ()


class Augmented(Composite, tag="grown"):
    """What an attribute holds after ``+=`` and its like: the attribute, and what is added."""

    __slots__ = ()


class Collected(Unknown, tag="collected"):
    """What a comprehension makes: ``kind`` is ``list``, ``set``, ``dict`` or ``generator``.

    One with several ``for`` is of this kind itself: of its items nothing is known.
    """

    __slots__ = ()
    kind: str


class Comprehension(Collected, tag="comp"):
    """A comprehension with one ``for``.

    It has what that goes over and what it binds, its tests, an item (of a dict the value), and the key of a dict.
    """

    __slots__ = ()
    of: Term
    target: Term
    tests: tuple[Term, ...]
    item: Term
    key: Term | None

    def made_of(self) -> list[Term]:
        """What it goes over and binds, its tests, item and key."""
        made = [self.of, self.target, *self.tests, self.item]
        return made if self.key is None else [*made, self.key]


class MatMul(Unknown, tag="@"):
    """``a @ b``, or a chain of these (``a @ b @ c``), and where it is written."""

    __slots__ = ()
    factors: tuple[Term, ...]
    site: Spot

    def made_of(self) -> list[Term]:
        """What is multiplied."""
        return [*self.factors]


class Star(Unknown, tag="*"):
    """``*of`` in a call or a display: nobody knows how many items."""

    __slots__ = ()
    of: Term

    def made_of(self) -> list[Term]:
        """What the items are of."""
        return [self.of]


class Round(Term, tag="round"):
    """A condition in one round of an unrolled loop."""

    __slots__ = ()
    condition: Term
    number: int

    def subterms(self) -> list[Term]:
        """Its direct parts that are terms themselves, in order."""
        return [self.condition]


# -- kinds that are asked about together -------------------------------------------------------------------------------

#: What has a name of its own: a parameter, an attribute, a global, something imported.
NAMED = (Param, Attr, Global, Ref)
#: What an assignment binds.
VARIABLES = (Param, Attr, Global, LoopPhi)
#: What an object may come from that is followed no further.
OBJECTS = (*VARIABLES, Call)
#: What has a name of any of both sorts.
NAMES = (Param, Attr, Global, Ref, LoopPhi)
#: What is written down as it is.
LITERALS = (Const, Display)
#: The kinds of unknown value: who looks a kind up in a table enters all of them.
UNKNOWNS: tuple[type[Unknown], ...] = (Unknown, Format, Augmented, Collected, Comprehension, MatMul, Star)
