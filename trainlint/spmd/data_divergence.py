"""A rank and its twin: the same rank, with other data. What one runs and the other does not hangs on data.

Each rank has a twin that takes the same way at every test but those on data of its own (``twin_values.py``). Both run the
same trace, in which such a test is a :class:`~trainlint.spmd.trace.Pick`; the comparison lets the two choose apart.

Only functions are run in which ranks communicate and in which something is asked of data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from trainlint.domains.data_parallel.models import STEPS
from trainlint.domains.files import Markers, Operations
from trainlint.domains.rank_local_data import Source, given_in, names_of
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Element, Param, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop, Statement, Try, With
from trainlint.ir.walk import Around, behind, effects, is_ahead, of_kind, placed, statements_of, walk
from trainlint.program.contexts import calling_contexts
from trainlint.program.leading import Leading
from trainlint.program.loops import counts, is_range
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, Context, FunctionValue
from trainlint.spmd.build import Builder
from trainlint.spmd.compare import Comparison
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.local_failures import Failing, Failures
from trainlint.spmd.paths import talks
from trainlint.spmd.per_rank_data import OwnPaths, own_rounds
from trainlint.spmd.questions import answered_at
from trainlint.spmd.symbols import Choice, Data, Uniform, data_in
from trainlint.spmd.trace import Guard, Node, Nodes, Part, Ways, raises
from trainlint.spmd.twin_values import RankData, TwinEvaluator
from trainlint.spmd.uniform_check import Agreement, Verdict

#: The word of sources that are equal unless one rank changes them.
_FILE = "file"
#: The word of those that each rank looks for under another name.
_OWN_FILE = "own file"
#: The words of what is computed of a batch, or drawn.
_COMPUTED = frozenset(("loss", "batch", "answer", "drawn"))


class TwinBuilder(Builder):
    """Builds the trace that a rank and its twin share."""

    analysis: Twins
    evaluator: TwinEvaluator

    def __init__(self, analysis: Twins, rank: int, nodes: Nodes) -> None:
        evaluator = TwinEvaluator(analysis.program, rank, analysis.consult, analysis.data)
        super().__init__(analysis, rank, nodes, evaluator, Failures(analysis))
        self._branch: If | None = None

    def settled(self, value: Any, asked: bool, then: Node, other: Node, guard: Guard) -> Node:
        if isinstance(value, Uniform) and isinstance(value.key, Data):
            return self.own_test(value, then, other, guard)
        if isinstance(value, Choice) and isinstance(value.condition.key, Data):
            return self.own_test(
                value.condition,
                self.settled(value.then, False, then, other, guard),
                self.settled(value.other, False, then, other, guard),
                guard,
            )
        return super().settled(value, asked, then, other, guard)

    def own_test(self, symbol: Uniform, then: Node, other: Node, guard: Guard) -> Node:
        """A test on data: either arm, on each rank by itself."""
        data = symbol.key
        if then is other or (data.raw and data.source.word != _FILE):
            return then
        own_file = self._has_its_own(data.source)
        if data.source.word == _FILE and not own_file and not self._changes_meanwhile(data.source, guard.frame):
            return self.pick(Uniform(data.key), then, other)  # the same file system: all ranks see the same
        if self._is_entry(data.key[0]):
            return self.pick(Uniform(data.key), then, other)  # which entries a batch has, and what flags are in it
        answered = answered_at(guard.frame.function, guard.test, guard.condition)
        if self.analysis.own.equal(guard.condition, guard.frame, answered):
            return self.pick(Uniform(data.key), then, other)
        if raises(then) or raises(other):
            return self.pick(symbol, then, other)  # the job ends: nobody waits for long
        self.analysis.tested[guard] = data.source._replace(word=_OWN_FILE) if own_file else data.source
        return self.pick(symbol, self.mark(Part, guard, True, False, then), self.mark(Part, guard, False, False, other))

    def _is_entry(self, asked: object) -> bool:
        """``batch.get("return_loss")``: a test of what is under a name, if there is something."""
        if not isinstance(asked, Call) or not isinstance(asked.callee, Attr):
            return False
        return asked.callee.name in self.program.knowledge.hands_out

    def members(self, group: Term, frame: Context) -> tuple[Any, ...] | None:  # noqa: ARG002
        """A twin stands for any other rank, whatever groups that belongs to."""
        return None

    def statement(self, statement: Statement, frame: Context, ways: Ways) -> Node:
        if isinstance(statement, Loop):
            return self._loop(statement, frame, ways)
        if not isinstance(statement, If):
            return super().statement(statement, frame, ways)
        around, self._branch = self._branch, statement
        try:
            return super().statement(statement, frame, ways)
        finally:
            self._branch = around

    def _loop(self, statement: Loop, frame: Context, ways: Ways) -> Node:
        """A loop that runs while something of its own is true (there is time left), or that often: one rank is in it alone."""
        node = super().statement(statement, frame, ways)
        value = (
            self.evaluator.value(statement.subject, frame) if statement.kind == "while" else own_rounds(self, statement, frame)
        )
        if not isinstance(value, (Uniform, Choice)) or data_in(value) is None:
            return node
        exhausted = self.block(statement.orelse, frame, ways)
        if statement.kind == "for":  # one round more
            more = ways._replace(next=exhausted, continues=exhausted, breaks=ways.next)
            node = self.block(statement.body, frame, more)
        guard = Guard(frame.module, statement.spot, statement.spot, statement.subject, frame)
        return self.settled(value, False, node, exhausted, guard)

    def _changes_meanwhile(self, source: Source, frame: Context) -> bool:
        """Whether a file may come while ranks look for it: one of them makes it, or it is there to tell them something."""
        asked, at = self.analysis.own.looked_for[source.module, source.spot]
        return self.analysis.markers.is_marker(asked, at) or self._made_by_one(asked, frame)

    def _has_its_own(self, source: Source) -> bool:
        """Whether each rank looks for another file, and its function does nothing else with it: what is read was there before."""
        if source.word != _FILE:
            return False
        asked, at = self.analysis.own.looked_for[source.module, source.spot]
        path = _path_in(asked)
        if path is None:
            return False
        used = (node for node in calls_of(at.function) if node.term is not asked)
        return not any(path in given_in(node.term) for node in used) and self.program.ask(OwnPaths).is_own(path, at)

    def _made_by_one(self, asked: Term, frame: Context) -> bool:
        """Whether some ranks alone do something with the file that a branch asks for (write it, say) while others may still ask.

        Where all ranks wait for each other first, all have asked.
        """
        if self._branch is None:
            return False
        path = _path_in(asked)
        if path is None:
            return False
        arms = [self._branch.body, self._branch.orelse]
        if self._is_there(self._branch, asked, path, frame):
            arms.append(behind(frame.function.body, self._branch))
        return any(self._is_first_made(arm, path, frame) for arm in arms)

    def _is_there(self, branch: If, asked: Term, path: Term, frame: Context) -> bool:
        """Whether a branch reads the file that it asks for and leaves: what stands behind it is for those that miss it."""
        if branch.condition is not asked or effects(branch.orelse) or not _leaves(branch.body):
            return False
        for node in walk(branch.body):
            if isinstance(node, CallStep) and any(given is path for given in given_in(node.term)):
                operation = self.program.ask(Operations).of(node.term, frame)
                targets = self.analysis.index.targets(node.term, frame)
                if operation is not None and operation.kind == "read":
                    return True
                if operation is None and any(isinstance(target, FunctionValue) for target in targets):
                    return True
        return False

    def _is_first_made(self, block: Block, path: Term, frame: Context) -> bool:
        """Whether some ranks alone use the file in a block before all ranks communicate."""
        met: list[Around] = []
        own: list[If] = []
        for node, around in placed(block):
            if any(arm.is_handler or any(arm.region is test for test in own) for arm in around):
                continue
            if isinstance(node, CallStep) and self._communicates(node.term, frame):
                met.append(around)
            elif isinstance(node, If) and self.asked(node.condition, frame)[1]:
                own.append(node)
                made = any(isinstance(work, CallStep) and self._makes(work.term, path, frame) for work in walk((node,)))
                if made and not any(is_ahead(each, around) for each in met):
                    return True
        return False

    def _makes(self, call: Call, path: Term, frame: Context) -> bool:
        """Whether a call does more with a path than read what is there."""
        operation = self.program.ask(Operations).of(call, frame)
        return (operation is None or operation.kind != "read") and self._uses(call, path, frame)

    def _uses(self, call: Call, path: Term, frame: Context) -> bool:
        """Whether a path is among what a call is given, or what that was computed from; what was read there is no path."""
        return _mentions(call, path, lambda part: part is not call and self._reads(part, frame))

    def _reads(self, term: Term, frame: Context) -> bool:
        """Whether a term is what a call read from a file, or what a function of the project made of its name."""
        if not isinstance(term, Call):
            return False
        operation = self.program.ask(Operations).of(term, frame)
        if operation is not None:
            return operation.kind == "read"
        return any(isinstance(target, FunctionValue) for target in self.analysis.index.targets(term, frame))

    def _communicates(self, call: Call, frame: Context) -> bool:
        """Whether a call is, or leads to, a collective."""
        if not self.analysis.may_talk(call):
            return False
        for target in self.analysis.index.targets(call, frame):
            if isinstance(target, FunctionValue):
                return self.analysis.communication.runs(target.function)
            if target.name in self.program.knowledge.collectives:
                return True
        return False


class Twins(Agreement):
    """Where a rank and its twin part, for every function of a program in which that can be."""

    def __init__(self, program: Program) -> None:
        self.plain = program.ask(Agreement)
        super().__init__(program)
        self.data = RankData(program, self.own, self.draws, self.passes)
        self._sample = TwinEvaluator(program, 0, self.consult, self.data)
        self.tested: dict[Guard, Source] = {}
        self.failing = program.ask(Failing)
        self._attempting: dict[int, bool] = {}
        self._drawn: dict[tuple[Term, Context], Source | None] = {}
        self.training = self._trainers()
        self.markers = program.ask(Markers)
        words = {name.rpartition(".")[2] for name in program.knowledge.data} | program.knowledge.judged_by
        sites = (site.function for word in words for site in self.index.sites_named(word))
        helpers = {function.name for function in sites if program.returns(function)}
        reading = (site.function for word in self.failing.names for site in self.index.sites_named(word))
        helpers |= {function.name for function in reading if of_kind(function, Try) and program.returns(function)}
        self._asking = frozenset(words | helpers)

    def _trainers(self) -> set[int]:
        """The functions in which a parallel model is trained, themselves or in what they call."""
        known = self.program.knowledge
        state = {*known.parallel_method_names, *known.parallel_distinct}  # asking a model for its state trains nothing
        unnamed = {
            call
            for call in self.communication.unnamed
            if not (isinstance(call, Call) and isinstance(call.callee, Attr) and call.callee.name in state)
        }
        reached = [f for _, f in self.program.functions() if self.communication.runs(f)] if unnamed else []
        passes = [function for function in reached if any(node.term in unnamed for node in calls_of(function))]
        return set(self.program.ask(Leading).to(*passes))

    def draws(self, item: Element, frame: Context) -> Source | None:
        """What a loop draws as batches: what a parallel model is then trained with."""
        key = (item, frame)
        if key not in self._drawn:
            self._drawn[key] = None
            if id(frame.function) in self.training and not counts(self.program, item.of, frame) and self._feeds(item, frame):
                self._drawn[key] = Source("batch", frame.module, Spot(item.line, item.column, item.line, item.column + 1))
        return self._drawn[key]

    def passes(self, statement: Try, frame: Context) -> bool:
        """Whether a pass of a parallel model runs in the body of a ``try``: on one rank it may fail for want of memory."""
        nodes = (node for node in walk(statement.body) if isinstance(node, CallStep))
        return any(self._trains(node.term, frame) for node in nodes if self.may_talk(node.term))

    def is_pass(self, call: Call, frame: Context) -> bool:
        if self.communication.met(call, frame) is not None:
            return True
        targets = self.index.targets(call, frame)
        return any(isinstance(target, FunctionValue) and id(target.function) in self.training for target in targets)

    def _feeds(self, item: Element, frame: Context) -> bool:
        """Whether what a loop draws is what a parallel model is trained with; a loader, which another loop draws from, is not."""
        inner = (node.subject for node in statements_of(frame.function) if isinstance(node, Loop))
        if any(_mentions(subject, item) and not is_range(self.program, subject, frame) for subject in inner):
            return False
        nodes = (node.term for node in calls_of(frame.function))
        return any(self._trains(call, frame) for call in nodes if self.may_talk(call) and _mentions(call, item))

    def _trains(self, call: Call, frame: Context) -> bool:
        """Whether a call is a pass of a parallel model, or leads to one; asking it for its state is none."""
        met = self.communication.met(call, frame)
        return self.is_pass(call, frame) if met is None else met.name in STEPS

    # -- verdicts --------------------------------------------------------------------------------------------------

    def verdict(self, target: FunctionValue, frame: Context) -> Verdict:
        """What is known of one call of a function: what the ranks make of it, where nothing in it is asked of data."""
        if self._asks(target.module, target.function) or self._told_data(frame):
            return super().verdict(target, frame)
        return Verdict((), self.plain.verdict(target, frame).talks)

    def _told_data(self, frame: Context) -> bool:
        """Whether a call passes data on."""
        bounds = [bound for bound in frame.arguments.values() if isinstance(bound, Argument)]
        return any(data_in(self._sample.value(bound.term, bound.frame)) is not None for bound in bounds)

    def own_source(self, term: Term, frame: Context) -> Source | None:
        """Where data of its own comes from that a rank computed a value from, or answers a test by; None for all else."""
        data = data_in(self._sample.value(term, frame))
        if data is None or data.raw or data.size or data.source.word not in _COMPUTED or self.own.equal(term, frame):
            return None
        source: Source = data.source
        return source

    def _passed(self, term: Term, frame: Context) -> object:
        if self.own.is_model(term, frame):
            return ("model", term, frame)
        value, asked = self._sample.evaluate(term, frame)
        data = data_in(value)
        if asked or data is None:
            return super()._passed(term, frame)
        return ("data", value)

    def asks_data(self, function: Function) -> bool:
        """Whether something in a function is asked of data, as far as a quick look tells."""
        return (
            id(function) in self.training or id(function) in self.own.by_hand or not self._asking.isdisjoint(names_of(function))
        )

    def _asks(self, module: str, function: Function) -> bool:
        """Whether something in a function is asked of data, or may fail, as far as a quick look tells."""
        if self.asks_data(function):
            return True
        known = self._attempting.get(id(function))
        if known is None:
            attempts, frame = of_kind(function, Try), self.program.frame(module, function)
            known = any(self.failing.failing(attempt, frame) is not None for attempt in attempts)
            known = known or bool(self.own.combinations(frame))
            self._attempting[id(function)] = known
        return known

    def _compared_by(self, builders: list[Builder], function: Function, frame: Context) -> tuple[tuple[Divergence, ...], bool]:
        nodes = Nodes()
        builder = TwinBuilder(self, 0, nodes)
        builders.append(builder)
        root = builder.trace(function, frame)
        if not any(isinstance(symbol.key, Data) for symbol in root.core.symbols):
            return (), talks(root)
        comparison = Comparison(self, [builder, builder], nodes, twins=True)
        comparison.compare(builder, root, builder, root)
        return comparison.found(), talks(root)

    def reported(self) -> Sequence[Divergence]:
        """All places where a rank and its twin part, each once."""
        found: dict[tuple[object, ...], Divergence] = {}
        guards: dict[tuple[str, Spot], Divergence] = {}
        for path, function in self.program.functions():
            if self.communication.runs(function) and not function.generator and self._asks(path, function):
                for frame in self._frames_of(path, function):
                    for divergence in self._verdict(path, function, frame).divergences:
                        found.setdefault(divergence.key, divergence)
        ranked = {d.call for d in self.plain.reported()} if found else set()
        for divergence in found.values():  # one test is one mistake, however much hangs on it
            if divergence.call in ranked or self._catches_up(divergence):
                continue
            if self.plain.some_only_come_to(divergence.guard.frame.function):
                continue  # the mistake is the call, and it is reported
            place = (divergence.guard.module, divergence.guard.spot)
            known = guards.setdefault(place, divergence)
            if (divergence.exit is not None, known.call.spot) > (known.exit is not None, divergence.call.spot):
                guards[place] = divergence
        return list(guards.values())

    def _catches_up(self, divergence: Divergence) -> bool:
        """Whether it is a pass of a model by a rank that met an error in such a pass: it runs one more for the one it missed.

        Nor is it known what a rank that could not read something makes of the pass.
        """
        word = self.tested[divergence.guard].word
        return (word == "failure" or (word == "error" and divergence.arm)) and self._is_step(divergence)

    def _is_step(self, divergence: Divergence) -> bool:
        """Whether it is a pass of a model that some ranks do not run."""
        event = divergence.event
        return self.sort(event) == "step" or self.collective(event) not in self.program.knowledge.collectives

    def _frames_of(self, path: str, function: Function) -> Iterable[Context]:
        """In which activations a function is run: which model is trained in it may be its callers' choice."""
        own = self.program.frame(path, function)
        handed = id(function) in self.training or any(isinstance(call.term.callee, Param) for call in calls_of(function))
        return (own, *calling_contexts(self.program, path, function)) if handed else (own,)


def _leaves(block: Block) -> bool:
    """Whether a block ends with a way out: also in a ``with``, or a ``try`` whose handlers are for what fails."""
    last = block[-1] if block else None
    if isinstance(last, (With, Try)):
        return _leaves(last.orelse if isinstance(last, Try) and last.orelse else last.body)
    return isinstance(last, Exit)


def _path_in(asked: Term) -> Term | None:
    """What a question about a file is about: its first argument, or what it is a method of."""
    if not isinstance(asked, Call):
        return None
    return asked.args[0] if asked.args else asked.callee.base if isinstance(asked.callee, Attr) else None


def _mentions(term: Term, item: Term, ends: Callable[[Term], bool] = lambda _: False) -> bool:
    """Whether an item is among what a call is given, or what that was computed from, where nothing ends the way to it."""
    pending, seen = [term], {term}
    while pending:
        term = pending.pop()
        if term is item:
            return True
        fresh = [part for part in given_in(term) if part not in seen and not ends(part)]
        seen.update(fresh)
        pending += fresh
    return False
