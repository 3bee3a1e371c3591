"""TL570 capture-host-sync. Its page, which is also its test: rules/compilers/TL570-capture-host-sync.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL570",
    summary="a host synchronization during CUDA graph capture, which is an error",
    needs=("cuda-graph",),
)

_WHAT = {
    "waits": "waiting for the device",
    "fetches": "fetching a value from the device",
    "prints": "printing the values of a tensor",
    "size": "waiting for the size of a result",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call at which the host would wait while a graph is captured."""
    from trainlint.domains.asynchronous import streams
    from trainlint.program.naming import quoted

    for found in streams.waiting(program):
        because = [Reason(found.capture.module, found.capture.block.spot, "the capture begins here")]
        because += [Reason(site.module, site.call.term.site, "through this call") for site in found.way]
        yield at_call(
            found.module,
            found.call,
            message=f"{quoted(found.call.term)} raises during CUDA graph capture: {_WHAT[found.what]} is not allowed there\n"
            "Operations are only recorded during capture, not executed. Do it after the block.",
            because=tuple(because),
        )
