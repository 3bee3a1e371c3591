"""TL503 tpu-dynamic-padding. Its page, which is also its test: rules/compilers/TL503-tpu-dynamic-padding.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_place

RULE = Rule.ours(
    code="TL503",
    summary="batches padded to their longest item that train a model on an XLA device",
    needs=("xla", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that pads the batches of a training loop on XLA to their longest item."""
    from trainlint.domains.xla import dynamic_shapes

    for found in dynamic_shapes.padded_batches(program):
        evidence = found.loop.evidence
        reasons = [
            Reason(found.loop.frame.module, found.loop.spot, "the model is trained on these batches here"),
            Reason(evidence.module, evidence.spot, evidence.says),
        ]
        yield at_place(
            found,
            message="each batch is padded to its own longest item: XLA recompiles the training step for every new length\n"
            "A compiled program has static shapes. Pad all batches to the same length, or to a multiple "
            "(`pad_to_multiple_of`), so that there are few lengths.",
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != found.call.site),
            data={"call": found.call.site, "chosen": found.chosen, "length": found.length},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Pad to the length that the call names already; else show padding to a multiple."""
    call = suspect.data["call"]
    if suspect.data["length"]:
        return SetKeyword(
            Applicability.SAFE, "Pad every batch to `max_length`", call=call, keyword="padding", value='"max_length"'
        )
    if suspect.data["chosen"]:
        return SetKeyword(
            Applicability.DISPLAY,
            "Pad to a multiple of a number: few lengths",
            call=call,
            keyword="pad_to_multiple_of",
            value="128",
        )
    return None
