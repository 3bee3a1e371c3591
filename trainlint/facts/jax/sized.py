"""Results that have as many items as values say, in a trace: a compiled program knows all its shapes beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from trainlint.facts.jax.activations import STATIC_FOR, Activation, Activations, origin
from trainlint.facts.jax.levels import ARRAY, STATIC, TRACED
from trainlint.facts.naming import reference, written
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Library
from trainlint.finding import Applicability, Spot
from trainlint.model.sketch import Call, Exit, Function, Keep, Loop, Statement, Store
from trainlint.model.terms import Term, parts_of, subterms
from trainlint.model.walk import of_kind, walk
from trainlint.sites.changes import Change, Rewrite

Kind = Literal["result", "mask", "set", "slice", "rounds"]
_DEEPEST = 12
#: What a place of an array is called, and is not a container: ``x.at[mask].set(0)``.
_BIT = ("BitAnd", "BitOr", "BitXor")


class Sized(NamedTuple):
    """A place where a shape depends on values.

    ``kind`` "result" is a call whose result has as many items as values say, "mask" a use of items that a boolean mask picks,
    "set" a call that changes such items, "slice" a use of items up to a traced place (``own`` names the parameter of the traced
    function that this is), "rounds" a "result" in a loop outside of any trace, where each size is compiled.
    """

    module: str
    kind: Kind
    spot: Spot
    node: str
    statement: Spot
    activation: Activation | None
    loop: Spot | None = None
    own: str | None = None


def sized(program: Program) -> Iterator[Sized]:
    """Each such place, once."""
    seen: set[tuple[str, Spot]] = set()
    known = program.ask(Activations)
    traced: set[int] = set()
    asked = _Sizes(program)
    for activation in known.all():
        traced.add(id(activation.function))
        if activation.branches:
            for found in asked.in_trace(activation, known.running(activation.frame).statements):
                if (found.module, found.spot) not in seen:
                    seen.add((found.module, found.spot))
                    yield found
    for module, function in program.functions():
        if id(function) not in traced:
            yield from asked.in_rounds(module, function)


class _Sizes:
    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._sizes = tables["tracers.sized"]
        self._masks = frozenset(tables["tracers.masks"]["names"])
        self._truths: list[str] = tables["tracers.truths"]["names"]
        self._at: list[str] = tables["tracers.places"]["names"]
        self._words = {name.rpartition(".")[2] for name in self._sizes}

    def in_trace(self, activation: Activation, statements: Iterable[Statement]) -> Iterator[Sized]:
        picked: set[Term] = set()
        for node in statements:
            if isinstance(node, Call):
                yield from self._of_call(activation, node, picked)
            elif isinstance(node, (Exit, Store, Keep)) and node.value is not None:
                is_return = isinstance(node, Exit)
                if (not is_return or node.kind == "return") and "lambda" not in activation.function.name:
                    kind = "Return" if is_return else node.kind
                    for what, own in self._use(activation, (node.value,), picked):
                        yield Sized(activation.module, what, node.spot, kind, node.spot, activation, own=own)

    def _of_call(self, activation: Activation, node: Call, picked: set[Term]) -> Iterator[Sized]:
        term = node.term
        if self._is_sized(activation, term):
            yield Sized(activation.module, "result", term[4], "Call", node.statement, activation)
        changed = self._set_at(term)
        if changed is not None and any(self.is_mask(key, activation, 0) for key in _keys(changed)):
            yield Sized(activation.module, "set", term[4], "Call", node.statement, activation)
            picked.add(changed)
        for what, own in self._use(activation, (term[1], *term[2], *(value for _, value in term[3])), picked):
            yield Sized(activation.module, what, term[4], "Call", node.statement, activation, own=own)

    def _set_at(self, call: Term) -> Term | None:
        """``x.at[mask]`` in ``x.at[mask].set(value)``."""
        place = call[1][1] if call[1][0] == "a" else None
        there = place is not None and place[0] == "sub" and place[1][0] == "a" and place[1][2] in self._at
        return place if there else None

    def _is_sized(self, activation: Activation, call: Term) -> bool:
        frame, tracers = activation.frame, activation.tracers
        word = self._word(call, frame)
        if word is None:
            return False
        how, *options = word.split()
        if any(name in options or name is None for name, _ in call[3]):
            return False
        given = call[2]
        if how == "values":
            return bool(given) and tracers.is_traced(given[0], frame) and not (len(given) > 1 and "second" in options)
        if how == "alone":
            return len(given) == 1 and not call[3] and tracers.is_traced(given[0], frame)
        if how == "counts":
            counts = given[1] if len(given) > 1 else dict(call[3]).get("repeats")
            return counts is not None and tracers.is_traced(counts, frame)
        return False

    def _word(self, call: Term, frame: Frame) -> str | None:
        for value in self.program.values(call[1], frame):
            if isinstance(value, Library) and value.name in self._sizes:
                return str(self._sizes[value.name])
        return None

    # -- masks -------------------------------------------------------------------------------------------------------

    def _use(self, activation: Activation, parts: Iterable[Term], picked: set[Term]) -> list[tuple[Kind, str | None]]:
        """How items are picked in what is used here, for the first time: by a mask, or up to a place that is traced."""
        return [each for part in parts for each in self._picks(activation, part, picked)]

    def _picks(self, activation: Activation, term: Term, picked: set[Term]) -> Iterator[tuple[Kind, str | None]]:
        if term in picked:
            return
        if term[0] == "sub":
            picked.add(term)
            array = activation.tracers.level(term[1], activation.frame) in (*TRACED, STATIC)
            if array and term[1][0] not in ("dict", "list", "tuple"):
                if self._by_mask(activation, term):
                    yield "mask", None
                for bound in _bounds(term):
                    own = origin(bound, activation.frame) if _may_be_static(activation) else None
                    level = activation.tracers.level(bound, activation.frame)
                    if level == ARRAY or (own is not None and level in TRACED):
                        yield "slice", own
                        break
        product = activation.function.products.get(term)
        if term[0] not in ("call", "fn", "p", "elem", "lv"):
            for part in subterms(term) if product is None else product.factors:
                yield from self._picks(activation, part, picked)

    def _by_mask(self, activation: Activation, term: Term) -> bool:
        return any(self.is_mask(key, activation, 0) for key in _keys(term))

    def is_mask(self, term: Term, activation: Activation, depth: int) -> bool:
        """Whether a term is a traced array of truth values."""
        tracers, frame = activation.tracers, activation.frame
        if depth > _DEEPEST or tracers.level(term, frame) != ARRAY:
            return False
        if term[0] == "cmp":
            return True
        if term[0] == "inv" or (term[0] == "bin" and term[1] in _BIT):
            parts = [part for part in subterms(term) if part[0] != "c"]
            return any(self.is_mask(part, activation, depth + 1) for part in parts)
        if term[0] == "call":
            if any(isinstance(value, Library) and value.name in self._masks for value in self.program.values(term[1], frame)):
                return True
            if term[1][0] == "a" and term[1][2] == "astype" and len(term[2]) == 1:
                named = self.program.values(term[2][0], frame)
                return any(isinstance(value, Library) and value.name in self._truths for value in named)
        return False

    # -- outside of traces -------------------------------------------------------------------------------------------

    def in_rounds(self, module: str, function: Function) -> Iterator[Sized]:
        """Calls of the library in the rounds of a Python loop whose results have another size each time."""
        calls = [node for node in calls_of(function) if node.term[1][0] in ("r", "a") and self._ends(node.term[1])]
        if not calls or tests_software(self.program, module, function):
            return
        frame = self.program.frame(module, function)
        loops = [loop for loop in of_kind(function, Loop) if loop.kind in ("for", "while")]
        for node in calls:
            word = self._word(node.term, frame)
            around = [loop for loop in loops if any(each is node for each in _within(loop))]
            if word is None or not around or "size" in dict(node.term[3]) or word.partition(" ")[0] == "counts":
                continue
            alone = len(node.term[2]) == 1 and not node.term[3]
            if node.term[2] and node.term[2][0][0] != "c" and (alone or word.startswith("values")):
                yield Sized(module, "rounds", node.term[4], "Call", node.statement, None, around[-1].spot)

    def _ends(self, callee: Term) -> bool:
        name = callee[1].rpartition(".")[2] if callee[0] == "r" else callee[2]
        return name in self._words


def _keys(term: Term) -> tuple[Term, ...]:
    return term[2][1] if term[2][0] == "tuple" else (term[2],)


def _bounds(term: Term) -> list[Term]:
    """The numbers at which slices begin and end."""
    return [bound for key in _keys(term) if key[0] == "slice" for bound in key[1:]]


def _may_be_static(activation: Activation) -> bool:
    root = activation.way_root()
    return root is not None and root.word in STATIC_FOR


def _within(loop: Loop) -> list[Statement]:
    return walk(loop.body)


def replaced(program: Program, found: Sized) -> Change | None:
    """``jnp.where(mask, value, x)`` for ``x.at[mask].set(value)``, where array and mask have names."""
    activation = found.activation
    where = reference(program.knowledge.written["where"], program.modules[found.module])
    if found.kind != "set" or activation is None or where is None:
        return None
    call = next((node.term for node in calls_of(activation.function) if node.term[4] == found.spot), None)
    if call is None or call[1][2] != "set" or len(call[2]) != 1 or call[3]:
        return None
    place = call[1][1]
    if place[2] in parts_of(call[2][0]):
        return None  # as many values as the mask picks
    array, mask = written(place[1][1], activation.function), written(place[2], activation.function)
    if array is None or mask is None:
        return None
    code = f"{where}({mask}, {{0}}, {array})"
    return Rewrite(Applicability.DISPLAY, "Choose among the arrays", spot=found.spot, code=code, paths=((("argument", 0),),))


__all__ = ["Kind", "Sized", "replaced", "sized"]
