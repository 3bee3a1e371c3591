"""Object identity: which model is meant; two terms for one model have one key.

Wrappers, devices and arguments are taken away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from trainlint.finding import Spot
from trainlint.ir.control_dependence import meet, walk_tested
from trainlint.ir.nodes import (
    Asserted,
    Attr,
    BoolOp,
    Call,
    Const,
    Element,
    Entered,
    Global,
    LoopPhi,
    Param,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Function
from trainlint.ir.terms import in_numeric_order
from trainlint.program.call_graph import CallGraph, CallSite, is_own_call, last_name
from trainlint.program.contexts import calling_contexts, led_to_calls
from trainlint.program.handed_back import likely_arms
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.values import (
    WIDEST,
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    LibraryObject,
    Unresolved,
    Value,
)


@dataclass(frozen=True, slots=True)
class Allocation:
    """What the call at this place makes; ``way``: the calls that led there, innermost first, where somebody tells them apart."""

    module: str
    site: Spot
    way: tuple[tuple[str, Spot], ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a function is given that nobody is seen to call."""

    module: str
    function: str
    name: str


@dataclass(frozen=True, slots=True)
class Part:
    """An attribute or an item of another object."""

    whole: Key
    name: object


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """Any object of a class: ``self`` where nobody knows which."""

    module: str
    cls: str


@dataclass(frozen=True, slots=True)
class Local:
    """What a name stands for that a loop binds."""

    module: str
    function: str
    name: str


@dataclass(frozen=True, slots=True)
class TopLevel:
    """What a name at the top level of a file stands for."""

    module: str
    name: str


Key = Allocation | Parameter | Part | ObjectOf | Local | TopLevel
Keys = frozenset[Key]

NOTHING: Keys = frozenset()
#: What a wrapper's call makes of the model that it is given first, by the tables ``parallel`` and ``kinds``.
_WRAPPERS = frozenset(("ddp", "fsdp", "fsdp2", "wrapper", "compiled"))


class Identities:
    """Answers for one program."""

    #: Whether a model that is one of several has a key of its own.
    chooses = True

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self._same = knowledge.fluent | knowledge.evaluates | knowledge.ends_evaluation
        #: What made the models with a key of this kind, and the parameters that stand for one (file, function, term).
        self.makers: dict[Key, Instance | LibraryObject] = {}
        self.parameters: dict[Key, tuple[Context, Term]] = {}
        #: The models one of which is the one with this key, and the other way round.
        self.chosen: dict[Key, Keys] = {}
        self.choices: dict[Key, Keys] = {}
        #: The function in which the call of such a key stands.
        self.places: dict[Key, Function] = {}

    @remembered(NOTHING)
    def of(self, term: Term, frame: Context) -> Keys:
        """The models that a term may stand for in an activation; what leads back to itself adds nothing."""
        found = self._of(term, frame)
        return found if len(found) <= WIDEST else NOTHING

    def of_owner(self, parameter: Term, frame: Context) -> Keys:
        """The models that something is a parameter of, or is: ``p`` of ``for p in model.parameters()``."""
        while isinstance(parameter, (Subscript, Element)):
            parameter = parameter.stem
        if (
            isinstance(parameter, Call)
            and isinstance(parameter.callee, Attr)
            and parameter.callee.name in self.program.knowledge.hands_parameters
        ):
            parameter = parameter.callee.base
        return self.of(parameter, frame)

    def _of(self, term: Term, frame: Context) -> Keys:
        if isinstance(term, Asserted):
            return self.of(term.value, frame)
        if isinstance(term, Entered):
            return self._followed(term, frame) or self.of(term.manager, frame)
        if isinstance(term, Select):
            return self._chosen(term, frame)
        if isinstance(term, BoolOp):
            return frozenset().union(*(self.of(part, frame) for part in term.operands))
        if isinstance(term, Call):
            return self._made(term, frame)
        if isinstance(term, Attr):
            return self._attribute(term, frame)
        if isinstance(term, Param):
            return self._parameter(term, frame)
        if isinstance(term, Self):
            return self._value(frame.owner(), term, frame)
        if isinstance(term, Subscript):
            return self._item(term, frame)
        if isinstance(term, (Global, Element)):
            return self._followed(term, frame)
        if isinstance(term, LoopPhi):
            return self._followed(term, frame) or frozenset({Local(frame.module, frame.function.qualname, term.name)})
        return NOTHING

    def among(self, keys: Keys) -> Keys:
        """The same models, with what one may be in place of that."""
        return NOTHING.union(*(self.chosen.get(key, (key,)) for key in keys))

    def _chosen(self, choice: Select, frame: Context) -> Keys:
        """What may be one of several, by the branch that is taken."""
        arms = likely_arms(self.program, choice, frame)
        each = [self.of(arm, frame) for arm in arms]
        found = NOTHING.union(*each)
        if len(found) < len(arms) or len(arms) == 1 or any(len(keys) != 1 for keys in each):
            return found
        return self._one_of(found, frame.function, [*self._making(choice)])

    def _one_of(self, found: Keys, function: Function, calls: Sequence[Term | None]) -> Keys:
        """Of models that these calls of a function make, only one of which is ever reached: the key of whichever that is."""
        if not self.chooses or not found <= self.makers.keys() | self.chosen.keys():
            return found
        led = led_to_calls(self.program, function)
        ways = [way for call in calls if call is not None and (way := led.get(call))]
        if len(ways) < len(calls) or any(meet(*both) for both in combinations(ways, 2)):
            return found
        among = self.among(found)
        first, *others = sorted((key for key in among if isinstance(key, Allocation)), key=place_of)
        key = Allocation(first.module, first.site, tuple((other.module, other.site) for other in others))
        self.chosen[key] = among
        self.choices.update((each, self.choices.get(each, NOTHING) | {key}) for each in among)
        self.places.setdefault(key, function)
        return frozenset({key})

    def _making(self, choice: Term) -> Iterator[Term]:
        """The calls one of which makes a model, whatever is done to it on the way: ``Net().cuda()``."""
        while isinstance(choice, Call) and isinstance(choice.callee, Attr) and choice.callee.name in self._same:
            choice = choice.callee.base
        for arm in choice.arms if isinstance(choice, Select) else ():
            yield from self._making(arm)
        if not isinstance(choice, Select):
            yield choice

    def passed(self, key: Key) -> Iterator[Keys]:
        """What each caller calls a model that it gives to a function as a parameter, or as a part of one.

        Of one of several that are never made together, these.
        """
        if key in self.chosen:
            yield self.chosen[key]
        whole, names = parted(key)
        if whole not in self.parameters:
            return
        holder, term = self.parameters[whole]
        for name in names:
            if not isinstance(name, str):
                return
            term = Attr.new(term, name)
        for frame in calling_contexts(self.program, holder.module, holder.function):
            yield self.of(term, frame)

    def _parameter(self, term: Param, frame: Context) -> Keys:
        bound = frame.given(term)
        if isinstance(bound, Argument):
            return self.of(bound.term, bound.frame)
        if bound is not None:
            return self._value(bound, term, frame)
        holder = frame.holder(term.function) or frame
        key = Parameter(holder.module, term.function, term.name)
        self.parameters.setdefault(key, (holder, term))
        return frozenset({key})

    def _attribute(self, term: Attr, frame: Context) -> Keys:
        if term.name in self.program.knowledge.unwraps and not isinstance(term.base, Self):
            return self.of(term.base, frame)
        found = self._followed(term, frame)
        if any(map(self._is_several, found)):
            found = self._stored(term, frame) or found
        return found or self._part(term.base, term.name, frame)

    def _stored(self, attribute: Attr, frame: Context) -> Keys:
        """What the methods of an object store in an attribute."""
        found: Keys = NOTHING
        for owner in self.program.values(attribute.base, frame):
            if isinstance(owner, Instance):
                for module, function, value in self.program.stores(ClassValue(owner.module, owner.cls), attribute.name):
                    found |= self.of(value, self.program.instance_frame(owner, module, function))
        return found

    def _item(self, term: Subscript, frame: Context) -> Keys:
        base, key = term.base, term.key
        position = key.value if isinstance(key, Const) and type(key.value) is int else -1
        if isinstance(base, Call) and 0 <= position < len(base.args) and self._prepares(base, frame):
            return self.of(base.args[position], frame)
        found = self._followed(term, frame)
        return found or (self._part(base, key.value, frame) if isinstance(key, Const) else NOTHING)

    def _part(self, base: Term, name: object, frame: Context) -> Keys:
        return frozenset(Part(key, name) for key in self.of(base, frame))

    def _prepares(self, call: Call, frame: Context) -> bool:
        return any(
            isinstance(value, LibraryObject) and self.program.knowledge.kinds.get(value.name) == "prepared"
            for value in self.program.values(call, frame)
        )

    def _made(self, call: Call, frame: Context) -> Keys:
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self._same:
            return self.of(callee.base, frame)
        if call.args and last_name(callee) in self.program.knowledge.unwrapping:
            return self.of(call.args[0], frame)
        found = self._followed(call, frame) or self._returned(call, frame)
        if len(found) > 1 and found <= self.makers.keys() and all(_made_by(self.makers[key], call, frame) for key in found):
            found = frozenset({self.key(call, frame)})  # whichever function runs, it makes one
        elif len(found) > 1 and found <= self.makers.keys():
            made = [self.makers[key] for key in sorted(found, key=place_of)]
            where = {each.frame.function for each in made if each.frame is not None}
            found = self._one_of(found, where.pop(), [each.call for each in made]) if len(where) == 1 else found
        return frozenset(self._apart(key, call, frame) for key in found) or frozenset({self.key(call, frame)})

    def _apart(self, key: Key, call: Call, frame: Context) -> Key:
        """The key of what a call returns: where its function is called for several models, each call makes one of its own."""
        if not self._is_several(key) or not is_own_call(self.program, call, frame):
            return key
        own = self.key(call, frame)
        self.places.setdefault(own, frame.function)
        if key in self.makers:
            self.makers.setdefault(own, self.makers[key])
        if key in self.chosen:
            self.chosen.setdefault(own, self.chosen[key])
        return own

    def _is_several(self, key: Key) -> bool:
        """Whether a key stands for several models of one run: the function that makes them is called in several places."""
        function = self.places.get(key)
        return function is not None and self._runs_again(function)

    @remembered(False)
    def _runs_again(self, function: Function) -> bool:
        """Whether one run of a function comes to several calls of this one, or of what leads to it."""
        sites: dict[int, list[CallSite]] = {}
        for site in self.program.ask(CallGraph).callers(function) if function.kind != "module" else ():
            sites.setdefault(id(site.function), []).append(site)
        return any(map(_meet, sites.values())) or any(self._runs_again(each[0].function) for each in sites.values())

    def _returned(self, call: Call, frame: Context) -> Keys:
        """What a function of the project returns that is made of a model on its way out: ``net.to(device)``, ``net.module``."""
        found: Keys = NOTHING
        for value in self.program.values(call.callee, frame):
            if isinstance(value, FunctionValue) and not value.function.generator and frame.follows(value.function):
                inner = self.program.enter(value, call, frame)
                for term in self.program.returns(value.function, inner):
                    does = isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self._same
                    if does or (isinstance(term, Attr) and term.name in self.program.knowledge.unwraps):
                        found |= self.of(term, inner)
        return found

    def _followed(self, term: Term, frame: Context) -> Keys:
        found: Keys = NOTHING
        for value in self.program.values(term, frame):
            found |= self._value(value, term, frame)
        return found

    def _value(self, value: Value | None, term: Term, frame: Context) -> Keys:
        if isinstance(value, Instance):
            if value.call is None or value.frame is None:
                return frozenset({ObjectOf(value.module, value.cls.qualname)}) if isinstance(term, Self) else NOTHING
            return self._by(value)
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            callee = value.call.callee
            if isinstance(callee, Attr) and callee.name in self._same:
                return self.of(callee.base, value.frame)
            wrapped = self._wrapped(value)
            if wrapped is not None:
                return self.of(wrapped, value.frame)
            return self._by(value)
        if isinstance(value, Unresolved) and (value.term is not term or value.frame is not frame):
            if isinstance(value.term, Const):
                return NOTHING
            return self.of(value.term, value.frame)
        if isinstance(term, Global):
            return frozenset({TopLevel(frame.module, term.name)})
        return NOTHING

    def _by(self, value: Instance | LibraryObject) -> Keys:
        assert value.call is not None
        assert value.frame is not None
        key = self.key(value.call, value.frame)
        self.makers.setdefault(key, value)
        self.places.setdefault(key, value.frame.function)
        return frozenset({key})

    def key(self, call: Call, frame: Context) -> Allocation:
        """The key of what a call makes."""
        return Allocation(frame.module, call.site)

    def _wrapped(self, made: LibraryObject) -> Term | None:
        """The model that a library's wrapper is given."""
        knowledge = self.program.knowledge
        words = {knowledge.parallel.get(made.name), knowledge.kinds.get(made.name)}
        assert made.call is not None
        if not words & _WRAPPERS and not (knowledge.kinds.get(made.name) == "prepared" and len(made.call.args) == 1):
            return None
        given = dict(made.call.kwargs)
        return made.call.args[0] if made.call.args else given.get("module", given.get("model"))


def _made_by(maker: Instance | LibraryObject, call: Call, frame: Context) -> bool:
    """Whether a model is made in the function that a call runs."""
    return maker.frame is not None and maker.frame.call is call and maker.frame.caller is frame


def _meet(sites: list[CallSite]) -> bool:
    """Whether one run of a function may come to two of its calls."""
    if len(sites) == 1:
        return False
    led = {id(node): way for node, way in walk_tested(sites[0].function.body)}
    ways = [led.get(id(site.call), ()) for site in sites]
    return any(meet(one, other) for number, one in enumerate(ways) for other in ways[number + 1 :])


def root_of(key: Key) -> Key:
    """The model that a key is of, where it is the key of a part."""
    return parted(key)[0]


def place_of(key: Key) -> list[str | int]:
    """What to sort keys by: where they stand, in a file in the order of its lines."""
    return in_numeric_order(str(key))


def parted(key: Key) -> tuple[Key, list[object]]:
    """The model that a key is of, and the names of the parts that lead from there to what it is the key of."""
    names: list[object] = []
    while isinstance(key, Part):
        names.insert(0, key.name)
        key = key.whole
    return key, names
