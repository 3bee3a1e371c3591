"""TL525 numpy-on-tracer. Its page, which is also its test: rules/compilers/TL525-numpy-on-tracer.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL525",
    summary="a function of NumPy, or of `math`, that is called with a traced array",
    needs=("jax-key",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each such call."""
    from trainlint.domains.jax.calling_contexts import reasons
    from trainlint.domains.jax.concretization import on_host

    for found in on_host(program):
        if found.kind != "computes":
            continue
        yield at_call(
            found.activation.module,
            found.node,
            message=f"`{found.name}` needs concrete values, and this array has none while JAX traces it: an error\n"
            "Use the function of `jax.numpy`.",
            because=tuple(Reason(module, spot, said) for module, spot, said in reasons(found.activation)),
            data={"change": found.change},
        )
