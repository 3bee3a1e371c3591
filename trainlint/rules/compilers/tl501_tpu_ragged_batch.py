"""TL501 tpu-ragged-batch. Its page, which is also its test: rules/compilers/TL501-tpu-ragged-batch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_place

RULE = Rule.ours(
    code="TL501",
    summary="a training loader on an XLA device that keeps a shorter last batch",
    needs=("xla", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader whose last batch may be short and whose batches train a model on XLA."""
    from trainlint.domains.xla import dynamic_shapes

    for found in dynamic_shapes.ragged_loaders(program):
        evidence = found.loop.evidence
        reasons = [
            Reason(found.loop.frame.module, found.loop.spot, "the model is trained on its batches here"),
            Reason(evidence.module, evidence.spot, evidence.says),
        ]
        yield at_place(
            found,
            message="no `drop_last`: the last batch of each epoch may be smaller, and XLA recompiles the training step for it\n"
            "A compiled program has static shapes. Pass `drop_last=True`: then all batches have the same size.",
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != found.call.site),
            data={"call": found.call.site, "certain": found.alone, "keyword": found.keyword},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Drop the last batch; only shown where the same call also makes loaders that may have to keep theirs."""
    if not suspect.data["keyword"]:
        return None
    how = Applicability.SAFE if suspect.data["certain"] else Applicability.DISPLAY
    return SetKeyword(how, "Drop the incomplete last batch", call=suspect.data["call"], keyword="drop_last", value="True")
