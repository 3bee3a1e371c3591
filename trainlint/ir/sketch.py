"""The sketch of a function: its statements in a small structured form, with terms in place of expressions.

Only what an analysis can ask about is kept: calls (in the order in which they run), stores to attributes and globals,
bindings of local names, branches, loops, exits. A sketch is immutable data without ``ast`` nodes, so the tree of a file can
be dropped as soon as the file is lowered. Spots are the parser's (1-based lines, 0-based byte columns).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import UNKNOWNS, Call, Compare, Const, LoopPhi, Star, Term, Unknown

if TYPE_CHECKING:
    from trainlint.ir.order import Order


class CallStep(NamedTuple):
    """A call that runs here. ``term.site`` is its spot; ``statement`` the spot of the whole statement around it."""

    term: Call
    statement: Spot


class Store(NamedTuple):
    """A value bound to what outlives the function: an attribute, a global, or a name of a function around (``LoopPhi``).

    ``kind`` is as in :class:`Keep`.
    """

    target: Term
    value: Term
    spot: Spot
    kind: str = "Assign"


class Bind(NamedTuple):
    """A local name holds a value from here on; None: it is gone (``del``).

    That is so behind an assignment, an import, a definition, ``:=``, ``with … as``, at the head of each round of a ``for``, and
    behind a branch or a ``try`` whose ways leave different values (the spot is that of the branch then, the value a ``Select``).
    ``kind`` is as in :class:`Keep` for an assignment (``AugAssign`` may change the very object that the name held), else empty.
    """

    name: str
    value: Term | None
    spot: Spot
    kind: str = ""


class Keep(NamedTuple):
    """A value bound to something that may be there in the next round of a loop, or in the next call.

    ``target`` is a name that a loop carries from one round to the next (its ``LoopPhi``, "head"; ``value`` holds that same
    term when the old value goes into the new one), an item (``Subscript``), or an attribute that ``+=`` and its like change.
    ``kind`` is the parser's class of the statement: ``Assign``, ``AugAssign``, ``AnnAssign``.
    """

    target: Term
    value: Term
    spot: Spot
    kind: str


class If(NamedTuple):
    """A branch: also ``elif``, conditional expressions, ``and``/``or`` with calls in them, ``assert`` and ``match``.

    ``falls`` says of both arms whether control runs past their ends.
    """

    condition: Term
    body: Block
    orelse: Block
    spot: Spot
    test: Spot
    falls: tuple[bool, bool] = (True, True)


class Choice(NamedTuple):
    """A branch that runs nothing: all that its arms do is to bind names, or not even that (``1 if short else 2``)."""

    condition: Term
    body: Block
    orelse: Block
    spot: Spot
    test: Spot
    falls: tuple[bool, bool] = (True, True)

    @property
    def asks(self) -> bool:
        """Whether it asks about a value, neither constant nor unknown anyway, and not only whether it is the very same thing."""
        test = self.condition
        return type(test) not in _SETTLED and not (isinstance(test, Compare) and test.op in _IDENTITY)


class Loop(NamedTuple):
    """A ``for`` (``subject`` is what it iterates over) or ``while`` (``subject`` is its condition) or a comprehension.

    ``drawn`` is how many steps at the head of the body bind the names of the loop itself.
    """

    kind: str
    subject: Term
    target: Term | None
    names: tuple[str, ...]
    body: Block
    orelse: Block
    spot: Spot
    drawn: int = 0


class Imported(NamedTuple):
    """A name that an import binds, and the dotted name it stands for.

    ``statement`` is the spot of the import, ``function`` the qualified name of the function it stands in. ``tests`` are the
    conditions of the branches around it, and :data:`ATTEMPT` for a ``try`` with handlers.
    ``whence`` is the module of a ``from … import``.
    """

    name: str
    dotted: str
    statement: Spot
    function: str
    tests: tuple[Term | str, ...]
    whence: str | None = None


#: Among the tests around something: a ``try`` with handlers.
ATTEMPT = "try"


class Caught(NamedTuple):
    """What a handler catches: a class, a tuple of classes, or None for everything; and where it says so."""

    kinds: Term | None
    spot: Spot


class Try(NamedTuple):
    """``try``: the body, one block for each handler, ``else`` and ``finally``; and what each handler catches.

    ``falls`` says whether control runs past the end of the body and its ``else``, and past that of each handler.
    """

    body: Block
    handlers: tuple[Block, ...]
    orelse: Block
    final: Block
    spot: Spot
    caught: tuple[Caught, ...] = ()
    falls: tuple[bool, ...] = (True,)


class With(NamedTuple):
    """``with``: the context managers in order, and the body."""

    items: tuple[Term, ...]
    body: Block
    spot: Spot


class Exit(NamedTuple):
    """A way out: ``return`` (and a value), ``raise`` (and an error), ``break``, ``continue``, or ``exit`` (the process ends).

    An ``exit`` has an error, too, where the process surely ends as one that failed (``sys.exit(1)``, ``sys.exit("no file")``).
    """

    kind: str
    value: Term | None
    spot: Spot
    error: Term | None = None


class Yield(NamedTuple):
    """A ``yield``: where the body of a ``with`` runs when the function is a context manager; ``whole``: ``yield from``."""

    value: Term | None
    spot: Spot
    whole: bool


#: Tests that ask about no value: constants, what is unknown anyway, whether something is the very same thing.
_SETTLED = frozenset((Const, *UNKNOWNS))
_IDENTITY = frozenset(("Is", "IsNot"))

Statement = CallStep | Store | Keep | Bind | If | Choice | Loop | Try | With | Exit | Yield
Block = tuple[Statement, ...]

#: Steps that run nothing of their own.
SILENT = frozenset((Bind, Choice))


def runs(block: Block) -> bool:
    """Whether anything in a block runs."""
    return not SILENT.issuperset(map(type, block))


class Held(NamedTuple):
    """What local names hold: at the end of the function, and at the end of a round of the last loop that binds them."""

    end: dict[str, Term]
    rounds: dict[str, Term]


class Phi(NamedTuple):
    """What a name may hold that is not the same in every round (its ``LoopPhi``), by how control got there; None: not known.

    At the head of a loop, for a name that was bound before it and that a round binds: ``entry`` is what it held before the first
    round, ``back`` what it holds at the end of a round. At the exit ``entry`` is None and ``back`` what it held at the end of the
    last round, where that says where it came from (a call, arithmetic, a choice). For a name that a nested function declares
    ``nonlocal`` ``entry`` is what it held before that function was there, or is bound to later, and ``back`` None.
    """

    entry: Term | None
    back: Term | None

    @property
    def looped(self) -> tuple[Term, ...]:
        """What a loop leaves in the name, as far as it is known: nothing, where a nested function binds it."""
        if self.back is None:
            return ()
        return (self.back,) if self.entry is None else (self.entry, self.back)


class _Nothing(dict[Any, Any]):
    """An empty table that stays so, since many functions have it."""

    def __setitem__(self, key: object, value: object) -> None:
        raise TypeError


_NOTHING = _Nothing()


@dataclass(eq=False, repr=False, slots=True)
class Function:
    """A function, method, lambda or the top level of a file (``<module>``).

    ``parameters`` are the names in order (``*args`` and ``**kwargs`` not among them), ``keyword_only`` a subset;
    ``defaults`` map a parameter to its default's term; ``annotations`` say of which types parameters (and ``return``) are;
    ``cls`` is the qualified name of the class for methods; ``incoming`` are the values of the parameters;
    ``phis`` say what goes into names that loops or nested functions bind, inner loops first (:mod:`trainlint.ir.bindings` looks
    into them); ``variadic`` is the value of ``*args``; ``tests`` are those around its definition (as of :class:`Imported`);
    ``flat`` are all statements in order but those that only bind names, ``kinds`` all statements by their class (the
    place of each class, and what is at each place), both kept by :mod:`trainlint.ir.walk`, ``order`` the numbers of the former,
    kept by :mod:`trainlint.ir.order`, ``held`` is kept by :mod:`trainlint.ir.bindings`, and ``unknowns`` are the unknown values
    that it works out, kept by :func:`trainlint.program.def_use.made_in`.
    """

    qualname: str
    parameters: tuple[str, ...] = ()
    positional: int = 0
    defaults: dict[str, Term] = field(default_factory=dict)
    decorators: tuple[Term, ...] = ()
    decorator_spots: tuple[Spot, ...] = ()
    annotations: dict[str, Term] = field(default_factory=dict)
    body: Block = ()
    cls: str | None = None
    outer: str | None = None
    kind: str = "function"
    generator: bool = False
    spot: Spot = Spot(1, 0, 1, 0)
    phis: dict[LoopPhi, Phi] = field(default_factory=dict)
    variadic: Term | None = None
    tests: tuple[Term | str, ...] = ()
    incoming: tuple[Term, ...] = ()
    flat: tuple[Statement, ...] | None = None
    kinds: tuple[dict[type, int], tuple[tuple[Statement, ...], ...]] | None = None
    order: Order | None = None
    unknowns: tuple[Unknown, ...] | None = None
    held: Held | None = None

    def is_rest(self, argument: Term) -> bool:
        """Whether an argument in a call stands for all of its own ``*args``."""
        return isinstance(argument, Star) and argument.of is self.variadic

    def settle(self) -> None:
        """It is complete: one object stands for all tables that hold nothing, which most do, in every function."""
        self.defaults = self.defaults or _NOTHING
        self.annotations = self.annotations or _NOTHING
        self.phis = self.phis or _NOTHING

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]


@dataclass(eq=False, repr=False, slots=True)
class Class:
    """A class: its bases, methods (name → qualified name), what its body binds (name → term) and annotates; its decorators."""

    qualname: str
    bases: tuple[Term, ...] = ()
    decorators: tuple[Term, ...] = ()
    methods: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, Term] = field(default_factory=dict)
    spot: Spot = field(kw_only=True)
    fields: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]


@dataclass(eq=False, repr=False)
class Module:
    """A lowered file.

    ``names`` says what each top-level name is bound to when the file has run, ``imports`` what functions import, ``taken`` all
    names that imports bind, in the order in which they were lowered;
    ``rebound`` which top-level names functions assign.
    Of comments that tell the analysis something, ``words`` are the words by line, ``meets`` the spots of calls and functions
    that are said to communicate.
    """

    path: str
    package: bool = False
    names: dict[str, Term] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    rebound: frozenset[str] = frozenset()
    imports: tuple[str, ...] = ()
    taken: tuple[Imported, ...] = ()
    words: dict[int, str] = field(default_factory=dict)
    meets: frozenset[Spot] = frozenset()


#: Line numbers, one object each: the parser makes new ones for every node, and there are more spots than anything else.
_LINES = list(range(4096))
#: ``step(Spot, (1, 0, 1, 4))`` is ``Spot(1, 0, 1, 4)``, without the Python that is in that.
step: Any = tuple.__new__
_place = itemgetter("lineno", "col_offset", "end_lineno", "end_col_offset")


def spot_of(node: Any) -> Spot:
    """The parser's place of a node."""
    line, column, end, end_column = _place(node.__dict__)  # reading four attributes takes much longer
    try:
        return step(Spot, (_LINES[line], column, _LINES[end], end_column))  # type: ignore[no-any-return]
    except IndexError:
        _LINES.extend(range(len(_LINES), 2 * end))
        return spot_of(node)
