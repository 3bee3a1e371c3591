"""TL504 tpu-host-sync. Its page, which is also its test: rules/compilers/TL504-tpu-host-sync.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL504",
    summary="a value that is fetched from an XLA device in every step of a loop",
    needs=("xla", "numerics"),
)

_MOST_NAMED = 3


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the first value that a function fetches in each step of a loop on XLA."""
    from trainlint.domains.xla import host_transfers
    from trainlint.program.naming import quoted

    for found in host_transfers.fetched_every_step(program):
        loop = found.loop
        does = "trains" if found.trained else "evaluates"
        reasons = [
            Reason(loop.frame.module, loop.spot, f"this loop {does} on XLA, and runs it for each batch"),
            Reason(loop.evidence.module, loop.evidence.spot, loop.evidence.says),
            *(() if found.registered is None else (Reason(*found.registered, "the loop may select this loss from a table"),)),
            *(Reason(found.module, spot, "and fetched here") for spot in found.more[:_MOST_NAMED]),
        ]
        yield at_call(
            found.module,
            found.call,
            message=f"{quoted(found.call.term)} fetches a value from the XLA device in every step: the host executes "
            "the pending graph and waits for it\n"
            "Keep the value on the device, and fetch it when something is logged; `xm.add_step_closure` prints after "
            "the step.",
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != found.call.term.site),
            data={"shown": found.shown},
        )
    for each in host_transfers.fetched_one_by_one(program):
        yield at_call(
            each.module,
            each.site.call,
            message=f"{quoted(each.site.call.term)} fetches a value from the XLA device for each gradient: "
            "the host waits for each of them\n"
            "Combine the values on the device, and fetch only the result, if anything.",
            because=(Reason(each.step.module, each.step.call.term.site, "a step that runs this ends on XLA here"),),
            data={"shown": False},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the value stays on the device."""
    if not suspect.data["shown"]:
        return None
    message = "Keep the value on the device until it is logged"
    return Rewrite(Applicability.DISPLAY, message, spot=suspect.spot, code="{0}.detach()", paths=((("receiver", 0),),))
