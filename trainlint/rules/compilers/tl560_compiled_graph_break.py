"""TL560 compiled-graph-break. Its page, which is also its test: rules/compilers/TL560-compiled-graph-break.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL560",
    summary="an operation in a compiled function that `torch.compile` cannot capture: a graph break, or a recompilation at "
    "each call",
    needs=("compiled-function",),
)

_WHAT = {
    "branch": "graph break in `torch.compile`: this branch depends on the values of a tensor\n"
    "The host waits for the value at each call. Use `torch.where` or `torch.cond`, or decide outside the compiled "
    "function.",
    "number": "graph break in `torch.compile`: a tensor is converted to a Python number here\n"
    "The host waits for it at each call. Keep it a tensor, or convert it outside the compiled function.",
    "shape": "graph break in `torch.compile`: the size of this result depends on the data\n"
    "Use `torch.where` and masks of a fixed size, or select the elements outside the compiled function.",
    "says": "graph break in `torch.compile`: this prints or logs\n"
    "Leave it to the caller, or put it under `if not torch.compiler.is_compiling():`.",
    "clock": "graph break in `torch.compile`: this reads the clock\n"
    "It cannot time single operations of a compiled graph: time the call of the compiled function from outside.",
    "random": "graph break in `torch.compile`: random numbers are drawn on the host here\n"
    "Draw from PyTorch's generator (`torch.rand`), or outside, and pass the number in as a tensor.",
    "file": "graph break in `torch.compile`: this opens a file\nDo that outside the compiled function.",
    "counter": "`torch.compile` recompiles at each call: this Python number on the module changes each time\n"
    "After 8 recompilations the compiler gives up, and the function runs uncompiled. Keep it as a buffer, or "
    "count outside.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place in a compiled function at which its graph breaks whenever it is called."""
    from trainlint.domains.dynamo.graph_breaks import breaks

    for found in breaks(program):
        because = [Reason(found.root.frame.module, found.root.spot, "this compiles the function")]
        because += [Reason(site.module, site.call.term.site, "through this call") for site in found.way]
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_WHAT[found.what],
            because=tuple(because),
            data={"change": found.change},
        )
