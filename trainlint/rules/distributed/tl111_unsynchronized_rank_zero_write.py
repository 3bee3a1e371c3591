"""TL111 unsynchronized-rank-zero-write: see the page of the same name in ``rules/distributed/``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_call

if TYPE_CHECKING:
    from trainlint.spmd.writes import merges, races

RULE = Rule.ours(
    code="TL111",
    summary="a file that rank 0 writes and other ranks read without waiting for it",
    needs=("collective", "rank", "job"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each write by rank 0 that another rank uses without having waited, and each part whose readers did not wait."""
    from trainlint.program.naming import quoted
    from trainlint.spmd.writes import merges, races

    for race in races.races(program):
        what = "creates a directory" if race.operation.kind == "make" else "writes a file"
        message = (
            f"{quoted(race.site.call.term)} {what} on rank 0, and the other ranks use it without waiting for rank 0\n"
            "They may find it missing, or half-written. Call a barrier on all ranks after the write."
        )
        because = (
            Reason(race.test.module, race.test.spot, "only rank 0 gets past this test"),
            _use(race, "the other ranks use it"),
        )
        yield _suspect(race, message, because, races.barrier(program, race))
    for merge in merges.merges(program):
        who = "rank 0" if merge.rank == 0 else "another rank"
        message = (
            f"{quoted(merge.site.call.term)} writes a part on each rank, and {who} reads all parts without waiting for the "
            "other ranks\n"
            "The reader may get there first: parts are missing, or left over from an earlier run. Call a barrier in "
            "between."
        )
        yield _suspect(merge, message, (_use(merge, f"{who} reads them"),), None)


def _suspect(found: races.Race | merges.Merge, message: str, because: tuple[Reason, ...], barrier: object) -> Suspect:
    """A write that somebody does not wait for."""
    call = found.site.call
    return at_call(
        found.site.module,
        call,
        message=message,
        because=because,
        data={"barrier": barrier},
    )


def _use(found: races.Race | merges.Merge, who: str) -> Reason:
    """The place where others use what is written."""
    return Reason(found.reading.module, found.reading.spot, f"{who} here (`{found.reading.name}`)")


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let all ranks wait behind the test."""
    where = suspect.data["barrier"]
    if where is None:
        return None
    return InsertAfter(Applicability.UNSAFE, "Call a barrier after the write of rank 0", statement=where[0], code=where[1])
