"""TL214 misplaced-set-epoch. Its page, which is also its test: rules/data/TL214-misplaced-set-epoch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import (
    Applicability,
    Change,
    InsertBefore,
    Move,
    Program,
    Reason,
    RemoveStatement,
    Rewrite,
    Rule,
    Suspect,
    Together,
    at_call,
)

RULE = Rule.ours(
    code="TL214",
    summary="`set_epoch` that is called too late, or with the same number each time",
    needs=("distributed-sampler",),
)

_SAYS = {
    "late": "`set_epoch` is called after the batches of the epoch: the first two epochs have the same order",
    "inside": "`set_epoch` is called while the batches are iterated: the first two epochs have the same order",
    "begun": "`set_epoch` is called after the workers got their order: the first two epochs have the same order",
    "constant": "`set_epoch` is called with the same number in each epoch: every epoch has the same order",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each `set_epoch` that comes too late or says a constant."""
    from trainlint.domains.loaders import distributed_samplers

    for found in distributed_samplers.misplaced(program):
        yield at_call(
            found.module,
            found.call,
            message=f"{_SAYS[found.how]}\n"
            "A DataLoader gets the order from its sampler when its iterator is created, before the first batch. Call "
            "`set_epoch(epoch)` before that.",
            because=(Reason(*found.batches, "its batches are iterated here"),),
            data={"found": found},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Tell the sampler the epoch before its batches are read."""
    found = suspect.data["found"]
    unsafe, message = Applicability.UNSAFE, "Call `set_epoch` before the batches are iterated"
    if found.text is None or found.variable is None:
        return None
    if found.how == "constant":
        code = "{0}.set_epoch(" + found.variable + ")"
        return Rewrite(unsafe, "Call `set_epoch` with the epoch", spot=suspect.spot, code=code, paths=((("receiver", 0),),))
    if found.above is None:
        return None
    if found.how != "inside":
        return Move(unsafe, message, statement=suspect.statement, target=found.above, behind=False)
    insert = InsertBefore(unsafe, message, statement=found.above, code=f"{found.text}.set_epoch({found.variable})")
    return Together(unsafe, message, changes=(RemoveStatement(unsafe, message, statement=suspect.statement), insert))
