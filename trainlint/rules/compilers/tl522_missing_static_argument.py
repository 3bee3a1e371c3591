"""TL522 missing-static-argument. Its page, which is also its test: rules/compilers/TL522-missing-static-argument.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL522",
    name="missing-static-argument",
    summary="a traced argument that has to be static, or a static one that changes with each call",
    level=Level.ERROR,
    certainty="flow",
    fix="display",
    needs=("compiled",),
    since="0.1",
)

_SAYS = {
    "shape": "a shape is made of the argument `{name}`, which is traced: an error at the first call",
    "axis": "an axis is the argument `{name}`, which is traced: an error at the first call",
    "rounds": "a loop of Python has as many rounds as the argument `{name}` says, which is traced: an error at the first call",
    "flag": "this test asks for the argument `{name}`, which is traced: an error at the first call",
    "slice": "a slice ends at the argument `{name}`, which is traced: an error at the first call",
}
_CHANGES = {
    "type": "the static argument `{name}` is another value each time: each call compiles the function anew\n"
    "A static argument is part of what is compiled. Leave out of the function what it does not compute with.",
    "round": "the static argument `{name}` is another number in each round: each round compiles the function anew\n"
    "Hand it over as an array (`jnp.asarray`), and take it out of the static arguments.",
    "number": "the static argument `{name}` is a number that callers choose: each new one compiles the function anew\n"
    "Take it out of the static arguments: as a traced array it may have any value.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place that needs a static argument, and each static argument that changes."""
    from trainlint.domains.jax.calling_contexts import reasons
    from trainlint.domains.jax.compilation import changing
    from trainlint.domains.jax.concretization import declared, missing

    for activation, root, name, what, spot, node, statement in missing(program):
        yield Suspect(
            path=activation.module,
            spot=spot,
            node=node,
            statement=statement,
            message=_SAYS[what].format(name=name) + f'\nSay that it is static: `static_argnames="{name}"`.',
            because=tuple(Reason(module, place, said) for module, place, said in reasons(activation)),
            data={"change": declared(program, activation, root, name)},
        )
    for found in changing(program):
        because = []
        if found.loop is not None:
            because.append(Reason(found.module, found.loop, "this loop counts it"))
        if found.caller is not None:
            because.append(Reason(*found.caller, "it is static here" if found.how == "round" else "it is handed on here"))
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_CHANGES[found.how].format(name=found.name),
            because=tuple(because),
            data={"change": None},
        )
