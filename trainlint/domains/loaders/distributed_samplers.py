"""Distributed samplers: told the epoch too late, padding an evaluation, or dividing what is divided already.

Samplers that are told the epoch too late for it, or a number that never changes.

A loader asks its sampler for an order when an iterator of it is made. What ``set_epoch`` says after that holds for
the next epoch: the first two have the order of 0.

Evaluations over a sampler that fills the last round of the ranks up with samples that others have already.

``DistributedSampler`` without ``drop_last`` repeats samples from its beginning until all ranks have equally many
(torch 2.13).

Loaders whose sampler gives each rank a part, and which are then prepared by a library that divides their batches
again.

Run with accelerate 1.15 on two processes: of sixteen samples, eight are seen. Lightning and Fabric leave such a
sampler as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.domains.grad_mode import GradMode
from trainlint.domains.loaders.dataloaders import Loader, Loaders, fewest
from trainlint.domains.loaders.workers import is_its_dataset
from trainlint.domains.sampler_epochs import KIND, once
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import Attr, Call, Ref, Term
from trainlint.ir.order import after, before, loops_around, within, written_in
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Block, CallStep, Function, Loop, Statement, Yield
from trainlint.ir.terms import parts_of, whole_number
from trainlint.ir.walk import of_kind, statements_of, walk
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.induction import round_number
from trainlint.program.loops import EpochLoop, Loops
from trainlint.program.naming import same
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program
from trainlint.program.running_calls import calls_in, leading_step, may_call
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, Instance, Library, LibraryObject, Value

_ITER = "builtins.iter"
_LATE, _INSIDE, _CONSTANT, _BEGUN = "late", "inside", "constant", "begun"


class Misplaced(NamedTuple):
    """A call that tells a sampler the epoch in vain.

    ``how`` is ``late`` (behind the loop over batches), ``inside`` (in it), ``begun`` (behind ``iter(loader)``) or ``constant``.
    ``batches`` is where the loader is iterated; ``above`` the statement of the epoch loop that does that, ``text`` what the
    sampler is called there, ``variable`` what counts the epochs (each None where a repair is not possible).
    """

    module: str
    call: CallStep
    how: str
    batches: tuple[str, Spot]
    loop: Spot
    above: Spot | None
    text: str | None
    variable: str | None


class _Told(NamedTuple):
    """A call that tells a sampler the epoch, its activation, and the call in the loop over epochs that leads there or is it."""

    call: CallStep
    frame: Context
    step: CallStep


def misplaced(program: Program) -> Iterator[Misplaced]:
    """Each such call, once, where no other call in the same loop over epochs tells the sampler in time."""
    asked = program.ask(Loops)
    seen: set[tuple[str, Spot]] = set()
    for batches in asked.batch_loops(KIND):
        epoch = asked.epoch_loop(batches)
        if epoch is None or once(program, epoch):
            continue
        told = list(_told(program, epoch))
        steps = [each.step for each in told]
        if not all(_of_sampler(program, asked, epoch, each) for each in told) or _elsewhere(asked, epoch, steps):
            continue
        judged = [_judged(program, epoch, each) for each in told]
        if None in judged:
            continue  # one of them tells it in time
        for found in judged:
            key = (found.module, found.call.term.site) if found is not None else None
            if found is not None and key is not None and key not in seen:
                seen.add(key)
                yield found


def _told(program: Program, epoch: EpochLoop) -> Iterator[_Told]:
    """The calls that tell something the epoch, in the loop over epochs and in what it calls."""
    names = program.knowledge.reshuffles
    index = program.ask(CallGraph)
    for node, frame in calls_in(program, epoch.loop.body, epoch.frame, may_call(program, names)):
        if not isinstance(node.term.callee, Attr) or node.term.callee.name not in names:
            continue
        step = leading_step(frame, node, epoch.frame)
        if step is not None and not any(isinstance(each, FunctionValue) for each in index.targets(node.term, frame)):
            yield _Told(node, frame, step)


def _of_sampler(program: Program, asked: Loops, epoch: EpochLoop, told: _Told) -> bool:
    """Whether what is told the epoch is the sampler that feeds the loader, also as ``loader.sampler``."""
    assert isinstance(told.call.term.callee, Attr)
    receiver, samplers = told.call.term.callee.base, list(asked.feeds(epoch.batches.loader, KIND))
    for value in program.values(receiver, told.frame):
        if isinstance(value, (LibraryObject, Instance)) and any(same(value, sampler) for sampler in samplers):
            return True
    owner = receiver.base if isinstance(receiver, Attr) else None
    if owner is not None and isinstance(owner, Attr) and owner.name == "batch_sampler":
        owner = owner.base
    values = program.values(owner, told.frame) if isinstance(owner, Term) else ()
    return any(isinstance(value, (LibraryObject, Instance)) and same(value, epoch.batches.loader) for value in values)


def _elsewhere(asked: Loops, epoch: EpochLoop, told: list[CallStep]) -> bool:
    """Whether something else that runs in the loops may tell the sampler: a callee, the loops around, the batches' function."""
    names = asked.program.knowledge.reshuffles
    frame = epoch.frame
    for node in walk(epoch.loop.body):
        if isinstance(node, CallStep) and node not in told:
            own = asked.program.frame(frame.module, frame.function)
            if asked.call_says(node.term, own, names):
                return True
    return any(asked.round_says(frame.module, frame.function, outer, names) and outer is not epoch.loop for outer in epoch.outer)


class _Meeting(NamedTuple):
    """The innermost activation in a round over epochs that leads both to the batches and to where the sampler is told.

    ``block`` is what it runs of the round, ``batches`` the place there that leads to the loop over batches or is it, ``told`` the
    call that tells the sampler or leads there.
    """

    frame: Context
    block: Block
    batches: Spot
    told: CallStep


def _meeting(epoch: EpochLoop, told: _Told) -> _Meeting | None:
    """Where a round over epochs parts on its ways to the batches and to where the sampler is told."""
    one, other = _entered(epoch.batches.frame, epoch.frame), _entered(told.frame, epoch.frame)
    if one is None or other is None:
        return None
    both = zip(one, other, strict=False)
    same_way = takewhile(lambda pair: pair[0].call is pair[1].call and pair[0].function is pair[1].function, both)
    frames = [epoch.frame, *(each for _, each in same_way)]
    frame = frames[-1]
    deeper = one[len(frames) - 1 :]
    batches = deeper[0].call.site if deeper and deeper[0].call is not None else _outermost(epoch, frame)
    step = leading_step(told.frame, told.call, frame)
    block = epoch.loop.body if frame is epoch.frame else frame.function.body
    return _Meeting(frame, block, batches, step) if step is not None else None


def _entered(frame: Context, outer: Context) -> list[Context] | None:
    """The activations that led from an outer one to an inner one, outermost first; None if it did not lead there."""
    found: list[Context] = []
    while frame is not outer:
        if frame.caller is None:
            return None
        found.append(frame)
        frame = frame.caller
    return found[::-1]


def _outermost(epoch: EpochLoop, frame: Context) -> Spot:
    """The outermost loop in a round over epochs that goes over the batches, in the function that does."""
    inner = epoch.batches.around
    if frame is epoch.frame and epoch.loop in inner:
        inner = inner[inner.index(epoch.loop) + 1 :]
    return inner[0].spot if inner else epoch.batches.spot


def _judged(program: Program, epoch: EpochLoop, told: _Told) -> Misplaced | None:
    loop, call = epoch.loop, told.call
    given = (*call.term.args, *(value for _, value in call.term.kwargs))
    met = _meeting(epoch, told)
    if len(given) != 1 or met is None or not isinstance(call.term.callee, Attr):
        return None
    function = met.frame.function
    own = told.frame is epoch.frame
    text = name_in(call.term.callee.base, function) if own else None
    count = loop.names[0] if len(loop.names) == 1 and loop.names[0].isidentifier() and loop.names[0] != "_" else None
    where = (epoch.batches.frame.module, epoch.batches.spot)
    said = given[0] if own else reaching_definition(program, given[0], told.frame).term
    if whole_number(said) is not None:
        return Misplaced(told.frame.module, call, _CONSTANT, where, loop.spot, None, text, count)
    number = round_number(program, given[0], told.frame)
    starts = (0, None) if number is not None and not number.added else (0,)  # None: a run may begin anew
    if number is None or number.loop is not loop or number.by != 1 or number.first not in starts:
        return None
    tested = _tests(told, met)
    free = text if not tested else None
    around = [each for each in loops_around(function, met.told) if met.frame is not epoch.frame or within(function, loop, each)]
    if around and around[-1].spot == met.batches:
        if tested:
            return None  # in some rounds only: perhaps in the last
        return Misplaced(told.frame.module, call, _INSIDE, where, loop.spot, met.batches if own else None, free, count)
    if around:
        return None
    passing = (each for each in walk_tested(met.block) if _stands_at(each[0], met.batches))
    through, led = next(passing, (None, ()))
    passes = isinstance(through, Loop) or epoch.batches.frame is not met.frame
    if passes and all(test in tested for test in led) and after(function, met.batches, met.told):
        above = met.batches if own and not led else None
        return Misplaced(told.frame.module, call, _LATE, where, loop.spot, above, free, count)
    begun = _begun(program, epoch, told.step)
    above = begun if own else None
    return None if begun is None else Misplaced(told.frame.module, call, _BEGUN, where, loop.spot, above, free, count)


def _tests(told: _Told, met: _Meeting) -> Led:
    """The tests that lead to the call from where a round parts, also in what leads there."""
    found: list[tuple[Term | Failed, bool]] = []
    at, site = told.frame, told.call.term.site
    while at is not met.frame and at.caller is not None and at.call is not None:
        found += next((tests for node, tests in walk_tested(at.function.body) if _stands_at(node, site)), ())
        site, at = at.call.site, at.caller
    return (*found, *next((tests for node, tests in walk_tested(met.block) if node is met.told), ()))


def _stands_at(node: Statement, place: Spot) -> bool:
    """Whether a statement is the loop, or the call, at a place."""
    return (isinstance(node, Loop) and node.spot == place) or (isinstance(node, CallStep) and node.term.site == place)


def _begun(program: Program, epoch: EpochLoop, told: CallStep) -> Spot | None:
    """The call in the body of the epoch loop, before the sampler is told, that makes an iterator of a loader with workers."""
    loader = program.ask(Loaders).of(epoch.batches.loader)
    workers = fewest(loader) if loader is not None else None
    if workers is None or workers < 1:
        return None
    for node in walk(epoch.loop.body):
        if not isinstance(node, CallStep) or before(epoch.frame.function, told, node) or not node.term.args:
            continue
        callees = program.values(node.term.callee, epoch.frame)
        if any(isinstance(callee, Library) and callee.name == _ITER for callee in callees):
            values = program.values(node.term.args[0], epoch.frame)
            if any(isinstance(value, (LibraryObject, Instance)) and same(value, epoch.batches.loader) for value in values):
                return node.statement
    return None


_DROPS = "drop_last"


class Padded(NamedTuple):
    """A loader with such a sampler, the loop that evaluates on it, and the call by which the ranks put their results together.

    ``drops``: the sampler leaves samples out instead of repeating some.
    """

    loader: Loader
    sampler: LibraryObject
    drops: bool
    module: str
    loop: Spot
    reduced: tuple[str, Spot]


def padded(program: Program) -> Iterator[Padded]:
    """Each loader whose sampler makes the parts of the ranks equal, though these put their results together, once."""
    asked = program.ask(Loops)
    if not any(True for name in _makers(program) for _ in program.ask(CallGraph).sites_named(name)):
        return
    seen: set[tuple[str, Spot]] = set()
    for module, function in list(program.functions()):
        if not of_kind(function, Loop) or tests_software(program, module, function):
            continue
        for loop in of_kind(function, Loop):
            if loop.kind != "for" or asked.says(module, function, loop.body, program.knowledge.training):
                continue
            if any(isinstance(node, Yield) for node in walk(loop.body)):
                continue  # what is done with the batches is for the loop to say that gets them
            for frame in calling_contexts(program, module, function):
                for made in asked.iterated(loop.subject, frame):
                    loader = program.ask(Loaders).of(made)
                    if loader is None or loader.statement is None or (loader.module, loader.spot) in seen:
                        continue
                    evened = _evened(program, loader)
                    if (
                        evened is None
                        or not program.ask(GradMode).always_off(frame, _first(loop))
                        or _knows(program, frame, loader)
                    ):
                        continue
                    reduced = _reduced(program, module, function)
                    if reduced is not None:
                        seen.add((loader.module, loader.spot))
                        yield Padded(loader, *evened, module, loop.spot, reduced)


def _makers(program: Program) -> set[str]:
    return {name.rpartition(".")[2] for name, kind in program.knowledge.kinds.items() if kind == KIND}


def _first(loop: Loop) -> Spot:
    """A place in the body of a loop."""
    for node in loop.body:
        if isinstance(node, CallStep):
            return node.term.site
    return loop.spot


def _evened(program: Program, loader: Loader) -> tuple[LibraryObject, bool] | None:
    """The sampler of a loader, if it is a library's own and nothing but itself, and whether it drops what is too much."""
    for sampler in program.ask(Loops).feeds(loader.made, KIND):
        if not isinstance(sampler, LibraryObject) or sampler.call is None or sampler.frame is None:
            return None
        asked = program.ask(Options)
        drops = asked.settled(asked.given(sampler.call, sampler.frame, _DROPS, sampler.name))
        if drops.sure and drops.constants in ((), (False,), (True,)):
            return sampler, any(drops.constants)
    return None


def _knows(program: Program, frame: Context, loader: Loader) -> bool:
    """Whether a function, or one that calls it, asks how long the dataset is: it may leave out what is too much."""
    sites = program.ask(CallGraph).callers(frame.function)
    around = [frame, *(program.frame(site.module, site.function) for site in sites)]
    return any(
        _asks(program, term, each, loader)
        for each in around
        for node in statements_of(each.function)
        for term in node
        if isinstance(term, Term)
    )


def _asks(program: Program, term: Term, frame: Context, loader: Loader) -> bool:
    measures = program.knowledge.measures
    return any(
        isinstance(part, Call)
        and isinstance(part.callee, Ref)
        and part.callee.name in measures
        and any(is_its_dataset(program, each, frame, loader) for each in part.args)
        for part in parts_of(term)
    )


def _reduced(program: Program, module: str, function: Function) -> tuple[str, Spot] | None:
    """The call in a function, in what that calls, or in one that calls it, by which the ranks put their results together."""
    words = program.knowledge.tables["loaders"]["puts_together"]
    enters = may_call(program, (name.rpartition(".")[2] for name in words))
    around = [(module, function), *((site.module, site.function) for site in program.ask(CallGraph).callers(function))]
    for path, each in around:
        for call, frame in calls_in(program, each.body, program.frame(path, each), enters):
            callees = program.values(call.term.callee, frame)
            if any(isinstance(callee, Library) and callee.name in words for callee in callees):
                return frame.module, call.term.site
    return None


_SAMPLER, _REPLICAS, _SHUFFLE = "sampler", "num_replicas", "shuffle"


class Twice(NamedTuple):
    """A loader with a distributed sampler, that sampler, the call that prepares the loader; ``shuffles``: the sampler does.

    ``inline``: the sampler is constructed within the call that constructs the loader.
    """

    loader: Loader
    sampler: LibraryObject | Instance
    module: str
    prepared: Spot
    shuffles: bool
    inline: bool


def twice(program: Program) -> Iterator[Twice]:
    """Each loader that is divided by its sampler and again by what prepares it, once."""
    names = program.knowledge.tables["loaders"]["divides"]
    seen: set[tuple[str, Spot]] = set()
    index = program.ask(CallGraph)
    for last in sorted({name.rpartition(".")[2] for name in names}):
        for site in index.sites.get(last, ()):
            if tests_software(program, site.module, site.function):
                continue
            for found in _prepared(program, site, names):
                key = (found.loader.module, found.loader.spot)
                if key not in seen:
                    seen.add(key)
                    yield found


def _prepared(program: Program, site: CallSite, names: list[str]) -> Iterator[Twice]:
    call = site.call.term
    for frame in contexts_at(program, site):
        callees = program.values(call.callee, frame)
        if not callees or not all(isinstance(callee, Library) and callee.name in names for callee in callees):
            continue
        if not _divides(program, call, frame):
            continue
        for argument in call.args:
            for value in program.values(argument, frame):
                loader = program.ask(Loaders).of(value) if isinstance(value, (LibraryObject, Instance)) else None
                sampler = _sampler(program, loader) if loader is not None else None
                if loader is not None and sampler is not None:
                    yield Twice(loader, sampler, site.module, call.site, _shuffles(program, sampler), _is_inline(loader, sampler))


def _is_inline(loader: Loader, sampler: LibraryObject | Instance) -> bool:
    """Whether a sampler is constructed within the call that constructs a loader."""
    if sampler.call is None or sampler.frame is None or sampler.frame.module != loader.module:
        return False
    return written_in(loader.spot, sampler.call)


def _divides(program: Program, call: Call, frame: Context) -> bool:
    """Whether what prepares is seen to be made, with nothing that says how batches are divided."""
    keeps = program.knowledge.tables["loaders"]["dividing"]
    makers = program.values(call.callee.base, frame) if isinstance(call.callee, Attr) else ()
    return bool(makers) and all(
        isinstance(maker, LibraryObject)
        and maker.call is not None
        and not any(name is None or name in keeps for name, _ in maker.call.kwargs)
        for maker in makers
    )


def _sampler(program: Program, loader: Loader) -> LibraryObject | Instance | None:
    """The distributed sampler that a loader surely has."""
    given = loader.given(_SAMPLER)
    found: list[Value] = [value for value in given.values if program.ask(Loops).library(value, KIND)]
    if not given.known or not found or len(found) != len(given.values):
        return None
    sampler = found[0]
    if not isinstance(sampler, LibraryObject) or sampler.call is None or sampler.frame is None:
        return None
    replicas = program.ask(Options).given(sampler.call, sampler.frame, _REPLICAS, sampler.name)
    return None if replicas.constants() == [1] else sampler


def _shuffles(program: Program, sampler: LibraryObject | Instance) -> bool:
    assert sampler.call is not None
    assert sampler.frame is not None
    name = sampler.name if isinstance(sampler, LibraryObject) else None
    given = program.ask(Options).given(sampler.call, sampler.frame, _SHUFFLE, name)
    found = program.ask(Options).settled(given)
    return found.sure and all(each is True for each in found.constants)
