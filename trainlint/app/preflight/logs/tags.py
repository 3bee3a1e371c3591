"""What the names beside logged values mean: labels, tags, meters, norms.

What a word beside a value means: the label of an option that is printed once, or the tag of a value that is taken up.

What is logged under a name that stands elsewhere: tags in dicts, norms of gradients that a function takes of each
layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.app.preflight.evidence.answers import runs, table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.running.nearness import judges
from trainlint.app.preflight.values.constants import is_of_configuration
from trainlint.app.preflight.values.words import functions_of, handed, pieces_of, split, words_of
from trainlint.finding import Spot
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Dict,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Exit, Function, Keep
from trainlint.ir.terms import parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.program import calls_of

#: What speaks of numbers that were taken up.
_STATISTICS = frozenset(
    ("stats", "statistics", "metric", "metrics", "scalars", "history", "log", "logs", "summary", "meters", "averages", "losses")
)
#: What writes a text.
_WRITES = frozenset(("write", "writelines", "print"))


def labels_an_option(job: Job, place: Place) -> bool:
    """Whether a call tells once what an option is, ``print(f"Loss: {args.loss}")``: no number of the training is among it."""
    if place.way is None or place.way.looped or not isinstance(place.term, Call):
        return False
    filled = [value for each in handed(place.term) for value in _filled(each)]
    return bool(filled) and all(_is_option(job, place.module, each) for each in filled)


def _is_option(job: Job, path: str, term: Term) -> bool:
    if not isinstance(term, (Attr, Subscript)):
        return False
    name = str(term.name if isinstance(term, Attr) else term.key.parts[-1])
    return job.options.name(term, path) == name or is_of_configuration(term)


def _filled(given: Term) -> Iterable[Term]:
    """The values in what a call is handed that are no constants."""
    parts = parts_through(given, lambda each: pieces_of(each) or ())
    return (each for each in parts if pieces_of(each) is None and not isinstance(each, Const))


def under_tags(job: Job, wanted: frozenset[str]) -> list[Place]:
    """The calls in a loop that take a value up under a tag with one of some words: ``report("Loss/loss", loss)``."""
    names = frozenset(table(job, "takes-under-tags"))
    return [
        each
        for each in runs(job.trail.places)
        if isinstance(each.term, Call)
        and last_name(each.term.callee) in names
        and each.way is not None
        and each.way.looped
        and not judges(each.module, each.function, job.path)
        and _is_tagged(each.term, wanted)
    ]


def _is_tagged(call: Call, wanted: frozenset[str]) -> bool:
    if len(call.args) < 2:  # noqa: PLR2004
        return False
    tag, value = call.args[:2]
    return bool(
        isinstance(tag, Const)
        and isinstance(tag.value, str)
        and not wanted.isdisjoint(split(tag.value))
        and not isinstance(value, Const)
    )


def statistics_as_json(job: Job) -> list[Place]:
    """The calls in a loop that write statistics as JSON: ``file.write(json.dumps(stats))``."""
    found = []
    dumps = frozenset(table(job, "dumps-as-json"))
    for place in runs(job.trail.places):
        if (
            not isinstance(place.term, Call)
            or place.way is None
            or not place.way.looped
            or judges(place.module, place.function, job.path)
        ):
            continue
        keys = job.trail.keys(place)
        if dumps.isdisjoint(keys) and last_name(place.term.callee) not in _WRITES:
            continue
        dumped = [part for part in parts_of(*handed(place.term)) if isinstance(part, Call) and last_name(part.callee) == "dumps"]
        given = list(handed(place.term)) if not dumps.isdisjoint(keys) else [each for part in dumped for each in handed(part)]
        words = frozenset(words_of(job.program, *given))
        if given and not _STATISTICS.isdisjoint({*words, *(one for each in words for one in each.split("_"))}):
            found.append(place)
    return found


#: Words of tags that are not of the training.
_OTHERS = frozenset(("eval", "evaluation", "val", "valid", "validation", "test"))

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
    for path, function in functions_of(job.program, job.files):
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


def computes_norms(job: Job) -> bool:
    """Whether anything in the files of a job may compute a norm of gradients: by what it is called, or of what it is one."""
    wanted = frozenset(table(job, "gradient-norm-words"))
    for _, function in functions_of(job.program, job.files):
        for call in calls_of(function):
            words = frozenset(words_of(job.program, call.term.callee, *handed(call.term)))
            if not wanted.isdisjoint(words) or (not _GRADIENTS.isdisjoint(words) and not _NORMS.isdisjoint(words)):
                return True
    return False
