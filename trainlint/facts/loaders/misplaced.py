"""Samplers that are told the epoch too late for it, or a number that never changes.

A loader asks its sampler for an order when an iterator of it is made. What ``set_epoch`` says after that holds for the next
epoch: the first two have the order of 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.epochs import KIND, once
from trainlint.facts.loaders.made import Loaders
from trainlint.facts.loaders.workers import fewest
from trainlint.facts.loops import EpochLoop, Loops
from trainlint.facts.naming import same
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Instance, Library, Made
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Attr, Const, Term
from trainlint.ir.order import loops_around
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Loop
from trainlint.ir.walk import walk

_ITER = "builtins.iter"
_RANGE = "builtins.range"
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


def misplaced(program: Program) -> Iterator[Misplaced]:
    """Each such call, once, where no other call in the same loop over epochs tells the sampler in time."""
    asked = program.ask(Loops)
    names = program.knowledge.reshuffles
    seen: set[tuple[str, Spot]] = set()
    for batches in asked.batch_loops(KIND):
        epoch = asked.epoch_loop(batches)
        if epoch is None or epoch.loop.kind != "for" or once(program, epoch):
            continue
        told = [
            node
            for node in walk(epoch.loop.body)
            if isinstance(node, CallStep) and isinstance(node.term.callee, Attr) and node.term.callee.name in names
        ]
        methods = ((node, node.term.callee) for node in told)
        mine = [node for node, callee in methods if isinstance(callee, Attr) and _of_sampler(program, asked, epoch, callee.base)]
        if len(mine) != 1 or len(told) != 1 or _elsewhere(asked, epoch, mine[0]):
            continue
        key = (epoch.frame.module, mine[0].term.site)
        found = _judged(program, epoch, mine[0]) if key not in seen else None
        if found is not None:
            seen.add(key)
            yield found


def _of_sampler(program: Program, asked: Loops, epoch: EpochLoop, receiver: Term) -> bool:
    """Whether a receiver is the sampler that feeds the loader, also as ``loader.sampler``."""
    samplers = list(asked.feeds(epoch.batches.loader, KIND))
    for value in program.values(receiver, epoch.frame):
        if isinstance(value, (Made, Instance)) and any(same(value, sampler) for sampler in samplers):
            return True
    owner = receiver.base if isinstance(receiver, Attr) else None
    if owner is not None and isinstance(owner, Attr) and owner.name == "batch_sampler":
        owner = owner.base
    values = program.values(owner, epoch.frame) if isinstance(owner, Term) else ()
    return any(isinstance(value, (Made, Instance)) and same(value, epoch.batches.loader) for value in values)


def _elsewhere(asked: Loops, epoch: EpochLoop, call: CallStep) -> bool:
    """Whether something else that runs in the loops may tell the sampler: a callee, the loops around, the batches' function."""
    names = asked.program.knowledge.reshuffles
    frame = epoch.frame
    for node in walk(epoch.loop.body):
        if isinstance(node, CallStep) and node is not call:
            own = asked.program.frame(frame.module, frame.function)
            if asked.call_says(node.term, own, names, 1):
                return True
    return any(asked.says(frame.module, frame.function, outer.body, names) and outer is not epoch.loop for outer in epoch.outer)


def _judged(program: Program, epoch: EpochLoop, call: CallStep) -> Misplaced | None:
    function, loop = epoch.frame.function, epoch.loop
    around = loops_around(function, call)
    given = (*call.term.args, *(value for _, value in call.term.kwargs))
    if len(given) != 1:
        return None
    place = _place(epoch)
    if place is None:
        return None
    assert isinstance(call.term.callee, Attr)
    text = name_in(call.term.callee.base, function)
    count = loop.names[0] if len(loop.names) == 1 and loop.names[0].isidentifier() and loop.names[0] != "_" else None
    where = (epoch.batches.frame.module, epoch.batches.spot)
    if isinstance(given[0], Const) and type(given[0].value) is int:
        return Misplaced(epoch.frame.module, call, _CONSTANT, where, loop.spot, None, text, count)
    if given[0] is not loop.target or not _from_zero(program, loop.subject, epoch.frame):
        return None
    tested = next((led for node, led in walk_tested(loop.body) if node is call), ())
    free = text if not tested else None
    if around[-1].spot == place and around[-1] is not loop:
        if tested:
            return None  # in some rounds only: perhaps in the last
        return Misplaced(epoch.frame.module, call, _INSIDE, where, loop.spot, place, free, count)
    if around[-1] is not loop:
        return None
    spot = call.term.site
    through = any(isinstance(node, Loop) and node.spot == place for node in loop.body) or epoch.batches.frame is not epoch.frame
    if through and (spot.line, spot.column) > (place.end_line, place.end_column):
        return Misplaced(epoch.frame.module, call, _LATE, where, loop.spot, place, free, count)
    begun = _begun(program, epoch, spot)
    return None if begun is None else Misplaced(epoch.frame.module, call, _BEGUN, where, loop.spot, begun, free, count)


def _place(epoch: EpochLoop) -> Spot | None:
    """Where in the body of the epoch loop the batches are iterated: the loop over them, or the call that leads to it."""
    frame: Frame | None = epoch.batches.frame
    if frame is epoch.frame:
        inner = epoch.batches.around
        at = inner.index(epoch.loop) if epoch.loop in inner else -1
        return inner[at + 1].spot if at + 1 < len(inner) else epoch.batches.spot
    while frame is not None and frame.caller is not epoch.frame:
        frame = frame.caller
    return frame.call.site if frame is not None and frame.call is not None else None


def _begun(program: Program, epoch: EpochLoop, told: Spot) -> Spot | None:
    """The call in the body of the epoch loop, before the sampler is told, that makes an iterator of a loader with workers."""
    loader = program.ask(Loaders).of(epoch.batches.loader)
    workers = fewest(loader) if loader is not None else None
    if workers is None or workers < 1:
        return None
    for node in walk(epoch.loop.body):
        if (
            not isinstance(node, CallStep)
            or (node.term.site.line, node.term.site.column) > (told.line, told.column)
            or not node.term.args
        ):
            continue
        callees = program.values(node.term.callee, epoch.frame)
        if any(isinstance(callee, Library) and callee.name == _ITER for callee in callees):
            values = program.values(node.term.args[0], epoch.frame)
            if any(isinstance(value, (Made, Instance)) and same(value, epoch.batches.loader) for value in values):
                return node.statement
    return None


def _from_zero(program: Program, subject: Term, frame: Frame) -> bool:
    """Whether a loop counts from 0, in a run that begins anew."""
    for value in program.values(subject, frame):
        if not isinstance(value, Made) or value.call is None:
            return False
        given = value.call.args
        if value.name != _RANGE or (len(given) > 1 and isinstance(given[0], Const) and given[0].value != 0):
            return False
    return True
