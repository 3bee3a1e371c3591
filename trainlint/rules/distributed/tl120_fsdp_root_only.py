"""TL120 fsdp-root-only. Its page, which is also its test: rules/distributed/TL120-fsdp-root-only.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL120",
    summary="a model of many layers that is sharded as one unit: all of its parameters are gathered at once",
    needs=("sharded-model",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that shards a stack of layers as one unit."""
    from trainlint.domains.sharding import units

    for found in units.single_units(program):
        site = found.sharding.site
        cure = (
            f"Pass `{found.option}` with the class of its layers."
            if found.option
            else "Call `fully_shard` on each of its layers first."
        )
        yield at_call(
            site.module,
            site.call,
            message="FSDP shards the whole model as one unit: every pass gathers all parameters before it computes anything\n"
            + cure,
            data={"statement": site.call.statement, "code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the layers sharded one by one."""
    code = suspect.data["code"]
    if code is None:
        return None
    return InsertBefore(Applicability.DISPLAY, "Shard the layers first", statement=suspect.data["statement"], code=code)
