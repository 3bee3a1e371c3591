"""TL218 stale-worker-copy. Its page, which is also its test: rules/data/TL218-stale-worker-copy.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveKeyword, Rule, Suspect

RULE = Rule.ours(
    code="TL218",
    summary="a dataset that is changed between epochs, while persistent workers keep the old copy",
    needs=("loader", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader with persistent workers whose dataset is changed in the loop over epochs."""
    from trainlint.domains.loaders import workers

    for found in workers.stale(program):
        loader = found.loader
        if loader.statement is None:
            continue
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message=f"workers with `persistent_workers=True` never see the new `{found.name}`: they keep the copy of the "
            "dataset they started with\n"
            "Without `persistent_workers`, each epoch starts new workers with a new copy. Workers do see changes "
            "of tensors in shared memory (`share_memory_()`).",
            because=(
                Reason(found.module, found.changed, f"each epoch changes `{found.name}` of the dataset here"),
                Reason(*found.read, "the workers read it here"),
            ),
            data={"call": loader.spot, "keyword": loader.keyword("persistent_workers") is not None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show workers that begin anew with each epoch."""
    if not suspect.data["keyword"]:
        return None
    message = "Start new workers in each epoch"
    return RemoveKeyword(Applicability.DISPLAY, message, call=suspect.data["call"], keyword="persistent_workers")
