"""TL121 fsdp-plain-clip. Its page, which is also its test: rules/distributed/TL121-fsdp-plain-clip.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL121",
    summary="gradients of an FSDP model that each rank clips by the norm of its own shard",
    needs=("sharded-model", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each clip that sees only what one rank has of a sharded model."""
    from trainlint.domains.sharding import units

    for found in units.clips(program):
        site, sharding = found.site, found.sharding
        yield at_call(
            site.module,
            site.call,
            message="`clip_grad_norm_` sees only this rank's shards: every rank scales its gradients by a different factor\n"
            "Call the wrapper's own `clip_grad_norm_`, which computes the norm over all ranks.",
            because=(Reason(sharding.site.module, sharding.site.call.term.site, "the parameters are sharded here"),),
            data={"method": found.method},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Call the wrapper's method."""
    method = suspect.data["method"]
    if method is None:
        return None
    paths = ((("argument", 0), ("receiver", 0)), (("arguments", 1),))
    return Rewrite(
        Applicability.SAFE, f"Call the wrapper's `{method}`", spot=suspect.spot, code=f"{{0}}.{method}({{1}})", paths=paths
    )
