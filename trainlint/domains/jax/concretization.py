"""Concretization: traced values where Python, NumPy or a shape needs a number, and arguments that have to be static.

Tests of traced values: what Python asks about a number that is not there yet.

Traced values where a number of Python is needed: for a shape, an axis, the rounds of a loop, a test of a flag.

Traced values that are handed to what computes on the host: NumPy, ``math``, ``float``, ``item``.

Results that have as many items as values say, in a trace: a compiled program knows all its shapes beforehand.

Arguments of traced functions that have to be static, and are not said to be; static ones that are another value at each call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from trainlint.domains.jax.binding_times import ARRAY, STATIC, TRACED, TREE
from trainlint.domains.jax.calling_contexts import STATIC_FOR, Activation, Activations, origin
from trainlint.domains.jax.tracers import Tracers
from trainlint.domains.traced.functions import Root, Roots
from trainlint.edits.changes import Change, Replace, Rewrite, SetKeyword
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Global,
    Invert,
    LoopPhi,
    MatMul,
    Nested,
    Not,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.order import loops_around
from trainlint.ir.printer import code_in
from trainlint.ir.sketch import CallStep, Choice, Exit, Function, If, Keep, Loop, Statement, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import is_assertion, of_kind, tests_of, walk
from trainlint.program.call_graph import CallSite
from trainlint.program.callables import PARTIAL
from trainlint.program.induction import counted_by
from trainlint.program.loops import has_rounds
from trainlint.program.naming import reference
from trainlint.program.origins import origins
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library

TestKind = Literal["if", "while", "assert", "call", "joined"]
_FLAGS = ("bool", "int", "float", "str")


class Asked(NamedTuple):
    """A place where Python asks whether a traced value is true.

    ``kind`` "if" is ``a if c else b``, too; "call" is ``max`` and its like; "joined" a use of ``a and b``, ``not a`` or
    ``a < b < c``, and its place is what uses it. ``value`` is the traced part of the test. ``own`` names the parameter of the
    traced function that it is, where it is nothing else.
    """

    activation: Activation
    kind: TestKind
    value: Term
    spot: Spot
    node: str
    statement: Spot
    own: str | None


def asked(program: Program) -> Iterator[Asked]:
    """Each such place, once."""
    seen: set[tuple[str, Spot]] = set()
    known = program.ask(Activations)
    for activation in known.all():
        if not activation.branches:
            continue
        running = known.running(activation.frame)
        tested = {
            part
            for node in (*running.statements, *running.idle)
            if isinstance(node, (If, Choice))
            for part in _parts(node.condition)
        }
        for node in (*running.statements, *running.idle):
            found = _asked(program, activation, node) or _joined(activation, node, tested)
            if found is not None and (activation.module, found.spot) not in seen:
                seen.add((activation.module, found.spot))
                yield found


def _asked(program: Program, activation: Activation, node: Statement) -> Asked | None:
    frame = activation.frame
    if isinstance(node, (If, Choice)):
        value = _traced_part(activation, node.condition, frame)
        if value is None:
            return None
        kind: TestKind = "assert" if isinstance(node, If) and is_assertion(node) else "if"
        return Asked(activation, kind, value, node.test, "expr", node.spot, _own(activation, value))
    if isinstance(node, Loop) and node.kind == "while":
        value = _traced_part(activation, node.subject, frame)
        return Asked(activation, "while", value, node.spot, "While", node.spot, None) if value is not None else None
    if isinstance(node, CallStep):
        value = _tested_by(program, activation, node.term)
        return Asked(activation, "call", value, node.term.site, "Call", node.statement, None) if value is not None else None
    return None


def _joined(activation: Activation, node: Statement, tested: set[Term]) -> Asked | None:
    """A use of truth values that Python has joined in what a statement calls, returns or keeps; ``tested`` has its own place."""
    if isinstance(node, CallStep):
        place = node.term.site, "Call", node.statement
        terms = [node.term.callee, *activation.tracers.given(node.term)]
    elif isinstance(node, (Exit, Store, Keep)) and node.value is not None and "lambda" not in activation.function.name:
        if isinstance(node, Exit) and node.kind != "return":
            return None
        place = node.spot, "Return" if isinstance(node, Exit) else node.kind, node.spot
        terms = [node.value]
    else:
        return None
    while terms:
        term = terms.pop()
        if term in tested or isinstance(term, (Call, Nested, Param, LoopPhi, Element)):
            continue
        asks = term.operands[:-1] if isinstance(term, BoolOp) else (term.operand,) if isinstance(term, Not) else ()
        for value in asks:
            if value not in tested and activation.tracers.level(value, activation.frame) == ARRAY:
                tested.add(term)
                return Asked(activation, "joined", value, *place, None)
        terms += term.arms if isinstance(term, Select) else term.subterms()
    return None


def _parts(condition: Term) -> Iterator[Term]:
    """A condition, and what ``and``, ``or`` and ``not`` join in it."""
    yield condition
    if isinstance(condition, (BoolOp, Not)):
        for part in condition.operands if not isinstance(condition, Not) else (condition.operand,):
            yield from _parts(part)


def _traced_part(activation: Activation, condition: Term, frame: Context) -> Term | None:
    """The part of a condition that is one traced value, the truth of which is asked."""
    if isinstance(condition, Not):
        return _traced_part(activation, condition.operand, frame)
    if isinstance(condition, BoolOp):
        for part in condition.operands:
            found = _traced_part(activation, part, frame)
            if found is not None:
                return found
        return None
    return condition if activation.tracers.level(condition, frame) == ARRAY else None


def _tested_by(program: Program, activation: Activation, call: Call) -> Term | None:
    """The argument of which a function of Python asks whether it is true, or the larger one."""
    tests = program.knowledge.tables["tracers.tests"]
    for value in program.values(call.callee, activation.frame):
        word = tests.get(value.name) if isinstance(value, Library) else None
        if word == "truth" and len(call.args) == 1:
            return call.args[0] if activation.tracers.level(call.args[0], activation.frame) == ARRAY else None
        if word == "larger" and len(call.args) > 1:
            levels = [activation.tracers.level(part, activation.frame) for part in call.args]
            numbers = any(
                isinstance(part, Const) for part in call.args
            )  # beside these, what is a part of something traced is a number
            return next(
                (p for p, level in zip(call.args, levels, strict=True) if level == ARRAY or (numbers and level == TREE)), None
            )
    return None


def _own(activation: Activation, value: Term) -> str | None:
    """The name of a parameter of the very function that is traced, where the value is nothing else."""
    if activation.before is None and isinstance(value, Param) and value.function == activation.function.qualname:
        return value.name
    return None


def is_flag(found: Asked) -> bool:
    """Whether the parameter that is asked about is said to be a number or a truth value of Python: it should have been static."""
    root = found.activation.root
    if found.own is None or root is None or root.word not in STATIC_FOR:
        return False
    function = found.activation.function
    annotation = function.annotations.get(found.own)
    default = function.defaults.get(found.own)
    said = annotation is not None and isinstance(annotation, Ref) and annotation.name.rpartition(".")[2] in _FLAGS
    return said or (default is not None and isinstance(default, Const) and default.type in _FLAGS)


def named(found: Asked) -> str | None:
    """How the value is written in its function."""
    return code_in(found.value, found.activation.function)


def chosen(program: Program, found: Asked) -> Change | None:
    """``a if c else b`` as a choice among arrays."""
    where = reference(program.knowledge.written["where"], program.modules[found.activation.module])
    if found.kind != "if" or where is None:
        return None
    paths = ((("test", 0),), (("then", 0),), (("else", 0),))
    return Rewrite(
        Applicability.DISPLAY,
        "Select between the arrays",
        spot=found.statement,
        code=f"{where}({{0}}, {{1}}, {{2}})",
        paths=paths,
    )


What = Literal["shape", "axis", "rounds", "flag"]


class Counted(NamedTuple):
    """A place that needs a number of Python and is given a traced value.

    ``own`` is the parameter of the traced function (of ``root``) that it comes from unchanged: that should have been static.
    ``what`` "flag" is a test of such a parameter.
    """

    activation: Activation
    what: What
    spot: Spot
    node: str
    statement: Spot
    own: str | None
    root: Root | None


def counted(program: Program) -> Iterator[Counted]:
    """Each such place, once."""
    seen: set[tuple[str, Spot]] = set()
    known = program.ask(Activations)
    found = _Counts(program)
    for activation in known.all():
        if not activation.branches:
            continue
        for node in known.running(activation.frame).statements:
            if isinstance(node, CallStep) and (activation.module, node.term.site) not in seen:
                for each in found.of(activation, node):
                    seen.add((activation.module, node.term.site))
                    yield each
                    break
    for test in asked(program):
        root = test.activation.root
        if root is not None and is_flag(test):
            yield Counted(test.activation, "flag", test.spot, test.node, test.statement, test.own, root)


class _Counts:
    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._shapes = tables["tracers.shapes"]
        self._axes = frozenset(tables["tracers.axis"]["names"])
        self._rounds = frozenset(tables["tracers.rounds"]["names"])
        self._shaping = frozenset(tables["tracers.shaping"]["names"])
        self._computes = tuple(tables["tracers.computes"]["names"])

    def of(self, activation: Activation, node: CallStep) -> Iterator[Counted]:
        """What is wrong with the arguments of a call."""
        call, tracers, frame = node.term, activation.tracers, activation.frame
        for what, given in self._needed(call, frame):
            for part in _numbers(given):
                level = tracers.level(part, frame)
                if level not in TRACED:
                    continue
                own = origin(self.program, part, frame)
                root = activation.way_root()
                if own is not None and root is not None and root.word in STATIC_FOR:
                    yield Counted(activation, what, call.site, "Call", node.statement, own, root)
                elif level == ARRAY:
                    yield Counted(activation, what, call.site, "Call", node.statement, None, None)

    def _needed(self, call: Call, frame: Context) -> Iterator[tuple[What, Term]]:
        """The arguments of a call that are numbers of Python."""
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self._shaping and not isinstance(callee.base, Ref):
            yield from (("shape", each) for each in call.args)
            return
        for value in self.program.values(callee, frame):
            if not isinstance(value, Library):
                continue
            if value.name in self._rounds:
                yield from (("rounds", each) for each in call.args)
            words = str(self._shapes.get(value.name, "")).split()
            for word in words:
                if word.isdigit() and len(call.args) > int(word):
                    yield "shape", call.args[int(word)]
            if value.name.startswith(self._computes):
                yield from (
                    ("axis" if name in self._axes else "shape", each)
                    for name, each in call.kwargs
                    if name in words or name in self._axes
                )


def _numbers(given: Term) -> Iterator[Term]:
    """The numbers that a shape is made of."""
    if isinstance(given, SequenceDisplay):
        for each in given.items:
            yield from _numbers(each)
    elif isinstance(given, BinOp):
        for each in given.subterms():
            yield from _numbers(each)
    else:
        yield given


HostKind = Literal["computes", "reads"]


class OnHost(NamedTuple):
    """A call that needs the numbers of a traced value: ``name`` is what is called.

    ``kind`` "computes" is a function of NumPy for which JAX has one of its own (``change`` puts it there), "reads" one that makes
    a number, or an array of the host.
    """

    activation: Activation
    kind: HostKind
    node: CallStep
    name: str
    change: Change | None = None


def on_host(program: Program) -> Iterator[OnHost]:
    """Each such call, once."""
    seen: set[Term] = set()
    known = program.ask(Activations)
    asked = _Host(program)
    for activation in known.all():
        for node in known.running(activation.frame).statements:
            if isinstance(node, CallStep) and node.term not in seen:
                found = asked.of(activation, node)
                if found is not None:
                    seen.add(node.term)
                    yield found


class _Host:
    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._computes = tables["tracers.computed_on_host"]
        self._reads = frozenset(tables["tracers.read_on_host"]["names"])
        self._methods = frozenset(tables["tracers.read_by"]["names"])

    def of(self, activation: Activation, node: CallStep) -> OnHost | None:
        """What a call does with a traced value on the host, if it does."""
        call, tracers, frame = node.term, activation.tracers, activation.frame
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self._methods:
            if tracers.is_traced(callee.base, frame):
                return OnHost(activation, "reads", node, f".{callee.name}()")
            return None
        if not call.args or not any(tracers.is_traced(part, frame) for part in call.args):
            return None
        for value in self.program.values(callee, frame):
            if not isinstance(value, Library):
                continue
            if value.name in self._reads and tracers.level(call.args[0], frame) in TRACED:
                return OnHost(activation, "reads", node, value.name.removeprefix("builtins."))
            if value.name in self._computes:
                return OnHost(activation, "computes", node, value.name, self._moved(activation, call, value.name))
        return None

    def _moved(self, activation: Activation, call: Call, name: str) -> Change | None:
        """The function of JAX in its place."""
        new = reference(str(self._computes[name]), self.program.modules[activation.module])
        if new is None:
            return None
        message = f"Call {new} in its place"
        paths = ((("arguments", 0),),)
        return Rewrite(Applicability.UNSAFE, message, spot=call.site, code=f"{new}({{0}})", paths=paths)


SizeKind = Literal["result", "mask", "set", "slice", "rounds"]
#: What a place of an array is called, and is not a container: ``x.at[mask].set(0)``.
_BIT = ("BitAnd", "BitOr", "BitXor")


class Sized(NamedTuple):
    """A place where a shape depends on values.

    ``kind`` "result" is a call whose result has as many items as values say, "mask" a use of items that a boolean mask picks,
    "set" a call that changes such items, "slice" a use of items up to a traced place (``own`` names the parameter of the traced
    function that this is), "rounds" a "result" in a loop outside of any trace, where each size is compiled.
    """

    module: str
    kind: SizeKind
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
        if changed is not None and self._by_mask(activation, changed):
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

    def _word(self, call: Call, frame: Context) -> str | None:
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self._sizes:
                return str(self._sizes[value.name])
        return None

    # -- masks -------------------------------------------------------------------------------------------------------

    def _use(self, activation: Activation, parts: Iterable[Term], picked: set[Term]) -> list[tuple[SizeKind, str | None]]:
        """How items are picked in what is used here, for the first time: by a mask, or up to a place that is traced."""
        return [each for part in parts for each in self._picks(activation, part, picked)]

    def _picks(self, activation: Activation, term: Term, picked: set[Term]) -> Iterator[tuple[SizeKind, str | None]]:
        if term in picked:
            return
        if isinstance(term, Subscript):
            picked.add(term)
            array = activation.tracers.level(term.base, activation.frame) in (*TRACED, STATIC)
            if array and not isinstance(term.base, (Dict, SequenceDisplay)):
                if self._by_mask(activation, term):
                    yield "mask", None
                for bound in _bounds(term):
                    own = origin(self.program, bound, activation.frame) if _may_be_static(activation) else None
                    level = activation.tracers.level(bound, activation.frame)
                    if level == ARRAY or (own is not None and level in TRACED):
                        yield "slice", own
                        break
        if not isinstance(term, (Call, Nested, Param, Element, LoopPhi)):
            for part in term.factors if isinstance(term, MatMul) else term.subterms():
                yield from self._picks(activation, part, picked)

    def _by_mask(self, activation: Activation, term: Subscript) -> bool:
        return any(self._is_mask(key, activation.frame, activation.tracers) for key in _keys(term))

    def _is_mask(
        self, term: Term, frame: Context, tracers: Tracers, within: frozenset[tuple[Term, Context]] = frozenset()
    ) -> bool:
        """Whether a term is a traced array of truth values, whichever of its origins it has."""
        if tracers.level(term, frame) != ARRAY or (term, frame) in within:
            return False
        within |= {(term, frame)}
        return all(self._is_truths(made, home, tracers, within) for made, home in origins(self.program, term, frame))

    def _is_truths(self, term: Term, frame: Context, tracers: Tracers, within: frozenset[tuple[Term, Context]]) -> bool:
        if isinstance(term, Compare):
            return True
        if isinstance(term, Invert) or (isinstance(term, BinOp) and term.op in _BIT):
            parts = [part for part in term.subterms() if not isinstance(part, Const)]
            return any(self._is_mask(part, frame, tracers, within) for part in parts)
        if isinstance(term, Call):
            if self.program.may_be_one_of(term.callee, frame, self._masks):
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
    return Rewrite(Applicability.DISPLAY, "Select between the arrays", spot=found.spot, code=code, paths=((("argument", 0),),))


def missing(program: Program) -> Iterator[tuple[Activation, Root, str, str, Spot, str, Spot]]:
    """Each place that needs one: its activation, what traces the function, the parameter, what for, and the place."""
    for found in counted(program):
        if found.own is not None and found.root is not None:
            yield found.activation, found.root, found.own, found.what, found.spot, found.node, found.statement
    for each in sized(program):
        root = each.activation.way_root() if each.activation is not None else None
        if each.own is not None and each.activation is not None and root is not None:
            yield each.activation, root, each.own, "slice", each.spot, each.node, each.statement


def declared(program: Program, activation: Activation, root: Root, name: str) -> Change | None:
    """The argument declared static where the function is traced, if that is in the same file and says nothing of the kind yet."""
    if root.frame.module != activation.module:
        return None
    parameters = program.ask(Activations).parameters
    message = f"Declare `{name}` static"
    said = f'"{name}"'
    option = program.knowledge.tables["tracers.argnames"]["names"][0]
    if root.call is not None:
        if parameters.static(root) or root.name not in program.knowledge.tables["tracers.by_name"]["names"]:
            return None
        return SetKeyword(Applicability.DISPLAY, message, call=root.call.site, keyword=option, value=said)
    sketch = program.modules[root.frame.module]
    partial, tracer = reference(PARTIAL, sketch), reference(root.name, sketch)
    if partial is None or tracer is None or root.name not in program.knowledge.tables["tracers.by_name"]["names"]:
        return None
    return Replace(Applicability.DISPLAY, message, spot=root.spot, code=f"{partial}({tracer}, {option}={said})")


How = Literal["type", "round", "number"]


class Changing(NamedTuple):
    """A static parameter (``name``) that changes; the place is what traces, or, for "round", the call that hands on the round.

    ``how`` "type": its annotation names what is another one each time; "number": a caller hands on a float that its own callers
    may choose, and nothing asks for its value while tracing.
    """

    root: Root
    name: str
    how: How
    module: str
    spot: Spot
    node: str
    statement: Spot
    loop: Spot | None = None
    caller: tuple[str, Spot] | None = None


def changing(program: Program) -> Iterator[Changing]:
    """Each such parameter, once."""
    asked = _Changes(program)
    for known in program.ask(Roots).all().values():
        for root in known:
            place = root.frame.module, root.frame.function
            if root.word in STATIC_FOR and root.call is not None and not tests_software(program, *place):
                yield from asked.of(root)


class _Changes:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.parameters = program.ask(Activations).parameters
        tables = program.knowledge.tables
        self._types = frozenset(tables["tracers.new_each_time"]["names"])
        self._computes = tuple(tables["tracers.computes"]["names"])

    def of(self, root: Root) -> Iterator[Changing]:
        """The parameters of one traced function that change."""
        for name in self.parameters.static(root) or ():
            if self._is_new_each_time(root, name):
                yield Changing(root, name, "type", root.frame.module, root.spot, "expr", root.spot)
                continue
            for site in self.parameters.calls(root):
                given = self.parameters.given(root, site.call.term, name)
                loop = self._round(site, given) if given is not None else None
                if loop is not None:
                    call, begins = site.call, (root.frame.module, root.spot)
                    if not tests_software(self.program, site.module, site.function):
                        yield Changing(root, name, "round", site.module, call.term.site, "Call", call.statement, loop, begins)
                    continue
                if given is not None and self._is_chosen(site, given) and not self._is_asked(root, name):
                    caller = (site.module, site.call.term.site)
                    yield Changing(root, name, "number", root.frame.module, root.spot, "expr", root.spot, caller=caller)
                    break

    def _is_new_each_time(self, root: Root, name: str) -> bool:
        annotation = root.target.function.annotations.get(name)
        frame = self.program.frame(root.target.module, root.target.function)
        for part in parts_of(annotation) if annotation is not None else ():
            if isinstance(part, (Ref, Attr, Global)):
                values = self.program.values(part, frame)
                if any(isinstance(value, Library) and value.name in self._types for value in values):
                    return True
        return False

    def _round(self, site: CallSite, given: Term) -> Spot | None:
        """The loop around a call whose round is what the call is given: the number that it counts, or the time."""
        loop = counted_by(self.program, given, self.program.frame(site.module, site.function))
        around = (each.spot for each in loops_around(site.function, site.call) if each is loop and has_rounds(each))
        return next(around, None)

    def _is_chosen(self, site: CallSite, given: Term) -> bool:
        """Whether a call hands on a parameter of its own function that is a float by default: a knob, no size of the world."""
        function = site.function
        if not isinstance(given, Param) or given.function != function.qualname:
            return False
        default = function.defaults.get(given.name)
        return default is not None and isinstance(default, Const) and default.type == "float"

    def _is_asked(self, root: Root, name: str) -> bool:
        """Whether a test in the trace asks for a parameter, which has to be static then, or whoever gets it may do so."""
        for activation in self.program.ask(Activations).all():
            if activation.way_root() != root:
                continue
            function = activation.function
            if any(self._mentions(node.condition, activation, name) for node in tests_of(function)):
                return True
            for node in of_kind(function, CallStep):
                if not self._is_followed(node.term, activation, name):
                    return True
        return False

    def _mentions(self, term: Term, activation: Activation, name: str) -> bool:
        return any(isinstance(part, Param) and origin(self.program, part, activation.frame) == name for part in parts_of(term))

    def _is_followed(self, call: Call, activation: Activation, name: str) -> bool:
        """Whether a call is not handed the parameter, or only computes with it, or hands it to a function in sight as it is."""
        tracers, frame = activation.tracers, activation.frame
        given = [part for part in tracers.given(call) if not tracers.is_traced(part, frame)]
        given = [part for part in given if self._mentions(part, activation, name)]
        values = self.program.values(call.callee, frame)
        if not given or all(isinstance(value, Library) and value.name.startswith(self._computes) for value in values):
            return True
        entered = list(tracers.entered(call, frame))
        return bool(entered) and all(isinstance(part, (Param, Call)) for part in given)
