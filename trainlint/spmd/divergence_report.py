"""Saying a divergence in words: the two sides, who reaches the collective and who does not, and by which calls.

The two sides of a divergence: who they are, and what each of them runs, and where.

What is to be said where a rank and its twin part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from trainlint.domains.communication import Communication
from trainlint.domains.data_parallel.models import STEPS
from trainlint.finding import Reason, Spot, Suspect
from trainlint.ir.nodes import Term, Unknown
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import If, Loop
from trainlint.ir.terms import parts_of, whole_number
from trainlint.ir.walk import of_kind
from trainlint.program.naming import reference
from trainlint.program.program import Program
from trainlint.program.values import FunctionValue
from trainlint.spmd.data_divergence import Twins
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.shards.uneven import uneven
from trainlint.spmd.symbols import LOCAL, WORLD
from trainlint.spmd.trace import Event, Guard, Invoke
from trainlint.spmd.uniform_check import Agreement

#: Ranks that nothing names.
_SOME = "some ranks"
#: How a rank left, when it is said that it runs nothing.
_LEFT = {
    "return": "returned",
    "raise": "raised",
    "break": "left the loop",
    "continue": "continued with the next iteration",
    "exit": "exited",
}


def single(ranks_: str) -> bool:
    """Whether somebody is one rank."""
    return ranks_ in ("rank 0", "the last rank", "local rank 0 of each node")


def ranks(arms: tuple[bool, ...]) -> str:
    """The example ranks that take an arm, as a person would name them."""
    taken = tuple(rank for rank, arm in enumerate(arms) if arm)
    names = {
        (0,): "rank 0",
        tuple(range(1, WORLD)): "the ranks other than 0",
        (WORLD - 1,): "the last rank",
        tuple(range(WORLD - 1)): "the ranks other than the last",
        tuple(range(0, WORLD, LOCAL)): "local rank 0 of each node",
        tuple(rank for rank in range(WORLD) if rank % LOCAL): "the ranks other than local rank 0",
    }
    return names.get(taken, _SOME)


def others(arms: tuple[bool, ...]) -> str:
    """The example ranks that do not take the arm."""
    return ranks(tuple(not arm for arm in arms))


def who(divergence: Divergence) -> tuple[str, str]:
    """Who runs the collective and who does not: those that nothing names are told by where they leave."""
    reach, miss = ranks(divergence.arms), others(divergence.arms)
    if divergence.certain and reach != miss:
        return reach, miss
    left = divergence.kind == "exit" and (divergence.exit or divergence.passed)
    return ("the other ranks", _SOME) if left else (_SOME, "the other ranks")


def running(who_: str) -> str:
    """Somebody runs."""
    return f"{who_} {'runs' if single(who_) else 'run'}"


def sides(program: Program, divergence: Divergence, reach: str, miss: str) -> str:
    """What each side runs there, with its place: ``rank 0 runs: barrier (train.py:88); the others: nothing``."""
    runs = f"{running(reach)}: {_named(program, divergence.collective)}"
    exit_ = divergence.exit or divergence.passed
    if exit_ is not None:
        left = f"{_LEFT.get(exit_.kind, 'left')} {_at(exit_.where.module, exit_.where.spot)}"
        return f"{runs}; {miss}: nothing, {'it' if single(miss) else 'they'} {left}"
    instead = divergence.collective_instead
    if instead is None:
        return f"{runs}; {miss}: nothing"
    return f"{runs}; {miss}: {'' if divergence.kind == 'order' else 'next '}{_named(program, instead)}"


def _named(program: Program, event: Event | Invoke) -> str:
    """A collective and its place."""
    name = program.ask(Agreement).collective(event).rpartition(".")[2]
    if isinstance(event, Event):
        return f"{name} ({_at(event.where.module, event.where.spot, word='')})"
    chain = program.ask(Communication).chain(event.target.function)
    if not chain:
        return f"{name} ({_at(event.where.module, event.where.spot, word='')})"
    return f"{name} ({_at(chain[-1].site.module, chain[-1].site.call.term.site, word='')})"


def _at(module: str, spot: Spot, word: str = "at ") -> str:
    """A place in short; of a notebook its name only, since its lines count in cells."""
    name = PurePath(module).name
    return f"{word}{name}" if name.endswith(".ipynb") else f"{word}{name}:{spot.line}"


def _near(divergence: Divergence, module: str, spot: Spot) -> str:
    """A place as the message at the call names it: of the same file its line only."""
    same = module == divergence.call.module and not module.endswith(".ipynb")
    return f"at line {spot.line}" if same else _at(module, spot)


#: How a rank leaves, for several ranks and for one.
_EXITS = {
    "return": ("return", "returns"),
    "raise": ("raise", "raises"),
    "break": ("leave the loop", "leaves the loop"),
    "continue": ("continue with the next iteration", "continues with the next iteration"),
    "exit": ("exit the process", "exits the process"),
}

_VERBS = (
    ("run", "runs"),
    ("do", "does"),
    ("get", "gets"),
    ("hang", "hangs"),
    ("go", "goes"),
    ("take", "takes"),
    ("leave", "leaves"),
)


def rank_suspects(program: Program, kind: str, message: str, guard: str, sort: str = "") -> Iterator[Suspect]:
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
    """Whether it is a loop that more iterations of it are run on some ranks than on others, and that is said of the loop."""
    if not divergence.counts:
        return False
    guard = divergence.guard
    return any(found.module == guard.module and found.loop.spot == guard.spot for found in program.ask(uneven))


def of_sort(program: Program, sort: str, what: str, advice: str) -> Iterator[Suspect]:
    """The suspects of all divergences in a sort of collective, under a test or behind a way out.

    ``what`` begins the first sentence and ``advice`` is the last one; both may use the words of :func:`suspect`.
    """
    under = f"{what} runs {{only}} and hangs there{{when}}: {{rest_never_reach}} it\n{advice}"
    behind = f"{what} is never reached by {{left}}: {{rest_hang}} there{{when}}\n{advice}"
    yield from rank_suspects(program, "branch", under, "{reach_get} past this test, {miss_do} not", sort)
    yield from rank_suspects(program, "exit", behind, "{miss_take} this exit, {reach_go} on", sort)


def own_shards(program: Program) -> Iterator[Suspect]:
    """The suspects of what rank 0 saves of a model of which it holds a part: nothing hangs, the rest is lost."""
    for kind, guard in (
        ("branch", "{reach_get} past this test, {miss_do} not"),
        ("exit", "{miss_take} this exit, {reach_go} on"),
    ):
        yield from rank_suspects(
            program,
            kind,
            "`{collective}` of a sharded model holds the shards of {reach} only: those of {miss} are in no checkpoint\n"
            "Gather the full state first, on every rank (`get_model_state_dict` with `full_state_dict=True`), or let all ranks "
            "save their shards.",
            guard,
            "own-shards",
        )


def suspect(program: Program, divergence: Divergence, message: str, guard: str) -> Suspect:
    """The suspect of a divergence: the call as its place; guard, exit and call chain as reasons.

    ``message`` and ``guard`` (the sentence at the test) may use ``{collective}`` or ``{step}`` (the same in words), ``{reach}``
    (who runs it), ``{only}`` (that they alone do), ``{miss}`` (who does not), these with a verb (``{miss_do}``, ``{rest_hang}``
    …), ``{left}`` (who does not, and by which exit), ``{when}`` (in which mode it communicates) and ``{instead}`` (what the
    others run). After the first line comes what happens in its other modes, then what each side runs.
    """
    reach, miss = who(divergence)
    dotted = program.ask(Agreement).collective(divergence.collective)
    when, _, otherwise = program.knowledge.optional.get(dotted, "").partition("; ")
    words = {
        "collective": dotted.rpartition(".")[2],
        "reach": reach,
        "miss": miss,
        "when": f" {when}" if when else "",
        "left": miss,
    }
    for who_, name in ((reach, "reach"), (miss, "miss")):
        for verb, of_one in _VERBS:
            words[f"{name}_{verb}"] = f"{who_} {of_one if single(who_) else verb}"
    words["step"] = f"the {dotted} of the parallel model" if dotted in STEPS else f"`{words['collective']}`"
    words["only"] = (
        f"only on the ranks that the test {_near(divergence, divergence.guard.module, divergence.guard.test)} selects"
        if reach == _SOME
        else f"on {reach} only"
    )
    words["rest_hang"] = words["reach_hang"] if single(reach) else "the other ranks hang"
    words["rest_never_reach"] = f"{miss} never reaches" if single(miss) else "the other ranks never reach"
    if divergence.collective_instead is not None:
        words["instead"] = program.ask(Agreement).collective(divergence.collective_instead).rpartition(".")[2]
    reasons = [Reason(divergence.guard.module, divergence.guard.test, guard.format(**words))]
    way = divergence.exit or divergence.passed
    if way is not None:
        where = way.where
        leave = _EXITS.get(way.kind, ("leave", "leaves"))[single(miss)]
        at = _near(divergence, where.module, where.spot)
        words["left"] = f"the ranks that {leave} {at}" if miss == _SOME else f"{miss}, which {leave} {at}"
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
        message="\n".join(filter(None, (headline, otherwise, sides(program, divergence, reach, miss), advice))),
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
    return any((whole_number(part) or 0) < 0 for part in parts_of(condition))


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


#: What decides on each rank, and what is said where that comes from, by the word of its source.
WORDS = {
    "loss": ("each rank's own loss", "each rank computes this loss from its own batch"),
    "answer": ("the model's output on each rank's batch", "each rank passes a different batch to the model here"),
    "combined": ("each rank's own value", "the ranks combine their values only here"),
    "batch": ("each rank's own batch", "each rank gets different batches here"),
    "clock": ("each rank's own clock", "each rank reads its own clock here"),
    "drawn": ("each rank's own random number", "this is not seeded: each rank draws a different number"),
    "process": ("the process it runs in", "this differs in each process"),
    "memory": ("each rank's own memory usage", "each rank reads its own memory usage here"),
    "progress": ("the progress of each rank's own background work", "each rank checks its own progress here"),
    "error": ("an error on a single rank", ""),
    "failure": ("an error on a single rank", "this may fail on one rank alone"),
    "own file": ("each rank's own file", "each rank looks for a different file here"),
    "file": ("a file that another rank may be creating", "a rank that checks late sees what another rank created"),
}
_SHARE = (
    "Tell every rank of the error before any of them goes on: all-reduce a flag after the `try`, or let the error end the job."
)
_ADVICE = {
    "error": _SHARE,
    "failure": _SHARE,
    "file": "Let one rank check and broadcast the answer, or let every rank call the collective.",
}
_REDUCE = "Make all ranks decide the same way: all-reduce or broadcast the condition before it is tested."


def twin_suspects(program: Program) -> Iterator[Suspect]:
    """The suspects of all places where ranks part by what they have for themselves."""
    analysis = program.ask(Twins)
    for divergence in analysis.reported():
        source = analysis.tested[divergence.guard]
        whose, origin = WORDS[source.word]
        message = (
            "{step} is conditional on "
            + whose
            + ": if ranks disagree, some hang{when} or match different collectives\n"
            + _ADVICE.get(source.word, _REDUCE)
        )
        guard = (
            "an error of one rank is swallowed here"
            if isinstance(divergence.guard.condition, Unknown)
            else "each rank evaluates this for itself"
        )
        found = suspect(program, divergence, message, guard)
        because = found.because
        if origin and source.spot is not None:
            because = (because[0], Reason(source.module, source.spot, origin), *because[1:])
        yield replace(found, because=because, data={**found.data, **_answered(program, divergence, source.word)})


def _answered(program: Program, divergence: Divergence, word: str) -> dict[str, object]:
    """What the repair needs: the test, what ``torch.distributed`` is called there, and how the answers are put together."""
    guard = divergence.guard
    plain = word not in _ADVICE and guard.module == divergence.call.module and guard.test.line == guard.spot.line
    library = reference("torch.distributed", program.modules[guard.module]) if plain else None
    return {"test": guard.test, "library": library, "word": "all" if divergence.arm else "any"}
