"""TL531 unjitted-train-step. Its page, which is also its test: rules/compilers/TL531-unjitted-train-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL531",
    summary="a JAX training step that a loop runs without `jit`",
    needs=("differentiated",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield a call of each such step."""
    from trainlint.domains.jax import compilation

    for found in compilation.unjitted(program):
        name = found.function.name
        yield at_call(
            found.site.module,
            found.site.call,
            message=f"`{name}` is not compiled with `jax.jit`: each iteration dispatches its operations one by one and traces "
            "the gradients again\n"
            f"Compile it once: `jax.jit({name})`, with `static_argnames` for arguments that are not arrays.",
            because=(Reason(found.module, found.function.spot, "the step is defined here"),),
            data={"change": found.change},
        )
