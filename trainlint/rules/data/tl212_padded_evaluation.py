"""TL212 padded-evaluation. Its page, which is also its test: rules/data/TL212-padded-evaluation.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL212",
    summary="an evaluation over a distributed sampler, which counts some samples twice or leaves some out",
    needs=("loader", "distributed-sampler"),
)


_MESSAGES = {
    False: "`DistributedSampler` repeats samples so that every rank gets the same number of samples, and the evaluation "
    "counts them twice\nDrop the duplicates when the ranks combine their results, or use a sampler that does not pad.",
    True: "`DistributedSampler(drop_last=True)` drops samples so that every rank gets the same number: the result depends on "
    "the number of ranks\nKeep them, and drop the duplicates that padding adds when the ranks combine their results.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader whose sampler repeats samples that an evaluation then counts, or leaves some out."""
    from trainlint.domains.loaders import distributed_samplers

    for found in distributed_samplers.padded(program):
        loader = found.loader
        assert loader.statement is not None
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message=_MESSAGES[found.drops],
            because=(
                Reason(found.module, found.loop, "its batches are evaluated here"),
                Reason(*found.reduced, "the ranks combine their results here"),
            ),
            data={},
        )
