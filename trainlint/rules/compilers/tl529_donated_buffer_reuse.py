"""TL529 donated-buffer-reuse. Its page, which is also its test: rules/compilers/TL529-donated-buffer-reuse.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL529",
    summary="a buffer that was donated to a compiled function and is read afterwards",
    needs=("donated",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that reads a value whose memory was given away before."""
    from trainlint.domains.jax import donation

    for found in donation.donated(program):
        named = f"`{found.name}`" if found.name is not None else "this array"
        because = [Reason(*found.by, f"{named} is donated here")] if found.loop is None else []
        if found.loop is not None:
            because.append(Reason(*found.loop, "each iteration of this loop donates the same value"))
        if found.told is not None:
            because.append(Reason(*found.told, "the argument is declared as donated here"))
        message = (
            f"{named} is donated in the first iteration, and again in the next: JAX raises an error"
            if found.loop is not None
            else f"{named} was donated to a compiled function, which may have overwritten it: JAX raises an error"
        )
        yield at_call(
            found.module,
            found.node,
            message=f"{message}\nAssign the result of that call to the same name, or do not donate the argument.",
            because=tuple(because),
        )
