"""TL506 tpu-plain-optimizer-step. Its page, which is also its test: rules/compilers/TL506-tpu-plain-optimizer-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL506",
    summary="an optimizer that steps on several XLA devices without all-reducing the gradients",
    needs=("xla",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each plain step of an optimizer on several cores, and each step that reduces too early."""
    from trainlint.domains.xla import step_markers

    asked = program.ask(step_markers.Stepping)
    for module, call in asked.too_early():
        yield at_call(
            module,
            call,
            message="`xm.optimizer_step` all-reduces the gradients before the closure computes them: the replicas diverge\n"
            "Call `xm.reduce_gradients(optimizer)` at the end of the closure, and step with `optimizer.step(closure)`.",
            because=(),
            data={"library": None},
        )
    for found in step_markers.once(asked.unreduced()):
        loop, launch = found.loop, found.launch
        reasons = [Reason(loop.frame.module, loop.spot, "the training loop")]
        if launch is not None:
            reasons.insert(0, Reason(launch.module, launch.spot, launch.says))
        yield at_call(
            found.module,
            found.call,
            message="`optimizer.step()` on XLA uses each core's own gradients, without an all-reduce: the replicas diverge\n"
            "`xm.optimizer_step(optimizer)` all-reduces the gradients over the cores, and then steps.",
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != found.call.term.site),
            data={"library": None if found.call.term.args or found.call.term.kwargs else found.library},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Step with torch_xla, by the name under which the file has it."""
    library = suspect.data["library"]
    if library is None:
        return None
    message = "All-reduce the gradients before the step"
    paths = ((("receiver", 0),),)
    return Rewrite(Applicability.SAFE, message, spot=suspect.spot, code=f"{library}.optimizer_step({{0}})", paths=paths)
