"""TL562 cudagraph-dynamic-shape. Its page, which is also its test: rules/compilers/TL562-cudagraph-dynamic-shape.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL562",
    summary="a model that is captured in CUDA graphs, one per batch size, and a DataLoader whose batches have many sizes",
    needs=("compiled-function", "gradient"),
)

_LAST = (
    "no `drop_last`: the last batch may be smaller, so the compiled model is recompiled and its CUDA graph captured again\n"
    "A CUDA graph has static shapes and its own memory. Pass `drop_last=True` to give every batch the same size."
)
_EACH = (
    "batches are padded to their longest item here: the compiled model's CUDA graph is captured again for each new length\n"
    "A CUDA graph has static shapes and its own memory. Pad to one length, or to a few, or compile in a mode without "
    "CUDA graphs (`max-autotune-no-cudagraphs`)."
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that gives a model which is recorded as CUDA graphs batches of many sizes."""
    from trainlint.domains.cuda_graph_shapes import recorded

    for found in recorded(program):
        yield Suspect(
            path=found.module,
            spot=found.call.site,
            node="Call",
            statement=found.statement,
            message=_LAST if found.last else _EACH,
            because=(
                Reason(*found.compiled, "this compiles the model, in a mode that captures CUDA graphs"),
                Reason(*found.loop, "the model is trained on these batches here"),
            ),
            data={"call": found.call.site, "drops": found.last and found.keyword},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the last batch dropped."""
    if not suspect.data["drops"]:
        return None
    message = "Drop the incomplete last batch"
    return SetKeyword(Applicability.DISPLAY, message, call=suspect.data["call"], keyword="drop_last", value="True")
