"""TL117 bypassed-ddp-forward. Its page, which is also its test: rules/distributed/TL117-bypassed-ddp-forward.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL117",
    summary="a model whose forward pass bypasses the DDP wrapper that averages its gradients",
    needs=("parallel",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each forward pass of a loss that goes past the wrapper."""
    from trainlint.domains.data_parallel import gradient_averaging
    from trainlint.program import naming
    from trainlint.program.call_graph import last_name

    for found in gradient_averaging.bypassed(program):
        what = "the wrapper's `.module`" if found.inner else "the model inside the wrapper"
        cure = "Call the wrapper."
        if found.method is not None:
            what = f"`{found.method}` of {what}"
            cure = "Compute this in the model's `forward`, and call the wrapper."
        reasons = [Reason(found.frame.module, found.backward, "the gradients of this backward pass are not averaged")]
        if found.wrap is not None:
            reasons.append(Reason(*found.wrap, "the model is wrapped here"))
        method = last_name(found.call.term.callee) if naming.receiver(found.call.term) is not None else None
        yield at_call(
            found.frame.module,
            found.call,
            message=f"{what} is called directly, which bypasses DDP: the gradients are not averaged over the ranks\n"
            f"DDP prepares the all-reduce in its own forward pass; without it the replicas diverge. {cure}",
            because=tuple(reasons),
            data={
                "inner": found.inner and method in program.knowledge.unwraps,
                "name": found.name if method is None else None,
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Call the wrapper."""
    message = "Call the wrapper"
    if suspect.data["inner"]:
        paths = ((("receiver", 0),), (("arguments", 0),))
        return Rewrite(Applicability.UNSAFE, message, spot=suspect.spot, code="{0}({1})", paths=paths)
    name = suspect.data["name"]
    if name is None:
        return None
    return Rewrite(Applicability.UNSAFE, message, spot=suspect.spot, code=f"{name}({{0}})", paths=((("arguments", 0),),))
