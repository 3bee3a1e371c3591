"""The order in which a function's statements run, as numbers.

Each statement of a sketch that does more than bind names has a number in preorder, and a statement with blocks the last number
in them. What runs in an arm, in a round, before something else is a matter of these numbers, not of lines: what
``for x in f():`` goes over is called before its rounds, the test of a ``while`` in each of
them, an argument before the call that it is handed to.

A *place* is a statement, or a call, or the spot of either: the number of its step is looked up. What is no step of the function
(a call in a lambda, a default of a parameter) has no number, is in no block of it and before nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Dict, Element, List, LoopPhi, Unknown
from trainlint.ir.sketch import Block, CallStep, Function, If, Loop, Statement
from trainlint.ir.walk import REGIONS, Region, blocks_of, effects, of_kind, statements_of, step_spot

Place = Statement | Call | Spot
#: Values that no step makes, each with the place where it is written.
Written = Element | LoopPhi | List | Dict | Unknown


class Order:
    """The numbers of one function: ``first`` of each statement and ``last`` of each with blocks, by ``id``; ``steps`` by spot.

    The spot of a whole statement that leaves no step of its own (``x = f(g())``) stands for the first call in it, that of a
    test for the branch.
    """

    __slots__ = ("first", "last", "steps")

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()  # identities do not travel: made anew where they are asked for

    def __init__(self, function: Function) -> None:
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        self.steps: dict[Spot, int] = {}
        statements = statements_of(function)
        for number in range(len(statements) - 1, -1, -1):
            node = statements[number]
            self.first[id(node)] = number
            self.steps[step_spot(node)] = number  # of several the first stays
            if type(node) in REGIONS:
                inner = effects(tuple(chain.from_iterable(blocks_of(node))))
                self.last[id(node)] = self.end(inner[-1]) if inner else number
        for number, node in enumerate(statements):
            if type(node) is CallStep:
                self.steps.setdefault(node.statement, number)
            elif type(node) is If:
                self.steps.setdefault(node.test, number)

    def end(self, node: Statement) -> int:
        """The number of the last statement in a statement: its own, if it has no blocks."""
        return self.last.get(id(node), self.first[id(node)])

    def at(self, place: Place) -> int | None:
        """The number of a place."""
        if type(place) is Spot:
            return self.steps.get(place)
        return self.steps.get(place.site) if isinstance(place, Call) else self.first.get(id(place))


def order(function: Function) -> Order:
    """A function's numbers, made once and kept."""
    if function.order is None:
        function.order = Order(function)
    return function.order


def is_step(function: Function, place: Place) -> bool:
    """Whether a place is a step of this very function: not of one within it, or around it."""
    return order(function).at(place) is not None


def in_block(function: Function, block: Block, place: Place) -> bool:
    """Whether a place stands in a block of a function, or in a block within that."""
    numbers = order(function)
    number, run = numbers.at(place), effects(block)
    return number is not None and bool(run) and numbers.first.get(id(run[0]), number + 1) <= number <= numbers.end(run[-1])


def within(function: Function, region: Region | Spot, place: Place) -> bool:
    """Whether a place runs in each round of a loop, in an arm of a test, in a ``with``, in a part of a ``try``.

    Not so what runs before these: what a loop goes over, a test, the managers of a ``with``. A loop's ``else`` runs after it.
    """
    numbers = order(function)
    start = numbers.at(region)
    if start is None:
        return False
    node = statements_of(function)[start]
    if isinstance(node, Loop):
        return in_block(function, node.body, place)
    number = numbers.at(place)
    return number is not None and start < number <= numbers.end(node)


def made_within(function: Function, region: Region | Spot, value: Call | Spot | Written) -> bool:
    """Whether a value is made in a region: by its step, or, where no step makes it, where it is written.

    So are displays, comprehensions that call nothing, what a loop hands out or carries: only their places are known.
    """
    if isinstance(value, Call):
        return within(function, region, value)
    spot = _place(value)
    return within(function, region, spot) if is_step(function, spot) else written_in(_place(region), spot)


def made_in(function: Function, value: Call | Spot | Written) -> bool:
    """Whether a value is made in a function, and not around it; what no step makes where it is written, as above."""
    spot = value.site if isinstance(value, Call) else _place(value)
    return is_step(function, spot) or (not isinstance(value, Call) and written_in(function.spot, spot))


def written_in(text: Spot, value: Call | Spot | Written) -> bool:
    """Whether a value is written within the text of a function, a statement or a call of its file.

    That says nothing of when it is made: only of what is no step is nothing else known.
    """
    return text.holds(value.site if isinstance(value, Call) else _place(value))


def _place(value: Region | Spot | Written) -> Spot:
    if isinstance(value, Spot):
        return value
    return value.spot if isinstance(value, Region) else Spot(value.line, value.column, value.line, value.column)


def loops_around(function: Function, place: Place) -> tuple[Loop, ...]:
    """The loops of whose rounds a place is a part, outermost first."""
    loops = of_kind(function, Loop)
    if not loops:
        return ()
    numbers = order(function)
    first, number = numbers.first, numbers.at(place)
    if number is None:
        return ()
    return tuple([loop for loop in loops if first[id(loop)] < number and in_block(function, loop.body, place)])


def repeated_by(function: Function, place: Place) -> tuple[Loop, ...]:
    """The loops that come to a place in each round: those around it, and a loop itself, which tests or draws again."""
    around, number = loops_around(function, place), order(function).at(place)
    node = statements_of(function)[number] if number is not None else None
    return (*around, node) if isinstance(node, Loop) else around


def before(function: Function, one: Place, other: Place) -> bool:
    """Whether a place comes before another one, if both are come to in one round of the loops around both."""
    numbers = order(function)
    first, second = numbers.at(one), numbers.at(other)
    return first is not None and second is not None and first < second


def between(function: Function, one: Place, place: Place, other: Place) -> bool:
    """Whether a place comes after one and before another."""
    return before(function, one, place) and before(function, place, other)


def after(function: Function, one: Region | Place, place: Place) -> bool:
    """Whether a place comes after all that a statement runs: behind a loop and its ``else``, behind a ``with``."""
    numbers = order(function)
    start, number = numbers.at(one), numbers.at(place)
    return start is not None and number is not None and numbers.end(statements_of(function)[start]) < number


def belongs_to(loop: Loop, value: LoopPhi | Element) -> bool:
    """Whether it is this very loop that hands out a value, or hands on what a name holds from round to round."""
    return value is loop.target or (value.line, value.column) == loop.spot[:2]


def same_round(function: Function, one: Place, other: Place) -> bool:
    """Whether two places are parts of the rounds of the same loops: each runs as often as the other."""
    return loops_around(function, one) == loops_around(function, other)


def leading_to(function: Function, place: Place) -> Iterator[Statement]:
    """What is on every way to a place, in order: the regions around it, and in their blocks the steps before it (not regions)."""
    numbers = order(function)
    number, block = numbers.at(place), function.body
    while number is not None:
        for node in effects(block):
            first = numbers.first[id(node)]
            if first >= number:
                return
            if type(node) not in REGIONS:
                yield node
            elif number <= numbers.end(node):
                yield node
                block = next(part for part in blocks_of(node) if in_block(function, part, place))
                break
        else:
            return
