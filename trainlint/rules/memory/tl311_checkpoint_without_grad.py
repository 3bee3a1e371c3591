"""TL311 checkpoint-without-grad. Its page, which is also its test: rules/memory/TL311-checkpoint-without-grad.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL311",
    summary="a checkpointed block that gets no gradient, since none of its inputs requires one",
    needs=("recompute",),
)

_WHY = {
    "batch": "the input is data, which does not require gradients",
    "named": "the input is data, which does not require gradients",
    "frozen": "this part is frozen: no gradient flows through what it computes",
    "no_grad": "gradients are not recorded here: no gradient flows through the result",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each reentrant checkpoint whose inputs need no gradient."""
    from trainlint.domains.autograd import activation_checkpointing

    for found in activation_checkpointing.cut_off(program):
        site, why = found.site, found.why
        what = "all segments but the last" if found.word == "sequence" else "this block"
        yield at_call(
            site.module,
            site.call,
            message=f"reentrant `checkpoint` computes no gradients for {what}: none of its inputs requires gradients\n"
            "Its parameters are not trained, and PyTorch only warns. `use_reentrant=False` tracks the parameters as well.",
            because=(Reason(why.module, why.spot, _WHY.get(why.word, "this result has no graph")),),
            data={},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the other kind of checkpoint."""
    return SetKeyword(
        Applicability.DISPLAY,
        "Use the non-reentrant variant",
        call=suspect.spot,
        keyword="use_reentrant",
        value="False",
    )
