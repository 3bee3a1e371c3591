"""TL608 unpruned-checkpoints. Its page, which is also its test: rules/checkpoints/TL608-unpruned-checkpoints.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL608",
    summary="a training loop that writes new checkpoints and never removes old ones",
    needs=("gradient", "step-part", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each save to a new file in a training loop of a program that removes none."""
    from trainlint.domains.checkpoints import save_policy
    from trainlint.program.naming import quoted

    for found in save_policy.piling(program):
        call = found.save.site.call
        inside = found.loop[1] is call.term
        because = [] if inside else [Reason(found.loop[0], found.loop[1].site, "saved in the training loop here")]
        what = "nothing in the program ever removes one"
        if found.removed is not None:
            what = "nothing in the files that lead to this save removes one"
            because.append(Reason(found.removed[0], found.removed[1].site, "files are removed or moved here, perhaps not these"))
        yield at_call(
            found.save.site.module,
            call,
            message=f"{quoted(call.term)} writes a new file every time, and {what}: a long run can fill the disk\n"
            "Keep the last few and the best one.",
            because=tuple(because),
            evidence="must" if found.removed is None else "likely",
            data={"code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the oldest files are removed."""
    code = suspect.data["code"]
    if code is None:
        return None
    assert suspect.statement is not None
    return InsertAfter(Applicability.DISPLAY, "Keep the last three files", statement=suspect.statement, code=code)
