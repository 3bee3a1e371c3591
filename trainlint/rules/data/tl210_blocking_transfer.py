"""TL210 blocking-transfer. Its page, which is also its test: rules/data/TL210-blocking-transfer.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Change, Program, Reason, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL210",
    summary="a blocking copy to the GPU of a batch in pinned memory",
    needs=("loader", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each transfer of a batch from pinned memory that the host waits for."""
    from trainlint.domains.loaders import training_loaders
    from trainlint.program.library_uses import applicability
    from trainlint.program.naming import quoted

    for found in training_loaders.blocking(program):
        loader = found.fed.loader
        yield at_call(
            found.frame.module,
            found.call,
            message=f"{quoted(found.call.term)} blocks the host, though the batch is in pinned memory: pass `non_blocking=True`\n"
            "The copy to the GPU then runs in the background; kernels launched later still wait for it.",
            because=(Reason(loader.module, loader.spot, "the DataLoader pins its batches here"),),
            data={"safe": applicability(program, found.frame.module, "non_blocking")},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Do not wait for the copy."""
    message = "Copy asynchronously"
    return SetKeyword(suspect.data["safe"], message, call=suspect.spot, keyword="non_blocking", value="True")
