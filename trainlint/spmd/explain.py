"""Saying a divergence in words: who reaches the collective, who does not, and by which calls."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.communication import communication
from trainlint.facts.program import Program
from trainlint.facts.values import FunctionValue
from trainlint.finding import Reason, Suspect
from trainlint.model.sketch import If, Loop
from trainlint.model.walk import statements_of
from trainlint.spmd.agreement import agreement
from trainlint.spmd.compare import Divergence
from trainlint.spmd.symbols import LOCAL, WORLD
from trainlint.spmd.trace import Event, Guard, Invoke

#: How a rank leaves, for several ranks and for one.
_EXITS = {
    "return": ("return", "returns"),
    "raise": ("raise", "raises"),
    "break": ("leave the loop", "leaves the loop"),
    "continue": ("go on with the next round", "goes on with the next round"),
    "exit": ("end the process", "ends the process"),
}


_VERBS = (
    ("do", "does"),
    ("get", "gets"),
    ("join", "joins"),
    ("hang", "hangs"),
    ("go", "goes"),
    ("take", "takes"),
    ("leave", "leaves"),
)


def _single(ranks_: str) -> bool:
    return ranks_ in ("rank 0", "the last rank")


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


def who(divergence: Divergence) -> tuple[str, str]:
    """Who runs the collective and who does not."""
    if not divergence.certain:
        return "some ranks", "the others"
    return ranks(divergence.arms), others(divergence.arms)


def suspects(program: Program, kind: str, message: str, guard: str) -> Iterator[Suspect]:
    """The suspects of all divergences of a kind (``branch``, ``exit``) that no caller makes good.

    ``message`` and ``guard`` are the sentences at the call and at the test, as :func:`suspect` takes them.
    """
    for divergence in agreement(program).reported():
        if divergence.kind == kind:
            yield suspect(program, divergence, message, guard)


def suspect(program: Program, divergence: Divergence, message: str, guard: str) -> Suspect:
    """The suspect of a divergence: the call as its place; guard, exit and call chain as reasons.

    ``message`` and ``guard`` (the sentence at the test) may use ``{collective}``, ``{reach}`` (who runs it), ``{miss}``
    (who does not), these with a verb (``{miss_do}``, ``{reach_hang}`` …), and ``{when}`` (in which mode it communicates).
    """
    reach, miss = who(divergence)
    dotted = agreement(program).collective(divergence.event)
    when = program.knowledge.optional.get(dotted)
    words = {"collective": dotted.rpartition(".")[2], "reach": reach, "miss": miss, "when": f" {when}" if when else ""}
    for who_, name in ((reach, "reach"), (miss, "miss")):
        for verb, single in _VERBS:
            words[f"{name}_{verb}"] = f"{who_} {single if _single(who_) else verb}"
    reasons = [Reason(divergence.guard.module, divergence.guard.test, guard.format(**words))]
    if divergence.exit is not None:
        where = divergence.exit.where
        leave = _EXITS.get(divergence.exit.kind, ("leave", "leaves"))[_single(miss)]
        reasons.append(Reason(where.module, where.spot, f"{miss} {leave} here"))
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
            "alone": divergence.alone and divergence.guard.module == call.module,
            "falls": divergence.exit is not None and _falls(divergence.guard, divergence.exit.kind),
            "returns": divergence.exit is not None and _returns(divergence.guard, divergence.exit.kind),
        },
    )


def _returns(guard: Guard, exit_: str) -> bool:
    """Whether those who left stay away for one round only, or there are no rounds: not so if they leave a loop for good."""
    around = any(isinstance(node, Loop) and node.spot.holds(guard.spot) for node in statements_of(guard.frame.function))
    return exit_ == "continue" or not around


def _falls(guard: Guard, exit_: str) -> bool:
    """Whether whoever comes to the end of the block in which a test stands is where an exit in the test leads."""
    function = guard.frame.function
    loops = [node.body for node in statements_of(function) if isinstance(node, Loop)] if exit_ == "continue" else []
    own = [function.body] if exit_ == "return" and function.kind != "module" else []
    return any(isinstance(node, If) and node.spot == guard.spot for block in (*loops, *own) for node in block)


def _chain(program: Program, divergence: Divergence) -> Iterator[Reason]:
    """The calls from the reported one down to the collective."""
    entered = divergence.entered
    for enter, following in zip(entered, entered[1:], strict=False):
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
