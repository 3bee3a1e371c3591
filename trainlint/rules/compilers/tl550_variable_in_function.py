"""TL550 variable-in-function. Its page, which is also its test: rules/compilers/TL550-variable-in-function.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL550",
    summary="a `tf.Variable` that a `tf.function` creates at every call, which TensorFlow rejects",
    needs=("tf-function",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that makes a variable in a trace."""
    from trainlint.domains.tensorflow.traced_functions import variables

    for found in variables(program):
        root = found.step.root
        because = [Reason(root.frame.module, root.spot, "this traces the function")]
        because += [Reason(site.module, site.call.term.site, "through this call") for site in found.step.way()]
        yield at_call(
            found.step.module,
            found.node,
            message="`tf.Variable` is created at each call of a `tf.function`: TensorFlow raises a ValueError\n"
            "Create it outside, or at the first call only (`if self.total is None:`); use a tensor for a value of a single call.",
            because=tuple(because),
        )
