"""Which calls use up a PRNG key of JAX, and which parameters of functions are keys that these use up.

A key makes the same numbers whenever it is used, so it is to be used once: by a draw, or to be split. ``fold_in`` makes another
one and does not use it up (jax 0.10, jax/_src/random.py). What a function of the project does with a key that it is given counts
as far as it does so on every way; what a library does that is not in the table ``keys`` is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.calls import Calls
from trainlint.facts.own_source import names_of_source
from trainlint.facts.partials import PARTIAL, partial_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Library, Made
from trainlint.model.sketch import Call, Function
from trainlint.model.terms import Term
from trainlint.model.tested import Led, walk_tested

DRAWS, SPLITS, NEW, DERIVES = "draws", "splits", "new", "derives"
_USES = (DRAWS, SPLITS)
_DEEPEST = 5
#: Through how many functions around a function its call is looked for: ``jit(vmap(grad(f)))``.
_MOST_WRAPPED = 4


class Used(NamedTuple):
    """A key that a call uses up; ``name`` is the kind of draws that it is for, ``by`` the project's function that does it."""

    key: Term
    call: Term
    how: str
    name: str | None = None
    by: Function | None = None


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
        self._used: dict[tuple[Term, Frame], tuple[Used, ...]] = {}
        self._parameters: dict[int, frozenset[Taken]] = {}
        self._shaped: set[int] | None = None

    def word(self, call: Term, frame: Frame) -> str | None:
        """What a call does with keys, if it is one of the library's."""
        if call[0] != "call":
            return None
        for value in self.program.values(call[1], frame):
            if isinstance(value, Library) and value.name in self.words:
                return self.words[value.name]
            if isinstance(value, (FunctionValue, ClassValue)):
                thing = value.function if isinstance(value, FunctionValue) else value.cls
                for name in names_of_source(self.program, value.module, thing.qualname, self._roots):
                    if name in self.words:
                        return self.words[name]
            if isinstance(value, Made) and value.name.startswith(self._initializers):
                return DRAWS
        return None

    def is_key(self, term: Term, frame: Frame) -> bool:
        """Whether a term is surely a key, or several: made here, split off or derived."""
        while term[0] == "sub":
            term = term[1]
        if term[0] == "if":
            return self.is_key(term[2], frame) and self.is_key(term[3], frame)
        return self.word(term, frame) in (NEW, SPLITS, DERIVES)

    def used(self, call: Term, frame: Frame) -> tuple[Used, ...]:
        """The keys that a call uses up."""
        known = self._used.get((call, frame))
        if known is None:
            self._used[call, frame] = ()  # a function that calls itself
            known = self._used[call, frame] = tuple(self._find(call, frame))
        return known

    def _find(self, call: Term, frame: Frame) -> Iterator[Used]:
        word = self.word(call, frame)
        if word is not None:
            key = self._argument(call)
            if word in _USES and key is not None:
                yield Used(key, call, word)
            return
        for kind, key in self._named(call):
            yield Used(key, call, DRAWS, kind)
        yield from self._by_project(call, frame)

    def _named(self, call: Term) -> Iterator[tuple[str, Term]]:
        """The keys that a model is handed for its kinds of draws."""
        given = [value for name, value in call[3] if name in self._collections]
        if call[1][0] == "a" and call[1][2] in self._makers and call[2]:
            given.append(call[2][0])
        for value in given:
            if value[0] == "dict":
                yield from ((str(kind[2]), key) for kind, key in value[1] if kind is not None and kind[0] == "c")

    def _argument(self, call: Term) -> Term | None:
        """The argument that is the key."""
        given = next((value for name, value in call[3] if name in self._arguments), None)
        if given is None and call[2]:
            given = call[2][0]
        return given

    def _by_project(self, call: Term, frame: Frame) -> Iterator[Used]:
        carried = self._carried(call, frame)
        targets = list(self._functions(call[1] if carried is None else carried.body, frame, _MOST_WRAPPED))
        if len(targets) != 1:
            return
        (target,) = targets
        taken = self.parameters(target.module, target.function)
        entered = self.program.enter(target, call, frame) if taken and carried is None else None
        for each in sorted(taken):
            given: object
            if carried is not None:
                given = (
                    Bound(carried.first, frame) if target.function.parameters[carried.position :][:1] == (each.name,) else None
                )
            else:
                assert entered is not None
                given = entered.given(Term(("p", target.function.qualname, each.name)))
            if isinstance(given, Bound) and given.frame is frame:
                key = given.term if each.item is None else _item(given.term, each.item)
                if key is not None:
                    yield Used(key, call, DRAWS, by=target.function)

    def _carried(self, call: Term, frame: Frame) -> _Carried | None:
        """What a loop of the library (``scan``) runs in each round, and what it hands to the first."""
        for value in self.program.values(call[1], frame):
            if isinstance(value, Library) and value.name in self._carries:
                body, first, position = (int(each) for each in self._carries[value.name].split())
                given = dict(call[3])
                inner = call[2][body] if len(call[2]) > body else given.get("f", given.get("body_fun"))
                start = call[2][first] if len(call[2]) > first else given.get("init", given.get("init_val"))
                return _Carried(inner, start, position) if inner is not None and start is not None else None
        return None

    def _functions(self, callee: Term, frame: Frame, depth: int) -> Iterator[FunctionValue]:
        """The functions of the project that a call of this runs: itself, or what ``jit`` and its like made of them."""
        for value in self.program.values(callee, frame):
            if isinstance(value, FunctionValue):
                yield value
            elif isinstance(value, Made) and value.call is not None and value.frame is not None and depth:
                if value.call[2] and self.program.ask(Roots).is_same(value):
                    yield from self._functions(value.call[2][0], value.frame, depth - 1)
                elif (partial := partial_of(value)) is not None:
                    given = Bound(partial.call, partial.frame)
                    inner = self._functions(partial.callee, partial.frame, depth - 1)
                    yield from (each._replace(given=given) for each in inner)

    def shapes_only(self, function: Function) -> bool:
        """Whether all that is seen of a function is that somebody asks for the shapes of what it returns: nothing is drawn."""
        if self._shaped is None:
            self._shaped = set()
            for name in sorted(dotted.rpartition(".")[2] for dotted in self._abstract if dotted != PARTIAL):
                for site in self.program.ask(Calls).sites.get(name, ()):
                    frame = self.program.frame(site.module, site.function)
                    if site.call.term[2] and self._looks_only(site.call.term, frame):
                        found = self._functions(site.call.term[2][0], frame, _MOST_WRAPPED)
                        self._shaped |= {id(each.function) for each in found}
        inner = function.outer is not None  # what stands at the top of a file may be handed to somebody else besides
        return inner and id(function) in self._shaped and not self.program.ask(Calls).callers(function)

    # -- what functions do with their parameters -------------------------------------------------------------------

    def parameters(self, module: str, function: Function, depth: int = _DEEPEST) -> frozenset[Taken]:
        """The parameters of a function that are keys which it uses up on every way through it."""
        known = self._parameters.get(id(function))
        if known is None:
            self._parameters[id(function)] = frozenset()
            known = self._parameters[id(function)] = frozenset(self._own(module, function)) if depth else frozenset()
        return known

    def _own(self, module: str, function: Function) -> Iterator[Taken]:
        for inner in (function, *self._inside(module, function)):
            frame = self.program.frame(module, inner)
            for node, led in walk_tested(inner.body):
                if isinstance(node, Call) and not led:
                    for used in self.used(node.term, frame):
                        for key in _choices(used.key):
                            if key[0] == "p" and key[1] == function.qualname:
                                yield Taken(key[2])
                            elif key[0] == "sub" and key[1][0] == "p" and key[1][1] == function.qualname and _is_number(key[2]):
                                yield Taken(key[1][2], key[2][2])

    def _looks_only(self, call: Term, frame: Frame) -> bool:
        """Whether a call does not run what it is given first: it asks for shapes, or fills in arguments."""
        values = self.program.values(call[1], frame)
        return any(isinstance(value, Library) and value.name in self._abstract for value in values)

    def _inside(self, module: str, function: Function) -> Iterator[Function]:
        """The functions defined in it that it calls or hands to ``grad`` and its like."""
        functions = self.program.modules[module].functions
        mentioned: set[str] = set()
        frame = self.program.frame(module, function)
        for node in calls_of(function):
            call = node.term
            given = () if self._looks_only(call, frame) else call[2][:1]
            for part in (call[1], *given):
                if part[0] == "fn":
                    mentioned.add(str(part[1]))
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
    return given[1][index] if given[0] in ("tuple", "list") and 0 <= index < len(given[1]) else None


def _is_number(key: Term) -> bool:
    return key[0] == "c" and type(key[2]) is int


def _choices(key: Term) -> Iterator[Term]:
    """A key, or those of which one is chosen: ``key if key is not None else PRNGKey(0)``."""
    if key[0] == "if":
        yield from _choices(key[2])
        yield from _choices(key[3])
    else:
        yield key


class Use(NamedTuple):
    """A key that is used up in a function: what uses it, and the tests that lead there."""

    used: Used
    node: Call
    led: Led


def uses_in(program: Program, module: str, function: Function) -> list[Use]:
    """The keys that the statements of a function use up, in order."""
    frame = program.frame(module, function)
    asked = program.ask(Keys)
    found = []
    for node, led in walk_tested(function.body):
        if isinstance(node, Call):
            found += [Use(used, node, led) for used in asked.used(node.term, frame)]
    return found


__all__ = ["DERIVES", "DRAWS", "NEW", "SPLITS", "Keys", "Use", "Used", "uses_in"]
