"""TL109 uneven-collective-loop. Its page, which is also its test: rules/distributed/TL109-uneven-collective-loop.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Replace, Rule, SetKeyword, Surround, Suspect

RULE = Rule.ours(
    code="TL109",
    summary="a loop with more iterations on some ranks than on others, and a collective in each of them",
    needs=("collective", "rank", "ddp", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loop over a rank's own part of something, when the parts may differ in size and each round communicates."""
    from trainlint.spmd.shards import uneven
    from trainlint.spmd.shards import uneven as evening

    for found in program.ask(uneven.uneven):
        meeting, loop = found.meeting, found.loop
        what = f"the {meeting.name} pass of the parallel model" if meeting.model else f"`{meeting.name}`"
        counts = ", ".join(map(str, found.rounds[:-1])) + f" and {found.rounds[-1]}"
        of = f"Of {found.items} items, for example, four ranks" if found.items is not None else "Four ranks, for example,"
        reasons = [Reason(origin.module, origin.spot, "each rank takes its own share here") for origin in found.origins[:2]]
        reasons.append(Reason(meeting.module, meeting.spot, "all ranks must get here, once per iteration"))
        if found.left is not None:
            reasons.append(
                Reason(found.module, found.left, "unless all ranks leave the loop here before any of them runs out of data")
            )
        yield Suspect(
            path=found.module,
            spot=loop.spot,
            node="For" if loop.kind == "for" else "While",
            statement=loop.spot,
            message=f"some ranks run more iterations of this loop than others, and then hang in {what}\n"
            f"{of} run {counts} iterations. Give every rank the same number (drop or repeat the last samples), or use the "
            "`Join` context manager.",
            because=tuple(reason for reason in reasons if reason.spot != loop.spot),
            evidence="must" if found.left is None else "likely",
            data={
                "split": next(((origin.spot, origin.keyword) for origin in found.origins if origin.keyword is not None), None),
                "header": evening.joining(program, found) if meeting.model else None,
                "shorter": evening.shortened(program, found),
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the parts can be made equal, or how those that are done can join in."""
    split, header, shorter = suspect.data["split"], suspect.data["header"], suspect.data["shorter"]
    if split is not None:
        call, keyword = split
        return SetKeyword(Applicability.DISPLAY, "Pad the parts to one length", call=call, keyword=keyword, value="True")
    if header is not None:
        return Surround(Applicability.DISPLAY, "Let the ranks that finish early join in", statement=suspect.spot, header=header)
    if shorter is not None:
        call, code = shorter
        return Replace(
            Applicability.DISPLAY, "Drop the items that do not divide evenly among the ranks", spot=call.site, code=code
        )
    return None
