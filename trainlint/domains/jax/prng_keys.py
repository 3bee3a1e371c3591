"""PRNG keys: which calls use one up, and which parameters of functions are keys that these use up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.traced.functions import Roots
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, Nested, Param, Select, SequenceDisplay, Subscript, Term
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import container_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.callables import PARTIAL, partial_of
from trainlint.program.naming import names_of_source
from trainlint.program.origins import local_origin
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Library, LibraryObject

DRAWS, SPLITS, NEW, DERIVES = "draws", "splits", "new", "derives"
_USES = (DRAWS, SPLITS)


class Used(NamedTuple):
    """A key that a call uses up; ``name`` is the kind of draws that it is for, ``by`` the project's function that does it.

    ``apart``: the call is handed it in another way than by the term that is its key.
    """

    key: Term
    call: Call
    how: str
    name: str | None = None
    by: Function | None = None
    apart: bool = False


class Taken(NamedTuple):
    """A parameter that is a key, or the item of this number in a parameter that is a tuple."""

    name: str
    item: int | None = None


class Keys:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words: Mapping[str, str] = program.knowledge.tables["keys"]
        self._collections: list[str] = program.knowledge.tables["keys.collections"]["names"]
        self._arguments: list[str] = program.knowledge.tables["keys.arguments"]["names"]
        self._makers: list[str] = program.knowledge.tables["keys.makers"]["names"]
        #: Words in names of keys, and in names of what a split leaves for later.
        self.names: list[str] = program.knowledge.tables["keys.names"]["names"]
        self.rests: list[str] = program.knowledge.tables["keys.rests"]["names"]
        self._roots = {name.partition(".")[0] for name in self.words}
        self._abstract: list[str] = program.knowledge.tables["keys.abstract"]["names"]
        self._carries: Mapping[str, str] = program.knowledge.tables["keys.carries"]
        self._initializers = tuple(program.knowledge.tables["keys.initializers"]["names"])
        self._used: dict[tuple[Term, Context], tuple[Used, ...]] = {}
        self._parameters: dict[int, frozenset[Taken]] = {}
        self._shaped: set[int] | None = None

    def forget(self) -> None:
        """Forget which keys calls use up."""
        self._used.clear()

    def word(self, call: Term, frame: Context) -> str | None:
        """What a call does with keys, if it is one of the library's."""
        if not isinstance(call, Call):
            return None
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self.words:
                return self.words[value.name]
            if isinstance(value, (FunctionValue, ClassValue)):
                thing = value.function if isinstance(value, FunctionValue) else value.cls
                for name in names_of_source(self.program, value.module, thing.qualname, self._roots):
                    if name in self.words:
                        return self.words[name]
            if isinstance(value, LibraryObject) and value.name.startswith(self._initializers):
                return DRAWS
        return None

    def is_key(self, term: Term, frame: Context) -> bool:
        """Whether a term is surely a key, or several: made here, split off or derived."""
        term = container_of(term)
        if isinstance(term, Select):
            return self.is_key(term.then, frame) and self.is_key(term.other, frame)
        return self.word(term, frame) in (NEW, SPLITS, DERIVES)

    def used(self, call: Call, frame: Context) -> tuple[Used, ...]:
        """The keys that a call uses up."""
        known = self._used.get((call, frame))
        if known is None:
            self._used[call, frame] = ()  # a function that calls itself
            found = [(each, local_origin(self.program, each.key, frame)) for each in self._find(call, frame)]
            known = tuple(each._replace(key=key, apart=key is not each.key) for each, key in found)
            self._used[call, frame] = known
        return known

    def _find(self, call: Call, frame: Context) -> Iterator[Used]:
        word = self.word(call, frame)
        if word is not None:
            key = self._argument(call)
            if word in _USES and key is not None:
                yield Used(key, call, word)
            return
        for kind, key in self._named(call):
            yield Used(key, call, DRAWS, kind)
        yield from self._by_project(call, frame)

    def _named(self, call: Call) -> Iterator[tuple[str, Term]]:
        """The keys that a model is handed for its kinds of draws."""
        given = [value for name, value in call.kwargs if name in self._collections]
        if isinstance(call.callee, Attr) and call.callee.name in self._makers and call.args:
            given.append(call.args[0])
        for value in given:
            if isinstance(value, Dict):
                yield from ((str(kind.value), key) for kind, key in value.items if kind is not None and isinstance(kind, Const))

    def _argument(self, call: Call) -> Term | None:
        """The argument that is the key."""
        given = next((value for name, value in call.kwargs if name in self._arguments), None)
        if given is None and call.args:
            given = call.args[0]
        return given

    def _by_project(self, call: Call, frame: Context) -> Iterator[Used]:
        carried = self._carried(call, frame)
        targets = list(self._functions(call.callee if carried is None else carried.body, frame))
        if len(targets) != 1:
            return
        (target,) = targets
        taken = self.parameters(target.module, target.function)
        entered = self.program.enter(target, call, frame) if taken and carried is None else None
        for each in sorted(taken):
            given: object
            if carried is not None:
                given = (
                    Argument(carried.first, frame) if target.function.parameters[carried.position :][:1] == (each.name,) else None
                )
            else:
                assert entered is not None
                given = entered.given(Param.new(target.function.qualname, each.name))
            if isinstance(given, Argument) and given.frame is frame:
                key = given.term if each.item is None else _item(given.term, each.item)
                if key is not None:
                    yield Used(key, call, DRAWS, by=target.function)

    def _carried(self, call: Call, frame: Context) -> _Carried | None:
        """What a loop of the library (``scan``) runs in each round, and what it hands to the first."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self._carries:
                body, first, position = (int(each) for each in self._carries[value.name].split())
                given = dict(call.kwargs)
                inner = call.args[body] if len(call.args) > body else given.get("f", given.get("body_fun"))
                start = call.args[first] if len(call.args) > first else given.get("init", given.get("init_val"))
                return _Carried(inner, start, position) if inner is not None and start is not None else None
        return None

    def _functions(self, callee: Term, frame: Context, around: tuple[Call, ...] = ()) -> Iterator[FunctionValue]:
        """The functions of the project that a call of this runs: itself, or what ``jit`` and its like made of them."""
        for value in self.program.values(callee, frame):
            if isinstance(value, FunctionValue):
                yield value
            elif (
                isinstance(value, LibraryObject)
                and value.call is not None
                and value.frame is not None
                and value.call not in around
            ):
                if value.call.args and self.program.ask(Roots).is_same(value):
                    yield from self._functions(value.call.args[0], value.frame, (*around, value.call))
                elif (partial := partial_of(value)) is not None:
                    given = Argument(partial.call, partial.frame)
                    inner = self._functions(partial.callee, partial.frame, (*around, value.call))
                    yield from (each._replace(given=(*each.given, given)) for each in inner)

    def shapes_only(self, function: Function) -> bool:
        """Whether all that is seen of a function is that somebody asks for the shapes of what it returns: nothing is drawn."""
        if self._shaped is None:
            self._shaped = set()
            for name in sorted(dotted.rpartition(".")[2] for dotted in self._abstract if dotted != PARTIAL):
                for site in self.program.ask(CallGraph).sites.get(name, ()):
                    frame = self.program.frame(site.module, site.function)
                    if site.call.term.args and self._looks_only(site.call.term, frame):
                        found = self._functions(site.call.term.args[0], frame)
                        self._shaped |= {id(each.function) for each in found}
        inner = function.outer is not None  # what stands at the top of a file may be handed to somebody else besides
        return inner and id(function) in self._shaped and not self.program.ask(CallGraph).callers(function)

    # -- what functions do with their parameters -------------------------------------------------------------------

    def parameters(self, module: str, function: Function) -> frozenset[Taken]:
        """The parameters of a function that are keys which it uses up on every way through it."""
        known = self._parameters.get(id(function))
        if known is None:
            self._parameters[id(function)] = frozenset()
            known = self._parameters[id(function)] = frozenset(self._own(module, function))
        return known

    def _own(self, module: str, function: Function) -> Iterator[Taken]:
        for inner in (function, *self._inside(module, function)):
            frame = self.program.frame(module, inner)
            for node, led in walk_tested(inner.body):
                if isinstance(node, CallStep) and not led:
                    for used in self.used(node.term, frame):
                        for key in _choices(used.key):
                            if isinstance(key, Param) and key.function == function.qualname:
                                yield Taken(key.name)
                            elif (
                                isinstance(key, Subscript)
                                and isinstance(key.base, Param)
                                and key.base.function == function.qualname
                                and isinstance(key.key, Const)
                                and _is_number(key.key)
                            ):
                                yield Taken(key.base.name, key.key.value)

    def _looks_only(self, call: Call, frame: Context) -> bool:
        """Whether a call does not run what it is given first: it asks for shapes, or fills in arguments."""
        values = self.program.values(call.callee, frame)
        return any(isinstance(value, Library) and value.name in self._abstract for value in values)

    def _inside(self, module: str, function: Function) -> Iterator[Function]:
        """The functions defined in it that it calls or hands to ``grad`` and its like."""
        functions = self.program.modules[module].functions
        mentioned: set[str] = set()
        frame = self.program.frame(module, function)
        for node in calls_of(function):
            call = node.term
            given = () if self._looks_only(call, frame) else call.args[:1]
            for part in (call.callee, *given):
                if isinstance(part, Nested):
                    mentioned.add(part.name)
        for name in sorted(mentioned):
            inner = functions.get(name)
            if inner is not None and inner.outer == function.qualname:
                yield inner


class _Carried(NamedTuple):
    """What a loop runs in each round, what it hands to the first, as the parameter of this number."""

    body: Term
    first: Term
    position: int


def _item(given: Term, index: int) -> Term | None:
    """The item of a tuple that is written down."""
    return given.items[index] if isinstance(given, SequenceDisplay) and 0 <= index < len(given.items) else None


def _is_number(key: Term) -> bool:
    return isinstance(key, Const) and type(key.value) is int


def _choices(key: Term) -> Iterator[Term]:
    """A key, or those of which one is chosen: ``key if key is not None else PRNGKey(0)``."""
    if isinstance(key, Select):
        yield from _choices(key.then)
        yield from _choices(key.other)
    else:
        yield key


class Use(NamedTuple):
    """A key that is used up in a function: what uses it, and the tests that lead there."""

    used: Used
    node: CallStep
    led: Led


def uses_in(program: Program, module: str, function: Function) -> list[Use]:
    """The keys that the statements of a function use up, in order."""
    frame = program.frame(module, function)
    asked = program.ask(Keys)
    found = []
    for node, led in walk_tested(function.body):
        if isinstance(node, CallStep):
            found += [Use(used, node, led) for used in asked.used(node.term, frame)]
    return found


__all__ = ["DERIVES", "DRAWS", "NEW", "SPLITS", "Keys", "Use", "Used", "uses_in"]
