"""TL552 shuffle-after-batch. Its page, which is also its test: rules/compilers/TL552-shuffle-after-batch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL552",
    summary="a tf.data pipeline in which every epoch has the same batches, or the same augmentation",
    needs=("dataset",),
)

_MESSAGES = {
    "shuffled": "`shuffle` after `batch` shuffles whole batches: the same examples share a batch in every epoch\n"
    "Call `shuffle` before `batch`; its buffer then counts examples.",
    "kept": "`cache` stores the random numbers that were drawn before it: every epoch gets those of the first one\n"
    "Call `cache` before the `map` that draws.",
}
_REASONS = {"shuffled": "the batches are made here", "kept": "random numbers are drawn here"}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each stage that makes the epochs alike."""
    from trainlint.domains.tensorflow.pipelines import misordered

    for found in misordered(program):
        earlier = found.earlier
        yield at_call(
            found.module,
            found.call,
            message=_MESSAGES[found.kind],
            because=(Reason(earlier.frame.module, earlier.call.site, _REASONS[found.kind]),),
            data={"change": found.change},
        )
