"""A rank and its twin: the same rank, with other data. What one runs and the other does not hangs on data.

Each rank has a twin that takes the same way at every test but those on data of its own (``twin_values.py``). Both run the
same trace, in which such a test is a :class:`~trainlint.spmd.trace.Pick`; the comparison lets the two choose apart.

Only functions are run in which ranks communicate and in which something is asked of data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from trainlint.facts.calls import last_name
from trainlint.facts.contexts import activations
from trainlint.facts.own_data import OwnData, Source, names_of, own_data
from trainlint.facts.parallel import parallel
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, FunctionValue
from trainlint.finding import Spot
from trainlint.model.sketch import Call, Function
from trainlint.model.terms import Term, subterms
from trainlint.spmd.agreement import Agreement, Verdict, agreement
from trainlint.spmd.build import Builder
from trainlint.spmd.compare import Comparison, Divergence
from trainlint.spmd.nesting import Ways
from trainlint.spmd.paths import talks
from trainlint.spmd.symbols import Choice, Data, Sym, data_in
from trainlint.spmd.trace import Event, Guard, Node, Nodes, Part, Where, raises
from trainlint.spmd.twin_values import TwinEvaluator

#: How many calls lead from a function to what trains a parallel model.
_FAR = 4
#: How many parts of a value are looked at.
_MOST = 400
#: What loops go over without drawing anything.
_COUNTS = ("builtins.range", "range")


class TwinBuilder(Builder):
    """Builds the trace that a rank and its twin share."""

    analysis: Twins

    def __init__(self, analysis: Twins, rank: int, nodes: Nodes) -> None:
        super().__init__(analysis, rank, nodes)
        self.evaluator = TwinEvaluator(analysis.program, rank, analysis.consult, analysis.own, analysis.draws)

    def settled(self, value: Any, asked: bool, then: Node, other: Node, guard: Guard) -> Node:
        if isinstance(value, Sym) and isinstance(value.key, Data):
            return self.own_test(value, then, other, guard)
        if isinstance(value, Choice) and isinstance(value.condition.key, Data):
            return self.own_test(
                value.condition,
                self.settled(value.then, False, then, other, guard),
                self.settled(value.other, False, then, other, guard),
                guard,
            )
        return super().settled(value, asked, then, other, guard)

    def own_test(self, symbol: Sym, then: Node, other: Node, guard: Guard) -> Node:
        """A test on data: either arm, on each rank by itself."""
        data = symbol.key
        if then is other or data.raw:
            return then
        if self.analysis.own.equal(guard.condition, guard.frame, guard.test.line + 1):
            return self.pick(Sym(data.key), then, other)
        if raises(then) or raises(other):
            return self.pick(symbol, then, other)  # the job ends: nobody waits for long
        self.analysis.tested[guard] = data.source
        return self.pick(symbol, self.mark(Part, guard, True, False, then), self.mark(Part, guard, False, False, other))

    def call(self, statement: Call, frame: Frame, ways: Ways) -> Node:
        step = self.analysis.step(statement.term, frame)
        if step is not None:
            where = Where(frame.module, statement.term[4], statement.statement)
            return self.mark(Event, step, step, where, statement.term, ways.next)
        if self.analysis.may_talk(statement.term):
            for target in self.analysis.index.targets(statement.term, frame):
                if isinstance(target, FunctionValue) and id(target.function) in self.analysis.training:
                    if target.function.generator:
                        continue
                    where = Where(frame.module, statement.term[4], statement.statement)
                    return self.run_function(target, self.program.enter(target, statement.term, frame), where, ways)
        return super().call(statement, frame, ways)


class Twins(Agreement):
    """Where a rank and its twin part, for every function of a program in which that can be."""

    def __init__(self, program: Program) -> None:
        self.plain = agreement(program)
        super().__init__(program)
        self.own: OwnData = own_data(program)
        self.parallel = parallel(program)
        self.tested: dict[Guard, Source] = {}
        self._drawn: dict[tuple[Term, Frame], Source | None] = {}
        self.training: set[int] = set()
        self._step_names = frozenset((*program.knowledge.backward, *program.knowledge.parallel_steps))
        if self.parallel.active:
            self._find_training()
        words = {name.rpartition(".")[2] for name in (*program.knowledge.data, *program.knowledge.derives)}
        helpers = {f.name for _, f in program.functions() if program.returns(f) and not words.isdisjoint(names_of(f))}
        self._asking = frozenset(words | helpers | self._step_names)

    def _find_training(self) -> None:
        """The functions in which a parallel model is trained, themselves or in what they call."""
        fresh = []
        for name in self._step_names:
            for site in self.index.sites_named(name):
                frames = activations(self.program, site.module, site.function)
                if any(self.parallel.step(site.call.term, frame) is not None for frame in frames):
                    fresh.append(site.function)
        for _ in range(_FAR):
            fresh = [function for function in fresh if id(function) not in self.training]
            self.training.update(map(id, fresh))
            self._names |= {function.name for function in fresh}
            fresh = [site.function for function in fresh if function.kind != "module" for site in self.index.callers(function)]

    def step(self, call: Term, frame: Frame) -> str | None:
        """``forward`` or ``backward``, when a call communicates because a parallel model is trained in it."""
        return self.parallel.step(call, frame) if id(frame.function) in self.training else None

    def draws(self, item: Term, frame: Frame) -> Source | None:
        """What a loop draws as batches: what a parallel model is then trained with."""
        key = (item, frame)
        if key not in self._drawn:
            self._drawn[key] = None
            if id(frame.function) in self.training and not _counts(item[1]) and self._feeds(item, frame):
                self._drawn[key] = Source("batch", frame.module, Spot(item[2], item[3], item[2], item[3] + 1))
        return self._drawn[key]

    def _feeds(self, item: Term, frame: Frame) -> bool:
        for node in calls_of(frame.function):
            name = last_name(node.term[1])
            if (name in self._names or name in self._step_names) and _mentions(node.term, item):
                if self.step(node.term, frame) is not None:
                    return True
                targets = self.index.targets(node.term, frame)
                if any(isinstance(t, FunctionValue) and id(t.function) in self.training for t in targets):
                    return True
        return False

    # -- verdicts --------------------------------------------------------------------------------------------------

    def verdict(self, target: FunctionValue, frame: Frame) -> Verdict:
        """What is known of one call of a function: what the ranks make of it, where nothing in it is asked of data."""
        if self._asks(target.function) or id(target.function) in self.training or self._told_data(frame):
            return super().verdict(target, frame)
        return Verdict((), self.plain.verdict(target, frame).talks)

    def _told_data(self, frame: Frame) -> bool:
        bounds = (bound for bound in frame.arguments.values() if isinstance(getattr(bound, "frame", None), Frame))
        return any(data_in(self._sample.value(bound.term, bound.frame)) for bound in bounds)  # type: ignore[union-attr]

    def _passed(self, term: Term, frame: Frame) -> object:
        value, asked = self._sample.evaluate(term, frame)
        data = data_in(value)
        if asked or data is None:
            return super()._passed(term, frame)
        return ("data", value)

    def _asks(self, function: Function) -> bool:
        return not self._asking.isdisjoint(names_of(function))

    def _compared(self, function: Function, frame: Frame) -> tuple[tuple[Divergence, ...], bool]:
        nodes = Nodes()
        builder = TwinBuilder(self, 0, nodes)
        root = builder.trace(function, frame)
        if not any(isinstance(symbol.key, Data) for symbol in root.core.symbols):
            return (), talks(root)
        comparison = Comparison(self, [builder, builder], nodes, twins=True)
        comparison.compare(builder, root, builder, root)
        return comparison.found(), talks(root)

    def reported(self) -> Sequence[Divergence]:
        """All places where a rank and its twin part, each once."""
        found: dict[tuple[object, ...], Divergence] = {}
        for path, function in self.program.functions():
            talking = id(function) in self.training or self.communication.runs(function)
            if talking and not function.generator and self._asks(function):
                for frame in self._frames_of(path, function):
                    for divergence in self._verdict(path, function, frame).divergences:
                        found.setdefault(divergence.key, divergence)
        return list(found.values())

    def _frames_of(self, path: str, function: Function) -> Iterable[Frame]:
        """In which activations a function is run: which model is trained in it may be its callers' choice."""
        own = self.program.frame(path, function)
        return (own, *activations(self.program, path, function)) if id(function) in self.training else (own,)


def _counts(subject: Term) -> bool:
    """Whether a loop counts, or goes over things that are written out: it draws nothing."""
    if subject[0] in ("list", "tuple", "set", "dict"):
        return True
    return subject[0] == "call" and subject[1][0] == "r" and subject[1][1] in _COUNTS


def _mentions(call: Term, item: Term) -> bool:
    """Whether an item is among what a call is given, or what that was computed from; not as what is called."""
    pending, seen = [call], {call}
    while pending and len(seen) < _MOST:
        term = pending.pop()
        if term is item:
            return True
        parts = subterms(term)
        if term[0] == "call":
            parts = parts[1:] if term[1][0] != "a" else [term[1][1], *parts[1:]]
        fresh = [part for part in parts if part not in seen]
        seen.update(fresh)
        pending += fresh
    return False


def twins(program: Program) -> Twins:
    """The ranks and their twins of a program (compared once)."""
    known = program.analyses.get("twins")
    if known is None:
        known = program.analyses["twins"] = Twins(program)
    assert isinstance(known, Twins)
    return known
