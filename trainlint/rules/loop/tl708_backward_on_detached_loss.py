"""TL708 backward-on-detached-loss. Its page, which is also its test: rules/loop/TL708-backward-on-detached-loss.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL708",
    summary="a backward pass on a number, or on a value that is detached from the autograd graph",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass of what has no graph."""
    from trainlint.domains.autograd import gradient_free

    for found in gradient_free.dead(program):
        site, why = found.site, found.why
        ended = "computed without recording gradients" if why.word == "no_grad" else f"`{why.word}` detaches the value here"
        yield at_call(
            site.module,
            site.call,
            message="`backward()` starts from a value that is detached from the autograd graph: no gradient reaches the "
            "model\n"
            "Call it on the loss itself, and detach only the copy that you log.",
            because=(Reason(why.module, why.spot, ended),),
        )
