"""TL217 sharded-twice. Its page, which is also its test: rules/data/TL217-sharded-twice.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveKeyword, Rule, Suspect, SwapKeyword

RULE = Rule.ours(
    code="TL217",
    summary="a DataLoader with a distributed sampler that a library splits among the ranks again",
    needs=("loader", "distributed-sampler"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader whose sampler divides the data and that is then prepared."""
    from trainlint.domains.loaders import distributed_samplers

    for found in distributed_samplers.twice(program):
        loader = found.loader
        assert found.sampler.call is not None
        assert found.sampler.frame is not None
        if loader.statement is None:
            continue
        because = [Reason(found.module, found.prepared, "the batches are split among the ranks again here")]
        if not found.inline:  # else it is on the lines that are shown already
            because.append(Reason(found.sampler.frame.module, found.sampler.call.site, "the sampler gives each rank its part"))
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message="`prepare` splits the data among the ranks again, after the sampler: most samples are never seen\n"
            "`prepare` splits the batches itself; the DataLoader needs no distributed sampler.",
            because=tuple(because),
            data={
                "call": loader.spot,
                "sampler": loader.keyword("sampler") is not None and loader.keyword("shuffle") is None,
                "shuffles": found.shuffles,
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Leave it to the library to divide the data."""
    if not suspect.data["sampler"]:
        return None
    unsafe, message, call = Applicability.UNSAFE, "Leave the splitting to `prepare`", suspect.data["call"]
    if suspect.data["shuffles"]:
        return SwapKeyword(unsafe, message, call=call, keyword="sampler", code="shuffle=True")
    return RemoveKeyword(unsafe, message, call=call, keyword="sampler")
