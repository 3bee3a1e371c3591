"""Small functions of the language that are computed where what they are given is known: ``min``, ``divmod``, ``any``, ..."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from trainlint.domains.rank_local_data import RankLocalData
from trainlint.ir.control_dependence import Tests
from trainlint.ir.nodes import (
    UNKNOWNS,
    Attr,
    BinOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    List,
    Nested,
    Or,
    Param,
    Ref,
    Select,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.operators import LONGEST, is_small
from trainlint.program.heap import at, position
from trainlint.program.indirect_calls import RegisteredCallback, kept_under, registered_callbacks
from trainlint.program.program import calls_of
from trainlint.program.stores import Contents
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)
from trainlint.spmd.attribute_stores import Settings
from trainlint.spmd.symbols import (
    UNKNOWN,
    Choice,
    Something,
    Text,
    Uniform,
    Varying,
    World,
    compared,
    joined,
    until,
)

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Numbers that a comprehension is gone through for.
_FEW = 8
#: Functions of numbers that are computed.
COMPUTED: dict[str, Callable[..., Any]] = {
    "builtins.min": min,
    "builtins.max": max,
    "builtins.abs": abs,
    "builtins.divmod": divmod,
    "builtins.pow": pow,
}
#: Functions that return None.
ANSWER_NOTHING = ("builtins.print",)
#: Types of the bounds of a slice.
_BOUNDS = (int, World, type(None))
#: The most bounds of a range, and how far they are followed.
_MOST_BOUNDS, _FARTHEST = 3, 1 << 60
#: Methods of texts and lists that are computed.
_METHODS = frozenset(("startswith", "endswith", "index"))
#: Methods that give a text in another spelling; an unknown one is taken to be spelled like that already.
_RESPELLED = frozenset(("lower", "casefold", "strip", "lstrip", "rstrip"))
_QUANTIFIERS = ("builtins.any", "builtins.all")
#: Terms that may be containers.
_CONTAINERS = frozenset((List, Tuple, Set, Dict, *UNKNOWNS, Subscript, BinOp, Global, Param, Attr, Element))
#: Displays, and what makes one: a comparison with one of these is a comparison of containers.
_WRITTEN = frozenset((List, Tuple, Set, Dict))
#: Types of values that are computed with.
_PLAIN = (int, float, str, bool, type(None), list, tuple, set, frozenset, dict, range)
#: Items of one container; containers in one another.
_MOST, _DEEPEST = 16, 6
_SETS: dict[str, Callable[[Any, Any], Any]] = {
    "BitOr": operator.or_,
    "BitAnd": operator.and_,
    "Sub": operator.sub,
    "BitXor": operator.xor,
}
#: Methods of texts, numbers and containers that change nothing.
_COMPUTED = frozenset(
    ("zfill", "rjust", "ljust", "upper", "title", "replace", "split", "join", "format", "count", "find", "isdigit", "index",
     "removeprefix", "removesuffix", "union", "intersection", "difference", "issubset", "issuperset", "isdisjoint")
)  # fmt: skip
_MUTABLE = (List, Set, Dict, Unknown, Call)


class Unsure(Exception):
    """Not all items are known."""


class ConstEval:
    """Computes them on one rank, and what lists, tuples, sets and dicts hold."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.heap = evaluator.heap
        #: Whether items may be unknown, and the same on all ranks, where they are something to be called.
        self._named = False
        #: Whether the parts that ranks take by their number are gone into.
        self._shares = False

    def worked_out(self, name: str, term: Call, frame: Context) -> Any:
        """What a call of such a function gives; None where it is none, or nothing can be said."""
        arguments = term.args
        if name in _QUANTIFIERS and len(arguments) == 1:
            if isinstance(arguments[0], (List, Tuple, Set)):
                return self._among(arguments[0].items, name == "builtins.any", term, frame)
            return self._among_drawn(arguments[0], name == "builtins.any", frame)
        if name in COMPUTED and len(arguments) > 1:
            return self._computed_by(name, term, frame)
        found = self.computed_from_rank(name, term, frame)
        return self._computed_by(name, term, frame) if found is None and name in COMPUTED else found

    def of_method(self, callee: Attr, call: Call, frame: Context) -> Any:
        """What a method of a text or list gives that is told, or asked about, something of the rank; None for all else."""
        name, arguments = callee.name, call.args
        if name in _RESPELLED and not arguments and not call.kwargs:
            return _respelled(self.evaluator.value(callee.base, frame), name)
        if name not in _METHODS or len(arguments) != 1 or call.kwargs:
            return self.method_of_rank(callee, call, frame)
        if name == "index":
            wanted, asked = self.evaluator.evaluate(arguments[0], frame)
            whole = self.container(callee.base, frame) if asked and not isinstance(wanted, UNKNOWN) else None
            if whole is None or wanted not in list(whole):
                return None
            self.evaluator.rank_dependent = True
            return list(whole).index(wanted)
        text, asked = self.evaluator.evaluate(callee.base, frame)
        part = self.evaluator.value(arguments[0], frame)
        if not asked or type(text) not in (str, int, Text) or type(part) is not str:
            return None
        self.evaluator.rank_dependent = True
        return bool(getattr(str(text), name)(part))

    def item_by_rank(self, base: Term, key: Term, default: Term | None, frame: Context) -> Any:
        """An item of a list or dict that is written down, by a key that the rank decides; None where that is not so.

        ``default``: the term of what it is where there is no such key (None: that is an error).
        """
        if isinstance(key, (Const, Slice, Unknown)):
            return None
        wanted, asked = self.evaluator.evaluate(key, frame)
        if not asked or isinstance(wanted, UNKNOWN):
            return None
        whole = self.container(base, frame) if isinstance(base, Unknown) else None
        if isinstance(whole, dict):
            self.evaluator.rank_dependent = True
            return whole[wanted] if wanted in whole else None if default is None else self.evaluator.value(default, frame)
        for value in self.program.values(base, frame):
            if not isinstance(value, Unresolved) or not isinstance(value.term, (List, Tuple, Dict)):
                continue
            found = position(value.term, wanted)
            if found is None and default is None:
                return None
            self.evaluator.rank_dependent = True
            if found is not None:
                return self.evaluator.value(at(value.term, found), value.frame)
            return self.evaluator.value(default, frame) if default is not None else None
        return None

    def length(self, term: Term, frame: Context) -> int | None:
        """How many items are in a list that is written down, or in a slice of one; None where that is not known."""
        if isinstance(term, Subscript) and isinstance(term.key, Slice):
            whole = self.length(term.base, frame)
            bounds = [self.evaluator.value(bound, frame) for bound in term.key.bounds]
            if whole is None or any(type(bound) not in _BOUNDS for bound in bounds):
                return None
            return len(range(*slice(*(None if bound is None else int(bound) for bound in bounds)).indices(whole)))
        numbers = self.range_of(term, frame) if isinstance(term, Call) else None
        if numbers is not None:
            return len(numbers)
        if isinstance(term, (List, Tuple, Global, Param)):
            for value in self.program.values(term, frame):
                if isinstance(value, Unresolved) and isinstance(value.term, (List, Tuple)) and value.term.items:
                    return len(value.term.items)
                made = value.call if isinstance(value, LibraryObject) else None
                return (
                    self.length(made, value.frame)
                    if made is not None and isinstance(value, LibraryObject) and value.frame
                    else None
                )
        return None

    def range_of(self, term: Term, frame: Context) -> range | None:
        """The numbers of ``range(...)`` when its bounds are known."""
        if not isinstance(term, Call) or not term.args or term.kwargs:
            return None
        names = {value.name for value in self.program.values(term.callee, frame) if isinstance(value, Library)}
        if "builtins.range" not in names:
            listed = isinstance(term.args[0], Call) and not names.isdisjoint(self.program.knowledge.transparent)
            return self.range_of(term.args[0], frame) if listed else None  # ``list(range(2))``
        bounds = [self.evaluator.value(bound, frame) for bound in term.args]
        if not all(type(bound) in (int, World, bool) for bound in bounds) or not all(bounds[2:]):
            return None
        if len(bounds) > _MOST_BOUNDS or any(abs(bound) > _FARTHEST for bound in bounds):
            return None  # Python has no length for it
        return range(*(int(bound) for bound in bounds))

    def _among(self, items: tuple[Term, ...], stop: bool, key: Term, frame: Context) -> Any:
        """``any`` of literal items (``stop`` True), or ``all`` of them."""
        value: Any = not stop
        for item in reversed(items):
            value = until(self.evaluator.value(item, frame), stop, partial(_same, value), (key, frame))
        return value

    def _among_drawn(self, drawn: Term, stop: bool, frame: Context) -> Any:
        """``any`` (``stop`` True) or ``all`` over a comprehension that goes over numbers, when the answer is the rank's."""
        made = drawn if isinstance(drawn, Comprehension) else None
        numbers = self.container(made.of, frame) if made is not None else None
        if made is None or numbers is None or len(numbers) > _FEW or made.target in self.evaluator.loops:
            return None
        values = []
        try:
            for number in numbers:
                self.evaluator.loops[made.target] = number
                if all(self.evaluator.value(test, frame) is True for test in made.tests):
                    values.append(self.evaluator.value(made.item, frame))
        finally:
            self.evaluator.loops.pop(made.target, None)
        if any(isinstance(value, UNKNOWN) for value in values):
            return None
        return any(values) if stop else all(values)

    def _computed_by(self, name: str, term: Call, frame: Context) -> Any:
        """A small function of numbers, where they are known."""
        given = [self.evaluator.evaluate(argument, frame) for argument in term.args]
        if any(isinstance(value, (*UNKNOWN, World)) for value, _ in given):
            told = zip(term.args, given, strict=True)
            if any(
                isinstance(value, Varying) or (asked and self.evaluator.differs(argument, frame))
                for argument, (value, asked) in told
            ):
                self.evaluator.rank_dependent = True
                return Varying((term, frame))
            return Uniform((term, frame))
        try:
            return COMPUTED[name](*(value for value, _ in given))
        except (TypeError, ValueError, ArithmeticError):
            return Uniform((term, frame))

    def computed_from_rank(self, name: str, call: Call, frame: Context) -> Any:
        """What a call of such a function gives; None where it is none, the rank has no part in it, or nothing can be said."""
        function = _FUNCTIONS.get(name)
        return None if function is None or call.kwargs else self._applied_to(function, call.args, frame)

    def method_of_rank(self, callee: Attr, call: Call, frame: Context) -> Any:
        """What a method gives that asks only; None as above."""
        if callee.name not in _COMPUTED or call.kwargs:
            return None

        def ask(thing: Any, *given: Any) -> Any:
            if any(isinstance(each, int) and each > LONGEST for each in given) or _is_wide(callee.name, thing):
                raise ValueError
            return getattr(str(thing) if isinstance(thing, int) else thing, callee.name)(*given)

        return self._applied_to(ask, (callee.base, *call.args), frame)

    def compared_as_wholes(self, term: Compare, frame: Context) -> Any:
        """The answer to a comparison of two containers, one of them written down; None as above."""
        if type(term.left) not in _WRITTEN and type(term.right) not in _WRITTEN:
            return None
        return self._applied_to(lambda left, right: compared(term.op, left, right), term.sides, frame)

    def item_of_rank(self, base: Term, key: Term, frame: Context) -> Any:
        """An item of a list that is computed with the rank: ``sorted([3, rank])[0]``; None as above."""
        if isinstance(base, Call) and not isinstance(base.callee, Ref):
            return None
        return self._applied_to(operator.getitem, (base, key), frame)

    def _applied_to(self, function: Callable[..., Any], terms: tuple[Term, ...], frame: Context) -> Any:
        before, self.evaluator.rank_dependent = self.evaluator.rank_dependent, False
        given = []
        for term in terms:
            value = self._settled_value(term, frame)
            if isinstance(value, (*UNKNOWN, World)) or not isinstance(value, _PLAIN):
                self.evaluator.rank_dependent = before
                return None
            given.append(value)
        if not self.evaluator.rank_dependent or not all(map(is_small, given)):
            self.evaluator.rank_dependent = before
            return None
        try:
            result = function(*given)
            known = isinstance(result, _PLAIN) and is_small(result)
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, StopIteration, MemoryError):
            known = False
        self.evaluator.rank_dependent = before or known
        return result if known else None

    def _settled_value(self, term: Term, frame: Context) -> Any:
        if isinstance(term, (List, Dict)) and not term.items and not self.program.ask(Contents).is_changed(term, frame.function):
            return [] if isinstance(term, List) else {}
        if isinstance(term, Call):
            # A call of a library says what it makes; one of the project's is gone into only if it is told the rank.
            may_be = isinstance(term.callee, Ref) if not isinstance(term.callee, Global) else self.is_told_rank(term, frame)
        else:
            may_be = type(term) in _CONTAINERS
        found = self.container(term, frame, shares=True) if may_be else None
        return self.evaluator.value(term, frame) if found is None else found

    def container(self, term: Term, frame: Context, *, named: bool = False, shares: bool = False) -> Any:
        """The list, tuple, set or dict that a term is on this rank, as Python's own; None where not all of it is known.

        ``named``: of functions and objects it is enough to know by which term they go; in a tuple that is an item, something
        unknown, but the same on all ranks, will do. ``shares``: so will the part of a list that the rank takes by its number.
        """
        before, self._named, self._shares = self.evaluator.rank_dependent, named, shares
        try:
            found = self._contained(term, frame, 0)
        except (Unsure, TypeError, ValueError, KeyError):
            self.evaluator.rank_dependent = before
            return None
        finally:
            self._named = self._shares = False
        return found if len(found) <= _MOST else None

    def first_items(self, term: Term, frame: Context) -> int | None:
        """How many items a list has before its function takes any out; None where that is not known."""
        self._named, self._shares = True, True
        try:
            return len(self._made_of(term, frame, 0))
        except (Unsure, TypeError, ValueError, KeyError):
            return None
        finally:
            self._named = self._shares = False

    def _contained(self, term: Term, frame: Context, depth: int) -> Any:
        if depth > _DEEPEST:
            raise Unsure
        found = self._made_of(term, frame, depth)
        if isinstance(term, _MUTABLE):
            self._untouched(term, frame, found)
        return found

    def _made_of(self, term: Term, frame: Context, depth: int) -> Any:
        if isinstance(term, (List, Tuple, Set)) and type(term.items) is tuple:
            items = [self._certain(item, frame, inside=True) for item in term.items]
            items = self._filled(term, items, frame)
            return set(items) if isinstance(term, Set) else tuple(items) if isinstance(term, Tuple) else items
        if isinstance(term, Dict):
            if self.program.ask(Contents).is_changed(term, frame.function) or not term.items:
                raise Unsure
            return {self._certain(key, frame): self._certain(value, frame, inside=True) for key, value in term.items}
        if isinstance(term, Unknown):
            return self._drawn_from(term, frame, depth)
        if self._named and isinstance(term, Or) and isinstance(term.operands[-1], (List, Tuple)):
            found = (self._contained(part, frame, depth + 1) for part in term.operands)
            return next((each for each in found if each), ())
        kept = self._kept_by_object(term, frame, depth) if self._named and isinstance(term, (Attr, Call, Subscript)) else None
        if kept is not None:
            return kept
        if isinstance(term, Call):
            return self._called(term, frame, depth)
        if isinstance(term, BinOp):
            return self._joined(term, frame, depth)
        if isinstance(term, Select):
            return self._contained(term.then if self._certain(term.test, frame) else term.other, frame, depth + 1)
        if term in self.evaluator.loops or (isinstance(term, Subscript) and term.base in self.evaluator.loops):
            return self._item_drawn(term, frame)
        if isinstance(term, Subscript) and isinstance(term.key, Slice):
            bounds = [self._asked_within(bound, frame) for bound in term.key.bounds]
            types = (int, World, type(None)) if self._shares else (int, type(None))
            whole = self._contained(term.base, frame, depth + 1)
            # Which functions a rank has matters beside how many; other shares are counted elsewhere (`shards`).
            shares = self._shares or (self._named and any(isinstance(item, Something) for item in whole))
            if any((asked and not shares) or type(bound) not in types for bound, asked in bounds):
                raise Unsure
            return whole[slice(*(bound for bound, _ in bounds))]
        if isinstance(term, Subscript):
            return self._item_contained(term, frame, depth)
        if isinstance(term, (Global, Param, Attr, Ref)):
            return self._elsewhere(term, frame, depth)
        raise Unsure

    def _item_drawn(self, term: Term, frame: Context) -> Any:
        """What a comprehension goes over at this moment, or a part of it: ``any(rank in group for group in groups)``."""
        whole = self.evaluator.value(term, frame)
        if not isinstance(whole, (tuple, list, dict, set)):
            raise Unsure
        return whole

    def _item_contained(self, term: Subscript, frame: Context, depth: int) -> Any:
        """A list that is an item of a list or dict which is written down."""
        key, _ = self._asked_within(term.key, frame)
        for value in self.program.values(term.base, frame) if not isinstance(key, UNKNOWN) else ():
            if isinstance(value, Unresolved) and isinstance(value.term, (List, Tuple, Dict)):
                found = position(value.term, key)
                if found is not None:
                    self._untouched(value.term, value.frame)
                    item = at(value.term, found)
                    if isinstance(item, (List, Tuple)) and not item.items:
                        return ()
                    return self._contained(item, value.frame, depth + 1)
        raise Unsure

    def _untouched(self, term: Term, frame: Context, items: Any = ()) -> None:
        """Stop where a container is changed by anything but one more item at a time, or handed to somebody who may.

        Things that are gone over to be called are gone over by whoever is handed them.
        """
        knowledge = self.program.knowledge
        for node in calls_of(frame.function):
            callee = node.term.callee
            if (
                not isinstance(callee, Attr)
                or callee.base is not term
                or callee.name in knowledge.views
                or callee.name in knowledge.only_asks
            ):
                continue
            if not isinstance(term, (List, Set)) or callee.name not in knowledge.changes:
                raise Unsure
        called = self._named and any(isinstance(item, UNKNOWN) for item in items)
        if self.program.ask(RankLocalData).met_over(term, frame) if called else self.heap.settled_at(term, frame):
            raise Unsure

    def _certain(self, term: Term, frame: Context, *, inside: bool = False) -> Any:
        if isinstance(term, Const):
            return term.value
        if isinstance(term, (Tuple, List)) and type(term.items) is tuple and term.items:
            return tuple(self._certain(item, frame, inside=True) for item in term.items)
        term = self.evaluator.origins.chosen_callee(term, frame) if self._named else term
        if isinstance(term, (Global, Ref, Nested)) or self._named:
            values = self.program.values(term, frame)
            if values and all(isinstance(value, (FunctionValue, Library)) for value in values):
                return Something((term, frame))  # a function: there it is, and which one the term says
        named = self._named
        value, _ = self._asked_within(term, frame)
        if isinstance(value, UNKNOWN) and type(value) not in ((Something, Uniform, Choice) if named and inside else (Something,)):
            raise Unsure
        return value

    def _asked_within(self, term: Term, frame: Context) -> tuple[Any, bool]:
        """A value that a container is made of: what is asked to answer that is about containers of its own."""
        saved = self._named, self._shares
        try:
            return self.evaluator.evaluate(term, frame)
        finally:
            self._named, self._shares = saved

    def _filled(self, display: List | Tuple | Set, items: list[Any], frame: Context) -> list[Any]:
        """The items of a display, and what the function adds to it on this rank before it asks."""
        added = self.program.ask(Contents).added(display, frame.function)
        if added is None or not (display.items or added or self._named):  # changed otherwise, or made to be filled
            raise Unsure
        for value, tests in added:
            taken = self.takes(tests, frame, supposing=self._named)
            if taken is None:
                raise Unsure
            if taken:
                items.append(self._certain(value, frame, inside=True))
        return items

    def takes(self, tests: Tests, frame: Context, *, supposing: bool = False) -> bool | None:
        """Whether this rank takes these arms of tests; None where one that comes before the first that it does not is unknown.

        ``supposing``: what is unknown, but the same for all, is taken to be as the arms want it.
        """
        for condition, arm in tests:
            value = self.evaluator.value(condition, frame)
            if supposing and type(value) is Uniform:
                continue
            if isinstance(value, UNKNOWN) and not isinstance(value, Something):
                return None
            if bool(value) != arm:
                return False
        return True

    def _drawn_from(self, term: Unknown, frame: Context, depth: int) -> Any:
        """A comprehension, or the ``*args`` of a function."""
        where = frame.home(term)
        if where is not None and where.function.variadic is term and where.rest is not None:
            return tuple(self._certain(bound.term, bound.frame) for bound in where.rest)
        if where is None or not isinstance(term, Comprehension) or term.target in self.evaluator.loops:
            raise Unsure
        source = self._contained(term.of, where, depth + 1)
        if len(source) > _MOST:
            raise Unsure
        found: list[Any] = []
        try:
            for item in source:
                self.evaluator.loops[term.target] = item
                if all(self._certain(test, where) for test in term.tests):
                    value = self._certain(term.item, where)
                    found.append(value if term.key is None else (self._certain(term.key, where), value))
        finally:
            self.evaluator.loops.pop(term.target, None)
        return set(found) if term.kind == "set" else found if term.key is None else dict(found)

    def _called(self, call: Call, frame: Context, depth: int) -> Any:
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self.program.knowledge.views and not call.args:
            whole = self._contained(callee.base, frame, depth + 1)
            if isinstance(whole, dict):
                return list(getattr(whole, callee.name)())
        knowledge = self.program.knowledge
        for value in self.program.values(callee, frame):
            if isinstance(value, FunctionValue) and (self._named or (self._shares and self.is_told_rank(call, frame))):
                return self._returned_container(value, call, frame, depth)
            if not isinstance(value, Library) or not call.args or call.kwargs:
                continue
            if value.name == "builtins.range":
                break
            shape = knowledge.iterates.get(value.name)
            parts = [self._contained(part, frame, depth + 1) for part in call.args[: None if shape == "zipped" else 1]]
            if shape == "zipped":
                return list(zip(*parts, strict=False))
            if shape == "indexed":
                return list(enumerate(parts[0], *[self._certain(start, frame) for start in call.args[1:]]))
            if value.name in _BUILT:
                return _BUILT[value.name](parts[0])
        numbers = self.range_of(call, frame)
        if numbers is None:
            raise Unsure
        return numbers

    def is_told_rank(self, call: Call, frame: Context) -> bool:
        """Whether the rank is among what a call passes."""
        given = (*call.args, *(value for _, value in call.kwargs))
        return any(self._asked_within(each, frame)[1] for each in given if not isinstance(each, Const))

    def _kept_by_object(self, term: Attr | Call | Subscript, frame: Context, depth: int) -> Any:
        """The items of a list that an object keeps, by itself or in a dict: those it begins with, and those that its methods add.

        None where a term is nothing that an object keeps, or where nobody knows what is added.
        """
        place = kept_under(self.program.knowledge.hands_out, term)
        owners: tuple[Value | None, ...] = (frame.owner(),)
        if place is not None:
            name, key = place
        elif isinstance(term, Attr):
            name, key, owners = term.name, None, self.program.values(term.base, frame)
        else:
            return None
        owner = next((value for value in owners if isinstance(value, Instance)), None)
        cls = ClassValue(owner.module, owner.cls) if owner is not None else None
        stores = self.program.stores(cls, name) if cls is not None else []
        if owner is None or cls is None or len(stores) != 1:
            return None
        module, function, display = stores[0]
        made = self.program.instance_frame(owner, module, function)
        if key is not None and not self._begins_empty(display, made):
            return None
        found = [] if key is not None else self._contained(display, made, depth + 1)
        added = registered_callbacks(self.program, cls, name)
        if added is None:
            raise Unsure
        more = [self._certain(each.term, each.frame, inside=True) for each in added if self._is_added(each, key, frame)]
        return [*found, *more] if more else found

    def _begins_empty(self, display: Term, frame: Context) -> bool:
        """Whether a dict of lists has nothing in it when it is made."""
        if isinstance(display, Dict):
            return not display.items
        items = self.program.knowledge.items
        made = (value for value in self.program.values(display, frame) if isinstance(value, LibraryObject))
        return any(value.name in items and value.call is not None and len(value.call.args) <= 1 for value in made)

    def _is_added(self, each: RegisteredCallback, key: Term | None, frame: Context) -> bool:
        """Whether this rank puts something into the list that is asked for."""
        if (key is None) != (each.key is None):
            raise Unsure
        if key is not None and each.key is not None:
            wanted, under = self._asked_within(key, frame)[0], self._asked_within(*each.key)[0]
            if wanted != under:
                if isinstance(wanted, UNKNOWN) or isinstance(under, UNKNOWN):
                    raise Unsure
                return False
        ways = [(each.method.module, each.method.function, each.call.term)]
        if each.site is not None:
            ways.append((each.site.module, each.site.function, each.site.call.term))
        tests_of, passes = self.program.ask(Settings).tests_of, self.evaluator.stores.passes
        passed = [passes(tests_of(at).get(id(call), ()), self.program.frame(path, at))[0] for path, at, call in ways]
        if None in passed:
            raise Unsure
        return all(passed)

    def _returned_container(self, value: FunctionValue, call: Call, frame: Context, depth: int) -> Any:
        """What a function of the project returns at one place only."""
        results = self.program.returns(value.function)
        if len(results) != 1 or value.function.generator or frame.runs(value.function):
            raise Unsure
        return self._contained(results[0], self.program.enter(value, call, frame), depth + 1)

    def _joined(self, term: BinOp, frame: Context, depth: int) -> Any:
        if term.op == "Mult":
            times, _ = self._asked_within(term.right, frame)
            if type(times) is not int or not 0 <= times <= _MOST:
                raise Unsure
            return self._contained(term.left, frame, depth + 1) * times
        left, right = (self._contained(part, frame, depth + 1) for part in term.sides)
        if isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset)) and term.op in _SETS:
            return _SETS[term.op](left, right)
        if term.op == "Add" and type(left) is type(right):
            return left + right
        raise Unsure

    def _elsewhere(self, term: Term, frame: Context, depth: int) -> Any:
        if isinstance(term, Param):
            self.evaluator.consulted(term.name)
            if self.program.ask(Contents).is_changed(term, frame.function):
                raise Unsure
            bound = frame.given(term)
            if isinstance(bound, Argument):
                return self._contained(bound.term, bound.frame, depth + 1)
        values = self.program.values(term, frame)
        if len(values) != 1:
            raise Unsure
        value = values[0]
        if isinstance(value, Unresolved) and value.term is not term:
            return self._contained(value.term, value.frame, depth + 1)
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            return self._contained(value.call, value.frame, depth + 1)
        raise Unsure


def _same(value: Any) -> Any:
    return value


def _respelled(text: Any, name: str) -> Any:
    """A text after one of its methods; None where it is no text."""
    if isinstance(text, Choice):
        arms = [_respelled(arm, name) for arm in (text.then, text.other)]
        return None if None in arms else joined(text.condition, *arms)
    if isinstance(text, Uniform) or type(text) in (int, Text):
        return text  # a number stands for its text (see ``builtins.str`` in the tables)
    return getattr(text, name)() if type(text) is str else None


def _hash(value: Any) -> Any:
    """Of a text it is another one in each run: only that of a number says anything here."""
    if not isinstance(value, int):
        raise TypeError
    return hash(value)


def _length(items: Any) -> int:
    """A number stands for its text here (see ``builtins.str`` in the tables)."""
    return len(str(items) if isinstance(items, int) else items)


def _is_wide(method: str, template: Any) -> bool:
    """Whether a template to be filled in asks for a width or precision of four digits or more."""
    return method == "format" and isinstance(template, str) and re.search(r"\d{4}", template) is not None


def _sorted(items: Iterable[Any]) -> list[Any]:
    return sorted(items)


def _reversed(items: Any) -> list[Any]:
    return list(items)[::-1]


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "builtins.len": _length,
    "builtins.sum": sum,
    "builtins.min": min,
    "builtins.max": max,
    "builtins.sorted": sorted,
    "builtins.round": round,
    "builtins.hash": _hash,
    "builtins.float": float,
    "builtins.hex": hex,
    "builtins.bin": bin,
    "builtins.chr": chr,
    "math.isclose": math.isclose,
    "math.floor": math.floor,
    "math.ceil": math.ceil,
    "math.sqrt": math.sqrt,
    "math.log2": math.log2,
    "operator.eq": operator.eq,
    "operator.ne": operator.ne,
    "operator.lt": operator.lt,
    "operator.le": operator.le,
    "operator.gt": operator.gt,
    "operator.ge": operator.ge,
    "operator.not_": operator.not_,
    "operator.mod": operator.mod,
    "operator.contains": operator.contains,
}


_BUILT: dict[str, Callable[[Any], Any]] = {
    "builtins.set": set,
    "builtins.frozenset": frozenset,
    "builtins.tuple": tuple,
    "builtins.list": list,
    "builtins.sorted": _sorted,
    "builtins.reversed": _reversed,
}
