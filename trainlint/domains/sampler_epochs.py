"""Samplers and epochs: which epoch loops repeat one order because nothing calls ``set_epoch``.

A loader from out of sight counts where the program itself expects it to shuffle by epoch: a test of its sampler says
so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import And, Attr, Call, Const, Not, Self, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, If, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import effects, statements_of, walk
from trainlint.program.call_graph import CallSite, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.loops import BatchLoop, EpochLoop, Loops, is_range, loops_leading_to, loops_of
from trainlint.program.naming import names_of, same
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import innermost, iterated
from trainlint.program.values import ClassValue, Instance, Library, LibraryObject, Unresolved


def asserted_samplers(program: Program, asked: Loops, kind: str) -> Iterator[tuple[BatchLoop, LibraryObject]]:
    """Training loops over unknown loaders whose sampler is expected to be of ``kind``, each with that sampler.

    The loader and the sampler of such a loop are stand-ins: their "call" is the test that speaks of them.
    """
    expected: dict[tuple[Term, int], LibraryObject] = {}
    for site in asked.index.sites_named("isinstance"):
        expected.update(_expected(program, site, kind))
    for path, function in program.functions() if expected else ():
        for loop, around in loops_of(function):
            if loop.kind == "for" and asked.says(path, function, loop.body, program.knowledge.training):
                for frame in calling_contexts(program, path, function):
                    for source in innermost(program, program.values(loop.subject, frame), partial(iterated, program)):
                        if not isinstance(source, Unresolved):
                            continue
                        sampler = expected.get((source.term, id(source.frame.function)))
                        if sampler is not None:
                            yield BatchLoop(frame, loop.subject, loop.spot, around, sampler), sampler


def _expected(program: Program, site: CallSite, kind: str) -> Iterator[tuple[tuple[Term, int], LibraryObject]]:
    """The loaders of which a call ``isinstance(loader.sampler, …)`` says that it must be so."""
    call = site.call.term
    loader = _sampled(call.args[0]) if call.args else None
    if loader is None or not _demands(site):
        return
    frame = program.frame(site.module, site.function)
    kinds = [v.name for v in program.values(call.args[-1], frame) if isinstance(v, Library)]
    if len(kinds) == 1 and program.knowledge.kinds.get(kinds[0]) == kind:
        for value in program.values(loader, frame):
            if isinstance(value, Unresolved):
                yield (value.term, id(value.frame.function)), LibraryObject(kinds[0], call, frame)


def _sampled(term: Term) -> Term | None:
    """The loader of which this is the sampler: directly, or the one in its batch sampler."""
    if not isinstance(term, Attr) or term.name != "sampler":
        return None
    holder: Term = term.base
    return holder.base if isinstance(holder, Attr) and holder.name == "batch_sampler" else holder


def _demands(site: CallSite) -> bool:
    """Whether the program objects when the test fails: ``if … and not isinstance(…):`` or ``assert isinstance(…)``."""
    call = site.call.term
    for node in statements_of(site.function):
        if isinstance(node, If):
            parts = node.condition.operands if isinstance(node.condition, And) else (node.condition,)
            if any(isinstance(part, Not) and part.operand is call for part in parts):
                return True
            if node.condition is call and not effects(node.body):
                return True
    return False


KIND = "distributed-sampler"


class Repeated(NamedTuple):
    """An epoch loop whose sampler is never told the epoch.

    ``seen`` is False when the sampler is only expected (see :mod:`trainlint.domains.sampler_epochs`); its call is then the test
    that expects it. ``sure`` is False when a setting of the user decides whether it shuffles.
    """

    loop: EpochLoop
    sampler: LibraryObject | Instance
    seen: bool = True
    sure: bool = True


def repeated(program: Program) -> Iterator[Repeated]:
    """Every epoch loop that iterates a shuffling distributed sampler without setting its epoch, once."""
    asked = program.ask(Loops)
    seen: set[tuple[str, object]] = set()
    for batches in asked.batch_loops(KIND):
        epoch = asked.epoch_loop(batches)
        if epoch is None or once(program, epoch):
            continue
        key = (epoch.frame.module, epoch.loop.spot)
        if key in seen:
            continue
        for sampler in asked.feeds(batches.loader, KIND):
            shuffling = shuffles(program, asked, sampler)
            if shuffling is not None and not told(program, asked, epoch, sampler):
                seen.add(key)
                yield Repeated(epoch, sampler, sure=shuffling)
                break
    for batches, expected in asserted_samplers(program, asked, KIND):
        epoch = asked.epoch_loop(batches)
        if epoch is not None and not once(program, epoch) and (epoch.frame.module, epoch.loop.spot) not in seen:
            seen.add((epoch.frame.module, epoch.loop.spot))
            if not told(program, asked, epoch, expected):
                yield Repeated(epoch, expected, seen=False)


def shuffles(program: Program, asked: Loops, sampler: LibraryObject | Instance) -> bool | None:
    """Whether a sampler surely shuffles: by default it does. False: if a setting says so. None: who knows, or never."""
    term = asked.argument(sampler, "shuffle", sampler_class(program, sampler))
    if term is None or sampler.frame is None:
        return True
    values = [v.term for v in program.values(term, sampler.frame) if isinstance(v, Unresolved)]
    if any(isinstance(value, Const) and value.value is True for value in values):
        return True
    return False if any(map(_is_setting, values)) else None


def _is_setting(term: Term) -> bool:
    """Whether a term is read from some configuration: an attribute or a written-down key of something from out of sight."""
    while isinstance(term, Not):
        term = term.operand
    if isinstance(term, Subscript):
        return isinstance(term.key, Const) and type(term.key.value) is str
    return isinstance(term, Attr) and bool(not isinstance(term.base, Self))


def sampler_class(program: Program, sampler: LibraryObject | Instance) -> str | None:
    """The library class of a sampler."""
    if isinstance(sampler, LibraryObject):
        return sampler.name
    for cls in program.lineage(ClassValue(sampler.module, sampler.cls)):
        if isinstance(cls, Library) and program.knowledge.kinds.get(cls.name) == KIND:
            own = program.method(ClassValue(sampler.module, sampler.cls), "__init__")
            return cls.name if own is None else None
    return None


def once(program: Program, epoch: EpochLoop) -> bool:
    """Whether the loop runs a single time (``for epoch in range(1)``)."""
    subject = epoch.loop.subject
    if epoch.loop.kind != "for" or not isinstance(subject, Call) or len(subject.args) != 1:
        return False
    values = program.values(subject.args[0], epoch.frame)
    once_only = all(isinstance(v, Unresolved) and isinstance(v.term, Const) and v.term.value == 1 for v in values)
    return once_only and is_range(program, subject, epoch.frame)


def told(program: Program, asked: Loops, epoch: EpochLoop, sampler: LibraryObject | Instance) -> bool:
    """Whether something that runs in each epoch may set the epoch."""
    names = program.knowledge.reshuffles
    vain, batches = _asked_in_vain(program, asked, epoch, names), epoch.batches
    if vain:
        others = (node.term for node in calls_of(epoch.frame.function) if node.term not in vain)
        said = any(asked.call_says(each, epoch.frame, names) for each in others)
    else:
        around = ((epoch.loop, epoch.frame), *loops_leading_to(epoch.loop, epoch.frame))
        said = any(asked.round_says(frame.module, frame.function, loop, names) for loop, frame in around)
        said = said or asked.function_says(batches.frame.module, batches.frame.function, names)
    told_there = said or _sets(program, epoch, sampler)
    return told_there or _tells_itself(program, asked, sampler) or _wrapper_tells(program, asked, batches.subject, epoch)


def _asked_in_vain(program: Program, asked: Loops, epoch: EpochLoop, names: frozenset[str]) -> set[Call]:
    """The calls that set the epoch where ``loader.sampler`` is of a kind that it is not: the sampler is in a batch sampler."""
    loader = epoch.batches.loader
    library = asked.library(loader, "loader")
    if asked.argument(loader, "batch_sampler", library) is None or asked.argument(loader, "sampler", library) is not None:
        return set()
    return {
        node.term
        for node, led in walk_tested(epoch.frame.function.body)
        if isinstance(node, CallStep)
        and last_name(node.term.callee) in names
        and any(holds and _is_of_sampler(program, test, epoch) for test, holds in conditions(led))
    }


def _is_of_sampler(program: Program, test: Term, epoch: EpochLoop) -> bool:
    """Whether a test asks of which class the sampler of the loader is that a loop goes over."""
    asks = isinstance(test, Call) and last_name(test.callee) == "isinstance" and bool(test.args)
    sampler = test.args[0] if isinstance(test, Call) and asks else None
    if not isinstance(sampler, Attr) or sampler.name != "sampler":
        return False
    return any(same(value, epoch.batches.loader) for value in program.values(sampler.base, epoch.frame))


def _sets(program: Program, epoch: EpochLoop, sampler: LibraryObject | Instance) -> bool:
    """``sampler.epoch = epoch`` does what ``set_epoch`` does; another seed gives another order too."""
    stored = [node.target for node in walk(epoch.loop.body) if isinstance(node, Store) and isinstance(node.target, Attr)]
    holders = [target.base for target in stored if target.name in program.knowledge.reshuffled_by]
    return any(same(value, sampler) for holder in holders for value in program.values(holder, epoch.frame))


def _tells_itself(program: Program, asked: Loops, sampler: LibraryObject | Instance) -> bool:
    """A sampler of the project that counts its own epochs, or does not ask for the epoch at all."""
    if not isinstance(sampler, Instance):
        return False
    cls = ClassValue(sampler.module, sampler.cls)
    for qualname in sampler.cls.methods.values():
        function = program.modules[sampler.module].functions[qualname]
        if function.name in ("__init__", "set_epoch"):
            continue
        if asked.function_says(sampler.module, function, program.knowledge.reshuffles) or _counts(function):
            return True
    own = program.method(cls, "__iter__")
    return own is not None and not _reads_epoch(own[1])


def _counts(function: Function) -> bool:
    return any(
        isinstance(n, Store) and isinstance(n.target, Attr) and isinstance(n.target.base, Self) and n.target.name == "epoch"
        for n in statements_of(function)
    )


def _reads_epoch(function: Function) -> bool:
    """Whether the function asks for ``self.epoch``, or leaves the order to its parent."""
    terms = (part for node in statements_of(function) for part in node if isinstance(part, Term))
    return any(
        (isinstance(part, Attr) and part.name == "epoch") or (isinstance(part, Call) and last_name(part.callee) == "super")
        for part in parts_of(*terms)
    )


def _wrapper_tells(program: Program, asked: Loops, subject: Term, epoch: EpochLoop) -> bool:
    """What the loop iterates is an object of the project that sets the epoch when its iteration starts."""
    values = program.values(subject, epoch.batches.frame)
    for value in innermost(program, values, partial(iterated, program)):
        if not isinstance(value, Instance):
            continue
        for name in ("__iter__", "__next__", "__len__"):
            method = program.method(ClassValue(value.module, value.cls), name)
            if method is not None and asked.function_says(method[0], method[1], program.knowledge.reshuffles):
                return True
    return False


def reset_code(program: Program, epoch: Repeated) -> str | None:
    """The statement that sets the epoch, in the names that the epoch loop can see; None when it has none."""
    loop, frame = epoch.loop.loop, epoch.loop.frame
    if not epoch.seen:
        return None
    if loop.kind != "for" or len(loop.names) < 1 or not loop.names[0].isidentifier() or loop.names[0] == "_":
        return None
    count = loop.names[0]
    for naming in names_of(program, frame, epoch.sampler):
        call = f"{naming.text}.set_epoch({count})"
        test = f"{naming.text} is not None" if naming.or_none else f'hasattr({naming.text}, "set_epoch")'
        return call if naming.always else f"if {test}:\n    {call}"
    loader = epoch.loop.batches.loader
    for naming in names_of(program, frame, loader):
        holder = "batch_sampler.sampler" if _in_batch_sampler(program, epoch) else "sampler"
        text = f"{naming.text}.{holder}"
        sure = naming.always and _always_sampled(program, epoch)
        call = f"{text}.set_epoch({count})"
        return call if sure else f'if hasattr({text}, "set_epoch"):\n    {call}'
    return None


def _sampler_of_loader(program: Program, epoch: Repeated) -> Term | None:
    """The ``sampler`` argument of the loader, if it was given one."""
    asked, loader = program.ask(Loops), epoch.loop.batches.loader
    return asked.argument(loader, "sampler", asked.library(loader, "loader"))


def _in_batch_sampler(program: Program, epoch: Repeated) -> bool:
    return _sampler_of_loader(program, epoch) is None


def _always_sampled(program: Program, epoch: Repeated) -> bool:
    loader = epoch.loop.batches.loader
    term = _sampler_of_loader(program, epoch)
    if term is None or loader.frame is None:
        return _in_batch_sampler(program, epoch)
    values = program.values(term, loader.frame)
    return all(isinstance(v, (LibraryObject, Instance)) and v.call is epoch.sampler.call for v in values)
