"""TL553 strategy-without-run. Its page, which is also its test: rules/compilers/TL553-strategy-without-run.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL553",
    summary="a `tf.distribute` strategy whose scope a model is made in, and a training step that `strategy.run` never runs",
    needs=("eager-step",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the call that makes each strategy that runs nothing."""
    from trainlint.domains.tensorflow.gradient_tapes import unrun_strategies

    for found in unrun_strategies(program):
        yield at_call(
            found.module,
            found.made,
            message="`strategy.run()` is never called: the training step runs on one replica while the others are idle, or "
            "`apply_gradients()` raises\nDistribute the dataset (`strategy.experimental_distribute_dataset()`) and call the step "
            "through `strategy.run()`.",
            because=(Reason(*found.update, "the gradients are applied here, outside any replica"),),
        )
