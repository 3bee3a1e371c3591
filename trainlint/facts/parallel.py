"""Models that ranks train together, and the calls that communicate because of it, though they name no collective.

A model is wrapped (``DDP(model)``), sharded in place (``fully_shard(model)``), prepared by a library or turned into an engine:
table ``parallel``. From then on a forward pass gathers its shards, a backward pass reduces its gradients.

What communicates was run or read in torch 2.13 (gloo, two processes; ``torch/nn/parallel/distributed.py``):

* FSDP gathers parameters in every forward pass, evaluation or not, and reduces in every backward pass;
* DDP reduces in a backward pass outside of ``no_sync``. Its forward pass sends buffers, if the model has any and gradients are
  recorded. Without gradients the first pass may send them as well, but then the next pass leaves it out: nothing hangs;
* what accelerate or DeepSpeed do in a forward pass depends on their configuration, so only their backward passes count.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.buffers import buffers
from trainlint.facts.calls import Calls, calls, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.following import item_of
from trainlint.facts.gradients.collected import collected
from trainlint.facts.gradients.grad_mode import ON, grad_mode
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.model.terms import Term, subterms

#: What :meth:`Parallel.kinds` may answer.
KINDS = frozenset(("ddp", "fsdp", "fsdp2", "engine", "prepared"))
_SHARDED = frozenset(("fsdp", "fsdp2"))
_PREPARED, _BACKWARD = "prepared", "backward"
_NONE: frozenset[str] = frozenset()
#: How far a value is followed, and how many parts of a loss are looked at.
_DEEPEST, _DEEPEST_CALL, _MOST = 16, 6, 80
#: What an argument of ``prepare`` is when it is no model (table ``kinds``).
_NO_MODEL = ("loader", "sampler", "distributed-sampler", "batch-sampler", "scaler")


class Parallel:
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index: Calls = calls(program)
        self._kinds: dict[tuple[Term, Frame], frozenset[str]] = {}
        self._trained: dict[tuple[Term, Frame], bool] = {}
        self._steps: dict[tuple[Term, Frame], str | None] = {}
        self._in_place: dict[Term, str] | None = None
        words = {name.rpartition(".")[2] for name in self.knowledge.parallel}
        self.active = any(word in self.index.sites for word in words) or any(
            word in program.modules[path].names for path in program.modules for word in words
        )

    # -- which values ----------------------------------------------------------------------------------------------

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
        tag = term[0]
        if tag == "p":
            holder = frame.holder(term[1])
            bound = holder.arguments.get(term[2]) if holder is not None else None
            if isinstance(bound, Bound):
                return self.kinds(bound.term, bound.frame, depth)
        elif tag == "if":
            if self._unwraps(term[2]) or self._unwraps(term[3]):
                return _NONE  # `model.module if wrapped else model`: whoever asks so means the plain one
            return self.kinds(term[2], frame, depth) | self.kinds(term[3], frame, depth)
        elif tag in ("and", "or"):
            return _NONE.union(*(self.kinds(part, frame, depth) for part in term[1]))
        elif tag == "sub":
            return self._of_item(term, frame, depth)
        elif tag == "a":
            return self._of_attribute(term, frame, depth)
        elif tag == "call":
            return self._of_call(term, frame, depth)
        return _NONE.union(*(self._of_value(value) for value in self.program.values(term, frame)))

    def _unwraps(self, term: Term) -> bool:
        return bool(term[0] == "a" and term[2] in self.knowledge.unwraps)

    def _of_item(self, term: Term, frame: Frame, depth: int) -> frozenset[str]:
        base, key = term[1], term[2]
        part = item_of(base, key)
        if part is not None:
            return self.kinds(part, frame, depth)
        if base[0] != "call":
            return _NONE.union(*(self._of_value(value) for value in self.program.values(term, frame)))
        found = _NONE
        for target in self.index.targets(base, frame):
            if isinstance(target, FunctionValue):
                for result, inner in self._returned(target, base, frame):
                    part = item_of(result, key)
                    if part is not None:
                        found |= self.kinds(part, inner, depth)
                    elif result[0] == "call":
                        found |= self._nested_item(result, key, inner, depth)
            elif self.knowledge.parallel.get(target.name) == _PREPARED:
                found |= self._prepared(base, key, frame)
            else:
                found = found.union(*(self._of_value(value) for value in self.program.values(term, frame)))
        return found

    def _nested_item(self, call: Term, key: Term, frame: Frame, depth: int) -> frozenset[str]:
        """``return accelerator.prepare(model, optimizer)``: its items are the caller's."""
        for target in self.index.targets(call, frame):
            if isinstance(target, Library) and self.knowledge.parallel.get(target.name) == _PREPARED:
                return self._prepared(call, key, frame)
            if isinstance(target, FunctionValue):
                parts = ((item_of(result, key), inner) for result, inner in self._returned(target, call, frame))
                return _NONE.union(*(self.kinds(part, inner, depth) for part, inner in parts if part is not None))
        return _NONE

    def _prepared(self, call: Term, key: Term, frame: Frame) -> frozenset[str]:
        """An item of what ``prepare`` returns is what was passed in its position."""
        if key[0] != "c" or type(key[2]) is not int or not -len(call[2]) <= key[2] < len(call[2]):
            return _NONE
        return self._prepared_of(call[2][key[2]], frame)

    def _prepared_of(self, argument: Term, frame: Frame) -> frozenset[str]:
        """What a prepared thing is: a model unless it is known to be something else."""
        for value in self.program.values(argument, frame):
            name = value.name if isinstance(value, Made) else ""
            last = name.rpartition(".")[2].lower()
            if self.knowledge.kinds.get(name) in _NO_MODEL or name.startswith("torch.optim.") or "scheduler" in last:
                return _NONE
        return frozenset((_PREPARED,))

    def _of_attribute(self, term: Term, frame: Frame, depth: int) -> frozenset[str]:
        if self._unwraps(term):
            return self.kinds(term[1], frame, depth) & _SHARDED  # its parts are sharded as well
        found = _NONE
        for base in self.program.values(term[1], frame):
            if not isinstance(base, Instance):
                found = found.union(*(self._of_value(value) for value in self.program.values(term, frame)))
                continue
            for module, function, value in self.program.stores(ClassValue(base.module, base.cls), term[2]):
                found |= self.kinds(value, self.program.instance_frame(base, module, function), depth)
        return found

    def _of_call(self, term: Term, frame: Frame, depth: int) -> frozenset[str]:
        callee = term[1]
        if callee[0] == "a" and callee[2] in self.knowledge.fluent:
            receiver = self.kinds(callee[1], frame, depth)
            if receiver:
                return receiver
        found = self._placed(term)
        for target in self.index.targets(term, frame):
            if isinstance(target, FunctionValue) and target.function.name != "__init__":
                results = list(self._returned(target, term, frame))
                if any(self._unwraps(result) for result, _ in results):
                    return _NONE
                found = found.union(*(self.kinds(result, inner, depth) for result, inner in results))
            elif isinstance(target, Library):
                word = self.knowledge.parallel.get(target.name)
                if word == _PREPARED:
                    found |= self._prepared_of(term[2][0], frame) if len(term[2]) == 1 else _NONE
                elif word in KINDS:
                    found |= {str(word)}
                elif self.knowledge.kinds.get(target.name) == "wrapper" and term[2]:
                    found |= self.kinds(term[2][0], frame, depth)
        if not found:
            found = found.union(*(self._of_value(v) for v in self.program.values(term, frame) if isinstance(v, (Instance, Made))))
        return found

    def _of_value(self, value: Value) -> frozenset[str]:
        """What an object is by its class."""
        if isinstance(value, Made):
            word = self.knowledge.parallel.get(value.name)
            found = frozenset((str(word),)) if word in KINDS and word != _PREPARED else _NONE
            return found | (self._placed(value.call) if value.call is not None else _NONE)
        if isinstance(value, Instance):
            above = (c for c in self.program.lineage(ClassValue(value.module, value.cls)) if isinstance(c, Library))
            words = {self.knowledge.parallel.get(cls.name) for cls in above}
            return frozenset(KINDS & words) | (self._placed(value.call) if value.call is not None else _NONE)
        return self._placed(value.term) if isinstance(value, Other) else _NONE

    def _returned(self, target: FunctionValue, call: Term, frame: Frame) -> Iterator[tuple[Term, Frame]]:
        if target.function.generator or frame.depth >= _DEEPEST_CALL or frame.runs(target.function):
            return
        inner = self.program.enter(target, call, frame)
        for result in self.program.returns(target.function):
            yield result, inner

    def _placed(self, made: Term) -> frozenset[str]:
        """What was done in place with the object that this call made (``fully_shard(model)``)."""
        if self._in_place is None:
            self._in_place = {}
            self._find_in_place()
        word = self._in_place.get(made)
        return frozenset((word,)) if word is not None else _NONE

    def _find_in_place(self) -> None:
        assert self._in_place is not None
        for name in self.knowledge.parallel_in_place:
            for site in self.index.sites_named(name.rpartition(".")[2]):
                term = site.call.term
                frame = self.program.frame(site.module, site.function)
                if not term[2] or not any(isinstance(t, Library) and t.name == name for t in self.index.targets(term, frame)):
                    continue
                word = self.knowledge.parallel[name]
                for activation in activations(self.program, site.module, site.function):
                    for value in self.program.values(term[2][0], activation):
                        made = value.call if isinstance(value, (Instance, Made)) else getattr(value, "term", None)
                        if made is not None:
                            self._in_place.setdefault(made, word)

    # -- which calls -----------------------------------------------------------------------------------------------

    def step(self, call: Term, frame: Frame) -> str | None:
        """``forward`` or ``backward`` for a call that communicates because a parallel model runs in it, else None."""
        if not self.active:
            return None
        key = (call, frame)
        if key not in self._steps:
            self._steps[key] = None
            self._steps[key] = self._step(call, frame)
        return self._steps[key]

    def _step(self, call: Term, frame: Frame) -> str | None:
        callee = call[1]
        if self._runs_backward(call, frame):
            return None if self._unsynced(call, frame) else "backward"
        model = callee
        if callee[0] == "a" and callee[2] in self.knowledge.runs_model:
            model = callee[1]
        elif callee[0] in ("r", "fn", "cls"):
            return None
        kinds = self.kinds(model, frame)
        if kinds & _SHARDED:
            return "forward"
        if "ddp" in kinds and self._records(call, frame) and buffers(self.program).held(model, frame):
            return "forward"
        return None

    def _runs_backward(self, call: Term, frame: Frame) -> bool:
        callee = call[1]
        name = last_name(callee)
        if callee[0] == "a" and name in self.knowledge.parallel_steps:
            for target in self.program.values(callee, frame):
                if isinstance(target, Library) and self.knowledge.parallel.get(target.name) == _BACKWARD:
                    return True
        how = self.knowledge.backward.get(name or "")
        if how is None:
            return False
        roots = [callee[1]] if callee[0] == "a" and how == "receiver" else []
        return any(self.trained(root, frame) for root in (*roots, *call[2][:1]))

    def trained(self, loss: Term, frame: Frame) -> bool:
        """Whether a value was computed, with gradients, from the forward pass of a parallel model."""
        key = (loss, frame)
        known = self._trained.get(key)
        if known is None:
            self._trained[key] = False
            known = self._trained[key] = self._computed_from(loss, frame)
        return known

    def _computed_from(self, loss: Term, frame: Frame) -> bool:
        queue: list[tuple[Term, Frame]] = [(loss, frame)]
        seen = set(queue)
        while queue and len(seen) < _MOST:
            term, where = queue.pop(0)
            if term[0] == "call" and self._is_forward(term, where):
                return self._records(term, where)
            for part in self._parts(term, where):
                if part not in seen:
                    seen.add(part)
                    queue.append(part)
        return False

    def _is_forward(self, call: Term, frame: Frame) -> bool:
        callee = call[1]
        if callee[0] == "a" and callee[2] in self.knowledge.runs_model:
            callee = callee[1]
        return callee[0] not in ("r", "fn", "cls") and bool(self.kinds(callee, frame))

    def _parts(self, term: Term, frame: Frame) -> Iterator[tuple[Term, Frame]]:
        """What a value was computed from, as far as gradients flow."""
        tag = term[0]
        if tag == "call":
            callee = term[1]
            if callee[0] == "a" and callee[2] in self.knowledge.cuts_graph:
                return
            if callee[0] == "a":
                yield callee[1], frame
            for target in self.index.targets(term, frame):
                if isinstance(target, FunctionValue):
                    yield from self._returned(target, term, frame)
            yield from ((argument, frame) for argument in (*term[2], *(value for _, value in term[3])))
        elif tag == "p":
            holder = frame.holder(term[1])
            bound = holder.arguments.get(term[2]) if holder is not None else None
            if isinstance(bound, Bound):
                yield bound.term, bound.frame
        elif tag == "lv":
            yield from ((part, frame) for part in collected(self.program, term, frame))
        elif tag == "a" and term[1][0] == "self":
            owner = frame.owner()
            if isinstance(owner, Instance):
                for module, function, value in self.program.stores(ClassValue(owner.module, owner.cls), term[2]):
                    inner = frame if function is frame.function else self.program.instance_frame(owner, module, function)
                    yield value, inner
        elif tag not in ("c", "r", "g", "self", "v"):
            yield from ((part, frame) for part in subterms(term))

    def _records(self, call: Term, frame: Frame) -> bool:
        """Whether gradients are recorded at a call, in this activation or, for a function on its own, in all of them."""
        mode = grad_mode(self.program)
        frames = [frame] if frame.caller is not None else activations(self.program, frame.module, frame.function)
        return all(mode.at(each, call[4]) == ON for each in frames)

    def _unsynced(self, call: Term, frame: Frame) -> bool:
        """Whether a backward pass stands in a context that keeps gradients where they are (``no_sync``)."""
        managers = surroundings(self.program, frame.function).of(call).managers
        return any(_names(manager, self.knowledge.unsynced) for manager in managers)


def _names(term: Term, names: frozenset[str]) -> bool:
    """Whether one of these names is called in a manager, however it is chosen."""
    if term[0] in ("call", "a") and last_name(term) in names:
        return True
    return term[0] in ("if", "or", "and", "call") and any(_names(part, names) for part in subterms(term))


def parallel(program: Program) -> Parallel:
    """The parallel models of a program (made once)."""
    known = program.analyses.get("parallel")
    if known is None:
        known = program.analyses["parallel"] = Parallel(program)
    assert isinstance(known, Parallel)
    return known
