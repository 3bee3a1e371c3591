"""What the parts of the evaluator ask each other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Compare, Const, Term
from trainlint.ir.sketch import Function

#: Questions in questions, and calls in calls, that are followed.
DEEPEST = 14
#: Stands for any parameter.
ANY = "*"


class Questions:
    """The state of an evaluator (see :class:`trainlint.spmd.ranks.Evaluator`) and the questions its parts share."""

    program: Program
    rank: int
    asked: bool
    loops: dict[Term, Any]
    depth: int
    cut: bool
    fuel: int
    leaving: dict[int, bool]
    item: Const | None

    @abstractmethod
    def consulted(self, parameter: str) -> None:
        """A parameter was asked for."""

    @abstractmethod
    def value(self, term: Term, frame: Frame) -> Any:
        """The value of a term on this rank."""

    @abstractmethod
    def evaluate(self, term: Term, frame: Frame) -> tuple[Any, bool]:
        """The value of a term on this rank, and whether it depended on the rank."""

    @abstractmethod
    def differs(self, term: Term, frame: Frame) -> bool:
        """Whether a term has different values on the example ranks."""

    @abstractmethod
    def peers(self) -> Sequence[Any]:
        """One evaluator for each example rank."""

    @abstractmethod
    def word(self, word: str, key: Any) -> Any:
        """What a knowledge word says of a value on this rank."""

    @abstractmethod
    def run(self, function: Function, frame: Frame, item: Const | None = None) -> Any:
        """What a function returns on this rank, or an item of it."""

    @abstractmethod
    def range_of(self, term: Term, frame: Frame) -> range | None:
        """The numbers of ``range(...)`` when its bounds are known."""

    @abstractmethod
    def settled_at(self, base: Term, frame: Frame) -> Sequence[int]:
        """The lines behind which something is taken to be equal: a collective changed it, or nobody knows who did."""

    @abstractmethod
    def container(self, term: Term, frame: Frame) -> Any:
        """The list, tuple, set or dict that a term is on this rank; None where not all of it is known."""

    def held(self, base: Term, key: Term | None, frame: Frame, *, displays: bool = False) -> Any:
        """What something holds under a key at the place of the question."""
        raise NotImplementedError

    @abstractmethod
    def compared_as_wholes(self, term: Compare, frame: Frame) -> Any:
        """The answer to a comparison of two containers that the rank has a part in; None for every other one."""
