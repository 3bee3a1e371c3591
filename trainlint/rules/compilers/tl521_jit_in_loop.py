"""TL521 jit-in-loop. Its page, which is also its test: rules/compilers/TL521-jit-in-loop.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL521",
    summary="a function that is recompiled in every iteration, or at every call, because it is a new object each time",
    needs=("compiled",),
)

_WHAT = {
    "lambda": "`{}` gets a new lambda each time",
    "function": "`{}` gets a new inner function each time",
    "partial": "`{}` gets a new `partial` object each time",
    "method": "`{}` gets a new bound method each time",
    "transformed": "the compiled function is a new object each time",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that compiles something fresh where a loop runs it."""
    from trainlint.domains.jax import compilation

    for found in compilation.fresh(program):
        because = [Reason(*found.loop, "this loop repeats the compilation")]
        if found.caller is not None:
            because.append(Reason(*found.caller, "through this call"))
        yield at_call(
            found.module,
            found.node,
            message=f"{_WHAT[found.kind].format(found.word)}, so JAX traces and compiles each time\n"
            f"The compilation cache is keyed by the function object. Call `{found.word}` once, outside, and pass what changes as "
            "arguments.",
            because=tuple(because),
            data={"change": found.change},
        )
