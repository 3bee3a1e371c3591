"""TL546 tpu-drop-remainder. Its page, which is also its test: rules/compilers/TL546-tpu-drop-remainder.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL546",
    summary="a dataset whose last batch is shorter, for a training step that is compiled for one shape",
    needs=("dataset",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each stage that makes batches and keeps what is left over, where TPUs or JAX train on them."""
    from trainlint.domains.tensorflow.pipelines import ragged

    for found in ragged(program):
        stage, compiled = found.stage, found.compiled
        reasons = [Reason(*found.used, "the batches are used here" if compiled else "the dataset is one for JAX")]
        if compiled is not None:
            says = "the training may be on TPUs" if found.by == "tpu" else "JAX compiles this for the shapes it is given"
            reasons.append(Reason(*compiled, says))
        yield Suspect(
            path=stage.frame.module,
            spot=stage.call.site,
            node="Call",
            statement=found.statement,
            message="no `drop_remainder`: the last batch may be smaller, and the training step is compiled for one shape only\n"
            "Pass `drop_remainder=True`: every batch then has the same size, known at compile time.",
            because=tuple(reason for reason in dict.fromkeys(reasons) if reason.spot != stage.call.site),
            data={"call": stage.call.site, "alone": found.alone, "position": found.position},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Drop what is left over; only shown where the same call also makes batches that may have to keep it."""
    how = Applicability.SAFE if suspect.data["alone"] else Applicability.DISPLAY
    position = suspect.data["position"]
    call = suspect.data["call"]
    return SetKeyword(how, "Drop the incomplete last batch", call=call, keyword="drop_remainder", value="True", position=position)
