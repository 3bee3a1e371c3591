"""TL610 save-every-step. Its page, which is also its test: rules/checkpoints/TL610-save-every-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL610",
    summary="a checkpoint in every step of a training loop",
    needs=("gradient", "step-part", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each save that is made in every step."""
    from trainlint.domains.checkpoints import save_policy
    from trainlint.program.naming import quoted

    for found in save_policy.constant(program):
        call = found.save.site.call
        yield at_call(
            found.save.site.module,
            call,
            message=f"{quoted(call.term)} writes a checkpoint in every step: the GPU waits for the disk after each batch\n"
            "Save every n steps, or once per epoch.",
            because=(Reason(found.module, found.loop, "the loop over batches"),),
        )
