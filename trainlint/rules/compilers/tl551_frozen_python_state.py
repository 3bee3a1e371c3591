"""TL551 frozen-python-state. Its page, which is also its test: rules/compilers/TL551-frozen-python-state.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL551",
    summary="an attribute or a global that a compiled function reads only while it is traced, and that changes later",
    needs=("compiled", "tf-function"),
)

#: By what traces (the words of the table `tracing`): how to hand a value over in its place.
_HOW = {
    "jit": "Pass it as an argument: traced if it is computed with, static if a condition needs its value.",
    "function": "Keep it in a `tf.Variable`, or pass it as an argument: a tensor if it changes with each call.",
    "pmap": "Pass it as an argument: traced if it is computed with, static if a condition needs its value.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each use of such state in a compiled function."""
    from trainlint.domains.tensorflow.traced_functions import frozen_between_calls
    from trainlint.domains.traced.frozen_state import frozen

    for found in (*frozen(program, frozenset(_HOW) - {"function"}), *frozen_between_calls(program)):
        what = f"`{found.name}` is read only once, while this is traced: the compiled function keeps its first value"
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=f"{what}\n{_HOW[found.word]}",
            because=(
                Reason(*found.begins, "this compiles the function"),
                Reason(*found.change, f"`{found.name}` is changed here"),
            ),
            data={"change": found.mended},
        )
