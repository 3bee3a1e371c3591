"""Tracers: which values are traced in a calling context of a function that JAX traces, and which are static.

Objects that are handed through a trace: which classes JAX takes apart, what is in them, and what a call of a model
runs.

What the tables ``tracers`` say: made once for a program, since it may have hundreds of traces and each asks all of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal

from trainlint.domains.jax.binding_times import ARRAY, STATIC, TRACED, TREE, Level, Parameters
from trainlint.domains.traced.functions import Roots
from trainlint.ir.bindings import carried_by
from trainlint.ir.nodes import (
    Access,
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Display,
    Element,
    Entered,
    Invert,
    ItemDisplay,
    Kwargs,
    List,
    LoopPhi,
    MatMul,
    Nested,
    NestedClass,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.order import is_step
from trainlint.ir.terms import is_none
from trainlint.program.callables import bound
from trainlint.program.consteval import constant
from trainlint.program.heap import item_of
from trainlint.program.origins import elsewhere, origins, put_in
from trainlint.program.program import Program
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


class Fields:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._pytrees = frozenset(tables["tracers.pytrees"]["names"])
        self._kept: list[str] = tables["tracers.kept"]["names"]
        self._models = frozenset(tables["traced.bases"]["names"])

    def of(self, term: Attr, frame: Context) -> Literal["tree", "static"] | None:
        """What an attribute is of an object that is traced, where its class says so; None where it does not."""
        values = self.program.values(term.base, frame)
        if not any(isinstance(value, (Instance, LibraryObject)) for value in values):
            values = self._annotated(term.base, frame)
        found = {self._field(value, term.name) for value in values}
        return found.pop() if len(found) == 1 else None

    def _annotated(self, term: Term, frame: Context) -> tuple[Value, ...]:
        """An object of the class that a parameter's annotation names."""
        if not isinstance(term, Param):
            return ()
        holder = frame.holder(term.function)
        annotation = holder.function.annotations.get(term.name) if holder is not None else None
        if holder is None or annotation is None:
            return ()
        named = self.program.values(annotation, self.program.frame(holder.module, holder.function))
        return tuple(Instance(value.module, value.cls) for value in named if isinstance(value, ClassValue))

    def _field(self, value: Value, name: str) -> Literal["tree", "static"] | None:
        if not isinstance(value, Instance):
            return None
        lineage = list(self.program.lineage(ClassValue(value.module, value.cls)))
        if not any(self._is_pytree(each) for each in lineage):
            return None
        for each in lineage:
            if isinstance(each, ClassValue) and name in each.cls.fields:
                default = each.cls.attributes.get(name)
                options = default.kwargs if default is not None and isinstance(default, Call) else ()
                kept = any(option in self._kept and isinstance(said, Const) and said.value is False for option, said in options)
                return "static" if kept else "tree"
        return None

    def _is_pytree(self, each: ClassValue | Library) -> bool:
        if isinstance(each, Library):
            return each.name in self._pytrees
        functions = self.program.modules[each.module].functions
        frame = self.program.frame(each.module, functions["<module>"])
        values = [value for decorator in each.cls.decorators for value in self.program.values(decorator, frame)]
        return any(isinstance(value, (Library, LibraryObject)) and value.name in self._pytrees for value in values)

    def is_model(self, value: ClassValue | Instance) -> bool:
        """Whether a class makes models, whose methods run in traces."""
        above = self.program.lineage(ClassValue(value.module, value.cls))
        return any(isinstance(each, Library) and each.name in self._models for each in above)

    def called(self, value: Value) -> list[FunctionValue]:
        """What a call of an object runs."""
        if not isinstance(value, Instance):
            return []
        method = self.program.method(ClassValue(value.module, value.cls), "__call__")
        return [FunctionValue(method[0], method[1], value)] if method is not None else []


class Words:
    """The names of the tables, and the questions about objects."""

    def __init__(self, program: Program, fields: Fields) -> None:
        tables = program.knowledge.tables
        self.fields = fields
        self.static_attributes: frozenset[str] = frozenset(tables["tracers.static_attributes"]["names"])
        self.same_attributes: frozenset[str] = frozenset(tables["tracers.attributes"]["names"])
        self.leaves: frozenset[str] = frozenset(tables["tracers.leaves"]["names"])
        self.methods: frozenset[str] = frozenset(tables["tracers.methods"]["names"])
        self.containers: frozenset[str] = frozenset(tables["tracers.containers"]["names"])
        self.static: frozenset[str] = frozenset(tables["tracers.static"]["names"])
        self.trees: frozenset[str] = frozenset(tables["tracers.trees"]["names"])
        self.arrays: frozenset[str] = frozenset(tables["tracers.arrays"]["names"])
        self.fresh: frozenset[str] = frozenset(tables["tracers.fresh"]["names"])
        self.computes: tuple[str, ...] = tuple(tables["tracers.computes"]["names"])
        self.layers: tuple[str, ...] = tuple(tables["tracers.layers"]["names"])
        self.applies: frozenset[str] = frozenset(tables["tracers.applies"]["names"])
        self.maps: frozenset[str] = frozenset(tables["tracers.maps"]["names"])


#: What may be written elsewhere: what a call gives, an item of what was handed over, a name that several functions bind.
_ELSEWHERE = (Call, Subscript, LoopPhi)
_IDENTITY = ("Is", "IsNot", "In", "NotIn")
_ORDER = ("Lt", "LtE", "Gt", "GtE")
#: What is done with numbers and arrays only: no list, text or set has these.
_OF_NUMBERS = ("Sub", "Div", "FloorDiv", "Pow", "inv")
_NUMBERS, _FLOATS, _TEXTS = ("int", "float", "bool"), ("float",), ("str", "NoneType")
#: Terms of which the resolver may know what they hold, where nothing is known of them as they stand.
_FOLLOWED = (Access, Call, Element, Entered)


class Tracers:
    """Answers for one trace; ``staged``: it compiles (under ``vmap`` alone only what comes from the examples is traced)."""

    def __init__(self, program: Program, parameters: Parameters, words: Words, *, staged: bool) -> None:
        self.program = program
        self._parameters = parameters
        self.staged = staged
        self._words = words
        self._fields = words.fields
        #: The activations that begin in the trace, with what they call: what is computed around is there before.
        self._begun: set[Context] = set()
        self._said: dict[tuple[Context, str], Level | None] = {}
        #: By activation: an object for each pair of term and activation would be most of what an analysis of JAX holds.
        self._known: dict[Context, dict[Term, Level | None]] = {}
        self._leaves_of: dict[tuple[str, Term, Context], Context] = {}

    def say(self, frame: Context, levels: Iterable[tuple[str, Level | None]]) -> None:
        """What the parameters of an activation in the trace are, where no call says it."""
        self._begun.add(frame)
        for name, level in levels:
            self._said[frame, name] = level

    def is_traced(self, term: Term, frame: Context) -> bool:
        """Whether a term is, or holds, traced values."""
        return self.level(term, frame) in TRACED

    def level(self, term: Term, frame: Context) -> Level | None:
        """What a term is in an activation."""
        if isinstance(term, Const):
            return STATIC
        known = self._known.get(frame)
        if known is None:
            known = self._known[frame] = {}
        if term not in known:
            known[term] = None  # ends recursion
            found = self._level(term, frame)
            if found is None and isinstance(term, _FOLLOWED):
                made = origins(self.program, term, frame)
                found = self._all(made) if Argument(term, frame) not in made else None
            if found is None and isinstance(term, _ELSEWHERE):
                found = self._all(elsewhere(self.program, term, frame))
            known[term] = found
        return known[term]

    def _level(self, term: Term, frame: Context) -> Level | None:
        carried = put_in(self.program, term, frame)
        if carried:
            return self._all(carried)
        match term:
            case Param():
                return self._parameter(term, frame)
            case Attr():
                return self._attribute(term, frame)
            case Subscript():
                return self._item(term, frame)
            case Call():
                return self._result(term, frame)
            case Compare():
                return self._compared(term, frame)
            case BinOp() | Invert():
                return self._computed(term, frame)
            case Not():
                return STATIC  # or an error
            case Select():
                return self._one_of((term.then, term.other), frame)
            case And() | Or():
                return self._one_of(term.operands, frame)
            case Tuple() | List() | Set() | Dict() | Kwargs():
                return self._display(term, frame)
            case Element():
                level = self.level(term.of, frame)
                return level if level != TREE else None  # of a dict the keys
            case LoopPhi():
                return self._carried(term, frame)
            case Unknown():
                return self._unknown(term, frame)
            case Ref() | Nested() | NestedClass() | Self():
                return STATIC if not isinstance(term, Self) else None
        return None

    def _parameter(self, term: Param, frame: Context) -> Level | None:
        holder = frame.holder(term.function)
        if holder is None:
            return None
        if (holder, term.name) in self._said:
            return self._said[holder, term.name]
        if holder.call is not None and term.name in self._parameters.always_static(holder.function):
            return STATIC
        bound = holder.arguments.get(term.name)
        if isinstance(bound, Argument):
            return self.level(bound.term, bound.frame)
        if bound is None and holder.depth and term.name in holder.function.defaults:
            return STATIC
        return None

    def _attribute(self, term: Attr, frame: Context) -> Level | None:
        base = self.level(term.base, frame)
        if base not in TRACED:
            return base
        if term.name in self._words.static_attributes:
            return STATIC
        if term.name in self._words.same_attributes:
            return ARRAY
        if base == TREE:
            field = self._fields.of(term, frame)
            if field is not None:
                return field
            if term.name in self._words.leaves:
                return TREE
        return None

    def _item(self, term: Subscript, frame: Context) -> Level | None:
        container, key = term.base, term.key
        item = item_of(container, key)
        if item is not None:
            return self.level(item, frame)
        if isinstance(container, Element):
            return self._drawn(container.of, key, frame)
        if isinstance(container, Call):
            returned = list(self.returned(container, frame, key))
            if returned:
                return self._all(returned)
        base = self.level(container, frame)
        if base == STATIC and self.level(key, frame) in TRACED:
            return None  # an error, or an array of the host
        return base

    def _drawn(self, subject: Term, key: Term, frame: Context) -> Level | None:
        """A part of what a loop hands out: of ``enumerate``, ``zip``, ``items``."""
        if isinstance(subject, Call) and isinstance(key, Const):
            name = self._name(subject.callee, frame)
            if name == "builtins.enumerate" and subject.args:
                inner = Element.new(subject.args[0], 0, 0)
                return STATIC if key.value == 0 else self.level(inner, frame)
            if name == "builtins.zip" and type(key.value) is int and 0 <= key.value < len(subject.args):
                return self.level(Element.new(subject.args[key.value], 0, 0), frame)
            if isinstance(subject.callee, Attr) and self.program.knowledge.views.get(subject.callee.name) == "pair":
                return STATIC if key.value == 0 else self.level(subject.callee.base, frame)
        level = self.level(subject, frame)
        return level if level == ARRAY else None

    def _compared(self, term: Compare, frame: Context) -> Level | None:
        if term.op in _IDENTITY:
            return STATIC
        levels = [self.level(part, frame) for part in term.sides]
        if ARRAY in levels:
            other = term.right if levels[0] == ARRAY else term.left
            return None if self._is(other, frame, _TEXTS) else ARRAY
        if TREE in levels:
            other = term.right if levels[0] == TREE else term.left
            numbers = self._is(other, frame, _NUMBERS)
            displays = any(isinstance(part, ItemDisplay) for part in term.sides)  # of these there is an order, too
            return ARRAY if numbers or (term.op in _ORDER and not displays and not self._is(other, frame, _TEXTS)) else None
        return STATIC if levels == [STATIC, STATIC] else None

    def _is(self, term: Term, frame: Context, types: tuple[str, ...]) -> bool:
        """Whether a term is a constant of one of these types, wherever it is written down."""
        found = constant(self.program, term, frame)
        return found is not None and found.type in types

    def _computed(self, term: BinOp | Invert, frame: Context) -> Level | None:
        parts = list(term.subterms())
        levels = list[Level | None]()
        for part in parts:
            levels.append(self.level(part, frame))
            if levels[-1] == ARRAY:
                return ARRAY
        if TREE in levels:
            others = [part for part, level in zip(parts, levels, strict=True) if level != TREE]
            floats = any(self._is(other, frame, _FLOATS) for other in others)
            return ARRAY if (isinstance(term, Invert) or term.op in _OF_NUMBERS) or floats else TREE
        return STATIC if all(level == STATIC for level in levels) else None

    def _one_of(self, parts: Iterable[Term], frame: Context) -> Level | None:
        return self._all([(part, frame) for part in parts])

    def _all(self, parts: Iterable[tuple[Term, Context]]) -> Level | None:
        """What all of these are (but for None, which stands for nothing)."""
        levels = set[Level]()
        for part, at in parts:
            level = None if is_none(part) else self.level(part, at)
            if level is not None:
                levels.add(level)
            elif not is_none(part):
                return None
        if len(levels) <= 1:
            return next(iter(levels), None)
        return TREE if STATIC not in levels else None

    def _display(self, term: Display | Kwargs, frame: Context) -> Level | None:
        if isinstance(term, Kwargs):
            gathered = [each for each in self.program.values(term, frame) if isinstance(each, Unresolved)]
            return next((self._display(each.term, each.frame) for each in gathered if isinstance(each.term, Dict)), None)
        levels = [self.level(item, frame) for item in term.values if item is not None]
        if any(level in TRACED for level in levels):
            return TREE
        return STATIC if all(level == STATIC for level in levels) else None

    def _carried(self, term: LoopPhi, frame: Context) -> Level | None:
        """A name that a loop binds: what it is before the first round, and behind each."""
        holder: Context | None = frame
        while holder is not None:
            held = carried_by(holder.function, term)
            if held is not None:
                before = self.level(held.entry, holder)
                self._known.setdefault(frame, {})[term] = before  # what it is in the first round
                levels = [before, self.level(held.back, holder)]
                if term.at == "exit" and levels[1] in TRACED:
                    return levels[1]
                return levels[0] if levels[0] == levels[1] else TREE if all(each in TRACED for each in levels) else None
            holder = holder.closure
        return None

    def _unknown(self, term: Term, frame: Context) -> Level | None:
        if isinstance(term, MatMul):
            return ARRAY if any(self.is_traced(factor, frame) for factor in term.factors) else None
        if isinstance(term, Comprehension):
            return TREE if self.level(term.item, frame) in TRACED else None
        return None

    # -- calls -------------------------------------------------------------------------------------------------------

    def _name(self, callee: Term, frame: Context) -> str | None:
        values = self.program.values(callee, frame)
        return values[0].name if len(values) == 1 and isinstance(values[0], (Library, LibraryObject)) else None

    def given(self, call: Call) -> list[Term]:
        """The arguments of a call."""
        return [*call.args, *(value for _, value in call.kwargs)]

    def _result(self, call: Call, frame: Context) -> Level | None:
        callee = call.callee
        returned = list(self.returned(call, frame, None))
        if returned:
            return self._all(returned)
        base = self.level(callee.base, frame) if isinstance(callee, Attr) else None
        if isinstance(callee, Attr) and base in TRACED:
            return self._of_method(callee, base)
        levels = [self.level(part, frame) for part in self.given(call)]
        traced = any(level in TRACED for level in levels)
        staged = self.staged and self._is_inside(call, frame)
        if isinstance(callee, Attr) and callee.name in self._words.applies and (traced or staged):
            return TREE
        if traced and isinstance(callee, Param) and self.level(callee, frame) in TRACED:
            return TREE  # a model, which the trace was handed with its parameters in it
        values = self.program.values(callee, frame)
        if any(isinstance(value, Library) and value.name in self._words.maps for value in values):
            return self._of_leaves(call, frame)
        found = {self._made_by(value, levels, traced=traced, staged=staged) for value in values}
        return found.pop() if len(found) == 1 else None

    def _is_inside(self, call: Call, frame: Context) -> bool:
        """Whether a call is made in the trace, and not in a function around it."""
        holder: Context | None = frame
        while holder is not None:
            if is_step(holder.function, call):
                return any(each in self._begun for each in holder.active())
            holder = holder.closure
        return False

    def _of_leaves(self, call: Call, frame: Context) -> Level | None:
        """What ``tree.map(f, tree)`` makes: what ``f`` makes of the leaves."""
        returned = [(term, inner) for target, inner in self.mapped(call, frame) for term in self.program.returns(target.function)]
        if returned:
            return TREE if self._all(returned) in TRACED else None
        named = self.program.values(call.args[0], frame) if call.args else ()
        computes = any(isinstance(value, Library) and value.name.startswith(self._words.computes) for value in named)
        return TREE if computes and any(self.is_traced(each, frame) for each in call.args[1:]) else None

    def mapped(self, call: Call, frame: Context) -> Iterator[tuple[FunctionValue, Context]]:
        """The functions of the project that ``tree.map(f, tree, …)`` runs, each with the leaves that it is given."""
        values = self.program.values(call.callee, frame)
        maps = any(isinstance(value, Library) and value.name in self._words.maps for value in values)
        if not maps or call.kwargs or len(call.args) == 1:
            return
        made = [bound(self.program, value) for value in self.program.values(call.args[0], frame)] if call.args else ()
        for value, given in chain.from_iterable(made):
            if not isinstance(value, FunctionValue) or not frame.follows(value.function):
                continue
            key = (value.function.qualname, call, frame)
            inner = self._leaves_of.get(key)
            if inner is None:
                alone = self.program.frame(value.module, value.function)
                closure, receiver = value.closure or alone.closure, value.receiver or alone.receiver
                depth = frame.depth + 1
                inner = Context(value.module, value.function, receiver=receiver, closure=closure, depth=depth, caller=frame)
                self._leaves_of[key] = inner
                inner.arguments.update(self._parameters.filled(value._replace(given=given)))
                names = value.function.parameters[1:] if value.function.kind == "method" else value.function.parameters
                leaves = zip((name for name in names if name not in inner.arguments), call.args[1:], strict=False)
                self.say(inner, ((name, ARRAY if self.is_traced(each, frame) else None) for name, each in leaves))
            yield value, inner

    def _of_method(self, callee: Attr, base: Level | None) -> Level | None:
        set_there = (
            isinstance(callee.base, Subscript)
            and isinstance(callee.base.base, Attr)
            and callee.base.base.name in self._words.same_attributes
        )
        if callee.name in self._words.methods or (base == ARRAY and set_there):  # ``x.at[index].set(value)``
            return ARRAY
        return TREE if base == TREE and callee.name in self._words.containers else None

    def _made_by(self, value: Value, levels: list[Level | None], *, traced: bool, staged: bool) -> Level | None:
        """What a function of a library makes of what it is given."""
        unsettled = staged and any(level != STATIC for level in levels)
        if isinstance(value, LibraryObject):
            computes = value.name.startswith(self._words.layers) or self.program.ask(Roots).is_same(value)
            return TREE if computes and (traced or unsettled) else None
        if not isinstance(value, Library):
            return None
        if value.name in self._words.static:
            return STATIC
        if value.name in self._words.fresh:
            return ARRAY
        computes = value.name.startswith(self._words.computes)
        traced = traced or (computes and unsettled)
        if value.name in self._words.trees:
            return TREE if traced else None
        if value.name in self._words.arrays:
            return ARRAY if any(level == ARRAY for level in levels) else None
        return ARRAY if computes and traced else None

    def returned(self, call: Call, frame: Context, key: Term | None) -> Iterator[tuple[Term, Context]]:
        """What the functions of the project that a call runs return (of a tuple, the item under ``key``)."""
        for target, inner in self.entered(call, frame, for_result=True):
            for term in self.program.returns(target.function):
                if key is None:
                    yield term, inner
                else:
                    item = item_of(term, key)
                    yield (item, inner) if item is not None else (Subscript.new(term, key), inner)

    def entered(self, call: Call, frame: Context, *, for_result: bool = False) -> Iterator[tuple[FunctionValue, Context]]:
        """The functions of the project that a call runs with its arguments, each in that activation.

        ``for_result``: only those whose result it has, too, which that of ``grad(f)`` is not.
        """
        asked = self.program.ask(Roots)
        for value in self.program.values(call.callee, frame):
            targets: Iterable[FunctionValue] = ()
            if isinstance(value, FunctionValue):
                targets = (value,)
            elif isinstance(value, LibraryObject) and asked.is_same(value) and not (for_result and asked.word(value) == "grad"):
                targets = asked.inner(value)
            else:
                targets = self._fields.called(value)
            for target in targets:
                if frame.follows(target.function) and not target.function.generator:
                    inner = self.program.enter(target, call, frame)
                    if inner.lacks():
                        continue  # another one of what this may be
                    yield target, inner
