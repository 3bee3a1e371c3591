"""Activations that all ranks of a job run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.framework_callbacks import Hooked
from trainlint.facts.values import Frame
from trainlint.finding import Spot
from trainlint.spmd.writes.owned import library_method
from trainlint.spmd.writes.reach import Reach, Reaching

if TYPE_CHECKING:
    from trainlint.facts.program import Program


class Member(NamedTuple):
    """An activation that all ranks run; ``why`` and ``spot`` say what tells so, ``reach`` is the way from there to the place.

    ``runner`` is the library's call that runs the activation, where that is one that belongs to all ranks. ``joins`` says that
    the job is joined here: then nobody hands in what is another thing on each rank.
    """

    frame: Frame
    spot: Spot
    why: str
    reach: Reach
    joins: bool = True
    runner: str = ""


def registered(program: Program, frame: Frame, way: Reach) -> Member | None:
    """An activation that nobody calls, of a function that every rank hands to a library, to be run on every rank.

    The call that runs it must be in sight: a script that only loads may have the registration of the one that saves.
    """
    found = program.ask(Hooked).registration(frame.function)
    if found is None:
        return None
    site, runner = found.site, found.runner
    last = runner.rpartition(".")[2]
    if not any(other.module == site.module for other in program.ask(CallGraph).sites_named(last)):
        return None
    made = program.ask(Reaching).reach(site.call.term, program.frame(site.module, site.function))
    if not all(made.ranks) or not made.sure:
        return None
    return Member(frame, frame.function.spot, f"`{last}` has to be called on every rank, and runs this there", way, True, last)


def of_library(program: Program, frame: Frame, way: Reach) -> Member | None:
    """An activation of a method that all ranks have to call, in the source of the very library that has it."""
    if library_method(program, frame) is None:
        return None
    name = frame.function.name
    return Member(frame, frame.function.spot, f"`{name}` has to be called on every rank", way, False, name)
