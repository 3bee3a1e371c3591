"""TL811 large-pipeline-bubble. Its page, which is also its test: rules/throughput/TL811-large-pipeline-bubble.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL811",
    summary="a pipeline with so few micro-batches that its stages are idle",
    needs=("pipeline",),
)

#: With so many micro-batches for each stage the stages wait for less than a fifth of the time.
_ENOUGH = 4


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each pipeline with fewer than four micro-batches for each stage."""
    from trainlint.domains import pipeline_stages

    for found in pipeline_stages.pipelines(program):
        if found.batches >= _ENOUGH * found.stages:
            continue
        waits = round(100 * (found.stages - 1) / (found.batches + found.stages - 1))
        some = "1 micro-batch" if found.batches == 1 else f"{found.batches} micro-batches"
        yield at_call(
            found.site.module,
            found.site.call,
            message=f"the stages of this pipeline are idle {waits} % of the time: {some} for {found.stages} stages\n"
            f"Split the batch into {_ENOUGH * found.stages} micro-batches or more, if memory and micro-batch size allow.",
        )
