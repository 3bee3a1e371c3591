"""TL542 missing-training-flag. Its page, which is also its test: rules/compilers/TL542-missing-training-flag.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL542",
    summary="a Keras model with dropout or batch normalization, trained without `training=True`, or evaluated with it",
    needs=("tape", "keras-layer"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call of a model under the tape that trains it, without the flag, and each evaluation with it."""
    from trainlint.domains.tensorflow.training_flag import evaluated_in_training, unmoded

    for found in unmoded(program):
        gradient = found.gradient
        yield at_call(
            found.module,
            found.node,
            message="the model is trained without `training=True`: Keras runs it in inference mode\n"
            "Dropout is off, and batch normalization uses moving averages that are never updated.",
            because=(Reason(gradient.module, gradient.node.term.site, "these gradients train the model"),),
            data={"position": found.position, "flag": True},
        )
    for wrong in evaluated_in_training(program):
        yield at_call(
            wrong.module,
            wrong.node,
            message="the model is evaluated with `training=True`\n"
            "Dropout stays active, and batch normalization uses the statistics of these batches and updates its moving averages "
            "with them: the metrics are wrong and differ from run to run. Pass `training=False`.",
            evidence="must" if wrong.sure else "likely",
            data={"position": None, "flag": False},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Say that it trains, or that it does not."""
    position, flag = suspect.data["position"], str(suspect.data["flag"])
    message = f"Pass `training={flag}`"
    return SetKeyword(Applicability.SAFE, message, call=suspect.spot, keyword="training", value=flag, position=position)
