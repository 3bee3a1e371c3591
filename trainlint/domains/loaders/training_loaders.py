"""Training loaders: which loaders are trained on, in which loops, how their workers are seeded, which option is missing.

How findings about a loader, and the option that mends them, are written down.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from trainlint.domains.batch_sizes import Batches
from trainlint.domains.device import Device
from trainlint.domains.files import argument
from trainlint.domains.loaders.dataloaders import BY_INDEX, ITERABLE, Loader, Loaders, fewest
from trainlint.domains.loaders.workers import Inside, Run, changes, puts
from trainlint.domains.reproducibility import Randomness
from trainlint.domains.sampler_epochs import KIND, once
from trainlint.domains.xla.dynamic_shapes import ragged_loaders
from trainlint.edits.changes import SetKeyword
from trainlint.finding import Applicability, Reason, Spot, Suspect
from trainlint.ir.nodes import Attr, Call, Const, Dict, Element, LoopPhi, Nested, Param, SequenceDisplay, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import CallStep, Exit, Store
from trainlint.ir.terms import container_of, dotted_name, is_call_of, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.library_uses import overriding
from trainlint.program.loops import BatchLoop, EpochLoop, Loops, Pass, stream_of, trains
from trainlint.program.origins import origins, reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import calls_in
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, ClassValue, Context, Library, LibraryObject, Unresolved, Value

_PAIR = 2
_NEXT = "builtins.next"
#: In table ``trained_on``: a method returns the loader.
_RETURNED = "returned"
_PINS, _PERSISTS, _WORKERS, _NON_BLOCKING = "pin_memory", "persistent_workers", "num_workers", "non_blocking"
_INIT = "worker_init_fn"
#: What ``get_worker_info()`` says that is the same in every epoch.
_LASTING = ("id", "num_workers", "dataset")


class Fed(NamedTuple):
    """A loop that trains on the batches of a loader, in one activation."""

    loader: Loader
    found: Pass
    frame: Context

    @property
    def said(self) -> str:
        """What happens there."""
        return "its batches are trained on here"

    @property
    def place(self) -> tuple[str, Spot]:
        """Where the loop is."""
        return self.frame.module, self.found.spot


class HandedOver(NamedTuple):
    """A loader that a framework trains on epoch by epoch, and where it gets it: a ``return``, or a call."""

    loader: Loader
    place: tuple[str, Spot]

    @property
    def said(self) -> str:
        """What happens there."""
        return "the framework trains on its batches"


def handed_over(program: Program) -> Iterator[HandedOver]:
    """The loaders that methods return to a framework, or that it is called with (table ``trained_on``)."""
    table = program.knowledge.trained_on
    for cls, function, name in overriding(program, table):
        if table[name] == _RETURNED:
            for frame in calling_contexts(program, cls.module, function):
                for node in of_kind(function, Exit):
                    if node.kind == "return" and node.value is not None:
                        yield from _handed_over(program, node.value, frame, node.spot)
    for name, parameters in table.items():
        for site in program.ask(CallGraph).sites.get(name.rpartition(".")[2], ()) if parameters != _RETURNED else ():
            for frame in contexts_at(program, site):
                values = program.values(site.call.term.callee, frame)
                if any(isinstance(value, Library) and value.name == name for value in values):
                    position, *keywords = parameters.split()
                    passed = (argument(site.call.term, position, keyword) for keyword in keywords)
                    given = next((each for each in passed if each is not None), None)
                    if given is not None:
                        yield from _handed_over(program, given, frame, site.call.term.site)


def _handed_over(program: Program, term: Term, frame: Context, spot: Spot) -> Iterator[HandedOver]:
    if tests_software(program, frame.module, frame.function):
        return
    for made in program.ask(Loops).iterated(term, frame):
        loader = program.ask(Loaders).of(made)
        if loader is not None and loader.statement is not None:
            yield HandedOver(loader, (frame.module, spot))


def fed(program: Program) -> tuple[Fed, ...]:
    """Every such loop with each of its loaders."""
    return tuple(_fed(program))


def _fed(program: Program) -> Iterator[Fed]:
    asked = program.ask(Loops)
    for found in asked.training_passes():
        if tests_software(program, found.module, found.function):
            continue
        for frame in calling_contexts(program, found.module, found.function):
            made = list(asked.iterated(found.subject, frame))
            if made and trains(program, found.body, frame):
                for each in made:
                    loader = program.ask(Loaders).of(each)
                    if loader is not None and loader.statement is not None:
                        yield Fed(loader, found, frame)


def epoch_of(program: Program, each: Fed) -> EpochLoop | None:
    """The loop that runs it again and again."""
    made = each.loader.made
    epoch = program.ask(Loops).epoch_loop(BatchLoop(each.frame, each.found.subject, each.found.spot, each.found.around, made))
    return None if epoch is None or once(program, epoch) else epoch


def respawned(program: Program) -> Iterator[Fed]:
    """Loaders with workers that are made anew for each epoch, of datasets that nothing changes between epochs."""
    for each in _once_each(program):
        epoch = epoch_of(program, each)
        if epoch is None or not _is_off(each.loader, _PERSISTS) or not _has_workers(each.loader):
            continue
        if not changes(program, epoch, each.loader):
            yield each


def _has_workers(loader: Loader) -> bool:
    """Whether it has workers: in every run, or in all those that say how many."""
    workers = fewest(loader)
    given = loader.given(_WORKERS)
    numbers = [value.term.value for value in given.sometimes if isinstance(value, Unresolved) and isinstance(value.term, Const)]
    sometimes = bool(numbers) and len(numbers) == len(given.sometimes) and all(type(one) is int and one > 0 for one in numbers)
    return sometimes or (workers is not None and workers > 0)


def _is_off(loader: Loader, name: str) -> bool:
    """Whether an option is surely not given, or is False."""
    given = loader.given(name)
    found = loader.settled(name)
    return not given.sometimes and (given.absent or (found.sure and not any(found.constants)))


def _once_each(program: Program) -> Iterator[Fed]:
    """The loops that train, one for each loader's call."""
    seen: set[tuple[str, Spot]] = set()
    for each in program.ask(fed):
        key = (each.loader.module, each.loader.spot)
        if key not in seen:
            seen.add(key)
            yield each


# -- transfers ---------------------------------------------------------------------------------------------------------


class Transfer(NamedTuple):
    """A call that moves a part of a batch to the device, the activation that runs it, and the loop over the loader."""

    call: CallStep
    frame: Context
    fed: Fed


def transfers(program: Program) -> Iterator[Transfer]:
    """The calls in rounds of loops that train which move tensors of the batch to the device."""
    for each in program.ask(fed):
        if _collates_objects(program, each.loader):
            continue
        for node, frame in calls_in(program, each.found.body, each.frame, _may_be_handed_on):
            if not isinstance(node.term.callee, Attr):
                continue
            if _moves(program, node.term, frame) and _of_batch(program, node.term.callee.base, frame, each):
                yield Transfer(node, frame, each)


def _collates_objects(program: Program, loader: Loader) -> bool:
    """Whether batches are put together as objects of the project that have a method to move them.

    What that method takes is not what a tensor's does, and pinning knows such an object only by its own ``pin_memory``
    (torch 2.9, ``torch/utils/data/_utils/pin_memory.py``).
    """
    methods = program.knowledge.tables["loaders"]["puts"]
    return any(
        isinstance(value, ClassValue) and any(program.method(value, name) is not None for name in methods)
        for run in program.ask(Inside).collating(loader)
        for call in calls_of(run.function)
        for value in program.values(call.term.callee, run.frame)
    )


def _may_be_handed_on(call: Call) -> bool:
    """Whether a call may be handed a part of a batch: what a loop or ``next`` hands out, or a parameter."""
    given = (call.callee, *call.args, *(value for _, value in call.kwargs))
    return any(isinstance(part, (Element, Nested, Param)) or is_call_of(part, _NEXT) for part in parts_of(*given))


def _moves(program: Program, call: Call, frame: Context) -> bool:
    words = program.knowledge.tables["loaders"]
    if not isinstance(call.callee, Attr) or call.callee.name not in words["puts"]:
        return False
    if puts(program, call, frame):
        return True
    given = [*call.args[:1], *(value for name, value in call.kwargs if name == "device")]
    chosen = [each for each in given if program.ask(Device).is_chosen(each) and not _is_written(program, each, frame)]
    return bool(chosen) and program.ask(Device).used(frame.module)


def _is_written(program: Program, term: Term, frame: Context) -> bool:
    """Whether all that a device may be is written down: then it is known whether one of them is the GPU."""
    return all(isinstance(value, Unresolved) and isinstance(value.term, Const) for value in program.values(term, frame))


def _of_batch(program: Program, term: Term, frame: Context, each: Fed) -> bool:
    """Whether a term is a part of what the loop hands out, as it came."""
    term = _itself(program, term)
    found = reaching_definition(program, container_of(term), frame) if frame is not each.frame else Argument(term, frame)
    part, subject = container_of(_itself(program, found.term)), each.found.subject
    if found.frame.function is not each.frame.function:
        return False
    if isinstance(part, Element):
        return any(inner is subject for inner in (part.of, *parts_of(part.of)))
    stream = stream_of(part) if isinstance(part, Call) else None
    return stream is not None and stream.args[0] is subject


def _itself(program: Program, term: Term) -> Term:
    """What a term is, without what gives it back as it is: ``Variable(images)``."""
    names = program.knowledge.tables["loaders"]["itself"]
    while isinstance(term, Call) and term.args and program.knowledge.canonical(dotted_name(term.callee) or "") in names:
        term = term.args[0]
    return term


def blocking(program: Program) -> Iterator[Transfer]:
    """Transfers from pinned memory that the host waits for."""
    seen: set[tuple[str, Spot]] = set()
    for found in transfers(program):
        pinned = found.fed.loader.settled(_PINS)
        key = (found.frame.module, found.call.term.site)
        waits = (
            all(name not in (_NON_BLOCKING, None, "copy") for name, _ in found.call.term.kwargs)
            and len(found.call.term.args) < _PAIR
        )
        alone = found.frame.function is found.fed.frame.function or not _is_told_where(found)
        if key not in seen and alone and waits and pinned.sure and pinned.constants == (True,):
            seen.add(key)
            yield found


def _is_told_where(found: Transfer) -> bool:
    """Whether a helper is told by its callers where to put things: others may have it copy to the host, and read that at once."""
    function = found.frame.function
    given = (*found.call.term.args, *(value for _, value in found.call.term.kwargs))
    return any(isinstance(part, Param) and part.function == function.qualname for part in parts_of(*given))


def unpinned(program: Program) -> Iterator[Transfer]:
    """Loaders with workers whose batches are moved to the device from memory that is not pinned."""
    seen: set[tuple[str, Spot]] = set()
    for found in transfers(program):
        loader = found.fed.loader
        key = (loader.module, loader.spot)
        if (
            key not in seen
            and loader.workers() is not False
            and _is_off(loader, _PINS)
            and not program.ask(Device).elsewhere(found.frame.module, found.frame.function)
        ):
            seen.add(key)
            yield found


# -- order and size ----------------------------------------------------------------------------------------------------


def ragged(program: Program) -> Iterator[Fed]:
    """Loaders that a distributed sampler feeds and that keep a shorter last batch; not on XLA, where that is worse."""
    compiled = {(found.frame.module, found.call.site) for found in ragged_loaders(program)}
    for each in _once_each(program):
        sampled = any(True for _ in program.ask(Loops).feeds(each.loader.made, KIND))
        if sampled and (each.loader.module, each.loader.spot) not in compiled and program.ask(Batches).ragged(each.loader.made):
            yield each


def unshuffled(program: Program) -> Iterator[Fed | HandedOver]:
    """Loaders of data that is read by index which several epochs train on in one order."""
    own = (each for each in _once_each(program) if each.loader.kind() == BY_INDEX and epoch_of(program, each) is not None)
    trained: Iterator[Fed | HandedOver] = chain(own, handed_over(program))
    seen: set[tuple[str, Spot]] = set()
    for each in trained:
        loader = each.loader
        key = (loader.module, loader.spot)
        samplers = (loader.given(name) for name in ("sampler", "batch_sampler"))
        if (
            key not in seen
            and loader.kind() != ITERABLE
            and all(given.absent for given in samplers)
            and _is_off(loader, "shuffle")
        ):
            seen.add(key)
            yield each


# -- seeds of workers --------------------------------------------------------------------------------------------------


class Reseeded(NamedTuple):
    """A training loader whose workers are seeded alike in every epoch, and the call that does it when a worker begins.

    ``drawn`` is where they draw from what is seeded, if that is in sight; ``alike``: all workers of an epoch draw the same.
    ``lasting``: the workers live on, so that no epoch begins with the seed again.
    """

    loader: Loader
    module: str
    call: CallStep
    drawn: tuple[str, Spot] | None
    alike: bool
    lasting: bool


def reseeded(program: Program) -> Iterator[Reseeded]:
    """Such calls, one of a function, where the samples are drawn from that generator, or nobody sees what they are drawn from."""
    seen: set[int] = set()
    for loader in program.ask(Loaders).all():
        if loader.given(_INIT).absent or loader.workers() is False or not _is_trained_on(program, loader):
            continue
        for run in program.ask(Inside).beginning(loader):
            found = list(_reseeded(program, loader, run))
            if found and id(run.function) not in seen:
                seen.add(id(run.function))
                yield next((each for each in found if each.drawn is not None), found[0])


def _reseeded(program: Program, loader: Loader, run: Run) -> Iterator[Reseeded]:
    persists = loader.settled(_PERSISTS)
    lasting = persists.sure and any(persists.constants)
    for call in calls_of(run.function):
        seed, families = _seeding(program, call.term, run.frame)
        if seed is None or not _is_alike_each_time(program, seed, run.frame):
            continue
        alike = not any(isinstance(part, Param) and part.function == run.function.qualname for part in parts_of(seed))
        drawn = _drawn_in_workers(program, loader, families)
        if (drawn is not None or not any(True for _ in _seen_in_workers(program, loader))) and (alike or not lasting):
            yield Reseeded(loader, run.frame.module, call, drawn, alike, lasting)


def _is_trained_on(program: Program, loader: Loader) -> bool:
    """Whether a loader shuffles its data, or is seen to be trained on; the same numbers are wanted in an evaluation."""
    shuffled = loader.settled("shuffle")
    fed_here = ((each.loader.module, each.loader.spot) for each in program.ask(fed))
    return (shuffled.sure and True in shuffled.constants) or (loader.module, loader.spot) in fed_here


def _seeding(program: Program, call: Call, frame: Context) -> tuple[Term | None, frozenset[str]]:
    """What a call seeds generators of its process with, and which."""
    given = argument(call, "0", "seed")
    for value in program.values(call.callee, frame) if given is not None else ():
        families = program.knowledge.seeds.get(value.name) if isinstance(value, Library) else None
        if families:
            return given, frozenset(families)
    return None, frozenset()


def _is_alike_each_time(program: Program, seed: Term, frame: Context) -> bool:
    """Whether a seed is computed of nothing but constants, options and the number of the worker."""
    for each in origins(program, seed, frame):
        parts = list(parts_of(each.term))
        lasting = {part.base for part in parts if isinstance(part, Attr) and part.name in _LASTING}  # of a worker
        for part in parts:
            if isinstance(part, (Element, LoopPhi)):
                return False
            if isinstance(part, Call) and part not in lasting and not _only_converts(program, part, each.frame):
                return False
            if isinstance(part, Attr) and part.name in program.ask(_set_again):
                return False
    return True


def _set_again(program: Program) -> frozenset[str]:
    """The attributes that get another value in a loop, or in a method that is no constructor."""
    return frozenset(
        node.target.name
        for _, function in program.functions()
        for node in of_kind(function, Store)
        if isinstance(node.target, Attr)
        and ((function.cls is not None and function.name != "__init__") or loops_around(function, node))
    )


def _only_converts(program: Program, call: Call, frame: Context) -> bool:
    names = program.knowledge.tables["loaders"]["converts"]
    values = program.values(call.callee, frame)
    return bool(values) and all(isinstance(value, Library) and value.name in names for value in values)


def _seen_in_workers(program: Program, loader: Loader) -> Iterator[Run]:
    """What is seen to run when a worker reads samples."""
    asked = program.ask(Inside)
    yield from (run for data in asked.datasets(loader) for run in asked.reading(data))


def _drawn_in_workers(program: Program, loader: Loader, families: frozenset[str]) -> tuple[str, Spot] | None:
    """Where workers draw from one of some generators of their process."""
    for run in (*_seen_in_workers(program, loader), *program.ask(Inside).collating(loader)):
        for family, site in program.ask(Randomness).draws(run.frame.module, run.function, in_worker=True):
            if family in families:
                return site.module, site.call.term.site
    return None


def _only_looks_up(program: Program, data: Value) -> bool:
    """Whether a dataset of the project makes a sample without calling anything."""
    runs = program.ask(Inside).reading(data)
    return bool(runs) and not any(calls_of(run.function) for run in runs)


def idle_host(program: Program) -> Iterator[Loader]:
    """Loaders without workers over data that is not in memory as tensors, once for each call."""
    seen: set[tuple[str, Spot]] = set()
    kinds = program.knowledge.kinds
    for loader in program.ask(Loaders).all():
        key = (loader.module, loader.spot)
        if key in seen or loader.workers() is not False or loader.statement is None:
            continue
        if tests_software(program, loader.module, loader.constructed.frame.function):
            continue
        data = loader.data()
        tiny = [value for value in data if isinstance(value, LibraryObject) and kinds.get(value.name) in ("tensors", "made-up")]
        written = [
            value for value in data if isinstance(value, Unresolved) and isinstance(value.term, (SequenceDisplay, Dict, Const))
        ]
        plain = [value for value in program.ask(Inside).datasets(loader) if _only_looks_up(program, value)]
        if not tiny and not written and not plain:
            seen.add(key)
            yield loader


_CALL, _PLAIN = "call", "plain"


def suspect(loader: Loader, message: str, *because: Reason, **data: object) -> Suspect:
    """A loader, at the call that makes it, and what else its repair asks for."""
    assert loader.statement is not None
    return Suspect(
        path=loader.module,
        spot=loader.spot,
        node="Call",
        statement=loader.statement,
        message=message,
        because=because,
        data={_CALL: loader.spot, _PLAIN: loader.plain(), **data},
    )


def siblings(program: Program, loader: Loader, name: str) -> tuple[Spot, ...]:
    """The calls of the same function that make other loaders with this option off, and pass nothing that is not written there."""
    function = loader.constructed.frame.function
    others = (each for each in program.ask(Loaders).all() if each.constructed.frame.function is function)
    return tuple(dict.fromkeys(each.spot for each in others if each.spot != loader.spot and each.plain() and _is_off(each, name)))


def option(
    found: Suspect,
    applicability: Applicability,
    message: str,
    keyword: str,
    value: str,
    position: int | None = None,
    *,
    call: Spot | None = None,
) -> SetKeyword | None:
    """The option set in the call of such a suspect; None where the call passes what is not written there (``**kwargs``)."""
    if not found.data[_PLAIN]:
        return None
    call = call or found.data[_CALL]
    return SetKeyword(applicability, message, call=call, keyword=keyword, value=value, position=position, over_literals=True)
