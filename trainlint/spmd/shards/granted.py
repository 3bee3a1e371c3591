"""Calls of libraries that give each rank a part of its own, without padding."""

from __future__ import annotations

from trainlint.facts.values import Frame, Library, Made
from trainlint.ir.nodes import Attr, Call, Const, Term, Unknown
from trainlint.spmd.shards.questions import ENDLESS, Amount, Questions
from trainlint.spmd.symbols import WORLD


class Granted(Questions):
    """The calls of a measurement that split by rank."""

    def _strided(self, length: Amount, call: Call, frame: Frame) -> Amount:
        """Every fourth item, from the rank on."""
        if length is None or length == ENDLESS:
            return length
        self.ranked = True
        self.origins.setdefault((call, frame))
        return len(range(self.peer.rank, int(length), WORLD))

    def word_shard(self, call: Call, frame: Frame) -> Amount:
        """``data.shard(count, index)``."""
        count, index = self.argument(call, frame, 0), self.argument(call, frame, 1)
        if count is None or index is None or not isinstance(call.callee, Attr):
            return None
        length = self.length(call.callee.base, frame)
        return self._strided(length, call, frame) if self.differs(index, frame) else length

    def word_by_node(self, call: Call, frame: Frame) -> Amount:
        """``split_dataset_by_node(data, rank, world_size)``."""
        rank = self.argument(call, frame, 1)
        data = self.argument(call, frame, 0)
        if data is None or rank is None:
            return None
        length = self.length(data, frame)
        return self._strided(length, call, frame) if self.differs(rank, frame) else length

    def word_between(self, call: Call, frame: Frame) -> Amount:
        """``with split_between_processes(data) as part``; ``apply_padding`` makes the parts equal."""
        padding = self.argument(call, frame, 1)
        data = self.argument(call, frame, 0)
        if data is None or (padding is not None and not (isinstance(padding, Const) and not padding.value)):
            return None
        length = self.length(data, frame)
        return self._strided(length, call, frame)

    def word_web(self, call: Call, frame: Frame) -> Amount:
        """A WebDataset: its shards may be split by node; drawn anew without end when it resamples."""
        if any(
            name in self.program.knowledge.endless_by and not (isinstance(v, Const) and not v.value) for name, v in call.kwargs
        ):
            return ENDLESS
        if any(self._splits(value, frame) for _, value in call.kwargs):
            return self._strided(self.example.size(call), call, frame)
        return self.example.size(call)

    def word_pipeline(self, call: Call, frame: Frame) -> Amount:
        """A pipeline of stages, one of which may split by node."""
        if any(self._splits(stage, frame) for stage in call.args):
            stages = [value for stage in call.args for value in self.program.values(stage, frame)]
            sizes = self.program.knowledge.sizes
            endless = any(isinstance(v, Made) and sizes.get(v.name) == "endless" for v in stages)
            if endless or any(isinstance(stage, Unknown) for stage in call.args):
                return ENDLESS
            return self._strided(self.example.size(call), call, frame)
        return self.example.size(call)

    def word_unpadded(self, call: Call, frame: Frame) -> Amount:
        """What ``prepare`` of an accelerator hands back when that was told not to make the ranks' parts equal."""
        return self._strided(self.example.size(call), call, frame)

    def _splits(self, term: Term, frame: Frame) -> bool:
        known = self.program.knowledge.splitters
        return any(isinstance(v, (Library, Made)) and v.name in known for v in self.program.values(term, frame))
