"""What the local names of a function hold: questions about its :class:`~trainlint.ir.sketch.Bind` steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Collected,
    Comprehension,
    Dict,
    List,
    LoopPhi,
    Or,
    Param,
    Select,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Bind, Block, CallStep, Choice, Function, Held, If, Loop, Phi, Statement, Try, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, roots, statements_of, walk, walk_all

#: What is known of a name that no loop and no nested function binds.
_UNKNOWN = Phi(None, None)
#: Values with a name of their own at the end of a function: what calls and parameters give.
_AT_END = frozenset((Call, Select, Subscript, Param, Attr, Or, And, List, Dict))
#: The same at the end of a round: what calls and arithmetic give.
_IN_ROUNDS = frozenset((Call, Select, Subscript, BinOp, Attr, Or, And))


def bindings(function: Function) -> tuple[tuple[str, Term], ...]:
    """Names and what they hold, at the end of the function and then at the end of a round."""
    held = held_in(function)
    return (*held.end.items(), *held.rounds.items())


def values_of(function: Function) -> tuple[Term, ...]:
    """What names hold, at the end of the function and then at the end of a round."""
    held = held_in(function)
    return (*held.end.values(), *held.rounds.values())


def held_at_end(function: Function) -> dict[str, Term]:
    """What local names hold at the end of a function: values that come from calls and parameters only."""
    return held_in(function).end


def held_in_rounds(function: Function) -> dict[str, Term]:
    """What local names hold at the end of a round of a loop that binds them: the last one that does."""
    return held_in(function).rounds


def held_in(function: Function) -> Held:
    """Both; found once and kept."""
    if function.held is None:
        replay = _Replay(zip(function.parameters, function.incoming, strict=True))
        replay.run(function.body)
        end = {name: term for name, term in replay.held.items() if term is not None and _is_of_interest(term)}
        function.held = Held(end, replay.rounds)
    return function.held


class Carried(NamedTuple):
    """What a loop carries from round to round in a name (its ``LoopPhi``, at the head), which was bound before it as well.

    ``entry`` is what it holds before the first round, ``back`` what it holds at the end of each.
    """

    name: LoopPhi
    entry: Term
    back: Term


def carried_names(function: Function) -> Iterator[Carried]:
    """All that the loops of a function carry, inner loops first."""
    for name, (entry, back) in function.phis.items():
        if entry is not None and back is not None:
            yield Carried(name, entry, back)


def carried_values(function: Function) -> list[Term]:
    """What carried names hold, each before the first round and at the end of one."""
    return [value for _, entry, back in carried_names(function) for value in (entry, back)]


def carried_in(function: Function, name: LoopPhi) -> Carried | None:
    """What a loop carries in a name, if this is what it holds at the head."""
    entry, back = function.phis.get(name, _UNKNOWN)
    return Carried(name, entry, back) if entry is not None and back is not None else None


def carried_by(function: Function, name: LoopPhi) -> Carried | None:
    """What a loop carries in a name, be this what it holds at the head or at the exit."""
    place = name.place
    return next((each for each in carried_names(function) if each.name.place == place), None)


def held_behind(function: Function, name: LoopPhi) -> Term | None:
    """What a name held when its loop was over, if this is what it holds at the exit; None where that is not known."""
    entry, back = function.phis.get(name, _UNKNOWN)
    return back if entry is None else None


def shared_names(function: Function) -> dict[LoopPhi, Term]:
    """The names that nested functions declare ``nonlocal``: what each was bound to before, or is bound to here later."""
    return {name: entry for name, (entry, back) in function.phis.items() if entry is not None and back is None}


def is_shared(function: Function, name: LoopPhi) -> bool:
    """Whether a name of a function is one of these."""
    entry, back = function.phis.get(name, _UNKNOWN)
    return entry is not None and back is None


def ever_held(function: Function) -> tuple[Term, ...]:
    """What names hold, as :func:`values_of`, and then what they held when a loop was over."""
    return (*values_of(function), *(back for entry, back in function.phis.values() if entry is None and back is not None))


def _is_of_interest(term: Term) -> bool:
    # A difference: the name of a time says what is timed.
    return type(term) in _AT_END or isinstance(term, Collected) or (isinstance(term, BinOp) and term.op == "Sub")


#: What names hold; None: they are gone, or hold nobody knows what.
_Env = dict[str, Term | None]


class _Replay:
    """Runs the binding steps of a function in order: an arm that leaves binds nothing for what follows.

    Without recursion over branches: an ``elif`` is a level each.
    """

    def __init__(self, held: Iterable[tuple[str, Term]]) -> None:
        self.held: _Env = dict(held)
        self.rounds: dict[str, Term] = {}
        self._pending: list[tuple[Iterator[Statement], _Env, Callable[[], None] | None]] = []

    def run(self, block: Block) -> None:
        """Follow a block and the blocks in it."""
        self._enter(block, self.held)
        while self._pending:
            rest, held, finish = self._pending[-1]
            node = next(rest, None)
            if node is None:
                self._pending.pop()
                if finish is not None:
                    finish()
            elif isinstance(node, Bind):
                held[node.name] = node.value
            else:
                self._inside(node, held)

    def _enter(self, block: Block, held: _Env, finish: Callable[[], None] | None = None) -> None:
        """To be followed next, before what is to be followed already."""
        if block or finish is not None:
            self._pending.append((iter(block), held, finish))

    def _inside(self, node: Statement, held: _Env) -> None:
        if isinstance(node, Loop):
            names = _bound_by(node)
            held.update((name, None) for name in names if name in held)
            self._enter(node.orelse, held)
            self._enter(node.body, held, partial(self._turn, names, held))
        elif isinstance(node, (If, Choice)):
            body, orelse = node.falls
            self._enter(node.orelse, held if orelse or not body else dict(held))
            self._enter(node.body, held if body else dict(held))
        elif isinstance(node, With):
            self._enter(node.body, held)
        elif isinstance(node, Try):
            self._enter(node.final, held)
            through, *handled = node.falls
            for handler, falls in zip(reversed(node.handlers), reversed(handled), strict=True):
                own = dict(held)
                self._enter(handler, own, partial(_join, own, held, through=through) if falls else None)
            self._enter(node.orelse, held)
            self._enter(node.body, held)

    def _turn(self, names: dict[str, None], held: _Env) -> None:
        """At the end of a round: behind the loop, what it binds is not what it was in any one round."""
        for name in names:
            term = held.get(name)
            if term is not None and type(term) in _IN_ROUNDS:
                self.rounds[name] = term
            held[name] = None


def _join(own: _Env, held: _Env, *, through: bool) -> None:
    """Behind a handler: names that it alone binds; all of them, where nothing else gets here."""
    if not through:
        held.clear()
    for name, term in own.items():
        held.setdefault(name, term)


def _bound_by(loop: Loop) -> dict[str, None]:
    """The names that a loop makes uncertain: not those that it goes over, nor what ``:=`` binds in a comprehension."""
    if loop.kind == "for" and not loop.names:
        return {}
    return dict.fromkeys(node.name for node in walk_all(loop.body[loop.drawn :]) if isinstance(node, Bind))


def gathered(function: Function) -> Iterator[tuple[Comprehension, CallStep]]:
    """What comprehensions make of what calls give, each with the call that gives an item of it."""
    loops = {loop.spot[:2]: loop for loop in of_kind(function, Loop) if not loop.names and loop.kind != "while"}
    terms = parts_of(*(term for node in statements_of(function) for term in roots(node))) if loops else ()
    for term in terms:
        if isinstance(term, Comprehension) and term.kind != "generator" and (term.line, term.column) in loops:
            steps = (each for each in walk(loops[term.line, term.column].body) if isinstance(each, CallStep))
            yield from ((term, each) for each in steps if each.term is term.item)
