"""CUDA graphs recorded by a compiled model, one for each size of a batch, and loaders that give many sizes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from trainlint.domains.batch_sizes import Batches, statement_of
from trainlint.domains.constructor_arguments import Options
from trainlint.domains.dynamo.compiled_models import CompiledModels
from trainlint.domains.loaders.training_loaders import Fed, fed
from trainlint.domains.traced.functions import Roots
from trainlint.domains.xla.dynamic_shapes import Padding
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Dict, Ref
from trainlint.ir.sketch import Block, CallStep, If
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.consteval import deep, is_constant
from trainlint.program.program import Program
from trainlint.program.running_calls import activations, each_call, executed
from trainlint.program.values import Context, LibraryObject, Unresolved

_MODE, _OPTIONS = "mode", "options"


class Recorded(NamedTuple):
    """A call that makes the sizes of batches differ, in a loop that runs something recorded as CUDA graphs.

    ``last``: only the last batch of an epoch has another size; ``keyword``: a repair may say that it is to be dropped.
    """

    module: str
    call: Call
    statement: Spot
    last: bool
    keyword: bool
    compiled: tuple[str, Spot]
    loop: tuple[str, Spot]


class _Search:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.modes = frozenset(program.knowledge.tables["dynamo.records"]["names"])
        self.models = program.ask(CompiledModels)

    def all(self) -> Iterator[Recorded]:
        if not self._records_any():
            return
        seen: set[tuple[str, Spot]] = set()
        for each in self.program.ask(fed):
            uneven = self._uneven(each)
            if uneven is None:
                continue
            call, frame, last, keyword = uneven
            statement = statement_of(frame.function, call)
            key = (frame.module, call.site)
            if statement is None or key in seen:
                continue
            compiled = self._recorded_in(each.found.body, each.frame)
            if compiled is not None:
                seen.add(key)
                yield Recorded(frame.module, call, statement, last, keyword, compiled, each.place)

    def _records_any(self) -> bool:
        """Whether anything is recorded at all: most programs name no such mode."""
        index = self.program.ask(CallGraph)
        names = {name.rpartition(".")[2] for name in self.models.names}
        sites = [site for name in names for site in index.sites.get(name, ())]
        frame = self.program.frame
        return any(self._records(site.call.term, frame(site.module, site.function)) for site in sites) or any(
            self._records(decorator, frame(module, function))
            for module, function in self.program.functions()
            for decorator in function.decorators
            if isinstance(decorator, Call)
        )

    def _records(self, call: Call, frame: Context) -> bool:
        """Whether a call of the compiler says that what it makes is recorded."""
        asked = self.program.ask(Options)
        if any(mode in self.modes for mode in asked.given(call, frame, _MODE, None).constants() or ()):
            return True
        return any(
            isinstance(key, Const) and key.value in self.modes and is_constant(self.program, value, given.frame, True)
            for given in asked.given(call, frame, _OPTIONS, None).values
            if isinstance(given, Unresolved) and isinstance(given.term, Dict)
            for key, value in given.term.items
        )

    # -- what is recorded ------------------------------------------------------------------------------------------

    def _recorded_in(self, block: Block, frame: Context) -> tuple[str, Spot] | None:
        """Where something was compiled so that a block, or a function that it calls, runs."""
        for node, here in executed(block, frame, partial(deep, self.program), each_call(self.program)):
            if not isinstance(node, CallStep):
                continue
            for made in self.models.of(node.term.callee, here):
                if made.call is not None and made.frame is not None and self._records(made.call, made.frame):
                    return made.frame.module, made.call.site
            for inner in activations(self.program, node.term, here):
                for root in self.program.ask(Roots).of(inner.function):
                    if root.name in self.models.names and root.call is not None and self._records(root.call, root.frame):
                        return root.frame.module, root.spot
        return None

    # -- sizes -----------------------------------------------------------------------------------------------------

    def _uneven(self, each: Fed) -> tuple[Call, Context, bool, bool] | None:
        """The call that makes the sizes of a loop's batches differ."""
        asked = self.program.ask(Batches)
        loader = each.loader.made
        padded = next(self.program.ask(Padding).in_loader(loader), None)
        if padded is not None:
            return padded.call, padded.frame, False, False
        if asked.skips(each.found.body, each.frame):
            return None
        made = asked.ragged(loader)
        if made is None or made.call is None or made.frame is None or self._sizes_tested(each):
            return None
        keyword = isinstance(made, LibraryObject) and each.loader.plain() and made.call.site == each.loader.spot
        return made.call, made.frame, True, keyword

    def _sizes_tested(self, each: Fed) -> bool:
        """Whether the loop asks how large a batch is: it may fill the last one up."""
        measures = self.program.knowledge.measures
        tests = [node.condition for node in deep(self.program, each.found.body, each.frame) if isinstance(node, If)]
        names = {part.name.rpartition(".")[2] for test in tests for part in parts_of(test) if isinstance(part, (Attr, Ref))}
        return bool(names & {name.rpartition(".")[2] for name in measures})


def recorded(program: Program) -> Iterator[Recorded]:
    """Each call that gives a recorded step batches of many sizes, once."""
    yield from _Search(program).all()


__all__ = ["Recorded", "recorded"]
