"""Why nothing is reported of a loop, of what is kept, of a backward pass: the condition of the rule that is not met."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.explaining.account import Step
from trainlint.explaining.places import Places
from trainlint.facts import epochs
from trainlint.facts.gradients.graph_leaks import KeptGraphs
from trainlint.facts.gradients.sinks import Sinks
from trainlint.facts.loops import Loops, nested_loops
from trainlint.facts.precision import backwards
from trainlint.facts.precision.autocast import Autocasts
from trainlint.facts.program import Program
from trainlint.facts.xla.batches import Batches
from trainlint.facts.xla.running import Xla
from trainlint.ir.nodes import Const
from trainlint.ir.sketch import Function

_KEPT = {
    "graph": "nothing shows that it holds a graph: no backward pass of the same round starts from it or shares its graph",
    "mode": "no graph is recorded here, since gradients are off",
    "holder": "where it is put comes from a place that is not known",
    "round": "where it is put does not outlive the round, or is emptied in it",
}
_SCALED = {
    "narrow": "no float16 autocast is seen for certain around the forward pass behind it",
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
        for batches in asked.batch_loops(epochs.KIND):
            epoch = asked.epoch_loop(batches)
            spots = [(batches.frame.module, batches.spot)]
            spots += [] if epoch is None else [(epoch.frame.module, epoch.loop.spot)]
            if not any(there == module and spot.line in lines for there, spot in spots):
                continue
            if epoch is None:
                yield Step("no loop over epochs is seen around this pass over the data, so one order is enough")
                continue
            for sampler in asked.feeds(batches.loader, epochs.KIND):
                at = None
                if sampler.frame is not None and sampler.call is not None:
                    at = self.places.at(sampler.frame.module, sampler.call.site)
                if epochs.once(self.program, epoch):
                    yield Step("the loop over epochs runs once", at)
                elif epochs.shuffles(self.program, asked, sampler) is None:
                    yield Step("the distributed sampler does not shuffle, as far as is seen", at)
                elif epochs.told(self.program, asked, epoch, sampler):
                    yield Step("what each epoch runs tells the distributed sampler the epoch, or may do so", at)

    def _kept(self, module: str, function: Function, lines: range) -> Iterator[Step]:
        """Values that are put where they may stay."""
        asked = self.program.ask(KeptGraphs)
        found = {kept.sink for kept in asked.found}
        for sink in self.program.ask(Sinks).found.get((module, function.qualname), ()):
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
                if not any(nested_loops(found.body)):  # a loop over epochs is none over batches
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
