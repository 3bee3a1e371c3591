"""Walking a sketch with the tests that decide whether a statement runs: those around it, and those before it that leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from trainlint.ir.nodes import And, Compare, Const, Not, SequenceDisplay, Set, Term
from trainlint.ir.operators import NEGATED
from trainlint.ir.sketch import Block, Exit, If, Loop, Statement, Try
from trainlint.ir.walk import Around, Region, effects, ends_early, threaded, walk


class Failed(NamedTuple):
    """In place of a test: the handler of a ``try`` runs, the one of this number."""

    attempt: Try
    handler: int


#: Conditions, each with the arm that leads to a statement.
Tests = tuple[tuple[Term, bool], ...]
#: The same with handlers among them.
Led = tuple[tuple[Term | Failed, bool], ...]


#: Comparisons that hold for the constants beside them, and for nothing else.
_TAKEN = ("Eq", "Is", "In")
#: Ways out of a loop after which it has no other round.
_RAISE = "raise"
_FOR_GOOD = ("break", "return", _RAISE, "exit")


def walk_tested(
    block: Block, led: Led = (), *, going_on: bool = False, unfailed: bool = False
) -> Iterator[tuple[Statement, Led]]:
    """The statements of a block and of the blocks in it, in order, each with what leads to it.

    ``led`` leads to the block itself. A test one arm of which ends the block early stands before all that follows it;
    ``going_on``: but not one that ends the loop whose body this is. All rounds before the last have come past that.
    ``unfailed``: nor one that raises, as an assertion does. Whoever gets on has come past that.
    """
    passed = (_RAISE,) if unfailed else ()
    known: _Known = (led, _FOR_GOOD if going_on else passed, passed)
    return ((node, found[0]) for node, found in threaded(block, known, _inside, _behind))


#: What leads to a statement; the ways out of a block that say nothing of what follows; and those where a loop is around it.
_Known = tuple[Led, tuple[str, ...], tuple[str, ...]]


def _inside(known: _Known, node: Region, number: int) -> _Known:
    led, passed, in_loops = known
    if isinstance(node, If):
        led = (*led, (node.condition, number == 0))
    elif isinstance(node, Try) and 0 < number <= len(node.handlers):
        led = (*led, (Failed(node, number - 1), True))
    return led, in_loops if isinstance(node, Loop) else passed, in_loops


def _behind(known: _Known, node: Statement) -> _Known:
    if not isinstance(node, If):
        return known
    led, passed, in_loops = known
    if passed and (_is_left(node.body, passed) or _is_left(node.orelse, passed)):
        return known
    return (*led, *_passed(node)), passed, in_loops


def _is_left(block: Block, kinds: tuple[str, ...]) -> bool:
    """Whether a block ends with a way out of one of these kinds."""
    last = block[-1] if block else None
    return isinstance(last, Exit) and last.kind in kinds


def _passed(node: If) -> Led:
    """What holds behind a branch one arm of which ends the block, and behind those at the end of its other arms (``elif``)."""
    holds = ends_early(node.orelse)
    if ends_early(node.body) == holds:
        return ()
    last = effects(node.body if holds else node.orelse)[-1:]
    return ((node.condition, holds), *(_passed(last[0]) if last and isinstance(last[0], If) else ()))


def meet(one: Led, other: Led) -> bool:
    """Whether one run may come to two places, which these lead to."""
    first, second = ([_positive(*each) for each in led] for led in (one, other))
    return not any(_contradict(*mine, *its) for mine in first for its in second)


def _contradict(test: Term | Failed, holds: bool, asked: Term | Failed, held: bool) -> bool:
    """Whether no run answers two tests so: one test, or two that take one value for different constants."""
    if test == asked or isinstance(test, Failed) or isinstance(asked, Failed):
        return test == asked and holds != held
    mine, its = taken_for(test), taken_for(asked)
    if mine is None or its is None or mine.asked != its.asked:
        return False
    one, other = mine.holds == holds, its.holds == held
    if one and other:
        return mine.constants.isdisjoint(its.constants)
    return one != other and (mine.constants <= its.constants if one else its.constants <= mine.constants)


class Taken(NamedTuple):
    """What a test compares with constants: it is one of them where the answer is ``holds``, and none of them otherwise."""

    asked: Term
    constants: frozenset[object]
    holds: bool


def taken_for(test: Term) -> Taken | None:
    """The constants that a value is compared with: ``x == "a"``, ``x not in ("a", "b")``."""
    operator = NEGATED.get(test.op, test.op) if isinstance(test, Compare) else None
    if not isinstance(test, Compare) or operator not in _TAKEN:
        return None
    asked, said = (test.right, test.left) if isinstance(test.left, Const) else (test.left, test.right)
    known: tuple[Term, ...] = (said,)
    if operator == "In":
        known = said.items if isinstance(said, (SequenceDisplay, Set)) and type(said.items) is tuple else ()
    values = [each.value for each in known if isinstance(each, Const)]
    return Taken(asked, frozenset(values), test.op == operator) if known and len(values) == len(known) else None


def _positive(test: Term | Failed, arm: bool) -> tuple[Term | Failed, bool]:
    return positive(test, holds=arm) if isinstance(test, Term) else (test, arm)


def positive(test: Term, *, holds: bool) -> tuple[Term, bool]:
    """A test without ``not`` in front, and whether it holds then."""
    while isinstance(test, Not):
        test, holds = test.operand, not holds
    return test, holds


def tests_in(around: Around) -> Tests:
    """The tests in whose arms something stands, each without ``not`` in front, and whether it holds there."""
    return tuple([positive(arm.region.condition, holds=arm.number == 0) for arm in around if isinstance(arm.region, If)])


def conditions(led: Led) -> Tests:
    """What leads to a statement without the handlers: as if no ``try`` failed."""
    return tuple((test, arm) for test, arm in led if isinstance(test, Term))


def conjuncts(test: Term) -> tuple[Term, ...]:
    """What all has to hold where a test does: the parts of an ``and``."""
    return tuple(part for each in test.operands for part in conjuncts(each)) if isinstance(test, And) else (test,)


def or_raises(block: Block, test: Term, arm: bool) -> bool:
    """Whether a block asks a test, and the arm that is not this one raises: what stands behind it is run by all who go on."""
    for node in walk(block):
        if isinstance(node, If) and node.condition is test:
            other = node.orelse if arm else node.body
            return bool(other) and isinstance(other[-1], Exit) and other[-1].kind == "raise"
    return False


def raising_arms(block: Block) -> frozenset[tuple[Term, bool]]:
    """The tests in a block, each with the arm that all who go on have taken: wherever it is asked there, the other one raises."""
    found: set[tuple[Term, bool]] = set()
    others: set[tuple[Term, bool]] = set()
    for node in walk(block):
        if isinstance(node, If):
            for arm, other in ((True, node.orelse), (False, node.body)):
                raises = bool(other) and isinstance(other[-1], Exit) and other[-1].kind == "raise"
                (found if raises else others).add((node.condition, arm))
    return frozenset(found - others)


def jointly(ways: Iterable[Led]) -> list[Led]:
    """What leads to some statements, each alone, and where two stand in both arms of a test, what leads there without that."""
    found = list(dict.fromkeys(ways))
    for number, one in enumerate(found):
        for other in found[:number]:
            apart = [place for place, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its]
            if len(one) == len(other) and len(apart) == 1 and one[apart[0]] == (other[apart[0]][0], not other[apart[0]][1]):
                both = (*one[: apart[0]], *one[apart[0] + 1 :])
                if both not in found:
                    found.append(both)
    return found


def sure_among(block: Block, wanted: Callable[[Statement], bool]) -> list[Statement]:
    """The statements of a kind that each run of a block comes to, or to a like one in the other arm of a test, errors aside."""
    led = [(node, way) for node, way in walk_tested(block) if wanted(node)]
    sure = are_sure(block, [way for _, way in led])
    return [node for (node, _), is_sure in zip(led, sure, strict=True) if is_sure]


def are_sure(block: Block, ways: Iterable[Led]) -> list[bool]:
    """Of like statements, by what leads to each in a block, whether all runs come to it, or to one in the other arm of a test."""
    raising = raising_arms(block)
    left = [without_errors(way, raising) for way in ways]
    asked = [{test for test, _ in way} for way in left]
    return [() in jointly(way for way, of in zip(left, asked, strict=True) if of <= mine) for mine in asked]


def without_errors(led: Led, raising: frozenset[tuple[Term, bool]]) -> Led:
    """What leads to a statement, less the tests whose other arm is an error (``raising_arms``): all who go on come by there."""
    return tuple((test, arm) for test, arm in led if isinstance(test, Failed) or (test, arm) not in raising)
