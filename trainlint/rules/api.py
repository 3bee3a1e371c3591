"""How a rule is written: one declared :class:`Rule`, a ``find`` function, and perhaps a ``repair`` function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from trainlint.finding import Level, Reason, Spot, Suspect

if TYPE_CHECKING:
    from trainlint.edits.changes import Change
    from trainlint.ir.nodes import Call
    from trainlint.ir.sketch import CallStep
    from trainlint.program.program import Program
    from trainlint.program.values import Context

__all__ = ["Certainty", "Find", "Fix", "Reason", "RepairOf", "Rule", "Suspect", "at_call", "at_place"]

Certainty = Literal["syntax", "flow", "heuristic"]
Fix = Literal["safe", "unsafe", "display", "none"]


_FIXES: Mapping[str, Fix] = {"s": "safe", "u": "unsafe", "d": "display", "": "none"}

Find = Callable[["Program"], Iterator[Suspect]]
RepairOf = Callable[[Suspect], "Change | None"]


def at_call(
    path: str,
    call: CallStep,
    message: str,
    because: tuple[Reason, ...] = (),
    data: Mapping[str, Any] | None = None,
    evidence: Literal["must", "likely"] = "must",
) -> Suspect:
    """The suspect that a call in a file is."""
    return Suspect(path, call.term.site, "Call", call.statement, message, because, data or {}, evidence)


class Placed(Protocol):
    """A call where it is made: in an activation, as a part of a statement."""

    @property
    def call(self) -> Call:
        """The call."""

    @property
    def frame(self) -> Context:
        """Where it is made."""

    @property
    def statement(self) -> Spot:
        """Where the statement stands that it is a part of."""


def at_place(
    place: Placed,
    message: str,
    because: tuple[Reason, ...] = (),
    data: Mapping[str, Any] | None = None,
    evidence: Literal["must", "likely"] = "must",
) -> Suspect:
    """The suspect that a call in an activation is."""
    return Suspect(place.frame.module, place.call.site, "Call", place.statement, message, because, data or {}, evidence)


def described(suspect: Suspect) -> Change | None:
    """The repair that whoever found a suspect described with it, as its ``change``; there may be none."""
    return suspect.data.get("change")


@dataclass
class Rule:
    """The declaration of a rule. ``needs`` names the kinds of thing without which it cannot fire (see ``knowledge``).

    ``reads`` names what it looks for in the files beside the Python (table ``documents.words``): the rule runs when a checked or
    neighbouring file has a word of the one or of the other. A rule with both is asked twice: of the files beside the Python alone
    (the program has no modules), and of each program that has what it needs, with these files (if there are any), which it
    compares with the code. ``protocols`` is the module, below ``trainlint``, with the automata that its page prints.
    """

    code: str
    name: str
    summary: str
    level: Level
    certainty: Certainty
    fix: Fix
    needs: tuple[str, ...]
    since: str
    finder: Find | None = None
    repairer: RepairOf = described
    reads: tuple[str, ...] = ()
    protocols: str = ""

    @classmethod
    def ours(
        cls,
        code: str,
        summary: str,
        needs: tuple[str, ...],
        reads: tuple[str, ...] = (),
        protocols: str = "",
        certainty: Certainty = "flow",
        since: str = "0.1",
    ) -> Rule:
        """One that ships: the catalogue says by its code what it is called, how bad it is, and how it is repaired.

        ``since`` is said where a release has it that was not the first.
        """
        from trainlint.codes import CODES, LEVEL_WORDS  # which loads the rules of other packages

        row = CODES[code]
        level, fix = Level(LEVEL_WORDS[row.level]), _FIXES[row.repairs[:1]]
        return cls(code, row.name, summary, level, certainty, fix, needs, since, reads=reads, protocols=protocols)

    def find(self, function: Find) -> Find:
        """Decorator: the function that yields suspects from a linked program, which is all files that imports connect.

        It is asked about one after the other, in any order, and what it yields may depend on the program alone.
        """
        self.finder = function
        return function

    def repair(self, function: RepairOf) -> RepairOf:
        """Decorator: the function that describes the repair of a suspect, or returns None when there is none.

        A rule whose suspects bring their repairs along (:func:`described`) needs none.
        """
        self.repairer = function
        return function
