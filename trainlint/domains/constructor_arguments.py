"""What the constructor of a library is given for a parameter: by name, by position, through dictionaries and ``partial``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trainlint.domains.expressions import operations
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, Tests, conditions, walk_tested
from trainlint.ir.nodes import (
    Access,
    Attr,
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    Kwargs,
    Not,
    Or,
    Param,
    Ref,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.terms import closure, is_none
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallSite, last_name
from trainlint.program.constant_branch import picked
from trainlint.program.consteval import constant, in_every
from trainlint.program.heap import fields_handed_out
from trainlint.program.origins import written_at
from trainlint.program.program import Program, calls_of
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

#: Terms whose truth may be written down: ``num_workers > 0`` where that is passed as 4.
_CONDITIONS = (Compare, Not, BoolOp)
_DICT = "builtins.dict"
_CONTAINS = ("In", "NotIn")
_UPDATES, _DEFAULTS, _TAKES = "update", "setdefault", ("pop", "popitem", "clear")
#: Methods of a dict that leave it as it is.
_ASKS = ("get", "items", "keys", "values", "copy")
_COPIES = ("copy", "deepcopy")


class Given(NamedTuple):
    """What a constructor call gives to a parameter: nothing (``known``, no values), values, or nobody can say.

    ``sometimes`` are the values that are given in some runs, where a test decides whether anything is; then it is not ``known``.
    """

    known: bool
    term: Term | None = None
    values: tuple[Value, ...] = ()
    sometimes: tuple[Value, ...] = ()

    def constants(self) -> list[object] | None:
        """The constants that are given; None when something else may be."""
        found = [value.term.value for value in self.values if isinstance(value, Unresolved) and isinstance(value.term, Const)]
        return found if self.known and len(found) == len(self.values) else None

    @property
    def absent(self) -> bool:
        """Whether it is certain that nothing, or None, is given."""
        return self.known and all(constant is None for constant in self.constants() or ([] if self.term is None else [0]))


class Settled(NamedTuple):
    """What a constant option may be: the constants, whatever the test; ``sure`` when it can be nothing else."""

    constants: tuple[object, ...]
    sure: bool


class _Asked(NamedTuple):
    """The key that is asked for, and the call that is given the dict, in its activation."""

    key: str
    call: Call
    frame: Context


class Bound(NamedTuple):
    """What may be given: a term with its activation, and the tests behind which a dict has it."""

    term: Term
    frame: Context
    tests: Tests = ()


class Ways:
    """What may be given, or nothing (``absent``); ``unknown`` when it may be anything else."""

    def __init__(self, bounds: Iterable[Bound] = (), *, absent: bool = False, unknown: bool = False) -> None:
        self.bounds = list(bounds)
        self.absent = absent
        self.unknown = unknown

    def also(self, other: Ways, tests: Tests = ()) -> None:
        """What was known so far, or something else, behind some tests."""
        self.bounds += [each._replace(tests=(*tests, *each.tests)) for each in other.bounds]
        self.absent = self.absent or other.absent
        self.unknown = self.unknown or other.unknown


class Options:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.signatures = program.knowledge.signatures
        #: The dicts that are looked into: what one is made of may lead back to it.
        self._within: set[tuple[Term, Context, _Asked]] = set()

    def given(self, call: Call, frame: Context, name: str, library: str | None) -> Given:
        """What a call gives to the parameter ``name`` of a library's constructor."""
        term = self.argument(call, name, library)
        if term is not None:
            return Given(True, term, self.program.values(term, frame))
        for keyword, value in call.kwargs:
            if keyword is None:
                ways = self._in_mapping(value, frame, _Asked(name, call, frame))
                if ways.unknown:
                    return Given(False)
                if ways.bounds:
                    return self._as_given(ways)
        return Given(not self._starred(call, frame, name, library))

    def unpacked(self, call: Call, frame: Context, name: str) -> Ways:
        """What the dicts that a call unpacks, ``**options``, have under a name."""
        ways = Ways(absent=True)
        for keyword, value in call.kwargs:
            if keyword is None:
                ways = self._over(ways, self._in_mapping(value, frame, _Asked(name, call, frame)))
        return ways

    def constant(self, site: CallSite, name: str, library: str | None = None) -> Const | None:
        """The one constant that a call gives to a parameter, in every activation in which it runs."""
        return in_every(self.program, site, lambda frame: self.constant_in(site.call.term, frame, name, library))

    def constant_in(self, call: Call, frame: Context, name: str, library: str | None = None) -> Const | None:
        """The one constant that a call gives to a parameter in an activation: written there, or wherever it was made."""
        term = self.argument(call, name, library)
        if term is not None:
            return constant(self.program, term, frame)
        given = self.given(call, frame, name, library) if any(keyword is None for keyword, _ in call.kwargs) else None
        constants = given.constants() if given is not None else None
        only = given.values[0] if given is not None and constants is not None and len(constants) == 1 else None
        return only.term if isinstance(only, Unresolved) and isinstance(only.term, Const) else None

    def written_at(self, call: Call, frame: Context, name: str, library: str | None = None) -> tuple[str, Spot] | None:
        """Where what a call gives to a parameter is written, if that is in another function; None also where nobody can say."""
        term = self.argument(call, name, library)
        return written_at(self.program, term, frame) if term is not None else None

    def argument(self, call: Call, name: str, library: str | None) -> Term | None:
        """The argument that stands in a call for a parameter."""
        for keyword, value in call.kwargs:
            if keyword == name:
                return value
        signature = self.signatures.get(library or "", [])
        if name in signature and len(call.args) > signature.index(name):
            return call.args[signature.index(name)]
        return None

    def settled(self, given: Given) -> Settled:
        """The constants among what is given, conditions worked out; without anything given, none."""
        found = [self._constant(value) for value in given.values]
        return Settled(tuple(each[0] for each in found if each), given.known and all(found))

    def _constant(self, value: Value) -> tuple[object] | None:
        if not isinstance(value, Unresolved):
            return None
        if isinstance(value.term, Const):
            return (value.term.value,)
        answer = picked(value.term, value.frame, self.program) if isinstance(value.term, _CONDITIONS) else None
        return None if answer is None else (answer,)

    def _starred(self, call: Call, frame: Context, name: str, library: str | None) -> bool:
        """Whether what may be ``*arguments`` can reach a parameter: not past one that is passed by its name.

        ``**options`` pass those that they surely have by their names, too.
        """
        signature = self.signatures.get(library or "", [])
        if name not in signature or all(not isinstance(argument, Unknown) for argument in call.args):
            return False
        before = signature[: signature.index(name)]
        if any(keyword in before for keyword, _ in call.kwargs):
            return False
        mappings = [value for keyword, value in call.kwargs if keyword is None]
        ways = (self._in_mapping(value, frame, _Asked(each, call, frame)) for value in mappings for each in before)
        return not any(found.bounds and not found.unknown and not found.absent for found in ways)

    def _as_given(self, ways: Ways) -> Given:
        values = [value for bound in ways.bounds for value in self.program.values(bound.term, bound.frame)]
        found = tuple(dict.fromkeys(values))
        return Given(False, sometimes=found) if ways.absent else Given(True, ways.bounds[0].term, found)

    # -- dictionaries ----------------------------------------------------------------------------------------------

    def _in_mapping(self, term: Term, frame: Context, asked: _Asked) -> Ways:
        """What is under the key of what the call is given as ``**term``."""
        key = (term, frame, asked)
        if key in self._within:
            return Ways(unknown=True)
        self._within.add(key)
        found = self._in_mapping_now(term, frame, asked)
        self._within.discard(key)
        return found

    def _in_mapping_now(self, term: Term, frame: Context, asked: _Asked) -> Ways:
        if isinstance(term, Kwargs):
            return self._surplus(term, frame, asked)
        if isinstance(term, Attr) and self._changed_elsewhere(term, frame, asked.key):
            return Ways(unknown=True)
        if isinstance(term, Or):
            return self._first(term, frame, asked)
        holder = frame.holder(term.function) if isinstance(term, Param) else None
        if isinstance(term, Param) and holder is not None and self._is_unpacked(term, holder):
            return self._changed(term, holder, asked, self._handed_on(term, holder, asked))
        found = Ways()
        for value in self.program.values(term, frame):
            found.also(self._in_value(value, asked))
        return found

    def _first(self, either: Or, frame: Context, asked: _Asked) -> Ways:
        """The same of ``options or {}``: of the first that has anything in it."""
        found = Ways(absent=True)
        for each in either.operands:
            if found.absent:
                found.absent = False
                found.also(self._in_mapping(each, frame, asked))
        return found

    def _is_unpacked(self, parameter: Param, holder: Context) -> bool:
        """Whether it is not seen what a call gives to a parameter because it unpacks a dict: ``train(**settings)``."""
        named = holder.call.kwargs if holder.call is not None and parameter.name not in holder.arguments else ()
        return any(name is None for name, _ in named)

    def _handed_on(self, parameter: Param, holder: Context, asked: _Asked) -> Ways:
        """What is under the key of the dict that is an item of the one which the caller unpacks, or that is the default."""
        assert holder.call is not None
        assert holder.caller is not None
        given = self.unpacked(holder.call, holder.caller, parameter.name)
        found = Ways(unknown=given.unknown)
        for each in given.bounds:
            found.also(self._in_mapping(each.term, each.frame, asked), each.tests)
        if given.absent and (default := holder.function.defaults.get(parameter.name)) is not None:
            found.also(self._in_mapping(default, holder, asked))
        return found

    def _changed_elsewhere(self, attribute: Attr, frame: Context, key: str) -> bool:
        """Whether a function of the file changes what is under a key of a dict that is an attribute."""
        name = attribute.name
        for function in self.program.modules[frame.module].functions.values():
            for node in of_kind(function, Keep):
                base, item = (node.target.base, node.target.key) if isinstance(node.target, Subscript) else (node.target, None)
                if (
                    isinstance(base, Attr)
                    and base.name == name
                    and item is not None
                    and (not isinstance(item, Const) or item.value == key)
                ):
                    return True
            for call in calls_of(function):
                callee = call.term.callee
                if (
                    isinstance(callee, Attr)
                    and isinstance(callee.base, Attr)
                    and callee.base.name == name
                    and callee.name not in _ASKS
                ):
                    return True
        return False

    def _in_value(self, value: Value, asked: _Asked) -> Ways:
        made = _made(value)
        if made is None:
            return Ways(unknown=True)
        container, frame = made
        if is_none(container):
            return Ways(absent=True)  # nothing is unpacked then
        if isinstance(value, Unresolved) and isinstance(container, Kwargs):
            return self._surplus(container, frame, asked)
        pairs = self._pairs(value, container)
        if pairs is None:  # ``asdict(config)``
            item = self.program.terms.make(Subscript, container, self.program.terms.const(asked.key))
            unknown = all(isinstance(each, Unresolved) and each.term is item for each in self.program.values(item, frame))
            fields = fields_handed_out(self.program, value) if unknown else ()
            if fields and asked.key not in fields and not isinstance(value, Instance):
                return Ways(absent=True)
            return Ways([] if unknown else [Bound(item, frame)], unknown=unknown)
        ways = Ways(absent=True)
        for name, each in pairs:
            if name == asked.key:
                ways = Ways([Bound(each, frame)])
            elif name is None:
                ways = self._over(ways, self._in_mapping(each, frame, asked))
        return self._changed(container, frame, asked, ways)

    def _pairs(self, value: Value, container: Term) -> list[tuple[object, Term]] | None:
        """What a dict is made with: names and values, and (under None) other dicts; None for what is no dict."""
        if isinstance(value, Unresolved) and isinstance(container, Dict):
            pairs = container.items
            return [(name.value if isinstance(name, Const) else None, each) for name, each in pairs if each is not None]
        if not isinstance(container, Call) or not self._is_dict(value):
            return None
        return [*((None, each) for each in container.args), *container.kwargs]

    def names(self, term: Term, frame: Context) -> Iterator[str]:
        """The names under which something is seen in a dict: where it is made, in those that it takes up, put there later."""
        for value in (each for at in closure((Argument(term, frame),), self._taken_up) for each in self.program.values(*at)):
            made = _made(value)
            pairs = None if made is None else self._pairs(value, made.term)
            yield from fields_handed_out(self.program, value) if pairs is None else ()
            yield from (name for name, _ in pairs or () if isinstance(name, str))
            for node, _ in () if made is None else _concerning(made.frame.function, made.term):
                if isinstance(node, CallStep):
                    yield from (name for name, _ in node.term.kwargs if name and last_name(node.term.callee) == _UPDATES)
                elif isinstance(node.target, Access) and isinstance(node.target.selector, str):
                    yield node.target.selector

    def _taken_up(self, taker: Argument) -> list[Argument]:
        """The dicts whose items one has, too: ``dict(base)``, ``base.copy()``, ``made.update(base)``."""
        found: list[Argument] = []
        for value in self.program.values(*taker):
            made = _made(value)
            if made is None:
                continue
            container, at = made
            found += [Argument(each, at) for name, each in self._pairs(value, container) or () if name is None]
            if isinstance(container, Call) and last_name(container.callee) in _COPIES:
                bases = (container.callee.base,) if isinstance(container.callee, Attr) and not container.args else container.args
                found += [Argument(each, at) for each in bases[:1]]
            for node, _ in _concerning(at.function, container):
                if isinstance(node, CallStep) and last_name(node.term.callee) == _UPDATES:
                    found += [Argument(each, at) for each in node.term.args]
        return found

    def _is_dict(self, value: Value) -> bool:
        """Whether a value is a dict, or one whose items are its attributes, too, by a library's class or one of the project's."""
        if not isinstance(value, Instance):
            dicts = self.program.knowledge.tables["options"]["dicts"]
            return isinstance(value, LibraryObject) and (value.name == _DICT or value.name in dicts)
        above = self.program.lineage(ClassValue(value.module, value.cls))
        if not any(isinstance(each, Library) and each.name == _DICT for each in above):
            return False
        begins = self.program.method(ClassValue(value.module, value.cls), "__init__")
        stores = of_kind(begins[1], Store) if begins is not None else ()
        kept = (each.target for each in stores if isinstance(each.target, Attr) and each.target.name == "__dict__")
        return begins is None or any(isinstance(each.base, Self) for each in kept)

    def _over(self, before: Ways, more: Ways) -> Ways:
        """What a dict holds behind ``update(more)``."""
        if not more.absent:
            return more
        more.absent = False
        more.also(before)
        return more

    def _surplus(self, kwargs: Kwargs, frame: Context, asked: _Asked) -> Ways:
        """What ``**kwargs`` of a function gives to a parameter."""
        holder = frame.holder(kwargs.function)
        if holder is None or holder.open:
            return Ways(unknown=True)
        if self._is_asked_for(kwargs, holder.function, asked.key):
            return Ways(unknown=True)
        bound = holder.surplus.get(asked.key)
        ways = Ways(absent=True) if bound is None else Ways([Bound(*bound)])
        return self._changed(kwargs, holder, asked, ways)

    def _is_asked_for(self, kwargs: Term, function: Function, key: str) -> bool:
        """Whether a function asks whether it was given something (``"batch_sampler" in kwargs``): it does another thing then."""
        tests = (part for part in self.program.ask_of(operations, function) if isinstance(part, Compare) and part.op in _CONTAINS)
        return any(test.right is kwargs and isinstance(test.left, Const) and test.left.value == key for test in tests)

    def _changed(self, container: Term, frame: Context, asked: _Asked, ways: Ways) -> Ways:
        """What becomes of a key by what is done to the dict in its function, up to the call; elsewhere, at any time."""
        here = frame.function is asked.frame.function
        led_here = led_to(frame.function, asked.call, unfailed=True) if here else ()
        sets: list[Tests] = []
        for node, led in _concerning(frame.function, container):
            if here and before(frame.function, asked.call, node):
                break
            result = self._after(node, (container, frame), asked, ways)
            if result is None:
                continue
            apart = led[sum(1 for one, other in zip(led, led_here, strict=False) if one == other) :]
            if apart:
                tests = conditions(apart)
                sets += [] if result.absent else [tests]
                ways.also(result, tests)
            else:
                ways, sets = result, []
        ways.absent = ways.absent and not _covers(sets)
        return ways

    def _after(self, node: CallStep | Keep | Store, changed: tuple[Term, Context], asked: _Asked, before: Ways) -> Ways | None:
        """What is under the key behind one statement; None for what does not concern it."""
        (container, frame), key = changed, asked.key
        if not isinstance(node, CallStep):
            name = node.target.selector if isinstance(node.target, Access) else None
            if name is None:
                return Ways(unknown=True)
            return Ways([Bound(node.value, frame)], unknown=node.kind == "AugAssign") if name == key else None
        if not isinstance(node.term.callee, Attr) or not _is_same(node.term.callee.base, container):
            return None if self._is_left(node.term, changed, asked) else Ways(unknown=True)  # somebody is handed the dict
        method, given, named = node.term.callee.name, node.term.args, node.term.kwargs
        if method == _UPDATES:
            ways = before
            for term in given:
                ways = self._over(ways, self._in_mapping(term, frame, asked))
            for word, term in named:
                ways = Ways([Bound(term, frame)]) if word == key else ways if word is not None else Ways(unknown=True)
            return ways
        constant = given[0].value if given and isinstance(given[0], Const) else None
        if method == _DEFAULTS and constant is not None:
            if constant != key or not before.absent:
                return None
            return Ways([*before.bounds, *(Bound(term, frame) for term in given[1:])], unknown=before.unknown)
        if method in _TAKES and constant is not None:
            return Ways(absent=True) if constant == key else None
        return None if method in _ASKS else Ways(unknown=True)

    def _is_left(self, call: Call, changed: tuple[Term, Context], asked: _Asked) -> bool:
        """Whether functions of the project that are handed a dict leave what is under the key as it is."""
        container, frame = changed
        targets = self.program.values(call.callee, frame)
        if any(not isinstance(each, FunctionValue) or each.function is frame.function for each in targets) or not targets:
            return False
        inner = [self.program.enter(each, call, frame) for each in targets if isinstance(each, FunctionValue)]
        taken = (
            (each, self.program.terms.make(Param, each.function.qualname, name))
            for each in inner
            for name, given in each.arguments.items()
            if isinstance(given, Argument) and _is_same(given.term, container)
        )
        return all(
            self._after(node, (own, each), asked, Ways()) is None
            for each, own in taken
            for node, _ in _concerning(each.function, own)
        )


def _made(value: Value) -> Argument | None:
    """The call that made a value, or the term that it is, and where that stands."""
    term, frame = getattr(value, "call", None) or getattr(value, "term", None), getattr(value, "frame", None)
    return None if term is None or frame is None else Argument(term, frame)


def _concerning(function: Function, container: Term) -> Iterator[tuple[CallStep | Keep | Store, Led]]:
    """The statements of a function that set an item of a dict or call a method of it, with what leads to them."""
    for node, led in walk_tested(function.body, unfailed=True):
        if isinstance(node, (Keep, Store)):
            if isinstance(node.target, Access) and _is_same(node.target.base, container):
                yield node, led
        elif isinstance(node, CallStep):
            own = isinstance(node.term.callee, Attr) and _is_same(node.term.callee.base, container)
            copied = isinstance(node.term.callee, Ref) or (
                isinstance(node.term.callee, Attr) and node.term.callee.name == _UPDATES
            )
            if own or (not copied and any(_is_same(each, container) for each in node.term.args)):
                yield node, led


def _is_same(one: Term, other: Term) -> bool:
    return one is other or (isinstance(one, Param) and isinstance(other, Param) and one.parts == other.parts)


def _covers(ways: Sequence[Tests]) -> bool:
    """Whether one of some ways is always taken: ``if``, ``elif`` and ``else`` that all set an item."""
    if any(not each for each in ways):
        return True
    below: dict[Term, dict[bool, list[Tests]]] = {}
    for (test, arm), *rest in ways:
        below.setdefault(test, {}).setdefault(arm, []).append(tuple(rest))
    return any(len(arms) > 1 and all(map(_covers, arms.values())) for arms in below.values())


def led_to(function: Function, call: Term, *, unfailed: bool = False) -> Led:
    """What leads to a call of a function: tests and handlers; ``unfailed``: none that raises otherwise."""
    found = walk_tested(function.body, unfailed=unfailed)
    return next((led for node, led in found if isinstance(node, CallStep) and node.term is call), ())
