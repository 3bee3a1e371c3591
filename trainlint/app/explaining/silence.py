"""Why nothing is reported: what the analysis knows, and the condition of a rule that is not met.

Why nothing is reported where something may seem wrong, as far as the analysis knows.

Why nothing is reported of a loop, of what is kept, of a backward pass: the condition of the rule that is not met.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.app.explaining.around import Places
from trainlint.app.explaining.origins import Origins
from trainlint.app.explaining.ranks import Meanings
from trainlint.app.explaining.text import Holds, Step
from trainlint.domains import sampler_epochs
from trainlint.domains.autograd.escape import Sinks
from trainlint.domains.autograd.graph_leaks import KeptGraphs
from trainlint.domains.batch_sizes import Batches
from trainlint.domains.communication import Communication
from trainlint.domains.precision import backward as backwards
from trainlint.domains.precision.autocast import Autocasts
from trainlint.domains.train_mode.interpreter import Runs
from trainlint.domains.xla.training_loops import Xla
from trainlint.finding import Spot
from trainlint.flow.rounds import Rounds
from trainlint.ir.nodes import Call, Const
from trainlint.ir.order import before
from trainlint.ir.printer import spelled
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.walk import walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.loops import Loops
from trainlint.program.program import Program
from trainlint.program.values import Context, FunctionValue, Library, Unresolved
from trainlint.spmd.build import Builder
from trainlint.spmd.data_divergence import Twins
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.divergence_report import who
from trainlint.spmd.paths import stands_in
from trainlint.spmd.process_groups import group_of
from trainlint.spmd.trace import Nodes, Where
from trainlint.spmd.uniform_check import Agreement


class Silence:
    """Reasons of a function and of the calls on a line."""

    def __init__(self, program: Program, places: Places, meanings: Meanings, origins: Origins) -> None:
        self.program = program
        self.places = places
        self.meanings = meanings
        self.origins = origins
        self.analysis = program.ask(Agreement)
        self.communication = program.ask(Communication)

    def of_function(self, module: str, function: Function, lines: range) -> Iterator[Step]:
        """What was found in a function, or would have been looked for, and is not reported; as far as it concerns the lines."""
        for name, analysis in (("", self.analysis), (" with data of their own", self.program.ask(Twins))):
            given_up = analysis.given_up.get(id(function))
            if given_up is not None:
                yield Step(f"the comparison of ranks{name} gave up on `{function.qualname}`: {given_up.limit}")
        for judging in (self.program.ask(Rounds), self.program.ask(Runs)):
            if (too_much := judging.given_up.get(id(function))) is not None:
                yield Step(f"`{function.qualname}` was not checked for {too_much.about}: {too_much.limit}")
        for cut in self.program.cuts:
            if cut.function is function and (cut.call is None or cut.call.site.line in lines):
                yield Step(f"not followed any further from here: {cut.why}")
        if not self.communication.runs(function) or id(function) in self.analysis.given_up:
            return
        reported = {divergence.key for divergence in self.analysis.reported()}
        frame = self.program.frame(module, function)
        talking = [call.site for call in calls_in(function, lines) if self._talks(call, frame)]
        for divergence in self.analysis.divergences(module, function):
            if divergence.key not in reported:
                places = (divergence.call.spot.line, divergence.guard.test.line, function.spot.line)
                if talking or any(line in lines for line in places):
                    yield from self._made_good(divergence, function)
            elif divergence.guard.module == module and any(_behind(divergence, spot, function) for spot in talking):
                at = self.places.at(divergence.call.module, divergence.call.spot)
                test = self.places.text(module, divergence.guard.test)
                yield Step(f"one test is one mistake: what `{test}` leads to is reported where it comes first", at)

    def _talks(self, call: Call, frame: Context) -> bool:
        """Whether a call is a collective, or may come to one."""
        return call in self.communication.unnamed or any(
            map(self.communication.talks, self.program.ask(CallGraph).targets(call, frame))
        )

    def _made_good(self, divergence: Divergence, function: Function) -> Iterator[Step]:
        reach, miss = who(divergence)
        name = self.analysis.collective(divergence.collective).rpartition(".")[2]
        at = self.places.at(divergence.call.module, divergence.call.spot)
        yield Step(
            f"`{name}` is run by {reach} and not by {miss} in `{function.qualname}` on its own; "
            "not reported, since with its callers this is not so:",
            at,
        )
        for site in self.program.ask(CallGraph).callers(function)[:4]:
            theirs = self.analysis.divergences(site.module, site.function)
            again = any(each.key == divergence.key for each in theirs)
            where = "the top level" if site.function.kind == "module" else f"`{site.function.qualname}`"
            what = "it is found again, and resolved further up" if again else "it is not found again, with what is passed there"
            yield Step(f"in {where} {what}", self.places.at(site.module, site.call.term.site), 1)

    def of_call(self, call: Call, frame: Context, guards: tuple[Holds, ...]) -> Iterator[Step]:
        """Why a call on the line does not count as a collective, or why it may stand under its tests."""
        at = self.places.at(frame.module, call.site)
        name = last_name(call.callee) or spelled(call.callee)
        targets = self.program.ask(CallGraph).targets(call, frame)
        known = [value for value in self.program.values(call.callee, frame) if not isinstance(value, Unresolved)]
        if not known and call not in self.communication.unnamed:
            if name in self.program.knowledge.common_methods | self.program.knowledge.tensor_methods:
                return  # of a tensor, a list: nothing that communicates has such a name
            yield Step(f"`{spelled(call.callee)}` is unknown: its call counts as running nothing", at)
            return
        for target in targets:
            if isinstance(target, Library) and target.name in self.program.knowledge.collectives:
                yield from self._of_collective(name, target, call, frame, guards)
            elif isinstance(target, FunctionValue) and self.communication.runs(target.function):
                yield from self._under_unknown(name, call, frame, guards)

    def _of_collective(self, name: str, target: Library, call: Call, frame: Context, guards: tuple[Holds, ...]) -> Iterator[Step]:
        knowledge, at = self.program.knowledge, self.places.at(frame.module, call.site)
        if self.communication.is_too_old(target.name, frame.module):
            version, package, *_ = knowledge.communicates_since[target.name]
            yield Step(f"`{name}` communicates since {package} {version}: this project asks for older releases only", at)
            return
        if not self.communication.communicates(target.name, call, frame):
            why = knowledge.silenced_by.get(target.name) or knowledge.only_with.get(target.name)
            yield Step(f"`{name}` does not communicate as it is called here: its argument `{why}` decides", at)
            return
        groups = Builder(self.analysis, 0, Nodes()).groups
        group = group_of(call, knowledge.collectives[target.name], self.program)
        if group is not None and not (groups.whole_world(group, frame) or groups.common(group, frame)):
            yield Step(f"`{name}` is traffic of the group `{spelled(group)}`: only its members are concerned, not compared", at)
            return
        if target.name in knowledge.optional:
            yield Step(f"`{name}` communicates only {knowledge.optional[target.name]}", at)
        yield from self._under_unknown(name, call, frame, guards)

    def _under_unknown(self, name: str, call: Call, frame: Context, guards: tuple[Holds, ...]) -> Iterator[Step]:
        """Tests of which it is not known that ranks answer them differently."""
        at = self.places.at(frame.module, call.site)
        for guard in guards:
            if guard.over_ranks is not None and guard.over_ranks.word == "unknown":
                yield Step(f"`{name}` under {guard.text}: what is unknown is taken to be the same on every rank", at)
            elif guard.over_ranks is not None and guard.over_ranks.word == "uniform":
                yield Step(f"`{name}` under {guard.text}: the same on every rank", at)


def _behind(divergence: Divergence, spot: Spot, function: Function) -> bool:
    """Whether a place comes after the reported one, under the same test or after those who left there."""
    guard = divergence.guard
    under = divergence.exit is not None or stands_in(guard, Where(guard.module, spot, spot))
    return under and divergence.call.module == guard.module and before(function, divergence.call.spot, spot)


def calls_in(function: Function, lines: range) -> Iterator[Call]:
    """The calls of a function that begin on one of these lines."""
    from trainlint.program.program import calls_of

    for node in calls_of(function):
        if node.term.site.line in lines:
            yield node.term


_KEPT = {
    "graph": "nothing shows that it holds a graph: no backward pass of the same iteration starts from it or shares its graph",
    "mode": "no graph is recorded here, since gradients are off",
    "holder": "where it is put comes from a place that is not known",
    "round": "where it is put does not outlive the iteration, or is cleared in it",
}
_SCALED = {
    "narrow": "no float16 autocast is seen for certain around its forward pass",
    "by hand": "its loss is scaled already",
    "step": "nothing is seen that applies its gradients",
    "scaled": "a scaler is at work around it",
}


class Unmet:
    """Asks the facts of the rules on data, memory, precision and compilers."""

    def __init__(self, program: Program, places: Places) -> None:
        self.program = program
        self.places = places

    def of_lines(self, module: str, function: Function, lines: range) -> Iterator[Step]:
        """The reasons that concern these lines of a function, each once."""
        steps = (
            *self._epochs(module, lines),
            *self._kept(module, function, lines),
            *self._scaled(module, lines),
            *self._compiled(module, lines),
        )
        yield from dict.fromkeys(steps)

    def _epochs(self, module: str, lines: range) -> Iterator[Step]:
        """Loops over the batches of a distributed sampler, and the loops over epochs around them."""
        asked = self.program.ask(Loops)
        for batches in asked.batch_loops(sampler_epochs.KIND):
            epoch = asked.epoch_loop(batches)
            spots = [(batches.frame.module, batches.spot)]
            spots += [] if epoch is None else [(epoch.frame.module, epoch.loop.spot)]
            if not any(there == module and spot.line in lines for there, spot in spots):
                continue
            if epoch is None:
                yield Step("no loop over epochs is seen around this pass over the data, so one order is enough")
                continue
            for sampler in asked.feeds(batches.loader, sampler_epochs.KIND):
                at = None
                if sampler.frame is not None and sampler.call is not None:
                    at = self.places.at(sampler.frame.module, sampler.call.site)
                if sampler_epochs.once(self.program, epoch):
                    yield Step("the loop over epochs runs once", at)
                elif sampler_epochs.shuffles(self.program, asked, sampler) is None:
                    yield Step("the distributed sampler does not shuffle, as far as is seen", at)
                elif sampler_epochs.told(self.program, asked, epoch, sampler):
                    yield Step("what each epoch runs tells the distributed sampler the epoch, or may do so", at)

    def _kept(self, module: str, function: Function, lines: range) -> Iterator[Step]:
        """Values that are put where they may stay."""
        asked = self.program.ask(KeptGraphs)
        found = {kept.sink for kept in asked.found}
        for sink in self.program.ask(Sinks).of(module, function):
            constant = all(isinstance(part.term, Const) for part in sink.parts)
            if sink.spot.line not in lines or sink.kind == "hand" or sink in found or constant:
                continue
            why = _KEPT.get(asked.lacking(sink))
            if why is not None:
                yield Step(f"what `{self.places.text(module, sink.spot)}` keeps: {why}", self.places.at(module, sink.spot))

    def _scaled(self, module: str, lines: range) -> Iterator[Step]:
        """Backward passes in projects with float16 autocasts."""
        contexts = self.program.ask(Autocasts).modules(self.program.knowledge.narrow)
        for backward in backwards.backwards(self.program, contexts):
            spot = backward.site.call.term.site
            if backward.site.module == module and spot.line in lines:
                why = backwards.lacking(self.program, backward)
                if why is not None:
                    yield Step(
                        f"the gradients need no loss scaling, as far as is seen: {_SCALED[why]}", self.places.at(module, spot)
                    )

    def _compiled(self, module: str, lines: range) -> Iterator[Step]:
        """Training loops in projects that name XLA, which compiles their step again for batches of another size."""
        asked, batches = self.program.ask(Xla), self.program.ask(Batches)
        projects = asked.projects()
        running = {(loop.frame.module, loop.spot): loop for loop in asked.training()} if projects else {}
        for found in self.program.ask(Loops).training_passes() if projects else ():
            if found.module != module or found.spot.line not in lines or self.program.component(module) not in projects:
                continue
            loop = running.get((module, found.spot))
            if loop is None:
                if not any(isinstance(each, Loop) for each in walk(found.body)):  # a loop over epochs is none over batches
                    yield Step("nothing shows that this loop trains a model on XLA")
                continue
            at = self.places.at(loop.evidence.module, loop.evidence.spot)
            if not loop.evidence.certain:
                yield Step(f"this loop may run on XLA or elsewhere: {loop.evidence.says}", at)
            elif not loop.loaders:
                yield Step(f"on XLA ({loop.evidence.says}), but where the batches come from is not known", at)
            elif any(each.prepared for each in loop.loaders) or batches.skips(loop.body, loop.frame):
                yield Step("on XLA, but a shorter last batch is completed or skipped", at)
            elif not any(batches.ragged(each.loader) for each in loop.loaders):
                yield Step("on XLA, and all batches have one size, as far as is seen", at)
