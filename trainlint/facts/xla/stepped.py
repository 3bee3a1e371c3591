"""How a training loop on XLA steps its optimizer: whether the program's step is ever ended, and gradients are ever reduced.

Both are questions after something that is missing. Whatever a loop may run is asked for it: the loop itself, functions it calls,
and the files these stand in. A framework that drives the loop ends its steps and reduces its gradients itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.components import imported
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.objects import Things
from trainlint.facts.traced.consteval import deep
from trainlint.facts.values import Frame, FunctionValue, Made, Other
from trainlint.facts.xla.beside import unmarked_beside
from trainlint.facts.xla.phases import repeats_steps
from trainlint.facts.xla.running import Evidence, Xla, XlaLoop
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Dict, Ref, Term
from trainlint.ir.sketch import Block, CallStep, With
from trainlint.ir.walk import of_kind

_DEEPEST = 3


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

    steps: list[tuple[Frame, CallStep, bool]]
    files: set[str]


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
            if not run.steps or self.names(run.files, names | frozenset(self.tables["xla.traced"]["names"])):
                continue
            if self.program.ask(Loops).says(loop.frame.module, loop.frame.function, loop.body, names):
                continue
            if any(self.has_barrier(call.term) for _, call, own in run.steps if own):
                continue
            if all(own or self._is_sure(call.term.callee, frame) for frame, call, own in run.steps):
                frame, call, own = run.steps[-1]
                yield Stepped(loop, frame.module, call, own, self._library(frame.module))

    def _is_sure(self, callee: Term, frame: Frame) -> bool:
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
                made = self.things.of(callee.base, frame).made if isinstance(callee, Attr) else ()
                if made and all(
                    isinstance(each, Made) and self.program.knowledge.optimizer_kind(each.name) == "optimizer" for each in made
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

    def _takes_closure(self, call: Call, frame: Frame) -> bool:
        words = self.tables["xla.closures"]
        given = [value for name, value in call.kwargs if words.get(str(name)) == "arguments"]
        shown = [value.term for term in given for value in self.program.values(term, frame) if isinstance(value, Other)]
        return any(
            isinstance(key, Const)
            and words.get(str(key.value)) == "closure"
            and not (isinstance(item, Const) and item.value is None)
            for each in (*given, *shown)
            if isinstance(each, Dict)
            for key, item in each.items
        )

    def _loops(self) -> Iterator[XlaLoop]:
        for loop in self.xla.training():
            if not loop.evidence.certain or tests_software(self.program, loop.frame.module, loop.frame.function):
                continue
            if not self._drives(loop.frame.module) and not repeats_steps(self.program, loop.body, loop.frame):
                yield loop

    # -- what a loop runs ------------------------------------------------------------------------------------------

    def _run(self, loop: XlaLoop) -> _Run:
        run = _Run([], set())
        current: Frame | None = loop.frame
        while current is not None:
            run.files.add(current.module)
            current = current.caller
        self._gather(loop.body, loop.frame, run, set(), 0)
        return run

    def _gather(self, block: Block, frame: Frame, run: _Run, seen: set[int], depth: int) -> None:
        run.files.add(frame.module)
        for node in deep(self.program, block, frame):
            if not isinstance(node, CallStep):
                continue
            own = self._is_own(node.term, frame)
            if own or self._is_step(node.term, frame):
                run.steps.append((frame, node, own))
                continue
            for target in self.program.ask(CallGraph).targets(node.term, frame):
                if isinstance(target, FunctionValue) and id(target.function) not in seen and depth < _DEEPEST:
                    seen.add(id(target.function))
                    inner = self.program.enter(target, node.term, frame)
                    self._gather(target.function.body, inner, run, seen, depth + 1)

    def _is_own(self, call: Call, frame: Frame) -> bool:
        """``xm.optimizer_step(optimizer)``."""
        if last_name(call.callee) not in self.tables["xla.steps"]["names"]:
            return False
        return any(self.xla.role(value) == "step" for value in self.program.values(call.callee, frame))

    def _is_step(self, call: Call, frame: Frame) -> bool:
        """``optimizer.step()``."""
        if not isinstance(call.callee, Attr) or call.callee.name != "step":
            return False
        return self.things.of(call.callee.base, frame).kind == "optimizer"

    def _is_fed(self, loop: XlaLoop) -> bool:
        """Whether a loader of XLA, or one that a library has prepared, hands the batches out."""
        return self.xla.loader(loop.subject, loop.frame) is not None or any(each.prepared for each in loop.loaders)

    def _feeds_itself(self, loop: XlaLoop) -> bool:
        """Whether the batches are known not to come from a loader of XLA: they are moved by hand, or the loader is in sight."""
        if loop.loaders and all(isinstance(each.loader, Made) for each in loop.loaders):
            return True
        fluent = self.program.knowledge.fluent
        for node in deep(self.program, loop.body, loop.frame):
            if not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr) or node.term.callee.name not in fluent:
                continue
            if any(self.xla.is_device(argument, loop.frame) for argument in node.term.args):
                return True
        return False

    def has_barrier(self, call: Call) -> bool:
        """``barrier=True``, or anything that may be it."""
        given = [value for name, value in call.kwargs if name in ("barrier", None)] + list(call.args[1:2])
        return any(not isinstance(value, Const) or value.value for value in given)

    # -- what is around --------------------------------------------------------------------------------------------

    def names(self, files: set[str], names: frozenset[str]) -> bool:
        """Whether something is called, entered, handed on or used as a decorator by one of these names in one of these files."""
        index = self.program.ask(CallGraph)
        for name in names:
            if any(site.module in files and self._may_be(site.call.term.callee) for site in index.sites.get(name, ())):
                return True
            if any(site.module in files for site in index.handed.get(name, ())):
                return True
        return any(last_name(used) in names or self._ends(used) for path in files for used in self._beside_calls(path))

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

    def _beside_calls(self, path: str) -> Iterator[Term]:
        """What a file enters, and its decorators."""
        for function in self.program.modules[path].functions.values():
            for used in (*function.decorators, *(item for node in of_kind(function, With) for item in node.items)):
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


__all__ = ["Stepped", "Stepping", "once", "unmarked_beside"]
