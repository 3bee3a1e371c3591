"""What a condition is worth on one rank.

A few ranks of a small world are taken as examples: 0 to 3 of a world of 4 on two nodes, so that the local rank differs
from the rank. A term is then evaluated for one of them: a rank test has a plain truth value; what is the same on all
ranks but unknown is a :class:`Sym`, the same object for every rank; what depends on the rank in a way that cannot be
computed is :class:`PerRank`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from trainlint.facts.calls import calls
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Value
from trainlint.model.sketch import Block, Call, Exit, Function, If, Loop, Store, Try, With
from trainlint.model.terms import Term

WORLD = 4
LOCAL = 2
_DEEPEST = 14
_CALLERS = 6
#: Statements that may be run to learn what a function returns.
_FUEL = 400
#: A value that hangs on more unknown conditions than this is unknown.
_MOST_CHOICES = 6


class World(int):
    """The number of ranks: an example value, so only comparisons with 0 and 1 mean anything."""


class Sym(NamedTuple):
    """An unknown value, the same on every rank."""

    key: Any


class PerRank(NamedTuple):
    """An unknown value that depends on the rank."""

    key: Any


class Something(NamedTuple):
    """An unknown object that is certainly not None (what a constructor returned)."""

    key: Any


class Choice(NamedTuple):
    """One of two values, by an unknown condition that is the same on every rank."""

    condition: Sym
    then: Any
    other: Any


_UNKNOWN = (Sym, PerRank, Something, Choice)
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
}
_NEGATED = {"NotEq": "Eq", "IsNot": "Is", "NotIn": "In", "GtE": "Lt", "Gt": "LtE"}
_COMPUTE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
}


class _OutOfFuel(Exception):
    """A function is too large to be run for its result."""


@dataclass
class Evaluator:
    """Evaluates terms for one rank. ``asked`` is set when an answer depended on which rank it is."""

    program: Program
    rank: int
    consulted: Callable[[], None]

    def __post_init__(self) -> None:
        self.asked = False
        self.loops: dict[Term, int] = {}
        self._depth = 0
        self._fuel = _FUEL
        self._leaving: dict[int, bool] = {}
        self._memo: dict[tuple[Term, Frame], tuple[Any, bool]] = {}

    # -- entry points ----------------------------------------------------------------------------------------------

    def evaluate(self, term: Term, frame: Frame) -> tuple[Any, bool]:
        """The value of a term on this rank, and whether it depended on the rank."""
        saved, self.asked = self.asked, False
        try:
            return self.value(term, frame), self.asked
        finally:
            self.asked = saved or self.asked

    def value(self, term: Term, frame: Frame) -> Any:
        """The value of a term on this rank."""
        key = (term, frame)
        known = self._memo.get(key)
        if known is not None and not self.loops:
            self.asked = self.asked or known[1]
            return known[0]
        if self._depth > _DEEPEST:
            return Sym(key)
        self._depth += 1
        saved, self.asked = self.asked, False
        try:
            handler = getattr(self, "_" + term[0], None)
            result = handler(term, frame) if handler is not None else Sym(key)
        finally:
            self._depth -= 1
            asked, self.asked = self.asked, saved or self.asked
        if not self.loops:
            self._memo[key] = (result, asked)
        return result

    def word(self, word: str, key: Any) -> Any:
        """What a knowledge word says of a value on this rank."""
        if word == "world":
            return World(WORLD)
        if word == "yes":
            return True
        if word == "uniform":
            return Sym(key)
        self.asked = True
        if word == "rank":
            return self.rank
        if word == "local_rank":
            return self.rank % LOCAL
        if word == "node_rank":
            return self.rank // LOCAL
        if word == "main":
            return self.rank == 0
        if word == "local_main":
            return self.rank % LOCAL == 0
        if word == "last":
            return self.rank == WORLD - 1
        return PerRank(key)

    def differs(self, term: Term, frame: Frame) -> bool:
        """Whether a term has different values on the example ranks (or one that cannot be computed for each)."""
        values = [peer.value(term, frame) for peer in self.peers()]
        first = values[0]
        return any(isinstance(v, PerRank) or v != first or type(v) is not type(first) for v in values)

    def peers(self) -> list[Evaluator]:
        """One evaluator for each example rank, shared by the whole program."""
        known: list[Evaluator] | None = self.program.analyses.get("peers")  # type: ignore[assignment]
        if known is None:
            known = [Evaluator(self.program, rank, lambda: None) for rank in range(WORLD)]
            self.program.analyses["peers"] = known
        return known

    # -- leaves ----------------------------------------------------------------------------------------------------

    def _c(self, term: Term, frame: Frame) -> Any:
        return term[2]

    def _r(self, term: Term, frame: Frame) -> Any:
        value = self.program.lookup(frame.module, term[1])
        if isinstance(value, Library):
            word = self.program.knowledge.ranks.get(value.name)
            return self.word(word, value.name) if word is not None else Sym(value.name)
        other = getattr(value, "term", None)
        if other is not None:
            return self.value(other, value.frame)  # type: ignore[union-attr]
        return Something(value)

    def _g(self, term: Term, frame: Frame) -> Any:
        module = self.program.modules[frame.module]
        known = module.names.get(term[1])
        if known is None or term[1] in module.rebound:
            return self._named(term[1], term, frame)
        if known[0] == "g" and known[1] == term[1]:
            return Something(term)
        result = self.value(known, self.program.frame(frame.module, module.functions["<module>"]))
        return self._named(term[1], term, frame) if type(result) is Sym else result

    def _named(self, name: str, term: Term, frame: Frame) -> Any:
        """A value whose origin is out of sight: its name may say by convention what it is."""
        word = self.program.knowledge.conventions.get(name.lower())
        return self.word(word, term) if word is not None else Sym((term, frame))

    def _p(self, term: Term, frame: Frame) -> Any:
        self.consulted()
        holder = frame.holder(term[1])
        if holder is None:
            return self._named(term[2], term, frame)
        bound = holder.arguments.get(term[2])
        if type(bound) is tuple:
            return self.value(bound[0], bound[1])
        if bound is not None:
            return Something(bound)
        if holder.depth and term[2] in holder.function.defaults:
            default = holder.function.defaults[term[2]]
            return self.value(default, self.program.frame(holder.module, holder.function))
        return self._from_callers(term, holder)

    def _from_callers(self, term: Term, holder: Frame) -> Any:
        """A parameter of a function on its own: what all its callers agree to pass."""
        index = calls(self.program)
        if self._spawned(holder.function) and holder.function.parameters[:1] == (term[2],):
            return self.word("local_rank", term)
        own = Sym((term, holder))
        sites = index.callers(holder.function)
        agreed: Any = own
        if 0 < len(sites) <= _CALLERS and self._depth < _DEEPEST - 4:
            answers = []
            for site in sites:
                caller = self.program.frame(site.module, site.function)
                for target in index.targets(site.call.term, caller):
                    if isinstance(target, FunctionValue) and target.function is holder.function:
                        inner = self.program.enter(target, site.call.term, caller)
                        if term[2] in inner.arguments:
                            answers.append(self.value(term, inner))
                        break
            if answers and all(answer == answers[0] and type(answer) is type(answers[0]) for answer in answers):
                agreed = answers[0]
        if type(agreed) is Sym:
            named = self._named(term[2], term, holder)
            return agreed if type(named) is Sym else named
        return agreed

    def _spawned(self, function: Function) -> bool:
        known: set[int] | None = self.program.analyses.get("spawned")  # type: ignore[assignment]
        if known is None:
            known = set()
            self.program.analyses["spawned"] = known
            index = calls(self.program)
            for spawner in self.program.knowledge.spawners:
                for site in index.sites_named(spawner.rpartition(".")[2]):
                    frame = self.program.frame(site.module, site.function)
                    for target in index.targets(site.call.term, frame):
                        if isinstance(target, Library) and target.name in self.program.knowledge.spawners:
                            known.update(id(v.function) for v in self._first_argument(site.call.term, frame))
        return id(function) in known

    def _first_argument(self, call: Term, frame: Frame) -> list[FunctionValue]:
        arguments = [*call[2][:1], *(value for name, value in call[3] if name in ("fn", "f"))]
        return [v for a in arguments for v in self.program.values(a, frame) if isinstance(v, FunctionValue)]

    def _self(self, term: Term, frame: Frame) -> Any:
        return Something(frame.owner() or term)

    def _elem(self, term: Term, frame: Frame) -> Any:
        if term in self.loops:
            return self.loops[term]
        return Sym((term, frame))

    def _fn(self, term: Term, frame: Frame) -> Any:
        return Something(term)

    # -- attributes and calls --------------------------------------------------------------------------------------

    def _a(self, term: Term, frame: Frame) -> Any:
        name = term[2]
        for base in self.program.values(term[1], frame):
            if isinstance(base, (Made, Library)):
                dotted = self.program.knowledge.canonical(f"{base.name}.{name}")
                word = self.program.knowledge.ranks.get(dotted)
                if word is not None:
                    return self.word(word, dotted)
            elif isinstance(base, Instance):
                found = self._attribute_of(base, name, frame)
                if found is not None:
                    return found
            elif isinstance(base, ClassValue):
                attribute = self.program.class_attribute(base, name)
                if attribute is not None:
                    return self.value(attribute[1], attribute[0])
            else:
                assumed = self.program.assumed(getattr(base, "term", term))
                word = self.program.knowledge.ranks.get(f"{assumed}.{name}") if assumed else None
                if word is not None:
                    return self.word(word, term)
                member = self.program.member(base, name)
                inner = getattr(member, "term", None)
                if inner is not None:
                    return self.value(inner, member.frame)  # type: ignore[union-attr]
        return self._named(name, term, frame)

    def _attribute_of(self, instance: Instance, name: str, frame: Frame) -> Any:
        """What an object of the project keeps under a name, or None when nothing is known of it."""
        cls = ClassValue(instance.module, instance.cls)
        method = self.program.method(cls, name)
        if method is not None:
            if method[1].kind != "property":
                return Something(method[1].qualname)
            return self.run(method[1], self.program.instance_frame(instance, method[0], method[1]))
        answers = [
            self.value(term, self.program.instance_frame(instance, module, function))
            for module, function, term in self.program.stores(cls, name)
        ]
        if not answers:
            attribute = self.program.class_attribute(cls, name)
            return self.value(attribute[1], attribute[0]) if attribute is not None else None
        first = answers[0]
        if all(answer == first and type(answer) is type(first) for answer in answers):
            return None if type(first) is Sym and self._conventional(name) else first
        return Sym((instance.module, instance.cls.qualname, name)) if not self._conventional(name) else None

    def _conventional(self, name: str) -> bool:
        return name.lower() in self.program.knowledge.conventions

    def _call(self, term: Term, frame: Frame) -> Any:
        callee = term[1]
        knowledge = self.program.knowledge
        for value in self.program.values(callee, frame):
            if isinstance(value, Library):
                return self._library_call(value.name, term, frame)
            if isinstance(value, FunctionValue):
                return self._project_call(value, term, frame)
            if isinstance(value, ClassValue):
                return Something((term, frame))
            if isinstance(value, Instance):
                return Sym((term, frame))
        name = callee[2] if callee[0] in ("a", "p") else callee[1] if callee[0] == "g" else ""
        word = knowledge.conventions.get(str(name).lower())
        return self.word(word, term) if word is not None else Sym((term, frame))

    def _project_call(self, value: FunctionValue, term: Term, frame: Frame) -> Any:
        if value.function.generator or frame.depth > _DEEPEST or frame.runs(value.function):
            return Sym((term, frame))
        result = self.run(value.function, self.program.enter(value, term, frame))
        if type(result) is Sym:
            word = self.program.knowledge.conventions.get(value.function.name.lower())
            if word is not None:
                return self.word(word, term)
        return result

    def _library_call(self, name: str, term: Term, frame: Frame) -> Any:
        knowledge = self.program.knowledge
        word = knowledge.ranks.get(name)
        arguments = term[2]
        if word is not None:
            if name in knowledge.with_group and (arguments or term[3]):
                group = arguments[0] if arguments else term[3][0][1]
                if self.value(group, frame) is not None and not self.is_world(group, frame):
                    return Sym((term, frame))
            return self.word(word, name)
        if name in ("os.environ.get", "os.getenv") and arguments:
            return self._variable(arguments[0], term, frame)
        if name in knowledge.transparent and arguments:
            return self._converted(name, self.value(arguments[0], frame), term, frame)
        if name == "dataclasses.field":
            return self._field(term, frame)
        if name in knowledge.objects or name.rpartition(".")[2][:1].isupper():
            return Something((term, frame))  # what a constructor returns is never None
        last = name.rpartition(".")[2].lower()
        word = knowledge.conventions.get(last) if not name.startswith(("builtins.", "torch.", "numpy.")) else None
        return self.word(word, term) if word is not None else Sym((term, frame))

    def _field(self, term: Term, frame: Frame) -> Any:
        """A dataclass field: its default, or what its factory returns."""
        for keyword, value in term[3]:
            if keyword == "default":
                return self.value(value, frame)
            if keyword == "default_factory":
                for factory in self.program.values(value, frame):
                    if isinstance(factory, Library) and factory.name in self.program.knowledge.ranks:
                        return self.word(self.program.knowledge.ranks[factory.name], factory.name)
                    if isinstance(factory, FunctionValue):
                        return self.run(factory.function, self.program.frame(factory.module, factory.function))
        return Sym((term, frame))

    def is_world(self, group: Term, frame: Frame) -> bool:
        """Whether a group argument names the group of all ranks."""
        world = self.program.knowledge.world_groups
        return any(isinstance(v, (Library, Made)) and v.name in world for v in self.program.values(group, frame))

    def _converted(self, name: str, value: Any, term: Term, frame: Frame) -> Any:
        if isinstance(value, _UNKNOWN):
            return value
        if name == "builtins.bool":
            return bool(value)
        if name == "builtins.int" and isinstance(value, str):
            return int(value) if value.lstrip("-").isdigit() else Sym((term, frame))
        return value

    def _variable(self, key: Term, term: Term, frame: Frame) -> Any:
        """An environment variable that launchers set."""
        word = self.program.knowledge.environment.get(key[2]) if key[0] == "c" else None
        return self.word(word, key[2]) if word is not None else Sym((term, frame))

    def _sub(self, term: Term, frame: Frame) -> Any:
        base, key = term[1], term[2]
        for value in self.program.values(base, frame):
            if isinstance(value, Library) and value.name == "os.environ":
                return self._variable(key, term, frame)
        if base[0] == "tuple" and key[0] == "c" and type(key[2]) is int and -len(base[1]) <= key[2] < len(base[1]):
            return self.value(base[1][key[2]], frame)
        return self._tuple_result(term, frame)

    def _tuple_result(self, term: Term, frame: Frame) -> Any:
        """``rank, world = setup()``: the item of the tuple that a function of the project returns."""
        base, key = term[1], term[2]
        if base[0] == "call" and key[0] == "c" and type(key[2]) is int:
            found = [v for v in self.program.values(base[1], frame) if isinstance(v, FunctionValue)]
            if len(found) == 1 and not found[0].function.generator and frame.depth < _DEEPEST:
                inner = self.program.enter(found[0], base, frame)
                returned = [t for t in self.program.returns(found[0].function) if t[0] == "tuple" and len(t[1]) > key[2]]
                answers = [self.value(t[1][key[2]], inner) for t in returned]
                concrete = [a for a in answers if not isinstance(a, _UNKNOWN)]
                if len(concrete) == 1 or (concrete and all(a == concrete[0] for a in concrete)):
                    return concrete[0]
        return Sym((term, frame))

    # -- operators -------------------------------------------------------------------------------------------------

    def _not(self, term: Term, frame: Frame) -> Any:
        return self._negated(self.value(term[1], frame), term, frame)

    def _negated(self, value: Any, term: Term, frame: Frame) -> Any:
        if isinstance(value, Choice):
            then, other = self._negated(value.then, term, frame), self._negated(value.other, term, frame)
            return self._joined(value.condition, then, other)
        if isinstance(value, Sym):
            return Choice(value, False, True)
        if isinstance(value, Something):
            return False
        if isinstance(value, PerRank):
            key = value.key
            return PerRank(key[1]) if type(key) is tuple and key[0] == "not" else PerRank(("not", key))
        if isinstance(value, _UNKNOWN):
            return Sym((term, frame))
        return not value

    def _and(self, term: Term, frame: Frame) -> Any:
        return self._logic(term, frame, stop=False)

    def _or(self, term: Term, frame: Frame) -> Any:
        return self._logic(term, frame, stop=True)

    def _logic(self, term: Term, frame: Frame, *, stop: bool) -> Any:
        """``and`` (which stops at the first False) and ``or`` (at the first True)."""
        return self._rest(term, 0, frame, stop)

    def _rest(self, term: Term, index: int, frame: Frame, stop: bool) -> Any:
        parts = term[1]
        value = self.value(parts[index], frame)
        if index == len(parts) - 1:
            return value
        return self._stopping(value, stop, lambda: self._rest(term, index + 1, frame, stop), (term, frame))

    def _stopping(self, value: Any, stop: bool, rest: Callable[[], Any], key: Any) -> Any:
        if isinstance(value, Choice):
            then, other = self._stopping(value.then, stop, rest, key), self._stopping(value.other, stop, rest, key)
            return self._joined(value.condition, then, other)
        if isinstance(value, Sym):
            return self._joined(value, True, rest()) if stop else self._joined(value, rest(), False)
        if isinstance(value, PerRank):
            following = rest()
            settled = not isinstance(following, _UNKNOWN) and bool(following) is stop
            return stop if settled else value if type(following) is bool else PerRank(key)
        taken = isinstance(value, Something) or bool(value)
        return value if taken is stop else rest()

    def _cmp(self, term: Term, frame: Frame) -> Any:
        name = term[1]
        left, asked = self.evaluate(term[2], frame)
        if name in ("In", "NotIn"):
            return self._membership(term, left, asked, frame)
        right, right_asked = self.evaluate(term[3], frame)
        asked = (asked and self.differs(term[2], frame)) or (right_asked and self.differs(term[3], frame))
        return self._compared(name, left, right, term, frame, asked)

    def _compared(self, name: str, left: Any, right: Any, term: Term, frame: Frame, asked: bool) -> Any:
        for side, other, flip in ((left, right, False), (right, left, True)):
            if isinstance(side, Choice):
                parts = [
                    self._compared(name, *((other, part) if flip else (part, other)), term, frame, asked)
                    for part in (side.then, side.other)
                ]
                return Choice(side.condition, parts[0], parts[1])
        if name in ("Is", "IsNot", "Eq", "NotEq") and None in (left, right):
            other = right if left is None else left
            if isinstance(other, Something) or not isinstance(other, _UNKNOWN):
                return (other is None) == (name in ("Is", "Eq"))
            return Sym((term, frame))  # whether something was given at all is the same everywhere
        if isinstance(left, _UNKNOWN) or isinstance(right, _UNKNOWN):
            return self._unknown_test(name, term, frame, asked)
        return self._plain(name, left, right, term, frame)

    def _unknown_test(self, name: str, term: Term, frame: Frame, asked: bool) -> Any:
        """A test that cannot be computed; a test and its negation keep one key, so they are never both true."""
        if not asked:
            return Sym((term, frame))
        positive = _NEGATED.get(name)
        key = (positive or name, term[2], term[3], frame)
        return PerRank(("not", key)) if positive else PerRank(key)

    def _plain(self, name: str, left: Any, right: Any, term: Term, frame: Frame) -> Any:
        for size, other in ((left, right), (right, left)):
            if isinstance(size, World) and not isinstance(other, World) and other not in (0, 1) and not self.asked:
                return Sym((term, frame))
        if isinstance(left, str) != isinstance(right, str):
            left, right = _number(left), _number(right)
        if isinstance(left, bool) and name in ("Is", "IsNot"):
            return (left == right) == (name == "Is")
        try:
            return _COMPARE[name](left, right)
        except (TypeError, KeyError):
            return Sym((term, frame))

    def _membership(self, term: Term, left: Any, asked: bool, frame: Frame) -> Any:
        container = term[3]
        wanted = term[1] == "In"
        asked = asked and self.differs(term[2], frame)
        if isinstance(left, _UNKNOWN):
            return self._unknown_test(term[1], term, frame, asked)
        if container[0] in ("tuple", "list", "set"):
            items = [self.value(item, frame) for item in container[1]]
            if any(not isinstance(item, _UNKNOWN) and _number(item) == _number(left) for item in items):
                return wanted
            if not any(isinstance(item, _UNKNOWN) for item in items):
                return not wanted
        ranges = self.range_of(container, frame)
        if ranges is not None:
            return (left in ranges) == wanted
        return self._unknown_test(term[1], term, frame, asked)

    def range_of(self, term: Term, frame: Frame) -> range | None:
        """The numbers of ``range(...)`` when its bounds are known."""
        if term[0] != "call" or not term[2] or term[3]:
            return None
        if not any(isinstance(v, Library) and v.name == "builtins.range" for v in self.program.values(term[1], frame)):
            return None
        bounds = [self.value(bound, frame) for bound in term[2]]
        if not all(type(bound) in (int, World, bool) for bound in bounds) or (len(bounds) == 3 and not bounds[2]):
            return None
        return range(*(int(bound) for bound in bounds))

    def _bin(self, term: Term, frame: Frame) -> Any:
        left, asked = self.evaluate(term[2], frame)
        right, right_asked = self.evaluate(term[3], frame)
        if isinstance(left, _UNKNOWN) or isinstance(right, _UNKNOWN):
            return PerRank((term, frame)) if asked or right_asked else Sym((term, frame))
        try:
            return _COMPUTE[term[1]](left, right)
        except (TypeError, KeyError, ZeroDivisionError, OverflowError, MemoryError, ValueError):
            return Sym((term, frame))

    def _if(self, term: Term, frame: Frame) -> Any:
        return self._chosen(self.value(term[1], frame), lambda: self.value(term[2], frame), lambda: self.value(term[3], frame))

    def _chosen(self, condition: Any, then: Callable[[], Any], other: Callable[[], Any]) -> Any:
        if isinstance(condition, Choice):
            return self._joined(
                condition.condition,
                self._chosen(condition.then, then, other),
                self._chosen(condition.other, then, other),
            )
        if isinstance(condition, PerRank):
            self.asked = True
            return PerRank(("if", condition.key))
        if isinstance(condition, Sym):
            return self._joined(condition, then(), other())
        return then() if condition else other()

    def _joined(self, condition: Sym, then: Any, other: Any) -> Any:
        then, other = _given(then, condition, True), _given(other, condition, False)
        if then is _NOTHING:
            return other
        if other is _NOTHING or (then == other and type(then) is type(other)):
            return then
        if _choices(then) + _choices(other) >= _MOST_CHOICES:
            return Sym(("one of many", condition.key))
        return Choice(condition, then, other)

    # -- running small functions -----------------------------------------------------------------------------------

    def run(self, function: Function, frame: Frame) -> Any:
        """What a function returns on this rank; unknown for functions that are no mere questions."""
        saved = self._fuel
        self._fuel = min(self._fuel, _FUEL)
        try:
            result = self._block(function.body, 0, (), frame)
        except _OutOfFuel:
            if saved < _FUEL:
                raise  # the question that asked this one is as large
            result = _NOTHING
        finally:
            self._fuel = saved
        return Sym((id(function), "result")) if result is _NOTHING else result

    def _block(self, block: Block, index: int, rest: tuple[tuple[Block, int], ...], frame: Frame) -> Any:
        while True:
            self._fuel -= 1
            if self._fuel < 0:
                raise _OutOfFuel
            if index == len(block):
                if not rest:
                    return None
                (block, index), rest = rest[0], rest[1:]
                continue
            node = block[index]
            index += 1
            if isinstance(node, (Call, Store)):
                continue
            after = ((block, index), *rest)
            if isinstance(node, Exit):
                if node.kind == "return":
                    return self.value(node.value, frame) if node.value is not None else None
                return _NOTHING
            if isinstance(node, If):
                body, orelse = node.body, node.orelse
                if not (self._leaves(body) or self._leaves(orelse)):
                    continue
                return self._chosen(
                    self.value(node.condition, frame),
                    lambda: self._block(body, 0, after, frame),
                    lambda: self._block(orelse, 0, after, frame),
                )
            if isinstance(node, (With, Try)):
                block, index, rest = node.body, 0, after
                continue
            if isinstance(node, Loop) and self._leaves(node.body):
                return Sym((id(node), frame))


    def _leaves(self, block: Block) -> bool:
        """Whether the block can leave the function (remembered: the same blocks are asked about again and again)."""
        known = self._leaving.get(id(block))
        if known is None:
            known = self._leaving[id(block)] = _returns(block)
        return known


_NOTHING = Sym("this way out returns nothing")


def _given(value: Any, condition: Sym, truth: bool) -> Any:
    """A value where the truth of a condition is known."""
    if isinstance(value, Choice):
        if value.condition == condition:
            return _given(value.then if truth else value.other, condition, truth)
        then, other = _given(value.then, condition, truth), _given(value.other, condition, truth)
        return then if then == other and type(then) is type(other) else Choice(value.condition, then, other)
    if isinstance(value, Sym) and value == condition:
        return truth
    return value


def _choices(value: Any) -> int:
    """How many conditions a value hangs on."""
    return 1 + _choices(value.then) + _choices(value.other) if isinstance(value, Choice) else 0


def _returns(block: Block) -> bool:
    """Whether the block can leave the function."""
    for node in block:
        if isinstance(node, Exit):
            return True
        if isinstance(node, (If, Loop)) and (_returns(node.body) or _returns(node.orelse)):
            return True
        if isinstance(node, (With, Try)) and _returns(node.body):
            return True
    return False


def _number(value: Any) -> Any:
    """``"0"`` from the environment compares like 0."""
    if isinstance(value, str) and value.lstrip("-").isdigit():
        return int(value)
    return value


def describe(value: Value) -> str:
    """A value's name for messages."""
    return getattr(value, "name", type(value).__name__)
