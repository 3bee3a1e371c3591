"""What the parts of a measurement ask each other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable

from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Instance, Made, Value
from trainlint.ir.nodes import Call, Subscript, Term
from trainlint.ir.sketch import Loop
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.shards.examples import Example

#: No loop over it ends.
ENDLESS = float("inf")
#: A number, or None when nothing is known of it.
Amount = int | float | None


class Questions:
    """The state of a measurement (see :class:`trainlint.spmd.shards.measure.Measure`) and the questions its parts share.

    ``ranked`` is set when an answer depended on which rank it is, ``dropping`` when incomplete batches are left out;
    ``origins`` are the slices and calls that give ranks a part of their own; ``frames`` are the activations that something
    was read in; ``held`` are the numbers that names hold in the round of a ``while`` loop that is gone through.
    """

    program: Program
    peer: Evaluator
    example: Example
    ranked: bool
    dropping: bool
    depth: int
    origins: dict[tuple[Term, Frame], None]
    frames: set[Frame]
    held: dict[Term, Amount]

    @abstractmethod
    def number(self, term: Term, frame: Frame) -> Amount:
        """A number on this rank."""

    @abstractmethod
    def truth(self, term: Term, frame: Frame) -> bool | None:
        """Whether a condition holds on this rank."""

    @abstractmethod
    def length(self, term: Term, frame: Frame) -> Amount:
        """How many items this rank gets from an iterable."""

    @abstractmethod
    def rounds(self, loop: Loop, frame: Frame) -> Amount:
        """How many rounds this rank makes of a loop."""

    @abstractmethod
    def of(self, value: Value, term: Term, frame: Frame) -> Amount:
        """How many items this rank gets from one of the values of a term."""

    @abstractmethod
    def agreed(self, term: Term, frame: Frame) -> bool:
        """Whether the ranks exchange what a term holds, or an item of it: it is then no longer this rank's."""

    @abstractmethod
    def differs(self, term: Term, frame: Frame) -> bool:
        """Whether a term has different values on the ranks."""

    @abstractmethod
    def key(self, term: Term, frame: Frame) -> Hashable:
        """What makes two unknowns the same."""

    @abstractmethod
    def part(self, term: Subscript, frame: Frame) -> Amount:
        """How many items are in an item or slice of something."""

    @abstractmethod
    def split(self, word: str, call: Call, frame: Frame) -> Amount:
        """How many items a call leaves to this rank."""

    @abstractmethod
    def argument(self, call: Call, frame: Frame, position: int) -> Term | None:
        """An argument of a call, by its position or the keyword that stands for it."""

    @abstractmethod
    def settle(self, lower: Term, step: Term, frame: Frame) -> bool:
        """Take a stride that begins at the rank for the number of ranks; False when it is something else."""

    @abstractmethod
    def loaded(self, made: Made) -> Amount:
        """How many batches a loader of a library hands out."""

    @abstractmethod
    def of_object(self, value: Instance) -> Amount:
        """How many items an object of the project hands out."""

    @abstractmethod
    def drawn(self, term: Term, frame: Frame) -> Amount:
        """How many items a comprehension makes; None when the term is none."""

    @abstractmethod
    def drawn_item(self, term: Term, frame: Frame, number: Amount) -> Amount:
        """How many items are in one of the lists that a comprehension makes."""

    @abstractmethod
    def filled(self, term: Term, frame: Frame) -> Amount:
        """How many items were put into a list; None when that cannot be counted."""

    @abstractmethod
    def generated(self, call: Call, frame: Frame) -> Amount:
        """How many items a generator of the project yields; None when the call runs none."""

    @abstractmethod
    def dealt(self, term: Subscript, frame: Frame) -> Amount:
        """How many items were dealt to one of several lists; None when none were."""
