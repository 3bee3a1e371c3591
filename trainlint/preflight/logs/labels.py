"""What a word beside a value means: the label of an option that is printed once, or the tag of a value that is taken up."""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.facts.call_graph import last_name
from trainlint.ir.nodes import Attr, BinOp, Call, Const, ItemDisplay, List, Select, SequenceDisplay, Subscript, Term, Unknown
from trainlint.ir.terms import parts_of
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.running.nearness import judges
from trainlint.preflight.values.unsaid import is_of_configuration
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Place

#: What speaks of numbers that were taken up.
_STATISTICS = frozenset(
    ("stats", "statistics", "metric", "metrics", "scalars", "history", "log", "logs", "summary", "meters", "averages", "losses")
)
#: What writes a text.
_WRITES = frozenset(("write", "writelines", "print"))
#: What only writes a value down in another way.
_WRITTEN = frozenset(("str", "int", "float", "repr", "dumps"))

#: Functions of Python whose result is of what they are handed.
GOES_OVER = frozenset(("enumerate", "sorted", "list", "tuple", "iter", "reversed"))


def labels_an_option(job: Job, place: Place) -> bool:
    """Whether a call tells once what an option is, ``print(f"Loss: {args.loss}")``: no number of the training is among it."""
    if place.way is None or place.way.looped or not isinstance(place.term, Call):
        return False
    filled = [value for each in handed(place.term) for value in _filled(job, place.module, each)]
    return bool(filled) and all(_is_option(job, place.module, each) for each in filled)


def _is_option(job: Job, path: str, term: Term) -> bool:
    if not isinstance(term, (Attr, Subscript)):
        return False
    name = str(term.name if isinstance(term, Attr) else term.key.parts[-1])
    return job.options.name(term, path) == name or is_of_configuration(term)


def _filled(job: Job, path: str, given: Term) -> Iterable[Term]:
    """The values in what a call is handed that are no constants."""
    texts = job.program.modules[path].texts
    waiting, seen = [given], set[Term]()
    while waiting:
        part = waiting.pop()
        if part in seen or isinstance(part, Const):
            continue
        seen.add(part)
        if isinstance(part, Unknown) and part in texts:
            waiting += texts[part]
        elif isinstance(part, BinOp):
            waiting += part.sides
        elif isinstance(part, SequenceDisplay):
            waiting += part.subterms()
        elif isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name == "format":
            waiting += (part.callee.base, *handed(part))
        elif isinstance(part, Call) and last_name(part.callee) in _WRITTEN:
            waiting += handed(part)
        else:
            yield part


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
        words = frozenset(words_of(job.program, place.module, *given))
        if given and not _STATISTICS.isdisjoint({*words, *(one for each in words for one in each.split("_"))}):
            found.append(place)
    return found


def is_names(job: Job, place: Place, term: Term) -> bool:
    """Whether a thing is a list of texts: which columns there are, what is drawn."""
    texts = job.program.modules[place.module].texts
    waiting, lists = [term], 0
    while waiting:
        part = waiting.pop()
        drawn = place.function.drawn.get(part)
        if isinstance(part, ItemDisplay) and type(part.items) is tuple:
            waiting += part.items
            lists += 1
        elif isinstance(part, (BinOp, Select)):
            waiting += part.sides if isinstance(part, BinOp) else part.arms
        elif drawn is not None:
            waiting.append(drawn.item)
            lists += 1
        elif isinstance(part, Call) and last_name(part.callee) in (*GOES_OVER, "sum"):
            waiting += handed(part)
        elif not isinstance(part, (List, Const)) and not (lists and part in texts):
            return False
    return lists > 0


def is_made(term: Term) -> bool:
    """Whether a thing is an object of some class: a ``ScalerWithGradNorm()`` is no norm."""
    return isinstance(term, Call) and (last_name(term.callee) or "")[:1].isupper()
