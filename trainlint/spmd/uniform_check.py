"""Do the ranks agree? Runs each function once for each example rank and compares the traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.communication import Communication
from trainlint.facts.contents import Contents
from trainlint.facts.framework_callbacks import Hooked
from trainlint.facts.parallel import STEPS
from trainlint.facts.per_rank_taint import OwnData
from trainlint.facts.program import Program
from trainlint.facts.spawned import Spawned
from trainlint.facts.values import Frame, FunctionValue, Library
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import And, Call, Element, Nested, Or, Param, Select, Subscript
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Loop
from trainlint.ir.walk import of_kind, walk
from trainlint.spmd.budget import Budget
from trainlint.spmd.build import Builder, TooLarge, TooMuch
from trainlint.spmd.caller_excuses import Standing
from trainlint.spmd.compare import Comparison
from trainlint.spmd.context_key import Passing
from trainlint.spmd.decorators import Decorators
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.last_rounds import is_last
from trainlint.spmd.paths import ahead, talks
from trainlint.spmd.questions import ANY
from trainlint.spmd.ranks import NOBODY, Evaluator
from trainlint.spmd.recursion import leads_to_itself
from trainlint.spmd.relevant_slice import Telling
from trainlint.spmd.rewriting import Rewriting
from trainlint.spmd.symbols import WORLD
from trainlint.spmd.trace import Event, Invoke, Node, Nodes

#: Statements that one function's traces may run through before it is given up.
_LIMIT = 60_000
#: Calls of one function that are judged, each with its own arguments.
_MOST_ACTIVATIONS = 24
#: Methods that run under the name of a class, or of an object.
_OF_OBJECTS = ("__init__", "__enter__", "__exit__", "__call__", "forward")


class Verdict(NamedTuple):
    """Where the ranks part in a function, and whether it runs any collective at all (with these arguments).

    ``consulted`` are the parameters, of this function or of others, that had a part in it.
    """

    divergences: tuple[Divergence, ...]
    talks: bool
    consulted: frozenset[str] = frozenset((ANY,))


class GivenUp(NamedTuple):
    """A function that is beyond the limits of the analysis, and which limit that is."""

    module: str
    function: Function
    limit: str
    #: Whether other functions of the file may not have been judged either.
    more: bool = False


class Agreement(Passing, Rewriting, Standing, Telling):
    """Divergences of every function of a program, computed on demand."""

    def __init__(self, program: Program) -> None:
        Rewriting.__init__(self)
        self.program = program
        self.communication = program.ask(Communication)
        self.index = program.ask(CallGraph)
        self.limit = _LIMIT
        self.budget = Budget(program.modules)
        #: The file whose function is being judged.
        self.paying: str | None = None
        self._poor: set[str] = set()
        self.ranked = False
        #: Whether the last comparison came to where nothing can be said.
        self.unsettled = False
        #: Whether ranks run different things at one place, of which nobody knows which is the odd one.
        self.unmatched = False
        self.consulted: frozenset[str] = NOBODY
        self.inlining = False
        #: Whether unknown things in traces are known by what they are made of (see ``unknowns.py``).
        self.identifying = False
        self.met: dict[tuple[object, ...], Divergence] = {}
        self.met_at: dict[tuple[object, ...], set[Node | None]] = {}
        self._judged: dict[int, int] = {}
        self._calls: dict[tuple[object, ...], Verdict] = {}
        self.own: OwnData = program.ask(OwnData)
        self._sample = Evaluator(program, 0, self.consult)
        self._contents = program.ask(Contents)
        makers = (name for name, kind in program.knowledge.collective_kinds.items() if kind == "new-group")
        self._groups = frozenset(name for name in makers if self.index.sites_named(name.rpartition(".")[2]))
        self._started = program.ask(Spawned)
        self.given_up: dict[int, GivenUp] = {}
        self.decorators = Decorators(self)
        self._frames: dict[Frame, Verdict] = {}
        self._functions: dict[int, Verdict] = {}
        self.hooks = program.ask(Hooked)
        self._names = self._talking_names()
        self._apart: dict[tuple[int, bool], bool] = {}
        self._running: list[Function] = []
        #: Library calls that draw from a generator at once.
        shapes = program.knowledge.iterates
        self.consumers = program.knowledge.drains | {name for name in shapes if shapes[name] == "item"}
        #: Whether there are generators, and whether the iteration of some object communicates (by a generator or not).
        generators = [f for _, f in program.functions() if f.generator]
        talking = {f.name for f in generators if self.communication.runs(f)}
        self.generators, self.iterators = bool(generators), not self._names.isdisjoint(("__iter__", "__next__"))
        if talking:
            self._names |= {name.rpartition(".")[2] for name in self.consumers}
        self.drawing_tells = bool(talking) or self.iterators
        self._telling = {}
        self._recursive: dict[int, bool] = {}
        #: The methods that fill an attribute, by the id of its class and its name (see ``gathered.py``).
        self.gathering: dict[tuple[int, str], frozenset[str] | None] = {}

    def _talking_names(self) -> frozenset[str]:
        names = {name.rpartition(".")[2] for name in self.program.knowledge.collectives}
        for step in self.communication.steps.values():
            function = step.site.function
            names.add(function.name)
            if function.name in _OF_OBJECTS and function.cls is not None:
                names.add(function.cls.rpartition(".")[2])
        for site_name, aliases in self.index.aliases.items():
            if site_name in names:
                names |= aliases
        names.update(name.rpartition(".")[2] for name in self.program.knowledge.ends)
        names.update(f.name for _, f in self.program.functions() if self.communication.leaves(f))
        names.update(f.name for f in self.communication.raising.values())
        names.update(self.communication.kept)
        names.update(runner.rpartition(".")[2] for runner in self.hooks.by_runner)
        names.update(said.rpartition(".")[2] for said, method in self.program.knowledge.protocols.items() if method in names)
        names.update(name.rpartition(".")[2] for name, how in self.program.knowledge.applies.items() if how == "each")
        return frozenset(names)

    def may_talk(self, call: Call) -> bool:
        """Whether a call may communicate, judged by its name alone (cheap, never wrong in saying no)."""
        if call in self.communication.unnamed:
            return True
        name = last_name(call.callee)
        return name in self._names or isinstance(call.callee, (Select, Or, And, Call, Subscript, Element, Param, Nested))

    def leads_to_itself(self, function: Function) -> bool:
        """Whether a function that communicates can come to a call of itself."""
        known = self._recursive.get(id(function))
        if known is None:
            known = self._recursive[id(function)] = leads_to_itself(self, function)
        return known

    def draws_apart(self, target: FunctionValue) -> bool:
        """Whether a generator that communicates nothing itself leaves, or counts, by the rank: its items may differ in number."""
        return self._ends_apart(target, raising=False) or self._loops_apart(target)

    def _loops_apart(self, target: FunctionValue) -> bool:
        """Whether a function counts, in a ``while`` loop, from a number of the rank (``for`` loops are measured elsewhere)."""
        if not any(loop.kind == "while" for loop in of_kind(target.function, Loop)):
            return False
        frame = self.program.frame(target.module, target.function)
        return any(self._sample.evaluate(first, frame)[1] for first, _ in target.function.carried.values())

    def raises_apart(self, target: FunctionValue) -> bool:
        """Whether a function raises by a test on the rank."""
        return id(target.function) in self.communication.raising and self._ends_apart(target, raising=True)

    def stops_apart(self, function: Function, frame: Frame) -> bool:
        """Whether an activation ends the process, which did not fail, by a test on the rank, and not in a last round."""
        if not self.communication.leaves(function):
            return False
        ways = [conditions(led) for node, led in walk_tested(function.body) if isinstance(node, Exit) and _is_end(node)]
        apart = [tests for tests in ways if any(self._sample.evaluate(test, frame)[1] for test, _ in tests)]
        return any(not any(is_last(test, frame) for test, _ in tests) for tests in apart)

    def _ends_apart(self, target: FunctionValue, *, raising: bool) -> bool:
        """Whether a function is left (by an error only) by a test on the rank."""
        function = target.function
        known = self._apart.get((id(function), raising))
        if known is None:
            frame = self.program.frame(target.module, function)
            tests = (node.condition for node in of_kind(function, If) if _ends(node, raising))
            known = self._apart[id(function), raising] = any(self._sample.evaluate(test, frame)[1] for test in tests)
        return known

    def verdict(self, target: FunctionValue, frame: Frame) -> Verdict:
        """What is known of one call of a function. A call into its own recursion is one opaque, equal event."""
        if target.function in self._running:
            return Verdict((), id(target.function) not in self.communication.obeying)
        return self._verdict(target.module, target.function, frame)

    def divergences(self, module: str, function: Function) -> tuple[Divergence, ...]:
        """Where ranks part in a function on its own."""
        return self._verdict(module, function, self.program.frame(module, function)).divergences

    def _verdict(self, module: str, function: Function, frame: Frame) -> Verdict:
        known = self._functions.get(id(function)) or self._frames.get(frame)
        told = None
        if known is None and frame.caller is not None:
            alone = self.program.frame(module, function)
            by_itself = self._frames.get(alone) or self._verdict(module, function, alone)
            told = self._told(frame, by_itself.consulted) if by_itself.consulted else None
            known = by_itself if told is None else self._calls.get(told)
        if known is None:
            judged = self._judged[id(function)] = self._judged.get(id(function), 0) + 1
            if judged > _MOST_ACTIVATIONS and frame.caller is not None:
                # A function that is called in very many ways is not judged in all of them, but by itself.
                return self._verdict(module, function, self.program.frame(module, function))
            known = self._judge(function, frame)
            self._frames[frame] = known
            if told is not None:
                self._calls[told] = known
            if not known.consulted:
                self._functions[id(function)] = known  # its arguments do not matter
        return known

    def collective(self, event: Event | Invoke) -> str:
        """The dotted name of the collective that an event runs in the end (of the function, when that is not known)."""
        if isinstance(event, Event):
            return event.name
        chain = self.communication.chain(event.target.function)
        last = chain[-1].target if chain else None
        return last.name if isinstance(last, Library) else event.target.function.name

    def sort(self, event: Event | Invoke) -> str:
        """What a collective is beside a collective, by table ``collectives.kinds``: ``framework-save`` and the like, or "" ."""
        name = self.collective(event)
        return "step" if name in STEPS else self.program.knowledge.collective_kinds.get(name, "")

    def spend(self, amount: int) -> None:
        """Work is done for the function that is being judged. Raises :class:`TooMuch` when its file has had its share."""
        if self.paying is not None and not self.budget.spend(self.paying, amount):
            raise TooMuch(f"its functions call one another in more than {self.budget.limits[self.paying]:,} ways")

    def consult(self, parameter: str) -> None:
        """A parameter was asked for."""
        if parameter not in self.consulted:
            self.consulted |= {parameter}

    def _judge(self, function: Function, frame: Frame) -> Verdict:
        """Compare the ranks, first with every callee as one event, equal on all ranks.

        A callee in which ranks part is judged by itself. Only where such callees occur it is asked whether they make
        each other good (one lets rank 0 wait, another lets it arrive): then all of them are looked into.
        """
        saved = self.ranked, self.consulted, self.inlining, self.met, self.met_at
        paid, self.paying = self.paying, frame.module
        self.consulted, self.inlining, self.met, self.met_at = NOBODY, False, {}, {}
        own: tuple[Divergence, ...] = ()
        self._running.append(function)
        try:
            own, talking = self._compared(function, frame)
            met = self.met
            if not met:
                return Verdict(own, talking, self.consulted)
            if not _may_balance((*own, *met.values())):
                return Verdict((*own, *met.values()), talking, self.consulted)
            self.inlining = True
            together, _ = self._compared(function, frame)
            if not together and not self.unsettled and (own or not self.unmatched):
                return Verdict((), talking, self.consulted)
            if not together:  # a loop of unknown length cannot make up for something that runs once
                return Verdict((*own, *met.values()), talking, self.consulted)
            found = {divergence.key for divergence in together}
            standing = tuple(d for d in met.values() if not own or d.key in found)
            return Verdict((*own, *standing), talking, self.consulted)
        except (TooLarge, RecursionError) as error:
            return self._given_up(function, frame, own, error)
        finally:
            self._running.pop()
            self.paying = paid
            self.ranked, self.consulted, self.inlining, self.met, self.met_at = saved

    def meet(self, verdict: Verdict, node: Node | None) -> None:
        """There is a call with this verdict: it is ``node`` in the traces (None: its own trace stands in them)."""
        for divergence in verdict.divergences:
            key = (divergence.key, divergence.arms)  # two calls of one function may be two halves of something right
            self.met[key] = divergence
            self.met_at.setdefault(key, set()).add(node)

    def _keep_met_by_both_sides(self, roots: Sequence[Node]) -> None:
        """Forget where callees part that only ranks of one side call: nobody parts in it then.

        That they alone make the call is the caller's own doing, and judged there. A trace is looked through for each rank.
        """
        reached = [set(map(id, ahead(root))) for root in roots]
        for key, nodes in self.met_at.items():
            arms = self.met[key].arms
            sides = {arms[rank] for rank, seen in enumerate(reached) if None in nodes or any(id(node) in seen for node in nodes)}
            if len(sides) == 1:
                del self.met[key]

    def _given_up(self, function: Function, frame: Frame, own: tuple[Divergence, ...], error: Exception) -> Verdict:
        """A function beyond the limits: one call of it is like any other, and what its callees do is still theirs."""
        limit = str(error) if isinstance(error, TooLarge) else "too deeply nested"
        if isinstance(error, TooMuch) and frame.module not in self._poor:
            self._poor.add(frame.module)  # one function stands for all from here on
            self.given_up[id(function)] = GivenUp(frame.module, function, limit, more=True)
        if frame.caller is not None:
            return self._verdict(frame.module, function, self.program.frame(frame.module, function))
        if not isinstance(error, TooMuch):
            self.given_up[id(function)] = GivenUp(frame.module, function, limit)
        met = {divergence.key: divergence for verdict in self._called(function, frame) for divergence in verdict.divergences}
        standing = tuple(met.values())
        return Verdict(() if _may_balance((*own, *standing)) else standing, talks=True)

    def _called(self, function: Function, frame: Frame) -> Iterator[Verdict]:
        """The verdicts of the functions that a function calls."""
        terms = [node.term for node in of_kind(function, CallStep) if self.may_talk(node.term)]
        for term in terms:
            for target in self.index.targets(term, frame):
                if isinstance(target, FunctionValue) and self.communication.runs(target.function):
                    yield self.verdict(target, self.program.enter(target, term, frame))

    def _compared(self, function: Function, frame: Frame) -> tuple[tuple[Divergence, ...], bool]:
        """Where the ranks' traces part, and whether any of them communicates.

        Where they do, they are compared once more, with unknown things known by what they are made of.
        """
        saved, self.identifying = self.identifying, False
        try:
            found, talking = self._compared_once(function, frame)
            if found:
                self.identifying = True
                if not self.inlining:
                    self.met, self.met_at = {}, {}
                found, talking = self._compared_once(function, frame)
            return found, talking
        finally:
            self.identifying = saved

    def _compared_once(self, function: Function, frame: Frame) -> tuple[tuple[Divergence, ...], bool]:
        self.ranked = False
        nodes = Nodes()
        first = Builder(self, 0, nodes)
        root = first.trace(function, frame)
        if not self.ranked:
            return (), talks(root)
        others = [Builder(self, rank, nodes) for rank in range(1, WORLD)]
        roots = [builder.trace(function, frame) for builder in others]
        if self.met and not self.inlining:
            self._keep_met_by_both_sides((root, *roots))
        comparison = Comparison(self, [first, *others], nodes)
        seen: list[tuple[Builder, Node]] = [(first, root)]
        for builder, other in zip(others, roots, strict=True):
            # Of a group without rank 0, the members are compared with each other.
            if nodes.grouped or not any(other is known for _, known in seen):
                for peer, known in seen if nodes.grouped else seen[:1]:
                    if other is not known:
                        comparison.compare(peer, known, builder, other)
                seen.append((builder, other))
        self.unsettled, self.unmatched = comparison.unsettled, comparison.unmatched
        return comparison.found(), any(talks(known) for _, known in seen)


def _ends(test: If, raising: bool) -> bool:
    """Whether a way out (an error only, to which nothing before it is another way out) stands in an arm of a test."""
    if not raising:
        return any(isinstance(node, Exit) for node in (*test.body, *test.orelse))
    return _raises(test.body) or _raises(test.orelse)


def _is_end(node: Exit) -> bool:
    """Whether a way out is the end of a process that did not fail."""
    return node.kind == "exit" and node.error is None


def _raises(block: Block) -> bool:
    ended = next((index for index, node in enumerate(block) if isinstance(node, Exit) and node.kind == "raise"), None)
    return ended is not None and not any(isinstance(node, Exit) for node in walk(block[:ended]))


def _may_balance(divergences: Sequence[Divergence]) -> bool:
    """Whether divergences may make each other good: rank 0 runs more in one of them, other ranks in another."""
    return len({divergence.arms[0] for divergence in divergences}) > 1
