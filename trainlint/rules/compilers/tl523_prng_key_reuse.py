"""TL523 prng-key-reuse. Its page, which is also its test: rules/compilers/TL523-prng-key-reuse.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL523",
    summary="a JAX PRNG key that is used twice: the same numbers are drawn again",
    needs=("jax-key",),
)

_WHY = {
    "again": "{key} was already consumed: the random numbers drawn here are not independent of the earlier ones\n"
    "A key yields the same numbers each time. Split it (`key, subkey = jax.random.split(key)`) and use each part once.",
    "rounds": "{key} is the same in every iteration of the loop: each iteration draws the same numbers\n"
    "Split it in each iteration and carry one part on, or fold in the iteration's index (`jax.random.fold_in(key, i)`).",
    "items": "{key} is the same for every item that this function is mapped over: all draw the same numbers\n"
    "Split it into one key for each (`jax.random.split(key, n)`), and map over the keys, too.",
    "names": "{key} is used for two kinds of draws: both come from the same stream\nSplit it, and give each its own part.",
    "returned": "{key} is replaced by itself: the function called here consumes it and returns it unchanged\n"
    "The next call draws the same numbers. Return the part of the key that was not used.",
    "number": "{key} is modified by arithmetic: the streams of such keys may overlap\n"
    "Split it, or fold the number in (`jax.random.fold_in(key, i)`).",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that uses up a key which was used before."""
    from trainlint.domains.jax import key_reuse

    for found in key_reuse.reused(program):
        because = []
        named = f"the PRNG key `{found.name}`" if found.name is not None else "this PRNG key"
        if found.first is not None:
            because.append(Reason(found.module, found.first.term.site, f"{named} was consumed here"))
        if found.loop is not None:
            each = "each item uses" if found.how == "items" else "each iteration of this loop uses"
            because.append(Reason(found.module, found.loop, f"{each} the same key"))
        yield at_call(
            found.module,
            found.node,
            message=_WHY[found.how].format(key=named),
            because=tuple(because),
            data={"change": key_reuse.mended(program, found)},
        )
    for kept in key_reuse.stored(program):
        yield at_call(
            kept.module,
            kept.node,
            message=f"the PRNG key `{kept.name}` is created once for the object: its methods draw the same numbers from it in "
            "every call\n"
            "Let the caller split a key, and pass each call its own part.",
            because=tuple(Reason(kept.module, spot, f"`{kept.name}` is consumed here, in every call") for spot in kept.uses),
            data={"change": None},
        )
