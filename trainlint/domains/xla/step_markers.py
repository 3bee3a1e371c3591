"""Step markers: training loops on XLA whose steps nothing ends, or whose gradients nobody reduces.

Loops that run the same models as another one beside them, which ends each of its rounds on XLA, and do not end
theirs.

How a training loop on XLA steps its optimizer: whether the program's step is ever ended, and gradients are ever
reduced.

Both are questions after something that is missing. Whatever a loop may run is asked for it: the loop itself,
functions it calls, and the files these stand in. A framework that drives the loop ends its steps and reduces its
gradients itself.

Loaders of XLA that are made for runs on several cores alone, where nothing ends the steps of a run on one.

Such a loader ends a step for each batch, so that ``xm.optimizer_step(optimizer)`` has no need to. On one core
people leave the loader out; then the optimizer's step has to be told (``barrier=True``), or the step is to be
marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.xla.training_loops import Evidence, Xla, XlaLoop
from trainlint.finding import Spot
from trainlint.flow.objects import Things
from trainlint.ir.control_dependence import conditions, conjuncts
from trainlint.ir.nodes import NAMED, Attr, Call, Compare, Const, Dict, Global, Ref, Self, Term
from trainlint.ir.order import loops_around, within
from trainlint.ir.printer import code_in, show, spelled
from trainlint.ir.sketch import Block, CallStep, Choice, Class, Function, If, Loop, Statement, With
from trainlint.ir.terms import chain_of, is_none, parts_of, root_of
from trainlint.ir.walk import Entered, Region, blocks_of, of_kind, reachable, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import deep, is_constant, truth
from trainlint.program.handed_back import is_likely
from trainlint.program.imports import imported
from trainlint.program.loops import Loops, repeats
from trainlint.program.program import Program
from trainlint.program.running_calls import activations, executed
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, LibraryObject, Unresolved

_SHARED = 2


class Beside(NamedTuple):
    """The call of a model in a loop whose rounds nobody ends, that loop, and the call that ends the rounds of the other one."""

    module: str
    call: CallStep
    loop: Spot
    marked: Spot


def unmarked_beside(program: Program) -> Iterator[Beside]:
    """Each such loop: it runs parts of its object, two of them at least, that the other one runs in its rounds as well."""
    marks = frozenset(program.knowledge.tables["xla.marks"]["names"])
    seen: set[tuple[str, Spot]] = set()
    for site in (site for name in sorted(marks) for site in program.ask(CallGraph).sites.get(name, ())):
        around = loops_around(site.function, site.call)
        if not around or not _ends_step(program, site) or tests_software(program, site.module, site.function):
            continue
        run = _parts_run(program, site.module, site.function, around[-1])
        if len(run) < _SHARED:
            continue
        for function, loop in _others(program, site, around[-1]):
            own = _parts_run(program, site.module, function, loop)
            shared = [name for name in own if name in run]
            models = [name for name in shared if "." not in name]
            key = (site.module, loop.spot)
            if len(shared) < _SHARED or not models or key in seen:
                continue
            if not program.ask(Loops).says(site.module, function, loop.body, marks):
                seen.add(key)
                yield Beside(site.module, own[models[0]], loop.spot, site.call.term.site)


def _ends_step(program: Program, site: CallSite) -> bool:
    """Whether a call ends a step of XLA."""
    frame = program.frame(site.module, site.function)
    return any(program.ask(Xla).role(value) == "step" for value in program.values(site.call.term.callee, frame))


def _others(program: Program, site: CallSite, marked: Loop) -> Iterator[tuple[Function, Loop]]:
    """The outermost other loops of the functions of the same class."""
    cls = _class_of(program, site.module, site.function)
    for function in program.modules[site.module].functions.values() if cls is not None else ():
        if _class_of(program, site.module, function) is not cls:
            continue
        found: list[Loop] = []
        for loop in of_kind(function, Loop):
            nested = function is site.function and (within(function, loop, marked) or within(function, marked, loop))
            apart = loop is not marked and not nested
            if loop.kind == "for" and loop.names and apart and not any(within(function, each, loop) for each in found):
                found.append(loop)
                yield function, loop


def _parts_run(program: Program, module: str, function: Function, loop: Loop) -> dict[str, CallStep]:
    """What a loop runs of its object: ``unet`` for ``self.unet(x)``, ``scheduler.step`` for ``self.scheduler.step(x)``."""
    found: dict[str, CallStep] = {}
    cls = _class_of(program, module, function)
    for node in walk(loop.body):
        if isinstance(node, CallStep) and cls is not None:
            name = _part(node.term.callee)
            if name is not None and program.method(ClassValue(module, cls), name.partition(".")[0]) is None:
                found.setdefault(name, node)
    return found


def _class_of(program: Program, module: str, function: Function) -> Class | None:
    """The class around a function, also around one that is defined in a method."""
    sketch = program.modules[module]
    around: Function | None = function
    while around is not None and around.cls is None:
        around = sketch.functions.get(around.outer or "")
    return sketch.classes.get(around.cls or "") if around is not None else None


def _part(callee: Term) -> str | None:
    return ".".join(chain_of(callee)) or None if isinstance(root_of(callee), Self) else None


class Stepped(NamedTuple):
    """A call that steps an optimizer in a loop on XLA; ``own`` says that it is torch_xla's own function.

    ``launch``: what starts the loop on every core, where that is asked for. ``library`` is the name under which the call's file
    has torch_xla's functions of steps, or None.
    """

    loop: XlaLoop
    module: str
    call: CallStep
    own: bool
    library: str | None
    launch: Evidence | None = None


def once(found: Iterable[Stepped]) -> Iterator[Stepped]:
    """Each call once, in whatever activations it is found."""
    seen: set[tuple[str, Spot]] = set()
    for each in found:
        key = (each.module, each.call.term.site)
        if key not in seen:
            seen.add(key)
            yield each


class _Run(NamedTuple):
    """What a loop runs: its optimizer steps, and the files of its functions."""

    steps: list[tuple[Context, CallStep, bool]]
    files: set[str]
    functions: set[int]


class Stepping:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.xla = program.ask(Xla)
        self.tables = program.knowledge.tables
        self.things = program.ask(Things)

    # -- what is missing -------------------------------------------------------------------------------------------

    def unmarked(self) -> Iterator[Stepped]:
        """The loops whose steps nobody ends, each with the step of its optimizer."""
        asked = list(self._loops())
        fed = {(loop.frame.module, loop.spot) for loop in asked if self._is_fed(loop)}
        for loop in asked:
            if (loop.frame.module, loop.spot) in fed or not self._feeds_itself(loop):
                continue
            run = self._run(loop)
            names = frozenset(self.tables["xla.marks"]["names"])
            if not run.steps or self.names(run.files, names | frozenset(self.tables["xla.traced"]["names"]), run.functions):
                continue
            if self.program.ask(Loops).says(loop.frame.module, loop.frame.function, loop.body, names):
                continue
            if any(self.has_barrier(call.term, frame) for frame, call, own in run.steps if own):
                continue
            if all(own or self._is_sure(call.term.callee, frame) for frame, call, own in run.steps):
                frame, call, own = run.steps[-1]
                yield Stepped(loop, frame.module, call, own, self._library(frame.module))

    def _is_sure(self, callee: Term, frame: Context) -> bool:
        return isinstance(callee, Attr) and self.things.of(callee.base, frame).sure

    def unreduced(self) -> Iterator[Stepped]:
        """The loops on several cores whose gradients nobody reduces, each with the step of its optimizer."""
        for loop in self._loops():
            launch = self.xla.launch(loop.frame)
            if launch is None or self._alone(launch):
                continue
            run = self._run(loop)
            if not run.steps or any(own for _, _, own in run.steps):
                continue
            files = run.files | {launch.module}
            if self.names(files, frozenset(self.tables["xla.reduces"]["names"])) or self._replicates(files):
                continue
            for frame, call, _ in run.steps:
                callee = call.term.callee
                if not isinstance(callee, Attr) or is_likely(self.program, callee.base, frame):
                    continue  # what is unknown may be what reduces the gradients
                made = self.things.of(callee.base, frame).made
                if made and all(
                    isinstance(each, LibraryObject) and self.program.knowledge.optimizer_kind(each.name) == "optimizer"
                    for each in made
                ):
                    yield Stepped(loop, frame.module, call, False, self._library(frame.module), launch)

    def too_early(self) -> Iterator[tuple[str, CallStep]]:
        """The calls that reduce gradients before a closure, handed on to the optimizer's step, computes them."""
        index = self.program.ask(CallGraph)
        for name in self.tables["xla.steps"]["names"]:
            for site in index.sites_named(name):
                frame = self.program.frame(site.module, site.function)
                if self._is_own(site.call.term, frame) and self._takes_closure(site.call.term, frame):
                    yield site.module, site.call

    def _takes_closure(self, call: Call, frame: Context) -> bool:
        words = self.tables["xla.closures"]
        given = [value for name, value in call.kwargs if words.get(str(name)) == "arguments"]
        shown = [value.term for term in given for value in self.program.values(term, frame) if isinstance(value, Unresolved)]
        return any(
            isinstance(key, Const) and words.get(str(key.value)) == "closure" and not is_none(item)
            for each in (*given, *shown)
            if isinstance(each, Dict)
            for key, item in each.items
        )

    def _loops(self) -> Iterator[XlaLoop]:
        steps = frozenset(("step", *self.tables["xla.steps"]["names"]))
        for loop in self.xla.training():
            if not loop.evidence.certain or tests_software(self.program, loop.frame.module, loop.frame.function):
                continue
            if not self._drives(loop.frame.module) and not repeats(self.program, loop.body, loop.frame, steps):
                yield loop

    # -- what a loop runs ------------------------------------------------------------------------------------------

    def _run(self, loop: XlaLoop) -> _Run:
        run = _Run([], set(), set())
        current: Context | None = loop.frame
        while current is not None:
            run.files.add(current.module)
            run.functions.add(id(current.function))
            current = current.caller
        seen: set[int] = set()

        def entered(node: CallStep, here: Context) -> Iterator[Context]:
            is_step = self._is_own(node.term, here) or self._is_step(node.term, here)
            for inner in () if is_step else activations(self.program, node.term, here):
                if id(inner.function) not in seen:
                    seen.add(id(inner.function))
                    yield inner

        for node, here in executed(loop.body, loop.frame, self._on_xla, entered):
            run.files.add(here.module)
            run.functions.add(id(here.function))
            own = isinstance(node, CallStep) and self._is_own(node.term, here)
            if isinstance(node, CallStep) and (own or self._is_step(node.term, here)):
                run.steps.append((here, node, own))
        return run

    def _on_xla(self, block: Block, frame: Context) -> Iterator[Statement]:
        """What may run of a block; of a test for XLA the arm that runs there."""

        def enter(node: Region | Choice) -> Entered | None:
            if not isinstance(node, (If, Choice)):
                return Entered(blocks_of(node))
            known = truth(self.program, node.condition, frame)
            if known is None:
                known = self.xla.arm(node.condition, frame)
            return Entered(blocks_of(node)) if known is None else Entered((node.body if known else node.orelse,), instead=True)

        return reachable(block, enter)

    def _is_own(self, call: Call, frame: Context) -> bool:
        """``xm.optimizer_step(optimizer)``."""
        if last_name(call.callee) not in self.tables["xla.steps"]["names"]:
            return False
        return any(self.xla.role(value) == "step" for value in self.program.values(call.callee, frame))

    def _is_step(self, call: Call, frame: Context) -> bool:
        """``optimizer.step()``."""
        if not isinstance(call.callee, Attr) or call.callee.name != "step":
            return False
        return self.things.of(call.callee.base, frame).kind == "optimizer"

    def _is_fed(self, loop: XlaLoop) -> bool:
        """Whether a loader of XLA, or one that a library has prepared, hands the batches out."""
        return self.xla.loader(loop.subject, loop.frame) is not None or any(each.prepared for each in loop.loaders)

    def _feeds_itself(self, loop: XlaLoop) -> bool:
        """Whether the batches are known not to come from a loader of XLA: they are moved by hand, or the loader is in sight."""
        if loop.loaders and all(isinstance(each.loader, LibraryObject) for each in loop.loaders):
            return True
        fluent = self.program.knowledge.fluent
        for node in deep(self.program, loop.body, loop.frame):
            if not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr) or node.term.callee.name not in fluent:
                continue
            if any(self.xla.is_device(argument, loop.frame) for argument in node.term.args):
                return True
        return False

    def has_barrier(self, call: Call, frame: Context) -> bool:
        """``barrier=True``, or anything that may be it."""
        given = [value for name, value in call.kwargs if name in ("barrier", None)] + list(call.args[1:2])
        return any(not is_constant(self.program, value, frame, False, None, 0) for value in given)

    # -- what is around --------------------------------------------------------------------------------------------

    def names(self, files: set[str], names: frozenset[str], functions: set[int] | None = None) -> bool:
        """Whether something is called, entered, handed on or used as a decorator by one of these names in one of these files.

        ``functions``: not so in the loops of others than these, which are about the rounds of those loops.
        """
        index = self.program.ask(CallGraph)
        for name in names:
            for site in index.sites.get(name, ()):
                if site.module in files and self._may_be(site.call.term.callee) and not _is_of_other(index, site, functions):
                    return True
            if any(site.module in files for site in index.handed.get(name, ())):
                return True
        return any(last_name(used) in names or self._ends(used) for path in files for used in self._beside_calls(path, functions))

    def _ends(self, callee: Term) -> bool:
        """``with torch_xla.step():``."""
        return bool(isinstance(callee, Ref) and self.program.knowledge.xla.get(callee.name) == "step")

    def _may_be(self, callee: Term) -> bool:
        """Whether a callee may be one of the libraries that are asked about: ``re.compile`` is none."""
        return not isinstance(callee, Ref) or callee.name.partition(".")[0] in self.xla.roots

    def _library(self, path: str) -> str | None:
        """``xm``: the name of the module of torch_xla that steps optimizers and marks steps."""
        names = self.tables["xla.steps"]["names"]
        homes = {name.rpartition(".")[0] for name in self.program.knowledge.xla if name.rpartition(".")[2] in names}
        bound = self.program.modules[path].names.items()
        return next((name for name, term in bound if isinstance(term, Ref) and term.name in homes), None)

    def _beside_calls(self, path: str, functions: set[int] | None) -> Iterator[Term]:
        """What a file enters, and its decorators."""
        for function in self.program.modules[path].functions.values():
            other = functions is not None and id(function) not in functions
            entered = (node for node in of_kind(function, With) if not (other and loops_around(function, node)))
            for used in (*function.decorators, *(item for node in entered for item in node.items)):
                yield used.callee if isinstance(used, Call) else used

    def _drives(self, path: str) -> bool:
        """Whether a file is written for a framework that drives loops on XLA."""
        names = frozenset(self.tables["xla.drivers"]["names"])
        return any(dotted.partition(".")[0] in names for dotted in imported(self.program.modules[path]))

    def _replicates(self, files: set[str]) -> bool:
        """Whether one of these files imports what replicates or shards models, and reduces their gradients."""
        words = frozenset(self.tables["xla.replicates"]["names"])
        return any(
            not words.isdisjoint(part.lower() for part in dotted.split("."))
            for path in files
            for dotted in imported(self.program.modules[path])
        )

    def _alone(self, launch: Evidence) -> bool:
        """Whether what starts a training starts one process: ``nprocs=1``, ``debug_single_process=True``."""
        alone = self.tables["xla.alone"]
        for name in {name.rpartition(".")[2] for name, role in self.program.knowledge.xla.items() if role == "launch"}:
            for site in self.program.ask(CallGraph).sites_named(name):
                if site.module == launch.module and site.call.term.site == launch.spot:
                    given = {key: str(value.value) for key, value in site.call.term.kwargs if isinstance(value, Const)}
                    return any(given.get(key) == one for key, one in alone.items())
        return True


def _is_of_other(index: CallGraph, site: CallSite, functions: set[int] | None) -> bool:
    """Whether a call is a part of the rounds of a loop of another function, in it or called there, or what it goes over."""
    pending, seen = [site], set[int]()
    while pending:
        each = pending.pop()
        if functions is None or id(each.function) in functions:
            return False
        loops = of_kind(each.function, Loop)
        if loops_around(each.function, each.call) or any(each.call.term in parts_of(loop.subject) for loop in loops):
            continue
        callers = index.callers(each.function) if id(each.function) not in seen else []
        if not callers and id(each.function) not in seen:
            return False
        seen.add(id(each.function))
        pending += callers
    return True


class Narrower(NamedTuple):
    """The call that makes the loader, what it asks of the cores, and a step of an optimizer that is made without that as well."""

    site: CallSite
    test: str
    step: CallSite


def narrower(program: Program) -> Iterator[Narrower]:
    """Each such loader."""
    asked = program.ask(Xla)
    for component in sorted(asked.projects()):
        loaders = [site for site in _called(program, asked, "loader") if program.component(site.module) == component]
        if not loaders:
            continue
        rests = [_rest(program, asked, site) for site in loaders]
        steps = [site for site in _steps(program, asked) if program.component(site.module) == component]
        said = {None if rest is None else show(rest) for rest in rests}
        steps = [site for site in steps if said.isdisjoint(show(test) for test in _led(site))]
        if None in said or len(said) != 1 or not steps or _is_ended_elsewhere(program, component, steps):
            continue
        for site, rest in zip(loaders, rests, strict=True):
            if rest is not None and not tests_software(program, site.module, site.function):
                yield Narrower(site, code_in(rest, site.function) or spelled(rest), steps[0])


def _called(program: Program, asked: Xla, role: str) -> Iterator[CallSite]:
    """The calls of what torch_xla has for this, in order."""
    names = {name.rpartition(".")[2] for name, word in program.knowledge.xla.items() if word == role}
    for site in (site for name in sorted(names) for site in program.ask(CallGraph).sites.get(name, ())):
        callee = site.call.term.callee
        if isinstance(callee, Ref) or (isinstance(callee, Attr) and isinstance(callee.base, (Ref, Global))):
            frame = program.frame(site.module, site.function)
            if any(asked.role(value) == role for value in program.values(callee, frame)):
                yield site


def _steps(program: Program, asked: Xla) -> Iterator[CallSite]:
    names = program.knowledge.tables["xla.steps"]["names"]
    for site in _called(program, asked, "step"):
        callee = site.call.term.callee
        if isinstance(callee, (Ref, Attr)) and callee.name.rpartition(".")[2] in names:
            yield site


def _rest(program: Program, asked: Xla, site: CallSite) -> Term | None:
    """What is asked for where a loader is made, beside XLA, if that is how many cores there are; None for any other test."""
    frame = program.frame(site.module, site.function)
    others = [part for part in _led(site) if not asked.asks(part, frame)]
    return others[0] if len(others) == 1 and _counts_cores(program, others[0]) else None


def _led(site: CallSite) -> list[Term]:
    """What holds where a call runs, as far as it is one test or several joined by ``and``."""
    tests = conditions(led_to(site.function, site.call.term))
    return [part for test, arm in tests if arm for part in conjuncts(test)]


def _counts_cores(program: Program, test: Term) -> bool:
    """Whether a test compares the number of cores, or the number of the one that is chosen, with something written down."""
    if not isinstance(test, Compare) or not any(isinstance(side, Const) for side in test.sides):
        return False
    words = frozenset(program.knowledge.tables["xla.counts"]["names"])
    named = (part for part in parts_of(test) if isinstance(part, NAMED))
    names = (part.name.rpartition(".")[2] for part in named)
    return any(not words.isdisjoint(name.lower().split("_")) for name in names)


def _is_ended_elsewhere(program: Program, component: str, steps: list[CallSite]) -> bool:
    """Whether something else may end a step somewhere."""
    asked, tables = program.ask(Stepping), program.knowledge.tables
    if any(asked.has_barrier(site.call.term, program.frame(site.module, site.function)) for site in steps):
        return True
    made = {name.rpartition(".")[2] for name, word in program.knowledge.xla.items() if word == "loader"}
    names = (frozenset(tables["xla.marks"]["names"]) | frozenset(tables["xla.traced"]["names"])) - made
    files = {path for path in asked.xla.naming() if program.component(path) == component}
    return asked.names(files, names)
