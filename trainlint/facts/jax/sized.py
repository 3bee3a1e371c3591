"""Results that have as many items as values say, in a trace: a compiled program knows all its shapes beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from trainlint.facts.jax.activations import STATIC_FOR, Activation, Activations, origin
from trainlint.facts.jax.levels import ARRAY, STATIC, TRACED
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Library
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Invert,
    LoopPhi,
    Nested,
    Param,
    Ref,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.printer import code_in
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Loop, Statement, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
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
            if isinstance(node, CallStep):
                yield from self._of_call(activation, node, picked)
            elif isinstance(node, (Exit, Store, Keep)) and node.value is not None:
                is_return = isinstance(node, Exit)
                if (not is_return or node.kind == "return") and "lambda" not in activation.function.name:
                    kind = "Return" if is_return else node.kind
                    for what, own in self._use(activation, (node.value,), picked):
                        yield Sized(activation.module, what, node.spot, kind, node.spot, activation, own=own)

    def _of_call(self, activation: Activation, node: CallStep, picked: set[Term]) -> Iterator[Sized]:
        term = node.term
        if self._is_sized(activation, term):
            yield Sized(activation.module, "result", term.site, "Call", node.statement, activation)
        changed = self._set_at(term)
        if changed is not None and any(self.is_mask(key, activation, 0) for key in _keys(changed)):
            yield Sized(activation.module, "set", term.site, "Call", node.statement, activation)
            picked.add(changed)
        for what, own in self._use(activation, (term.callee, *term.args, *(value for _, value in term.kwargs)), picked):
            yield Sized(activation.module, what, term.site, "Call", node.statement, activation, own=own)

    def _set_at(self, call: Call) -> Subscript | None:
        """``x.at[mask]`` in ``x.at[mask].set(value)``."""
        place = call.callee.base if isinstance(call.callee, Attr) else None
        if isinstance(place, Subscript) and isinstance(place.base, Attr) and place.base.name in self._at:
            return place
        return None

    def _is_sized(self, activation: Activation, call: Call) -> bool:
        frame, tracers = activation.frame, activation.tracers
        word = self._word(call, frame)
        if word is None:
            return False
        how, *options = word.split()
        if any(name in options or name is None for name, _ in call.kwargs):
            return False
        given = call.args
        if how == "values":
            return bool(given) and tracers.is_traced(given[0], frame) and not (len(given) > 1 and "second" in options)
        if how == "alone":
            return len(given) == 1 and not call.kwargs and tracers.is_traced(given[0], frame)
        if how == "counts":
            counts = given[1] if len(given) > 1 else dict(call.kwargs).get("repeats")
            return counts is not None and tracers.is_traced(counts, frame)
        return False

    def _word(self, call: Call, frame: Frame) -> str | None:
        for value in self.program.values(call.callee, frame):
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
        if isinstance(term, Subscript):
            picked.add(term)
            array = activation.tracers.level(term.base, activation.frame) in (*TRACED, STATIC)
            if array and not isinstance(term.base, (Dict, SequenceDisplay)):
                if self._by_mask(activation, term):
                    yield "mask", None
                for bound in _bounds(term):
                    own = origin(bound, activation.frame) if _may_be_static(activation) else None
                    level = activation.tracers.level(bound, activation.frame)
                    if level == ARRAY or (own is not None and level in TRACED):
                        yield "slice", own
                        break
        product = activation.function.products.get(term)
        if not isinstance(term, (Call, Nested, Param, Element, LoopPhi)):
            for part in term.subterms() if product is None else product.factors:
                yield from self._picks(activation, part, picked)

    def _by_mask(self, activation: Activation, term: Subscript) -> bool:
        return any(self.is_mask(key, activation, 0) for key in _keys(term))

    def is_mask(self, term: Term, activation: Activation, depth: int) -> bool:
        """Whether a term is a traced array of truth values."""
        tracers, frame = activation.tracers, activation.frame
        if depth > _DEEPEST or tracers.level(term, frame) != ARRAY:
            return False
        if isinstance(term, Compare):
            return True
        if isinstance(term, Invert) or (isinstance(term, BinOp) and term.op in _BIT):
            parts = [part for part in term.subterms() if not isinstance(part, Const)]
            return any(self.is_mask(part, activation, depth + 1) for part in parts)
        if isinstance(term, Call):
            if any(isinstance(value, Library) and value.name in self._masks for value in self.program.values(term.callee, frame)):
                return True
            if isinstance(term.callee, Attr) and term.callee.name == "astype" and len(term.args) == 1:
                named = self.program.values(term.args[0], frame)
                return any(isinstance(value, Library) and value.name in self._truths for value in named)
        return False

    # -- outside of traces -------------------------------------------------------------------------------------------

    def in_rounds(self, module: str, function: Function) -> Iterator[Sized]:
        """Calls of the library in the rounds of a Python loop whose results have another size each time."""
        calls = [
            node for node in calls_of(function) if isinstance(node.term.callee, (Ref, Attr)) and self._ends(node.term.callee)
        ]
        if not calls or tests_software(self.program, module, function):
            return
        frame = self.program.frame(module, function)
        loops = [loop for loop in of_kind(function, Loop) if loop.kind in ("for", "while")]
        for node in calls:
            word = self._word(node.term, frame)
            around = [loop for loop in loops if any(each is node for each in _within(loop))]
            if word is None or not around or "size" in dict(node.term.kwargs) or word.partition(" ")[0] == "counts":
                continue
            alone = len(node.term.args) == 1 and not node.term.kwargs
            if node.term.args and not isinstance(node.term.args[0], Const) and (alone or word.startswith("values")):
                yield Sized(module, "rounds", node.term.site, "Call", node.statement, None, around[-1].spot)

    def _ends(self, callee: Ref | Attr) -> bool:
        name = callee.name.rpartition(".")[2] if isinstance(callee, Ref) else callee.name
        return name in self._words


def _keys(term: Subscript) -> tuple[Term, ...]:
    return term.key.items if isinstance(term.key, Tuple) else (term.key,)


def _bounds(term: Subscript) -> list[Term]:
    """The numbers at which slices begin and end."""
    return [bound for key in _keys(term) if isinstance(key, Slice) for bound in key.bounds]


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
    call = next((node.term for node in calls_of(activation.function) if node.term.site == found.spot), None)
    if call is None or not isinstance(call.callee, Attr) or call.callee.name != "set" or len(call.args) != 1 or call.kwargs:
        return None
    place = call.callee.base
    if not isinstance(place, Subscript) or not isinstance(place.base, Attr) or place.key in parts_of(call.args[0]):
        return None  # as many values as the mask picks
    array, mask = code_in(place.base.base, activation.function), code_in(place.key, activation.function)
    if array is None or mask is None:
        return None
    code = f"{where}({mask}, {{0}}, {array})"
    return Rewrite(Applicability.DISPLAY, "Choose among the arrays", spot=found.spot, code=code, paths=((("argument", 0),),))


__all__ = ["Kind", "Sized", "replaced", "sized"]
