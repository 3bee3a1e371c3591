"""TL533 unread-prng-key. Its page, which is also its test: rules/compilers/TL533-unread-prng-key.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL533",
    summary="a JAX PRNG key that is never read: split off for nothing, or passed to a function that does not draw",
    needs=("jax-key",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each part of a key, and each key for a parameter, that is never read."""
    from trainlint.domains.jax import unread_keys

    for found in unread_keys.unread(program):
        names = " and ".join(f"`{name}`" for name in found.names)
        one = len(found.names) == 1
        if found.function is None or found.place is None:
            yield at_call(
                found.module,
                found.node,
                message=f"{names} {'is' if one else 'are'} split off here and never used\n"
                "Perhaps another key is used by mistake. If it is not needed, split off fewer keys, or use the name "
                "`_`.",
            )
            continue
        yield Suspect(
            path=found.place[0],
            spot=found.place[1],
            node="Call",
            statement=found.node.statement,
            message=f"`{found.function.name}` is passed a key that it never uses\n"
            "Perhaps it uses another key by mistake, or a constant one. If it needs none, remove the parameter.",
            because=(Reason(found.module, found.function.spot, f"{names} is not used in here"),),
        )
