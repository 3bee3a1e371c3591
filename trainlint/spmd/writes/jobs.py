"""Which functions run on every rank of a distributed job, and what tells it.

Activations that all ranks of a job run.

Activations in which all ranks surely meet: then all ranks run them, whoever calls them.

A function that joins the job, or in which a collective runs without a condition, is run by all ranks: otherwise they would wait
for each other. So who calls it need not be asked. A function that starts the processes of the job runs in one process before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trainlint.domains.communication import Communication
from trainlint.finding import Spot
from trainlint.ir.abstract_interpretation import Interpreter
from trainlint.ir.nodes import Attr, Call, Const, Global, Param, Ref, Self, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Function, If, Loop, Statement, Store, Try
from trainlint.ir.terms import is_none
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.guards import ends_process, guards, tests_at
from trainlint.program.indirect_calls import FrameworkCallbacks, Spawned
from trainlint.program.memo import remembered
from trainlint.program.naming import library_method
from trainlint.program.program import calls_of
from trainlint.program.values import Context, FunctionValue, Library
from trainlint.spmd.questions import DEEPEST
from trainlint.spmd.symbols import WORLD
from trainlint.spmd.uniform_check import Agreement
from trainlint.spmd.writes.paths import speaks
from trainlint.spmd.writes.reach import Reach, Reaching

if TYPE_CHECKING:
    from trainlint.program.program import Program


class Member(NamedTuple):
    """An activation that all ranks run; ``why`` and ``spot`` say what tells so, ``reach`` is the way from there to the place.

    ``runner`` is the library's call that runs the activation, where that is one that belongs to all ranks. ``joins`` says that
    the job is joined here: then nobody hands in what is another thing on each rank.
    """

    frame: Context
    spot: Spot
    why: str
    reach: Reach
    joins: bool = True
    runner: str = ""


def registered(program: Program, frame: Context, way: Reach) -> Member | None:
    """An activation that nobody calls, of a function that every rank hands to a library, to be run on every rank.

    The call that runs it must be in sight: a script that only loads may have the registration of the one that saves.
    """
    found = program.ask(FrameworkCallbacks).registration(frame.function)
    if found is None:
        return None
    site, runner = found.site, found.runner
    last = runner.rpartition(".")[2]
    if not any(other.module == site.module for other in program.ask(CallGraph).sites_named(last)):
        return None
    made = program.ask(Reaching).reach(site.call.term, program.frame(site.module, site.function))
    if not all(made.ranks) or not made.sure:
        return None
    return Member(frame, frame.function.spot, f"`{last}` must be called on every rank, and runs this there", way, True, last)


def of_library(program: Program, frame: Context, way: Reach) -> Member | None:
    """An activation of a method that all ranks have to call, in the source of the very library that has it."""
    if library_method(program, frame) is None:
        return None
    name = frame.function.name
    return Member(frame, frame.function.spot, f"`{name}` must be called on every rank", way, False, name)


class Meeting:
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._talks = program.ask(Communication)
        self._index = program.ask(CallGraph)

    @remembered()
    def within(self, frame: Context) -> Call | None:
        """The first call in an activation at which every rank that runs it surely meets the others; None when there is none."""
        found = [_Meets(self, frame, rank).run() for rank in (0, WORLD - 1)]
        return found[0] if None not in found else None

    @remembered(False)
    def meets(self, call: Call, frame: Context) -> bool:
        """Whether all ranks surely meet in a call: in a collective of all of them, or in a function that runs one in any case."""
        targets = self._index.targets(call, frame)
        return bool(targets) and all(self._is_met(target, call, frame) for target in targets)

    def _is_met(self, target: FunctionValue | Library, call: Call, frame: Context) -> bool:
        if isinstance(target, Library):
            return (
                self._talks.collective(target)
                and self._talks.communicates(target.name, call, frame)
                and not self._among_some(target.name, call)
            )
        function = target.function
        if function.generator or frame.depth > DEEPEST or frame.runs(function) or not self._talks.runs(function):
            return False
        if self.waits(function.name):
            return not self._is_often_alone(target)
        return self.within(self.program.enter(target, call, frame)) is not None

    def _is_often_alone(self, target: FunctionValue) -> bool:
        """Whether a function calls a method of one of several objects, and those of some of them do not communicate."""
        frame = self.program.frame(target.module, target.function)
        called = [self._index.targets(node.term, frame) for node in calls_of(target.function)]
        talking = [[isinstance(each, Library) or self._talks.runs(each.function) for each in several] for several in called]
        return any(any(answers) and not all(answers) for answers in talking)

    @remembered()
    def waits(self, name: str) -> bool:
        """Whether a function is called what projects call theirs around a barrier."""
        return speaks(name, self.program.knowledge.job_waits)

    def _among_some(self, name: str, call: Call) -> bool:
        """Whether a collective may be one of a group of ranks."""
        position = self.program.knowledge.collectives[name]
        given = [value for keyword, value in call.kwargs if keyword == "group"]
        given += call.args[position : position + 1] if position >= 0 else ()
        return any(not is_none(value) for value in given)


#: What is known of a rank that has met nobody yet.
_ALONE_YET = "alone"


class _Meets(Interpreter["Call | str"]):
    """Runs an activation on one rank: the call in which it surely meets the others, or that it has not."""

    def __init__(self, meeting: Meeting, frame: Context, rank: int) -> None:
        super().__init__()
        self.meeting = meeting
        self.frame = frame
        self.rank = rank

    def run(self) -> Call | None:
        """The first call in which it surely meets them; an error ends the program for all."""
        end = self.behind(lambda: self.block(self.frame.function.body, _ALONE_YET), "return")
        return end if isinstance(end, Call) else None

    def step(self, node: Statement, state: Call | str) -> Call | str:
        """A call may be where they meet."""
        is_met = state == _ALONE_YET and isinstance(node, CallStep) and self.meeting.meets(node.term, self.frame)
        return node.term if is_met and isinstance(node, CallStep) else state

    def join(self, one: Call | str, other: Call | str) -> Call | str:
        """They have met where they have on both ways."""
        return one if isinstance(other, Call) else other

    def arm(self, node: If, holds: bool, state: Call | str) -> Call | str | None:
        """The state at the end of an arm, if this rank may take it."""
        truth = self.meeting.program.ask(Reaching).truth(node.condition, self.frame, self.rank)
        return None if truth is (not holds) else super().arm(node, holds, state)

    def loop(self, node: Loop, state: Call | str) -> Call | str:  # noqa: ARG002 - it may have no round
        """Nothing is sure in a loop."""
        return state

    def attempt(self, node: Try, state: Call | str) -> Call | str | None:
        """As if nothing failed."""
        return self.block((*node.body, *node.orelse, *node.final), state)


class Proof(NamedTuple):
    """A call in an activation that all ranks make, why they do, and whether the job is joined by it."""

    call: Call
    why: str
    joins: bool


class Evidence:
    """Answers for one program; ``joins`` are the calls by which functions join a job, with the library's name for it."""

    def __init__(self, program: Program, joins: Mapping[int, list[tuple[Call, str]]]) -> None:
        self.program = program
        self._joins = joins
        self._talks = program.ask(Communication)
        self._met: dict[Context, tuple[Proof, ...]] = {}

    def of(self, frame: Context, asked: Term) -> Iterator[Proof]:
        """What tells it of an activation; also a meeting under no more tests than the call that is asked about.

        Under a test that some ranks do not pass it would hang: so where it runs, all run what stands beside it.
        """
        for call, name in self._joins.get(id(frame.function), ()):
            yield Proof(call, f"every rank of the job gets here (`{_last(name)}`)", True)
        if not self._talks.runs(frame.function):
            return
        way = guards(self.program, frame.function)
        mine = way.get(asked, ())
        met = self._met.get(frame)
        if met is None:
            met = self._met[frame] = tuple(self._meetings(frame))  # each write of the function is asked about
        for proof in met:
            if all(guard.kind == "left" or (guard.kind == "test" and guard in mine) for guard in way.get(proof.call, ())):
                yield proof
        if frame.function.kind == "module":
            return  # a script calls what a library has for jobs, and is none for that
        inside = self.program.ask(Meeting).within(frame)
        if inside is not None:
            yield self._meeting(inside)

    def is_known(self, function: Function) -> bool:
        """Whether a function may be one of which that can be told by what it runs."""
        return self._talks.runs(function)

    def _meetings(self, frame: Context) -> Iterator[Proof]:
        """The calls in a function at which all ranks meet: the first collective, and what the project made of one."""
        step = self._talks.steps[id(frame.function)]
        if not isinstance(step.target, FunctionValue):
            name = step.target.name
            known = name in self.program.knowledge.collectives
            yield Proof(step.site.call.term, _why(name) if "." in name else f"every rank runs a {name} here", not known)
        for node in calls_of(frame.function):
            targets = self.program.ask(CallGraph).targets(node.term, frame)
            if any(isinstance(target, FunctionValue) and self._talks.runs(target.function) for target in targets):
                name = last_name(node.term.callee) or ""
                if self.program.ask(Meeting).waits(name):
                    yield Proof(node.term, _why(name), True)
                elif frame.function.kind != "module" and self.program.ask(Meeting).meets(node.term, frame):
                    yield self._meeting(node.term)

    def _meeting(self, call: Call) -> Proof:
        return Proof(call, _why(last_name(call.callee) or "call"), False)


def _why(name: str) -> str:
    return f"`{_last(name)}` runs on every rank: so does this function"


def _is_of_self(callee: Term) -> bool:
    return isinstance(callee, Attr) and isinstance(callee.base, Self)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


#: How many calls may lie between a function and the call that joins the job: further up there is mostly a test on the way to it.
_FAR = 2
#: Files that one process runs: notebooks, and tests, which pytest finds by these names.
_ALONE = re.compile(r"\.ipynb$|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")


class Jobs:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.joins: dict[int, list[tuple[Call, str]]] = {}
        self.launches: set[int] = set()
        self._spawned: set[int] = set()
        self._steps = program.ask(Communication).steps
        self.evidence = Evidence(program, self.joins)
        self._may: set[int] | None = None
        knowledge = program.knowledge
        self._joining = {name.rpartition(".")[2] for name in knowledge.jobs}
        samplers = {name for name, kind in knowledge.kinds.items() if kind in ("distributed-sampler", "prepared")}
        dotted = {*knowledge.collectives, *knowledge.job_wrappers, *knowledge.ranks}
        signs = {name.rpartition(".")[2] for name in dotted} | set(knowledge.conventions) | set(knowledge.environment)
        self._signs = (signs - knowledge.common_methods) | {name.rpartition(".")[2] for name in samplers}
        self._find_joins()
        self._find_launches()

    def _find_joins(self) -> None:
        knowledge = self.program.knowledge
        queue = [(site.function, site.call.term, name) for site, name in self._sites(knowledge.jobs)]
        for _ in range(_FAR + 1):
            queue = [found for function, name in self._noted(queue) for found in self._callers(function, name)]
        self._noted([each for each in queue if each[0].kind == "module"])  # ``main()``: a script is no further than what it calls
        queue = [(site.function, site.call.term, name) for site, name in self._sites(knowledge.job_wrappers)]
        while queue:  # an object that wraps its own model runs on every rank
            queue = [
                (site.function, site.call.term, name)
                for function, name in self._noted(queue)
                if function.cls is not None
                for site in self.index.callers(function)
                if site.function.cls is not None and _is_of_self(site.call.term.callee)
            ]

    def _callers(self, function: Function, name: str) -> list[tuple[Function, Call, str]]:
        """The functions that call one that joins the job, and by which call; who makes an object that joins it is as near."""
        found: list[tuple[Function, Call, str]] = []
        for site in self.index.callers(function) if function.kind != "module" else ():
            if site.function is not function:
                found.append((site.function, site.call.term, name))
                if site.function.name == "__init__" and _is_of_self(site.call.term.callee):
                    self._noted(found[-1:])
                    found += self._callers(site.function, name)
        return found

    def _sites(self, names: frozenset[str]) -> Iterator[tuple[CallSite, str]]:
        """The calls of library functions with these dotted names."""
        for last in sorted({name.rpartition(".")[2] for name in names}):
            for site in self.index.sites_named(last):
                for target in self.program.values(site.call.term.callee, self.program.frame(site.module, site.function)):
                    if isinstance(target, Library) and target.name in names:
                        yield site, target.name

    def _noted(self, joining: list[tuple[Function, Call, str]]) -> list[tuple[Function, str]]:
        """Take up calls that join the job; of their functions those of which none was known."""
        fresh: list[tuple[Function, str]] = []
        for function, call, name in joining:
            known = self.joins.setdefault(id(function), [])
            fresh += [] if known else [(function, name)]
            if all(call is not other for other, _ in known):
                known.append((call, name))
        return fresh

    def _find_launches(self) -> None:
        queue: list[Function] = []
        for site, _ in self._sites(self.program.knowledge.spawners):
            queue.append(site.function)
            self._note_spawned(site)
        queue += [site.function for site, _ in self._sites(self.program.knowledge.forks)]
        queue += [site.function for site, _ in self._sites(self.program.knowledge.starters) if self._starts_ranks(site)]
        while queue:
            function = queue.pop()
            if id(function) in self.launches:
                continue
            self.launches.add(id(function))
            if function.kind != "module":
                queue += [site.function for site in self.index.callers(function)]

    def _starts_ranks(self, site: CallSite) -> bool:
        """Whether what a call starts as a process, each with a number of its own, joins the job: others load, or log."""
        target = next((value for name, value in site.call.term.kwargs if name == "target"), None)
        frame = self.program.frame(site.module, site.function)
        values = self.program.values(target, frame) if target is not None else ()
        functions = [each.function for each in values if isinstance(each, FunctionValue)]
        return any(id(each) in self.joins and self.program.ask(Spawned).numbers(each) for each in functions)

    def _note_spawned(self, site: CallSite) -> None:
        call = site.call.term
        frame = self.program.frame(site.module, site.function)
        for argument in (*call.args[:1], *(value for name, value in call.kwargs if name in ("fn", "f"))):
            for value in self.program.values(argument, frame):
                if isinstance(value, FunctionValue):
                    self._spawned.add(id(value.function))

    def frames(self, module: str, function: Function) -> list[Context]:
        """The activations of a function; what is started once for each rank is not taken to be run by a direct call beside."""
        found = [self._rooted(frame) for frame in calling_contexts(self.program, module, function)]
        alone = self.program.frame(module, function)
        if of_library(self.program, alone, Reach((True,) * WORLD, True)) is not None:
            found.append(alone)  # most of its callers are out of sight
        return list(dict.fromkeys(found))

    def _rooted(self, frame: Context) -> Context:
        chain = [frame]
        while chain[-1].caller is not None:
            chain.append(chain[-1].caller)
        for index in range(len(chain) - 2, -1, -1):
            if id(chain[index].function) in self._spawned:
                return self._entered(chain[: index + 1]) or frame
        return frame

    def _entered(self, chain: list[Context]) -> Context | None:
        """The same calls again, innermost first, with nothing known of the arguments of the outermost function."""
        top = chain[-1]
        current = self.program.frame(top.module, top.function)
        for inner in reversed(chain[:-1]):
            if inner.call is None:
                return None
            targets = self.index.targets(inner.call, current)
            target = next((t for t in targets if isinstance(t, FunctionValue) and t.function is inner.function), None)
            if target is None:
                return None
            current = self.program.enter(target, inner.call, current)
        return current

    def may_join(self, function: Function) -> bool:
        """Whether a function may run in a job: it, or what may call it by its name alone, joins one or runs a collective."""
        if self._may is None:
            self._may = self._may_join()
        return id(function) in self._may

    def _may_join(self) -> set[int]:
        """Such functions (by id): outward from those that are known, all that is called by one name at once."""
        index = self.index
        functions = {id(function): function for _, function in self.program.functions()}
        found = {key for key, function in functions.items() if self._is_known(function)}
        called: dict[str, list[int]] = {}
        rest = {key: each for key, each in functions.items() if each.kind != "module" and key not in found} if found else {}
        for key, function in rest.items():
            for name in index.names_of(function):
                called.setdefault(name, []).append(key)
        fresh = found
        while fresh:
            calls = index.names_called_in(functions[key] for key in fresh)
            named = [meant for name, meant in called.items() if not calls.isdisjoint(index.spellings(name))]
            chosen = [each for each in index.chosen_in(fresh) if each in rest and index.may_be_chosen(rest[each])]
            fresh = {*chosen, *(each for meant in named for each in meant)} - found
            found |= fresh
        return found

    def _is_known(self, function: Function) -> bool:
        if id(function) in self.joins or self.program.ask(FrameworkCallbacks).registration(function) is not None:
            return True
        return id(function) in self._spawned or self.evidence.is_known(function)

    def member(self, call: Call, frame: Context) -> Member | None:
        """From where all ranks run on the way to a call: the innermost activation of which that is known."""
        asked = self.program.ask(Reaching)
        way: Reach | None = None
        current: Context | None = frame
        over = False
        if self._alone(frame):
            return None
        while current is not None:
            over = over or ends_process(self.program, current.function, call)
            if id(current.function) in self.launches:
                return None
            here = asked.reach(call, current)
            way = here if way is None else here.then(way)
            for proof in self.evidence.of(current, call):
                if proof.call is call or (over and before(current.function, call, proof.call)):
                    continue
                if all(asked.reach(proof.call, current).ranks) and self._together(proof.call, call, current.function):
                    return Member(current, proof.call.site, proof.why, way, proof.joins)
            if id(current.function) in self._spawned:
                return Member(current, current.function.spot, "this function is started once for every rank", way)
            found = of_library(self.program, current, way)
            if found is not None:
                return found
            if current.call is None or current.caller is None:
                return registered(self.program, current, way)
            call, current = current.call, current.caller
        return None

    def ways(self, call: Call, frame: Context) -> Iterator[Reach]:
        """The way to a call from each activation that leads to it, the innermost first: one of them is that of :meth:`member`."""
        way: Reach | None = None
        while True:
            here = self.program.ask(Reaching).reach(call, frame)
            way = here if way is None else here.then(way)
            yield way
            if frame.call is None or frame.caller is None:
                break
            call, frame = frame.call, frame.caller
        hook = registered(self.program, frame, way)
        if hook is not None:
            yield hook.reach

    def supposed(self, call: Call, frame: Context) -> Member | None:
        """From where all ranks run on the way to a call, by a collective anywhere in a function on it, whatever its tests.

        Some setting chooses between what communicates and what does not; who chooses are all ranks, unless a caller lets one in
        only. So the whole way from the outermost caller in sight must be free of tests that may tell ranks apart.
        """
        if self._alone(frame):
            return None
        found: tuple[Context, Spot, str] | None = None
        way = Reach((True,) * WORLD, True)
        current: Context | None = frame
        while current is not None:
            if id(current.function) in self.launches:
                return None
            way = self.program.ask(Reaching).reach(call, current).then(way)
            step = self._steps.get(id(current.function))
            if found is None and step is not None and not isinstance(step.target, FunctionValue):
                meeting = step.site.call.term
                if all(self.program.ask(Reaching).reach(meeting, current).ranks):
                    found = current, meeting.site, step.target.name.rpartition(".")[2]
            if current.call is None or current.caller is None:
                break
            call, current = current.call, current.caller
        if found is None:
            return None
        where, spot, name = found
        return Member(
            where, spot, f"`{name}` runs on every rank, here or depending on a setting: so does this function", way, False
        )

    def _alone(self, frame: Context) -> bool:
        """Whether one process runs an activation because of a file on the way to it, and nobody starts it as several."""
        current: Context | None = frame
        while current is not None:
            if _ALONE.search(current.module) is not None and id(current.function) not in self._spawned:
                return True
            current = current.caller
        return False

    def beside(self, call: Call, frame: Context) -> Member | None:
        """An object whose methods keep other ranks out is made on all of them: its constructor runs everywhere."""
        function = frame.function
        cls = self.program.modules[frame.module].classes.get(function.cls or "")
        if function.name != "__init__" or cls is None:
            return None
        functions = self.program.modules[frame.module].functions
        for qualname in cls.methods.values():
            method = functions[qualname]
            for index, (decorator, spot) in enumerate(zip(method.decorators, method.decorator_spots, strict=False)):
                if self._keeps_out(decorator, frame.module, method, index):
                    why = f"`{method.name}` is called on every rank, but runs on one only: every rank has the object"
                    return Member(frame, spot, why, self.program.ask(Reaching).reach(call, frame))
        return None

    def _keeps_out(self, decorator: Term, module: str, method: Function, index: int) -> bool:
        """Whether a decorator lets one rank in only, by what it does or, where that is not so plain, by its name."""
        if self.program.ask(Agreement).decorators.arms(module, method, index) is not None:
            return True
        return self.program.knowledge.decorators.get(last_name(decorator) or "") in ("main", "local_main")

    def _together(self, evidence: Term, call: Call, function: Function) -> bool:
        """Whether both calls can be in one run of a function: not in two arms of a test, nor one after the other has left."""
        mine = tests_at(self.program, function, call)
        for guard in guards(self.program, function).get(evidence, ()):
            if guard.kind == "test" and any((condition, not truth) in mine for condition, truth in guard.parts):
                return False
            if guard.kind == "left" and mine.issuperset(guard.parts):
                return False
        return True

    def together(self, member: Member, frame: Context) -> bool:
        """Whether the processes of a job do anything together.

        A script without functions may join one only because a library asks for it: it must show more than that.
        """
        if member.frame.function.kind != "module":
            return True
        modules = {member.frame.module}
        current: Context | None = frame
        while current is not None:
            modules.add(current.module)
            current = current.caller
        return any(self._shows(module) for module in modules)

    @remembered()
    def _shows(self, module: str) -> bool:
        terms = (term for function in self.program.modules[module].functions.values() for term in _asked(function))
        return any(
            last_name(part) in self._signs
            if isinstance(part, (Attr, Ref, Global, Param))
            else isinstance(part, Const) and part.value in self._signs
            for term in terms
            if not (isinstance(term, Call) and last_name(term.callee) in self._joining)
            for part in _parts(term)
        )

    def several_nodes(self, *modules: str) -> bool:
        """Whether one of these files asks for the rank in the whole job too: it is meant for more than one node."""
        return any(self._asks_rank(module) for module in modules)

    def _asks_rank(self, module: str) -> bool:
        knowledge = self.program.knowledge
        names = {name.rpartition(".")[2] for name, word in knowledge.ranks.items() if word in ("rank", "main")}
        variables = {name for name, word in knowledge.environment.items() if word == "rank"}
        for function in self.program.modules[module].functions.values():
            for term in _asked(function):
                for part in _parts(term):
                    if isinstance(part, (Attr, Ref, Global)) and last_name(part) in names:
                        return True
                    if isinstance(part, Const) and part.value in variables:
                        return True
        return False


def _asked(function: Function) -> Iterator[Term]:
    """The calls, tests and stored values of a function."""
    for node in statements_of(function):
        if type(node) is CallStep:
            yield node.term
        elif type(node) is Store:
            yield node.value
        elif type(node) is If:
            yield node.condition


def _parts(term: Term) -> Iterator[Term]:
    """A term and what it is made of, two steps deep."""
    yield term
    for part in term.subterms():
        yield part
        yield from part.subterms()
