"""Evaluation of operators: logic, comparisons, membership, arithmetic, conditional values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Global,
    Invert,
    Kwargs,
    List,
    Nested,
    Not,
    Or,
    Param,
    Select,
    Set,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.operators import NEGATED, computed
from trainlint.ir.terms import whole_number
from trainlint.program.arguments import kwargs_holds
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue
from trainlint.spmd.questions import ANY
from trainlint.spmd.symbols import (
    UNKNOWN,
    WORLD,
    Choice,
    Present,
    Something,
    Truthy,
    Uniform,
    Varying,
    World,
    chosen,
    compared,
    joined,
    negated,
    number,
    until,
)

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: What a caller passes that is no constant and was not handed to it: a result, an attribute, an item.
_OWN = (Call, Attr, Subscript)
#: Constants that something unknown is compared with one by one.
_FEW = 4


def _same_test(name: str, left: Any, right: Any) -> Uniform | None:
    """One symbol for every comparison of a symbol with another or with a constant; a negation has that of its opposite."""
    values = [Uniform(value.key) if isinstance(value, Truthy) else value for value in (left, right)]
    if not all(isinstance(value, Uniform) or type(value) in (str, int, bool, float, type(None)) for value in values):
        return None
    return Uniform((NEGATED.get(name, name), *((type(value).__name__, value) for value in values)))


def _defined(value: Any, other: Any) -> bool:
    """Whether one is a function or class of the project and the other a constant: they are never equal."""
    if not isinstance(value, Something) or isinstance(other, UNKNOWN):
        return False
    key = value.key
    return isinstance(key, (FunctionValue, ClassValue, Global, Nested))


def _is_passed(term: Term, frame: Context) -> bool:
    """Whether a caller passes something of its own for a parameter that is None by default: then it is taken to be something."""
    if not isinstance(term, Param):
        return False
    holder, bound = frame.holder(term.function), frame.given(term)
    default = holder.function.defaults.get(term.name) if holder is not None else None
    if default is None or not isinstance(default, Const) or default.value is not None or not isinstance(bound, Argument):
        return False
    return is_own(bound)


def is_own(bound: Argument) -> bool:
    """Whether what a caller passes is something of its own, or was to its caller."""
    return isinstance(bound.term, _OWN) or _is_passed(bound.term, bound.frame)


def _unless_none(term: Select) -> tuple[Term, Const] | None:
    """Of ``mode if mode is not None else "plain"`` what stands for ``mode``, which may be worked on there, and what for the rest.

    None for all else.
    """
    test = term.test
    if (
        not isinstance(test, Compare)
        or test.op not in ("Is", "IsNot")
        or not isinstance(test.right, Const)
        or test.right.value is not None
    ):
        return None
    mine, default = term.arms if test.op == "IsNot" else (term.other, term.then)
    if not isinstance(default, Const):
        return None
    return (mine, default) if any(test.left is part for part in (mine, *_receivers(mine))) else None


def _receivers(term: Term) -> Iterator[Term]:
    """What the methods of a term are called of, and the first arguments of its calls, inwards."""
    while isinstance(term, Call):
        if term.args:
            term = term.args[0]
        elif isinstance(term.callee, Attr):
            term = term.callee.base
        else:
            return
        yield term


def _is_made_of(made: Term, thing: Term) -> bool:
    """Whether one thing is what a call makes of the other: ``unwrap(model)``, ``model.inner()``."""
    return isinstance(made, Call) and (
        any(given is thing for given in made.args) or (isinstance(made.callee, Attr) and made.callee.base is thing)
    )


class Operators:
    """The operator terms, each by the method of its tag."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.consteval = evaluator.consteval

    def of_negation(self, term: Not, frame: Context) -> Any:
        return negated(self.evaluator.value(term.operand, frame))

    def of_conjunction(self, term: And, frame: Context) -> Any:
        return self._rest(term, 0, frame, stop=False)

    def of_disjunction(self, term: Or, frame: Context) -> Any:
        return self._rest(term, 0, frame, stop=True)

    def _rest(self, term: And | Or, index: int, frame: Context, *, stop: bool) -> Any:
        """The operands from ``index`` on: ``and`` stops at the first False, ``or`` at the first True."""
        parts = term.operands
        value = self.evaluator.value(parts[index], frame)
        if index == len(parts) - 1:
            return value
        return until(value, stop, lambda: self._rest(term, index + 1, frame, stop=stop), (term, frame))

    def of_comparison(self, term: Compare, frame: Context) -> Any:
        name = term.op
        whole = self.consteval.compared_as_wholes(term, frame) if name not in ("In", "NotIn") else None
        if whole is not None:
            return whole
        left, asked = self.evaluator.evaluate(term.left, frame)
        if name in ("In", "NotIn"):
            return self._membership(term, left, asked, frame)
        right, right_asked = self.evaluator.evaluate(term.right, frame)
        left_asked = asked and self.evaluator.differs(term.left, frame)
        right_asked = right_asked and self.evaluator.differs(term.right, frame)
        found = self._compared(name, left, right, term, frame, left_asked or right_asked)
        if type(found) is bool and left_asked != right_asked and not self.evaluator.loops:
            own, limit = (term.left, term.right) if left_asked else (term.right, term.left)
            if self._is_beyond(limit, own, frame):
                key = (NEGATED.get(name, name), term.left, term.right, frame)
                return Varying(key) if found else Varying(("not", key))
        return found

    def _is_beyond(self, limit: Term, own: Term, frame: Context) -> bool:
        """Whether a number is beyond what all example ranks have, which stand for the lower ranks of a larger world then."""
        number = whole_number(limit)
        if number is None or number <= WORLD:
            return False
        values = [peer.value(own, frame) for peer in self.evaluator.peers()]
        return all(type(value) is int and value < number for value in values)

    def _compared(self, name: str, left: Any, right: Any, term: Compare, frame: Context, asked: bool) -> Any:
        for side, other, flip in ((left, right, False), (right, left, True)):
            if isinstance(side, Choice):
                parts = [
                    self._compared(name, *((other, part) if flip else (part, other)), term, frame, asked)
                    for part in (side.then, side.other)
                ]
                return Choice(side.condition, parts[0], parts[1])
        if name in ("Is", "IsNot", "Eq", "NotEq") and None in (left, right):
            other = right if left is None else left
            if isinstance(other, (Something, Present)) or not isinstance(other, UNKNOWN):
                return (other is None) == (name in ("Is", "Eq"))
            if type(other) is Uniform and _is_passed(term.right if left is None else term.left, frame):
                return name in ("IsNot", "NotEq")
            same = _same_test(name, left, right)  # whether something was given at all is the same everywhere
            return self._unknown_test(name, term, frame, asked=False, same=same)
        if name in ("Eq", "NotEq") and (_defined(left, right) or _defined(right, left)):
            return name == "NotEq"
        if isinstance(left, UNKNOWN) or isinstance(right, UNKNOWN):
            if name in ("Is", "IsNot") and (_is_made_of(term.left, term.right) or _is_made_of(term.right, term.left)):
                asked = False  # whether a thing is wrapped is a matter of its kind, not of which one a rank has
            asked = (
                asked
                and not self._known_elsewhere(term.left, left, frame)
                and not self._known_elsewhere(term.right, right, frame)
            )
            return self._unknown_test(name, term, frame, asked, _same_test(name, left, right))
        return self._plain(name, left, right, term, frame)

    def _unknown_test(self, name: str, term: Compare, frame: Context, asked: bool, same: Uniform | None = None) -> Any:
        """A test that cannot be computed; a test and its negation keep one key, so they are never both true.

        ``same`` stands for all tests of these values, wherever they are.
        """
        if not asked:
            if same is None:
                same = Uniform((NEGATED.get(name, name), term.left, term.right, frame))
            return negated(same) if name in NEGATED else same
        positive = NEGATED.get(name)
        key = (positive or name, term.left, term.right, frame)
        return Varying(("not", key)) if positive else Varying(key)

    def _known_elsewhere(self, side: Term, value: Any, frame: Context) -> bool:
        """Whether this rank alone does not know a value: the others never came to where it was set."""
        return type(value) is Uniform and any(not isinstance(peer.value(side, frame), UNKNOWN) for peer in self.evaluator.peers())

    def _plain(self, name: str, left: Any, right: Any, term: Compare, frame: Context) -> Any:
        for size, other in ((left, right), (right, left)) if not self.evaluator.rank_dependent else ():
            if isinstance(size, World) and not isinstance(other, World) and other not in (0, 1):
                return self._unknown_test(name, term, frame, asked=False)
        result = compared(name, left, right)
        return self._unknown_test(name, term, frame, asked=False) if result is None else result

    def _membership(self, term: Compare, left: Any, asked: bool, frame: Context) -> Any:
        container = term.right
        wanted = term.op == "In"
        known = kwargs_holds(container, term.left, frame)
        if isinstance(container, Kwargs):
            self.evaluator.consulted(ANY)
        if known is not None:
            return known == wanted
        if isinstance(left, Choice):
            parts = [self._membership(term, part, asked, frame) for part in (left.then, left.other)]
            return joined(left.condition, parts[0], parts[1])
        asked = asked and self.evaluator.differs(term.left, frame)
        if isinstance(left, UNKNOWN):
            one_of = None
            if isinstance(left, Uniform) and not asked and type(left) in (Uniform, Truthy):
                one_of = self._one_of(Uniform(left.key), container, frame)
            return self._unknown_test(term.op, term, frame, asked) if one_of is None else one_of if wanted else negated(one_of)
        if isinstance(container, (Tuple, List, Set)):
            items = [self.evaluator.value(item, frame) for item in container.items]
            if any(not isinstance(item, UNKNOWN) and number(item) == number(left) for item in items):
                return wanted
            if not any(isinstance(item, UNKNOWN) for item in items):
                return not wanted
        found = self.consteval.container(container, frame) or self.consteval.range_of(container, frame)
        if found is not None:
            return any(number(item) == number(left) for item in found) == wanted
        return self._unknown_test(term.op, term, frame, asked)

    def _one_of(self, left: Uniform, container: Term, frame: Context) -> Any:
        """Whether something unknown is one of a few constants: it is the first, or the second, ..."""
        if not isinstance(container, (Tuple, List, Set)) or not 0 < len(container.items) <= _FEW:
            return None
        items = [self.evaluator.value(item, frame) for item in container.items]
        tests = [_same_test("Eq", left, item) if type(item) in (str, int) else None for item in items]
        value: Any = False
        for test in reversed(tests):
            if test is None:
                return None
            value = joined(test, True, value)
        return value

    def of_arithmetic(self, term: BinOp, frame: Context) -> Any:
        left, asked = self.evaluator.evaluate(term.left, frame)
        right, right_asked = self.evaluator.evaluate(term.right, frame)
        if isinstance(left, UNKNOWN) or isinstance(right, UNKNOWN):
            apart = (asked and self.evaluator.differs(term.left, frame)) or (
                right_asked and self.evaluator.differs(term.right, frame)
            )
            return Varying((term, frame)) if apart else Uniform((term, frame))
        result = computed(term.op, left, right)
        return Uniform((term, frame)) if result is None else result

    def of_inverted(self, term: Invert, frame: Context) -> Any:
        value = self.evaluator.value(term.operand, frame)
        return ~int(value) if type(value) in (int, bool) else Uniform((term, frame))

    def _agreed(self, term: Select, frame: Context) -> Term | None:
        """Of ``share(path) if several else path`` what was shared: ranks that do not share it are alone.

        That is so where the call makes the same on all ranks of what differs among them, by a test that says nothing of ranks.
        """
        for shared, own in (term.arms, (term.other, term.then)):
            if isinstance(shared, Call) and any(given is own for given in shared.args) and self.evaluator.differs(own, frame):
                return None if self.evaluator.differs(shared, frame) else shared
        return None

    def of_choice(self, term: Select, frame: Context) -> Any:
        condition = self.evaluator.value(term.test, frame)
        found = _unless_none(term) if type(condition) in (Uniform, Choice) else None
        if found is not None:
            mine, default = found[0], found[1].value
            value = self.evaluator.value(mine, frame)
            if isinstance(value, Uniform):
                return value  # a setting and its default: it is taken to be given
            first, second = (value, default) if mine is term.then else (default, value)
            return chosen(condition, lambda: first, lambda: second)
        agreed = self._agreed(term, frame) if isinstance(condition, (Uniform, Choice)) else None
        if agreed is not None:
            return self.evaluator.value(agreed, frame)
        self.evaluator.rank_dependent = self.evaluator.rank_dependent or isinstance(condition, Varying)
        return chosen(condition, lambda: self.evaluator.value(term.then, frame), lambda: self.evaluator.value(term.other, frame))
