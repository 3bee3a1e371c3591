"""TL803 benchmark-with-deterministic. Its page and test: rules/throughput/TL803-benchmark-with-deterministic.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect

RULE = Rule.ours(
    code="TL803",
    summary="cuDNN's benchmark mode in a run that should be reproducible",
    needs=("switch",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that turns the search on although results are to be repeatable."""
    from trainlint.domains import reproducibility

    for found in reproducibility.contradictions(program):
        search, wish = found.search, found.repeatable
        yield Suspect(
            path=search.module,
            spot=search.store.spot,
            node=search.store.kind,
            statement=search.store.spot,
            message="`cudnn.benchmark` selects algorithms by timing them, although this run should be reproducible\n"
            "Which one is fastest differs from run to run, and so can the results. Set `benchmark` to False.",
            because=(Reason(wish.module, wish.store.spot, "reproducible results are requested here"),),
            data={"alone": found.alone},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Turn the search off."""
    if not suspect.data["alone"]:
        return None
    return Rewrite(Applicability.UNSAFE, "Disable benchmark mode", spot=suspect.spot, code="False", paths=())
