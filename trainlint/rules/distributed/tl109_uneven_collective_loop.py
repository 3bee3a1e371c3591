"""TL109 uneven-collective-loop. Its page, which is also its test: rules/distributed/TL109-uneven-collective-loop.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Reason, Rule, SetKeyword, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL109",
    name="uneven-collective-loop",
    summary="a loop that makes more rounds on some ranks than on others and waits for all of them in each",
    level=Level.WARNING,
    certainty="flow",
    fix="display",
    needs=("collective", "rank", "ddp", "gradient"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loop over a rank's own part of something, when the parts may differ in size and each round communicates."""
    from trainlint.authoring import uneven

    for found in uneven.uneven(program):
        meeting, loop = found.meeting, found.loop
        what = f"the {meeting.name} pass of the parallel model" if meeting.model else f"`{meeting.name}`"
        counts = ", ".join(map(str, found.rounds[:-1])) + f" and {found.rounds[-1]}"
        of = f"Of {found.items} items, for example, four ranks" if found.items is not None else "Four ranks, for example,"
        reasons = [Reason(origin.module, origin.spot, "each rank takes a part of its own here") for origin in found.origins[:2]]
        reasons.append(Reason(meeting.module, meeting.spot, "all ranks must come here, once in every round"))
        yield Suspect(
            path=found.module,
            spot=loop.spot,
            node="For",
            statement=loop.spot,
            message=f"some ranks make more rounds of this loop than others, and then hang in {what}\n"
            f"{of} get {counts}. Give all ranks equally many (drop or repeat the last ones), or let those that are done join in.",
            because=tuple(reason for reason in reasons if reason.spot != loop.spot),
            data={"split": next((o.spot for o in found.origins if o.keyword), None)},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the call that splits can pad."""
    split = suspect.data["split"]
    if split is None:
        return None
    return SetKeyword(Applicability.DISPLAY, "Pad the parts to one length", call=split, keyword="apply_padding", value="True")
