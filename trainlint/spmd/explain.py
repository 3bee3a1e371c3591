"""Saying a divergence in words: who reaches the collective, who does not, and by which calls."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.communication import Communication
from trainlint.facts.parallel import STEPS
from trainlint.facts.program import Program
from trainlint.facts.values import FunctionValue
from trainlint.finding import Reason, Spot, Suspect
from trainlint.ir.nodes import Const, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import If, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.shards.uneven import uneven
from trainlint.spmd.sides import running, sides, single, who
from trainlint.spmd.trace import Event, Guard, Invoke
from trainlint.spmd.uniform_check import Agreement

#: How a rank leaves, for several ranks and for one.
_EXITS = {
    "return": ("return", "returns"),
    "raise": ("raise", "raises"),
    "break": ("leave the loop", "leaves the loop"),
    "continue": ("go on with the next round", "goes on with the next round"),
    "exit": ("end the process", "ends the process"),
}

_VERBS = (
    ("run", "runs"),
    ("do", "does"),
    ("get", "gets"),
    ("join", "joins"),
    ("hang", "hangs"),
    ("go", "goes"),
    ("take", "takes"),
    ("leave", "leaves"),
)


def suspects(program: Program, kind: str, message: str, guard: str, sort: str = "") -> Iterator[Suspect]:
    """The suspects of all divergences of a kind (``branch``, ``exit``, ``order``) that no caller makes good.

    ``sort`` says which collectives (see :meth:`Agreement.sort`): one mistake is one finding, of the rule that says most.
    ``message`` and ``guard`` are the sentences at the call and at the test, as :func:`suspect` takes them. A call that some ranks
    do not reach for several reasons in one function is named once, with the first of them.
    """
    analysis = program.ask(Agreement)
    named: set[tuple[str, Spot, int]] = set()
    for divergence in analysis.reported():
        fits = divergence.kind == kind and (kind == "order" or analysis.sort(divergence.collective) == sort)
        place = (divergence.call.module, divergence.call.spot, id(divergence.guard.frame.function))
        if fits and place not in named and not measured_elsewhere(program, divergence):
            named.add(place)
            yield suspect(program, divergence, message, guard)


def measured_elsewhere(program: Program, divergence: Divergence) -> bool:
    """Whether it is a loop that more rounds of it are run on some ranks than on others, and that is said of the loop."""
    if not divergence.counts:
        return False
    guard = divergence.guard
    return any(found.module == guard.module and found.loop.spot == guard.spot for found in program.ask(uneven))


def of_sort(program: Program, sort: str, what: str, advice: str) -> Iterator[Suspect]:
    """The suspects of all divergences in a sort of collective, under a test or behind a way out.

    ``what`` begins the first sentence and ``advice`` is the last one; both may use the words of :func:`suspect`.
    """
    under = f"{what} runs on {{reach}} only and hangs there{{when}}: {{miss_do}} not join\n{advice}"
    behind = f"{what} is never reached by {{miss}}, which left before: {{reach_hang}} there{{when}}\n{advice}"
    yield from suspects(program, "branch", under, "{reach_get} past this test, {miss_do} not", sort)
    yield from suspects(program, "exit", behind, "{miss_take} the way out here, {reach_go} on", sort)


def own_shards(program: Program) -> Iterator[Suspect]:
    """The suspects of what rank 0 saves of a model of which it holds a part: nothing hangs, the rest is lost."""
    for kind, guard in (
        ("branch", "{reach_get} past this test, {miss_do} not"),
        ("exit", "{miss_take} the way out here, {reach_go} on"),
    ):
        yield from suspects(
            program,
            kind,
            "`{collective}` of a sharded model holds the shards of {reach} only: those of {miss} are in no checkpoint\n"
            "Gather the whole first, on every rank (`get_model_state_dict` with `full_state_dict=True`), or let all ranks save "
            "their shards.",
            guard,
            "own-shards",
        )


def suspect(program: Program, divergence: Divergence, message: str, guard: str) -> Suspect:
    """The suspect of a divergence: the call as its place; guard, exit and call chain as reasons.

    ``message`` and ``guard`` (the sentence at the test) may use ``{collective}``, ``{reach}`` (who runs it), ``{miss}``
    (who does not), these with a verb (``{miss_do}``, ``{reach_hang}`` …), ``{when}`` (in which mode it communicates) and
    ``{instead}`` (what the others run). Behind the first line comes what each side runs, and where.
    """
    reach, miss = who(divergence)
    dotted = program.ask(Agreement).collective(divergence.collective)
    when = program.knowledge.optional.get(dotted)
    words = {"collective": dotted.rpartition(".")[2], "reach": reach, "miss": miss, "when": f" {when}" if when else ""}
    for who_, name in ((reach, "reach"), (miss, "miss")):
        for verb, of_one in _VERBS:
            words[f"{name}_{verb}"] = f"{who_} {of_one if single(who_) else verb}"
    if divergence.collective_instead is not None:
        words["instead"] = program.ask(Agreement).collective(divergence.collective_instead).rpartition(".")[2]
    reasons = [Reason(divergence.guard.module, divergence.guard.test, guard.format(**words))]
    way = divergence.exit or divergence.passed
    if way is not None:
        where = way.where
        leave = _EXITS.get(way.kind, ("leave", "leaves"))[single(miss)]
        reasons.append(Reason(where.module, where.spot, f"{miss} {leave} here"))
    reasons.extend(_chain(program, divergence))
    if divergence.kind == "order" and isinstance(divergence.instead, Event):
        other = divergence.instead
        reasons.append(Reason(other.where.module, other.where.spot, f"{running(miss)} `{words['instead']}` here"))
    call = divergence.call
    headline, _, advice = message.format(**words).partition("\n")
    return Suspect(
        path=call.module,
        spot=call.spot,
        node=call.node,
        statement=call.statement,
        message="\n".join((headline, sides(program, divergence, reach, miss), advice)),
        because=tuple(reasons),
        data={
            "guard": divergence.guard.spot,
            "movable": divergence.guard.module == call.module
            and divergence.guard.whole
            and not _lets_alone(divergence.guard.condition)
            and divergence.alone
            and not divergence.guard.frame.function.generator,  # other users of a context manager may need it as it is
            "lone": isinstance(divergence.event, Event) and divergence.event.operation == "barrier",
            "direct": isinstance(divergence.event, Event) and divergence.event.where.spot == call.spot,
            "alone": divergence.alone and divergence.guard.module == call.module,
            "falls": divergence.exit is not None and _falls(divergence.guard, divergence.exit.kind),
            "returns": divergence.exit is not None and _returns(divergence.guard, divergence.exit.kind),
        },
    )


def _returns(guard: Guard, exit_: str) -> bool:
    """Whether those who left stay away for one round only, or there are no rounds: not so if they leave a loop for good."""
    function = guard.frame.function
    own = any(loop.spot == guard.spot for loop in of_kind(function, Loop))
    return exit_ == "continue" or not (own or loops_around(function, guard.spot))


def _lets_alone(condition: Term) -> bool:
    """Whether a test is also false in a run without other ranks (``local_rank not in (-1, 0)``): nothing can be met there."""
    return any(isinstance(part, Const) and type(part.value) is int and part.value < 0 for part in parts_of(condition))


def _falls(guard: Guard, exit_: str) -> bool:
    """Whether whoever comes to the end of the block in which a test stands is where an exit in the test leads."""
    function = guard.frame.function
    loops = [node.body for node in of_kind(function, Loop)] if exit_ == "continue" else []
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
            yield Reason(event.where.module, event.where.spot, _runs_here(event.name))
        return
    assert isinstance(event, Invoke)
    if entered:
        name = entered[-1].target.function.name
        yield Reason(event.where.module, event.where.spot, f"`{name}` calls `{event.target.function.name}` here")
    if divergence.reached is not None:
        name = event.target.function.name
        for enter in divergence.reached.entered[1:]:
            yield Reason(enter.where.module, enter.where.spot, f"`{name}` calls `{enter.target.function.name}` here")
            name = enter.target.function.name
        last = divergence.reached.event
        yield Reason(last.where.module, last.where.spot, _runs_here(last.name))
        return
    for step in program.ask(Communication).chain(event.target.function):
        spot = step.site.call.term.site
        if isinstance(step.target, FunctionValue):
            text = f"`{step.site.function.name}` calls `{step.target.function.name}` here"
        else:
            text = _runs_here(step.target.name)
        yield Reason(step.site.module, spot, text)


def _runs_here(name: str) -> str:
    """The last link of a chain; the pass of a model bears no name of a collective."""
    return f"the {name} runs here" if name in STEPS else f"the collective `{name.rpartition('.')[2]}` runs here"
