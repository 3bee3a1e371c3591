"""TL129 no-sync-without-forward. Its page, which is also its test: rules/distributed/TL129-no-sync-without-forward.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL129",
    summary="`no_sync()` around the backward pass alone: DDP all-reduces the gradients all the same",
    needs=("parallel",),
)

_OUTSIDE = (
    "`no_sync()` has no effect here: DDP still all-reduces the gradients of this backward pass\n"
    "DDP decides that in its forward pass, which runs outside the block. Run both under `no_sync()`."
)
_LATE = (
    "`require_backward_grad_sync` is set too late: this backward pass still goes by its old value\n"
    "DDP reads it in its forward pass. Set it before that."
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass under ``no_sync()`` whose forward pass stands outside."""
    from trainlint.domains.data_parallel import gradient_averaging

    for found in gradient_averaging.unsynced_forwards(program):
        site = found.site
        yield at_call(
            site.module,
            site.call,
            message=_LATE if found.by_hand else _OUTSIDE,
            because=(
                Reason(*found.forward, "the forward pass"),
                Reason(*found.manager, "it is set here" if found.by_hand else "`no_sync()` begins here"),
            ),
            data={"statement": found.statement, "code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Settle before the forward pass whether gradients are exchanged."""
    statement, code = suspect.data["statement"], suspect.data["code"]
    if code is None:
        return None
    return InsertBefore(Applicability.UNSAFE, "Run the forward pass under `no_sync()`, too", statement=statement, code=code)
