"""TL548 eager-train-step. Its page, which is also its test: rules/compilers/TL548-eager-train-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL548",
    summary="a TensorFlow training step that is repeated without `tf.function`",
    needs=("eager-step",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the update of each step that runs eagerly in a loop."""
    from trainlint.domains.tensorflow.gradient_tapes import eager_steps

    for found in eager_steps(program):
        reasons = [Reason(*found.loop, "this loop repeats the step")]
        cure = "Move the step into its own function with `@tf.function`, and call that in the loop."
        if found.called is not None:
            reasons.insert(0, Reason(*found.called, "the step is called here"))
            cure = "Decorate it with `@tf.function`: it is traced once, and then runs as a graph."
        yield at_call(
            found.module,
            found.call,
            message=f"the training step runs eagerly (no `tf.function`): Python dispatches each of its operations in "
            f"every iteration\n{cure}",
            because=tuple(reasons),
            data={"traced": found.traced, "pure": found.pure},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Trace the function; only shown where it may do something in Python, which would be done once then."""
    if suspect.data["traced"] is None:
        return None
    definition, code = suspect.data["traced"]
    how = Applicability.SAFE if suspect.data["pure"] else Applicability.DISPLAY
    return InsertAfter(how, "Trace the step", statement=definition, code=code)
