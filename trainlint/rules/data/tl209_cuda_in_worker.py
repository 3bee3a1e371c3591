"""TL209 cuda-in-worker. Its page, which is also its test: rules/data/TL209-cuda-in-worker.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL209",
    summary="a CUDA tensor that is created in a worker process of a DataLoader",
    needs=("loader",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that puts something on the GPU where a worker runs."""
    from trainlint.domains.loaders import workers

    for found in workers.in_workers(program):
        yield at_call(
            found.module,
            found.call,
            message="CUDA is used in a worker process of the `DataLoader`: it cannot be re-initialized in a forked "
            "process\n"
            "Create CPU tensors in the workers, pin them, and move the batch to the GPU in the training loop.",
            because=(Reason(found.loader.module, found.loader.spot, "the DataLoader with workers is constructed here"),),
            data={},
        )
