"""Do the ranks agree? Runs each function once for each example rank and compares the traces, within a budget of work.

How much work the comparison of ranks may be for each file.

One function has limits of its own (statements to run through, steps to compare), but functions that call one another in many
ways can each be as much work as these allow, and machine-written files have thousands. So what all functions of a file take
together grows with the size of the file and no faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from trainlint.domains.communication import Communication
from trainlint.domains.data_parallel.models import STEPS
from trainlint.domains.rank_local_data import RankLocalData
from trainlint.finding import Spot
from trainlint.flow.paths import GivenUp
from trainlint.ir.bindings import carried_names
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Element,
    Global,
    Kwargs,
    List,
    Nested,
    Or,
    Param,
    Ref,
    Round,
    Select,
    Self,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import Block, CallStep, Caught, Exit, Function, If, Loop, Module, Statement, Try, With, Yield
from trainlint.ir.terms import Terms
from trainlint.ir.walk import blocks_of, of_kind, statements_of, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name, methods_of
from trainlint.program.indirect_calls import FrameworkCallbacks, Spawned
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.stores import Contents
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
from trainlint.spmd.build import Builder, TooLarge, TooMuch
from trainlint.spmd.calling import leads_to_itself
from trainlint.spmd.compare import Comparison
from trainlint.spmd.divergence import Divergence, workers_join
from trainlint.spmd.loop_rounds import IdleLoops, is_last
from trainlint.spmd.opaque_calls import Decorators
from trainlint.spmd.operators import is_own
from trainlint.spmd.paths import ahead, talks
from trainlint.spmd.questions import ANY
from trainlint.spmd.ranks import NOBODY, Evaluator
from trainlint.spmd.symbols import UNKNOWN, WORLD, Something
from trainlint.spmd.trace import Event, Invoke, Node, Nodes

#: Statements to run through for each statement of a file, and those that any file may take. In real projects (accelerate,
#: torchtitan) files take 1.5 on the average and 7.5 at most.
_EACH, _LEAST = 25, 40_000


class Budget:
    """What is left for each file; ``limits`` are what there was, as far as anybody asked."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._modules = modules
        self._left: dict[str, int] = {}
        self.limits: dict[str, int] = {}

    def spend(self, path: str, amount: int = 1) -> bool:
        """Take something away for the file at ``path``. False when nothing was left, or is."""
        left = self._left.get(path)
        if left is None:
            module = self._modules.get(path)
            size = 0 if module is None else sum(map(len, map(statements_of, module.functions.values())))
            left = self.limits[path] = _LEAST + _EACH * size
        self._left[path] = left = left - amount
        return left > 0


#: Statements that one function's traces may run through before it is given up.
_LIMIT = 60_000
#: Calls of one function that are judged, each with its own arguments.
_MOST_ACTIVATIONS = 24
#: What is not judged of a function that is beyond these limits.
_ABOUT = "collectives that only some ranks reach"
#: Methods that run under the name of a class, or of an object.
_OF_OBJECTS = ("__init__", "__enter__", "__exit__", "__call__", "forward")
#: Kinds of terms that may name a function which is handed over.
_NAMES = frozenset((Global, Nested, Ref, Param, Attr))
#: What runs before and after the body of a ``with``.
_SIDES = {"__enter__": "__exit__", "__exit__": "__enter__"}


class Verdict(NamedTuple):
    """Where the ranks part in a function, and whether it runs any collective at all (with these arguments).

    ``consulted`` are the parameters, of this function or of others, that had a part in it. ``apart`` says that ranks may go ways
    of their own in it, whatever they communicate there.
    """

    divergences: tuple[Divergence, ...]
    talks: bool
    consulted: frozenset[str] = frozenset((ANY,))
    apart: bool = True


class Agreement:
    """Divergences of every function of a program, computed on demand."""

    def __init__(self, program: Program) -> None:
        self._terms = Terms()
        self._attempts: dict[int, Try] = {}
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
        #: Functions (by id) that are not the same in all ways in which they are called.
        self._unlike: set[int] = set()
        self._calls: dict[tuple[object, ...], Verdict] = {}
        self.own: RankLocalData = program.ask(RankLocalData)
        self._sample: Evaluator = Evaluator(program, 0, self.consult)
        self._contents = program.ask(Contents)
        makers = (name for name, kind in program.knowledge.collective_kinds.items() if kind == "new-group")
        #: The calls that make groups of processes, of those that the program has.
        self._groups = frozenset(name for name in makers if name.rpartition(".")[2] in self.index.names)
        self._started = program.ask(Spawned)
        self.given_up: dict[int, GivenUp] = {}
        self.decorators = Decorators(self)
        self._frames: dict[Context, Verdict] = {}
        self._handed: dict[tuple[Term, Context], tuple[object, frozenset[str]]] = {}
        self._functions: dict[int, Verdict] = {}
        self.hooks = program.ask(FrameworkCallbacks)
        self._names = self._talking_names()
        self._leaving: set[str] | None = None
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
        #: Whether the iteration of something may communicate.
        self.drawing_tells = bool(talking) or self.iterators
        self._telling: dict[int, tuple[Block, Block]] = {}
        self.idle_loops = IdleLoops(self)

    def _talking_names(self) -> frozenset[str]:
        names = set(self.program.knowledge.collective_names)
        for step in self.communication.steps.values():
            function = step.site.function
            names.add(function.name)
            if function.name in _OF_OBJECTS and function.cls is not None:
                names.add(function.cls.rpartition(".")[2])
        for site_name, aliases in self.index.aliases.items():
            if site_name in names:
                names |= aliases
        names.update(name.rpartition(".")[2] for name in self.program.knowledge.ends)
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
        if name in self._names or isinstance(call.callee, (Select, Or, And, Call, Subscript, Element, Param, Nested, Self)):
            return True
        if self._leaving is None:
            self._leaving = {f.name for _, f in self.program.functions() if self.communication.leaves(f)}
        return name in self._leaving

    @remembered()
    def leads_to_itself(self, function: Function) -> bool:
        """Whether a function that communicates can come to a call of itself."""
        return leads_to_itself(self, function)

    def draws_apart(self, target: FunctionValue) -> bool:
        """Whether a generator that communicates nothing itself leaves, or counts, by the rank: its items may differ in number."""
        return self._ends_apart(target, raising=False) or self._loops_apart(target)

    def _loops_apart(self, target: FunctionValue) -> bool:
        """Whether a function counts, in a ``while`` loop, from a number of the rank (``for`` loops are measured elsewhere)."""
        if not any(loop.kind == "while" for loop in of_kind(target.function, Loop)):
            return False
        frame = self.program.frame(target.module, target.function)
        return any(self._sample.evaluate(each.entry, frame)[1] for each in carried_names(target.function))

    def raises_apart(self, target: FunctionValue) -> bool:
        """Whether a function raises by a test on the rank."""
        return id(target.function) in self.communication.raising and self._ends_apart(target, raising=True)

    def stops_apart(self, function: Function, frame: Context) -> bool:
        """Whether an activation ends the process, which did not fail, by a test on the rank, and not in a last round."""
        if not self.communication.leaves(function):
            return False
        exits = [(node, led) for node, led in walk_tested(function.body) if isinstance(node, Exit)]
        ways = [conditions(led) for node, led in exits if node.kind == "exit" and not node.error]
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

    def verdict(self, target: FunctionValue, frame: Context) -> Verdict:
        """What is known of one call of a function. A call into its own recursion is one opaque, equal event."""
        if target.function in self._running:
            return Verdict((), id(target.function) not in self.communication.obeying)
        return self._verdict(target.module, target.function, frame)

    def divergences(self, module: str, function: Function) -> tuple[Divergence, ...]:
        """Where ranks part in a function on its own."""
        return self._verdict(module, function, self.program.frame(module, function)).divergences

    def _verdict(self, module: str, function: Function, frame: Context) -> Verdict:
        known = self._functions.get(id(function)) or self._frames.get(frame)
        told = None
        alone = self.program.frame(module, function) if known is None else frame
        if known is None and frame is not alone:
            by_itself = self._frames.get(alone) or self._verdict(module, function, alone)
            if self._judged.get(id(function), 0) >= _MOST_ACTIVATIONS and id(function) not in self._unlike:
                return by_itself  # as in all ways in which it was judged
            told = self._told(frame, by_itself.consulted) if by_itself.consulted else None
            known = by_itself if told is None else self._calls.get(told)
        if known is None:
            judged = self._judged[id(function)] = self._judged.get(id(function), 0) + 1
            if judged > _MOST_ACTIVATIONS and frame is not alone:
                # A function that is called in very many ways is not judged in all of them, but by itself.
                return self._verdict(module, function, alone)
            known = self._judge(function, frame)
            self._frames[frame] = known
            if told is not None:
                self._calls[told] = known
                if known[:2] != by_itself[:2]:
                    self._unlike.add(id(function))
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
            raise TooMuch(f"it has more than {self.budget.limits[self.paying]:,} call paths")

    def consult(self, parameter: str) -> None:
        """A parameter was asked for."""
        if parameter not in self.consulted:
            self.consulted |= {parameter}

    def _judge(self, function: Function, frame: Context) -> Verdict:
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
                return Verdict(own, talking, self.consulted, apart=self.ranked)
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

    def _given_up(self, function: Function, frame: Context, own: tuple[Divergence, ...], error: Exception) -> Verdict:
        """A function beyond the limits: one call of it is like any other, and what its callees do is still theirs."""
        limit = str(error) if isinstance(error, TooLarge) else "too deeply nested"
        if isinstance(error, TooMuch) and frame.module not in self._poor:
            self._poor.add(frame.module)  # one function stands for all from here on
            self.given_up[id(function)] = GivenUp(frame.module, function, limit, _ABOUT, more=True)
        if frame.caller is not None:
            return self._verdict(frame.module, function, self.program.frame(frame.module, function))
        if not isinstance(error, TooMuch):
            self.given_up[id(function)] = GivenUp(frame.module, function, limit, _ABOUT)
        met = {divergence.key: divergence for verdict in self._called(function, frame) for divergence in verdict.divergences}
        standing = tuple(met.values())
        return Verdict(() if _may_balance((*own, *standing)) else standing, talks=True)

    def _called(self, function: Function, frame: Context) -> Iterator[Verdict]:
        """The verdicts of the functions that a function calls."""
        terms = [node.term for node in of_kind(function, CallStep) if self.may_talk(node.term)]
        for term in terms:
            for target in self.index.targets(term, frame):
                if isinstance(target, FunctionValue) and self.communication.runs(target.function):
                    yield self.verdict(target, self.program.enter(target, term, frame))

    def _compared(self, function: Function, frame: Context) -> tuple[tuple[Divergence, ...], bool]:
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

    def _compared_once(self, function: Function, frame: Context) -> tuple[tuple[Divergence, ...], bool]:
        builders: list[Builder] = []
        try:
            return self._compared_by(builders, function, frame)
        finally:
            for builder in builders:
                builder.evaluator.take_apart()

    def _compared_by(self, builders: list[Builder], function: Function, frame: Context) -> tuple[tuple[Divergence, ...], bool]:
        """The same, by builders that are noted."""
        self.ranked = False
        nodes = Nodes()
        first = Builder(self, 0, nodes)
        first.looking = not self.inlining
        builders.append(first)
        root = first.trace(function, frame)
        if not self.ranked:
            return (), talks(root)
        if first.passed_over:
            nodes = Nodes()
            first = builders[0] = Builder(self, 0, nodes)
            root = first.trace(function, frame)
        others = [Builder(self, rank, nodes) for rank in range(1, WORLD)]
        builders += others
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

    def _told(self, frame: Context, asked: frozenset[str]) -> tuple[object, ...] | None:
        """What a call passes that may decide a test, as a key that equal calls share; None when it passes nothing such.

        That is a constant, something of the rank, a default that is left out; and the same of the call that made the object.
        Only what the function has ``asked`` for counts.
        """
        function = frame.function
        if frame.call is not None and any(name is None and isinstance(value, Kwargs) for name, value in frame.call.kwargs):
            self.consult(ANY)  # what it was given, and hands on
        said: list[object] = []
        all_of_them = ANY in asked
        for name, bound in (*frame.arguments.items(), *frame.surplus.items()):
            if not all_of_them and name not in asked:
                continue
            key = self._passed(bound.term, bound.frame) if isinstance(bound, Argument) else id(bound)
            if key is None and isinstance(bound, Argument):
                key = self._is_given(function.defaults.get(name), bound)
            if key is not None:
                said.append((name, key))
        defaults = (parameter for parameter in function.defaults if all_of_them or parameter in asked)
        left_out = tuple(parameter for parameter in defaults if parameter not in frame.arguments)
        owner = frame.receiver
        made: tuple[object, ...] = ()
        derived = isinstance(owner, Instance) and owner.cls.qualname != function.cls  # its hooks are those of its own class
        if isinstance(owner, Instance):
            made = (id(owner.cls),)
        if isinstance(owner, Instance) and owner.call is None:
            for name in asked:
                self.consult(name)  # what the object was made with, if this is asked in its constructor
        if isinstance(owner, Instance) and owner.call is not None and owner.frame is not None:
            named = (value for name, value in owner.call.kwargs if all_of_them or name is None or name in asked)
            given = (*owner.call.args, *named)
            made = (*made, *(self._passed(term, owner.frame) for term in given))
            if self.idle_loops.gathers(owner.cls):
                made = (*made, owner.call)  # what it was given since
        if not said and not left_out and frame.open and not derived and all(part is None for part in made[1:]):
            return None
        return (id(function), made, frame.open, left_out, *said)

    def _is_given(self, default: Term | None, bound: Argument) -> str | None:
        """How it is known that no None is passed for a parameter that is None by default: it is something, or is taken to be."""
        if default is None or not isinstance(default, Const) or default.value is not None:
            return None
        if isinstance(self._sample.value(bound.term, bound.frame), Something):
            return "given"
        return "taken to be given" if is_own(bound) else None

    def _passed(self, term: Term, frame: Context) -> object:
        """What is known of an argument: its value, or which one it is when ranks differ in it; None when unknown.

        It is worked out once: each call of a method asks again what its object was made with.
        """
        known = self._handed.get((term, frame))
        if known is None:
            before, self.consulted = self.consulted, NOBODY
            placed, self._sample.place_dependent = self._sample.place_dependent, False
            try:
                known = self._known_of(term, frame), self.consulted
                if not self._sample.place_dependent:
                    self._handed[term, frame] = known
            finally:
                self.consulted = before
                self._sample.place_dependent = placed or self._sample.place_dependent
        if not known[1] <= self.consulted:
            self.consulted |= known[1]
        return known[0]

    def _known_of(self, term: Term, frame: Context) -> object:
        root = term
        while isinstance(root, (Attr, Subscript)):
            root = root.base
        if isinstance(root, Param):
            self.consult(root.name)  # what is passed on may be a matter of who calls the caller
        if self._of_model(term, frame):
            return ("of a model", term, frame)
        if type(term) in _NAMES:
            for given in self.program.values(term, frame):
                if self.communication.talks(given):
                    return ("runs", id(given.function) if isinstance(given, FunctionValue) else given)
        if isinstance(term, (List, Tuple, Dict, Global)):
            runs = self._runs_among(term, frame)
            if runs:
                return ("runs", *runs)
        group = self._group(term, frame)
        if group is not None:
            return ("group", group)
        if self._contents.is_changed(term, frame.function):
            return ("changed", term, frame)
        value, asked = self._sample.evaluate(term, frame)
        if asked:
            return ("of the rank", term, frame)
        return (type(value).__name__, value) if not isinstance(value, UNKNOWN) else None

    def _group(self, term: Term, frame: Context) -> Term | None:
        """The call that made the group of processes which is passed: what the callee communicates, it does among these."""
        if not self._groups or isinstance(term, Const):
            return None
        made = (
            value for value in self.program.values(term, frame) if isinstance(value, LibraryObject) and value.name in self._groups
        )
        return next((value.call for value in made), None)

    def _runs_among(self, term: Term, frame: Context) -> list[object]:
        """What communicates among the items of a list, tuple or dict that is passed."""
        found: list[object] = []
        for whole in self.program.values(term, frame):
            if not isinstance(whole, Unresolved):
                continue
            display = whole.term
            if not isinstance(display, (List, Tuple, Dict)) or type(display.items) is not tuple:
                continue
            parts = (value for _, value in display.items) if isinstance(display, Dict) else display.items
            for part in parts:
                if type(part) in _NAMES or isinstance(part, Call):
                    found += [part for value in self.program.values(part, whole.frame) if self._may_run(value)]
        return found

    def _may_run(self, value: Value) -> bool:
        """Whether a value is a function that communicates, or an object with a method that does."""
        if isinstance(value, Instance):
            methods = methods_of(self.program, ClassValue(value.module, value.cls))
            return any(self.communication.runs(method) for _, method in methods)
        return self.communication.talks(value)

    def _of_model(self, term: Term, frame: Context) -> bool:
        """Whether an argument is a model that all ranks train, or a loss of one: calls with it may communicate in the callee."""
        models = self.communication.parallel
        if not self.communication.unnamed or isinstance(term, (Const, Ref)):
            return False
        return bool(models.kinds(term, frame)) or (
            isinstance(term, (Call, BinOp, Param, Attr, Subscript)) and models.trained(term, frame)
        )

    def instead(self, call: Call, arm: Term) -> Call:
        """The same call of one of the two things that may be called, or of its method."""
        callee = call.callee
        return self.with_callee(call, self._terms.make(Attr, arm, callee.name) if isinstance(callee, Attr) else arm)

    def with_callee(self, call: Call, callee: Term) -> Call:
        """The same call of something else."""
        return self._terms.make(Call, callee, call.args, call.kwargs, call.site)

    def attempt(self, statement: With, kinds: tuple[Term, ...]) -> Try:
        """The ``try`` that a ``with suppress(kinds)`` is."""
        known = self._attempts.get(id(statement))
        if known is None:
            caught = Caught(self._terms.make(Tuple, kinds), statement.spot)
            known = self._attempts[id(statement)] = Try(statement.body, ((),), (), (), statement.spot, (caught,))
        return known

    def applied(self, call: Call, arguments: tuple[Term, ...]) -> Call:
        """The call that something makes that is given a function: of its first argument, with these arguments."""
        return self._terms.make(Call, call.args[0], arguments, call.kwargs, call.site)

    def mapped(self, call: Call, spot: Spot) -> Call:
        """The call that ``map(function, items)`` makes in a round."""
        return self.applied(call, tuple(self._terms.make(Element, subject, *spot[:2]) for subject in call.args[1:]))

    def round_of(self, condition: Term, number: int) -> Term:
        """A loop's condition as it is asked for the so manieth time."""
        return self._terms.make(Round, condition, number)

    _reported: list[Divergence] | None = None

    def reported(self) -> Sequence[Divergence]:
        """All divergences that no caller makes good, each once."""
        if self._reported is None:
            self._reported = self._report()
        return self._reported

    def _report(self) -> list[Divergence]:
        found: dict[tuple[object, ...], Divergence] = {}
        for path, function in self.program.functions():
            if self.communication.runs(function) and not self._is_a_side(path, function):
                for divergence in self.divergences(path, function):
                    if divergence.key in found or self._said_by_callers(divergence):
                        continue
                    if divergence.counts and not self._comes_to_the_top(divergence, path, function, set()):
                        continue  # a caller that is not in sight may let the others catch up
                    if self._stands(divergence, function) and not workers_join(self.program, divergence):
                        found[divergence.key] = divergence
        return list(found.values())

    def _is_a_side(self, path: str, function: Function) -> bool:
        """Whether ranks meet on both sides of a ``with`` that is not in sight: one may run what is missed on the other."""
        if function.name not in _SIDES or function.cls is None or self.index.callers(function):
            return False
        cls = self.program.modules[path].classes.get(function.cls)
        other = self.program.method(ClassValue(path, cls), _SIDES[function.name]) if cls is not None else None
        return other is not None and self.communication.runs(other[1])

    def _said_by_callers(self, divergence: Divergence) -> bool:
        """Whether ranks stop at an assertion that says who may call the function, and each caller is told that only some do."""
        if divergence.exit is None or divergence.exit.where.spot != divergence.guard.spot:
            return False
        sites = self.index.callers(divergence.guard.frame.function)
        return bool(sites) and all(self._some_only(site) for site in sites)

    def some_only_come_to(self, function: Function) -> bool:
        """Whether it is found of all calls of a function, or of all that lead to them, that some ranks only make them."""
        waiting, seen, found = [function], {id(function)}, False
        while waiting:
            called = waiting.pop()
            sites = [site for site in self.index.callers(called) if site.function is not called]
            if not sites:
                return False
            for site in sites:
                if self._some_only(site):
                    found = True
                elif id(site.function) not in seen:
                    seen.add(id(site.function))
                    waiting.append(site.function)
        return found

    def _some_only(self, site: CallSite) -> bool:
        """Whether it is found that some ranks only make a call."""
        spot = site.call.term.site
        return any(d.kind == "branch" and d.call.spot == spot for d in self.divergences(site.module, site.function))

    def _stands(self, divergence: Divergence, function: Function) -> bool:
        """Whether the divergence is still there in some caller (or there is no caller to make it good).

        What is started as a process for each rank is such a start too, beside a call of it in one process (``run(0, settings)``).
        """
        waiting, seen, stays = [function], {id(function)}, True
        while waiting:
            called = waiting.pop()
            sites = [site for site in self.index.callers(called) if site.function is not called]
            if called.kind == "module" or self._started.numbers(called) or not any(self._looks_into(s.function) for s in sites):
                return True
            for site in sites:
                if id(site.function) in seen:
                    continue
                if any(each.key == divergence.key for each in self.divergences(site.module, site.function)):
                    seen.add(id(site.function))
                    waiting.append(site.function)
                else:
                    stays = False
        return stays  # they call each other, and nobody else does

    def _comes_to_the_top(self, divergence: Divergence, path: str, function: Function, seen: set[int]) -> bool:
        """Whether the divergence is still there when a whole file is run, or what is started as a process for each rank."""
        if all(d.key != divergence.key for d in self.divergences(path, function)):
            return False
        if self._started.numbers(function):
            return True
        if function.kind == "module":
            return True
        seen.add(id(function))
        sites = (site for site in self.index.callers(function) if id(site.function) not in seen)
        return any(self._comes_to_the_top(divergence, site.module, site.function, seen) for site in sites)

    def _looks_into(self, function: Function) -> bool:
        """Whether a caller was judged at all (a caller that only hands the function on says nothing)."""
        return self.communication.runs(function) and not function.generator

    def telling(self, block: Block, module: str) -> Block:
        """The statements of a block, of the file ``module``, that can put something into the trace of a rank (remembered)."""
        known = self._telling.get(id(block))
        if known is None:
            kept: list[Statement] = []
            for statement in block:  # no generator expressions here: ten thousand cases are ten thousand levels
                if self._tells(statement, module):
                    kept.append(statement)  # noqa: PERF401
            # The block itself is kept too: its id is nobody else's as long as it lives.
            known = self._telling[id(block)] = block, tuple(kept)
        return known[1]

    def _tells(self, statement: Statement, module: str) -> bool:
        if isinstance(statement, CallStep):
            return self.may_talk(statement.term) or self.communication.says(module, statement.term)
        if isinstance(statement, Loop) and (statement.kind != "for" or self.drawing_tells):
            return True  # it may go on for ever, which is told, too
        if isinstance(statement, (Exit, With, Yield)):
            return True
        for part in blocks_of(statement):  # noqa: SIM110 - no generator expressions here: see above
            if self.telling(part, module):
                return True
        return False


def _ends(test: If, raising: bool) -> bool:
    """Whether a way out (an error only, to which nothing before it is another way out) stands in an arm of a test."""
    if not raising:
        return any(isinstance(node, Exit) for node in (*test.body, *test.orelse))
    return _raises(test.body) or _raises(test.orelse)


def _raises(block: Block) -> bool:
    ended = next((index for index, node in enumerate(block) if isinstance(node, Exit) and node.kind == "raise"), None)
    return ended is not None and not any(isinstance(node, Exit) for node in walk(block[:ended]))


def _may_balance(divergences: Sequence[Divergence]) -> bool:
    """Whether divergences may make each other good: rank 0 runs more in one of them, other ranks in another."""
    return len({divergence.arms[0] for divergence in divergences}) > 1
