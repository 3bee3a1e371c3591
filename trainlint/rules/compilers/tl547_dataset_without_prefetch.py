"""TL547 dataset-without-prefetch. Its page, which is also its test: rules/compilers/TL547-dataset-without-prefetch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Applicability, Change, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL547",
    summary="a tf.data pipeline that ends without prefetch",
    needs=("dataset",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the end of the first such pipeline that a file trains on."""
    from trainlint.domains.tensorflow.pipelines import unprefetched

    for found in unprefetched(program):
        stage = found.stage
        reasons = (
            Reason(found.work.frame.module, found.work.call.site, "this is computed for every element"),
            Reason(found.batch.frame.module, found.batch.call.site, "the batches are made here"),
            Reason(*found.used, "the model is trained on it here"),
        )
        yield Suspect(
            path=stage.frame.module,
            spot=stage.call.site,
            node="Call",
            statement=stage.call.site,
            message="this `tf.data` pipeline ends without `prefetch`: the next batch is prepared only when the model asks "
            "for it\n"
            "A `prefetch` at the end prepares it while the model trains on the current one.",
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != stage.call.site),
            data={"size": found.size},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Prefetch at the end."""
    size = suspect.data["size"]
    if size is None:
        return None
    return AppendCall(Applicability.SAFE, "Prefetch the next batches", whole=suspect.spot, paths=((),), code=f"prefetch({size})")
