"""What makes a training short from the side of its data: fewer of them and a single epoch, or few steps to an epoch of Keras."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.def_use import is_comprehension
from trainlint.finding import Spot
from trainlint.ir.nodes import Access, Attr, BinOp, Call, Const, Global, Param, Ref, Slice, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.ending.counted import EPOCHS, option_of
from trainlint.preflight.evidence.asking import runs
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence
from trainlint.preflight.values.words import handed, split

#: Words of options that say how many data there are; of those that say it of something else, or how long each is.
_DATA = frozenset(
    ("dataset", "data", "samples", "sample", "examples", "example", "images", "items", "records", "limit", "subset")
)
_MOST = frozenset(("max", "limit", "size", "num", "n", "first", "subset", "debug", "truncate", "nb", "number"))
_ELSE = frozenset(
    (
        *(
            "eval",
            "val",
            "valid",
            "validation",
            "test",
            "vis",
            "log",
            "save",
            "gen",
            "generate",
            "len",
            "length",
            "tokens",
            "seq",
        ),
        *("start", "warmup", "freq", "every", "interval", "decay", "resume", "per", "last", "begin", "which", "init", "pretrain"),
        *("epoch_count", "fid", "buffer", "workers", "batch", "image_size", "crop", "width", "height", "dim", "stop", "load"),
    )
)
_JUDGES = frozenset(("eval", "evaluate", "val", "valid", "validate", "validation", "test"))
_TOTAL = frozenset(("total", "max", "num", "n", "end"))
_TAKES = frozenset(("take", "islice", "head", "limit"))
_STEPS = 10


def cut(job: Job) -> tuple[str, Evidence, str] | None:
    """The option that makes it short, where it does, and what the command line says; only where it says the epochs, too."""
    return _of_keras(job) or _of_data(job)


def _of_keras(job: Job) -> tuple[str, Evidence, str] | None:
    """The option that ``fit(steps_per_epoch=…)`` is worked out of: ``args.examples // args.batch_size``."""
    if job.framework != "keras":
        return None
    for place in runs(job.trail.calls(("steps_per_epoch=",))):
        call = place.term
        given = dict(call.kwargs) if isinstance(call, Call) and last_name(call.callee) in ("fit", "fit_generator") else {}
        found = _few(job, place.module, given["steps_per_epoch"]) if "steps_per_epoch" in given else None
        if found is not None:
            epochs = option_of(job, given["epochs"], place.module) if "epochs" in given else None
            if epochs is None or epochs not in job.options.declared:
                epochs = _epochs(job)
            if epochs is not None or "epochs" not in given:
                name, number = found
                option = job.options.written(name)
                said = [job.options.saying(name, number), *([job.options.saying(epochs, 1)] if epochs is not None else [])]
                return option, Evidence(place.module, place.spot, f"{option} says how many steps there are"), " ".join(said)
    return None


def _few(job: Job, path: str, value: Term) -> tuple[str, int] | None:
    """The option, and its value, with which a number comes to a few steps."""
    each = 1
    if isinstance(value, Call) and last_name(value.callee) in ("int", "ceil", "floor") and value.args:
        value = value.args[0]
    if isinstance(value, BinOp) and value.op in ("FloorDiv", "Div"):
        name = option_of(job, value.right, path)
        said = (
            job.options.declared[name].default
            if name in job.options.declared and name
            else job.options.default(value.right, path)
        )
        if said is None or not isinstance(said[0], int) or isinstance(said[0], bool) or said[0] < 1:
            return None
        each, value = said[0], value.left
    if not isinstance(value, (Access, Global, Param, Ref, Call)):
        return None
    name = option_of(job, value, path)
    return (name, _STEPS * each) if name is not None and name in job.options.declared else None


def _of_data(job: Job) -> tuple[str, Evidence, str] | None:
    """The option that says how many of the data are taken, where another one says how many epochs there are."""
    wanted = {name for name in job.options.declared if _is_number_of_data(name)}
    epochs = _epochs(job) if wanted else None
    if epochs is None:
        return None
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            if not _JUDGES.isdisjoint(split(function.qualname)):
                continue
            for stop, spot in _stops(function):
                for part in parts_of(stop):
                    name = option_of(job, part, path) if isinstance(part, (Access, Param, Ref)) else None
                    if name in wanted and name is not None:
                        option = f"{job.options.written(name)} together with {job.options.written(epochs)}"
                        said = f"{job.options.saying(name, _STEPS)} {job.options.saying(epochs, 1)}"
                        return option, Evidence(path, spot, f"`{name}` says how many of the data are taken"), said
    return None


def _is_number_of_data(name: str) -> bool:
    words = frozenset(split(name))
    return not words.isdisjoint(_DATA) and not words.isdisjoint(_MOST) and words.isdisjoint(_ELSE)


def _stops(function: Function) -> Iterator[tuple[Term, Spot]]:
    """Where something is cut short: ``paths[:n]``, ``data.take(n)``, ``data.select(range(n))``."""
    roots = [(each.value, each.spot) for each in of_kind(function, Store)]
    roots += [(each.value, each.spot) for each in of_kind(function, Keep)]
    roots += [(value, each.term.site) for each in of_kind(function, CallStep) for value in handed(each.term)]
    for root, spot in roots:
        for part in parts_of(root):
            if (
                isinstance(part, Subscript)
                and isinstance(part.key, Slice)
                and part.key.lower == part.key.step
                and not isinstance(part.key.upper, Const)
            ):
                yield part.key.upper, spot
    for each in of_kind(function, CallStep):
        name, given = last_name(each.term.callee), each.term.args
        if name in _TAKES and given:
            yield given[-1], each.term.site
        elif name == "select" and given and isinstance(given[0], Call) and last_name(given[0].callee) == "range":
            yield given[0], each.term.site


def _epochs(job: Job) -> str | None:
    """The option that says how many epochs there are: by its name, or as what a number of epochs is made of."""
    for name, option in sorted(job.options.declared.items(), key=lambda each: len(each[0])):
        words = frozenset(split(name)) | ({"epochs"} if name.lower().rstrip("s").endswith("epoch") else set())
        if option.module in job.files and not words.isdisjoint(EPOCHS) and words.isdisjoint(_ELSE) and _is_looped(job, name):
            return name
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            for node in of_kind(function, Store):
                words = frozenset(split(node.target.name)) if isinstance(node.target, Attr) else frozenset()
                if words.isdisjoint(EPOCHS) or words.isdisjoint(_TOTAL) or not isinstance(node.value, (Attr, BinOp)):
                    continue
                parts = node.value.sides if isinstance(node.value, BinOp) and node.value.op == "Add" else (node.value,)
                names = [job.options.name(part, path) for part in parts if isinstance(part, Attr)]
                known = [name for name in names if name is not None and name in job.options.declared]
                if known and len(known) == len(parts) and all(job.options.declared[one].default == (0,) for one in known[1:]):
                    return known[0]
    return None


def _is_looped(job: Job, name: str) -> bool:
    """Whether a loop of the job goes round as often as an option says."""
    return any(
        option_of(job, part, path) == name
        for path in sorted(job.files)
        for function in job.program.modules[path].functions.values()
        for loop in of_kind(function, Loop)
        if not is_comprehension(loop)
        for part in parts_of(loop.subject)
        if isinstance(part, (Access, Param, Ref))
    )
