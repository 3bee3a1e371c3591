"""How many rounds a loop makes on one rank, with one set of example values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Call, Term
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.shards.amounts import Amounts
from trainlint.spmd.shards.counters import Counters
from trainlint.spmd.shards.examples import Example
from trainlint.spmd.shards.granted import Granted
from trainlint.spmd.shards.handing import Handing
from trainlint.spmd.shards.lengths import Lengths
from trainlint.spmd.shards.loaders import Loaders
from trainlint.spmd.shards.parts import Parts
from trainlint.spmd.shards.questions import Amount

#: What counts the items that a call hands out, by its word in the table ``sizes``.
_COUNTED: dict[str, Callable[[Any, Call, Frame], Amount]] = {
    "range": Handing.word_range,
    "number": Handing.word_number,
    "either": Handing.word_either,
    "same": Handing.word_same,
    "second": Handing.word_second,
    "given": Handing.word_given,
    "receiver": Handing.word_receiver,
    "shortest": Handing.word_shortest,
    "sum": Handing.word_sum,
    "islice": Handing.word_islice,
    "endless": Handing.word_endless,
    "even": Handing.word_even,
    "drawn": Handing.word_drawn,
    "batched": Handing.word_batched,
    "shard": Granted.word_shard,
    "by-node": Granted.word_by_node,
    "between": Granted.word_between,
    "web": Granted.word_web,
    "pipeline": Granted.word_pipeline,
    "unpadded": Granted.word_unpadded,
}


class Measure(Amounts, Lengths, Parts, Handing, Granted, Loaders, Counters):
    """Counts for one rank."""

    def __init__(self, program: Program, peer: Evaluator, example: Example) -> None:
        self.program = program
        self.peer = peer
        self.example = example
        self.ranked = False
        self.dropping = False
        self.depth = 0
        self.origins: dict[tuple[Term, Frame], None] = {}
        self.frames: set[Frame] = set()
        self.held: dict[Term, Amount] = {}

    def split(self, word: str, call: Call, frame: Frame) -> Amount:
        """How many items a call hands out on this rank, by its word in the table ``sizes``."""
        counted = _COUNTED.get(word)
        return counted(self, call, frame) if counted is not None else None
