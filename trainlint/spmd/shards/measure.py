"""How many rounds a loop makes on one rank, with one set of example values."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.model.terms import Term
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
