"""TL110 missing-set-device. Its page, which is also its test: rules/distributed/TL110-missing-set-device.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL110",
    summary="processes of an NCCL group that all use the first GPU",
    needs=("group", "job", "rank-test"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each start of a group after which something is put on the current GPU before one was chosen."""
    from trainlint.domains.process_groups import current_device

    for found in current_device.unchosen(program):
        site, used = found.start.site, found.used
        what = "this communicates on the current GPU" if used.touch.value == "meets" else "this uses the current GPU"
        reasons = [Reason(used.module, used.call.term.site, what)]
        if found.later is not None:
            reasons.append(Reason(site.module, found.later.term.site, "the GPU is selected only here"))
        reasons += [Reason(each.module, each.call.term.site, "called here, before a GPU was selected") for each in found.way]
        yield at_call(
            site.module,
            site.call,
            message="`torch.cuda.set_device` was not called before this: the current GPU of every process is GPU 0\n"
            "Whatever names no GPU goes there from all processes, and NCCL raises, hangs, or runs out of memory. Select the "
            "process's own GPU first.",
            because=tuple(reasons),
            data={"choice": None if found.later is not None else current_device.set_device_statement(program, found.start)},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Choose the GPU of the process right after the start."""
    code = suspect.data["choice"]
    if code is None:
        return None
    return InsertAfter(Applicability.SAFE, "Select the GPU of the process", statement=suspect.statement, code=code)
