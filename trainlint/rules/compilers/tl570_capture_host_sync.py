"""TL570 capture-host-sync. Its page, which is also its test: rules/compilers/TL570-capture-host-sync.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL570",
    name="capture-host-sync",
    summary="a host synchronization during CUDA graph capture, which is an error",
    level=Level.ERROR,
    certainty="flow",
    fix="none",
    needs=("cuda-graph",),
    since="0.1",
)

_WHAT = {
    "waits": "the host waits for the device here",
    "fetches": "a value is fetched from the device here",
    "prints": "the values of a tensor are printed here",
    "size": "the size of this result depends on values, for which the host waits here",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call at which the host would wait while a graph is captured."""
    from trainlint.domains.asynchronous import streams

    for found in streams.waiting(program):
        because = [Reason(found.capture.module, found.capture.block.spot, "this is captured")]
        because += [Reason(site.module, site.call.term.site, "through this call") for site in found.way]
        yield Suspect(
            path=found.module,
            spot=found.call.term.site,
            node="Call",
            statement=found.call.statement,
            message=f"{_WHAT[found.what]}, during CUDA graph capture\n"
            "Nothing executes during capture: the call raises, and the capture is lost. Do it after the block.",
            because=tuple(because),
        )
