"""Saying a divergence in words: who reaches the collective, who does not, and by which calls."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.communication import communication
from trainlint.facts.program import Program
from trainlint.facts.values import FunctionValue, Library
from trainlint.rules.api import Reason, Suspect
from trainlint.spmd.compare import Divergence
from trainlint.spmd.ranks import LOCAL, WORLD
from trainlint.spmd.trace import Event, Invoke

_EXITS = {
    "return": "return",
    "raise": "raise",
    "break": "leave the loop",
    "continue": "go on with the next round",
    "exit": "end the process",
}


def ranks(arms: tuple[bool, ...]) -> str:
    """The example ranks that take an arm, as a person would name them."""
    taken = tuple(rank for rank, arm in enumerate(arms) if arm)
    names = {
        (0,): "rank 0",
        tuple(range(1, WORLD)): "the ranks other than 0",
        (WORLD - 1,): "the last rank",
        tuple(range(WORLD - 1)): "the ranks before the last",
        tuple(range(0, WORLD, LOCAL)): "local rank 0 of each node",
        tuple(rank for rank in range(WORLD) if rank % LOCAL): "the ranks other than local rank 0",
    }
    return names.get(taken, "some ranks")


def others(arms: tuple[bool, ...]) -> str:
    """The example ranks that do not take the arm."""
    return ranks(tuple(not arm for arm in arms))


def collective_of(program: Program, divergence: Divergence) -> str:
    """The last part of the name of the collective that is reached in the end."""
    event = divergence.event
    if isinstance(event, Event):
        return event.name.rpartition(".")[2]
    chain = communication(program).chain(event.target.function)
    last = chain[-1].target if chain else None
    return last.name.rpartition(".")[2] if isinstance(last, Library) else event.target.function.name


def who(divergence: Divergence) -> tuple[str, str]:
    """Who runs the collective and who does not."""
    if not divergence.certain:
        return "some ranks", "the others"
    return ranks(divergence.arms), others(divergence.arms)


def suspect(program: Program, divergence: Divergence, message: str, guard: str) -> Suspect:
    """The suspect of a divergence: the call as its place; guard, exit and call chain as reasons.

    ``message`` and ``guard`` (the sentence at the test) may use ``{collective}``, ``{reach}`` and ``{miss}``.
    """
    reach, miss = who(divergence)
    words = {"collective": collective_of(program, divergence), "reach": reach, "miss": miss}
    reasons = [Reason(divergence.guard.module, divergence.guard.test, guard.format(**words))]
    if divergence.exit is not None:
        where = divergence.exit.where
        reasons.append(Reason(where.module, where.spot, f"{miss} {_EXITS.get(divergence.exit.kind, 'leave')} here"))
    reasons.extend(_chain(program, divergence))
    call = divergence.call
    return Suspect(
        path=call.module,
        spot=call.spot,
        node="Call",
        statement=call.statement,
        message=message.format(**words),
        because=tuple(reasons),
        data={
            "guard": divergence.guard.spot,
            "movable": divergence.guard.module == call.module and divergence.guard.whole and divergence.alone,
            "lone": isinstance(divergence.event, Event) and divergence.event.operation == "barrier",
            "direct": isinstance(divergence.event, Event) and divergence.event.where.spot == call.spot,
        },
    )


def _chain(program: Program, divergence: Divergence) -> Iterator[Reason]:
    """The calls from the reported one down to the collective."""
    entered = divergence.entered
    for enter, following in zip(entered, entered[1:]):
        where = following.where
        yield Reason(where.module, where.spot, f"`{enter.target.function.name}` calls `{following.target.function.name}` here")
    event = divergence.event
    if isinstance(event, Event):
        if entered:
            yield Reason(event.where.module, event.where.spot, f"the collective `{event.name.rpartition('.')[2]}` runs here")
        return
    assert isinstance(event, Invoke)
    if entered:
        name = entered[-1].target.function.name
        yield Reason(event.where.module, event.where.spot, f"`{name}` calls `{event.target.function.name}` here")
    for step in communication(program).chain(event.target.function):
        spot = step.site.call.term[4]
        if isinstance(step.target, FunctionValue):
            text = f"`{step.site.function.name}` calls `{step.target.function.name}` here"
        else:
            text = f"the collective `{step.target.name.rpartition('.')[2]}` runs here"
        yield Reason(step.site.module, spot, text)
