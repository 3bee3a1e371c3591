"""Models that ranks train together, and the calls on them that communicate, though they name no collective.

A model is data-parallel, sharded, an engine, or prepared (table ``parallel``). Its forward and backward passes, and
the steps of its optimizer, meet the other ranks.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from trainlint.domains.autograd.escape import collected
from trainlint.domains.grad_mode import ON, GradMode
from trainlint.domains.nn.modules import Buffers, is_no_module, model_of
from trainlint.ir.nodes import (
    Access,
    Attr,
    BoolOp,
    Call,
    Const,
    Element,
    Global,
    LoopPhi,
    Nested,
    NestedClass,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import Function, Store
from trainlint.ir.terms import closure, is_none, parts_through
from trainlint.program.call_graph import CallGraph, chained, last_name
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.enclosing import surroundings
from trainlint.program.guards import TypeGuards
from trainlint.program.heap import item_of
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.sources import reached, returned
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

#: What :meth:`Wrapped.kinds` may answer.
KINDS = frozenset(("ddp", "fsdp", "fsdp2", "engine", "prepared"))
SHARDED = frozenset(("fsdp", "fsdp2"))
_PREPARED = "prepared"
_NONE: frozenset[str] = frozenset()
#: What an argument of ``prepare`` is when it is no model (table ``kinds``).
_NO_MODEL = ("loader", "sampler", "distributed-sampler", "batch-sampler", "scaler")
#: A test that must hold (or not), in the activation in which it stands.
Condition = tuple[Term, Context, bool]


class Wrapped:
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index: CallGraph = program.ask(CallGraph)
        self._in_place: dict[Term, list[tuple[Context | None, str]]] | None = None
        #: The parts of the program (:meth:`Program.component`) in which there can be such a model at all.
        self.parts = self._with_makers()
        self.active = bool(self.parts)

    def _with_makers(self) -> frozenset[str]:
        """The parts of the program in which a file names what makes such a model."""
        found: set[str] = set()
        for path, term, frame in self._named():
            part = self.program.component(path)
            if part not in found and self._makes(term, frame):
                found.add(part)
        return frozenset(found)

    def _named(self) -> Iterator[tuple[str, Term, Context]]:
        """What may name a maker of such models, by its last word, with its file: what is imported or called, and bases."""
        words = sorted({name.rpartition(".")[2] for name in self.knowledge.parallel})
        for path, module in self.program.modules.items():
            frame = self.program.frame(path, module.functions["<module>"])
            named = (module.names[word] for word in words if word in module.names)
            bases = (base for cls in module.classes.values() for base in cls.bases if last_name(base) in words)
            yield from ((path, term, frame) for term in (*named, *bases))
        for word in words:
            for site in self.index.sites.get(word, ()):
                yield site.module, site.call.term.callee, self.program.frame(site.module, site.function)

    def _makes(self, term: Term, frame: Context) -> bool:
        return self.program.may_be_one_of(term, frame, self.knowledge.parallel)

    def _word(self, target: Value, call: Call, frame: Context) -> str | None:
        """What a call of a library makes of a model, by the table ``parallel``; nothing where not all ranks have it."""
        word = self.knowledge.parallel.get(target.name) if isinstance(target, Library) else None
        return None if word is None or is_of_some(self.program, call, frame) else str(word)

    @remembered(_NONE)
    def kinds(self, term: Term, frame: Context) -> frozenset[str]:
        """What a term may be of :data:`KINDS`; empty for plain models, unwrapped ones and whatever is not known."""
        if not self.active:
            return _NONE
        if isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Argument):
                return self.kinds(bound.term, bound.frame)
        elif isinstance(term, Select):
            if self._unwraps(term.then) or self._unwraps(term.other):
                return _NONE  # `model.module if wrapped else model`: whoever asks so means the plain one
            return self.kinds(term.then, frame) | self.kinds(term.other, frame)
        elif isinstance(term, BoolOp):
            return _NONE.union(*(self.kinds(part, frame) for part in term.operands))
        elif isinstance(term, Subscript):
            return self._of_item(term, frame)
        elif isinstance(term, Attr):
            return self._of_attribute(term, frame)
        elif isinstance(term, Call):
            return self._of_call(term, frame)
        return _NONE.union(*(self._of_value(value) for value in self.program.values(term, frame)))

    def _unwraps(self, term: Term) -> bool:
        """Whether a term is the plain model in a wrapper, or is so in one case."""
        if isinstance(term, Select):
            return self._unwraps(term.then) or self._unwraps(term.other)
        return bool(isinstance(term, Attr) and term.name in self.knowledge.unwraps)

    def _of_item(self, term: Subscript, frame: Context) -> frozenset[str]:
        base, key = term.base, term.key
        part = item_of(base, key)
        if part is not None:
            return self.kinds(part, frame)
        found = _NONE
        if isinstance(base, Call):
            for target in self.index.targets(base, frame):
                if isinstance(target, FunctionValue):
                    for result, inner in self._returned(target, base, frame):
                        part = item_of(result, key)
                        if part is not None:
                            found |= self.kinds(part, inner)
                        elif isinstance(result, Call):
                            found |= self._nested_item(result, key, inner)
                elif self._word(target, base, frame) == _PREPARED:
                    return self._prepared(base, key, frame)
        return found or found.union(*(self._of_value(value) for value in self.program.values(term, frame)))

    def _nested_item(self, call: Call, key: Term, frame: Context) -> frozenset[str]:
        """``return accelerator.prepare(model, optimizer)``: its items are the caller's."""
        for target in self.index.targets(call, frame):
            if self._word(target, call, frame) == _PREPARED:
                return self._prepared(call, key, frame)
            if isinstance(target, FunctionValue):
                parts = ((item_of(result, key), inner) for result, inner in self._returned(target, call, frame))
                return _NONE.union(*(self.kinds(part, inner) for part, inner in parts if part is not None))
        return _NONE

    def _prepared(self, call: Call, key: Term, frame: Context) -> frozenset[str]:
        """An item of what ``prepare`` returns is what was passed in its position."""
        if not isinstance(key, Const) or type(key.value) is not int or not -len(call.args) <= key.value < len(call.args):
            return _NONE
        return self._prepared_of(call.args[key.value], frame)

    def _prepared_of(self, argument: Term, frame: Context) -> frozenset[str]:
        """What a prepared thing is: a model unless it is known to be something else."""
        for value in self.program.values(argument, frame):
            name = value.name if isinstance(value, LibraryObject) else ""
            if self.knowledge.kinds.get(name) in _NO_MODEL or self.knowledge.optimizer_kind(name) is not None:
                return _NONE
        return frozenset((_PREPARED,))

    def _of_attribute(self, term: Attr, frame: Context) -> frozenset[str]:
        if self._unwraps(term):
            return self.kinds(term.base, frame) & SHARDED  # its parts are sharded as well
        found = _NONE
        for base in self.program.values(term.base, frame):
            if not isinstance(base, Instance):
                found = found.union(*(self._of_value(value) for value in self.program.values(term, frame)))
                continue
            cls = ClassValue(base.module, base.cls)
            for module, function, value in self.program.stores(cls, term.name):
                found |= self.kinds(value, self.program.instance_frame(base, module, function))
            method = self.program.method(cls, term.name)
            if method is not None and method[1].kind == "property":
                inner = self.program.instance_frame(base, *method)
                found = found.union(*(self.kinds(value, inner) for value in self.program.returns(method[1], inner)))
        return found

    def _of_call(self, term: Call, frame: Context) -> frozenset[str]:
        callee = term.callee
        if isinstance(callee, Attr) and callee.name in self.knowledge.fluent:
            receiver = self.kinds(callee.base, frame)
            if receiver:
                return receiver
        found = self._placed(term, frame)
        for target in self.index.targets(term, frame):
            if isinstance(target, FunctionValue) and target.function.name != "__init__":
                results = list(self._returned(target, term, frame))
                if any(self._unwraps(result) for result, _ in results):
                    return _NONE
                found = found.union(*(self.kinds(result, inner) for result, inner in results))
            elif isinstance(target, Library):
                word = self._word(target, term, frame)
                if word == _PREPARED:
                    found |= self._prepared_of(term.args[0], frame) if len(term.args) == 1 else _NONE
                elif word in KINDS:
                    found |= {word}
                elif self.knowledge.kinds.get(target.name) == "wrapper" and term.args:
                    found |= self.kinds(term.args[0], frame)
        if not found:
            found = found.union(
                *(self._of_value(v) for v in self.program.values(term, frame) if isinstance(v, (Instance, LibraryObject)))
            )
        return found

    def _of_value(self, value: Value) -> frozenset[str]:
        """What an object is by its class."""
        if isinstance(value, LibraryObject):
            word = self.knowledge.parallel.get(value.name)
            found = frozenset((str(word),)) if word in KINDS and word != _PREPARED else _NONE
            return found | (self._placed(value.call, value.frame) if value.call is not None else _NONE)
        if isinstance(value, Instance):
            above = (c for c in self.program.lineage(ClassValue(value.module, value.cls)) if isinstance(c, Library))
            words = {self.knowledge.parallel.get(cls.name) for cls in above}
            return frozenset(KINDS & words) | (self._placed(value.call, value.frame) if value.call is not None else _NONE)
        return self._placed(value.term, value.frame) if isinstance(value, Unresolved) else _NONE

    def _returned(self, target: FunctionValue, call: Call, frame: Context) -> list[Argument]:
        return [each for each in returned(self.program, [target], call, frame) if each is not None]

    # -- under which conditions ------------------------------------------------------------------------------------

    @remembered(None)
    def sharded_when(self, term: Term, frame: Context) -> tuple[Condition, ...] | None:
        """The conditions under which a term that may be sharded is; None when it may not be, or they are not known."""
        if not self.kinds(term, frame) & SHARDED:
            return None
        if isinstance(term, Param):
            bound = frame.given(term)
            return self.sharded_when(bound.term, bound.frame) if isinstance(bound, Argument) else ()
        if isinstance(term, Select):
            arms = [bool(self.kinds(arm, frame) & SHARDED) for arm in term.arms]
            if all(arms):
                return ()
            inner = self.sharded_when(term.then if arms[0] else term.other, frame)
            return None if inner is None else ((term.test, frame, arms[0]), *inner)
        if isinstance(term, Attr) and not self._unwraps(term):
            return self._conditions_of_attribute(term, frame)
        if isinstance(term, Attr):
            return self.sharded_when(term.base, frame)
        if (itself := chained(self.program, term)) is not None:
            return self.sharded_when(itself, frame)
        if isinstance(term, Call):
            results = [
                result
                for target in self.index.targets(term, frame)
                if isinstance(target, FunctionValue) and target.function.name != "__init__"
                for result in self._returned(target, term, frame)
            ]
            found = {self.sharded_when(result, inner) for result, inner in results}
            return None if len(found) > 1 else found.pop() if found else ()
        return None if self._is_mixed(term, frame) else ()

    def _is_mixed(self, term: Term, frame: Context) -> bool:
        """Whether a value may also be another one, which is not sharded."""
        values = [each for each in self.program.values(term, frame) if isinstance(each, (Instance, LibraryObject))]
        return len(values) > 1 and not all(self._of_value(value) & SHARDED for value in values)

    def _conditions_of_attribute(self, term: Attr, frame: Context) -> tuple[Condition, ...] | None:
        """An attribute is sharded for sure when the store that shards it is no branch of an ``if``."""
        for base in self.program.values(term.base, frame):
            if isinstance(base, Instance):
                cls = ClassValue(base.module, base.cls)
                for module, function, value in self.program.stores(cls, term.name):
                    inner = self.program.instance_frame(base, module, function)
                    sure = self.sharded_when(value, inner) == () and _unconditional(function, value)
                    if sure:
                        return ()
                return None
        return ()

    def _placed(self, made: Term, frame: Context | None) -> frozenset[str]:
        """What was done in place with the object that this call made (``fully_shard(model)``).

        A call in a function that makes objects for several callers makes another one for each of them.
        """
        if self._in_place is None:
            self._in_place = {}
            self._find_in_place()
        places = self._in_place.get(made, ())
        return frozenset(word for where, word in places if where is None or frame is None or _may_be_one(where, frame))

    def _find_in_place(self) -> None:
        assert self._in_place is not None
        for name in self.knowledge.parallel_in_place:
            for site in self.index.sites_named(name.rpartition(".")[2]):
                term = site.call.term
                frame = self.program.frame(site.module, site.function)
                if not term.args or not any(isinstance(t, Library) and t.name == name for t in self.index.targets(term, frame)):
                    continue
                word = self.knowledge.parallel[name]
                for activation in contexts_at(self.program, site):
                    for value in self.program.values(term.args[0], activation):
                        if isinstance(value, Instance) and is_no_module(self.program, value):
                            continue
                        made = value.call if isinstance(value, (Instance, LibraryObject)) else getattr(value, "term", None)
                        if made is not None and not isinstance(made, Const):  # `model=None` is no model
                            self._in_place.setdefault(made, []).append((getattr(value, "frame", None), word))


def is_of_some(program: Program, call: Call, frame: Context) -> bool:
    """Whether the object whose method is called was made for one process alone (``Fabric(devices=1)``), or for a group."""
    base = call.callee.base if isinstance(call.callee, Attr) else None
    if base is None or isinstance(base, Ref):
        return False
    counting, machines = (program.knowledge.tables[name]["names"] for name in ("ranks.per_machine", "ranks.machines"))
    return any(
        isinstance(value, LibraryObject)
        and value.call is not None
        and (_is_for_one(dict(value.call.kwargs), counting, machines) or is_of_group(program, value))
        for value in program.values(base, frame)
    )


def is_of_group(program: Program, made: Value) -> bool:
    """Whether an object, or what it was given, was told of a group of ranks: ``DDP(model, process_group=group)``."""
    if not isinstance(made, LibraryObject) or made.call is None or made.frame is None:
        return False
    for name, term in made.call.kwargs:
        if name in program.knowledge.parallel_groups and not is_none(term):
            return True
        if isinstance(term, Call) and any(is_of_group(program, each) for each in program.values(term, made.frame)):
            return True
    return False


def _is_for_one(given: Mapping[str | None, Term], counting: Container[str], machines: Container[str]) -> bool:
    """Whether a constructor is told of one process on a machine, and of no other machine."""
    told = [value for name, value in given.items() if name in counting]
    none_more = not any(name in machines for name in given)
    return bool(told) and none_more and all(isinstance(each, Const) and each.value in (1, "1") for each in told)


def _may_be_one(frame: Context, other: Context) -> bool:
    """Whether two activations may be the same one: a function on its own may be any of its activations."""
    while frame is not other and frame.caller is not None and other.caller is not None:
        if frame.call is not other.call:
            return False
        frame, other = frame.caller, other.caller
    return True


def _unconditional(function: Function, value: Term) -> bool:
    """Whether a method stores a value in an attribute by a statement of its own body, not of a branch."""
    return any(isinstance(node, Store) and node.value is value for node in function.body)


_BACKWARD = "backward"
#: Steps from an item to the model that it was taken out of.
_IMPORTED = (Ref, Nested, NestedClass)
#: The names of passes, as messages call them.
FORWARD, BACKWARD, EVALUATION = "forward pass", "backward pass", "forward pass without gradients"
STEPS = (FORWARD, BACKWARD, EVALUATION)


class ImplicitCollective(NamedTuple):
    """What a call runs on all ranks together: its name, and the tests that must come out so."""

    name: str
    conditions: tuple[Condition, ...] = ()


class Parallel(Wrapped):
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._met: dict[tuple[Term, Context], ImplicitCollective | None] = {}
        #: Values, each with its activation, that no forward pass of such a model was needed for.
        self._plain: set[tuple[Term, Context]] = set()

    def step(self, call: Call, frame: Context) -> str | None:
        """``forward`` or ``backward`` for a call that communicates because a parallel model runs in it, else None.

        A pass that only takes the place of a later one (:data:`EVALUATION`) is none.
        """
        met = self.met(call, frame)
        return {FORWARD: "forward", BACKWARD: "backward"}.get(met.name) if met is not None else None

    def met(self, call: Call, frame: Context) -> ImplicitCollective | None:
        """What a call runs on all ranks together because of a parallel model: a pass (see :data:`STEPS`) or a method of its."""
        if not self.active:
            return None
        key = (call, frame)
        if key not in self._met:
            self._met[key] = None
            self._met[key] = self._of(call, frame)
        return self._met[key]

    def _of(self, call: Call, frame: Context) -> ImplicitCollective | None:
        callee = call.callee
        if self._runs_backward(call, frame):
            return None if self._unsynced(call, frame) else ImplicitCollective(BACKWARD)
        model = callee
        if isinstance(callee, Attr):
            method = self._method(callee, call, frame)
            if method is not None:
                return method
            if callee.name in self.knowledge.runs_model:
                model = callee.base
        elif isinstance(callee, _IMPORTED):
            return self._given(call, frame)
        kinds = self._of_all_ranks(model, frame)
        if kinds & SHARDED:
            conditions = self.sharded_when(model, frame)
            if conditions is not None:
                return ImplicitCollective(FORWARD, conditions)
        if "ddp" in kinds and self.program.ask(Buffers).held(model, frame):
            return ImplicitCollective(FORWARD if self.records(call, frame) else EVALUATION)
        return None

    def _method(self, callee: Attr, call: Call, frame: Context) -> ImplicitCollective | None:
        """A method of a sharded model that needs all ranks, by table ``parallel.methods``."""
        known = self.knowledge.parallel_distinct.get(callee.name)
        if known is not None and self._part_of_sharded(callee.base, frame):
            return ImplicitCollective(known)
        if callee.name not in self.knowledge.parallel_method_names:
            return None
        for kind in sorted(self.kinds(callee.base, frame) & SHARDED):
            name = self.knowledge.parallel_methods.get(f"{kind}.{callee.name}")
            conditions = self.sharded_when(callee.base, frame) if name is not None else None
            if name is not None and conditions is not None and not self.is_another(callee.base, call, frame):
                return ImplicitCollective(name, conditions)
        return None

    def is_another(self, model: Term, call: Call, frame: Context) -> bool:
        """Whether tests around a call say that a model, or the wrapper around it, is none that is sharded."""
        asked = self.program.ask(TypeGuards)
        wrapper = model.base if self._unwraps(model) and isinstance(model, Attr) else model
        classes = asked.classes(wrapper, call, frame)
        if classes:
            return not any(self.knowledge.parallel.get(name) in SHARDED for name in classes)
        return asked.is_apart(call, frame, SHARDED)

    def _part_of_sharded(self, term: Term, frame: Context) -> bool:
        """Whether a value was taken out of a model that is sharded in place: a parameter, an item of its state."""
        ways = reached(self.program, term, frame, self._taken_out_of)
        return any("fsdp2" in self.kinds(*each) for each in islice(ways, 1, None))

    def _taken_out_of(self, term: Term, frame: Context) -> list[Argument]:
        """What an item or an attribute is of, or what a method or a function was given first."""
        if isinstance(term, Param):
            given = frame.given(term)
            return [given] if isinstance(given, Argument) else []
        if isinstance(term, (Access, Element)):
            return [Argument(term.stem, frame)]
        if not isinstance(term, Call):
            return []
        callee = term.callee
        return [Argument(callee.base if isinstance(callee, Attr) else term.args[0] if term.args else callee, frame)]

    def _given(self, call: Call, frame: Context) -> ImplicitCollective | None:
        """A function that needs all ranks when it is given a sharded model, or its parameters (table ``parallel.given``)."""
        if not call.args:
            return None
        model = call.args[0]
        if isinstance(model, Call) and isinstance(model.callee, Attr):
            model = model.callee.base
        for value in self.program.values(call.callee, frame):
            kind = self.knowledge.parallel_given.get(value.name) if isinstance(value, Library) else None
            if kind is not None and kind in self.kinds(model, frame):
                conditions = self.sharded_when(model, frame)
                return (
                    ImplicitCollective(value.name, conditions) if isinstance(value, Library) and conditions is not None else None
                )
        return None

    def _runs_backward(self, call: Call, frame: Context) -> bool:
        callee = call.callee
        name = last_name(callee)
        steps = isinstance(callee, Attr) and name in self.knowledge.parallel_steps
        if steps and any(self._word(target, call, frame) == _BACKWARD for target in self.program.values(callee, frame)):
            return True
        how = self.knowledge.backward.get(name or "")
        if how is None:
            return False
        roots = [callee.base] if isinstance(callee, Attr) and how == "receiver" else []
        return any(self.trained(root, frame) for root in (*roots, *call.args[:1]))

    @remembered(False)
    def trained(self, loss: Term, frame: Context) -> bool:
        """Whether a value was computed, with gradients, from the forward pass of a parallel model."""
        plain, met = self._plain, list[tuple[Term, Context]]()
        for at in closure(((loss, frame),), lambda at: () if at in plain else self.parts_of(*at)):
            term, where = at
            if at not in plain and isinstance(term, Call) and self._is_forward(term, where):
                return self.records(term, where)
            met.append(at)
        plain.update(met)
        return False

    def _is_forward(self, call: Call, frame: Context) -> bool:
        callee = model_of(self.program, call)
        return not isinstance(callee, _IMPORTED) and bool(self._of_all_ranks(callee, frame))

    def _of_all_ranks(self, model: Term, frame: Context) -> frozenset[str]:
        """What a model is, where all ranks have it; nothing where it may be one of a group."""
        kinds = self.kinds(model, frame)
        grouped = bool(kinds) and any(is_of_group(self.program, value) for value in self.program.values(model, frame))
        return _NONE if grouped else kinds

    def parts_of(self, term: Term, frame: Context) -> Iterator[tuple[Term, Context]]:
        """What a value was computed from, as far as gradients flow."""
        if isinstance(term, Call):
            callee = term.callee
            if isinstance(callee, Attr) and callee.name in self.knowledge.cuts_graph:
                return
            if isinstance(callee, Attr):
                yield callee.base, frame
            for target in self.index.targets(term, frame):
                if isinstance(target, FunctionValue):
                    yield from self._returned(target, term, frame)
            yield from ((argument, frame) for argument in (*term.args, *(value for _, value in term.kwargs)))
        elif isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Argument):
                yield bound.term, bound.frame
        elif isinstance(term, LoopPhi):
            yield from ((part, frame) for part in collected(self.program, term, frame))
        elif isinstance(term, Attr) and isinstance(term.base, Self):
            owner = frame.owner()
            if isinstance(owner, Instance):
                for module, function, value in self.program.stores(ClassValue(owner.module, owner.cls), term.name):
                    inner = frame if function is frame.function else self.program.instance_frame(owner, module, function)
                    yield value, inner
        elif not isinstance(term, (Const, Ref, Global, Self, Unknown)):
            yield from ((part, frame) for part in term.subterms())

    def records(self, call: Call, frame: Context) -> bool:
        """Whether gradients are recorded at a call, in this activation or, for a function on its own, in all of them."""
        mode = self.program.ask(GradMode)
        frames = [frame] if frame.caller is not None else calling_contexts(self.program, frame.module, frame.function)
        return all(mode.at(each, call.site) == ON for each in frames)

    def _unsynced(self, call: Call, frame: Context) -> bool:
        """Whether a backward pass stands in a context that keeps gradients where they are (``no_sync``)."""
        managers = self.program.ask_of(surroundings, frame.function).of(call).managers
        return any(_names(manager, self.knowledge.unsynced) for manager in managers)


def _names(term: Term, names: frozenset[str]) -> bool:
    """Whether one of these names is called in a manager, however it is chosen."""
    parts = parts_through(term, lambda each: each.subterms() if isinstance(each, (Select, BoolOp, Call)) else [])
    return any(isinstance(part, (Call, Attr)) and last_name(part) in names for part in parts)
