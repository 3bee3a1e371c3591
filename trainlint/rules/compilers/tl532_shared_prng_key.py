"""TL532 shared-prng-key. Its page, which is also its test: rules/compilers/TL532-shared-prng-key.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL532",
    summary="one JAX key for all that a function is mapped over: each draws the same numbers",
    needs=("jax-key",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call of a mapped function that hands each example, or device, the same key."""
    from trainlint.domains.jax import key_reuse

    for found in key_reuse.shared(program):
        who = "device" if found.devices else "example"
        named = f"the key `{found.name}`" if found.name is not None else "the key"
        because = (Reason(*found.place, f"{named} is consumed here"),) if found.place is not None else ()
        yield at_call(
            found.module,
            found.node,
            message=f"{named} is the same for every {who} that the function is mapped over: each draws the same numbers\n"
            f"Split it into one key per {who} and map over them, or fold in the {who}'s index.",
            because=because,
            data={"change": found.change},
        )
