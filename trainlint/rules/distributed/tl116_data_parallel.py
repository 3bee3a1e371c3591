"""TL116 data-parallel. Its page, which is also its test: rules/distributed/TL116-data-parallel.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL116",
    summary="a model that one process copies to all GPUs in every step",
    needs=("replicates", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each model that is trained so."""
    from trainlint.domains.data_parallel import single_process
    from trainlint.program import library_uses

    for found in single_process.replicated(program):
        place = library_uses.chosen_at(program, found.use)
        yield Suspect(
            path=found.use.module,
            spot=found.use.spot,
            node="Call",
            statement=found.use.statement,
            message=f"`{found.use.name.rpartition('.')[2]}` drives all GPUs from one process: `DistributedDataParallel` is "
            "faster, even on one machine\n"
            "In every step it copies the model to each GPU and gathers the outputs on the first, whose memory fills "
            "first. Run one process per GPU (`torchrun`), and wrap the model in `DistributedDataParallel`.",
            because=(Reason(*place, "the class to use is chosen here"),) if place is not None else (),
            data={"change": found.change},
        )
