"""TL534 constant-key-in-step. Its page, which is also its test: rules/compilers/TL534-constant-key-in-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL534",
    summary="a JAX PRNG key created from a constant in a traced function: the same numbers at every call",
    needs=("jax-key",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each key that a traced function makes from a constant and draws with."""
    from trainlint.domains.jax import key_reuse

    for found in key_reuse.constant(program):
        where = "method of a model" if found.how == "method" else "traced function"
        here = found.made == (found.module, found.node.term.site)
        how = "draws with a key that is created from a constant" if here else "creates its key from a constant"
        yield at_call(
            found.module,
            found.node,
            message=f"this {where} {how}: it draws the same numbers at every call\n"
            "Pass it a key that is new in each step (in a Flax module: `self.make_rng`).",
            because=tuple(
                Reason(module, spot, said)
                for module, spot, said in (
                    (*found.made, "the key is created here"),
                    (found.module, found.use, "the key is consumed here"),
                )
                if (module, spot) != (found.module, found.node.term.site)
            ),
            data={"call": found.made[1], "method": found.how == "method" and here},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the model asked for a key."""
    if not suspect.data["method"]:
        return None
    code = 'self.make_rng("noise")'
    return Rewrite(Applicability.DISPLAY, "Use a key of the module", spot=suspect.data["call"], code=code, paths=())
