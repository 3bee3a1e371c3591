"""TL541 function-side-effect. Its page, which is also its test: rules/compilers/TL541-function-side-effect.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL541",
    summary="a `tf.function` with a Python side effect: it runs only while the function is traced",
    needs=("tf-function",),
)

_SAID = {
    "print": "`print` runs only once, while the `tf.function` is traced, and prints the name of a tensor instead of values\n"
    "`tf.print` prints at each call.",
    "append": "`append` runs only once, while the `tf.function` is traced, and appends a symbolic tensor instead of a value\n"
    "Return it and append what the call returns, or use a `tf.TensorArray`.",
    "count": "this counter counts traces, not calls: Python code in a `tf.function` runs only while it is traced\n"
    "Count outside of the function, or with `assign_add` of a `tf.Variable`.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place that runs while tracing only."""
    from trainlint.domains.tensorflow.traced_functions import effects

    for found in effects(program):
        root = found.step.root
        because = [Reason(root.frame.module, root.spot, "this traces the function")]
        because += [Reason(site.module, site.call.term.site, "through this call") for site in found.step.way()]
        yield Suspect(
            path=found.step.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_SAID[found.kind],
            because=tuple(because),
            data={"change": found.change},
        )
