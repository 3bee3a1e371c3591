"""TL527 traced-dynamic-shape. Its page, which is also its test: rules/compilers/TL527-traced-dynamic-shape.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL527",
    summary="a result in a traced function whose size depends on values",
    needs=("jax-key",),
)

_SAYS = {
    "result": "the size of this result depends on the data, which JAX does not have while tracing: an error at the first call\n"
    "Pass the maximum (`size=`, `total_repeat_length=`), or keep all and select with `jnp.where(mask, x, y)`.",
    "mask": "a boolean mask selects a number of elements that is unknown while JAX traces: an error\n"
    "Keep all elements, and select or weight with the mask: `jnp.where(mask, x, 0)`, `jnp.sum(x, where=mask)`.",
    "set": "assignment through a boolean mask: the number of selected elements is unknown while JAX traces: an error\n"
    "`jnp.where(mask, value, x)` gives the same array.",
    "slice": "this slice is bounded by a traced value, so its size is unknown while JAX traces: an error\n"
    "`jax.lax.dynamic_slice_in_dim` takes a traced start and a static length; or keep all elements and use a mask.",
    "shape": "a Python number is needed here, and a traced value is passed: an error at the first call\n"
    "Compute shapes from shapes (`x.shape[0]`), settings, or static arguments.",
    "axis": "a Python number is needed here, and a traced value is passed: an error at the first call\n"
    "Compute shapes from shapes (`x.shape[0]`), settings, or static arguments.",
    "range": "the number of iterations of this loop is unknown while JAX traces: an error at the first call\n"
    "`jax.lax.fori_loop` and `jax.lax.while_loop` run such loops.",
    "rounds": "the size of this result depends on the data: what follows is recompiled for each new size\n"
    "NumPy does this on the host without a compiler; on the device, pass the maximum (`size=`).",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place whose shape depends on values."""
    from trainlint.domains.jax.calling_contexts import reasons
    from trainlint.domains.jax.concretization import counted, replaced, sized

    for found in sized(program):
        if found.own is not None:
            continue  # a static argument is missing: TL522
        because = []
        if found.activation is not None:
            because = [Reason(module, spot, said) for module, spot, said in reasons(found.activation)]
        if found.loop is not None:
            because.append(Reason(found.module, found.loop, "in each iteration of this loop"))
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_SAYS[found.kind],
            because=tuple(because),
            data={"change": replaced(program, found)},
        )
    for needed in counted(program):
        if needed.own is None:
            yield Suspect(
                path=needed.activation.module,
                spot=needed.spot,
                node=needed.node,
                statement=needed.statement,
                message=_SAYS["range" if needed.what == "rounds" else needed.what],
                because=tuple(Reason(module, spot, said) for module, spot, said in reasons(needed.activation)),
                data={"change": None},
            )
