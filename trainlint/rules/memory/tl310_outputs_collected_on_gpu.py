"""TL310 outputs-collected-on-gpu. Its page, which is also its test: rules/memory/TL310-outputs-collected-on-gpu.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Applicability, Change, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL310",
    summary="outputs of a whole evaluation that are collected in GPU memory",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that puts the output for a batch into a list that lives as long as the loop."""
    from trainlint.domains.asynchronous import every_step

    for found in every_step.collected(program):
        site = found.site
        yield at_call(
            site.module,
            site.call,
            message="the outputs of all batches are kept on the GPU (no `.cpu()`), in memory that grows with the dataset\n"
            "Move each to the host when it is appended.",
            because=(Reason(*found.loop, "the list outlives this loop"),),
            data={"fetched": found.fetched},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Move each output to the host when it is there."""
    if not suspect.data["fetched"]:
        return None
    message = "Move each output to the host"
    return AppendCall(Applicability.SAFE, message, whole=suspect.spot, paths=((("argument", 0),),), code="cpu()")
