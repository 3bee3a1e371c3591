"""TL505 missing-mark-step. Its page, which is also its test: rules/compilers/TL505-missing-mark-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL505",
    summary="a training loop on XLA whose steps are never ended, so that one graph grows with every batch",
    needs=("xla", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the optimizer's step of each loop on XLA in which no step of the program is ended."""
    from trainlint.domains.xla import step_markers
    from trainlint.program.naming import quoted

    for found in step_markers.once(program.ask(step_markers.Stepping).unmarked()):
        loop = found.loop
        reasons = [
            Reason(loop.frame.module, loop.spot, "the loop; nothing in it ends a step"),
            Reason(loop.evidence.module, loop.evidence.spot, loop.evidence.says),
        ]
        yield at_call(
            found.module,
            found.call,
            message="no `mark_step`, `torch_xla.sync` or `MpDeviceLoader` ends the steps of this loop on XLA: one graph "
            "collects the operations of all batches\n"
            "End the step with `xm.optimizer_step(…, barrier=True)`, `torch_xla.sync()` after the step, or "
            "`pl.MpDeviceLoader`.",
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != found.call.term.site),
            data={"own": found.own, "library": found.library},
        )
    for beside in step_markers.unmarked_beside(program):
        yield at_call(
            beside.module,
            beside.call,
            message="no `mark_step` or `torch_xla.sync` ends the steps of this loop on XLA: all iterations become one graph\n"
            "The other loop over the same models ends each of its steps; do the same here.",
            because=(
                Reason(beside.module, beside.loop, "the loop; nothing in it ends a step"),
                Reason(beside.module, beside.marked, "another loop over the same models ends its steps here"),
            ),
            data={"own": False, "library": None},
        )
    for some in step_markers.narrower(program):
        yield at_call(
            some.site.module,
            some.site.call,
            message=f"{quoted(some.site.call.term)} is used only if `{some.test}`: in other runs on XLA nothing ends a step\n"
            "Use the loader on one core as well, or end the step with `barrier=True`.",
            because=(
                Reason(some.step.module, some.step.call.term.site, "this steps an optimizer, and does not end the XLA step"),
            ),
            data={"own": False, "library": None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let torch_xla's own step end the program's, too; mark the step behind a plain one."""
    message = "End the step after `optimizer.step()`"
    if suspect.data["own"]:
        return SetKeyword(Applicability.SAFE, message, call=suspect.spot, keyword="barrier", value="True")
    library = suspect.data["library"]
    if library is None:
        return None
    return InsertAfter(Applicability.SAFE, message, statement=suspect.statement, code=f"{library}.mark_step()")
