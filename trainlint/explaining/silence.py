"""Why nothing is reported where something may seem wrong, as far as the analysis knows."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.explaining.account import Holds, Step
from trainlint.explaining.origins import Origins
from trainlint.explaining.over_ranks import Meanings
from trainlint.explaining.places import Places
from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.communication import Communication
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue, Library, Other
from trainlint.finding import Spot
from trainlint.ir.nodes import Call
from trainlint.ir.order import within
from trainlint.ir.printer import spelled
from trainlint.ir.sketch import Function
from trainlint.spmd.build import Builder
from trainlint.spmd.common_groups import group_of
from trainlint.spmd.data_divergence import Twins
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.sides import who
from trainlint.spmd.trace import Nodes
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
            elif divergence.guard.module == module and any(_behind(divergence, spot) for spot in talking):
                at = self.places.at(divergence.call.module, divergence.call.spot)
                test = self.places.text(module, divergence.guard.test)
                yield Step(f"one test is one mistake: what `{test}` leads to is reported where it comes first", at)

    def _talks(self, call: Call, frame: Frame) -> bool:
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
            what = "it is found again, and made good further up" if again else "it is not found again, with what is passed there"
            yield Step(f"in {where} {what}", self.places.at(site.module, site.call.term.site), 1)

    def of_call(self, call: Call, frame: Frame, guards: tuple[Holds, ...]) -> Iterator[Step]:
        """Why a call on the line does not count as a collective, or why it may stand under its tests."""
        at = self.places.at(frame.module, call.site)
        name = last_name(call.callee) or spelled(call.callee)
        targets = self.program.ask(CallGraph).targets(call, frame)
        known = [value for value in self.program.values(call.callee, frame) if not isinstance(value, Other)]
        if not known and call not in self.communication.unnamed:
            if name in self.program.knowledge.common_methods | self.program.knowledge.tensor_methods:
                return  # of a tensor, a list: nothing that communicates has such a name
            yield Step(f"nobody knows what `{spelled(call.callee)}` is: its call counts as running nothing", at)
            return
        for target in targets:
            if isinstance(target, Library) and target.name in self.program.knowledge.collectives:
                yield from self._of_collective(name, target, call, frame, guards)
            elif isinstance(target, FunctionValue) and self.communication.runs(target.function):
                yield from self._under_unknown(name, call, frame, guards)

    def _of_collective(self, name: str, target: Library, call: Call, frame: Frame, guards: tuple[Holds, ...]) -> Iterator[Step]:
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

    def _under_unknown(self, name: str, call: Call, frame: Frame, guards: tuple[Holds, ...]) -> Iterator[Step]:
        """Tests of which it is not known that ranks answer them differently."""
        at = self.places.at(frame.module, call.site)
        for guard in guards:
            if guard.over_ranks is not None and guard.over_ranks.word == "unknown":
                yield Step(f"`{name}` under {guard.text}: what is unknown is taken to be the same on every rank", at)
            elif guard.over_ranks is not None and guard.over_ranks.word == "uniform":
                yield Step(f"`{name}` under {guard.text}: the same on every rank", at)


def _behind(divergence: Divergence, spot: Spot) -> bool:
    """Whether a place comes after the reported one, under the same test or after those who left there."""
    guard = divergence.guard
    under = divergence.exit is not None or within(guard.frame.function, guard.spot, spot)
    return under and divergence.call.module == divergence.guard.module and divergence.call.spot < spot


def calls_in(function: Function, lines: range) -> Iterator[Call]:
    """The calls of a function that begin on one of these lines."""
    from trainlint.facts.program import calls_of

    for node in calls_of(function):
        if node.term.site.line in lines:
            yield node.term
