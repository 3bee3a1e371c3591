"""TL508 tpu-save-on-device. Its page, which is also its test: rules/compilers/TL508-tpu-save-on-device.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Spot, Suspect, at_call

RULE = Rule.ours(
    code="TL508",
    summary="a checkpoint of tensors that are still on an XLA device",
    needs=("xla",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each save of a model's state that was not moved to the host."""
    from trainlint.domains.xla import host_transfers
    from trainlint.program.naming import quoted

    for found in host_transfers.saved_on_device(program):
        state = found.state.site
        reasons = [Reason(*found.moved, "the model is moved to the XLA device here")]
        if found.home != found.module or not _inside(state, found.call.term.site):
            reasons.insert(0, Reason(found.home, state, "its state dict is taken from the device"))
        yield at_call(
            found.module,
            found.call,
            message=f"{quoted(found.call.term)} writes tensors that are on an XLA device: the file cannot "
            "be loaded where there is no such device\n"
            "`xm.save` moves them to the host first; so does `.cpu()` of each.",
            because=tuple(reasons),
            data={"state": state if found.home == found.module and _inside(state, found.call.term.site) else None},
        )


def _inside(part: Spot, whole: Spot) -> bool:
    begin, end = (part.line, part.column), (part.end_line, part.end_column)
    return (whole.line, whole.column) <= begin and end <= (whole.end_line, whole.end_column)


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Move each tensor of the state to the host, where the state is taken in the call itself."""
    state = suspect.data["state"]
    if state is None:
        return None
    code = "{name: value.cpu() for name, value in {0}.items()}"
    return Rewrite(Applicability.SAFE, "Move the tensors to the host", spot=state, code=code, paths=((),))
