"""Which values are models that ranks train together: data-parallel, sharded, an engine, prepared (table ``parallel``).

What a term *may* be is not what it surely is: a script that can shard its model often treats the two modes apart. So
:meth:`Wrapped.kinds` says what it may be, and :meth:`Wrapped.sharded_when` under which conditions it is sharded.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.layers import is_no_module
from trainlint.facts.literals import item_of
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import Attr, BoolOp, Call, Const, Param, Select, Subscript, Term
from trainlint.ir.sketch import Function, Store

#: What :meth:`Wrapped.kinds` may answer.
KINDS = frozenset(("ddp", "fsdp", "fsdp2", "engine", "prepared"))
SHARDED = frozenset(("fsdp", "fsdp2"))
_PREPARED = "prepared"
_NONE: frozenset[str] = frozenset()
#: How far a value is followed.
_DEEPEST, _DEEPEST_CALL = 16, 6
#: What an argument of ``prepare`` is when it is no model (table ``kinds``).
_NO_MODEL = ("loader", "sampler", "distributed-sampler", "batch-sampler", "scaler")
#: A test that must hold (or not), in the activation in which it stands.
Condition = tuple[Term, Frame, bool]


class Wrapped:
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index: CallGraph = program.ask(CallGraph)
        self._kinds: dict[tuple[Term, Frame], frozenset[str]] = {}
        self._conditions: dict[tuple[Term, Frame], tuple[Condition, ...] | None] = {}
        self._in_place: dict[Term, list[tuple[Frame | None, str]]] | None = None
        #: The parts of the program (:meth:`Program.component`) in which there can be such a model at all.
        self.parts = frozenset(map(program.component, self._makers()))
        self.active = bool(self.parts)

    def _makers(self) -> Iterator[str]:
        """The files that name what makes such a model."""
        words = {name.rpartition(".")[2] for name in self.knowledge.parallel}
        for path, module in self.program.modules.items():
            frame = self.program.frame(path, module.functions["<module>"])
            named = (module.names[word] for word in words if word in module.names)
            bases = (base for cls in module.classes.values() for base in cls.bases if last_name(base) in words)
            if any(self._makes(term, frame) for term in (*named, *bases)):
                yield path
        for word in sorted(words):
            for site in self.index.sites.get(word, ()):
                if self._makes(site.call.term.callee, self.program.frame(site.module, site.function)):
                    yield site.module

    def _makes(self, term: Term, frame: Frame) -> bool:
        return any(isinstance(v, Library) and v.name in self.knowledge.parallel for v in self.program.values(term, frame))

    def kinds(self, term: Term, frame: Frame, depth: int = 0) -> frozenset[str]:
        """What a term may be of :data:`KINDS`; empty for plain models, unwrapped ones and whatever is not known."""
        if not self.active:
            return _NONE
        key = (term, frame)
        known = self._kinds.get(key)
        if known is None:
            self._kinds[key] = _NONE  # ends recursion
            if depth > _DEEPEST:
                return _NONE
            known = self._kinds[key] = self._of_term(term, frame, depth + 1)
        return known

    def _of_term(self, term: Term, frame: Frame, depth: int) -> frozenset[str]:
        if isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Bound):
                return self.kinds(bound.term, bound.frame, depth)
        elif isinstance(term, Select):
            if self._unwraps(term.then) or self._unwraps(term.other):
                return _NONE  # `model.module if wrapped else model`: whoever asks so means the plain one
            return self.kinds(term.then, frame, depth) | self.kinds(term.other, frame, depth)
        elif isinstance(term, BoolOp):
            return _NONE.union(*(self.kinds(part, frame, depth) for part in term.operands))
        elif isinstance(term, Subscript):
            return self._of_item(term, frame, depth)
        elif isinstance(term, Attr):
            return self._of_attribute(term, frame, depth)
        elif isinstance(term, Call):
            return self._of_call(term, frame, depth)
        return _NONE.union(*(self._of_value(value) for value in self.program.values(term, frame)))

    def _unwraps(self, term: Term) -> bool:
        """Whether a term is the plain model in a wrapper, or is so in one case."""
        if isinstance(term, Select):
            return self._unwraps(term.then) or self._unwraps(term.other)
        return bool(isinstance(term, Attr) and term.name in self.knowledge.unwraps)

    def _of_item(self, term: Subscript, frame: Frame, depth: int) -> frozenset[str]:
        base, key = term.base, term.key
        part = item_of(base, key)
        if part is not None:
            return self.kinds(part, frame, depth)
        if not isinstance(base, Call):
            return _NONE.union(*(self._of_value(value) for value in self.program.values(term, frame)))
        found = _NONE
        for target in self.index.targets(base, frame):
            if isinstance(target, FunctionValue):
                for result, inner in self._returned(target, base, frame):
                    part = item_of(result, key)
                    if part is not None:
                        found |= self.kinds(part, inner, depth)
                    elif isinstance(result, Call):
                        found |= self._nested_item(result, key, inner, depth)
            elif self.knowledge.parallel.get(target.name) == _PREPARED:
                found |= self._prepared(base, key, frame)
            else:
                found = found.union(*(self._of_value(value) for value in self.program.values(term, frame)))
        return found

    def _nested_item(self, call: Call, key: Term, frame: Frame, depth: int) -> frozenset[str]:
        """``return accelerator.prepare(model, optimizer)``: its items are the caller's."""
        for target in self.index.targets(call, frame):
            if isinstance(target, Library) and self.knowledge.parallel.get(target.name) == _PREPARED:
                return self._prepared(call, key, frame)
            if isinstance(target, FunctionValue):
                parts = ((item_of(result, key), inner) for result, inner in self._returned(target, call, frame))
                return _NONE.union(*(self.kinds(part, inner, depth) for part, inner in parts if part is not None))
        return _NONE

    def _prepared(self, call: Call, key: Term, frame: Frame) -> frozenset[str]:
        """An item of what ``prepare`` returns is what was passed in its position."""
        if not isinstance(key, Const) or type(key.value) is not int or not -len(call.args) <= key.value < len(call.args):
            return _NONE
        return self._prepared_of(call.args[key.value], frame)

    def _prepared_of(self, argument: Term, frame: Frame) -> frozenset[str]:
        """What a prepared thing is: a model unless it is known to be something else."""
        for value in self.program.values(argument, frame):
            name = value.name if isinstance(value, Made) else ""
            if self.knowledge.kinds.get(name) in _NO_MODEL or self.knowledge.optimizer_kind(name) is not None:
                return _NONE
        return frozenset((_PREPARED,))

    def _of_attribute(self, term: Attr, frame: Frame, depth: int) -> frozenset[str]:
        if self._unwraps(term):
            return self.kinds(term.base, frame, depth) & SHARDED  # its parts are sharded as well
        found = _NONE
        for base in self.program.values(term.base, frame):
            if not isinstance(base, Instance):
                found = found.union(*(self._of_value(value) for value in self.program.values(term, frame)))
                continue
            for module, function, value in self.program.stores(ClassValue(base.module, base.cls), term.name):
                found |= self.kinds(value, self.program.instance_frame(base, module, function), depth)
        return found

    def _of_call(self, term: Call, frame: Frame, depth: int) -> frozenset[str]:
        callee = term.callee
        if isinstance(callee, Attr) and callee.name in self.knowledge.fluent:
            receiver = self.kinds(callee.base, frame, depth)
            if receiver:
                return receiver
        found = self._placed(term, frame)
        for target in self.index.targets(term, frame):
            if isinstance(target, FunctionValue) and target.function.name != "__init__":
                results = list(self._returned(target, term, frame))
                if any(self._unwraps(result) for result, _ in results):
                    return _NONE
                found = found.union(*(self.kinds(result, inner, depth) for result, inner in results))
            elif isinstance(target, Library):
                word = self.knowledge.parallel.get(target.name)
                if word == _PREPARED:
                    found |= self._prepared_of(term.args[0], frame) if len(term.args) == 1 else _NONE
                elif word in KINDS:
                    found |= {str(word)}
                elif self.knowledge.kinds.get(target.name) == "wrapper" and term.args:
                    found |= self.kinds(term.args[0], frame, depth)
        if not found:
            found = found.union(*(self._of_value(v) for v in self.program.values(term, frame) if isinstance(v, (Instance, Made))))
        return found

    def _of_value(self, value: Value) -> frozenset[str]:
        """What an object is by its class."""
        if isinstance(value, Made):
            word = self.knowledge.parallel.get(value.name)
            found = frozenset((str(word),)) if word in KINDS and word != _PREPARED else _NONE
            return found | (self._placed(value.call, value.frame) if value.call is not None else _NONE)
        if isinstance(value, Instance):
            above = (c for c in self.program.lineage(ClassValue(value.module, value.cls)) if isinstance(c, Library))
            words = {self.knowledge.parallel.get(cls.name) for cls in above}
            return frozenset(KINDS & words) | (self._placed(value.call, value.frame) if value.call is not None else _NONE)
        return self._placed(value.term, value.frame) if isinstance(value, Other) else _NONE

    def _returned(self, target: FunctionValue, call: Call, frame: Frame) -> Iterator[tuple[Term, Frame]]:
        if target.function.generator or frame.depth >= _DEEPEST_CALL or frame.runs(target.function):
            return
        inner = self.program.enter(target, call, frame)
        for result in self.program.returns(target.function):
            yield result, inner

    # -- under which conditions ------------------------------------------------------------------------------------

    def sharded_when(self, term: Term, frame: Frame, depth: int = 0) -> tuple[Condition, ...] | None:
        """The conditions under which a term that may be sharded is; None when it may not be, or they are not known."""
        if not self.kinds(term, frame) & SHARDED:
            return None
        key = (term, frame)
        if key not in self._conditions:
            self._conditions[key] = None  # ends recursion
            if depth <= _DEEPEST:
                self._conditions[key] = self._conditions_of(term, frame, depth + 1)
        return self._conditions[key]

    def _conditions_of(self, term: Term, frame: Frame, depth: int) -> tuple[Condition, ...] | None:
        if isinstance(term, Param):
            bound = frame.given(term)
            return self.sharded_when(bound.term, bound.frame, depth) if isinstance(bound, Bound) else ()
        if isinstance(term, Select):
            arms = [bool(self.kinds(arm, frame) & SHARDED) for arm in term.arms]
            if all(arms):
                return ()
            inner = self.sharded_when(term.then if arms[0] else term.other, frame, depth)
            return None if inner is None else ((term.test, frame, arms[0]), *inner)
        if isinstance(term, Attr) and not self._unwraps(term):
            return self._conditions_of_attribute(term, frame, depth)
        if isinstance(term, Attr):
            return self.sharded_when(term.base, frame, depth)
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.knowledge.fluent:
            return self.sharded_when(term.callee.base, frame, depth)
        if isinstance(term, Call):
            results = [
                result
                for target in self.index.targets(term, frame)
                if isinstance(target, FunctionValue) and target.function.name != "__init__"
                for result in self._returned(target, term, frame)
            ]
            found = {self.sharded_when(result, inner, depth) for result, inner in results}
            return None if len(found) > 1 else found.pop() if found else ()
        return ()

    def _conditions_of_attribute(self, term: Attr, frame: Frame, depth: int) -> tuple[Condition, ...] | None:
        """An attribute is sharded for sure when the store that shards it is no branch of an ``if``."""
        for base in self.program.values(term.base, frame):
            if isinstance(base, Instance):
                cls = ClassValue(base.module, base.cls)
                for module, function, value in self.program.stores(cls, term.name):
                    inner = self.program.instance_frame(base, module, function)
                    sure = self.sharded_when(value, inner, depth) == () and _unconditional(function, value)
                    if sure:
                        return ()
                return None
        return ()

    def _placed(self, made: Term, frame: Frame | None) -> frozenset[str]:
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
                for activation in activations(self.program, site.module, site.function):
                    for value in self.program.values(term.args[0], activation):
                        if isinstance(value, Instance) and is_no_module(self.program, value):
                            continue
                        made = value.call if isinstance(value, (Instance, Made)) else getattr(value, "term", None)
                        if made is not None and not isinstance(made, Const):  # `model=None` is no model
                            self._in_place.setdefault(made, []).append((getattr(value, "frame", None), word))


def _may_be_one(frame: Frame, other: Frame) -> bool:
    """Whether two activations may be the same one: a function on its own may be any of its activations."""
    while frame is not other and frame.caller is not None and other.caller is not None:
        if frame.call is not other.call:
            return False
        frame, other = frame.caller, other.caller
    return True


def _unconditional(function: Function, value: Term) -> bool:
    """Whether a method stores a value in an attribute by a statement of its own body, not of a branch."""
    return any(isinstance(node, Store) and node.value is value for node in function.body)
