"""TL125 backend-device-mismatch. Its page, which is also its test: rules/distributed/TL125-backend-device-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Replace, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL125",
    summary="a collective on CPU tensors in a group whose backend supports GPUs only",
    needs=("group",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each collective that an NCCL group refuses."""
    from trainlint.domains.process_groups import options as mismatched_groups
    from trainlint.program import naming

    for found in mismatched_groups.backend_mismatches(program):
        site, start = found.site, found.start.site
        reasons = [Reason(start.module, start.call.term.site, "the group is started here, with NCCL")]
        instead = None
        if found.made is None:
            what = f"`{found.name.rpartition('.')[2]}` needs a group with the gloo backend"
            why = "NCCL does not implement this barrier: the call raises."
            barrier = naming.reference(program.knowledge.tables["groups"]["waits"][0], program.modules[site.module])
            instead = f"{barrier}()" if barrier is not None else None
        else:
            what = f"`{found.name.rpartition('.')[2]}` sends a CPU tensor through an NCCL group"
            why = "NCCL supports CUDA tensors only: the call raises."
            reasons.insert(0, Reason(found.made[0], found.made[1].site, "the tensor is created here"))
        yield at_call(
            site.module,
            site.call,
            message=f"{what}\n{why}",
            because=tuple(reasons),
            data={
                "instead": instead,
                "made": found.made[1].site if found.made is not None and found.made[0] == site.module else None,
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the plain barrier, or the tensor on the GPU."""
    if suspect.data["instead"] is not None:
        return Replace(Applicability.DISPLAY, "Use the barrier that NCCL has", spot=suspect.spot, code=suspect.data["instead"])
    if suspect.data["made"] is None:
        return None
    return SetKeyword(Applicability.DISPLAY, "Create it on the GPU", call=suspect.data["made"], keyword="device", value='"cuda"')
