"""TL520 branch-on-tracer. Its page, which is also its test: rules/compilers/TL520-branch-on-tracer.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL520",
    summary="an `if`, `while` or `assert` that needs the value of a traced array",
    needs=("jax-key",),
)

_SAYS = {
    "if": "this condition needs the value of {value}, which JAX does not have while tracing: an error at the first call\n"
    "Select with `jnp.where`, or branch with `jax.lax.cond`; a value that Python must know has to be a static argument.",
    "while": "this loop needs the value of {value} in each iteration, which JAX does not have while tracing: an error at the "
    "first call\n"
    "`jax.lax.while_loop` runs a loop whose end depends on values.",
    "assert": "this `assert` needs the value of {value}, which JAX does not have while tracing: an error at the first call\n"
    "Assert shapes and types here, and values with `jax.experimental.checkify`, or outside the traced function.",
    "joined": "`and`, `or`, `not` and `a < b < c` need the value of {value}, which JAX does not have while tracing: an "
    "error\n"
    "`&`, `|`, `~` and `jnp.logical_and` work on arrays.",
    "call": "Python's `max` and `min` need the value of {value}, which JAX does not have while tracing: an error\n"
    "`jnp.maximum`, `jnp.minimum` and `jnp.where` work on arrays.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each test of a traced value."""
    from trainlint.domains.jax.calling_contexts import reasons
    from trainlint.domains.jax.concretization import asked, chosen, is_flag, named

    for found in asked(program):
        if is_flag(found):
            continue  # a static argument is missing: TL522
        name = named(found)
        yield Suspect(
            path=found.activation.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_SAYS[found.kind].format(value=f"`{name}`" if name is not None else "a traced array"),
            because=tuple(Reason(module, spot, said) for module, spot, said in reasons(found.activation)),
            data={"change": chosen(program, found)},
        )
