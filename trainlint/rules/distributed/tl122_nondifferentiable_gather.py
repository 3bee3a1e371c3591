"""TL122 nondifferentiable-gather. Its page, which is also its test: rules/distributed/TL122-nondifferentiable-gather.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL122",
    summary="a loss of gathered copies only, through which no gradient flows back",
    needs=("copies", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each gather whose copies alone bring a model's output into a loss."""
    from trainlint.domains.autograd import gathered_losses
    from trainlint.program.naming import quoted

    for found in gathered_losses.lost(program):
        yield at_call(
            found.site.module,
            found.site.call,
            message=f"{quoted(found.site.call.term)} passes no gradient back, and the loss depends on the "
            "sent tensor in no other way\n"
            "The gathered tensors are copies, so this loss does not train the model they come from. Put this rank's "
            "own tensor in place of its copy, or gather with a differentiable function.",
            because=(Reason(*found.loss, "the loss"),),
            data={"put_back": found.put_back},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how this rank's own tensor comes back in."""
    code: str | None = suspect.data["put_back"]
    if code is None:
        return None
    return InsertAfter(Applicability.DISPLAY, "Put this rank's own tensor back", statement=suspect.statement, code=code)
