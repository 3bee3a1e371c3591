"""TL522 missing-static-argument. Its page, which is also its test: rules/compilers/TL522-missing-static-argument.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL522",
    summary="a traced argument that has to be static, or a static one that changes with each call",
    needs=("compiled",),
)

_SAYS = {
    "shape": "a shape is computed from the argument `{name}`, which is traced: an error at the first call",
    "axis": "an axis is the argument `{name}`, which is traced: an error at the first call",
    "rounds": "a Python loop gets its number of iterations from the argument `{name}`, which is traced: an error at the "
    "first call",
    "flag": "this test needs the value of the argument `{name}`, which is traced: an error at the first call",
    "slice": "a slice is bounded by the argument `{name}`, which is traced: an error at the first call",
}
_CHANGES = {
    "type": "the static argument `{name}` is a new value each time: each call recompiles the function\n"
    "A static argument is part of the compilation cache's key. Do not pass what the function does not compute with.",
    "round": "the static argument `{name}` is a new number in each iteration: each iteration recompiles the function\n"
    "Pass it as an array (`jnp.asarray`), and remove it from the static arguments.",
    "number": "the static argument `{name}` is a number that callers choose: each new value recompiles the function\n"
    "Remove it from the static arguments: a traced array may have any value.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place that needs a static argument, and each static argument that changes."""
    from trainlint.domains.jax.calling_contexts import reasons
    from trainlint.domains.jax.concretization import changing, declared, missing

    for activation, root, name, what, spot, node, statement in missing(program):
        yield Suspect(
            path=activation.module,
            spot=spot,
            node=node,
            statement=statement,
            message=_SAYS[what].format(name=name) + f'\nDeclare it static: `static_argnames="{name}"`.',
            because=tuple(Reason(module, place, said) for module, place, said in reasons(activation)),
            data={"change": declared(program, activation, root, name)},
        )
    for found in changing(program):
        because = []
        if found.loop is not None:
            because.append(Reason(found.module, found.loop, "this loop counts it"))
        if found.caller is not None:
            because.append(Reason(*found.caller, "it is static here" if found.how == "round" else "it is passed on here"))
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_CHANGES[found.how].format(name=found.name),
            because=tuple(because),
            data={"change": None},
        )
