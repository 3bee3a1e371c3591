"""TL540 function-retracing. Its page, which is also its test: rules/compilers/TL540-function-retracing.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL540",
    summary="a `tf.function` that is retraced in each iteration: created there, or called with a new Python number",
    needs=("tf-function",),
)

_SAID = {
    "counter": "{0} is a Python number that changes in each iteration: the `tf.function` is retraced for each value\n"
    "A trace is valid only for the Python values it was made with. Pass a tensor: `tf.constant({1})`.",
    "number": "{0} is a Python number that bounds a `tf.range` in the `tf.function`, which is retraced for each value\n"
    "A trace is valid only for the Python values it was made with. Pass a tensor: `tf.constant({1})`.",
    "made": "a `tf.function` that is created in each iteration is retraced in each iteration\n"
    "Traces are cached by the object that `tf.function` returns: create it once, before the loop.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that traces again."""
    from trainlint.domains.tensorflow.retracing import retraced

    for found in retraced(program):
        name = f"`{found.name}`" if found.name is not None else "this argument"
        yield at_call(
            found.module,
            found.node,
            message=_SAID[found.kind].format(name, found.name or "…"),
            because=(Reason(*found.loop, "this loop repeats the call"),) if found.loop is not None else (),
            data={"change": found.change},
        )
