"""Of which library class an object is, where no call in sight made it: told by attributes and methods.

``Outside`` is whoever knows the types of libraries that no table speaks of. Some methods are of one class of
libraries only: of what was taken out of a model, its parameters or the items of its state, they tell what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from trainlint.ir.nodes import Attr, Call, Const, Element, Param, Subscript
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import is_call_of
from trainlint.ir.walk import of_kind
from trainlint.knowledge import Knowledge
from trainlint.program.values import Argument, ClassValue, Context, Library, LibraryObject, Value

if TYPE_CHECKING:
    from trainlint.program.program import Program


class ExternalTypes(Protocol):
    """Whoever knows of libraries. No answer may depend on when it is asked."""

    def classes(self, holder: str, attribute: str) -> Sequence[str]:
        """Names for the classes that give an object its ``attribute``.

        ``holder`` is the dotted name of a class, or of what returned the object when it was called. The answer is its class
        and those above it, the nearest first, up to the one that defines the attribute; each under its dotted names. Empty when
        that is not known for sure.
        """
        ...


class Attributes:
    """Dotted names of the attributes of things of libraries."""

    def __init__(self, knowledge: Knowledge, outside: ExternalTypes | None) -> None:
        self.knowledge = knowledge
        self.outside = outside
        self._telling = frozenset(name.rpartition(".")[2] for name in (*knowledge.collectives, *knowledge.ranks))
        self._known: dict[tuple[str, str], str] = {}

    def name(self, holder: str, attribute: str) -> str:
        """The one name of an attribute of what bears, or was made by, the dotted name ``holder``."""
        dotted = self.knowledge.canonical(f"{holder}.{attribute}")
        if self.outside is None or attribute not in self._telling or self._says(dotted):
            return dotted
        key = (holder, attribute)
        if key not in self._known:
            names = (self.knowledge.canonical(f"{cls}.{attribute}") for cls in self.outside.classes(holder, attribute))
            self._known[key] = next(filter(self._says, names), dotted)
        return self._known[key]

    def _says(self, dotted: str) -> bool:
        return dotted in self.knowledge.collectives or dotted in self.knowledge.ranks


def part_of_model(program: Program, callee: Attr, frame: Context) -> Library | None:
    """The library's method (table ``parallel.distinct``) that is called of a part of some model; None for everything else.

    ``{k: v.full_tensor() for k, v in model.state_dict().items()}``: whatever the model is, this is no plain tensor. Nor is that
    of which the function asks whether it has the method, or is of that class.
    """
    known = program.knowledge.parallel_distinct.get(callee.name)
    if known is None:
        return None
    if _is_asked(program, callee, known.rpartition(".")[0], frame):
        return Library(known)
    term = callee.base
    while True:
        if isinstance(term, Param):
            bound = frame.given(term)
            if not isinstance(bound, Argument):
                return None
            term, frame = bound.term, bound.frame
        elif isinstance(term, (Element, Subscript)):
            term = term.stem
        elif isinstance(term, Call) and isinstance(term.callee, Attr):
            if term.callee.name in program.knowledge.parallel_parts:
                return Library(known)
            term = term.callee.base
        else:
            return None


def _is_asked(program: Program, callee: Attr, cls: str, frame: Context) -> bool:
    """Whether a function asks if something has a method that no class of the project has, or is of a library's class."""
    for node in of_kind(frame.function, CallStep):
        given = node.term.args
        if len(given) != len(("object", "kind")) or given[0] is not callee.base:
            continue
        if is_call_of(node.term, "builtins.hasattr"):
            found = isinstance(given[1], Const) and given[1].value == callee.name
        else:
            found = is_call_of(node.term, "builtins.isinstance") and Library(cls) in program.values(given[1], frame)
        if found:
            return not program.methods_named(callee.name, frame.module)
    return False


def inherited(program: Program, cls: ClassValue, name: str) -> Iterator[Value]:
    """What the tables know of an attribute that a class has from a library, of the first of those that it is derived from."""
    if name in program.knowledge.receivers:
        return
    tracing = program.knowledge.tables["tracing"]
    for library in program.lineage(cls):
        if isinstance(library, Library):
            assumed = program.attributes.name(library.name, name)
            if assumed in program.knowledge.collectives or assumed in program.knowledge.ranks or assumed in tracing:
                yield Library(assumed)
                return
            if assumed != f"{library.name}.{name}":
                yield LibraryObject(assumed, None, None)  # the tables know what the library keeps there
                return
