"""TL922 offload-without-stage. Its page, which is also its test: rules/environment/TL922-offload-without-stage.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL922",
    summary="DeepSpeed offloading that the configured ZeRO stage does not support",
    certainty="syntax",
    needs=(),
    reads=("deepspeed",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the first of the settings that the stage of a configuration passes over."""
    from trainlint.jobs import deepspeed_contradictions

    for found in deepspeed_contradictions.unused_settings(program):
        first = found.items[0].key
        names = ", ".join(f"`{item.key.value}`" for item in found.items)
        stage = f"stage {found.stage}" if found.chosen is not None else "stage 0, the default"
        wanted = "stage 3" if found.needed == deepspeed_contradictions.PARAMETERS else "stage 1, 2 or 3"
        because: tuple[Reason, ...] = ()
        if found.chosen is not None:
            because = (Reason(found.document.path, found.chosen.key.spot, f"The stage is {found.stage}."),)
        yield Suspect(
            path=found.document.path,
            spot=first.spot,
            node="Text",
            statement=first.spot,
            message=f"`{first.value}` has no effect at ZeRO {stage}\n"
            f"Only {wanted} reads {names}: no GPU memory is saved. Select that stage, or remove the setting.",
            because=because,
        )
