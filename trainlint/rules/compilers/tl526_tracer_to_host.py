"""TL526 tracer-to-host. Its page, which is also its test: rules/compilers/TL526-tracer-to-host.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL526",
    summary="a Python number, or a host array, that is made from a traced array",
    needs=("jax-key",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each such call."""
    from trainlint.domains.jax.calling_contexts import reasons
    from trainlint.domains.jax.concretization import on_host

    for found in on_host(program):
        if found.kind != "reads":
            continue
        yield at_call(
            found.activation.module,
            found.node,
            message=f"`{found.name}` needs concrete values, and an array has none while JAX traces it: an error\n"
            "Return the array, and read it outside; `astype` changes its type, and `jax.debug.print` prints it.",
            because=tuple(Reason(module, spot, said) for module, spot, said in reasons(found.activation)),
            data={},
        )
