"""TL527 traced-dynamic-shape. Its page, which is also its test: rules/compilers/TL527-traced-dynamic-shape.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL527",
    name="traced-dynamic-shape",
    summary="a result in a traced function that has as many items as values say",
    level=Level.ERROR,
    certainty="flow",
    fix="display",
    needs=("jax-key",),
    since="0.1",
)

_SAYS = {
    "result": "how many items this returns depends on values, which are not there while JAX traces: an error at the first call\n"
    "Say how many there are at most (`size=`, `total_repeat_length=`), or keep all and choose with `jnp.where(mask, x, y)`.",
    "mask": "this works on the items that a boolean mask picks, and how many these are is not known while JAX traces: an error\n"
    "Keep all items, and choose or weigh with the mask: `jnp.where(mask, x, 0)`, `jnp.sum(x, where=mask)`.",
    "set": "this sets the items that a boolean mask picks, and how many these are is not known while JAX traces: an error\n"
    "`jnp.where(mask, value, x)` gives the same array.",
    "slice": "this works on items up to a place that is traced, and how many these are is not known while JAX traces: an error\n"
    "`jax.lax.dynamic_slice_in_dim` takes a traced beginning and a length that is none; or keep all and choose with a mask.",
    "shape": "this needs a number of Python, and is given a traced value: an error at the first call\n"
    "Shapes come from shapes (`x.shape[0]`), from settings, or from arguments that are static.",
    "axis": "this needs a number of Python, and is given a traced value: an error at the first call\n"
    "Shapes come from shapes (`x.shape[0]`), from settings, or from arguments that are static.",
    "range": "how many rounds this loop has is not known while JAX traces: an error at the first call\n"
    "`jax.lax.fori_loop` and `jax.lax.while_loop` run such loops.",
    "rounds": "how many items this returns depends on values: each new number of them compiles what follows anew\n"
    "On the host NumPy does this without a compiler; for the device, say how many there are at most (`size=`).",
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
            because.append(Reason(found.module, found.loop, "in each round of this loop"))
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
