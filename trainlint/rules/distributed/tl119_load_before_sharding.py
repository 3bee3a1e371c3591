"""TL119 load-before-sharding. Its page, which is also its test: rules/distributed/TL119-load-before-sharding.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL119",
    summary="a full state dict loaded into a model that `fully_shard` has sharded, or shards into an unsharded model: the "
    "load fails",
    needs=("sharded-model", "state"),
)

_WHOLE = (
    "{} loads full tensors into a model that is already sharded, and fails\n"
    "Load them before `fully_shard`, or with `set_model_state_dict` and `full_state_dict=True`."
)
_SHARDS = (
    "{} loads the shards of a model into one that is not sharded, and fails\n"
    "Get the state with `get_model_state_dict` and `full_state_dict=True`, or shard both."
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each load of a state dict that does not fit how its model is sharded then."""
    from trainlint.domains.sharding import state_dicts
    from trainlint.program.naming import quoted

    for found in state_dicts.state_dict_mismatches(program):
        site, sharding = found.site, found.sharding
        yield at_call(
            site.module,
            site.call,
            message=(_WHOLE if found.whole else _SHARDS).format(quoted(site.call.term)),
            because=(Reason(sharding.site.module, sharding.site.call.term.site, "the model is sharded here"),),
            data={"statement": site.call.statement, "before": found.before},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the load in front of what shards the model."""
    data = suspect.data
    if data["before"] is None:
        return None
    message = "Load the state before the model is sharded"
    return Move(Applicability.DISPLAY, message, statement=data["statement"], target=data["before"], behind=False)
