"""Traces: what one rank runs from here to the end of a function, as a graph, and where the ways out of a block lead."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Term
from trainlint.program.values import Context, FunctionValue
from trainlint.spmd.symbols import Uniform


class Where(NamedTuple):
    """A place in the program: file, spot of the node, spot of its statement, ``ast`` kind of the node."""

    module: str
    spot: Spot
    statement: Spot
    node: str = "Call"


class LoopAt(NamedTuple):
    """A loop: its file, spot and activation; ``turn`` are the rounds around it, of loops that are gone through one by one."""

    module: str
    spot: Spot
    frame: Context
    turn: tuple[int, ...]


class Guard(NamedTuple):
    """A test on the rank: its file, the whole ``if`` (or loop), the test, and the activation it belongs to.

    ``condition`` is the part of the test that asks for the rank, ``whole`` says that there is no other part, ``admits``
    that something else lets the other ranks in (``rank == 0 or sharded``).
    """

    module: str
    spot: Spot
    test: Spot
    condition: Term
    frame: Context
    whole: bool = True
    admits: bool = False


class Core:
    """What is left of a trace without its marks and its errors: nodes with the same core communicate the same.

    ``symbols`` are the unknown conditions on which it still depends what is communicated.
    """

    __slots__ = ("symbols",)

    def __init__(self, symbols: frozenset[Uniform]) -> None:
        self.symbols = symbols


class Node:
    """A node of a trace. ``next`` is what follows it; ``symbols`` are the unknown conditions still ahead.

    ``core``, which :class:`Nodes` sets, is what is communicated from here on.
    """

    __slots__ = ("core", "next", "symbols")
    core: Core
    next: Node | None
    symbols: frozenset[Uniform]

    def __init__(self, next_: Node | None, *more: Node | None) -> None:
        self.next = next_
        symbols = next_.symbols if next_ is not None else frozenset()
        for node in more:
            if node is not None and node.symbols is not symbols:
                symbols = symbols | node.symbols
        self.symbols = symbols


class End(Node):
    """Nothing more runs."""

    __slots__ = ()


class Event(Node):
    """A collective over all ranks, or (``members``) over some.

    That is those whose numbers are known, or (all numbers, and what stands for the group) whoever is in the group of a rank.
    """

    __slots__ = ("call", "members", "name", "operation", "where")

    def __init__(
        self, operation: str, name: str, where: Where, call: Call, next_: Node, members: tuple[Any, ...] | None = None
    ) -> None:
        super().__init__(next_)
        self.operation, self.name, self.where, self.call, self.members = operation, name, where, call, members


class Invoke(Node):
    """A call of a function that communicates and in which all ranks agree."""

    __slots__ = ("frame", "target", "where")

    def __init__(self, target: FunctionValue, frame: Context, where: Where, next_: Node) -> None:
        super().__init__(next_)
        self.target, self.frame, self.where = target, frame, where


class Pick(Node):
    """A branch on something unknown that is the same on all ranks."""

    __slots__ = ("other", "symbol", "then")

    def __init__(self, symbol: Uniform, then: Node, other: Node) -> None:
        super().__init__(None, then, other)
        self.symbol, self.then, self.other = symbol, then, other
        self.symbols = self.symbols | {symbol}


class Part(Node):
    """The rank took one arm of a test on the rank."""

    __slots__ = ("arm", "certain", "guard")

    def __init__(self, guard: Guard, arm: bool, certain: bool, next_: Node) -> None:
        super().__init__(next_)
        self.guard, self.arm, self.certain = guard, arm, certain


class Way(Node):
    """The rank left: ``return``, ``raise``, ``break``, ``continue``, ``exit``; or it went on in a handler: ``caught``.

    ``failed`` says that it did so by an error, or by the end of a process that failed.
    """

    __slots__ = ("failed", "kind", "where")

    def __init__(self, kind: str, where: Where, next_: Node, failed: bool = False) -> None:
        super().__init__(next_)
        self.kind, self.where, self.failed = kind, where, failed


class Enter(Node):
    """A call that is looked into starts."""

    __slots__ = ("target", "where")

    def __init__(self, target: FunctionValue, where: Where, next_: Node) -> None:
        super().__init__(next_)
        self.target, self.where = target, where


class Leave(Node):
    """A call that was looked into is over."""

    __slots__ = ()


class Repeat(Node):
    """A loop of unknown length, the same on all ranks: its body (ending in :class:`Again`) and what comes after."""

    __slots__ = ("after", "body", "loop")

    def __init__(self, loop: LoopAt, body: Node, next_: Node | None, after: Node) -> None:
        super().__init__(next_, body)
        self.loop, self.body, self.after = loop, body, after


class Again(Node):
    """The end of a loop's body."""

    __slots__ = ("loop",)

    def __init__(self, loop: LoopAt) -> None:
        super().__init__(None)
        self.loop = loop


MARKS = (Part, Way, Enter, Leave)


def raises(node: Node) -> bool:
    """Whether the next thing that happens is an error or the end of the process.

    That one rank speaks for all when something is wrong (``if not ok and rank == 0: raise …``) changes nothing: the launcher
    ends the others. The end of a process that did not fail, on some ranks only, is another matter.
    """
    chosen = False
    while isinstance(node, (Enter, Leave, Part)):
        assert node.next is not None
        chosen = chosen or isinstance(node, Part)
        node = node.next
    if not isinstance(node, Way) or node.kind not in ("raise", "exit") or (chosen and not node.failed):
        return False
    following = node.next
    while isinstance(following, (Enter, Leave)):
        following = following.next
    return not (isinstance(following, Way) and following.kind == "caught")


def without_marks(node: Node | None) -> Node | None:
    """What follows the marks."""
    while isinstance(node, MARKS):
        node = node.next
    return node


class Nodes:
    """The table that makes equal nodes one object, and equal cores."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Node] = {}
        self._cores: dict[tuple[Any, ...], Core] = {}
        #: Whether a collective is among some ranks only.
        self.grouped = False
        self.end = End(None)
        self.end.core = Core(frozenset())
        #: The end of the job: what the others still run, nobody joins any more.
        self.over = End(None)
        self.over.core = self.end.core

    def make(self, kind: type[Node], *parts: Any) -> Any:
        """The node of this kind with these parts."""
        key = (kind, *parts)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = kind(*parts)
            found.core = self._core(found)
        return found

    def _core(self, node: Node) -> Core:
        if isinstance(node, MARKS):
            assert node.next is not None
            return node.next.core
        if isinstance(node, Pick):
            # An error that something unknown brings about is not a way anybody means to go.
            if node.then.core is node.other.core or raises(node.other):
                return node.then.core
            if raises(node.then):
                return node.other.core
            return self._shared(node.symbol, node.then.core, node.other.core)
        following = node.next.core if node.next is not None else None
        if isinstance(node, Event):
            return self._shared(node.operation, node.members, following)
        if isinstance(node, Invoke):
            return self._shared(id(node.target.function), following)
        if isinstance(node, Repeat):
            if following is not None and node.body.core is self._shared("again", node.loop):
                return following  # its rounds communicate nothing
            return self._shared("loop", node.loop, node.body.core, following)
        assert isinstance(node, Again)
        return self._shared("again", node.loop)

    def _shared(self, *content: Any) -> Core:
        found = self._cores.get(content)
        if found is None:
            symbols: frozenset[Uniform] = frozenset()
            for part in content:
                more = part.symbols if isinstance(part, Core) else (part,) if isinstance(part, Uniform) else ()
                symbols = symbols.union(more) if more else symbols
            found = self._cores[content] = Core(symbols)
        return found


#: The node behind an error that is raised in an activation; None where it is not known who catches it.
Catches = Callable[[Term, Context], "Node | None"]


class Ways(NamedTuple):
    """Where each way out of a block leads."""

    next: Node
    returns: Node
    breaks: Node
    continues: Node
    raises: Node
    yields: Callable[[Ways], Node] | None = None
    #: Where an error leads whose class is known: the handler that catches it.
    catches: Catches | None = None

    def through(self, way: Callable[[Node], Node]) -> Ways:
        """The same ways, each of which leads through something first."""
        catches = None if self.catches is None else partial(_caught_through, self.catches, way)
        return Ways(
            way(self.next), way(self.returns), way(self.breaks), way(self.continues), way(self.raises), self.yields, catches
        )

    def error(self, error: Term | None, frame: Context) -> Node:
        """Where an error leads."""
        found = self.catches(error, frame) if self.catches is not None and error is not None else None
        return self.raises if found is None else found


#: What is put in the place of a call, or of the body of a ``with``: the trace of what runs, from the ways out of it.
Run = Callable[[Ways], Node]


def _caught_through(catches: Catches, way: Callable[[Node], Node], error: Term, frame: Context) -> Node | None:
    """The handler of an error, with what is run on the way there."""
    found = catches(error, frame)
    return None if found is None else way(found)
