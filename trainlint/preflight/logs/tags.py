"""What is logged under a name that stands elsewhere: tags in dicts, norms of gradients that a function takes of each layer."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import FunctionValue
from trainlint.finding import Spot
from trainlint.ir.bindings import held_at_end, held_in_rounds
from trainlint.ir.nodes import Attr, Call, Const, Dict, LoopPhi, Self, Subscript, Term
from trainlint.ir.sketch import Exit, Function, Keep, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.running.nearness import judges
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Place

#: Words of tags that are not of the training.
_OTHERS = frozenset(("eval", "evaluation", "val", "valid", "validation", "test"))

#: What keeps one value from step to step; what only fills one.
_METERS = frozenset(("meter", "metric", "average", "averagemeter", "mean"))
_FILLS = frozenset(("update", "AverageMeter", "put"))
#: Words of gradients, and of a norm of something.
_GRADIENTS = frozenset(("grad", "grads", "gradient", "gradients", "clip"))
_NORMS = frozenset(("norm", "norms", "norm2", "l2", "l2norm", "l2_norm", "vector_norm", "clip"))


def tags(job: Job, wanted: frozenset[str]) -> list[Place]:
    """Where what runs puts a thing into a dict under a tag, ``"train/loss"``, while something logs whatever has a name.

    A key with a slash in it is the name of a curve; whoever writes curves by names that do not stand there writes these.
    """
    if not _writes_any(job):
        return []
    found = [each for each in job.trail.keeps(wanted) if isinstance(each.term, Subscript) and _is_tag(each.term.key, wanted)]
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            way = job.trail.run.get(id(function))
            found += [
                Place(path, function, term, Spot(term.line, term.column, term.line, term.column), way)
                for term in (_dicts(function) if way is not None and function.name != "<module>" else ())
                if any(_is_tag(key, wanted) for key, _ in term.items)
            ]
    return job.trail.ranked(each for each in found if not judges(each.module, each.function, job.path))


def is_told(job: Job, key: Term) -> bool:
    """Whether a key of a dict is such a tag, and something writes these."""
    return (
        isinstance(key, Const) and isinstance(key.value, str) and _is_tag(key, frozenset(split(key.value))) and _writes_any(job)
    )


def is_of_others(place: Place, wanted: frozenset[str]) -> bool:
    """Whether a call is handed tags in a dict, and none of them is of the training: ``log({"eval/loss": mean})``."""
    given = handed(place.term) if isinstance(place.term, Call) else ()
    keys = [key for part in parts_of(*given) if isinstance(part, Dict) for key, _ in part.items]
    found = [key for key in keys if isinstance(key, Const) and isinstance(key.value, str) and "/" in key.value]
    return bool(found) and not any(_is_tag(key, wanted) for key in found)


def _writes_any(job: Job) -> bool:
    """Whether something that runs logs under names that do not stand there."""
    return any(
        isinstance(each.term, Call) and each.term.args and not isinstance(each.term.args[0], Const)
        for each in runs(job.trail.calls(table(job, "log-anything")))
    )


def _dicts(function: Function) -> Iterator[Dict]:
    """The dicts that a function gives names, puts more into, or returns, and those in them."""
    roots = [*held_at_end(function).values(), *(node.value for node in of_kind(function, Exit) if node.value is not None)]
    roots += [node.target for node in of_kind(function, Keep)]
    roots += [call.term.callee for call in calls_of(function) if last_name(call.term.callee) == "update"]
    yield from dict.fromkeys(part for part in parts_of(*roots) if isinstance(part, Dict))


def _is_tag(key: Term, wanted: frozenset[str]) -> bool:
    if not isinstance(key, Const) or not isinstance(key.value, str) or "/" not in key.value.strip("/"):
        return False
    words = frozenset(split(key.value))
    return not words.isdisjoint(wanted) and words.isdisjoint(_OTHERS)


def kept_meters(job: Job, names: frozenset[str], wanted: frozenset[str]) -> list[Place]:
    """The dicts with a meter for a thing, ``{"grad_norm": Meter("gn")}``, which what runs fills: ``tracker.grad_norm = norm``.

    Whatever the meter is called itself, it stands under that name in what a tracker keeps, whose maker logs what it has made.
    """
    filled = {
        node.target.name
        for path in sorted(job.files)
        for function in job.program.modules[path].functions.values()
        if id(function) in job.trail.run
        for node in of_kind(function, Store)
        if isinstance(node.target, Attr)
        and not isinstance(node.target.base, Self)
        and not wanted.isdisjoint(split(node.target.name))
    }
    telling = {
        id(each.function)
        for each in (job.trail.places if filled else ())
        if each.way is not None and each.way.option is None and isinstance(each.term, Call)
        if last_name(each.term.callee) in names and last_name(each.term.callee) not in _FILLS
        if any(not isinstance(given, Const) for given in handed(each.term))
    }
    return [
        Place(path, function, each, Spot(each.line, each.column, each.line, each.column), job.trail.run.get(id(function)))
        for path in (sorted(job.files) if filled else ())
        for function in job.program.modules[path].functions.values()
        if id(function) in telling
        for each in _handed_dicts(function)
        if any(_is_meter(key, value, filled) for key, value in each.items)
    ]


def _handed_dicts(function: Function) -> Iterator[Dict]:
    """The dicts that a function hands to what it makes."""
    found = (each for call in calls_of(function) for each in handed(call.term) if isinstance(each, Dict))
    yield from dict.fromkeys(found)


def _is_meter(key: Term, value: Term | None, filled: set[str]) -> bool:
    """Whether an item of a dict is a meter under one of some names."""
    if not isinstance(key, Const) or key.value not in filled or value is None or not isinstance(value, Call):
        return False
    return not _METERS.isdisjoint(split(last_name(value.callee) or ""))


def norms_of_layers(job: Job, names: frozenset[str]) -> list[Place]:
    """The calls that run and log what a function of the project made of the norms of gradients, whatever it is called.

    It may come by the hands of others, under the same name: ``stats = norms(net)`` in a step, ``print(stats)`` behind it.
    """
    makers = {id(function) for path in job.files for function in job.program.modules[path].functions.values() if _norms(function)}
    if not makers:
        return []
    made: dict[str, set[str]] = {}
    for path in job.files:
        module = job.program.modules[path]
        for function in module.functions.values():
            names_in = module.names if function.name == "<module>" else held_at_end(function)
            for name, value in names_in.items() if id(function) in job.trail.run else ():
                if _is_made(job, path, function, value, makers):
                    made.setdefault(path, set()).add(name)
    found = []
    for place in job.trail.places:
        if (
            place.way is None
            or not isinstance(place.term, Call)
            or last_name(place.term.callee) not in names
            or place.module not in made
        ):
            continue
        parts = frozenset(parts_of(*handed(place.term)))
        if not made[place.module].isdisjoint(_bound(job, place.module, parts)):
            found.append(place)
    return job.trail.ranked(found)


def computes_norms(job: Job) -> bool:
    """Whether anything in the files of a job may compute a norm of gradients: by what it is called, or of what it is one."""
    wanted = frozenset(table(job, "gradient-norm-words"))
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            for call in calls_of(function):
                words = frozenset(words_of(job.program, call.term.callee, *handed(call.term)))
                if not wanted.isdisjoint(words) or (not _GRADIENTS.isdisjoint(words) and not _NORMS.isdisjoint(words)):
                    return True
    return False


def _norms(function: Function) -> bool:
    """Whether a function takes norms of gradients: ``torch.norm(weight.grad)``, ``weight.grad.norm()``; not one that clips."""
    return any(
        last_name(call.term.callee) in ("norm", "vector_norm")
        and any(isinstance(part, Attr) and part.name == "grad" for part in parts_of(call.term))
        for call in calls_of(function)
    ) and "clip" not in split(function.name)


def _is_made(job: Job, path: str, function: Function, value: Term, makers: set[int]) -> bool:
    """Whether a value is what one of some functions (by id) returns."""
    if not isinstance(value, Call):
        return False
    found = job.program.ask(CallGraph).targets(value, job.program.frame(path, function))
    return any(isinstance(each, FunctionValue) and id(each.function) in makers for each in found)


def _bound(job: Job, path: str, parts: frozenset[Term]) -> Iterator[str]:
    """The names that functions of a file have for some terms, and those that loops bind among them."""
    yield from (part.name for part in parts if isinstance(part, LoopPhi))
    module = job.program.modules[path]
    functions = module.functions.values()
    for names in (module.names, *(each for function in functions for each in (held_at_end(function), held_in_rounds(function)))):
        yield from (name for name, value in names.items() if value in parts)
