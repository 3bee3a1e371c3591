"""TL560 compiled-graph-break. Its page, which is also its test: rules/compilers/TL560-compiled-graph-break.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL560",
    name="compiled-graph-break",
    summary="something in a compiled function that no graph can hold: the function is cut there, or compiled again at each call",
    level=Level.WARNING,
    certainty="flow",
    fix="display",
    needs=("compiled-function",),
    since="0.1",
)

_WHAT = {
    "branch": "a branch depends on the values of this tensor, which cuts the compiled graph in two\n"
    "The host waits for the value at each call. Use `torch.where` or `torch.cond`, or decide outside of what is compiled.",
    "number": "a number is made of a tensor here, which cuts the compiled graph in two\n"
    "The host waits for it at each call. Keep it a tensor, or fetch it outside of what is compiled.",
    "shape": "the size of this result depends on values, which cuts the compiled graph in two\n"
    "Use `torch.where` and masks of a fixed size, or pick the items outside of what is compiled.",
    "says": "a line is printed or logged here, which cuts the compiled graph in two\n"
    "Leave it to the caller, or put it under `if not torch.compiler.is_compiling():`.",
    "clock": "a clock is read here, which cuts the compiled graph in two\n"
    "What it would time is not what runs: measure around the compiled function.",
    "random": "random numbers of the host are drawn here, which cuts the compiled graph in two\n"
    "Draw from PyTorch's generator (`torch.rand`), or outside, and hand the number in as a tensor.",
    "file": "a file is opened here, which cuts the compiled graph in two\nDo that outside of what is compiled.",
    "counter": "a number that the module keeps is another one at each call, so that it is compiled again each time\n"
    "After some such calls (8) the compiler gives up, and the function runs uncompiled. Keep it as a buffer, or count outside.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place in a compiled function at which its graph breaks whenever it is called."""
    from trainlint.domains.dynamo.graph_breaks import breaks

    for found in breaks(program):
        because = [Reason(found.root.frame.module, found.root.spot, "this compiles it")]
        because += [Reason(site.module, site.call.term.site, "by way of this call") for site in found.way]
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_WHAT[found.what],
            because=tuple(because),
            data={"change": found.change},
        )
